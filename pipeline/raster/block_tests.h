// Blocks through machine code, 2: tests before the program. The list loses what fails.
#pragma once

#include "pipeline/pixel/pixel_engine.h"
#include "pipeline/raster/block_list.h"
#include "pipeline/raster/fragment_group.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// TestForm::DepthOnly with its state constant: in the benchmark's row hidden a block took 68 cycles one by one, and 4
/// with this and tile_depth.h.
template <Compare kCompare, bool kWrite, int kBits, class Source>
void testDepth(const PixelBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const TileBlocks blocks(draw.depth, tile);
    Plane plane;
    if constexpr (!Source::kIsRun) plane = source.primitive(0).depth;
    const int listed = list.count;
    int count = 0;
    for (int i = 0; i < listed; ++i) {
        const uint32_t entry = list.entry[i];
        uint32_t* block = blocks[entry];
        F32x16 z;
        if constexpr (Source::kIsRun)
            z = source.depth(i, entry);
        else
            z = evaluate(plane, source.position(i, entry));
        const uint32_t lanes = testDepthOnly<kBits, !Source::kIsRun>(kCompare, kWrite, z, lanesOf(entry), block);
        if (!Source::kIsRun && lanes == 0) continue;
        source.move(i, count);
        list.entry[count] = (entry & ~kAllLanes) | lanes;
        count += !Source::kIsRun || lanes != 0 ? 1 : 0;
    }
    list.count = count;
}

/// Everything else: stencil, rare depth functions, depth in single precision.
template <class Source>
void testGeneral(const PixelBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const TestTime time = draw.way.earlyTests == BlockWay::EarlyTests::Final ? TestTime::Final : TestTime::Reject;
    int count = 0;
    for (int i = 0; i < list.count; ++i) {
        const uint32_t entry = list.entry[i];
        const BlockPlace place = placeOf(tile, entry);
        const SetupPrimitive& primitive = source.primitive(i);
        const auto depthOf = [&](int) { return clamp(source.depth(i, entry), 0.0f, 1.0f); };
        uint32_t lanes = lanesOf(entry);
        if (testSamples<1>(draw, place, primitive.frontFacing, depthOf, nullptr, time, &lanes) == 0) continue;
        source.move(i, count);
        list.entry[count++] = (entry & ~kAllLanes) | lanes;
    }
    list.count = count;
}

template <class Source>
using TestLoop = void (*)(const PixelBounds& tile, Source& source, TileDraw& draw, BlockList& list);

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
            return testGeneral<Source>;
    }
}

/// Null: there is nothing to test before the program.
template <class Source>
TestLoop<Source> chooseTests(const PixelDraw& draw) {
    const PixelKey& key = draw.key;
    if (draw.way.earlyTests == BlockWay::EarlyTests::None) return nullptr;
    if (draw.way.forms.tests != TestForm::DepthOnly || key.depthBits == 32) return testGeneral<Source>;
    const bool write = key.depthWrite && draw.way.earlyTests == BlockWay::EarlyTests::Final;
    if (key.depthBits == 24)
        return write ? depthLoop<true, 24, Source>(key.depthCompare) : depthLoop<false, 24, Source>(key.depthCompare);
    return write ? depthLoop<true, 16, Source>(key.depthCompare) : depthLoop<false, 16, Source>(key.depthCompare);
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
