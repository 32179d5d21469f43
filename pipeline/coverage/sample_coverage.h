// Coverage of multisampled primitives: which samples of a 64x64 tile's pixels a polygon covers, as 4x4 blocks with a
// bit for each pixel and sample. The hierarchy is that of coverage.h, bounds and walk are shared; a level rejects when
// all samples are outside an edge and drops the edge when all are inside. What is done with an edge differs: here its
// values lie five to a pixel, and an edge that a square is inside of is dropped from all its blocks. Doing so for
// pixels too, one square for both, took 12 % more instructions for a frame of gears on x86-64-v3, whose triangles are
// small.
//
// A sample lies (ox, oy) from the pixel's centre, in 1/256 pixel. With an edge's a = 256*a', b = 256*b', the value at
// the sample is a*x + b*y + (c + a'*ox + b'*oy): another constant, still an exact integer, so the top-left rule and the
// reduction to 32 bits hold for each sample as they do for centres, and meshes are watertight sample by sample. Samples
// The centre, where a pixel is shaded if it is inside, is no sample: on an edge it counts for the primitives on both
// sides, so that both are shaded at the same place and the edge does not show. There the top-left rule's one is undone.
// Samples of a tile are at most 63.75 pixels apart, so by the argument of coverage.h values stay below 127.5 * 2^24 + 1
// < 2^31.
#pragma once

#include "pipeline/coverage/coverage.h"
#include "pipeline/samples.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

inline constexpr int kCenter = kSamples;  ///< index of the pixel's centre beside the samples

/// A reduced half plane for each sample and the centre.
struct SampleEdge {
    int32_t a = 0, b = 0;
    int32_t value[kSamples + 1] = {};
    int32_t lowest = 0, highest = 0;  ///< of the samples' values

    void move(int x, int y) {
        const int32_t change = a * x + b * y;
        for (int32_t& one : value) one += change;
        lowest += change, highest += change;
    }
};

/// Covered pixels of a block, by sample, and those whose centre is inside or on an edge.
struct SampleLanes {
    uint32_t sample[kSamples] = {};
    uint32_t center = 0;
};

/// What TileCoverage is for pixels, for samples. It serves polygons alone.
struct SampleCoverage : CoverageBounds {
    bool empty = true;
    int edgeCount = 0;
    SampleEdge edge[4];
};

/// Adds an edge: false when it rejects the whole tile.
inline bool addEdge(SampleCoverage& coverage, const Edge& edge, int tileX, int tileY) {
    const int64_t a = edge.a >> 8, b = edge.b >> 8;
    const bool isTopLeft = a > 0 || (a == 0 && b < 0);
    int64_t value[kSamples + 1];
    for (int i = 0; i <= kSamples; ++i) {
        const int64_t x = i == kCenter ? 0 : kSamplePosition[i].x - kPixelCenter;
        const int64_t y = i == kCenter ? 0 : kSamplePosition[i].y - kPixelCenter;
        value[i] = a * tileX + b * tileY + ((edge.c + a * x + b * y + (i == kCenter && !isTopLeft ? 1 : 0)) >> 8);
    }
    int64_t lowest = value[0], highest = value[0];
    for (int i = 1; i < kSamples; ++i) {
        lowest = value[i] < lowest ? value[i] : lowest;
        highest = value[i] > highest ? value[i] : highest;
    }
    const TilePart part = coveredPart(a, b, lowest, highest);
    if (part != TilePart::Some) return part == TilePart::All;
    SampleEdge& added = coverage.edge[coverage.edgeCount++];
    added.a = static_cast<int32_t>(a), added.b = static_cast<int32_t>(b);
    for (int i = 0; i <= kSamples; ++i) added.value[i] = static_cast<int32_t>(value[i]);
    added.lowest = static_cast<int32_t>(lowest), added.highest = static_cast<int32_t>(highest);
    return true;
}

/// Coverage of a tile; `tile`: its pixels that may be drawn to.
inline SampleCoverage sampleCoverage(const SetupPrimitive& primitive, const PixelBounds& tile) {
    SampleCoverage coverage = {CoverageBounds::of(primitive, tile)};
    coverage.empty = coverage.isEmpty() || !addPolygon(coverage, primitive, tile.minX, tile.minY);
    return coverage;
}

/// Samples and centres of the 4x4 block at (x, y) inside all `count` edges, of the pixels in `lanes`.
inline SampleLanes edgeSamples(const SampleEdge* edge, int count, int x, int y, uint32_t lanes) {
    Mask16 inside[kSamples + 1];
    for (Mask16& mask : inside) mask = fromBits(lanes);
    for (int i = 0; i < count; ++i) {
        const I32x16 change =
            splat(edge[i].a * x + edge[i].b * y) + splat(edge[i].a) * kLaneX + splat(edge[i].b) * kLaneY;
        for (int place = 0; place <= kSamples; ++place) inside[place] &= change + splat(edge[i].value[place]) >= 0;
    }
    SampleLanes result;
    for (int i = 0; i < kSamples; ++i) result.sample[i] = toBits(inside[i]);
    result.center = toBits(inside[kCenter]);
    return result;
}

/// coverSquare() of coverage.h for samples.
template <class Sink>
void coverSampleSquare(const SampleCoverage& coverage, int x, int y, Sink&& sink) {
    SampleEdge edge[4];
    int count = 0;
    for (int i = 0; i < coverage.edgeCount; ++i) {
        SampleEdge moved = coverage.edge[i];
        moved.move(x, y);
        if (moved.highest + rise(moved.a, moved.b, 16) < 0) return;
        if (moved.lowest + fall(moved.a, moved.b, 16) < 0) edge[count++] = moved;
    }

    // A lane stands for a 4x4 block here.
    Mask16 rejected = splat(0), crossed = splat(0);
    for (int i = 0; i < count; ++i) {
        const I32x16 change = splat(edge[i].a * 4) * kLaneX + splat(edge[i].b * 4) * kLaneY;
        rejected |= change + splat(edge[i].highest + rise(edge[i].a, edge[i].b, 4)) < 0;
        crossed |= change + splat(edge[i].lowest + fall(edge[i].a, edge[i].b, 4)) < 0;
    }
    const uint32_t partial = toBits(crossed);
    const SquareBits square(coverage, x, y);
    square.forEachBlock(square.blocks() & ~toBits(rejected), [&](int index, int blockX, int blockY, uint32_t lanes) {
        SampleLanes covered = {{lanes, lanes, lanes, lanes}, lanes};
        if ((partial >> index & 1) != 0) covered = edgeSamples(edge, count, blockX, blockY, lanes);
        sink(x + blockX, y + blockY, covered);
    });
}

/// Calls sink(x, y, lanes) for the 4x4 blocks of a tile that may have covered samples, each at most once; (x, y) is the
/// block's first pixel, relative to the tile.
template <class Sink>
void coverTileSamples(const SampleCoverage& coverage, Sink&& sink) {
    if (coverage.empty) return;
    coverage.forEachSquare([&](int x, int y) { coverSampleSquare(coverage, x, y, sink); });
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
