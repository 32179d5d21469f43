// What sixteen lanes are on a SIMD level of x86-64: one register or several, for operations that the vectors of
// base/simd.h lack. 128 bits are a row of a 4x4 block.
#pragma once

#include "base/simd.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include <array>

namespace tessera {

inline namespace TESSERA_SIMD {

#if defined(__AVX512BW__)
using Register = __m512i;
inline Register rounded(Register x) { return _mm512_cvtps_epi32(__builtin_bit_cast(__m512, x)); }
#elif defined(__AVX2__)
using Register = __m256i;
inline Register rounded(Register x) { return _mm256_cvtps_epi32(__builtin_bit_cast(__m256, x)); }
#else
using Register = __m128i;
inline Register rounded(Register x) { return _mm_cvtps_epi32(__builtin_bit_cast(__m128, x)); }
#endif

using Registers = std::array<Register, sizeof(I32x16) / sizeof(Register)>;

template <Register (*kOperation)(Register)>
[[gnu::always_inline]] inline I32x16 ofRegisters(F32x16 x) {
    auto registers = __builtin_bit_cast(Registers, x);
    for (Register& part : registers) part = kOperation(part);
    return __builtin_bit_cast(I32x16, registers);
}
template <Register (*kOperation)(Register, Register)>
[[gnu::always_inline]] inline I32x16 ofRegisters(I32x16 x, I32x16 y) {
    auto registers = __builtin_bit_cast(Registers, x);
    const auto others = __builtin_bit_cast(Registers, y);
    for (size_t i = 0; i < registers.size(); ++i) registers[i] = kOperation(registers[i], others[i]);
    return __builtin_bit_cast(I32x16, registers);
}

/// To nearest, ties to even. A NaN or a number that is no integer of 32 bits becomes -2^31.
inline I32x16 roundToInt(F32x16 x) { return ofRegisters<rounded>(x); }

}  // namespace TESSERA_SIMD

}  // namespace tessera

#endif
