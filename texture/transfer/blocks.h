// Whole blocks between client memory and images, and between images, compiled for each SIMD level (blocks_simd.cpp).
// Plain data only, so that no library code is compiled for more than one level. What is not whole blocks goes through
// rows.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/process/env.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

/// Client pixels that become `blocksWide` x `blocksHigh` blocks of an image of 32-bit colours.
struct BlockUpload {
    const std::byte* client = nullptr;
    ClientLayout layout;
    std::byte* blocks = nullptr;  ///< the first one; those of a row follow each other
    size_t blockRowBytes = 0;     ///< from one row of blocks to the next
    int blocksWide = 0, blocksHigh = 0;
    PixelFormat format = PixelFormat::Rgba8;  ///< of the image
};

/// The reverse.
struct BlockReadBack {
    const std::byte* blocks = nullptr;
    size_t blockRowBytes = 0;
    int blocksWide = 0, blocksHigh = 0;
    PixelFormat format = PixelFormat::Rgba8;
    std::byte* client = nullptr;
    ClientLayout layout;
};

/// Blocks of an image of 32-bit elements that become blocks of another.
struct BlockCopy {
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    size_t fromRowBytes = 0, toRowBytes = 0;
    size_t sampleBytes = 0;  ///< from one sample's plane to the next; 0: there is one sample
    int blocksWide = 0, blocksHigh = 0;
    PixelFormat fromFormat = PixelFormat::Rgba8, toFormat = PixelFormat::Rgba8;
};

/// One level of a mip chain from the one above: both sizes even, 32-bit colours.
struct BlockDownsample {
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
    int fromWide = 0, fromHigh = 0, toWide = 0;  ///< in blocks
    PixelFormat format = PixelFormat::Rgba8;
};

/// What a SIMD level has of these functions.
struct TransferFunctions {
    /// `layout` is one whose pixels rows.h carries as words.
    void (*upload)(const BlockUpload& upload);
    void (*readBack)(const BlockReadBack& read);
    /// Samples become their mean (sample_mean.h), and formats of bytes conform; others are the same, or depth alike.
    void (*copy)(const BlockCopy& copy);
    /// Rows firstRow .. firstRow + rows - 1 of blocks of the smaller image.
    void (*downsample)(const BlockDownsample& level, int firstRow, int rows);
};
[[nodiscard]] TransferFunctions transferFunctions(SimdLevel level);
/// The functions of the level that this process uses, simdLevel().
[[nodiscard]] const TransferFunctions& transferFunctions();

}  // namespace tessera::texture
