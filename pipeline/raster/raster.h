// Tile raster: executes the commands of one tile in order: coverage of 4x4 blocks, early depth and stencil,
// fragment shading in groups of two blocks, late tests, blending and writing.
#pragma once

#include "pipeline/geometry/primitive.h"
#include "pipeline/raster/undo.h"

namespace tessera::pipeline {

/// Counted per tile, summed by the caller.
struct RasterStats {
    uint64_t fragments = 0;  ///< shaded, helper lanes excluded
    uint64_t instructions = 0;
    bool budgetExceeded = false;
};

/// Before the tiles of a scene with that target are rasterised, on one thread: from now on it is noted what is cleared
/// (texture/tile_values.h), so that clearing it again costs nothing.
void beginTiles(const RenderTarget& target);

/// Rasterises tile (tileX, tileY) of the scene into the scene's render target, from the command on that the scene's
/// undo says. Different tiles may run on different threads at once; one tile belongs to one thread. A draw that
/// overruns is noted in the scene's undo; the tile then holds anything.
void rasterTile(const Scene& scene, int tileX, int tileY, RasterStats& stats);

/// The clear in tiles (tileX, tileY) to (tileX + count - 1, tileY), of which it is the only command, of a scene without
/// probes and undo: rasterTile() of each, in longer runs of memory.
void clearTiles(const Scene& scene, const Clear& clear, int tileX, int tileY, int count);

}  // namespace tessera::pipeline
