// Blocks of multisampled targets: a pixel is shaded once, everything after it happens for each of its four samples
// (OpenGL ES 2.0.25, sections 3.2 and 4.1.3). Compiled once for each SIMD level; the order of blocks is that of
// raster_tile_simd.cpp.
//
// Where a pixel is shaded. At its centre when that is in the primitive or on its edge, else at the mean of the samples
// it covers: primitives are convex, so the place is inside and no attribute is extrapolated. But a program that takes
// derivatives, for a level of detail above all, runs at the centres: its neighbours must be one pixel apart. Depth and
// stencil are tested, blended and written sample by sample, with the depth of the sample's own place. gl_FragCoord's x
// and y are the centre's.
//
// A program that reads last colours is run for each covered sample, at its place, as each holds a colour of its own
// (GL_EXT_shader_framebuffer_fetch, section 3.8.1).
#include "pipeline/pixel/pixel_fast.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/sample_coverage.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

struct CentroidTable {
    PixelPlace place[1 << kSamples];
};
constexpr CentroidTable makeCentroids() {
    CentroidTable table{};
    for (uint32_t samples = 0; samples < 1 << kSamples; ++samples) table.place[samples] = centroid(samples);
    return table;
}
constexpr CentroidTable kCentroids = makeCentroids();

/// From the centres of a block's pixels to where they are shaded.
BlockPosition shadingPosition(const BlockPosition& centers, const SampleLanes& lanes) {
    uint32_t outside = 0;
    for (uint32_t sample : lanes.sample) outside |= sample;
    outside &= ~lanes.center;
    BlockPosition at = centers;
    for (; outside != 0; outside &= outside - 1) {
        const int lane = __builtin_ctz(outside);
        uint32_t samples = 0;
        for (int i = 0; i < kSamples; ++i) samples |= (lanes.sample[i] >> lane & 1) << i;
        at.x[lane] += kCentroids.place[samples].x - 0.5f;
        at.y[lane] += kCentroids.place[samples].y - 0.5f;
    }
    return at;
}

BlockPosition samplePosition(const BlockPosition& centers, int sample) {
    const PixelPlace place = samplePlace(sample);
    return moved(centers, place.x - 0.5f, place.y - 0.5f);
}

/// testDepthStencil() of one sample when there is only depth to test and what passes is written.
template <int kBits>
uint32_t testDepthOnly(const PixelKey& key, F32x16 z, uint32_t lanes, uint32_t* block) {
    const I32x16 incoming = quantizeDepthFast<kBits>(z);
    const I32x16 stored = load<I32x16>(block);
    const Mask16 passed = compare(key.depthCompare, incoming, asInt(asUint(stored) >> 8)) & fromBits(lanes);
    if (key.depthWrite) store(block, select(passed, incoming << 8 | (stored & 255), stored));
    return toBits(passed);
}

/// Depth and stencil test of the samples in `coverage`, in place; returns the pixels with a sample that passes.
uint32_t testSamples(TileDraw& draw, const PendingBlock& block, const float (*depth)[kBlockLanes], bool write,
                     uint32_t (&coverage)[kSamples]) {
    uint32_t lanes = 0;
    const bool depthOnly = write && draw.key.depthTest && !draw.key.stencilTest;
    for (int sample = 0; sample < kSamples; ++sample) {
        if (coverage[sample] == 0) continue;
        if (depthOnly) {
            const F32x16 z = load<F32x16>(depth[sample]);
            uint32_t* stored = elements(draw.depth.block(block.blockX, block.blockY, sample));
            coverage[sample] = draw.key.depthBits == 16 ? testDepthOnly<16>(draw.key, z, coverage[sample], stored)
                                                        : testDepthOnly<24>(draw.key, z, coverage[sample], stored);
            lanes |= coverage[sample];
            continue;
        }
        const Mask16 passed =
            testDepthStencil(draw.key, draw.values, block.primitive->frontFacing, load<F32x16>(depth[sample]),
                             fromBits(coverage[sample]), depthStencilBlock(draw, block, sample), write);
        coverage[sample] = toBits(passed);
        lanes |= coverage[sample];
    }
    return lanes;
}

void countSamples(TileDraw& draw, const uint32_t (&coverage)[kSamples]) {
    for (uint32_t lanes : coverage) draw.samples += __builtin_popcount(lanes);
}

/// What is left of a pixel's samples after the program: its discards, then alpha to coverage, then the late tests.
uint32_t finalCoverage(TileDraw& draw, const PendingBlock& block, PendingSamples& samples, uint32_t alive,
                       int firstLane, const isa::GroupRegister* outputs) {
    uint32_t lanes = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        samples.coverage[sample] &= alive;
        if (draw.key.alphaToCoverage) {
            const F32x16 alpha = load<F32x16>(outputs[isa::kOutColor0].lane[3] + firstLane);
            samples.coverage[sample] &= toBits(fractionCovers(alpha, sample));
        }
        lanes |= samples.coverage[sample];
    }
    if (draw.key.order == TestOrder::Early) return lanes;
    if (draw.writesDepth) {
        const F32x16 depth = load<F32x16>(outputs[isa::kOutDepth].lane[0] + firstLane);
        for (auto& one : samples.depth) store(one, depth);
    }
    lanes = testSamples(draw, block, samples.depth, true, samples.coverage);
    countSamples(draw, samples.coverage);
    return lanes;
}

void mergeBlock(TileDraw& draw, const PendingBlock& block, PendingSamples& samples, uint32_t alive, int firstLane,
                const isa::GroupRegister* outputs) {
    const uint32_t written = finalCoverage(draw, block, samples, alive, firstLane, outputs);
    if (draw.listener != nullptr) [[unlikely]]
        draw.listener->written |= written;
    if (written == 0) return;
    const auto fast = [&]<class Finish>() {
        const Finish finish(draw.key.target[0], draw.values);
        const typename Finish::Source source = finish.prepare(programColor(outputs, isa::kOutColor0, firstLane));
        for (int sample = 0; sample < kSamples; ++sample) {
            if (samples.coverage[sample] == 0) continue;
            finish.write(elements(draw.color[0].block(block.blockX, block.blockY, sample)), source,
                         samples.coverage[sample]);
        }
    };
    if (withFinish(draw.finish, fast)) return;
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const TargetKey& key = draw.key.target[target];
        if (!key.layout.present) continue;
        const SourceColors sources = sourceColors(draw.key, outputs, target, firstLane);
        ColorBlock finished;
        bool isFinished = false;  // without blending the same for all samples
        for (int sample = 0; sample < kSamples; ++sample) {
            if (samples.coverage[sample] == 0) continue;
            std::byte* stored = draw.color[target].block(block.blockX, block.blockY, sample);
            if (!isFinished) finished = finishColor(key, draw.values, stored, sources);
            isFinished = !key.readsColor();
            storeColor(key.layout, stored, finished, fromBits(samples.coverage[sample]), key.writeMask);
        }
    }
}

void runGroup(TileDraw& draw, FragmentGroup& group) {
    const int count = group.count;
    for (int slot = 0; slot < count; ++slot) {
        const PendingBlock& block = group.block[slot];
        const BlockPosition at = {load<F32x16>(group.samples[slot].x), load<F32x16>(group.samples[slot].y)};
        fillSpecials(draw, block, at, slot * kBlockLanes, group.specials);
        fillInputs(draw, block, at, slot * kBlockLanes, group.inputs);
        fillLastColors(draw, block.blockX, block.blockY, group.samples[slot].sample, slot * kBlockLanes, group.inputs);
    }
    const uint32_t alive = runProgram(draw, group);
    for (int slot = 0; slot < count; ++slot) {
        const int firstLane = slot * kBlockLanes;
        const uint32_t lanes = alive >> firstLane & 0xFFFF;
        if (lanes != 0) mergeBlock(draw, group.block[slot], group.samples[slot], lanes, firstLane, group.outputs);
    }
}

/// The block behind the group's is shaded at these places.
void join(TileDraw& draw, FragmentGroup& group, const BlockPosition& at) {
    PendingBlock& block = group.block[group.count];
    PendingSamples& samples = group.samples[group.count];
    store(samples.x, at.x);
    store(samples.y, at.y);
    if (reads(draw, isa::Special::FragCoord)) store(block.depth, evaluateDepth(*block.primitive, at));
    if (++group.count == draw.groupBlocks()) runGroup(draw, group);
}

/// Each sample of the block behind the group's is shaded by itself.
void joinSamples(TileDraw& draw, FragmentGroup& group, const BlockPosition& centers) {
    const PendingBlock block = group.block[group.count];
    const PendingSamples samples = group.samples[group.count];
    for (int sample = 0; sample < kSamples && !draw.stats.budgetExceeded; ++sample) {
        if (samples.coverage[sample] == 0) continue;
        PendingSamples& one = group.samples[group.count];
        one = samples;
        one.sample = sample;
        for (int other = 0; other < kSamples; ++other)
            if (other != sample) one.coverage[other] = 0;
        group.block[group.count] = block;
        group.block[group.count].coverage = samples.coverage[sample];
        join(draw, group, samplePosition(centers, sample));
    }
}

/// Early tests of a covered block; what is left of it joins the group.
void addBlock(TileDraw& draw, FragmentGroup& group, const SetupPrimitive& primitive, const Plane* planes, int blockX,
              int blockY, const SampleLanes& lanes) {
    if (draw.inOrder && isQueued(group, blockX, blockY)) runGroup(draw, group);
    PendingBlock& block = group.block[group.count];
    PendingSamples& samples = group.samples[group.count];
    block.coverage = 0;
    for (int sample = 0; sample < kSamples; ++sample) {
        samples.coverage[sample] = lanes.sample[sample] & draw.values.sampleMask[sample];
        block.coverage |= samples.coverage[sample];
    }
    if (block.coverage == 0) return;
    block.blockX = blockX, block.blockY = blockY;
    block.primitive = &primitive;
    block.planes = planes;
    const BlockPosition centers = blockPosition(primitive, blockX, blockY);
    for (int sample = 0; sample < kSamples; ++sample) {
        F32x16 depth = splat(0.0f);
        if (draw.key.depthTest) depth = evaluateDepth(primitive, samplePosition(centers, sample));
        store(samples.depth[sample], depth);
    }
    if (draw.key.order != TestOrder::Late && (draw.key.depthTest || draw.key.stencilTest)) {
        const bool final = draw.key.order == TestOrder::Early;
        block.coverage = testSamples(draw, block, samples.depth, final, samples.coverage);
        if (block.coverage == 0) return;
    }
    if (draw.key.order == TestOrder::Early) countSamples(draw, samples.coverage);
    if (draw.listener != nullptr) [[unlikely]]
        draw.listener->early = block.coverage, draw.listener->written = draw.shade ? 0 : block.coverage;
    if (!draw.shade) return;
    if (draw.lastColorMask != 0) return joinSamples(draw, group, centers);
    join(draw, group, draw.quads ? centers : shadingPosition(centers, lanes));
}

}  // namespace

void drawSamples(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                 FragmentGroup& group) {
    const SampleCoverage coverage = sampleCoverage(primitive, tile.minX, tile.minY, tile.maxX, tile.maxY);
    const int firstBlockX = tile.minX / kBlockSize, firstBlockY = tile.minY / kBlockSize;
    coverTileSamples(coverage, [&](int x, int y, const SampleLanes& lanes) {
        if (draw.stats.budgetExceeded) return;
        const int blockX = firstBlockX + x / kBlockSize, blockY = firstBlockY + y / kBlockSize;
        uint32_t covered = 0;
        for (int sample = 0; sample < kSamples; ++sample)
            covered |= lanes.sample[sample] & draw.values.sampleMask[sample];
        listenTo(draw, blockX, blockY, covered,
                 [&] { addBlock(draw, group, primitive, planes, blockX, blockY, lanes); });
    });
}

void finishSamples(TileDraw& draw, FragmentGroup& group) {
    if (group.count != 0 && !draw.stats.budgetExceeded) runGroup(draw, group);
    group.count = 0;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
