// The sky behind a demo: a gradient from the horizon to the zenith, a sun and clouds (demos/shaders/sky.frag), as a
// backdrop and as a cube map to be reflected.
#pragma once

#include <GLES2/gl2.h>

#include <glm/glm.hpp>

#include "demos/drawing/hdr_frame.h"

namespace demos {

class Sky {
public:
    explicit Sky(const HdrFrame& frame);
    ~Sky();
    Sky(const Sky&) = delete;
    Sky& operator=(const Sky&) = delete;

    /// Fills the frame where nothing was drawn yet; a plain frame, which is to be empty, all over. Leaves the depth
    /// test on. `toSun` has length 1.
    void draw(const glm::mat4& projection, const glm::mat4& view, glm::vec3 toSun) const;
    /// Linear light with mipmaps, faces of `size` texels. The caller deletes it. Leaves framebuffer 0 bound.
    [[nodiscard]] GLuint cubeMap(int size, glm::vec3 toSun) const;

private:
    void drawToWorld(GLuint program, const glm::mat4& toWorld, glm::vec3 toSun) const;

    bool plain_;
    GLuint program_ = 0, relief_ = 0;
};

}  // namespace demos
