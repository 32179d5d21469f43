// The blocks of one tile, told to the scene's machine probe. Nothing is drawn here.
#pragma once

#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_place.h"

namespace tessera::pipeline {

class TileListener {
public:
    /// `probe` may be null: then nothing else may be called but blocks().
    TileListener(MachineProbe* probe, const TilePlace& tile) : blocks_{probe, tile} { blocks_.heard = hear; }

    /// For GroupDraw::listener; null: nobody listens.
    [[nodiscard]] BlockListener* blocks() { return blocks_.probe != nullptr ? &blocks_ : nullptr; }

    /// Before the primitive is drawn.
    void begin(const RasterDraw& source, const PrimitiveChunk& chunk, uint32_t number);

private:
    struct Blocks : BlockListener {
        Blocks(MachineProbe* to, const TilePlace& place) : probe(to), tile(place) {}
        MachineProbe* const probe;
        const TilePlace& tile;
        uint64_t draw = 0, primitive = 0;  ///< that is drawn
    };
    static void hear(BlockListener& listener);

    Blocks blocks_;
};

}  // namespace tessera::pipeline
