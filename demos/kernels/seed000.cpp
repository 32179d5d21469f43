// Seed 000, eGPU: A 750 MHz Class Soft GPGPU for FPGA: FFT, QR decomposition, reduction.
#include <cmath>
#include <limits>

#include "demos/common/portable_math.h"
#include "demos/kernels/reference.h"
#include "demos/kernels/suite.h"

namespace tessera::kernels {

namespace {

std::vector<float> twiddles(size_t n) {
    std::vector<float> values;
    for (size_t k = 0; k < n / 2; ++k) {
        const double angle = 2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
        values.push_back(static_cast<float>(demos::cosine(angle)));
        values.push_back(static_cast<float>(-demos::sine(angle)));
    }
    return values;
}

/// Flops of a transform as they are always counted.
double fftFlops(size_t n, size_t batch) {
    return 5.0 * static_cast<double>(n) * std::log2(static_cast<double>(n)) * static_cast<double>(batch);
}

/// Root mean square of the difference over that of the result; the rounding of float FFTs grows as the square root of
/// the number of passes, so a few ulp bound all sizes.
constexpr double kFftBound = 4 * 0x1p-24;

class TransformError {
public:
    void add(std::span<const std::complex<double>> expected, std::span<const float> re, std::span<const float> im,
             size_t stride) {
        for (size_t k = 0; k < expected.size(); ++k) {
            difference_ += std::norm(expected[k] - std::complex<double>(re[k * stride], im[k * stride]));
            magnitude_ += std::norm(expected[k]);
        }
    }
    [[nodiscard]] Check check() const { return {std::sqrt(difference_ / magnitude_), kFftBound}; }

private:
    double difference_ = 0, magnitude_ = 0;
};

Job makeFft(size_t n, size_t batch) {
    Job job;
    job.size = std::to_string(n) + " points x " + std::to_string(batch);
    const int input = job.add(randomReals(n, 2 * n * batch));
    const int output = job.addOutput(8 * n * batch);
    const int roots = job.add(twiddles(n));
    const size_t block = std::max<size_t>(n / 2, 128);
    int log2n = 0;
    while (size_t{1} << log2n < n) ++log2n;
    job.steps.push_back({"fft",
                         {blocksFor(n * batch, 2 * block), 1, 1},
                         {static_cast<uint32_t>(block), 1, 1},
                         {input, output, roots},
                         {bitsOf(log2n)}});
    job.work = fftFlops(n, batch);
    job.check = [n, batch](const Job& made, const std::vector<Memory>& results) {
        const auto in = made.memories[0].as<float>();
        const auto out = results[1].as<float>();
        TransformError error;
        for (size_t i = 0; i < batch; ++i) {
            error.add(reference::transform(in.subspan(2 * n * i, 2 * n)), out.subspan(2 * n * i),
                      out.subspan(2 * n * i + 1), 2);
        }
        return error.check();
    };
    return job;
}

Job makeFft32(Scale scale) { return makeFft(32, scale == Scale::Small ? 24 : scale == Scale::Paper ? 1024 : 65536); }
Job makeFft256(Scale scale) { return makeFft(256, scale == Scale::Small ? 4 : scale == Scale::Paper ? 256 : 4096); }
Job makeFft4096(Scale scale) { return makeFft(scale == Scale::Small ? 1024 : 4096, scale == Scale::Large ? 64 : 2); }

Job makeFftBatch(Scale scale) {
    constexpr size_t kPoints = 256, kLanes = 32;
    const size_t groups = scale == Scale::Small ? 2 : scale == Scale::Paper ? 16 : 256;
    const size_t batch = groups * kLanes;
    Job job;
    job.size = "256 points x " + std::to_string(batch);
    const int re = job.add(randomReals(1, kPoints * batch));
    const int im = job.add(randomReals(2, kPoints * batch));
    const int outRe = job.addOutput(4 * kPoints * batch);
    const int outIm = job.addOutput(4 * kPoints * batch);
    const int roots = job.add(twiddles(kPoints));
    job.steps.push_back({"fft_batch", {static_cast<uint32_t>(groups), 1, 1}, {}, {re, im, outRe, outIm, roots}, {}});
    job.work = fftFlops(kPoints, batch);
    job.check = [groups](const Job& made, const std::vector<Memory>& results) {
        TransformError error;
        for (size_t i = 0; i < groups * kLanes; ++i) {
            const size_t first = i / kLanes * kPoints * kLanes + i % kLanes;
            std::vector<float> signal;
            for (size_t k = 0; k < kPoints; ++k) {
                signal.push_back(made.memories[0].as<float>()[first + k * kLanes]);
                signal.push_back(made.memories[1].as<float>()[first + k * kLanes]);
            }
            error.add(reference::transform(std::span<const float>(signal)), results[2].as<float>().subspan(first),
                      results[3].as<float>().subspan(first), kLanes);
        }
        return error.check();
    };
    return job;
}

/// What a decomposition must fulfil, from the numbers that came out: A = QR to rounding, R upper triangular with a
/// positive diagonal, and Q orthogonal as far as modified Gram-Schmidt makes it: rounding times the condition number,
/// which these matrices, with a strong diagonal, keep small.
Job makeQr(Scale scale) {
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
    job.steps.push_back({"qr", {static_cast<uint32_t>(count), 1, 1}, {}, {input, q, r}, {}});
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

/// The sum of all partial sums, compared in units of the sum of magnitudes: each element passes log2(n) additions or
/// so.
Check checkReduction(std::span<const float> partial, double expected, double magnitude) {
    double sum = 0;
    for (float value : partial) sum += value;
    return {std::abs(sum - expected) / magnitude, 8 * 0x1p-24};
}

size_t reductionSize(Scale scale) { return scale == Scale::Small ? 4096 : scale == Scale::Paper ? 1 << 16 : 1 << 22; }

Job makeReductionSum(Scale scale) {
    const size_t n = reductionSize(scale);
    Job job;
    job.size = std::to_string(n);
    const int values = job.add(randomReals(3, n));
    const int sums = job.addOutput(n / 64);
    job.steps.push_back({"reduction_sum", {blocksFor(n, 2048), 1, 1}, {}, {values, sums}, {}});
    job.work = 4.0 * static_cast<double>(n);
    job.unit = Work::Bytes;
    job.check = [](const Job& made, const std::vector<Memory>& results) {
        double expected = 0, magnitude = 0;
        for (float value : made.memories[0].as<float>()) {
            expected += value;
            magnitude += std::abs(value);
        }
        return checkReduction(results[1].as<float>(), expected, magnitude);
    };
    return job;
}

Job makeReductionDot(Scale scale) {
    const size_t n = reductionSize(scale);
    Job job;
    job.size = std::to_string(n);
    const int x = job.add(randomReals(4, n));
    const int y = job.add(randomReals(5, n));
    const int sums = job.addOutput(n / 64);
    job.steps.push_back({"reduction_dot", {blocksFor(n, 2048), 1, 1}, {}, {x, y, sums}, {}});
    job.work = 8.0 * static_cast<double>(n);
    job.unit = Work::Bytes;
    job.check = [](const Job& made, const std::vector<Memory>& results) {
        const auto x = made.memories[0].as<float>(), y = made.memories[1].as<float>();
        double expected = 0, magnitude = 0;
        for (size_t i = 0; i < x.size(); ++i) {
            expected += double{x[i]} * y[i];
            magnitude += std::abs(double{x[i]} * y[i]);
        }
        return checkReduction(results[2].as<float>(), expected, magnitude);
    };
    return job;
}

constexpr Row kRows[] = {
    {"fft_32", "000", "", makeFft32},
    {"fft_256", "000", "1,200 cycles a transform", makeFft256},
    {"fft_4096", "000", "", makeFft4096},
    {"fft_batch", "000", "1,200 cycles a transform", makeFftBatch},
    {"qr", "000", "291 cycles a matrix", makeQr},
    {"reduction_sum", "000", "", makeReductionSum},
    {"reduction_dot", "000", "", makeReductionDot},
};

}  // namespace

std::span<const Row> rowsOfSeed000() { return kRows; }

}  // namespace tessera::kernels
