// sRGB encoding of eight-bit channels (IEC 61966-2-1; EXT_sRGB), in units of 1/255 on both sides.
//
// Decoding is a table of the singles nearest to the formula. Encoding is the inverse rounded to nearest: it counts the
// codes whose halfway point, decoded, has been reached, so encoding a decoded code gives the code.
#pragma once

#include <array>

#include "base/simd.h"

namespace tessera::texture {

/// 255 * linear(code / 255). 0 and 255 are exactly 0 and 255.
extern const std::array<float, 256> kLinearOfSrgb;
/// Where code k ends: 255 * linear((k + 1/2) / 255), ascending; 255 never ends.
extern const std::array<float, 256> kSrgbEnd;

inline namespace TESSERA_SIMD {

/// Codes 0..255 to 0..255 linear.
inline F32x16 srgbToLinear(U32x16 code) {
    F32x16 linear;
    for (int lane = 0; lane < 16; ++lane) linear[lane] = kLinearOfSrgb[code[lane] & 255u];
    return linear;
}

/// 0..255 linear to the nearest code; below 0 and NaN give 0, above 255 gives 255.
inline U32x16 linearToSrgb(F32x16 linear) {
    U32x16 code = splat(0u);
    for (uint32_t step = 128; step != 0; step /= 2) {
        F32x16 end;
        for (int lane = 0; lane < 16; ++lane) end[lane] = kSrgbEnd[code[lane] + step - 1];
        code += asUint(linear >= end) & step;
    }
    return code;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
