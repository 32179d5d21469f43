// Scan-out: from 4x4 blocks, bottom row first, to the rows a window system wants, top row first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture/image.h"

namespace tessera::present {

/// Bit position of each channel in a 32-bit window pixel.
struct PixelLayout {
    uint8_t redShift = 16, greenShift = 8, blueShift = 0;
    uint32_t alphaMask = 0xFF000000;  ///< bits that are always set
};

/// Copies the overlap of the image and a window of `width` x `height` pixels; `pitch` is the byte distance of
/// window rows. Window row 0 is the top: it shows the image's row `image.height() - 1`.
void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, int width, int height, PixelLayout layout);

}  // namespace tessera::present
