// A lit cube with an image on each face, in the ISA alone: demos/isa/cube.vert.tsa and cube.frag.tsa. With --vertex and
// --fragment it shows other programs on the same cube; docs/tutorial.md writes one step by step.
//
// The programs may read a_position, a_normal, a_texCoord; u_projection, u_modelView, u_time; u_image.
#include <CLI/CLI.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "demos/common/harness.h"
#include "demos/common/image_texture.h"
#include "demos/common/isa_program.h"
#include "demos/common/mesh.h"
#include "demos/common/portable_math.h"

namespace {

constexpr const char* kImages[6] = {"bricks.png", "wood.png", "tiles.png", "circuit.png", "marble.png", "letter.png"};

class IsaCube final : public demos::Demo {
public:
    explicit IsaCube(const demos::IsaProgram& program) : mesh_(demos::cubeMesh()), program_(program.link()) {
        projection_ = glGetUniformLocation(program_, "u_projection");
        modelView_ = glGetUniformLocation(program_, "u_modelView");
        time_ = glGetUniformLocation(program_, "u_time");
        for (int face = 0; face < 6; ++face) textures_[face] = demos::loadTexture(kImages[face]);
    }
    ~IsaCube() override { glDeleteTextures(6, textures_); }

    void draw(const demos::Frame& frame) override {
        glClearColor(0.12f, 0.12f, 0.16f, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        glm::mat4 projection = demos::perspective(glm::radians(45.0f), aspect, 1.0f, 20.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, 0, -5.5));
        view = demos::rotate(view, 0.5f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, static_cast<float>(frame.time * 0.7) + frame.turn.x, glm::vec3(0, 1, 0.1f));
        glUseProgram(program_);
        glUniformMatrix4fv(projection_, 1, GL_FALSE, glm::value_ptr(projection));
        glUniformMatrix4fv(modelView_, 1, GL_FALSE, glm::value_ptr(view));
        if (time_ >= 0) glUniform1f(time_, static_cast<float>(frame.time));
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
    GLint projection_, modelView_, time_;
    GLuint textures_[6] = {};
};

}  // namespace

int main(int argc, char** argv) {
    demos::IsaProgram program{"cube.vert.tsb", "cube.frag.tsb"};
    return demos::runDemo(argc, argv,
                          {"isa-cube", "a lit, textured cube shaded by hand-written ISA programs",
                           [&program] { return std::make_unique<IsaCube>(program); },
                           [&program](CLI::App& app) { program.addOptions(app); }});
}
