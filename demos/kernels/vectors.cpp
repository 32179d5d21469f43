// Vectors: addition, sums and scalar products (seeds 000 and 003).
#include <cmath>

#include "demos/kernels/jobs.h"

namespace tessera::kernels {

Job makeVectorAdd(Scale scale) {
    const size_t n = scale == Scale::Small ? 3000 : scale == Scale::Paper ? 1 << 16 : 1 << 22;
    Job job;
    job.size = std::to_string(n);
    const auto a = randomReals(41, n), b = randomReals(42, n);
    const int left = job.add(a), right = job.add(b), sum = job.addOutput(4 * n);
    job.steps.push_back({"vector_add", {blocksFor(n, 2048), 1, 1}, {}, {left, right, sum}, {}});
    job.work = 12.0 * static_cast<double>(n);
    job.unit = Work::Bytes;
    std::vector<float> expected(n);  // the exact sum fits a double, so this rounds once
    for (size_t i = 0; i < n; ++i) expected[i] = static_cast<float>(double{a[i]} + double{b[i]});
    expect(job, sum, expected);
    return job;
}

namespace {

/// The sum of all partial sums, compared in units of the sum of magnitudes: each element passes log2(n) additions or
/// so.
Check checkReduction(std::span<const float> partial, double expected, double magnitude) {
    double sum = 0;
    for (float value : partial) sum += value;
    return {std::abs(sum - expected) / magnitude, 8 * 0x1p-24};
}

size_t reductionSize(Scale scale) { return scale == Scale::Small ? 4096 : scale == Scale::Paper ? 1 << 16 : 1 << 22; }

}  // namespace

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

Job makeSumReduction(Scale scale) {
    const int n = scale == Scale::Small ? 10 : scale == Scale::Paper ? 65535 : 1 << 22;
    Job job;
    job.size = "1 + ... + " + std::to_string(n);
    std::vector<int32_t> values;
    for (int i = 1; i <= n; ++i) values.push_back(i);
    const int input = job.add(values), total = job.addOutput(4);
    job.steps.push_back({"sum_reduction", {blocksFor(static_cast<size_t>(n), 2048), 1, 1}, {}, {input, total}, {}});
    job.work = 4.0 * n;
    job.unit = Work::Bytes;
    expect<uint32_t>(job, total, {static_cast<uint32_t>(uint64_t(n) * (uint64_t(n) + 1) / 2)});
    return job;
}

}  // namespace tessera::kernels
