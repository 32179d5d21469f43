// Elements of arrays by number, a lane for each.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "base/simd.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Without AVX-512 one by one, with indices out of memory: AVX2's gather is 39 operations for eight lanes on Zen 3, and
/// QEMU 7.2 reads the first element for all lanes when their indices lie in ymm4.
inline I32x8 gather(const int32_t* base, U32x8 index) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(I32x8, _mm256_i32gather_epi32(base, __builtin_bit_cast(__m256i, index), 4));
#else
    alignas(32) uint32_t at[8];
    __builtin_memcpy(at, &index, sizeof at);
    return I32x8{base[at[0]], base[at[1]], base[at[2]], base[at[3]],
                 base[at[4]], base[at[5]], base[at[6]], base[at[7]]};
#endif
}

#if defined(__AVX512F__)
/// Indices are below 2^31.
inline F64x8 gather(const double* base, U32x8 index) {
    return __builtin_bit_cast(F64x8, _mm512_i32gather_pd(__builtin_bit_cast(__m256i, index), base, 8));
}
#endif

inline I32x16 gather(const int32_t* base, U32x16 index) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(I32x16, _mm512_i32gather_epi32(__builtin_bit_cast(__m512i, index), base, 4));
#else
    const I32x8 low = gather(base, __builtin_shufflevector(index, index, 0, 1, 2, 3, 4, 5, 6, 7));
    const I32x8 high = gather(base, __builtin_shufflevector(index, index, 8, 9, 10, 11, 12, 13, 14, 15));
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
