// The paper's first program (figure 7a): a lit cube, one colour a face. Plain it is the paper's twelve triangles; else
// its edges are rounded, and it turns over a ground.
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shapes.h"
#include "demos/drawing/stage.h"
#include "demos/host/harness.h"

namespace {

constexpr const char* kVertexShader = R"(
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_projection;
uniform mat4 u_modelView;
varying vec3 v_normal;
varying vec3 v_eye;
void main() {
    vec4 eye = u_modelView * vec4(a_position, 1.0);
    v_normal = (u_modelView * vec4(a_normal, 0.0)).xyz;
    v_eye = -eye.xyz;
    gl_Position = u_projection * eye;
}
)";

constexpr const char* kFragmentShader = R"(
precision mediump float;
uniform vec3 u_color;
varying vec3 v_normal;
varying vec3 v_eye;
const vec3 kLight = vec3(-0.25, 0.55, 0.8);
void main() {
    vec3 normal = normalize(v_normal);
    vec3 toLight = normalize(kLight);
    vec3 halfway = normalize(toLight + normalize(v_eye));
    float diffuse = max(dot(normal, toLight), 0.0);
    float specular = pow(max(dot(normal, halfway), 0.0), 40.0);
    gl_FragColor = vec4(u_color * (0.3 + 0.7 * diffuse) + 0.35 * specular, 1.0);
}
)";

constexpr glm::vec3 kFaceColors[6] = {{0.90f, 0.30f, 0.25f}, {0.25f, 0.75f, 0.80f}, {0.95f, 0.80f, 0.25f},
                                      {0.55f, 0.35f, 0.80f}, {0.35f, 0.75f, 0.35f}, {0.95f, 0.55f, 0.20f}};

class PlainCube final : public demos::Demo {
public:
    PlainCube()
        : mesh_(demos::cubeMesh()),
          program_(demos::buildProgram(kVertexShader, kFragmentShader, {"a_position", "a_normal"})) {
        projection_ = glGetUniformLocation(program_, "u_projection");
        modelView_ = glGetUniformLocation(program_, "u_modelView");
        color_ = glGetUniformLocation(program_, "u_color");
    }

    void draw(const demos::Frame& frame) override {
        glClearColor(0.10f, 0.12f, 0.16f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        glm::mat4 projection = demos::perspective(glm::radians(45.0f), aspect, 1.0f, 20.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, 0, -6 * frame.zoom));
        view = demos::rotate(view, 0.5f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, static_cast<float>(frame.time * 0.8) + frame.turn.x, glm::vec3(0, 1, 0));
        glUseProgram(program_);
        glUniformMatrix4fv(projection_, 1, GL_FALSE, glm::value_ptr(projection));
        glUniformMatrix4fv(modelView_, 1, GL_FALSE, glm::value_ptr(view));
        for (uint32_t face = 0; face < 6; ++face) {
            glUniform3fv(color_, 1, glm::value_ptr(kFaceColors[face]));
            mesh_.drawRange(frame.wireframe, face * 2, 2);
        }
    }

    [[nodiscard]] uint64_t triangles() const override { return mesh_.triangles(); }

private:
    demos::Mesh mesh_;
    GLuint program_;
    GLint projection_, modelView_, color_;
};

class Cube final : public demos::Demo {
public:
    Cube()
        : stage_({.ground = -1.9f,
                  .reach = 1.8f,
                  .toLamp = {-0.5f, 1.0f, 0.65f},
                  .distance = 8.4f,
                  .pitch = 0.42f,
                  .yaw = -0.35f,
                  .fieldOfView = 0.62f},
                 "uniform vec3 u_color;\n"
                 "void main() { gl_FragColor = shown(lit(u_color, 0.4)); }"),
          mesh_(demos::roundedCubeMesh(0.16f)) {}

    void draw(const demos::Frame& frame) override {
        const glm::mat4 model = demos::rotate(glm::mat4(1), static_cast<float>(frame.time * 0.8), glm::vec3(0, 1, 0));
        stage_.begin(frame);
        stage_.cast(mesh_, model);
        stage_.show();
        stage_.place(model);
        for (uint32_t face = 0; face < 6; ++face) {
            // What is seen is about the root of the light.
            const glm::vec3 color = kFaceColors[face] * kFaceColors[face];
            glUniform3fv(glGetUniformLocation(stage_.program(), "u_color"), 1, glm::value_ptr(color));
            mesh_.drawRange(frame.wireframe, face * demos::kRoundedFace, demos::kRoundedFace);
        }
        stage_.end();
    }

    [[nodiscard]] uint64_t triangles() const override { return 2 * mesh_.triangles() + demos::Stage::kTriangles; }

private:
    demos::Stage stage_;
    demos::Mesh mesh_;
};

std::unique_ptr<demos::Demo> makeCube(bool plain) {
    if (plain) return std::make_unique<PlainCube>();
    return std::make_unique<Cube>();
}

}  // namespace

int main(int argc, char** argv) { return demos::runDemo(argc, argv, {"cube", makeCube}); }
