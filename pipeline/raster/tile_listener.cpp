// The coverage of a primitive in a tile by the functions that the tiles use, compiled for the level every host has: the
// levels agree to the bit.
#include "pipeline/raster/tile_listener.h"

#include "pipeline/coverage/sample_coverage.h"
#include "pipeline/probe/machine_probe.h"

namespace tessera::pipeline {

namespace {

/// The blocks within a primitive's bounds, unless an edge rejects the tile.
template <class Coverage>
uint32_t blocksAsked(const Coverage& coverage) {
    if (coverage.empty) return 0;
    const auto blocks = [](int from, int to) { return static_cast<uint32_t>(to / kBlockSize - from / kBlockSize + 1); };
    return blocks(coverage.minX, coverage.maxX) * blocks(coverage.minY, coverage.maxY);
}

}  // namespace

void TileListener::begin(const RasterDraw& source, const PrimitiveChunk& chunk, uint32_t number) {
    blocks_.draw = source.number;
    blocks_.primitive = chunk.first + chunk.sources[number];
    const SetupPrimitive& primitive = chunk.primitives[number];
    const PixelBounds& bounds = blocks_.tile.bounds;
    const uint32_t blocks = blocks_.tile.samples == 1 ? blocksAsked(tileCoverage(primitive, bounds))
                                                      : blocksAsked(sampleCoverage(primitive, bounds));
    blocks_.probe->scanned({blocks_.draw, blocks_.primitive, blocks});
}

void TileListener::hear(BlockListener& listener) {
    const auto& blocks = static_cast<const Blocks&>(listener);
    blocks.probe->drawn(
        {blocks.draw, blocks.primitive, blocks.blockX, blocks.blockY, blocks.covered, blocks.early, blocks.written});
}

}  // namespace tessera::pipeline
