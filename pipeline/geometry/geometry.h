// The geometry path of one draw: chunks of its primitives through vertex stage, assembly, clip, setup and binning.
// Chunks are independent, so workers take them in any order; the scene puts the results back in order.
#pragma once

#include <atomic>

#include "pipeline/geometry/binning.h"
#include "pipeline/geometry/setup.h"
#include "pipeline/geometry/vertex_collect.h"
#include "pipeline/geometry/vertex_stage.h"

namespace tessera::pipeline {

inline constexpr uint32_t kChunkPrimitives = 1024;

class PixelProbe;

/// A draw prepared for its chunks. The draw must outlive it.
class DrawGeometry {
public:
    /// `probe` hears what the vertex program looks up.
    explicit DrawGeometry(const Draw& draw, const DrawProbe& probe = {}, PixelProbe* pixels = nullptr);

    /// Primitives over all instances; 0 when nothing of the draw can reach a pixel.
    [[nodiscard]] uint64_t primitiveCount() const { return reachesPixels_ ? primitives_ : 0; }
    /// The same, whether they are drawn or not.
    [[nodiscard]] uint64_t allPrimitives() const { return primitives_; }
    [[nodiscard]] const Draw& draw() const { return draw_; }
    [[nodiscard]] uint64_t number() const { return number_; }              ///< of the draw, for a probe
    [[nodiscard]] PixelProbe* pixelProbe() const { return pixels_; }       ///< null: none
    [[nodiscard]] MachineProbe* machineProbe() const { return machine_; }  ///< null: none
    /// Whether somebody hears of triangles, blocks or lookups: then they are the application's.
    [[nodiscard]] bool isProbed() const { return isProbed_; }
    [[nodiscard]] const VertexStage& vertexStage() const { return vertexStage_; }
    [[nodiscard]] const SetupState& setup() const { return setup_; }
    [[nodiscard]] const GeometryFunctions& functions() const { return functions_; }
    [[nodiscard]] uint32_t primitivesPerInstance() const { return perInstance_; }
    /// None: no index restarts the draw, or all do.
    [[nodiscard]] std::span<const IndexRun> runs() const { return runs_; }

    /// Set when the vertex program exceeded its budget: chunks that have not started stay empty.
    mutable std::atomic<bool> abandoned{false};
    const std::atomic<bool>* stop = nullptr;  ///< set: chunks stay empty whose vertices are not shaded; null: never

private:
    const Draw& draw_;
    PixelProbe* const pixels_;
    MachineProbe* const machine_;
    bool isProbed_;
    uint64_t number_;
    VertexStage vertexStage_;
    SetupState setup_;
    GeometryFunctions functions_;
    std::vector<IndexRun> runs_;
    uint32_t perInstance_ = 0;
    uint64_t primitives_ = 0;
    bool reachesPixels_ = false;
};

/// A chunk's results.
struct ChunkGeometry {
    PrimitiveChunk primitives;
    std::vector<TileSegment> segments;
    uint64_t vertices = 0, instructions = 0;
    uint64_t merged = 0;  ///< triangles that are part of another primitive (rectangles.h)
};

/// What GeometryFunctions::cull lists.
struct TriangleList {
    std::vector<uint32_t> number;
    std::vector<uint64_t> coverage;
};

/// Memory that a worker reuses from chunk to chunk.
struct GeometryScratch {
    VertexCollector collector;
    VertexRegisters registers;
    ShadedVertices vertices;
    TriangleList triangles;
    ClipPolygon polygon;
    UninitializedVector<TileSpan> spans;
    TileSorter sorter;
};

/// Runs primitives first .. first + count - 1 of the draw (count <= kChunkPrimitives) into an empty `out`.
void processChunk(const DrawGeometry& geometry, uint64_t first, uint32_t count, GeometryScratch& scratch,
                  ChunkGeometry& out);

}  // namespace tessera::pipeline
