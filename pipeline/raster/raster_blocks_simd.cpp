// Blocks through machine code: when the fragment program has code for single blocks (shader-core/isa/block.h), a
// primitive's blocks in a tile go through three loops, each with the state that matters to it constant:
//
//   1. coverage        squares of 16x16 pixels that the hierarchical depth hides are left out whole (tile_depth.h),
//                      covered blocks become a list (block_coverage.h, block_list.h);
//   2. early tests     the list loses what fails; one instance for each depth function that is common (block_tests.h);
//   3. colour          attributes, the program, late tests, blending and writing; one instance for each common way to
//                      blend and store, and one that does everything (block_color.h).
//
// Large primitives that overwrite what is below them are not shaded at once: their pixels wait, with the primitive's
// number, and a later primitive, of that draw or of another (tile_draws.h), takes pixels over (C. Burns and W. Hunt,
// "The Visibility Buffer", 2013, in one tile). What nobody sees is tested but not shaded (block_deferral.h). Rectangles
// with a picture go a way of their own (block_rectangle.h).
//
// A primitive meets a block at most once, so the loops may follow each other. Where all tests come before the colour,
// and the program does not read last colours, small primitives of a draw go through them together: each loop takes the
// blocks in the order of the primitives, so a pixel sees what it would have seen one by one, but there are long loops
// instead of many short ones, whose ends a processor cannot foresee. Where nothing but their varyings tells the
// program's pixels apart, those of several primitives in one block are tested and coloured together, a lane
// for each (PrimitiveRun::share). Bytes are those of raster_groups_simd.cpp, which
// serves the interpreter and is the reference: raster_blocks_test.cpp compares the two in random states. Compiled once
// for each SIMD level.
#include "pipeline/raster/block_color.h"
#include "pipeline/raster/block_coverage.h"
#include "pipeline/raster/block_deferral.h"
#include "pipeline/raster/block_rectangle.h"
#include "pipeline/raster/block_tests.h"
#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_depth.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

void countSamples(TileDraw& draw, const BlockList& list) {
    if (!draw.countsSamples || draw.key.order != TestOrder::Early) return;
    for (int i = 0; i < list.count; ++i) draw.samplesPassed += __builtin_popcount(lanesOf(list.entry[i]));
}

/// Tests and colours the listed blocks of one primitive, of which there are some.
template <class Tested>
void drawListed(const PixelBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, BlockList& list,
                const Tested& tested) {
    OnePrimitive source(tile, placed);
    if (const auto test = chooseTests<OnePrimitive>(draw); test != nullptr) {
        test(tile, source, draw, list);
        tested();
        if (list.count == 0) return;
    }
    countSamples(draw, list);
    if (draw.way.color == BlockWay::Color::None) return;
    if (mayShowPicture(draw, *placed.setup) && shadePicture(tile, placed, draw, list)) {
        if (draw.way.waits) takeOver(*draw.blocks.deferred, list, 0);
        return;
    }
    if (draw.way.waits && defer(placed, *draw.blocks.deferred, list)) return;
    shadeBlocks(tile, source, draw, list);
}

/// Asks for the memory of the listed blocks, which nobody may have touched in this scene.
void prefetchBlocks(const PixelBounds& tile, const TileDraw& draw, const BlockList& list) {
    const auto ask = [&](const Surface& surface) {
        const TileBlocks blocks(surface, tile);
        for (int i = 0; i < list.count; ++i) __builtin_prefetch(blocks[list.entry[i]]);
    };
    if (draw.key.depthTest) ask(draw.depth);
    if (draw.way.forms.finish != FinishForm::General) ask(draw.color[0]);
}

/// The same for small primitives together.
void drawRun(const PixelBounds& tile, PrimitiveRun& source, TileDraw& draw, BlockList& list) {
    prefetchBlocks(tile, draw, list);
    if (draw.way.small == BlockWay::Small::Shared) source.share(list);
    if (const auto test = chooseTests<PrimitiveRun>(draw); test != nullptr) test(tile, source, draw, list);
    countSamples(draw, list);
    if (draw.way.color == BlockWay::Color::None || list.count == 0) return;
    if (draw.way.waits) takeOver(*draw.blocks.deferred, list, 0);
    shadeBlocks(tile, source, draw, list);
}

void drawLarge(const PixelBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, BlockList& list) {
    const SquareDepths depths(draw, *placed.setup, tile);
    const uint32_t whole = listBlocks(tile, *placed.setup, depths.hidden(), list);
    if (list.count != 0) drawListed(tile, placed, draw, list, [&] { depths.note(whole); });
}

}  // namespace

// Of RasterFunctions (raster_groups_simd.cpp).
void drawBlocks(const PixelBounds& tile, const PlacedPrimitive* placed, int count, TileDraw& draw);
void listDeferred(DeferredPixels& deferred);
void shadeDeferred(const PixelBounds& tile, const PlacedPrimitive& placed, const uint32_t* entries, int count,
                   TileDraw& draw);

void drawBlocks(const PixelBounds& tile, const PlacedPrimitive* placed, int count, TileDraw& draw) {
    BlockList list;
    PrimitiveRun run(tile, placed);
    const bool together = draw.way.small != BlockWay::Small::OneByOne;
    for (int i = 0; i < count && !draw.stats.budgetExceeded; ++i) {
        run.name(list.count, i);
        const bool isSmall = listSmall(tile, *placed[i].setup, list);
        if (isSmall && together) continue;
        if (list.count != 0 && isSmall) drawListed(tile, placed[i], draw, list, [] {});
        if (list.count != 0 && !isSmall) drawRun(tile, run, draw, list);
        list.count = 0;
        if (!isSmall && !draw.stats.budgetExceeded) drawLarge(tile, placed[i], draw, list);
        list.count = 0;
    }
    if (list.count != 0 && !draw.stats.budgetExceeded) drawRun(tile, run, draw, list);
}

void listDeferred(DeferredPixels& deferred) {
    if (deferred.areNumbered) listNumbered(deferred);
}

void shadeDeferred(const PixelBounds& tile, const PlacedPrimitive& placed, const uint32_t* entries, int count,
                   TileDraw& draw) {
    BlockList list;
    std::memcpy(list.entry, entries, static_cast<size_t>(count) * sizeof *entries);
    list.count = count;
    shadeBlocks(tile, OnePrimitive(tile, placed), draw, list);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
