// Images: convolution and pooling (seed 002).
#include <algorithm>

#include "demos/kernels/jobs.h"
#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

/// The mask column by column from bottom to top, with three zeros on either side (convolution_*.tsa).
template <class T>
std::vector<T> maskColumns(std::span<const T> mask, int size) {
    std::vector<T> columns;
    for (int column = 0; column < size; ++column) {
        columns.insert(columns.end(), 3, T{0});
        for (int row = size - 1; row >= 0; --row) columns.push_back(mask[static_cast<size_t>(row * size + column)]);
        columns.insert(columns.end(), 3, T{0});
    }
    return columns;
}

/// The square image with `border` zeros around it.
template <class T>
std::vector<T> withBorder(std::span<const T> image, int side, int border) {
    const auto inner = static_cast<size_t>(side), around = static_cast<size_t>(border), pitch = inner + 2 * around;
    std::vector<T> result(pitch * pitch);
    for (size_t row = 0; row < inner; ++row) {
        std::copy_n(&image[row * inner], inner, &result[(row + around) * pitch + around]);
    }
    return result;
}

template <class T, class Wide, int kMask>
Job makeConvolution(Scale scale) {
    const int n = static_cast<int>(sideFor(scale));
    const auto count = static_cast<size_t>(n) * static_cast<size_t>(n);
    const auto mask = randomMatrix<T>(56, kMask * kMask);
    Job job;
    job.size = square(static_cast<size_t>(n)) + ", mask " + square(kMask);
    const auto pixels = randomMatrix<T>(55, count);
    const int image = job.add(withBorder<T>(pixels, n, (kMask - 1) / 2)),
              columns = job.add(maskColumns<T>(mask, kMask));
    const int result = job.addOutput(4 * count);
    job.steps.push_back({std::is_same_v<T, float> ? "convolution_float" : "convolution_int",
                         {static_cast<uint32_t>(n) / 32, static_cast<uint32_t>(n) / 16, 1},
                         {},
                         {image, columns, result},
                         {bitsOf(n, n, kMask, (kMask - 1) / 2)}});
    job.work = 2.0 * kMask * kMask * static_cast<double>(count);
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    job.check = [n, mask, pixels](const Job&, const std::vector<Memory>& results) {
        std::vector<Wide> expected(static_cast<size_t>(n) * static_cast<size_t>(n));
        reference::convolve<Wide>(std::span<const T>(pixels), std::span<const T>(mask), std::span<Wide>(expected), 0, n,
                                  n, n, kMask);
        return checkProduct<T>(results[2].as<T>(), expected, 4 * kMask * kMask * 0x1p-24);
    };
    return job;
}

}  // namespace

template <int kMask>
Job makeConvolutionInt(Scale scale) {
    return makeConvolution<int32_t, int64_t, kMask>(scale);
}
template Job makeConvolutionInt<3>(Scale);
template Job makeConvolutionInt<5>(Scale);
template Job makeConvolutionInt<7>(Scale);
template Job makeConvolutionInt<15>(Scale);

template <int kMask>
Job makeConvolutionFloat(Scale scale) {
    return makeConvolution<float, double, kMask>(scale);
}
template Job makeConvolutionFloat<3>(Scale);
template Job makeConvolutionFloat<5>(Scale);
template Job makeConvolutionFloat<7>(Scale);
template Job makeConvolutionFloat<15>(Scale);

namespace {

/// `combine` gives the exact result for the four elements of a window, ascending.
Job makePool(const char* kernel, Scale scale, double (*combine)(const std::array<double, 4>&)) {
    const size_t n = sideFor(scale), half = n / 2;
    Job job;
    job.size = square(n);
    const int image = job.add(randomReals(58, n * n)), result = job.addOutput(4 * half * half);
    job.steps.push_back({kernel,
                         {blocksFor(half, 64), blocksFor(half, 4), 1},
                         {},
                         {image, result},
                         {bitsOf(static_cast<int>(half), static_cast<int>(half))}});
    job.work = 5.0 * static_cast<double>(n * n);
    job.unit = Work::Bytes;
    job.check = [n, half, combine](const Job& made, const std::vector<Memory>& results) {
        const auto image = made.memories[0].as<float>();
        std::vector<double> expected;
        for (size_t y = 0; y < half; ++y) {
            for (size_t x = 0; x < half; ++x) {
                const float* upper = &image[2 * y * n + 2 * x];
                std::array<double, 4> window{upper[0], upper[1], upper[n], upper[n + 1]};
                std::sort(window.begin(), window.end());
                expected.push_back(combine(window));
            }
        }
        return Check{largestDifference(results[1].as<float>(), expected), 2 * 0x1p-24};
    };
    return job;
}

}  // namespace

Job makePoolMax(Scale scale) {
    return makePool("pool_max", scale, [](const std::array<double, 4>& w) { return w[3]; });
}

Job makePoolMedian(Scale scale) {
    return makePool("pool_median", scale, [](const std::array<double, 4>& w) { return (w[1] + w[2]) / 2; });
}

Job makePoolAverage(Scale scale) {
    return makePool("pool_average", scale,
                    [](const std::array<double, 4>& w) { return (w[0] + w[1] + w[2] + w[3]) / 4; });
}

}  // namespace tessera::kernels
