// One tile of a render target, or several side by side.
#pragma once

#include <algorithm>

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

/// Squares of the tile (TileValues) that the primitive may draw to.
[[nodiscard]] inline uint32_t squaresOf(const SetupPrimitive& primitive, const PixelBounds& tile) {
    constexpr int kSize = texture::TileValues::kSquareSize, kLast = kTileSize / kSize - 1;
    static_assert(kLast == 3);
    const auto clamped = [&](int pixel) { return std::clamp(pixel / kSize, 0, kLast); };
    const int firstX = clamped(primitive.minX - tile.minX), lastX = clamped(primitive.maxX - tile.minX);
    const int firstY = clamped(primitive.minY - tile.minY), lastY = clamped(primitive.maxY - tile.minY);
    const uint32_t columns = (0xFu << firstX & 0xFu >> (kLast - lastX)) * 0x1111u;
    return columns & 0xFFFFu << 4 * firstY & 0xFFFFu >> 4 * (kLast - lastY);
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
