// Everything a tile does per block: coverage, early tests, groups of two blocks through the fragment program, late
// tests, blending and writing; and clears. Compiled once for each SIMD level; raster.cpp picks one.
//
// Order. Blocks are tested and merged in submission order, and a group merges its first block before its second.
// Early tests happen when a block is queued, final late tests when it is merged: each kind among itself is in order,
// and a draw uses only one of them. Only LateWithReject looks at depth twice, and a program that reads last colours at
// what a block before it has written: there (TileDraw::inOrder) a block is not queued twice.
#include "pipeline/raster/coverage.h"
#include "pipeline/raster/fragment_group.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

// Fragment groups

/// Late tests, blending and writing of one block; `outputs` are the group's registers.
void mergeBlock(TileDraw& draw, const PendingBlock& block, uint32_t lanes, int firstLane,
                const isa::GroupRegister* outputs) {
    Mask16 coverage = fromBits(lanes);
    if (draw.key.order != TestOrder::Early) {
        const float* depth = draw.writesDepth ? outputs[isa::kOutDepth].lane[0] + firstLane : block.depth;
        coverage = testDepthStencil(draw.key, draw.values, block.primitive->frontFacing, load<F32x16>(depth), coverage,
                                    depthStencilBlock(draw, block), true);
        lanes = toBits(coverage);
        draw.samples += __builtin_popcount(lanes);
    }
    if (draw.listener != nullptr) [[unlikely]]
        draw.listener->written |= lanes;
    if (lanes == 0) return;
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const TargetKey& key = draw.key.target[target];
        if (!key.layout.present) continue;
        writeColor(key, draw.values, draw.color[target].block(block.blockX, block.blockY),
                   sourceColors(draw.key, outputs, target, firstLane), coverage);
    }
}

/// Runs the program over the queued blocks and merges them in order.
void runGroup(TileDraw& draw, FragmentGroup& group) {
    const int count = group.count;
    for (int slot = 0; slot < count; ++slot) {
        const PendingBlock& block = group.block[slot];
        const BlockPosition at = blockPosition(*block.primitive, block.blockX, block.blockY);
        fillSpecials(draw, block, at, slot * kBlockLanes, group.specials);
        fillInputs(draw, block, at, slot * kBlockLanes, group.inputs);
        fillLastColors(draw, block.blockX, block.blockY, 0, slot * kBlockLanes, group.inputs);
    }
    const uint32_t alive = runProgram(draw, group);
    for (int slot = 0; slot < count; ++slot) {
        const int firstLane = slot * kBlockLanes;
        const uint32_t lanes = alive >> firstLane & 0xFFFF;
        if (lanes != 0) mergeBlock(draw, group.block[slot], lanes, firstLane, group.outputs);
    }
}

/// Early tests of a covered block; what is left of it joins the group.
void addBlock(TileDraw& draw, FragmentGroup& group, const SetupPrimitive& primitive, const Plane* planes, int blockX,
              int blockY, uint32_t lanes) {
    if (draw.inOrder && isQueued(group, blockX, blockY)) runGroup(draw, group);
    PendingBlock& block = group.block[group.count];
    block.blockX = blockX, block.blockY = blockY;
    block.primitive = &primitive;
    block.planes = planes;
    F32x16 depth = splat(0.0f);
    if (draw.key.depthTest || reads(draw, isa::Special::FragCoord)) {
        depth = evaluateDepth(primitive, blockPosition(primitive, blockX, blockY));
        store(block.depth, depth);
    }
    if (draw.key.order != TestOrder::Late && (draw.key.depthTest || draw.key.stencilTest)) {
        const bool final = draw.key.order == TestOrder::Early;
        lanes = toBits(testDepthStencil(draw.key, draw.values, primitive.frontFacing, depth, fromBits(lanes),
                                        depthStencilBlock(draw, block), final));
        if (lanes == 0) return;
    }
    if (draw.key.order == TestOrder::Early) draw.samples += __builtin_popcount(lanes);
    if (draw.listener != nullptr) [[unlikely]]
        draw.listener->early = lanes, draw.listener->written = draw.shade ? 0 : lanes;
    if (!draw.shade) return;
    block.coverage = lanes;
    if (++group.count == draw.groupBlocks()) runGroup(draw, group);
}

void drawPrimitive(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                   FragmentGroup& group) {
    const TileCoverage coverage = tileCoverage(primitive, tile.minX, tile.minY, tile.maxX, tile.maxY);
    const int firstBlockX = tile.minX / kBlockSize, firstBlockY = tile.minY / kBlockSize;
    coverTile(coverage, tile.minX, tile.minY, [&](int x, int y, uint32_t lanes) {
        if (draw.stats.budgetExceeded) return;
        const int blockX = firstBlockX + x / kBlockSize, blockY = firstBlockY + y / kBlockSize;
        listenTo(draw, blockX, blockY, lanes, [&] { addBlock(draw, group, primitive, planes, blockX, blockY, lanes); });
    });
}

void finish(TileDraw& draw, FragmentGroup& group) {
    if (group.count != 0 && !draw.stats.budgetExceeded) runGroup(draw, group);
    group.count = 0;
}

// Clears

/// Calls use(block, lanes) for each block with pixels inside the clear's bounds.
template <class Use>
void forEachBlock(const TileClear& clear, Use&& use) {
    const TileBounds& bounds = clear.bounds;
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

void clearFloats(const TileClear& clear) {
    ColorBlock color;
    for (int channel = 0; channel < 4; ++channel) color.channel[channel] = splat(clear.color[channel]);
    forEachBlock(clear, [&](std::byte* block, uint32_t lanes) {
        storeColor(clear.layout, block, color, fromBits(lanes), clear.colorMask);
    });
}

void clearTile(const TileClear& clear) {
    if (clear.isFloat)
        clearFloats(clear);
    else
        clearElements(clear);
}

}  // namespace

RasterKernels rasterKernels();
RasterKernels rasterKernels() {
    return {drawPrimitive, drawBlocks, finishBlocks, finish, drawSamples, finishSamples, clearTile};
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
