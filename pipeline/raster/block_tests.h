// Blocks through machine code, 2: tests before the program. The list loses what fails.
#pragma once

#include "pipeline/pixel/pixel_fast.h"
#include "pipeline/raster/block_list.h"
#include "pipeline/raster/fragment_group.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

template <Compare kCompare, bool kWrite, int kBits, class Source>
void testDepth(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const TileBlocks blocks(draw.depth, tile);
    Plane plane;
    if constexpr (!Source::kIsRun) plane = source.primitive(0).depth;
    const int listed = list.count;
    int count = 0;
    for (int i = 0; i < listed; ++i) {
        const uint32_t entry = list.entry[i];
        uint32_t* block = blocks[entry];
        if constexpr (Source::kIsRun) plane = source.primitive(i).depth;
        const I32x16 incoming = quantizeDepthFast<kBits>(evaluate(plane, source.position(i, entry)));
        const I32x16 stored = load<I32x16>(block);
        const Mask16 passes = compare(kCompare, incoming, asInt(asUint(stored) >> 8));
        const uint32_t lanes = toBits(passes) & lanesOf(entry);
        if (!Source::kIsRun && lanes == 0) continue;
        if constexpr (kWrite) {
            const I32x16 written = incoming << 8 | (stored & 255);
            const bool isWhole = !Source::kIsRun && lanes == kAllLanes;
            store(block, isWhole ? written : select(fromBits(lanes), written, stored));
        }
        source.move(i, count);
        list.entry[count] = (entry & ~kAllLanes) | lanes;
        count += !Source::kIsRun || lanes != 0 ? 1 : 0;
    }
    list.count = count;
}

/// Everything else: stencil, rare depth functions, tests that do not write yet.
template <class Source>
void testGeneric(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const bool final = draw.key.order == TestOrder::Early;
    int count = 0;
    for (int i = 0; i < list.count; ++i) {
        const uint32_t entry = list.entry[i];
        const BlockPlace place = placeOf(tile, entry);
        const SetupPrimitive& primitive = source.primitive(i);
        F32x16 depth = splat(0.0f);
        if (draw.key.depthTest) depth = evaluateDepth(primitive, blockPosition(primitive, place.x, place.y));
        const uint32_t lanes =
            toBits(testDepthStencil(draw.key, draw.values, primitive.frontFacing, depth, fromBits(lanesOf(entry)),
                                    depthStencilBlock(draw, place.x, place.y), final));
        if (lanes == 0) continue;
        source.move(i, count);
        list.entry[count++] = (entry & ~kAllLanes) | lanes;
    }
    list.count = count;
}

template <class Source>
using TestLoop = void (*)(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list);

template <bool kWrite, int kBits, class Source>
TestLoop<Source> depthLoop(Compare function) {
    switch (function) {
        case Compare::Less:
            return testDepth<Compare::Less, kWrite, kBits, Source>;
        case Compare::LessEqual:
            return testDepth<Compare::LessEqual, kWrite, kBits, Source>;
        case Compare::Greater:
            return testDepth<Compare::Greater, kWrite, kBits, Source>;
        case Compare::GreaterEqual:
            return testDepth<Compare::GreaterEqual, kWrite, kBits, Source>;
        case Compare::Equal:
            return testDepth<Compare::Equal, kWrite, kBits, Source>;
        case Compare::Always:
            return testDepth<Compare::Always, kWrite, kBits, Source>;
        default:
            return testGeneric<Source>;
    }
}

/// Null: there is nothing to test before the program.
template <class Source>
TestLoop<Source> chooseTests(const PixelKey& key) {
    if (key.order == TestOrder::Late || (!key.depthTest && !key.stencilTest)) return nullptr;
    if (key.stencilTest || key.order != TestOrder::Early) return testGeneric<Source>;
    if (key.depthBits == 24)
        return key.depthWrite ? depthLoop<true, 24, Source>(key.depthCompare)
                              : depthLoop<false, 24, Source>(key.depthCompare);
    return key.depthWrite ? depthLoop<true, 16, Source>(key.depthCompare)
                          : depthLoop<false, 16, Source>(key.depthCompare);
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
