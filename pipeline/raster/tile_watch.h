// The watched pixels of one tile: what clears and primitives do to them, told to the scene's pixel probe. Nothing is
// drawn here.
#pragma once

#include <memory>
#include <vector>

#include "pipeline/probe/pixel_probe.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_place.h"

namespace tessera::pipeline {

class TileWatch {
public:
    TileWatch(const Scene& scene, const TilePlace& tile);

    /// No pixel of the tile is watched.
    [[nodiscard]] bool isEmpty() const { return watched_.empty(); }

    /// Around a clear.
    void beforeClear();
    void afterClear(const Clear& clear);

    /// Whether the primitive covers watched pixels; begin() and end() are about those.
    [[nodiscard]] bool touches(const SetupPrimitive& primitive, const TileDraw& draw);
    /// Before the primitive is drawn, with nothing left in the group. The routine to draw with: the draw's, overheard.
    /// It lives until the next call.
    const isa::Routine& begin(const RasterDraw& source, const PrimitiveChunk& chunk, const SetupPrimitive& primitive,
                              const TileDraw& draw, const FragmentGroup& group);
    /// After it was drawn, and the group finished.
    void end(const SetupPrimitive& primitive, const TileDraw& draw);

private:
    struct Touched {
        WatchedPixel pixel;
        uint32_t covered = 0;
        PixelEvent event;
        float shaderDepth = 0;
    };

    void lookAt(const isa::GroupRun& run, const isa::Routine& routine, const Draw* source, uint64_t primitive,
                bool quads, const FragmentGroup& group);

    const Scene& scene_;
    const TilePlace& tile_;
    std::vector<WatchedPixel> watched_;
    std::vector<PixelContents> beforeClear_;  ///< of the watched pixels
    std::vector<Touched> touched_;            ///< by the primitive being drawn
    std::unique_ptr<const isa::Routine> overheard_;
};

}  // namespace tessera::pipeline
