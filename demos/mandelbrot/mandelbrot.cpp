// Zooms into the Mandelbrot set as the minimalist FPGA GPU (seed 001) did: the compute kernels of demos/kernels draw
// it, in single precision or, with --fixed, in the paper's 16-bit fixed point, into the pixels of a texture.
//
// The paper zooms towards a starfish valley at -0.563 - 0.643i; so does this, and out again before single precision
// runs out of bits, 28 seconds each way. In fixed point the smallest step between pixels, 1 / 1024, ends the zoom after
// three halvings, as on the FPGA. Mouse and arrow keys move the view.
#include <GLES2/gl2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "api/compute/device.h"
#include "base/process/env.h"
#include "demos/drawing/portable_math.h"
#include "demos/host/harness.h"
#include "demos/kernels/mandelbrot.h"
#include "demos/kernels/runner.h"

namespace {

using tessera::compute::Buffer;
using tessera::compute::Device;
using tessera::compute::Kernel;

constexpr double kCentreX = -0.563, kCentreY = -0.643;
constexpr double kOctaves = 10, kFixedOctaves = 3, kSecondsPerOctave = 2;
constexpr int kRounds = 14, kShift = 3, kFixedRounds = 7, kFixedShift = 2;  // 126 iterations and the paper's 63

const char* const kVertexShader = R"(
attribute vec2 a_position;
uniform vec2 u_used;
varying vec2 v_texCoord;
void main() {
    v_texCoord = (a_position * 0.5 + 0.5) * u_used;
    gl_Position = vec4(a_position, 0.0, 1.0);
}
)";
const char* const kFragmentShader = R"(
precision highp float;
varying vec2 v_texCoord;
uniform sampler2D u_image;
void main() { gl_FragColor = texture2D(u_image, v_texCoord); }
)";
constexpr float kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};

int roundUp(int value, int unit) { return (value + unit - 1) / unit * unit; }

class Mandelbrot final : public demos::Demo {
public:
    explicit Mandelbrot(bool fixed)
        : fixed_(fixed),
          device_(tessera::compute::openDevice(tessera::tier::tierFromEnvironment(tessera::compute::kUsualTier),
                                               tessera::threadCount())),
          program_(demos::buildProgram(kVertexShader, kFragmentShader, {"a_position"})),
          used_(glGetUniformLocation(program_, "u_used")) {
        std::string why;
        auto program = tessera::kernels::readKernel(fixed ? "mandelbrot_fixed" : "mandelbrot", &why);
        if (program) kernel_ = device_->load(std::move(*program), &why);
        if (kernel_ == nullptr) fail(why);
        const auto& colours = tessera::kernels::mandelbrotPalette();
        auto palette = std::make_shared<Buffer>(sizeof colours);
        std::copy(colours.begin(), colours.end(), palette->as<uint32_t>().begin());
        kernel_->bind("palette", std::move(palette));
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }

    void draw(const demos::Frame& frame) override {
        compute(frame);
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_CULL_FACE);
        glUseProgram(program_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, image_->bytes().data());
        glUniform2f(used_, static_cast<float>(frame.width) / static_cast<float>(width_),
                    static_cast<float>(frame.height) / static_cast<float>(height_));
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDisableVertexAttribArray(0);
    }

    [[nodiscard]] uint64_t triangles() const override { return 2; }

private:
    [[noreturn]] static void fail(const std::string& why) {
        std::fprintf(stderr, "mandelbrot: %s\n", why.c_str());
        std::exit(1);
    }

    /// The picture of this frame into image_, whose size is the window's, rounded up to what the kernel takes.
    void compute(const demos::Frame& frame) {
        const int width = roundUp(frame.width, 32), height = roundUp(frame.height, 16);
        if (image_ == nullptr || width != width_ || height != height_) {
            width_ = width, height_ = height;
            image_ = std::make_shared<Buffer>(static_cast<size_t>(width) * static_cast<size_t>(height) * 4);
            kernel_->bind("image", image_);
        }
        // In and out: octaves 0 .. most .. 0.
        const double most = fixed_ ? kFixedOctaves : kOctaves;
        const double phase = std::fmod(frame.time / kSecondsPerOctave, 2 * most);
        const double scale = demos::powerOfTwo(-(phase < most ? phase : 2 * most - phase)) * frame.zoom;
        const double shorter = std::min(frame.width, frame.height);
        double step = 2.5 / shorter * scale;
        if (fixed_) step = std::max(1.0, std::round(step * 1024)) / 1024;
        const double centreX = kCentreX - frame.turn.x * 0.42 * scale, centreY = kCentreY + frame.turn.y * 0.42 * scale;
        const double minX = centreX - step * frame.width / 2, minY = centreY - step * frame.height / 2;
        if (fixed_) {
            const auto number = [](double value) { return static_cast<int32_t>(std::lround(value * 1024)); };
            setWindow(number(minX), number(minY), number(step), number(step));
        } else {
            const auto number = [](double value) { return static_cast<float>(value); };
            setWindow(number(minX), number(minY), number(step), number(step));
        }
        kernel_->setUniform("u_size", tessera::kernels::bitsOf(width_, fixed_ ? kFixedRounds : kRounds,
                                                               fixed_ ? kFixedShift : kShift, 0));
        auto launch = device_->launch(
            *kernel_, {.grid = {static_cast<uint32_t>(width_) / 32, static_cast<uint32_t>(height_) / 16, 1}});
        device_->wait();
        if (!launch->ok()) fail(launch->message);
    }

    template <class T>
    void setWindow(T minX, T minY, T stepX, T stepY) {
        kernel_->setUniform("u_window", tessera::kernels::bitsOf(minX, minY, stepX, stepY));
    }

    bool fixed_;
    std::shared_ptr<Device> device_;
    std::shared_ptr<Kernel> kernel_;
    std::shared_ptr<Buffer> image_;
    int width_ = 0, height_ = 0;
    GLuint program_, texture_ = 0;
    GLint used_;
};

}  // namespace

int main(int argc, char** argv) {
    bool fixed = false;
    demos::DemoInfo info;
    info.name = "mandelbrot";
    info.make = [&fixed](bool) { return std::make_unique<Mandelbrot>(fixed); };
    info.addOptions = [&fixed](CLI::App& app) {
        app.add_flag("--fixed", fixed, "In the 16-bit fixed point of the paper's FPGA, 63 iterations");
    };
    info.controls.wireframe = false;
    info.samples = 1;
    return demos::runDemo(argc, argv, info);
}
