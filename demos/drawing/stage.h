// Where the simple demos show their bodies: over a ground that fades into a backdrop, in the light of a lamp, whose
// shadows come from a small shadow map (shadow_map.h). The view circles around the origin.
//
// A frame is begin(), cast() for each body, show(), the bodies with their places, end().
#pragma once

#include <GLES2/gl2.h>

#include <cstdint>
#include <glm/glm.hpp>

#include "demos/drawing/mesh.h"
#include "demos/drawing/shadow_map.h"
#include "demos/host/harness.h"

namespace demos {

struct StageShape {
    float ground = 0;  ///< height of the ground
    float reach = 1;   ///< all bodies are so near to the origin
    glm::vec3 toLamp{0, 1, 0};
    float distance = 1;                            ///< of the eye from the origin
    float pitch = 0, yaw = 0, fieldOfView = 0.7f;  ///< radians
};

class Stage {
public:
    /// The bodies' fragment shader: its main() may call `vec3 lit(vec3 color, float gloss)`, the light that comes back
    /// from a surface of that colour, and `vec4 shown(vec3 light)`; it has `v_texCoord`. Null: bodies have programs of
    /// their own.
    Stage(const StageShape& shape, const char* bodyShader);
    ~Stage();
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// Bodies that cast a shadow follow.
    void begin(const Frame& frame);
    void cast(const Mesh& mesh, const glm::mat4& model) const;
    /// The ground is shown; bodies follow, each with its place. Depth test and culling are on.
    void show() const;
    /// Makes program() current for a body.
    void place(const glm::mat4& model) const;
    /// The backdrop, where there is nothing else.
    void end() const;

    static constexpr uint32_t kTriangles = 4;  ///< of ground and backdrop
    [[nodiscard]] GLuint program() const { return body_; }
    [[nodiscard]] const glm::mat4& projection() const { return projection_; }
    [[nodiscard]] const glm::mat4& view() const { return view_; }

private:
    void use(GLuint program, const glm::mat4& model) const;

    StageShape shape_;
    Mesh plane_;
    ShadowMap shadowMap_;
    GLuint groundProgram_ = 0, backdropProgram_ = 0, body_ = 0;
    glm::mat4 projection_{1}, view_{1}, toShadow_{1};
    int width_ = 0, height_ = 0;
};

}  // namespace demos
