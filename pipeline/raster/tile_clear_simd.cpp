// The blocks of a clear in a tile. Compiled once for each SIMD level.
#include "pipeline/coverage/coverage.h"
#include "pipeline/pixel/color_block.h"
#include "pipeline/pixel/test_stages.h"
#include "pipeline/raster/raster_functions.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

/// Calls use(block, lanes) for each block with pixels inside the clear's bounds.
template <class Use>
void forEachBlock(const TileClear& clear, Use&& use) {
    const PixelBounds& bounds = clear.bounds;
    const int firstX = bounds.minX >> 2, lastX = bounds.maxX >> 2;
    const uint32_t left = rangeBits(bounds.minX - firstX * 4, 3), right = rangeBits(0, bounds.maxX - lastX * 4);
    for (int blockY = bounds.minY >> 2; blockY <= bounds.maxY >> 2; ++blockY) {
        const uint32_t rows = rangeBits(bounds.minY - blockY * 4, bounds.maxY - blockY * 4);
        std::byte* block = clear.surface.block(firstX, blockY);
        for (int blockX = firstX; blockX <= lastX; ++blockX, block += clear.surface.blockBytes) {
            const uint32_t columns = (blockX == firstX ? left : 0xF) & (blockX == lastX ? right : 0xF);
            use(block, gridBits(columns, rows));
        }
    }
}

void clearElements(const TileClear& clear) {
    forEachBlock(clear, [&](std::byte* bytes, uint32_t lanes) {
        uint32_t* block = elements(bytes);
        if (lanes == 0xFFFF && clear.elementMask == ~0u) return store(block, splat(clear.element));
        const U32x16 mask = asUint(fromBits(lanes)) & clear.elementMask;
        store(block, (load<U32x16>(block) & ~mask) | (splat(clear.element) & mask));
    });
}

void clearPairs(const TileClear& clear) {
    const auto write = [](uint32_t* block, bool second, U32x16 mask, uint32_t value) {
        const U32x16 old = asUint(loadWords(block, true, second));
        storeWords(block, true, second, asInt((old & ~mask) | (splat(value) & mask)));
    };
    forEachBlock(clear, [&](std::byte* bytes, uint32_t lanes) {
        const U32x16 inside = asUint(fromBits(lanes));
        if (clear.elementMask != 0) write(elements(bytes), false, inside & clear.elementMask, clear.element);
        if (clear.secondMask != 0) write(elements(bytes), true, inside & clear.secondMask, clear.second);
    });
}

void clearColors(const TileClear& clear) {
    ColorBlock color;
    for (int channel = 0; channel < 4; ++channel) color.channel[channel] = splat(clear.color[channel]);
    forEachBlock(clear, [&](std::byte* block, uint32_t lanes) {
        storeColor(clear.layout, block, color, fromBits(lanes), clear.colorMask);
    });
}

}  // namespace

void clearBlocks(const TileClear& clear) {
    switch (clear.elements) {
        case TileClear::Elements::Words:
            return clearElements(clear);
        case TileClear::Elements::Pairs:
            return clearPairs(clear);
        case TileClear::Elements::Colors:
            return clearColors(clear);
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
