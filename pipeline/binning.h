// Binning: which 64x64 tiles a set-up primitive may touch.
#pragma once

#include <vector>

#include "pipeline/primitive.h"

namespace tessera::pipeline {

/// Tiles firstX .. lastX of tile row y, inclusive, of one primitive.
struct TileSpan {
    uint32_t primitive = 0;
    uint16_t y = 0, firstX = 0, lastX = 0;
};

/// Appends the spans of chunk.primitives[first ..], in the order of the primitives. Conservative: a tile may be
/// named that no pixel of the primitive lies in, but none is left out. `samples` is the target's.
void binPrimitives(const PrimitiveChunk& chunk, size_t first, int samples, std::vector<TileSpan>& spans);

}  // namespace tessera::pipeline
