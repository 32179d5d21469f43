// What becomes of a chunk's primitives, told to a machine probe. Nothing is made here.
#pragma once

#include <vector>

#include "pipeline/geometry/geometry.h"
#include "pipeline/probe/machine_probe.h"

namespace tessera::pipeline {

class PrimitiveWatch {
public:
    /// Before the vertices of the chunk are shaded.
    PrimitiveWatch(const DrawGeometry& geometry, const VertexCollector& collector, uint64_t first, uint32_t count);

    /// The primitive at hand, which has these vertices, was clipped: `left` are left.
    void clipped(std::span<const uint32_t> corners, int left, const ShadedVertices& vertices);
    /// What was set up since the last call is made of this primitive of the chunk.
    void made(uint32_t number, PrimitiveChunk& chunk);

    /// All vertices are outside for the same reason, and nothing was made.
    void tellRejected();
    /// Everything that there is to be made is.
    void tell(const ShadedVertices& vertices);

private:
    struct Made {
        bool any = false, isClippedAway = false;
        uint8_t newVertices = 0;
    };
    [[nodiscard]] PrimitiveFate fateOf(uint32_t number, const ShadedVertices& vertices) const;
    [[nodiscard]] bool isCulled(uint32_t number, const ShadedVertices& vertices) const;
    [[nodiscard]] ProbedPrimitive cornersOf(uint32_t number) const;

    const DrawGeometry& geometry_;
    const VertexCollector& collector_;
    MachineProbe& probe_;
    const int corners_;
    std::vector<Made> made_;
    Made atHand_;
};

}  // namespace tessera::pipeline
