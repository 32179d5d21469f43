// The tiles of a scene, rasterised by all workers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/thread/thread_pool.h"
#include "pipeline/raster/raster.h"

namespace tessera::pipeline {

/// Tiles of the scene that have commands.
[[nodiscard]] std::vector<uint32_t> tilesToDraw(const Scene& scene);

/// Draws them, each by one worker; `restore`: what their undo has saved is put back before. Returns what was counted.
/// A draw may have overrun (SceneUndo::firstOverrun); the tiles then hold anything.
RasterStats drawTiles(ThreadPool& pool, const Scene& scene, const std::vector<uint32_t>& tiles, SceneUndo& undo,
                      bool restore);

}  // namespace tessera::pipeline
