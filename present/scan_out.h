// Scan-out: from 4x4 blocks, bottom row first, to the rows a window system wants, top row first; and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "present/present.h"

namespace tessera::present {

/// A native pixel of 2 or 4 bytes, little-endian: width and lowest bit of each channel.
struct PixelLayout {
    uint8_t redShift = 16, greenShift = 8, blueShift = 0, alphaShift = 24;
    uint8_t redBits = 8, greenBits = 8, blueBits = 8;
    uint8_t alphaBits = 0;            ///< 0: alpha is not written
    uint32_t alphaMask = 0xFF000000;  ///< bits that are always set
    uint8_t bytes = 4;
};

/// In native rows, row 0 at the top: what of a `width` x `height` window shows the image, all of it or one damaged
/// part.
[[nodiscard]] Rect overlap(const texture::Image& image, int width, int height);
[[nodiscard]] Rect overlap(const texture::Image& image, int width, int height, Rect damage);

/// Copies a rectangle inside the overlap; `pixels` is row 0, column 0 of the window and `pitch` the byte distance of
/// its rows. Window row 0 is the top: it shows the image's row `image.height() - 1`.
void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, Rect rect, const PixelLayout& layout);

/// The overlap of the image and a window of that size.
void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, int width, int height,
             const PixelLayout& layout);

/// Native pixels into the image (Rgba8 elements); channels the layout lacks become 1 (alpha) or 0.
void scanIn(texture::Image& image, const std::byte* pixels, size_t pitch, Rect rect, const PixelLayout& layout);

}  // namespace tessera::present
