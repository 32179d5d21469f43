// Decoders for the tests to compare with: one texel at a time, in double precision or as the specification's text puts
// it, with nothing in common with codec_*.cpp but the format's row.
#pragma once

#include <array>

#include "texture/codec/codec.h"

namespace tessera::texture::reference {

/// Red, green, blue, alpha; a code of 0..255 is code / 255.
using Texel = std::array<double, 4>;

/// Texel (x, y) of a block. Results of eight-bit formats are exact multiples of 1/255 where the specification gives
/// codes, else not rounded.
Texel decodeTexel(const BlockFormat& format, const unsigned char* block, int x, int y);

/// codec_reference_bptc.cpp. Infinity, which the signed floats have, is 65536.
Texel decodeBptcTexel(const unsigned char* block, int x, int y);
Texel decodeBptcFloatTexel(const unsigned char* block, int x, int y, bool isSigned);

/// codec_reference_astc.cpp. `isLegal` is false for blocks of the error colour, as a whole.
Texel decodeAstcTexel(const BlockFormat& format, const unsigned char* block, int x, int y, bool* isLegal);

}  // namespace tessera::texture::reference
