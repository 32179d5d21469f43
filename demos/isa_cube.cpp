// A lit cube with an image on each face, in the ISA alone: demos/isa/cube.vert.tsa and cube.frag.tsa. With --vertex and
// --fragment it shows other programs on the same cube; docs/tutorial.md writes one step by step. Unless it is plain,
// its edges are rounded and it turns over a ground, whose programs are GLSL.
//
// The programs may read a_position, a_normal, a_texCoord; u_projection, u_modelView, u_time; u_image.
#include <CLI/CLI.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <optional>

#include "demos/drawing/image_texture.h"
#include "demos/drawing/isa_program.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shapes.h"
#include "demos/drawing/stage.h"
#include "demos/host/harness.h"

namespace {

constexpr const char* kImages[6] = {"bricks.png", "wood.png", "tiles.png", "circuit.png", "marble.png", "letter.png"};

class IsaCube final : public demos::Demo {
public:
    IsaCube(const demos::IsaProgram& program, bool plain)
        : mesh_(plain ? demos::cubeMesh() : demos::roundedCubeMesh(0.07f)), program_(program.link()) {
        projection_ = glGetUniformLocation(program_, "u_projection");
        modelView_ = glGetUniformLocation(program_, "u_modelView");
        time_ = glGetUniformLocation(program_, "u_time");
        // The programs have their lamp where the eye is, up to the left; so its shadow falls down to the right.
        if (!plain)
            stage_.emplace(demos::StageShape{.ground = -1.9f,
                                             .reach = 1.8f,
                                             .toLamp = {-0.25f, 0.9f, 0.5f},
                                             .distance = 8.0f,
                                             .pitch = 0.42f,
                                             .fieldOfView = 0.62f},
                           nullptr);
        for (int face = 0; face < 6; ++face) textures_[face] = demos::loadTexture(kImages[face]);
    }
    ~IsaCube() override { glDeleteTextures(6, textures_); }

    void draw(const demos::Frame& frame) override {
        if (stage_)
            drawOnStage(frame);
        else
            drawPlain(frame);
    }

    [[nodiscard]] uint64_t triangles() const override {
        return stage_ ? 2 * mesh_.triangles() + demos::Stage::kTriangles : mesh_.triangles();
    }

private:
    void drawPlain(const demos::Frame& frame) const {
        glClearColor(0.12f, 0.12f, 0.16f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        glm::mat4 projection = demos::perspective(glm::radians(45.0f), aspect, 1.0f, 20.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, 0, -5.5f * frame.zoom));
        view = demos::rotate(view, 0.5f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, turnAt(frame.time) + frame.turn.x, kAxis);
        drawCube(frame, projection, view);
    }

    void drawOnStage(const demos::Frame& frame) {
        const glm::mat4 model = demos::rotate(glm::mat4(1), turnAt(frame.time), kAxis);
        stage_->begin(frame);
        stage_->cast(mesh_, model);
        stage_->show();
        drawCube(frame, stage_->projection(), stage_->view() * model);
        stage_->end();
    }

    static constexpr glm::vec3 kAxis{0, 1, 0.1f};
    static float turnAt(double time) { return static_cast<float>(time * 0.7); }

    void drawCube(const demos::Frame& frame, const glm::mat4& projection, const glm::mat4& modelView) const {
        glUseProgram(program_);
        glUniformMatrix4fv(projection_, 1, GL_FALSE, glm::value_ptr(projection));
        glUniformMatrix4fv(modelView_, 1, GL_FALSE, glm::value_ptr(modelView));
        if (time_ >= 0) glUniform1f(time_, static_cast<float>(frame.time));
        glActiveTexture(GL_TEXTURE0);
        const uint32_t face = mesh_.triangles() / 6;
        for (uint32_t i = 0; i < 6; ++i) {
            glBindTexture(GL_TEXTURE_2D, textures_[i]);
            mesh_.drawRange(frame.wireframe, i * face, face);
        }
    }

    std::optional<demos::Stage> stage_;
    demos::Mesh mesh_;
    GLuint program_;
    GLint projection_, modelView_, time_;
    GLuint textures_[6] = {};
};

}  // namespace

int main(int argc, char** argv) {
    demos::IsaProgram program{"cube.vert.tsb", "cube.frag.tsb"};
    return demos::runDemo(argc, argv,
                          {"isa-cube", [&program](bool plain) { return std::make_unique<IsaCube>(program, plain); },
                           [&program](CLI::App& app) { program.addOptions(app); }});
}
