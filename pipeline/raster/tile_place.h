// One tile of a render target, or several side by side.
#pragma once

#include <algorithm>
#include <array>

#include "pipeline/geometry/block_pixels.h"
#include "pipeline/raster/raster_functions.h"

namespace tessera::pipeline {

/// Which tile, the pixels of it that every image of the target has, and the target's samples.
struct TilePlace {
    int x = 0, y = 0;
    PixelBounds bounds;
    int samples = 1;
    int count = 1;  ///< of tiles, from (x, y) to the right; `bounds` is of all
};

[[nodiscard]] inline TilePlace placeTile(const RenderTarget& target, int tileX, int tileY, int count = 1) {
    int width = target.width, height = target.height;
    forEachImage(target, [&](const texture::Image& image) {
        width = std::min(width, image.width());
        height = std::min(height, image.height());
    });
    TilePlace tile{tileX, tileY, {}, target.samples(), count};
    tile.bounds.minX = tileX * kTileSize, tile.bounds.minY = tileY * kTileSize;
    tile.bounds.maxX = std::min(tile.bounds.minX + count * kTileSize, width) - 1;
    tile.bounds.maxY = std::min(tile.bounds.minY + kTileSize, height) - 1;
    return tile;
}

/// Squares of a tile, as bits of a 4x4 block: of columns, or of rows, from one to another, which `first + 4 * last`
/// names; none of those that end before they begin.
struct SquareRanges {
    std::array<uint16_t, 16> columns{}, rows{};
};
inline constexpr SquareRanges kSquareRanges = [] {
    SquareRanges ranges;
    for (uint32_t first = 0; first < 4; ++first)
        for (uint32_t last = first; last < 4; ++last) {
            const uint32_t range = (2u << last) - (1u << first);
            ranges.columns[first + 4 * last] = static_cast<uint16_t>(gridBits(range, 0xF));
            ranges.rows[first + 4 * last] = static_cast<uint16_t>(gridBits(0xF, range));
        }
    return ranges;
}();

/// Squares of the tile (TileValues) that the primitive may draw to.
[[nodiscard]] inline uint32_t squaresOf(const SetupPrimitive& primitive, const PixelBounds& tile) {
    static_assert(texture::TileValues::kSquareSize == 16 && kTileSize == 4 * 16);
    using Bounds = int16_t __attribute__((ext_vector_type(4)));
    const auto left = static_cast<int16_t>(tile.minX), bottom = static_cast<int16_t>(tile.minY);
    Bounds pixels = __builtin_bit_cast(Bounds, primitive.packedPixels()) - Bounds{left, bottom, left, bottom};
    pixels = __builtin_elementwise_min(__builtin_elementwise_max(pixels, Bounds(0)), Bounds(kTileSize - 1));
    const auto squares = __builtin_bit_cast(uint64_t, pixels >> 4);
    return kSquareRanges.columns[(squares | squares >> 30) & 0xF] &
           kSquareRanges.rows[(squares >> 16 | squares >> 46) & 0xF];
}

/// An image as the functions see it.
[[nodiscard]] inline Surface surfaceOf(texture::Image& image) {
    return {image.tileBlocks(), image.blocksWide(), kBlockLanes * texture::elementBytes(image.element()),
            static_cast<int64_t>(image.planeBytes())};
}
[[nodiscard]] inline Surface surfaceOf(const texture::ImagePtr& image) {
    return image != nullptr ? surfaceOf(*image) : Surface{};
}

}  // namespace tessera::pipeline
