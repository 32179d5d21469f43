#include "pipeline/raster/tile_clear.h"

#include <algorithm>
#include <array>
#include <bit>

#include "pipeline/commands.h"
#include "pipeline/pixel/color_stages.h"
#include "pipeline/pixel/test_stages.h"

namespace tessera::pipeline {

namespace {

/// The colour that a buffer is cleared to, in the units of its layout, in every lane.
ColorBlock clearColor(const ColorLayout& layout, const float (&color)[4]) {
    ColorBlock block;
    for (int channel = 0; channel < 4; ++channel) block.channel[channel] = splat(color[channel]);
    if (!isNormalized(layout)) return block;
    for (int channel = 0; channel < 4; ++channel)
        block.channel[channel] = clamp(block.channel[channel], 0.0f, 1.0f) * layout.scale[channel];
    return quantizeColor(layout, block, false);
}

/// The element of a colour buffer of 32-bit elements that holds the colour.
uint32_t clearElement(const ColorLayout& layout, const ColorBlock& block) {
    alignas(64) std::array<uint32_t, kBlockLanes> element{};
    storeColor(layout, reinterpret_cast<std::byte*>(element.data()), block, splat(-1), 0xF);
    return element[0];
}

/// Its bits that a clear writes: the channels of the colour mask, and those that the buffer lacks.
uint32_t clearElementMask(const ColorLayout& layout, uint8_t colorMask) {
    uint32_t mask = 0;
    for (size_t channel = 0; channel < 4; ++channel) {
        const bool exists = (layout.channels >> channel & 1) != 0;
        const bool isWritten = !exists || (colorMask >> channel & 1) != 0;
        if (isWritten) mask |= texture::elementInfo(layout.element).channel[channel].mask();
    }
    return mask;
}

/// One clear in one tile, or in tiles side by side.
class ClearedTile {
public:
    ClearedTile(const RasterFunctions& functions, const RenderTarget& target, const TilePlace& tile, const Clear& clear)
        : functions_(functions), target_(target), tile_(tile), clear_(clear), bounds_(tile.bounds) {
        if (!clear.scissorTest) return;
        const Rect& box = clear.scissor;
        bounds_.minX = std::max(tile.bounds.minX, box.x);
        bounds_.minY = std::max(tile.bounds.minY, box.y);
        bounds_.maxX = static_cast<int>(std::min<int64_t>(tile.bounds.maxX, int64_t{box.x} + box.width - 1));
        bounds_.maxY = static_cast<int>(std::min<int64_t>(tile.bounds.maxY, int64_t{box.y} + box.height - 1));
    }

    void run(TileDepth& depth) {
        if (bounds_.isEmpty()) return;
        if (clear_.clearColor) clearColors();
        clearDepthStencil(depth);
    }

private:
    void clearColors() {
        TileClear part;
        for (size_t i = 0; i < target_.color.size(); ++i) {
            const texture::ImagePtr& image = target_.color[i];
            part.colorMask = clear_.colorMask[i];
            if (image == nullptr || part.colorMask == 0) continue;
            part.layout = colorLayout(image->format(), clear_.encodesSrgb);
            const bool isWord = texture::elementInfo(part.layout.element).words == 1;
            part.elements = isWord ? TileClear::Elements::Words : TileClear::Elements::Colors;
            const ColorBlock color = clearColor(part.layout, clear_.color);
            for (size_t channel = 0; channel < 4; ++channel) part.color[channel] = color.channel[channel][0];
            if (isWord) {
                part.element = clearElement(part.layout, color);
                part.elementMask = clearElementMask(part.layout, part.colorMask);
            }
            clearImage(*image, part);
        }
    }

    void clearDepthStencil(TileDepth& known) {
        const bool depth = clear_.clearDepth && clear_.depthMask && target_.depth != nullptr;
        const bool stencil = clear_.clearStencil && clear_.stencilMask != 0 && target_.stencil != nullptr;
        const bool together = depth && stencil && target_.depth == target_.stencil;
        if (depth) {
            texture::Image& image = *target_.depth;
            const int bits = depthBitsOf(image.format());
            const int32_t value = quantizeDepth(splat(clear_.depth), bits)[0];
            const bool isPaired = hasPairs(image);
            // A word without stencil bits is cleared whole.
            const bool hasBoth = texture::formatInfo(image.format()).stencil != 0 && !isPaired;
            TileClear part;
            part.element = static_cast<uint32_t>(withDepth(splat(hasBoth ? clear_.stencil : 0), splat(value), bits)[0]);
            part.elementMask = hasBoth ? 0xFFFFFF00u | (together ? clear_.stencilMask : 0u) : ~0u;
            if (isPaired) part.elements = TileClear::Elements::Pairs;
            if (isPaired && together) part.second = clear_.stencil, part.secondMask = clear_.stencilMask;
            clearImage(image, part);
            known.noteClear(value, bounds_ == tile_.bounds);
        }
        if (stencil && !together) {
            const bool isPaired = hasPairs(*target_.stencil);
            TileClear part;
            if (isPaired) part.elements = TileClear::Elements::Pairs;
            (isPaired ? part.second : part.element) = clear_.stencil;
            (isPaired ? part.secondMask : part.elementMask) = clear_.stencilMask;
            clearImage(*target_.stencil, part);
        }
    }

    /// All samples of the image, but where they are known to be what they would become. Neighbours are written
    /// together, as longer runs of memory.
    void clearImage(texture::Image& image, const TileClear& part) {
        int first = 0;
        for (int i = 0; i <= tile_.count; ++i) {
            const uint32_t squares = i < tile_.count ? squaresToWrite(image, part, i) : 0;
            if (squares == texture::TileValues::kAllSquares) continue;
            if (first < i) write(image, part, tileBounds(first, i - 1));
            if (squares != 0) writeSquares(image, part, i, squares);
            first = i + 1;
        }
    }

    /// Some of tile i: rectangles of as many squares as lie together.
    void writeSquares(texture::Image& image, const TileClear& part, int i, uint32_t squares) {
        constexpr int kSize = texture::TileValues::kSquareSize, kWide = kTileSize / kSize;
        const PixelBounds tile = tileBounds(i, i);
        const auto rowAt = [&](int y) { return squares >> (kWide * y) & 0xF; };
        for (int y = 0, next; y < kWide; y = next) {
            for (next = y + 1; next < kWide && rowAt(next) == rowAt(y);) ++next;
            for (uint32_t left = rowAt(y); left != 0;) {
                const int x = std::countr_zero(left), count = std::countr_one(left >> x);
                left &= left + (1u << x);
                write(image, part,
                      {tile.minX + x * kSize, tile.minY + y * kSize, tile.minX + (x + count) * kSize - 1,
                       tile.minY + next * kSize - 1});
            }
        }
    }

    /// Bounds of tiles `first` to `last`, without the scissor and the target's size.
    [[nodiscard]] PixelBounds tileBounds(int first, int last) const {
        const int minX = (tile_.x + first) * kTileSize, minY = tile_.y * kTileSize;
        return {minX, minY, (tile_.x + last + 1) * kTileSize - 1, minY + kTileSize - 1};
    }

    /// The squares of tile i that do not hold already what the clear would write. Notes that they will hold it.
    [[nodiscard]] uint32_t squaresToWrite(texture::Image& image, const TileClear& part, int i) {
        const PixelBounds tile = tileBounds(i, i);
        if (tile.minX > bounds_.maxX) return 0;  // beyond the smallest image
        texture::TileValues& tiles = image.tiles();
        if (image.samples() != tile_.samples || part.elements != TileClear::Elements::Words) {
            tiles.forget(tile_.x + i, tile_.y);
            return texture::TileValues::kAllSquares;
        }
        const bool whole = bounds_.minX <= tile.minX && bounds_.minY == tile.minY &&
                           bounds_.maxX >= std::min(tile.maxX, image.width() - 1) &&
                           bounds_.maxY >= std::min(tile.maxY, image.height() - 1);
        return tiles.clear(tile_.x + i, tile_.y, part.element, part.elementMask, whole);
    }

    void write(texture::Image& image, TileClear part, const PixelBounds& within) {
        part.bounds = {std::max(bounds_.minX, within.minX), std::max(bounds_.minY, within.minY),
                       std::min(bounds_.maxX, within.maxX), std::min(bounds_.maxY, within.maxY)};
        if (part.bounds.isEmpty()) return;
        part.surface = surfaceOf(image);
        for (int sample = 0; sample < tile_.samples; ++sample, part.surface.blocks += part.surface.planeBytes)
            functions_.clear(part);
    }

    const RasterFunctions& functions_;
    const RenderTarget& target_;
    const TilePlace& tile_;
    const Clear& clear_;
    PixelBounds bounds_;  ///< cut with the scissor
};

}  // namespace

void clearTile(const RasterFunctions& functions, const RenderTarget& target, const TilePlace& tile, const Clear& clear,
               TileDepth& depth) {
    ClearedTile(functions, target, tile, clear).run(depth);
}

}  // namespace tessera::pipeline
