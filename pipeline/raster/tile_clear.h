// A clear in one tile: split into its images, left out where they are known to hold what it would write.
#pragma once

#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_place.h"

namespace tessera::pipeline {

/// All images that the clear names, in the part of the tile that its scissor leaves. `depth`: what is known of the
/// tile's stored depth, kept true.
void clearTile(const RasterFunctions& functions, const RenderTarget& target, const TilePlace& tile, const Clear& clear,
               TileDepth& depth);

}  // namespace tessera::pipeline
