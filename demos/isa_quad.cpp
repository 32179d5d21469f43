// Pictures made by a fragment program alone: isa-mandelbrot and isa-plasma (demos/isa/mandelbrot.frag.tsa and
// plasma.frag.tsa), drawn on a quad. With --fragment it shows another program.
//
// The program gets v_place, -1..1 in the shorter direction of the window, and u_view: centre, half the size, seconds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "demos/drawing/isa_program.h"
#include "demos/drawing/portable_math.h"
#include "demos/host/harness.h"

namespace {

struct Picture {
    const char *name, *fragment;
    float centre[2], zoomSpeed;
    bool turns;  ///< looks at u_view.xy
};
constexpr Picture kPictures[] = {
    {"isa-mandelbrot", "mandelbrot.frag.tsb", {-0.7436f, 0.1318f}, 0.5f, true},
    {"isa-plasma", "plasma.frag.tsb", {0, 0}, 0, false},
};

/// The program is built once for each picture and looks at its own name.
const Picture& picture(const char* program) {
    const std::string_view name(program);
    return kPictures[name.ends_with("plasma") ? 1 : 0];
}
/// Half a view for a radian: the picture follows the mouse in a window of 600 pixels.
constexpr float kMoveOfTurn = 1.0f / 3;
constexpr float kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

class IsaQuad final : public demos::Demo {
public:
    IsaQuad(const Picture& picture, const demos::IsaProgram& program)
        : picture_(picture),
          program_(program.link()),
          aspect_(glGetUniformLocation(program_, "u_aspect")),
          view_(glGetUniformLocation(program_, "u_view")),
          position_(static_cast<GLuint>(glGetAttribLocation(program_, "a_position"))) {}

    void draw(const demos::Frame& frame) override {
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_CULL_FACE);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glUseProgram(program_);
        const auto width = static_cast<float>(frame.width), height = static_cast<float>(frame.height);
        const float size = std::min(width, height) / frame.zoom;
        glUniform2f(aspect_, width / size, height / size);
        const auto time = static_cast<float>(frame.time);
        const float half = 1.3f * demos::powerOfTwo(-picture_.zoomSpeed * time), move = kMoveOfTurn * half * frame.zoom;
        glUniform4f(view_, picture_.centre[0] - move * frame.turn.x, picture_.centre[1] + move * frame.turn.y, half,
                    time);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glEnableVertexAttribArray(position_);
        glVertexAttribPointer(position_, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDisableVertexAttribArray(position_);
    }

    [[nodiscard]] uint64_t triangles() const override { return 2; }

private:
    const Picture& picture_;
    GLuint program_;
    GLint aspect_, view_;
    GLuint position_;
};

}  // namespace

int main(int argc, char** argv) {
    const Picture& shown = picture(argc > 0 ? argv[0] : "");
    demos::IsaProgram program{"quad.vert.tsb", shown.fragment};
    return demos::runDemo(argc, argv,
                          {.name = shown.name,
                           .make = [&](bool) { return std::make_unique<IsaQuad>(shown, program); },
                           .addOptions = [&program](CLI::App& app) { program.addOptions(app); },
                           .controls = {.turn = shown.turns, .wireframe = false},
                           .samples = 1});
}
