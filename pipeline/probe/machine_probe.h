// Watching everything that a model of the chip needs to know of the work done (model/chip/workload.h): commands,
// vertices, primitives, blocks of fragments, texture lookups.
//
// A GPU with such a probe (Gpu::setMachineProbe) runs on one thread and takes every fragment through its program in
// groups of one block, so that what is heard is the same in every run; pixels do not change. A probe that wants
// instructions gives the GPU an executor that it listens to: what is executed between two calls belongs to the second.
// Without a probe the cost is a branch for each group of vertices, each chunk of primitives, each line and point, and
// for each block that runs on the general way.
#pragma once

#include <array>
#include <span>

#include "pipeline/commands.h"
#include "pipeline/pixel/pixel_key.h"
#include "pipeline/probe/texture_probe.h"
#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

/// Primitives of a draw whose vertices are shaded together, each of them once.
struct ProbedChunk {
    uint64_t draw = 0;   ///< number among all draws that were executed, from 1
    uint64_t first = 0;  ///< number of the first primitive, over all instances
    uint32_t count = 0;
    std::span<const VertexKey> vertices;      ///< distinct; groups of 32 are shaded in their order
    uint32_t firstOrdinal = 0, ordinals = 0;  ///< vertex numbers that they name: with indices, those that are read
};

/// What becomes of a primitive between assembly and the rasteriser.
enum class PrimitiveFate : uint8_t {
    Drawn,
    Outside,  ///< of the view volume, by outcodes or after clipping
    Facing,   ///< culled
    Empty,    ///< covers no pixel
};
struct ProbedPrimitive {
    int corners = 3;
    std::array<uint32_t, 3> vertex{};  ///< numbers among the chunk's
    PrimitiveFate fate = PrimitiveFate::Drawn;
    /// Planes that it was clipped at; of those outside: that it is outside of, where the chunk was not rejected whole.
    uint8_t outcodes = 0;
    uint8_t newVertices = 0;
};

/// A primitive in a tile.
struct ProbedScan {
    uint64_t draw = 0, primitive = 0;
    uint32_t blocks = 0;  ///< of 4x4 pixels, that the edge equations were asked about
};
/// A covered block, when all of its work is done.
struct ProbedBlock {
    uint64_t draw = 0, primitive = 0;
    int x = 0, y = 0;  ///< in blocks of the target
    uint32_t covered = 0, early = 0, written = 0;
};

/// All calls are the command processor's thread's. Draws of a scene are heard stage by stage: commands as they are
/// executed, geometry in the order of submission, then blocks tile by tile, in tiles that follow each other in rows
/// from the bottom, and in a tile in the order of submission. drawsDone() ends the scene.
class MachineProbe : public TextureProbe {
public:
    /// Is about to be executed.
    virtual void command(const Command& command) = 0;
    /// The next chunk of a draw, before its vertices are shaded.
    virtual void chunk(const ProbedChunk& chunk) = 0;
    /// The next up to 32 vertices of the chunk are shaded.
    virtual void shaded(uint32_t lanes) = 0;
    /// The chunk's primitives, one after the other.
    virtual void assembled(const ProbedPrimitive& primitive) = 0;
    virtual void scanned(const ProbedScan& scan) = 0;
    virtual void drawn(const ProbedBlock& block) = 0;

    // It counts nothing that a program could ask for.
    [[nodiscard]] TextureCacheCounters total() const override { return {}; }
    [[nodiscard]] TextureCacheCounters ofTexture(uint64_t) const override { return {}; }
};

}  // namespace tessera::pipeline
