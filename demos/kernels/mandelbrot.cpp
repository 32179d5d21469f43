// The Mandelbrot set, in floats and in 16-bit fixed point (seed 001).
#include <algorithm>

#include "demos/kernels/jobs.h"
#include "demos/kernels/mandelbrot.h"
#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

struct View {
    int width, height, rounds;
    [[nodiscard]] int limit() const { return rounds * kMandelbrotRound; }
    /// Sixteen colours over the iterations.
    [[nodiscard]] int shift() const { return limit() > 127 ? 4 : limit() > 63 ? 3 : 2; }
};

View viewFor(Scale scale) {
    if (scale == Scale::Small) return {96, 64, 7};
    return scale == Scale::Paper ? View{320, 320, 7} : View{1280, 1280, 28};
}

Job makePicture(const char* kernel, const View& view, std::vector<uint32_t> window) {
    Job job;
    job.size = std::to_string(view.width) + "x" + std::to_string(view.height) + ", " + std::to_string(view.limit()) +
               " iterations";
    const auto& palette = mandelbrotPalette();
    const int colours = job.add(std::vector<uint32_t>(palette.begin(), palette.end()));
    const int image = job.addOutput(static_cast<size_t>(view.width) * static_cast<size_t>(view.height) * 4);
    job.steps.push_back({kernel,
                         {static_cast<uint32_t>(view.width) / 32, static_cast<uint32_t>(view.height) / 16, 1},
                         {},
                         {colours, image},
                         {std::move(window), bitsOf(view.width, view.rounds, view.shift(), 0)}});
    // As the paper counts: ten operations for each iteration of each pixel, up to the limit.
    job.work = 10.0 * view.limit() * view.width * view.height;
    return job;
}

uint32_t colourOf(int iterations, const View& view) {
    return mandelbrotPalette()[static_cast<size_t>(std::min(iterations >> view.shift(), 15))];
}

}  // namespace

/// The share of pixels whose colour is another one in double precision: those on the edges, where orbits are chaotic.
Job makeMandelbrot(Scale scale) {
    const View view = viewFor(scale);
    const float step = 2.5f / static_cast<float>(view.height);
    Job job = makePicture("mandelbrot", view, bitsOf(-1.875f, -1.25f, step, step));
    job.check = [view, step](const Job&, const std::vector<Memory>& results) {
        const auto image = results[1].as<uint32_t>();
        double wrong = 0;
        for (int y = 0; y < view.height; ++y) {
            for (int x = 0; x < view.width; ++x) {
                const int iterations =
                    reference::mandelbrot(-1.875 + x * double{step}, -1.25 + y * double{step}, view.limit());
                wrong += image[static_cast<size_t>(y * view.width + x)] != colourOf(iterations, view);
            }
        }
        return Check{wrong / (view.width * view.height), 0.002};
    };
    return job;
}

Job makeMandelbrotFixed(Scale scale) {
    const View view = viewFor(scale);
    const int step = 2560 / view.height;  // 8 at 320 pixels: 0.0078125, as in the paper
    Job job = makePicture("mandelbrot_fixed", view, bitsOf(-1920, -1280, step, step));
    job.check = [view, step](const Job&, const std::vector<Memory>& results) {
        const auto image = results[1].as<uint32_t>();
        Check check;
        for (int y = 0; y < view.height; ++y) {
            for (int x = 0; x < view.width; ++x) {
                const int iterations = reference::mandelbrotFixed(static_cast<int16_t>(-1920 + x * step),
                                                                  static_cast<int16_t>(-1280 + y * step), view.limit());
                check.error += image[static_cast<size_t>(y * view.width + x)] != colourOf(iterations, view);
            }
        }
        return check;
    };
    return job;
}

}  // namespace tessera::kernels
