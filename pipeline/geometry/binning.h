// Binning: which 64x64 tiles a set-up primitive may touch, and the primitives of each tile.
#pragma once

#include <vector>

#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline {

/// Tiles firstX .. lastX of tile row y, inclusive, of `count` primitives that follow each other.
struct TileSpan {
    uint32_t primitive, count;
    uint16_t y, firstX, lastX;
};

/// Appends the spans of chunk.primitives[first ..], in the order of the primitives; those that lie in one tile, as
/// neighbours in a mesh mostly do, have one together. Conservative: a tile may be
/// named that no pixel of the primitive lies in, but none is left out. `samples` is the target's.
void binPrimitives(const PrimitiveChunk& chunk, size_t first, int samples, UninitializedVector<TileSpan>& spans);

/// A tile of the target, by number, and its primitives: byTile[first .. first + count - 1] of their chunk.
struct TileSegment {
    uint32_t tile = 0, first = 0, count = 0;
};

/// Groups a chunk's spans by tile, so that what is done for each primitive is done here, on any thread, and the scene
/// only puts segments in order.
class TileSorter {
public:
    /// Fills byTile, and `segments` with one for each tile that is touched, from empty. Numbers within a segment
    /// are in the order of the spans, which lie in a target of so many tiles.
    void sort(const UninitializedVector<TileSpan>& spans, int tilesWide, int tilesHigh,
              UninitializedVector<uint32_t>& byTile, std::vector<TileSegment>& segments);

private:
    std::vector<uint32_t> place_;  ///< by tile: how many, then where the next one goes; 0 between calls
};

}  // namespace tessera::pipeline
