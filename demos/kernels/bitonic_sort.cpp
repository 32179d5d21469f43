// Bitonic sort (seed 002).
#include <algorithm>

#include "demos/kernels/jobs.h"

namespace tessera::kernels {

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

}  // namespace tessera::kernels
