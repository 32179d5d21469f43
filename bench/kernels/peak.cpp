// What the machine can do at most: FMAs on registers, and copies of arrays far beyond the caches.
#include <immintrin.h>

#include <chrono>
#include <cstring>

#include "bench/kernels/contender.h"

namespace tessera::bench {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr int kRounds = 1 << 15, kChains = 16;

/// kRounds rounds of kChains independent FMAs; the result keeps the compiler from dropping them.
__attribute__((target("avx512f"))) float fmas512() {
    __m512 sums[kChains];
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(0.25f);
    for (int round = 0; round < kRounds; ++round) {
#pragma clang loop unroll(full)
        for (int i = 0; i < kChains; ++i) {
            sums[i] = _mm512_fmadd_ps(sums[i], a, b);
            asm volatile("" : "+v"(sums[i]));
        }
    }
    float result = 0;
    for (auto& sum : sums) result += sum[0];
    return result;
}
__attribute__((target("avx2,fma"))) float fmas256() {
    __m256 sums[kChains / 2 * 2 - 4];
    for (auto& sum : sums) sum = _mm256_set1_ps(1);
    const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(0.25f);
    for (int round = 0; round < kRounds; ++round) {
#pragma clang loop unroll(full)
        for (auto& sum : sums) {
            sum = _mm256_fmadd_ps(sum, a, b);
            asm volatile("" : "+x"(sum));
        }
    }
    float result = 0;
    for (auto& sum : sums) result += sum[0];
    return result;
}

}  // namespace

double peakFlops(int threads) {
    const bool wide = __builtin_cpu_supports("avx512f") != 0;
    const bool fma = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    if (!wide && !fma) return 0;
    ThreadPool pool(threads);
    std::vector<float> results(static_cast<size_t>(threads));
    double best = 1e9;
    for (int i = 0; i < 500; ++i) {
        const double start = now();
        pool.parallelFor(results.size(), [&](size_t part, int) { results[part] = wide ? fmas512() : fmas256(); });
        best = std::min(best, now() - start);
    }
    const double lanes = wide ? 16.0 * kChains : 8.0 * (kChains - 4);
    return 2.0 * lanes * kRounds * threads / best;
}

double copyBandwidth(int threads) {
    constexpr size_t kBytes = size_t{128} << 20;
    std::vector<std::byte> from(kBytes, std::byte{1}), to(kBytes);
    ThreadPool pool(threads);
    double best = 1e9;
    for (int i = 0; i < 15; ++i) {
        const double start = now();
        pool.parallelFor(static_cast<size_t>(threads) * 16, [&](size_t part, int) {
            const size_t size = kBytes / (static_cast<size_t>(threads) * 16);
            std::memcpy(to.data() + part * size, from.data() + part * size, size);
        });
        best = std::min(best, now() - start);
    }
    return 2.0 * kBytes / best;
}

}  // namespace tessera::bench
