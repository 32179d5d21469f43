// sRGB encoding of eight-bit channels (IEC 61966-2-1; EXT_sRGB), in units of 1/255 on both sides.
//
// Decoding is a table of the singles nearest to the formula. Encoding is the inverse rounded to nearest: it counts the
// codes whose halfway point, decoded, has been reached, so encoding a decoded code gives the code.
#pragma once

#include <array>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "base/simd.h"

namespace tessera::texture {

/// 255 * linear(code / 255). 0 and 255 are exactly 0 and 255.
extern const std::array<float, 256> kLinearOfSrgb;
/// Where code k ends: 255 * linear((k + 1/2) / 255), ascending; 255 never ends.
extern const std::array<float, 256> kSrgbEnd;

inline namespace TESSERA_SIMD {

/// table[index] for each lane; 0 <= index < 256.
inline F32x16 tableAt(const std::array<float, 256>& table, U32x16 index) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(F32x16, _mm512_i32gather_ps(__builtin_bit_cast(__m512i, index), table.data(), 4));
#else
    F32x16 values;
    for (int lane = 0; lane < 16; ++lane) values[lane] = table.data()[index[lane]];
    return values;
#endif
}

/// Codes 0..255 to 0..255 linear.
inline F32x16 srgbToLinear(U32x16 code) { return tableAt(kLinearOfSrgb, code & 255u); }

/// Channel `channel` of each word of four codes, 0..255 linear.
inline F32x16 srgbToLinear(U32x16 words, int channel) {
#if defined(__AVX512F__)
    return srgbToLinear(words >> static_cast<uint32_t>(8 * channel));
#else
    // Through memory: a code is one load there, and taken out of a register it is two instructions and a move.
    alignas(64) uint8_t code[64];
    std::memcpy(code, &words, sizeof code);
    F32x16 values;
    for (int lane = 0; lane < 16; ++lane) values[lane] = kLinearOfSrgb.data()[code[4 * lane + channel]];
    return values;
#endif
}

/// 0..255 linear to the nearest code; below 0 and NaN give 0, above 255 gives 255.
inline U32x16 linearToSrgb(F32x16 linear) {
    U32x16 code = splat(0u);
    for (uint32_t step = 128; step != 0; step /= 2) {
        code += asUint(linear >= tableAt(kSrgbEnd, code + (step - 1u))) & step;
    }
    return code;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
