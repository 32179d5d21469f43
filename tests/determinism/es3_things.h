// What a scene of OpenGL ES 3.0 makes, deleted with it, and chooses.
#pragma once

#include <GLES3/gl3.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tests/determinism/chooser.h"

namespace determinism {

class Es3Things {
public:
    Es3Things(uint64_t seed, bool extended) : isExtended(extended), choose(seed) {}
    ~Es3Things();
    Es3Things(const Es3Things&) = delete;
    Es3Things& operator=(const Es3Things&) = delete;

    /// `names` is one of the lists below.
    template <class Generate>
    static GLuint made(Generate generate, std::vector<GLuint>& names) {
        GLuint name = 0;
        generate(1, &name);
        names.push_back(name);
        return name;
    }
    [[nodiscard]] std::vector<uint8_t> randomBytes(size_t count);
    [[nodiscard]] std::vector<float> randomFloats(size_t count, float low, float high);
    /// Bound to the target; what it holds is given or written to its memory.
    GLuint makeBuffer(GLenum target, std::span<const uint8_t> bytes);

    const bool isExtended;  ///< extensions are used
    Chooser choose;
    std::vector<GLuint> programs, textures, samplers, renderbuffers, framebuffers, arrays, buffers;
};

using SetParameter = std::function<void(GLenum name, GLint value)>;
/// `set` takes the parameters of a texture or of a sampler object. Depths are always compared: that is what the
/// shaders' samplers are for.
void sampleEs3(Es3Things& things, const SetParameter& set, bool isInteger, bool isDepth);

/// Textures of all targets and kinds of texels in units 0 to 8, some with sampler objects.
void makeEs3Textures(Es3Things& things);

}  // namespace determinism
