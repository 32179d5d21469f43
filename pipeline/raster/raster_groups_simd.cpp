// Blocks in groups: everything a tile does per block for programs that run two blocks at a time, on the interpreter or
// with several samples: coverage, early tests, the group's way through the fragment program, late tests, blending and
// writing. Compiled once for each SIMD level; raster.cpp picks one.
//
// Order. Blocks are tested and merged in submission order, and a group merges its first block before its second.
// Early tests happen when a block is queued, final late tests when it is merged: each kind among itself is in order,
// and a draw uses only one of them. Only LateWithReject looks at depth twice, and a program that reads last colours at
// what a block before it has written: there (BlockWay::inOrder) a block is not queued twice.
//
// Samples. A pixel is shaded once, everything after it happens for each of its samples, one or four (OpenGL ES 2.0.25,
// sections 3.2 and 4.1.3). The one sample is the pixel's centre. Of four, a pixel is shaded at its centre when that is
// in the primitive or on its edge, else at the mean of the samples it covers: primitives are convex, so the place is
// inside and no attribute is extrapolated. But a program that takes derivatives, for a level of detail above all, runs
// at the centres: its neighbours must be one pixel apart; centroid varyings alone are then those of places inside.
// Depth and stencil are tested, blended and written sample by sample, with the depth of the sample's own place.
// gl_FragCoord's x and y are the centre's.
//
// Blocks all of whose samples a primitive overwrites wait until the draw ends, or until another primitive meets them:
// one that covers a part lets them be shaded first, one that overwrites them all as well takes their place.
//
// A program that reads last colours is run for each covered sample, at its place, as each holds a colour of its own
// (GL_EXT_shader_framebuffer_fetch, section 3.8.1). So is one that reads which sample it is run for
// (OES_sample_variables), and any where the draw asks for it (OES_sample_shading): then a program sees its sample alone
// among the covered ones.
#include "pipeline/coverage/coverage.h"
#include "pipeline/coverage/sample_coverage.h"
#include "pipeline/pixel/pixel_engine.h"
#include "pipeline/raster/fragment_group.h"

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

/// What the number of samples decides: which lanes a block has, where its samples are, and where it is shaded.
template <int kCount>
struct Samples;

template <>
struct Samples<1> {
    using Lanes = uint32_t;
    template <class Sink>
    static void cover(const PixelBounds& tile, const SetupPrimitive& primitive, Sink&& sink) {
        coverTile(tileCoverage(primitive, tile), tile, sink);
    }
    static uint32_t lanesOf(const TileDraw&, Lanes lanes, int) { return lanes; }
    static BlockPosition position(const BlockPosition& centers, int) { return centers; }
    static uint32_t outsideCenters(Lanes) { return 0; }
    static PixelPlaces shadingPosition(const BlockPosition& centers, Lanes) { return centers; }
};

template <>
struct Samples<kSamples> {
    using Lanes = SampleLanes;
    template <class Sink>
    static void cover(const PixelBounds& tile, const SetupPrimitive& primitive, Sink&& sink) {
        coverTileSamples(sampleCoverage(primitive, tile), sink);
    }
    static uint32_t lanesOf(const TileDraw& draw, const Lanes& lanes, int sample) {
        return lanes.sample[sample] & draw.values.sampleMask[sample];
    }
    static BlockPosition position(const BlockPosition& centers, int sample) {
        const PixelPlace place = samplePlace(sample);
        return moved(centers, place.x - 0.5f, place.y - 0.5f);
    }
    /// Pixels that are not shaded at their centres.
    static uint32_t outsideCenters(const Lanes& lanes) {
        uint32_t covered = 0;
        for (uint32_t sample : lanes.sample) covered |= sample;
        return covered & ~lanes.center;
    }
    static PixelPlaces shadingPosition(const BlockPosition& centers, const Lanes& lanes) {
        PixelPlaces at = centers;
        for (uint32_t outside = outsideCenters(lanes); outside != 0; outside &= outside - 1) {
            const int lane = __builtin_ctz(outside);
            uint32_t samples = 0;
            for (int i = 0; i < kSamples; ++i) samples |= (lanes.sample[i] >> lane & 1) << i;
            at.x[lane] += kCentroids.place[samples].x - 0.5f;
            at.y[lane] += kCentroids.place[samples].y - 0.5f;
        }
        return at;
    }
};

/// A draw's blocks on their way through its groups.
template <int kCount>
class GroupRaster {
public:
    GroupRaster(TileDraw& draw, FragmentGroup& group) : draw_(draw), group_(group) {}

    void drawPrimitive(const PixelBounds& tile, const SetupPrimitive& primitive, const Plane* planes) {
        const int firstBlockX = tile.minX / kBlockSize, firstBlockY = tile.minY / kBlockSize;
        const BlockPlane depth(primitive.depth);
        Samples<kCount>::cover(tile, primitive, [&](int x, int y, const Lanes& lanes) {
            if (draw_.stats.budgetExceeded) return;
            const BlockPlace place = {firstBlockX + x / kBlockSize, firstBlockY + y / kBlockSize};
            BlockListener* const listener = draw_.groups.listener;
            if (listener != nullptr) [[unlikely]]
                listener->begin(place.x, place.y, pixelsOf(lanes));
            add(primitive, planes, depth, place, lanes);
            if (listener != nullptr) [[unlikely]]
                listener->heard(*listener);
        });
    }

    void finish() {
        if (kCount > 1 && draw_.way.waits) joinDeferred(*draw_.groups.deferred);
        if (group_.count != 0 && !draw_.stats.budgetExceeded) run();
        group_.count = 0;
    }

private:
    using Lanes = typename Samples<kCount>::Lanes;

    /// Pixels with a sample that is covered.
    [[nodiscard]] uint32_t pixelsOf(const Lanes& lanes) const {
        uint32_t pixels = 0;
        for (int sample = 0; sample < kCount; ++sample) pixels |= Samples<kCount>::lanesOf(draw_, lanes, sample);
        return pixels;
    }

    /// Window z at a sample's place, not clamped.
    static F32x16 depthAt(const BlockPlane& depth, const BlockPosition& centers, int sample) {
        return depth(Samples<kCount>::position(centers, sample));
    }
    /// Early tests of a covered block; what is left of it joins the group.
    void add(const SetupPrimitive& primitive, const Plane* planes, const BlockPlane& depth, BlockPlace place,
             const Lanes& lanes) {
        if (draw_.way.inOrder && isQueued(group_, place)) run();
        PendingBlock& block = group_.block[group_.count];
        block.coverage = 0;
        for (int sample = 0; sample < kCount; ++sample) {
            block.samples[sample] = Samples<kCount>::lanesOf(draw_, lanes, sample);
            block.coverage |= block.samples[sample];
        }
        if (block.coverage == 0) return;
        if constexpr (kCount > 1) {
            std::copy_n(block.samples, kSamples, block.seen);
            block.seenCenters = lanes.center;
        }
        block.place = place;
        block.primitive = &primitive;
        block.planes = planes;
        const BlockPosition centers = blockPosition(primitive, place.x, place.y);
        if (draw_.way.earlyTests != BlockWay::EarlyTests::None) {
            const bool isFinal = draw_.way.earlyTests == BlockWay::EarlyTests::Final;
            const auto depthOf = [&](int sample) { return depthAt(depth, centers, sample); };
            block.coverage = testSamples<kCount>(draw_, place, primitive.frontFacing, depthOf, nullptr,
                                                 isFinal ? TestTime::Final : TestTime::Reject, block.samples);
            if (block.coverage == 0) return;
        }
        if (draw_.key.order == TestOrder::Early) countSamples<kCount>(draw_, block.samples);
        const bool isShaded = draw_.way.color != BlockWay::Color::None;
        if (BlockListener* const listener = draw_.groups.listener; listener != nullptr) [[unlikely]]
            listener->early = block.coverage, listener->written = isShaded ? 0 : block.coverage;
        if (!isShaded) return;
        if (kCount > 1 && draw_.way.place == BlockWay::Place::EachSample) return joinSamples(centers);
        if (kCount > 1 && draw_.way.waits && wait(*draw_.groups.deferred)) return;
        const bool atCenters = draw_.way.place == BlockWay::Place::Center;
        if (Samples<kCount>::outsideCenters(lanes) == 0 || (atCenters && draw_.groups.centroid == 0))
            join();
        else
            join(Samples<kCount>::shadingPosition(centers, lanes), atCenters);
    }

    /// The block behind the group's is shaded at its pixels' centres.
    void join() {
        PendingBlock& block = group_.block[group_.count];
        block.atCenters = true;
        block.insideOnly = 0;
        runIfFull();
    }
    /// The block behind the group's is shaded at these places; or, `atCenters`, has its centroid varyings there.
    void join(const PixelPlaces& at, bool atCenters = false) {
        PendingBlock& block = group_.block[group_.count];
        block.atCenters = atCenters;
        block.insideOnly = atCenters ? draw_.groups.centroid : 0;
        store(block.x, at.x);
        store(block.y, at.y);
        runIfFull();
    }
    void runIfFull() {
        if (++group_.count == draw_.way.groupBlocks) run();
    }

    /// Whether the block behind the group's waits. If not, what waits in its place is shaded before it.
    bool wait(DeferredBlocks& deferred) {
        const PendingBlock& block = group_.block[group_.count];
        const int number = DeferredBlocks::numberOf(block.place);
        uint32_t all = kAllLanes;
        for (const uint32_t sample : block.samples) all &= sample;
        if (all == kAllLanes) {
            deferred.add(number, {block.place, {block.primitive, block.planes}});
            return true;
        }
        if (deferred.take(number)) {
            const PendingBlock later = block;
            joinDeferred(deferred.block[number]);
            group_.block[group_.count] = later;
        }
        return false;
    }
    void joinDeferred(const DeferredBlocks::Block& waiting) {
        PendingBlock& block = group_.block[group_.count];
        block.place = waiting.place;
        block.primitive = waiting.seen.setup;
        block.planes = waiting.seen.planes;
        block.coverage = kAllLanes;
        std::fill_n(block.samples, kSamples, kAllLanes);
        std::fill_n(block.seen, kSamples, kAllLanes);
        block.seenCenters = kAllLanes;
        join();
    }
    void joinDeferred(DeferredBlocks& deferred) {
        for (int word = 0; word < static_cast<int>(std::size(deferred.waits)); ++word) {
            uint64_t left = deferred.waits[word];
            deferred.waits[word] = 0;
            for (; left != 0 && !draw_.stats.budgetExceeded; left &= left - 1)
                joinDeferred(deferred.block[64 * word + __builtin_ctzll(left)]);
        }
    }

    /// Each sample of the block behind the group's is shaded by itself.
    void joinSamples(const BlockPosition& centers) {
        const PendingBlock all = group_.block[group_.count];
        for (int sample = 0; sample < kCount && !draw_.stats.budgetExceeded; ++sample) {
            if (all.samples[sample] == 0) continue;
            PendingBlock& one = group_.block[group_.count];
            one = all;
            one.sample = sample;
            one.coverage = all.samples[sample];
            for (int other = 0; other < kCount; ++other) {
                if (other == sample) continue;
                one.samples[other] = 0;
                if (draw_.eachSample) one.seen[other] = 0;
            }
            join(Samples<kCount>::position(centers, sample));
        }
    }

    /// Runs the program over the queued blocks and merges them in order.
    void run() {
        const int count = group_.count;
        for (int slot = 0; slot < count; ++slot) {
            const PendingBlock& block = group_.block[slot];
            const int firstLane = slot * kBlockLanes;
            const auto fillAt = [&](const auto& at) {
                fillSpecials(draw_, *block.primitive, block.place, at, firstLane, group_.specials);
                fillInputs(draw_, block, at, ~block.insideOnly, firstLane, group_.inputs);
            };
            const auto places = [&] { return PixelPlaces{load<F32x16>(block.x), load<F32x16>(block.y)}; };
            if (block.atCenters)
                fillAt(blockPosition(*block.primitive, block.place.x, block.place.y));
            else
                fillAt(places());
            if (block.insideOnly != 0) [[unlikely]]
                fillInputs(draw_, block, places(), block.insideOnly, firstLane, group_.inputs);
            if constexpr (kCount > 1) fillSamples(draw_, block, firstLane, group_.specials);
            fillLastColors(draw_, block.place, block.sample, firstLane, group_.inputs);
        }
        const uint32_t alive = runProgram(draw_, group_);
        for (int slot = 0; slot < count; ++slot) {
            PendingBlock& block = group_.block[slot];
            const int firstLane = slot * kBlockLanes;
            const uint32_t lanes = alive >> firstLane & 0xFFFF;
            if (lanes == 0) continue;
            for (int sample = 0; sample < kCount; ++sample) block.samples[sample] &= lanes;
            const auto depthOf = [&](int sample) {
                const BlockPosition centers = blockPosition(*block.primitive, block.place.x, block.place.y);
                return depthAt(BlockPlane(block.primitive->depth), centers, sample);
            };
            const uint32_t written = mergeBlock<kCount>(
                draw_, {block.place, block.primitive->frontFacing, group_.outputs, firstLane}, depthOf, block.samples);
            if (BlockListener* const listener = draw_.groups.listener; listener != nullptr) [[unlikely]]
                listener->written |= written;
        }
    }

    TileDraw& draw_;
    FragmentGroup& group_;
};

/// Calls use() with the draw's GroupRaster.
template <class Use>
void withSamples(TileDraw& draw, FragmentGroup& group, const Use& use) {
    if (draw.way.kind == BlockWay::Kind::Samples)
        use(GroupRaster<kSamples>(draw, group));
    else
        use(GroupRaster<1>(draw, group));
}

void drawPrimitive(const PixelBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                   FragmentGroup& group) {
    withSamples(draw, group, [&](auto raster) { raster.drawPrimitive(tile, primitive, planes); });
}

void finishGroup(TileDraw& draw, FragmentGroup& group) {
    withSamples(draw, group, [](auto raster) { raster.finish(); });
}

}  // namespace

// Of the other files that are compiled for this level.
void drawBlocks(const PixelBounds& tile, const PlacedPrimitive* primitives, int count, TileDraw& draw);
void listDeferred(DeferredPixels& deferred);
void shadeDeferred(const PixelBounds& tile, const PlacedPrimitive& placed, const uint32_t* entries, int count,
                   TileDraw& draw);
void clearBlocks(const TileClear& clear);

RasterFunctions rasterFunctions();
RasterFunctions rasterFunctions() {
    return {drawPrimitive, finishGroup, drawBlocks, listDeferred, shadeDeferred, clearBlocks};
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
