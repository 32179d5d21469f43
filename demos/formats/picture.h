// The picture that the formats demo shows in every format, and its pixels as each format wants them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace formats {

inline constexpr int kSize = 64;

struct Color {
    uint8_t r, g, b, a;
};

/// A ramp of hues with a bright ring and a hole, the first row at the bottom.
[[nodiscard]] const std::array<Color, kSize * kSize>& picture();

using Bytes = std::vector<uint8_t>;

// Pixels of glTexImage2D, rows without padding.
[[nodiscard]] Bytes rgba8();
[[nodiscard]] Bytes bgra8();
[[nodiscard]] Bytes rgb8();
[[nodiscard]] Bytes rg8();
[[nodiscard]] Bytes red8();  ///< also luminance
[[nodiscard]] Bytes alpha8();
[[nodiscard]] Bytes luminanceAlpha8();
[[nodiscard]] Bytes rgb565();
[[nodiscard]] Bytes rgba4444();
[[nodiscard]] Bytes rgba5551();
[[nodiscard]] Bytes rgbFloats();
[[nodiscard]] Bytes rgbHalves();
[[nodiscard]] Bytes depth16();
[[nodiscard]] Bytes yuyv();  ///< BT.601, full pairs of pixels

// Compressed images, by encoders as small as they can be: the colours of a block are its darkest and brightest, or one.
[[nodiscard]] Bytes dxt1();
[[nodiscard]] Bytes dxt5();
[[nodiscard]] Bytes rgtc1();
[[nodiscard]] Bytes etc1();  ///< also a valid ETC2 image
[[nodiscard]] Bytes etc2Rgba();
[[nodiscard]] Bytes astc8x8();
[[nodiscard]] Bytes palette8();  ///< GL_PALETTE8_RGB8_OES: 216 colours

}  // namespace formats
