// Seed 001, Minimalist GPU on an FPGA: the Mandelbrot set, matrix multiplication.
#include "demos/kernels/mandelbrot.h"
#include "demos/kernels/reference.h"
#include "demos/kernels/suite.h"

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

Job makeMultiply2x2(Scale scale) {
    const size_t count = scale == Scale::Small ? 300 : scale == Scale::Paper ? 16384 : 1 << 20;
    Random random(22);
    std::vector<int16_t> a(count * 4), b(count * 4);
    for (auto& value : a) value = static_cast<int16_t>(random.integer(-4096, 4096));
    for (auto& value : b) value = static_cast<int16_t>(random.integer(-4096, 4096));
    Job job;
    job.size = "2x2 x " + std::to_string(count);
    const int left = job.add(a);
    const int right = job.add(b);
    const int product = job.addOutput(count * 8);
    job.steps.push_back({"matrix_multiply_2x2", {blocksFor(count, 256), 1, 1}, {}, {left, right, product}, {}});
    job.work = 16.0 * static_cast<double>(count);
    job.unit = Work::Operations;
    job.check = [count](const Job& made, const std::vector<Memory>& results) {
        const auto a = made.memories[0].as<int16_t>(), b = made.memories[1].as<int16_t>();
        std::vector<int16_t> expected(count * 4);
        for (size_t i = 0; i < expected.size(); ++i) {
            const size_t matrix = i / 4 * 4, row = i % 4 / 2, column = i % 2;
            const int16_t first = reference::fixedMultiplyAdd(a[matrix + row * 2], b[matrix + column], 0);
            expected[i] = reference::fixedMultiplyAdd(a[matrix + row * 2 + 1], b[matrix + 2 + column], first);
        }
        return Check{countWrong<int16_t>(results[2].as<int16_t>(), expected), 0};
    };
    return job;
}

/// Partial sums of elements up to 1 grow as the square root of k, and so do their k roundings: the worst of all
/// elements is a few k * 2^-24 off.
Job makeMultiply(Scale scale) {
    const size_t m = scale == Scale::Small ? 36 : scale == Scale::Paper ? 256 : 1024;
    const size_t n = scale == Scale::Small ? 80 : m, k = scale == Scale::Small ? 24 : m;
    Job job;
    job.size = std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    const int a = job.add(randomReals(31, m * k));
    const int b = job.add(randomReals(32, k * n));
    const int c = job.addOutput(m * n * 4);
    job.steps.push_back({"matrix_multiply_float",
                         {blocksFor(m, 4 * static_cast<size_t>(multiplyTiles(m))), blocksFor(n, 64), 1},
                         {},
                         {a, b, c},
                         {bitsOf(static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), multiplyTiles(m))}});
    job.work = 2.0 * static_cast<double>(m * n * k);
    job.check = [m, n, k](const Job& made, const std::vector<Memory>& results) {
        std::vector<double> expected(m * n);
        reference::multiply<double>(made.memories[0].as<float>(), made.memories[1].as<float>(),
                                    std::span<double>(expected), 0, m, n, k);
        return Check{largestDifference(results[2].as<float>(), expected), 4 * static_cast<double>(k) * 0x1p-24};
    };
    return job;
}

/// The paper's FMA blocks chained along k, on numbers from -4 to 4: sums leave the 16 bits and wrap, as there.
Job makeMultiplyFixed(Scale scale) {
    const size_t n = scale == Scale::Small ? 36 : scale == Scale::Paper ? 256 : 1024;
    Job job;
    job.size = std::to_string(n) + "x" + std::to_string(n) + "x" + std::to_string(n);
    const int a = job.add(randomIntegers(33, n * n, -4096, 4096)), b = job.add(randomIntegers(34, n * n, -4096, 4096));
    const int c = job.addOutput(n * n * 4);
    const int side = static_cast<int>(n);
    job.steps.push_back({"matrix_multiply_fixed",
                         {blocksFor(n, 4 * static_cast<size_t>(multiplyTiles(n))), blocksFor(n, 64), 1},
                         {},
                         {a, b, c},
                         {bitsOf(side, side, side, multiplyTiles(n))}});
    job.work = 2.0 * static_cast<double>(n * n * n);
    job.unit = Work::Operations;
    job.check = [n](const Job& made, const std::vector<Memory>& results) {
        const auto a = made.memories[0].as<int32_t>(), b = made.memories[1].as<int32_t>();
        std::vector<int32_t> expected(n * n);
        for (size_t i = 0; i < n * n; ++i) {
            int64_t sum = 0;  // wrapping once at the end is wrapping at every step
            for (size_t k = 0; k < n; ++k) sum += int64_t{a[i / n * n + k]} * b[k * n + i % n] >> 10;
            expected[i] = static_cast<int16_t>(sum);
        }
        return Check{countWrong<int32_t>(results[2].as<int32_t>(), expected), 0};
    };
    return job;
}

constexpr Row kRows[] = {
    {"mandelbrot", "001", "0.37 s a frame, 3 frames/s", makeMandelbrot},
    {"mandelbrot_fixed", "001", "0.37 s a frame, 3 frames/s", makeMandelbrotFixed},
    {"matrix_multiply_2x2", "001", "", makeMultiply2x2},
    {"matrix_multiply", "001", "", makeMultiply},
    {"matrix_multiply_fixed", "001", "", makeMultiplyFixed},
};

}  // namespace

std::span<const Row> rowsOfSeed001() { return kRows; }

}  // namespace tessera::kernels
