// Seed 002, SCRATCH: the seventeen applications of its evaluation but for the networks (networks.cpp).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "demos/kernels/networks.h"
#include "demos/kernels/reference.h"
#include "demos/kernels/suite.h"

namespace tessera::kernels {

namespace {

std::string square(size_t n) { return std::to_string(n) + "x" + std::to_string(n); }

size_t sideFor(Scale scale) { return scale == Scale::Small ? 32 : scale == Scale::Paper ? 512 : 2048; }

template <class T>
std::vector<T> randomMatrix(uint64_t seed, size_t count) {
    if constexpr (std::is_same_v<T, float>) {
        return randomReals(seed, count);
    } else {
        return randomIntegers(seed, count, -1000, 1000);
    }
}

template <class T>
Job makeAdd(const char* kernel, Scale scale) {
    const size_t n = sideFor(scale), count = n * n;
    const auto a = randomMatrix<T>(51, count), b = randomMatrix<T>(52, count);
    Job job;
    job.size = square(n);
    const int left = job.add(a), right = job.add(b), sum = job.addOutput(4 * count);
    job.steps.push_back({kernel, {blocksFor(count, 2048), 1, 1}, {}, {left, right, sum}, {}});
    job.work = 12.0 * static_cast<double>(count);
    job.unit = Work::Bytes;
    job.check = [](const Job& made, const std::vector<Memory>& results) {
        const auto a = made.memories[0].as<T>(), b = made.memories[1].as<T>();
        std::vector<T> expected;  // the exact sum fits a double, so this rounds once
        for (size_t i = 0; i < a.size(); ++i) {
            expected.push_back(static_cast<T>(static_cast<double>(a[i]) + static_cast<double>(b[i])));
        }
        return Check{countWrong<T>(results[2].as<T>(), expected), 0};
    };
    return job;
}
Job makeAddInt(Scale scale) { return makeAdd<int32_t>("matrix_add_int", scale); }
Job makeAddFloat(Scale scale) { return makeAdd<float>("matrix_add_float", scale); }

/// Exact for integers; floats: see makeMultiply in seed001.cpp.
template <class T, class Wide>
Check checkProduct(std::span<const T> result, const std::vector<Wide>& expected, double bound) {
    if constexpr (std::is_same_v<T, float>) {
        return {largestDifference(result, expected), bound};
    } else {
        std::vector<T> wrapped;
        for (Wide value : expected) wrapped.push_back(static_cast<T>(value));
        return {countWrong<T>(result, wrapped), 0};
    }
}

template <class T, class Wide>
Job makeMultiply(const char* kernel, Scale scale) {
    const size_t n = scale == Scale::Small ? 32 : scale == Scale::Paper ? 128 : 512;
    Job job;
    job.size = square(n);
    const int a = job.add(randomMatrix<T>(53, n * n)), b = job.add(randomMatrix<T>(54, n * n));
    const int c = job.addOutput(4 * n * n);
    const int side = static_cast<int>(n);
    job.steps.push_back({kernel,
                         {blocksFor(n, 4 * static_cast<size_t>(multiplyTiles(n))), blocksFor(n, 64), 1},
                         {},
                         {a, b, c},
                         {bitsOf(side, side, side, multiplyTiles(n))}});
    job.work = 2.0 * static_cast<double>(n * n * n);
    job.unit = std::is_same_v<T, float> ? Work::Flops : Work::Operations;
    job.check = [n](const Job& made, const std::vector<Memory>& results) {
        std::vector<Wide> expected(n * n);
        reference::multiply<Wide>(made.memories[0].as<T>(), made.memories[1].as<T>(), std::span<Wide>(expected), 0, n,
                                  n, n);
        return checkProduct<T>(results[2].as<T>(), expected, 4 * static_cast<double>(n) * 0x1p-24);
    };
    return job;
}
Job makeMultiplyInt(Scale scale) { return makeMultiply<int32_t, int64_t>("matrix_multiply_int", scale); }
Job makeMultiplyFloat(Scale scale) { return makeMultiply<float, double>("matrix_multiply_float", scale); }

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
template <int kMask>
constexpr auto makeConvolutionInt = makeConvolution<int32_t, int64_t, kMask>;
template <int kMask>
constexpr auto makeConvolutionFloat = makeConvolution<float, double, kMask>;

Job makeBitonic(Scale scale) {
    const uint32_t n = scale == Scale::Small ? 512 : scale == Scale::Paper ? 2048 : 1 << 18;
    const uint32_t chunk = std::min<uint32_t>(n, 2048);
    const std::array<uint32_t, 3> grid{n / chunk, 1, 1}, block{chunk / 2, 1, 1};
    Job job;
    job.size = std::to_string(n);
    const int values = job.add(randomIntegers(57, n, INT32_MIN, INT32_MAX));
    job.outputs.push_back(values);
    job.steps.push_back({"bitonic_sort", grid, block, {values}, {bitsOf(2u, chunk)}});
    for (uint32_t k = chunk * 2; k <= n; k *= 2) {
        for (uint32_t j = k / 2; j >= chunk; j /= 2) {
            job.steps.push_back({"bitonic_merge", {n / 512, 1, 1}, {}, {values}, {bitsOf(k, j)}});
        }
        job.steps.push_back({"bitonic_sort", grid, block, {values}, {bitsOf(k, k)}});
    }
    job.work = 4.0 * n;
    job.unit = Work::Bytes;
    job.check = [](const Job& made, const std::vector<Memory>& results) {
        const auto input = made.memories[0].as<int32_t>();
        std::vector<int32_t> expected(input.begin(), input.end());
        std::sort(expected.begin(), expected.end());
        return Check{countWrong<int32_t>(results[0].as<int32_t>(), expected), 0};
    };
    return job;
}

Job makeTranspose(Scale scale) {
    const size_t n = sideFor(scale), columns = scale == Scale::Small ? 48 : n;
    std::vector<uint32_t> values(n * columns);
    std::iota(values.begin(), values.end(), 1u);
    Job job;
    job.size = std::to_string(n) + "x" + std::to_string(columns);
    const int from = job.add(values), to = job.addOutput(4 * n * columns);
    job.steps.push_back({"transpose",
                         {blocksFor(columns, 64), blocksFor(n, 32), 1},
                         {},
                         {from, to},
                         {bitsOf(static_cast<int>(n), static_cast<int>(columns))}});
    job.work = 8.0 * static_cast<double>(n * columns);
    job.unit = Work::Bytes;
    job.check = [n, columns](const Job& made, const std::vector<Memory>& results) {
        const auto from = made.memories[0].as<uint32_t>(), to = results[1].as<uint32_t>();
        Check check;
        for (size_t i = 0; i < n * columns; ++i) check.error += to[i % columns * n + i / columns] != from[i];
        return check;
    };
    return job;
}

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

constexpr int kIterations = 5;

/// Points around as many centres as there are clusters, so that no point is as near to two of them: then the clusters
/// are the same in single and double precision, and wrong ones show as large differences.
template <size_t clusters>
Job makeKMeans(Scale scale) {
    const size_t points = scale == Scale::Large ? 1 << 15 : 512;
    const size_t features = scale == Scale::Small ? 4 : 64;
    std::vector<float> values = randomReals(59, features * points);
    const std::vector<float> centres = randomReals(60, clusters * features);
    for (size_t i = 0; i < values.size(); ++i) {
        values[i] = values[i] / 4 + 2 * centres[i % points % clusters * features + i / points];
    }
    std::vector<float> start(clusters * features);
    for (size_t c = 0; c < clusters; ++c) {
        for (size_t f = 0; f < features; ++f) start[c * features + f] = values[f * points + c];
    }
    Job job;
    job.size = std::to_string(points) + " points, " + std::to_string(features) + " features, " +
               std::to_string(clusters) + " clusters";
    const int input = job.add(values), centroids = job.add(start), membership = job.addOutput(4 * points);
    job.outputs.push_back(centroids);
    const auto size = bitsOf(static_cast<int>(points), static_cast<int>(features), static_cast<int>(clusters), 0);
    for (int i = 0; i < kIterations; ++i) {
        job.steps.push_back(
            {"kmeans_assign", {blocksFor(points, 128), 1, 1}, {}, {input, centroids, membership}, {size}});
        job.steps.push_back({"kmeans_update",
                             {static_cast<uint32_t>(features), static_cast<uint32_t>(clusters), 1},
                             {},
                             {input, centroids, membership},
                             {size}});
    }
    job.work = 3.0 * kIterations * static_cast<double>(points * features * clusters);
    job.check = [points, features](const Job& made, const std::vector<Memory>& results) {
        const auto values = made.memories[0].as<float>(), start = made.memories[1].as<float>();
        std::vector<double> centroids(start.begin(), start.end());
        std::vector<int32_t> membership(points);
        for (int i = 0; i < kIterations; ++i) {
            reference::assign<double>(values, std::span<const double>(centroids), std::span<int32_t>(membership), 0,
                                      points, points, features, clusters);
            reference::update<double>(values, std::span<double>(centroids), std::span<const int32_t>(membership),
                                      points, features, clusters);
        }
        const double wrong = countWrong<int32_t>(results[2].as<int32_t>(), membership);
        return Check{wrong + largestDifference(results[1].as<float>(), centroids), 64 * 0x1p-24};
    };
    return job;
}

/// The triangle is compared, in units of the diagonal, and so is the solution that substitution on the host, the
/// paper's second half, gets from it.
Job makeGaussian(Scale scale) {
    const size_t n = scale == Scale::Small ? 8 : scale == Scale::Paper ? 32 : 256, pitch = n + 1;
    std::vector<float> a = randomReals(61, n * pitch);
    for (size_t i = 0; i < n; ++i) a[i * pitch + i] += static_cast<float>(n);
    Job job;
    job.size = square(n);
    const int matrix = job.add(a), multipliers = job.addOutput(4 * n);
    job.outputs.push_back(matrix);
    for (size_t t = 0; t + 1 < n; ++t) {
        const auto step = bitsOf(static_cast<int>(n), static_cast<int>(pitch), static_cast<int>(t), 0);
        const size_t rows = n - 1 - t, columns = pitch - t;
        job.steps.push_back({"gaussian_multipliers", {blocksFor(rows, 32), 1, 1}, {}, {matrix, multipliers}, {step}});
        job.steps.push_back(
            {"gaussian_eliminate", {blocksFor(columns, 32), blocksFor(rows, 4), 1}, {}, {matrix, multipliers}, {step}});
    }
    job.work = 2.0 / 3.0 * static_cast<double>(n * n * n);
    job.check = [n, pitch](const Job& made, const std::vector<Memory>& results) {
        const auto input = made.memories[0].as<float>(), result = results[0].as<float>();
        std::vector<double> exact(input.begin(), input.end());
        reference::eliminate(std::span<double>(exact), n);
        double worst = 0;
        std::vector<double> solution(n), expected(n);
        for (size_t row = n; row-- > 0;) {
            double actualSum = result[row * pitch + n], exactSum = exact[row * pitch + n];
            for (size_t column = row + 1; column < n; ++column) {
                worst = std::max(worst, std::abs(result[row * pitch + column] - exact[row * pitch + column]));
                actualSum -= result[row * pitch + column] * solution[column];
                exactSum -= exact[row * pitch + column] * expected[column];
            }
            solution[row] = actualSum / result[row * pitch + row];
            expected[row] = exactSum / exact[row * pitch + row];
            worst = std::max(worst, std::abs(solution[row] - expected[row]) * static_cast<double>(n));
            if (std::isnan(solution[row])) worst = INFINITY;
        }
        return Check{worst / static_cast<double>(n), 8 * 0x1p-24};
    };
    return job;
}

constexpr Row kRows[] = {
    {"kmeans_5", "002", "", makeKMeans<5>},
    {"kmeans_10", "002", "", makeKMeans<10>},
    {"gaussian", "002", "20x the energy efficiency of MIAOW", makeGaussian},
    {"matrix_add_int", "002", "", makeAddInt},
    {"matrix_add_float", "002", "", makeAddFloat},
    {"matrix_multiply_int", "002", "", makeMultiplyInt},
    {"matrix_multiply_float", "002", "", makeMultiplyFloat},
    {"convolution_int_3", "002", "", makeConvolutionInt<3>},
    {"convolution_int", "002", "", makeConvolutionInt<5>},
    {"convolution_int_7", "002", "", makeConvolutionInt<7>},
    {"convolution_int_15", "002", "", makeConvolutionInt<15>},
    {"convolution_float_3", "002", "", makeConvolutionFloat<3>},
    {"convolution_float", "002", "", makeConvolutionFloat<5>},
    {"convolution_float_7", "002", "", makeConvolutionFloat<7>},
    {"convolution_float_15", "002", "", makeConvolutionFloat<15>},
    {"bitonic_sort", "002", "", makeBitonic},
    {"transpose", "002", "", makeTranspose},
    {"pool_max", "002", "", makePoolMax},
    {"pool_median", "002", "", makePoolMedian},
    {"pool_average", "002", "", makePoolAverage},
    {"cnn_int", "002", "up to 260x the speed of MIAOW", makeCnnInt},
    {"cnn_float", "002", "up to 260x the speed of MIAOW", makeCnnFloat},
    {"nin_int", "002", "", makeNinInt},
    {"nin_int8", "002", "", makeNinInt8},
    {"nin_float", "002", "", makeNinFloat},
};

}  // namespace

std::span<const Row> rowsOfSeed002() { return kRows; }

}  // namespace tessera::kernels
