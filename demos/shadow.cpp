// A sun moves around a few bodies; their shadows come from a shadow map (demos/shaders/shadow.*).
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>
#include <vector>

#include "demos/drawing/hdr_frame.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shader_file.h"
#include "demos/drawing/shadow_map.h"
#include "demos/drawing/shapes.h"
#include "demos/drawing/sky.h"
#include "demos/host/harness.h"

namespace {

constexpr GLsizei kShadowSize = 1024;

struct Body {
    const demos::Mesh* mesh;
    glm::mat4 model;
    glm::vec3 color;  ///< linear
    float gloss;
};

class Shadow final : public demos::Demo {
public:
    explicit Shadow(bool plain)
        : frame_(plain, 0.62f),
          sky_(frame_),
          ground_(demos::planeMesh(60, 1)),
          sphere_(demos::sphereMesh(64)),
          torus_(demos::torusMesh(0.3f, 72)),
          cube_(demos::cubeMesh()),
          shadowMap_(kShadowSize),
          program_(frame_.loadProgram("shadow.vert", "shadow.frag", {"a_position", "a_normal"})) {
        placeStillBodies();
    }
    void draw(const demos::Frame& frame) override {
        const auto time = static_cast<float>(frame.time);
        const float angle = 0.35f * time + 0.45f;
        const glm::vec3 toSun = glm::normalize(glm::vec3(demos::cosine(angle), 0.62f, demos::sine(angle)));
        std::vector<Body> bodies = still_;
        addMovingBodies(bodies, time);

        const glm::mat4 lightView = glm::lookAt(toSun * 20.0f, glm::vec3(0), glm::vec3(0, 1, 0));
        const glm::mat4 light = glm::ortho(-9.0f, 9.0f, -7.0f, 7.0f, 5.0f, 35.0f) * lightView;
        drawShadowMap(bodies, light);

        const float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        const glm::mat4 projection = demos::perspective(glm::radians(42.0f), aspect, 0.5f, 150.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, -0.7f, -11 * frame.zoom));
        view = demos::rotate(view, 0.30f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, 0.4f + frame.turn.x, glm::vec3(0, 1, 0));
        frame_.begin(frame.width, frame.height);
        if (frame_.isPlain()) sky_.draw(projection, view, toSun);
        glUseProgram(program_);
        glUniformMatrix4fv(uniform("u_viewProjection"), 1, GL_FALSE, glm::value_ptr(projection * view));
        glUniform3fv(uniform("u_eye"), 1, glm::value_ptr(glm::vec3(glm::inverse(view)[3])));
        glUniform3fv(uniform("u_toSun"), 1, glm::value_ptr(toSun));
        glUniform1f(uniform("u_texel"), 1.0f / kShadowSize);
        glBindTexture(GL_TEXTURE_2D, shadowMap_.texture());
        for (const Body& body : bodies) {
            glUniformMatrix4fv(uniform("u_model"), 1, GL_FALSE, glm::value_ptr(body.model));
            glUniformMatrix4fv(uniform("u_toShadow"), 1, GL_FALSE, glm::value_ptr(light * body.model));
            glUniform3fv(uniform("u_color"), 1, glm::value_ptr(body.color));
            glUniform1f(uniform("u_gloss"), body.gloss);
            body.mesh->draw(frame.wireframe);
            triangles_ += body.mesh->triangles();
        }
        if (!frame_.isPlain()) sky_.draw(projection, view, toSun);
        frame_.end();
    }

    [[nodiscard]] uint64_t triangles() const override { return triangles_; }

private:
    [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(program_, name); }

    void placeStillBodies() {
        const glm::mat4 identity(1);
        still_.push_back({&ground_, identity, {0.40f, 0.35f, 0.29f}, 0});
        // Columns in half a circle, and a ball on the lowest.
        for (int i = 0; i < 7; ++i) {
            const float angle = std::numbers::pi_v<float> * (static_cast<float>(i) / 6 + 0.9f),
                        height = 0.5f + 0.2f * static_cast<float>(i);
            glm::mat4 model =
                glm::translate(identity, {4.2f * demos::cosine(angle), height, 4.2f * demos::sine(angle)});
            model = demos::rotate(model, -angle, glm::vec3(0, 1, 0));
            still_.push_back({&cube_, glm::scale(model, {0.32f, height, 0.32f}), {0.62f, 0.60f, 0.56f}, 0.05f});
            if (i == 0)
                still_.push_back({&sphere_,
                                  glm::scale(glm::translate(model, {0, 0.95f, 0}), glm::vec3(0.45f)),
                                  {0.05f, 0.32f, 0.30f},
                                  0.5f});
        }
        still_.push_back({&sphere_,
                          glm::scale(glm::translate(identity, {1.9f, 0.8f, 1.5f}), glm::vec3(0.8f)),
                          {0.75f, 0.10f, 0.06f},
                          0.6f});
        still_.push_back({&sphere_,
                          glm::scale(glm::translate(identity, {0.5f, 0.4f, 2.6f}), glm::vec3(0.4f)),
                          {0.85f, 0.58f, 0.10f},
                          0.6f});
        const glm::mat4 box = demos::rotate(glm::translate(identity, {-2.1f, 0.6f, 1.6f}), 0.5f, glm::vec3(0, 1, 0));
        still_.push_back({&cube_, glm::scale(box, glm::vec3(0.6f)), {0.08f, 0.22f, 0.55f}, 0.3f});
    }

    void addMovingBodies(std::vector<Body>& bodies, float time) const {
        glm::mat4 ring = glm::translate(glm::mat4(1), {-0.4f, 1.75f, 0});
        ring = demos::rotate(ring, 0.6f * time, glm::vec3(0, 1, 0));
        ring = demos::rotate(ring, 0.35f, glm::vec3(1, 0, 0));
        bodies.push_back({&torus_, glm::scale(ring, glm::vec3(1.15f)), {0.80f, 0.42f, 0.14f}, 0.5f});
        const glm::vec3 place(-0.4f, 1.75f + 0.25f * demos::sine(1.3f * time), 0);
        bodies.push_back(
            {&sphere_, glm::scale(glm::translate(glm::mat4(1), place), glm::vec3(0.38f)), {0.9f, 0.9f, 0.9f}, 0.5f});
    }

    void drawShadowMap(const std::vector<Body>& bodies, const glm::mat4& light) {
        shadowMap_.begin();
        triangles_ = 0;
        for (const Body& body : bodies) {
            shadowMap_.cast(*body.mesh, light * body.model);
            triangles_ += body.mesh->triangles();
        }
    }

    demos::HdrFrame frame_;
    demos::Sky sky_;
    demos::Mesh ground_, sphere_, torus_, cube_;
    demos::ShadowMap shadowMap_;
    GLuint program_;
    std::vector<Body> still_;
    uint64_t triangles_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv, {"shadow", [](bool plain) { return std::make_unique<Shadow>(plain); }});
}
