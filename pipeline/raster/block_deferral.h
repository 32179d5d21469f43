// Blocks through machine code, 4: pixels of large primitives wait until the draw ends, so that what a later primitive
// of the draw covers is never shaded.
#pragma once

#include "pipeline/raster/block_color.h"
#include "pipeline/raster/block_list.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// Primitives of at least so many blocks in the tile wait; smaller ones are shaded at once, as they hide little.
constexpr int kDeferredBlocks = 32;

using Numbers = uint8_t __attribute__((ext_vector_type(16)));

inline uint32_t equalLanes(Numbers a, Numbers b) {
    using Bool16 = bool __attribute__((ext_vector_type(16)));
    return __builtin_bit_cast(uint16_t, __builtin_convertvector(a == b, Bool16));
}

/// Writes `number` for the listed pixels.
void markPixels(DeferredPixels& deferred, const BlockList& list, int number) {
    const Numbers value = static_cast<uint8_t>(number);
    for (int i = 0; i < list.count; ++i) {
        uint8_t* place = deferred.number[list.entry[i] >> 16];
        if (lanesOf(list.entry[i]) == kAllLanes) {
            std::memcpy(place, &value, sizeof value);
            continue;
        }
        for (uint32_t left = lanesOf(list.entry[i]); left != 0; left &= left - 1) {
            place[__builtin_ctz(left)] = static_cast<uint8_t>(number);
        }
    }
}

/// Shades all pixels that wait, primitive by primitive along the rows of the tile.
void shadeDeferred(const PixelBounds& tile, TileDraw& draw) {
    DeferredPixels& deferred = *draw.deferred;
    BlockList list;
    int current = 0;
    const auto shade = [&] {
        if (list.count != 0 && !draw.stats.budgetExceeded)
            shadeBlocks(tile, OnePrimitive(tile, deferred.primitive[current]), draw, list);
        list.count = 0;
    };
    const Numbers none = {};
    for (uint32_t block = 0; block < kTileBlocks * kTileBlocks; ++block) {
        Numbers numbers;
        std::memcpy(&numbers, deferred.number[block], sizeof numbers);
        uint32_t left = kAllLanes & ~equalLanes(numbers, none);
        if (left == 0) continue;
        std::memset(deferred.number[block], 0, sizeof numbers);
        while (left != 0) {
            const int number = numbers[__builtin_ctz(left)];
            const uint32_t lanes = equalLanes(numbers, Numbers(static_cast<uint8_t>(number)));
            if (number != current) shade();
            current = number;
            list.entry[list.count++] = lanes | block << 16;
            left &= ~lanes;
        }
    }
    shade();
    deferred.count = 0;
}

/// Whether the primitive's listed pixels wait. If not, nothing that waited in them is seen any more.
bool defer(const PixelBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, const BlockList& list) {
    DeferredPixels& deferred = *draw.deferred;
    if (list.count < kDeferredBlocks) {
        if (deferred.count != 0) markPixels(deferred, list, 0);
        return false;
    }
    if (deferred.count == DeferredPixels::kMaxPrimitives) shadeDeferred(tile, draw);
    const int number = ++deferred.count;
    deferred.primitive[number] = placed;
    markPixels(deferred, list, number);
    return true;
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
