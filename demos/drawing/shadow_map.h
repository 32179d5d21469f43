// A shadow map: depth as the bytes of a colour texture (demos/shaders/shadow_depth.*), which OpenGL ES 2.0 draws to
// without an extension.
#pragma once

#include <GLES2/gl2.h>

#include <glm/glm.hpp>

#include "demos/drawing/mesh.h"

namespace demos {

class ShadowMap {
public:
    explicit ShadowMap(GLsizei size);
    ~ShadowMap();
    ShadowMap(const ShadowMap&) = delete;
    ShadowMap& operator=(const ShadowMap&) = delete;

    /// An empty map is drawn to, with the depth test on; bodies that cast a shadow follow.
    void begin() const;
    /// `toShadow`: from the mesh to the map's clip space.
    void cast(const Mesh& mesh, const glm::mat4& toShadow) const;

    [[nodiscard]] GLuint texture() const { return texture_; }

private:
    GLsizei size_;
    GLuint program_, texture_ = 0, depth_ = 0, framebuffer_ = 0;
};

}  // namespace demos
