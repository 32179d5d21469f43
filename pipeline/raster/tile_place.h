// One tile of a render target, or several side by side.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

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
    constexpr int kSize = texture::TileValues::kSquareSize;
    static_assert(kTileSize / kSize == 4 && kSize == 16);
    using Bounds = int16_t __attribute__((ext_vector_type(4)));
    static_assert(offsetof(SetupPrimitive, maxY) == offsetof(SetupPrimitive, minX) + 3 * sizeof(int16_t));
    Bounds pixels;  // minX, minY, maxX, maxY
    std::memcpy(&pixels, &primitive.minX, sizeof pixels);
    const auto left = static_cast<int16_t>(tile.minX), bottom = static_cast<int16_t>(tile.minY);
    pixels -= Bounds{left, bottom, left, bottom};
    pixels = __builtin_elementwise_min(__builtin_elementwise_max(pixels, Bounds(0)), Bounds(kTileSize - 1));
    const auto squares = __builtin_bit_cast(uint64_t, pixels >> 4);
    // Of four columns, or rows, those from one to another; none that end before they begin.
    constexpr auto kRange = [] {
        std::array<uint16_t, 16> ranges{};
        for (unsigned first = 0; first < 4; ++first)
            for (unsigned last = first; last < 4; ++last)
                ranges[first + 4 * last] = static_cast<uint16_t>(0xFu >> (3 - last) & 0xFu << first);
        return ranges;
    }();
    static constexpr std::array<uint16_t, 16> kColumns = [](auto ranges) {
        for (uint16_t& range : ranges) range = static_cast<uint16_t>(range * 0x1111u);
        return ranges;
    }(kRange);
    static constexpr std::array<uint16_t, 16> kRows = [](auto ranges) {
        for (uint16_t& range : ranges) {
            const unsigned bits = range;
            range = static_cast<uint16_t>((bits & 1) * 0xF | (bits >> 1 & 1) * 0xF0 | (bits >> 2 & 1) * 0xF00 |
                                          (bits >> 3 & 1) * 0xF000);
        }
        return ranges;
    }(kRange);
    return kColumns[(squares | squares >> 30) & 0xF] & kRows[(squares >> 16 | squares >> 46) & 0xF];
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
