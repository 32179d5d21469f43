// Binning: the bounding box gives the tile rows and their widest span; for primitives over more than a few tiles each
// end of a row's span is then trimmed by the edges. A tile is rejected when one edge's half plane misses all its pixel
// centres, which the edge's value at one corner tells; tiles that pass all edges of a convex primitive form one span.
// With several samples the half planes are first moved outwards by as far as samples lie from the centre.
//
// Spans are sorted by counting. Tables are as large as the largest target, but only places of touched tiles are used.
#include "pipeline/geometry/binning.h"

#include <cstdlib>
#include <utility>

#include "pipeline/samples.h"

namespace tessera::pipeline {
namespace {

constexpr int kTileShift = 6;
static_assert(1 << kTileShift == kTileSize);

/// Half planes that contain the primitive, in the pixel coordinates of Edge.
struct CoarseEdges {
    int count = 0;
    Edge edge[4];
};

/// For a thin line, the strip of points within a pixel and a half of it along the minor axis; the diamond rule's
/// pixels lie well within. Value: cross product with the line's direction, as for a polygon's edge.
CoarseEdges lineStrip(const SetupPrimitive& line) {
    const int64_t dx = int64_t{line.lineX1} - line.lineX0, dy = int64_t{line.lineY1} - line.lineY0;
    const int64_t one = 1 << kSubPixelBits, half = one / 2;
    const int64_t c = dx * (half - line.lineY0) - dy * (half - line.lineX0);
    const int64_t margin = (std::abs(dx) + std::abs(dy)) * (one + half);
    return {2, {{-dy * one, dx * one, c + margin}, {dy * one, -dx * one, margin - c}}};
}

CoarseEdges coarseEdges(const SetupPrimitive& primitive, int samples) {
    if (primitive.kind == PrimitiveKind::ThinLine) return lineStrip(primitive);
    const int reach = samples == 1 ? 0 : kSampleReach;
    CoarseEdges edges;
    edges.count = primitive.edgeCount;
    for (int i = 0; i < edges.count; ++i) {
        edges.edge[i] = primitive.edge[i];
        edges.edge[i].c += (std::abs(edges.edge[i].a) + std::abs(edges.edge[i].b)) / (1 << kSubPixelBits) * reach;
    }
    return edges;
}

/// Whether some edge has no pixel of the tile inside.
bool misses(const CoarseEdges& edges, int tileX, int tileY) {
    for (int i = 0; i < edges.count; ++i) {
        const Edge& e = edges.edge[i];
        const int64_t x = tileX * kTileSize + (e.a > 0 ? kTileSize - 1 : 0);
        const int64_t y = tileY * kTileSize + (e.b > 0 ? kTileSize - 1 : 0);
        if (e.a * x + e.b * y + e.c < 0) return true;
    }
    return false;
}

/// The tiles of the bounds: minX, minY, maxX and maxY, each in 16 bits.
uint64_t boundingTiles(const SetupPrimitive& primitive) {
    return primitive.packedPixels() >> kTileShift & 0x03FF'03FF'03FF'03FF;
}

}  // namespace

void binPrimitives(const PrimitiveChunk& chunk, size_t first, int samples, UninitializedVector<TileSpan>& spans) {
    // Field by field: a span that is made elsewhere and copied waits for its stores.
    const auto add = [&](size_t primitive, int y, int firstX, int lastX) {
        TileSpan& span = spans.emplace_back();
        span.primitive = static_cast<uint32_t>(primitive);
        span.count = 1;
        span.y = static_cast<uint16_t>(y);
        span.firstX = static_cast<uint16_t>(firstX);
        span.lastX = static_cast<uint16_t>(lastX);
    };
    constexpr uint64_t kSeveral = ~uint64_t{0};
    uint64_t last = kSeveral;  // tile of the primitive before, if it was one
    for (size_t i = first; i < chunk.primitives.size(); ++i) {
        const SetupPrimitive& primitive = chunk.primitives[i];
        const uint64_t tiles = boundingTiles(primitive);
        if (tiles == last) {
            ++spans.back().count;
            continue;
        }
        const int minX = tiles & 0xFFFF, minY = tiles >> 16 & 0xFFFF;
        const int maxX = tiles >> 32 & 0xFFFF, maxY = static_cast<int>(tiles >> 48);
        if (minX == maxX && minY == maxY) {
            add(i, minY, minX, minX);
            last = tiles;
            continue;
        }
        last = kSeveral;
        const bool trim = maxX > minX && maxY > minY && primitive.kind != PrimitiveKind::Point;
        const CoarseEdges edges = trim ? coarseEdges(primitive, samples) : CoarseEdges{};
        for (int y = minY; y <= maxY; ++y) {
            int from = minX, to = maxX;
            while (from <= to && misses(edges, from, y)) ++from;
            while (from <= to && misses(edges, to, y)) --to;
            if (from > to) continue;
            add(i, y, from, to);
        }
    }
}

void TileSorter::sort(const UninitializedVector<TileSpan>& spans, int tilesWide, int tilesHigh,
                      UninitializedVector<uint32_t>& byTile, std::vector<TileSegment>& segments) {
    const size_t tiles = static_cast<size_t>(tilesWide) * static_cast<size_t>(tilesHigh);
    if (place_.size() < tiles) place_.resize(tiles);
    uint32_t* const place = place_.data();
    const auto forEach = [&](const auto& use) {
        for (const TileSpan& span : spans) {
            const uint32_t row = static_cast<uint32_t>(span.y) * static_cast<uint32_t>(tilesWide);
            for (uint32_t x = span.firstX; x <= span.lastX; ++x) use(row + x, span);
        }
    };
    forEach([&](uint32_t tile, const TileSpan& span) {
        if (std::exchange(place[tile], place[tile] + span.count) == 0) segments.push_back({tile, 0, 0});
    });
    uint32_t end = 0;
    for (TileSegment& segment : segments) {
        segment.first = end;
        segment.count = std::exchange(place[segment.tile], end);
        end += segment.count;
    }
    byTile.resize(end);
    uint32_t* const sorted = byTile.data();
    forEach([&](uint32_t tile, const TileSpan& span) {
        uint32_t* const to = sorted + std::exchange(place[tile], place[tile] + span.count);
        for (uint32_t i = 0; i < span.count; ++i) to[i] = span.primitive + i;
    });
    for (const TileSegment& segment : segments) place[segment.tile] = 0;
}

}  // namespace tessera::pipeline
