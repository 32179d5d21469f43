// The paper's third program (figure 7c): a cube with its own image on each face, trilinear filtered. Plain it is twelve
// triangles; else its edges are rounded, and it turns over a ground.
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "demos/drawing/image_texture.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shapes.h"
#include "demos/drawing/stage.h"
#include "demos/host/harness.h"

namespace {

constexpr const char* kVertexShader = R"(
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_texCoord;
uniform mat4 u_projection;
uniform mat4 u_modelView;
varying vec2 v_texCoord;
varying float v_light;
void main() {
    vec3 normal = (u_modelView * vec4(a_normal, 0.0)).xyz;
    v_light = 0.45 + 0.55 * max(dot(normal, normalize(vec3(0.3, 0.5, 1.0))), 0.0);
    v_texCoord = a_texCoord;
    gl_Position = u_projection * (u_modelView * vec4(a_position, 1.0));
}
)";

constexpr const char* kFragmentShader = R"(
precision mediump float;
uniform sampler2D u_image;
varying vec2 v_texCoord;
varying float v_light;
void main() { gl_FragColor = vec4(texture2D(u_image, v_texCoord).rgb * v_light, 1.0); }
)";

constexpr const char* kImages[6] = {"bricks.png", "wood.png", "tiles.png", "circuit.png", "marble.png", "letter.png"};

class PlainTextured final : public demos::Demo {
public:
    PlainTextured()
        : mesh_(demos::cubeMesh()),
          program_(demos::buildProgram(kVertexShader, kFragmentShader, {"a_position", "a_normal", "a_texCoord"})) {
        projection_ = glGetUniformLocation(program_, "u_projection");
        modelView_ = glGetUniformLocation(program_, "u_modelView");
        for (int face = 0; face < 6; ++face) textures_[face] = demos::loadTexture(kImages[face]);
    }
    ~PlainTextured() override { glDeleteTextures(6, textures_); }

    void draw(const demos::Frame& frame) override {
        glClearColor(0.16f, 0.18f, 0.22f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        glm::mat4 projection = demos::perspective(glm::radians(45.0f), aspect, 1.0f, 20.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, 0, -5 * frame.zoom));
        view = demos::rotate(view, 0.55f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, static_cast<float>(frame.time * 0.6) + frame.turn.x, glm::vec3(0.1f, 1, 0.05f));
        glUseProgram(program_);
        glUniformMatrix4fv(projection_, 1, GL_FALSE, glm::value_ptr(projection));
        glUniformMatrix4fv(modelView_, 1, GL_FALSE, glm::value_ptr(view));
        glActiveTexture(GL_TEXTURE0);
        for (uint32_t face = 0; face < 6; ++face) {
            glBindTexture(GL_TEXTURE_2D, textures_[face]);
            mesh_.drawRange(frame.wireframe, face * 2, 2);
        }
    }

    [[nodiscard]] uint64_t triangles() const override { return mesh_.triangles(); }

private:
    demos::Mesh mesh_;
    GLuint program_;
    GLint projection_, modelView_;
    GLuint textures_[6] = {};
};

class Textured final : public demos::Demo {
public:
    Textured()
        : stage_({.ground = -1.9f,
                  .reach = 1.8f,
                  .toLamp = {-0.5f, 1.0f, 0.65f},
                  .distance = 8.0f,
                  .pitch = 0.42f,
                  .yaw = -0.1f,
                  .fieldOfView = 0.62f},
                 R"(
uniform sampler2D u_image;
void main() {
    vec3 image = texture2D(u_image, v_texCoord).rgb;
    gl_FragColor = shown(lit(image * image * 1.3, 0.25));
})"),
          mesh_(demos::roundedCubeMesh(0.07f)) {
        for (int face = 0; face < 6; ++face) textures_[face] = demos::loadTexture(kImages[face]);
    }
    ~Textured() override { glDeleteTextures(6, textures_); }

    void draw(const demos::Frame& frame) override {
        const auto angle = static_cast<float>(frame.time * 0.6);
        const glm::mat4 model = demos::rotate(glm::mat4(1), angle, glm::vec3(0.1f, 1, 0.05f));
        stage_.begin(frame);
        stage_.cast(mesh_, model);
        stage_.show();
        stage_.place(model);
        for (uint32_t face = 0; face < 6; ++face) {
            glBindTexture(GL_TEXTURE_2D, textures_[face]);
            mesh_.drawRange(frame.wireframe, face * demos::kRoundedFace, demos::kRoundedFace);
        }
        stage_.end();
    }

    [[nodiscard]] uint64_t triangles() const override { return 2 * mesh_.triangles() + demos::Stage::kTriangles; }

private:
    demos::Stage stage_;
    demos::Mesh mesh_;
    GLuint textures_[6] = {};
};

std::unique_ptr<demos::Demo> makeTextured(bool plain) {
    if (plain) return std::make_unique<PlainTextured>();
    return std::make_unique<Textured>();
}

}  // namespace

int main(int argc, char** argv) { return demos::runDemo(argc, argv, {"textured", makeTextured}); }
