// Blocks through machine code, 4: pixels of large primitives wait, so that what a later primitive covers is never
// shaded.
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

/// Writes `number` for the pixels of a list.
void numberPixels(DeferredPixels& deferred, const uint32_t* entry, int count, int number) {
    const Numbers value = static_cast<uint8_t>(number);
    for (int i = 0; i < count; ++i) {
        uint8_t* place = deferred.number[entry[i] >> 16];
        if (lanesOf(entry[i]) == kAllLanes) {
            std::memcpy(place, &value, sizeof value);
            continue;
        }
        for (uint32_t left = lanesOf(entry[i]); left != 0; left &= left - 1) {
            place[__builtin_ctz(left)] = static_cast<uint8_t>(number);
        }
    }
}

/// Lists the numbered blocks by primitive, and along the rows of the tile: a block for each primitive seen in it. By
/// counting, where blocks beside each other mostly belong to one primitive and are counted together.
void listNumbered(DeferredPixels& deferred) {
    constexpr int kMost = kTileBlocks * kTileBlocks * kBlockLanes;
    static_assert(kMost == std::size(decltype(deferred.entry){}));
    struct Run {
        uint16_t begin, number;  ///< its first entry; of its primitive
    };
    uint32_t entry[kMost];
    Run run[kMost + 1];
    int found = 0, runs = 0, last = 0;
    const auto add = [&](uint32_t block, uint32_t lanes, int number) {
        if (number != last) run[runs++] = {static_cast<uint16_t>(found), static_cast<uint16_t>(number)};
        last = number;
        entry[found++] = lanes | block << 16;
    };
    for (uint32_t block = 0; block < kTileBlocks * kTileBlocks; ++block) {
        Numbers numbers;
        std::memcpy(&numbers, deferred.number[block], sizeof numbers);
        uint32_t left = kAllLanes & ~equalLanes(numbers, Numbers{});
        if (left == 0) continue;
        std::memset(deferred.number[block], 0, sizeof numbers);
        while (left != 0) {
            const uint8_t one = numbers[__builtin_ctz(left)];
            const uint32_t lanes = equalLanes(numbers, Numbers(one));
            add(block, lanes, one);
            left &= ~lanes;
        }
    }
    run[runs] = {static_cast<uint16_t>(found), 0};
    uint16_t next[DeferredPixels::kMaxPrimitives + 1] = {};
    for (int i = 0; i < runs; ++i) next[run[i].number] += run[i + 1].begin - run[i].begin;
    deferred.first[0] = 0;
    for (int i = 0; i <= deferred.count; ++i) {
        deferred.first[i + 1] = static_cast<uint16_t>(deferred.first[i] + next[i]);
        next[i] = deferred.first[i];
    }
    for (int i = 0; i < runs; ++i) {
        const int begin = run[i].begin, count = run[i + 1].begin - begin;
        uint16_t& to = next[run[i].number];
        std::memcpy(deferred.entry + to, entry + begin, static_cast<size_t>(count) * sizeof *entry);
        to += static_cast<uint16_t>(count);
    }
    deferred.areNumbered = false;
}

/// Whether a listed pixel of the tile is in a list that waits.
bool isListed(const DeferredPixels& deferred, const BlockList& list) {
    uint32_t both = 0;
    for (int i = 0; i < list.count; ++i) both |= deferred.listed[list.entry[i] >> 16] & list.entry[i];
    return lanesOf(both) != 0;
}

/// Numbers for the pixels of all lists, which are none any more.
void numberListed(DeferredPixels& deferred, int count) {
    if (!deferred.numbersAreClear) std::memset(deferred.number, 0, sizeof deferred.number);
    deferred.areNumbered = deferred.numbersAreClear = true;
    for (int number = 1; number <= count; ++number)
        numberPixels(deferred, deferred.entry + deferred.first[number],
                     deferred.first[number + 1] - deferred.first[number], number);
    std::memset(deferred.listed, 0, sizeof deferred.listed);
}

/// The listed pixels are those of primitive `number`, the last one; or, of 0, are drawn and do not wait.
void takeOver(DeferredPixels& deferred, const BlockList& list, int number) {
    const int before = number != 0 ? number - 1 : deferred.count;
    if (before == 0 && number == 0) return;
    if (!deferred.areNumbered && before != 0 && isListed(deferred, list)) numberListed(deferred, before);
    if (deferred.areNumbered) return numberPixels(deferred, list.entry, list.count, number);
    if (number == 0) return;
    const int first = deferred.first[number];
    for (int i = 0; i < list.count; ++i) deferred.listed[list.entry[i] >> 16] |= lanesOf(list.entry[i]);
    std::memcpy(deferred.entry + first, list.entry, static_cast<size_t>(list.count) * sizeof *list.entry);
    deferred.first[number + 1] = static_cast<uint16_t>(first + list.count);
}

/// Whether the primitive's listed pixels wait. If they do not, they are drawn at once, and what waited for its colour
/// there before is never shaded.
bool defer(const PlacedPrimitive& placed, DeferredPixels& deferred, const BlockList& list) {
    if (list.count < kDeferredBlocks) {
        takeOver(deferred, list, 0);
        return false;
    }
    const int number = ++deferred.count;
    deferred.primitive[number] = placed;
    takeOver(deferred, list, number);
    return true;
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
