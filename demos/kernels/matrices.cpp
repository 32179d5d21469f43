// Matrices: addition, transposition, products, elimination, QR decomposition (seeds 000 to 003).
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "demos/kernels/jobs.h"
#include "demos/kernels/reference.h"

namespace tessera::kernels {

namespace {

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

}  // namespace

Job makeAddInt(Scale scale) { return makeAdd<int32_t>("matrix_add_int", scale); }

Job makeAddFloat(Scale scale) { return makeAdd<float>("matrix_add_float", scale); }

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
    job.steps.push_back({"matrix_multiply_2x2", {blocksFor(count, 128), 1, 1}, {}, {left, right, product}, {}});
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

namespace {

/// The same product by a program that has its four columns and one row to a thread (programs/parts/chain.tsa).
Job byChains(Job job, const char* kernel) {
    Step& step = job.steps.at(0);
    const uint32_t rows = step.uniforms[0][0], columns = step.uniforms[0][1];
    step.kernel = kernel;
    step.grid = {blocksFor(columns, 128), rows, 1};
    return job;
}

}  // namespace

Job makeMultiplyChained(Scale scale) { return byChains(makeMultiply(scale), "multiply_chained"); }

Job makeMultiplyChainedFixed(Scale scale) { return byChains(makeMultiplyFixed(scale), "multiply_chained_fixed"); }

namespace {

template <class T, class Wide>
Job makeSquareMultiply(const char* kernel, Scale scale) {
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

}  // namespace

Job makeMultiplyInt(Scale scale) { return makeSquareMultiply<int32_t, int64_t>("matrix_multiply_int", scale); }

Job makeMultiplyFloat(Scale scale) { return makeSquareMultiply<float, double>("matrix_multiply_float", scale); }

Job makeMultiplyTiled(Scale scale) {
    const size_t n = scale == Scale::Small ? 64 : scale == Scale::Paper ? 256 : 512;
    Job job;
    job.size = std::to_string(n) + "x" + std::to_string(n);
    const int a = job.add(randomReals(43, n * n)), b = job.add(randomReals(44, n * n)), c = job.addOutput(4 * n * n);
    const auto tiles = static_cast<uint32_t>(n / 32);
    job.steps.push_back({"matrix_multiply_tiled", {tiles, tiles, 1}, {}, {a, b, c}, {bitsOf(static_cast<int>(n))}});
    job.work = 2.0 * static_cast<double>(n * n * n);
    job.check = [n](const Job& made, const std::vector<Memory>& results) {
        std::vector<double> expected(n * n);
        reference::multiply<double>(made.memories[0].as<float>(), made.memories[1].as<float>(),
                                    std::span<double>(expected), 0, n, n, n);
        return Check{largestDifference(results[2].as<float>(), expected), 4 * static_cast<double>(n) * 0x1p-24};
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

namespace {

/// What a decomposition must fulfil, from the numbers that came out: A = QR to rounding, R upper triangular with a
/// positive diagonal, and Q orthogonal as far as modified Gram-Schmidt makes it: rounding times the condition number,
/// which these matrices, with a strong diagonal, keep small.
Job makeQrWith(const char* program, Scale scale) {
    constexpr size_t kN = 16;
    const size_t count = scale == Scale::Small ? 3 : scale == Scale::Paper ? 256 : 8192;
    std::vector<float> a = randomReals(16, count * kN * kN);
    for (size_t i = 0; i < a.size(); ++i) {
        if (i % (kN * kN) / kN == i % kN) a[i] += 4;
    }
    Job job;
    job.size = "16x16 x " + std::to_string(count);
    const int input = job.add(a);
    const int q = job.addOutput(4 * count * kN * kN);
    const int r = job.addOutput(4 * count * kN * kN);
    job.steps.push_back({program, {static_cast<uint32_t>(count), 1, 1}, {}, {input, q, r}, {}});
    job.work = 2.0 * kN * kN * kN * static_cast<double>(count);
    job.check = [count](const Job& made, const std::vector<Memory>& results) {
        double worst = 0;
        for (size_t i = 0; i < count; ++i) {
            const auto from = [i](const Memory& memory) { return memory.as<float>().subspan(i * kN * kN, kN * kN); };
            const auto a = from(made.memories[0]), q = from(results[1]), r = from(results[2]);
            for (size_t row = 0; row < kN; ++row) {
                for (size_t column = 0; column < kN; ++column) {
                    double product = 0, gram = 0;
                    for (size_t k = 0; k < kN; ++k) {
                        product += double{q[k * kN + row]} * r[column * kN + k];
                        gram += double{q[row * kN + k]} * q[column * kN + k];
                    }
                    worst = std::max(worst, std::abs(product - a[column * kN + row]) / 4);
                    worst = std::max(worst, std::abs(gram - (row == column)));
                    const double element = r[column * kN + row];
                    if (row > column ? element != 0 : row == column && !(element > 0)) {
                        worst = std::numeric_limits<double>::infinity();
                    }
                }
            }
        }
        return Check{worst, 64 * 0x1p-24};
    };
    return job;
}

}  // namespace

Job makeQr(Scale scale) { return makeQrWith("qr", scale); }

Job makeQrSnooping(Scale scale) { return makeQrWith("qr_snooping", scale); }

}  // namespace tessera::kernels
