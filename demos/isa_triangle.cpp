// A triangle whose two shaders are written in the ISA and loaded with glShaderBinary (demos/isa/triangle.*.tsa).
// Runs on Tessera only; it says so on another driver.
#include <CLI/CLI.hpp>

#include "demos/drawing/isa_program.h"
#include "demos/drawing/portable_math.h"
#include "demos/host/harness.h"

namespace {

struct Vertex {
    float position[2];
    unsigned char color[4];
};
constexpr Vertex kVertices[] = {{{0.0f, 0.85f}, {255, 70, 60, 255}},
                                {{-0.74f, -0.43f}, {60, 220, 100, 255}},
                                {{0.74f, -0.43f}, {70, 110, 255, 255}}};

class IsaTriangle final : public demos::Demo {
public:
    explicit IsaTriangle(const demos::IsaProgram& program) : program_(program.link()) {
        turn_ = glGetUniformLocation(program_, "u_turn");
        rings_ = glGetUniformLocation(program_, "u_rings");
        position_ = glGetAttribLocation(program_, "a_position");
        color_ = glGetAttribLocation(program_, "a_color");
    }

    void draw(const demos::Frame& frame) override {
        glDisable(GL_DEPTH_TEST);
        glClearColor(0.08f, 0.08f, 0.10f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glUseProgram(program_);
        auto angle = static_cast<float>(frame.time * 0.7) + frame.turn.x + frame.turn.y;
        float aspect = static_cast<float>(frame.height) / static_cast<float>(frame.width);
        glUniform4f(turn_, demos::cosine(angle) / frame.zoom, demos::sine(angle) / frame.zoom, aspect, 0);
        glUniform4f(rings_, 0.15f, 0.2f, 0, 0);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        auto position = static_cast<GLuint>(position_), color = static_cast<GLuint>(color_);
        glEnableVertexAttribArray(position);
        glEnableVertexAttribArray(color);
        glVertexAttribPointer(position, 2, GL_FLOAT, GL_FALSE, sizeof(Vertex), kVertices[0].position);
        glVertexAttribPointer(color, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), kVertices[0].color);
        glDrawArrays(frame.wireframe ? GL_LINE_LOOP : GL_TRIANGLES, 0, 3);
        glDisableVertexAttribArray(position);
        glDisableVertexAttribArray(color);
    }

    [[nodiscard]] uint64_t triangles() const override { return 1; }

private:
    GLuint program_;
    GLint turn_ = -1, rings_ = -1, position_ = -1, color_ = -1;
};

}  // namespace

int main(int argc, char** argv) {
    demos::IsaProgram program{"triangle.vert.tsb", "triangle.frag.tsb"};
    return demos::runDemo(argc, argv,
                          {"isa-triangle", [&program](bool) { return std::make_unique<IsaTriangle>(program); },
                           [&program](CLI::App& app) { program.addOptions(app); }});
}
