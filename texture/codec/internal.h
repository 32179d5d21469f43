// The decoders behind the table of codec.h, and what they share. Internal to this room.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/simd.h"
#include "texture/codec/codec.h"

namespace tessera::texture {

// codec/s3tc.cpp
void decodeDxt1Rgb(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeDxt1Rgba(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeDxt3(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeDxt5(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeRgtc1(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeRgtc2(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeSignedRgtc1(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeSignedRgtc2(const BlockFormat& format, const std::byte* block, std::byte* elements);

// codec/bptc.cpp
void decodeBptc(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeBptcFloat(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeSignedBptcFloat(const BlockFormat& format, const std::byte* block, std::byte* elements);

// codec/etc.cpp
void decodeEtcRgb(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeEtcRgbA1(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeEtcRgba(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeEacR11(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeEacRg11(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeSignedEacR11(const BlockFormat& format, const std::byte* block, std::byte* elements);
void decodeSignedEacRg11(const BlockFormat& format, const std::byte* block, std::byte* elements);

// codec/astc.cpp
void decodeAstc(const BlockFormat& format, const std::byte* block, std::byte* elements);

// Bytes are read as they lie on the little-endian hosts we build for.
static_assert(std::endian::native == std::endian::little);
template <class Word>
Word loadLittle(const std::byte* bytes) {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}
inline uint64_t loadBig64(const std::byte* bytes) { return __builtin_bswap64(loadLittle<uint64_t>(bytes)); }

/// palette[low + 2 * high] for each of sixteen texels.
inline U32x16 chooseOf4(const uint32_t (&palette)[4], Mask16 low, Mask16 high) {
    return select(high, select(low, splat(palette[3]), splat(palette[2])),
                  select(low, splat(palette[1]), splat(palette[0])));
}

/// numerator / denominator, -1..1, as the nearest half; 0 < denominator < 2^14. The quotient cannot lie so close to the
/// middle of two halves that rounding it to single precision first would change the answer.
[[nodiscard]] uint16_t halfOfFraction(int numerator, int denominator);

/// Sixteen elements (red, green, 0, 1).
void storeRedGreenHalves(const uint16_t* red, const uint16_t* green, std::byte* elements);

}  // namespace tessera::texture
