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

/// The channels named by the letters r, g, b, a in that order; l is green's place as luminance.
[[nodiscard]] Bytes bytesOf(const char* channels);
[[nodiscard]] Bytes halvesOf(const char* channels);  ///< k / 256
[[nodiscard]] Bytes floatsOf(const char* channels);  ///< k / 255
[[nodiscard]] Bytes rgb565();
[[nodiscard]] Bytes rgba4444();
[[nodiscard]] Bytes rgba5551();
[[nodiscard]] Bytes argb4444();
[[nodiscard]] Bytes argb1555();
[[nodiscard]] Bytes depth16();
[[nodiscard]] Bytes depth32();  ///< also depth 24, stencil 0
[[nodiscard]] Bytes yuyv();     ///< BT.601, limited range, full pairs of pixels
[[nodiscard]] Bytes uyvy();

/// Planes of BT.601, limited range, rows without padding: Y, then the differences of 2 x 2 pixels, Cb first or Cr, in
/// one plane of pairs or in two.
[[nodiscard]] Bytes planes(bool isBlueFirst, bool isPaired);

// Compressed images, by encoders as small as they can be: the colours of a block are its darkest and brightest, or one.
[[nodiscard]] Bytes dxt1();
[[nodiscard]] Bytes dxt1Alpha();
[[nodiscard]] Bytes dxt3();
[[nodiscard]] Bytes dxt5();
[[nodiscard]] Bytes rgtc(const char* channels, bool isSigned);
[[nodiscard]] Bytes eac(const char* channels, bool isSigned);
[[nodiscard]] Bytes etc1();  ///< also a valid ETC2 image
[[nodiscard]] Bytes etc2Punchthrough();
[[nodiscard]] Bytes etc2Rgba();
[[nodiscard]] Bytes astc(int blockWidth, int blockHeight);

enum class Entry { Rgb8, Rgba8, Rgb565, Rgba4444, Rgba5551 };  ///< in the order of GL's enumerants
/// OES_compressed_paletted_texture: 16 or 256 colours, of which 216 are used.
[[nodiscard]] Bytes paletted(int indexBits, Entry entry);

}  // namespace formats
