// Sampler objects (OpenGL ES 3.0.6, section 3.8.2), and what they have in common with textures.
#pragma once

#include <array>
#include <string>

#include "api/gles/gles.h"
#include "texture/texture.h"

namespace tessera::gles {

/// How lookups filter, wrap and compare: of a texture, or of the sampler object that its unit has instead.
struct SamplingParameters {
    GLenum minFilter = GL_NEAREST_MIPMAP_LINEAR, magFilter = GL_LINEAR;
    GLenum wrapS = GL_REPEAT, wrapT = GL_REPEAT, wrapR = GL_REPEAT;
    GLfloat minLod = -1000, maxLod = 1000;
    GLenum compareMode = GL_NONE, compareFunction = GL_LEQUAL;
    GLenum srgbDecode = GL_DECODE_EXT;     ///< EXT_texture_sRGB_decode
    std::array<GLfloat, 4> borderColor{};  ///< EXT_texture_border_clamp; perhaps the bits of integers
    bool borderIsInteger = false;          ///< it was given as integers
    GLfloat maxAnisotropy = 1;             ///< at least 1, else as set (EXT_texture_filter_anisotropic)

    [[nodiscard]] bool usesMipmaps() const { return minFilter != GL_NEAREST && minFilter != GL_LINEAR; }
    /// Lookups take single texels: these are not mixed with others of their level.
    [[nodiscard]] bool takesNearest() const {
        return magFilter == GL_NEAREST && (minFilter == GL_NEAREST || minFilter == GL_NEAREST_MIPMAP_NEAREST);
    }
    /// As the texture room has it, of textures of the format.
    [[nodiscard]] texture::SamplerState state(texture::PixelFormat format) const;

    /// The parameter of that name whose value is an enum; null: there is none.
    [[nodiscard]] GLenum* find(GLenum pname);
    [[nodiscard]] const GLenum* find(GLenum pname) const { return const_cast<SamplingParameters*>(this)->find(pname); }
};

struct Sampler {
    explicit Sampler(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    SamplingParameters parameters;
};

}  // namespace tessera::gles
