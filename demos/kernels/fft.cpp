// Fast Fourier transforms (seed 000).
#include <algorithm>
#include <cmath>
#include <complex>

#include "demos/drawing/portable_math.h"
#include "demos/kernels/jobs.h"
#include "demos/kernels/reference.h"

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

}  // namespace

Job makeFft32(Scale scale) { return makeFft(32, scale == Scale::Small ? 24 : scale == Scale::Paper ? 1024 : 65536); }

Job makeFft256(Scale scale) { return makeFft(256, scale == Scale::Small ? 4 : scale == Scale::Paper ? 256 : 4096); }

Job makeFft4096(Scale scale) { return makeFft(scale == Scale::Small ? 1024 : 4096, scale == Scale::Large ? 64 : 2); }

namespace {

template <size_t kPoints>
Job makePasses(const char* kernel, size_t batch) {
    Job job;
    job.size = std::to_string(kPoints) + " points x " + std::to_string(batch);
    const int input = job.add(randomReals(kPoints, 2 * kPoints * batch));
    const int output = job.addOutput(8 * kPoints * batch);
    const int roots = job.add(twiddles(kPoints));
    job.steps.push_back({kernel, {static_cast<uint32_t>(batch), 1, 1}, {}, {input, output, roots}, {}});
    job.work = fftFlops(kPoints, batch);
    job.check = [batch](const Job& made, const std::vector<Memory>& results) {
        TransformError error;
        for (size_t i = 0; i < batch; ++i) {
            const auto in = made.memories[0].as<float>().subspan(2 * kPoints * i, 2 * kPoints);
            const auto out = results[1].as<float>().subspan(2 * kPoints * i, 2 * kPoints);
            std::vector<float> ordered(2 * kPoints);  // the result has element k at the place with k's bits reversed
            for (size_t k = 0; k < kPoints; ++k) {
                size_t place = 0;
                for (size_t bit = 1; bit < kPoints; bit *= 2) place = 2 * place + (k & bit ? 1 : 0);
                ordered[2 * k] = out[2 * place], ordered[2 * k + 1] = out[2 * place + 1];
            }
            const std::span<const float> result = ordered;
            error.add(reference::transform(in), result, result.subspan(1), 2);
        }
        return error.check();
    };
    return job;
}

}  // namespace

Job makeFftPasses(Scale scale) {
    return makePasses<256>("fft_passes", scale == Scale::Small ? 4 : scale == Scale::Paper ? 256 : 4096);
}

Job makeFftPasses32(Scale scale) {
    return makePasses<32>("fft_passes_32", scale == Scale::Small ? 4 : scale == Scale::Paper ? 1024 : 32768);
}

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

}  // namespace tessera::kernels
