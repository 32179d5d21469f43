// One chunk of primitives from vertex numbers to tile spans. Triangles are rejected in batches and set up in runs; what
// must be clipped, lines and points are taken one by one.
#include "pipeline/geometry/geometry.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/check.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"
#include "pipeline/geometry/primitive_watch.h"
#include "pipeline/geometry/rectangles.h"
#include "pipeline/probe/pixel_probe.h"

namespace tessera::pipeline {

// One copy of the functions for each SIMD level: pipeline/geometry/geometry_simd.cpp.
TESSERA_SIMD_COPIES(GeometryFunctions geometryFunctions();)

GeometryFunctions geometryFunctions(SimdLevel level) { return TESSERA_SIMD_COPY(level, geometryFunctions)(); }

namespace {

/// Clip and setup of a chunk's primitives.
class PrimitiveStage {
public:
    /// `watch`: wants to know what becomes of them; null: nobody does.
    PrimitiveStage(const DrawGeometry& geometry, GeometryScratch& scratch, ChunkGeometry& out, PrimitiveWatch* watch)
        : functions_(geometry.functions()),
          setup_(geometry.setup()),
          vertices_(scratch.vertices),
          polygon_(scratch.polygon),
          chunk_(out.primitives),
          merged_(out.merged),
          spans_(scratch.spans),
          rectangles_(geometry.draw(), setup_.attributeFloats),
          makesRectangles_(setup_.samples == 1 && !geometry.isProbed()),
          watch_(watch) {
        spans_.clear();
    }

    /// Points outside near and far are discarded; in x and y the viewport bounds their fragments.
    void point(uint32_t vertex) {
        const uint32_t code = vertices_.arrays().code[vertex];
        if ((code & (kNotFinite | kNoPlace | kOutFar | kOutNear | kDistanceCode)) != 0) return;
        setupPoint(setup_, window(vertex), vertices_.pointSize(vertex), chunk_);
    }

    /// Lines are not rejected by the sides of the view volume: a wide one just outside reaches in.
    void line(uint32_t from, uint32_t to) {
        const uint32_t* code = vertices_.arrays().code;
        const uint32_t some = code[from] | code[to], all = code[from] & code[to];
        if ((some & kNotFinite) != 0 || (all & (kOutFar | kOutNear | kDistanceCode)) != 0) return;
        if ((some & (kClipOutcode | setup_.clippedDistances)) != 0) {
            const uint32_t corners[2] = {from, to};
            return clip(corners, 2, some);
        }
        if ((some & kNoPlace) == 0) setupLine(setup_, window(from), window(to), vertices_.attributes(to), chunk_);
    }

    /// What was set up since the last call is made of this primitive of the chunk.
    void made(uint32_t number) {
        if (watch_ != nullptr) [[unlikely]]
            watch_->made(number, chunk_);
    }

    /// Bins what has been set up since the last call.
    void bin() {
        binPrimitives(chunk_, binned_, setup_.samples, spans_);
        binned_ = chunk_.primitives.size();
    }

    void triangles(const TriangleCorners& triangles, TriangleList& memory) {
        const size_t room = triangles.count + kBlockLanes;
        if (memory.number.size() < room) memory.number.resize(room), memory.coverage.resize(room);
        uint32_t* const list = memory.number.data();
        uint64_t* const coverage = memory.coverage.data();
        const uint32_t listed = functions_.cull(setup_, vertices_.arrays(), triangles, list, coverage);
        if (watch_ != nullptr) return watchTriangles(triangles, list, coverage, listed);
        chunk_.primitives.reserve(listed);
        chunk_.planes.reserve(size_t{listed} * setup_.attributeFloats);
        for (uint32_t first = 0; first < listed;) {
            uint32_t end = first;
            while (end < listed && (list[end] & kToClip) == 0) ++end;
            for (; first < end; first += kSetupRun)
                setupRun(triangles, list + first, coverage + first, std::min(end - first, kSetupRun));
            for (first = end; first < listed && (list[first] & kToClip) != 0; ++first)
                clipTriangle(triangles, list[first] & ~kToClip);
        }
    }

private:
    /// Triangles that are set up and binned together, while they are in the first cache.
    static constexpr uint32_t kSetupRun = 64;
    /// Fewer are set up one by one: setting up costs as much for one as for eight.
    static constexpr uint32_t kLeastSetupRun = 3;

    void watchTriangles(const TriangleCorners& triangles, const uint32_t* list, const uint64_t* coverage,
                        uint32_t listed) {
        for (uint32_t i = 0; i < listed; ++i) {
            const uint32_t number = list[i] & ~kToClip;
            if (number != list[i])
                clipTriangle(triangles, number);
            else
                setupRun(triangles, list + i, coverage + i, 1);
            made(number);
        }
    }

    [[nodiscard]] WindowVertex window(uint32_t vertex) const {
        const VertexArrays& arrays = vertices_.arrays();
        return {arrays.x[vertex], arrays.y[vertex], arrays.z[vertex], arrays.inverseW[vertex],
                vertices_.attributes(vertex)};
    }

    void setupRun(const TriangleCorners& triangles, const uint32_t* list, const uint64_t* coverage, uint32_t count) {
        const size_t primitives = chunk_.primitives.size(), planes = chunk_.planes.size();
        if (count < kLeastSetupRun) {
            for (uint32_t i = 0; i < count; ++i) {
                const WindowVertex corners[3] = {window(triangles.corner[0][list[i]]),
                                                 window(triangles.corner[1][list[i]]),
                                                 window(triangles.corner[2][list[i]])};
                setupPolygon(setup_, corners, 3, corners[2].attributes, chunk_);
            }
        } else {
            chunk_.primitives.resize(primitives + count);
            chunk_.planes.resize(planes + size_t{count} * setup_.attributeFloats);
            functions_.setup(setup_, vertices_.arrays(), triangles, list, coverage, count,
                             chunk_.primitives.data() + primitives, chunk_.planes.data() + planes,
                             static_cast<uint32_t>(planes));
        }
        if (makesRectangles_) merged_ += rectangles_.merge(chunk_, primitives);
        bin();
    }

    void clipTriangle(const TriangleCorners& triangles, uint32_t number) {
        uint32_t corners[3], some = 0;
        for (int c = 0; c < 3; ++c) {
            corners[c] = triangles.corner[c][number];
            some |= vertices_.arrays().code[corners[c]];
        }
        clip(corners, 3, some);
    }

    /// Clips where `codes` say so, and sets up what is left.
    void clip(const uint32_t* corners, int count, uint32_t codes) {
        polygon_.count = count;
        for (int i = 0; i < count; ++i)
            loadClipVertex(setup_.space, vertices_.position(corners[i]), vertices_.attributes(corners[i]),
                           setup_.clippedFloats, polygon_.vertex[i]);
        const uint32_t volume = (codes & kClipOutcode) >> kClipShift;
        const uint32_t distances = (codes & setup_.clippedDistances) >> kDistanceShift;
        const auto planes = static_cast<uint16_t>(volume | distances << kClipPlanes);
        clipPolygon(setup_.space, planes, setup_.clippedFloats, polygon_);
        if (watch_ != nullptr) [[unlikely]]
            watch_->clipped({corners, static_cast<size_t>(count)}, polygon_.count, vertices_);
        if (polygon_.count < count) return;
        WindowVertex window[ClipPolygon::kMaxVertices];
        for (int i = 0; i < polygon_.count; ++i)
            if (!toWindow(setup_, polygon_.vertex[i].position, polygon_.vertex[i].attributes, window[i])) return;
        const float* const provoking = vertices_.attributes(corners[count - 1]);
        if (count == 2)
            setupLine(setup_, window[0], window[1], provoking, chunk_);
        else
            setupPolygon(setup_, window, polygon_.count, provoking, chunk_);
    }

    const GeometryFunctions& functions_;
    const SetupState& setup_;
    const ShadedVertices& vertices_;
    ClipPolygon& polygon_;
    PrimitiveChunk& chunk_;
    uint64_t& merged_;
    UninitializedVector<TileSpan>& spans_;
    RectangleMerger rectangles_;
    const bool makesRectangles_;
    PrimitiveWatch* const watch_;
    size_t binned_ = 0;  ///< primitives of the chunk
};

}  // namespace

DrawGeometry::DrawGeometry(const Draw& draw, const DrawProbe& probe, PixelProbe* pixels)
    : draw_(draw),
      pixels_(pixels),
      machine_(probe.machine),
      isProbed_(probe.probe != nullptr || probe.machine != nullptr || pixels != nullptr),
      number_(probe.draw),
      vertexStage_(draw, probe),
      setup_(makeSetupState(draw, vertexStage_.varyingCount(), draw.state->program->varyingsWith(Interpolation::Flat))),
      functions_(geometryFunctions(simdLevel())) {
    const bool allCulled = cornerCount(draw.primitive) == 3 && setup_.cull == CullFace::Both;
    reachesPixels_ = !setup_.bounds.isEmpty() && !allCulled && !draw.state->raster.discard;
    if (restarts(draw)) runs_ = indexRuns(draw);
    perInstance_ = pipeline::primitivesPerInstance(draw, runs_);
    primitives_ = uint64_t{perInstance_} * draw.instances;
}

namespace {

/// A watched scene has one primitive in a chunk: its vertices are one group, whose registers are still there.
void showVertices(const DrawGeometry& geometry, uint64_t primitive, std::span<const VertexKey> keys,
                  const VertexRegisters& registers) {
    ProbedVertices vertices{&geometry.draw(), primitive,          {},
                            registers.inputs, registers.specials, geometry.vertexStage().constants()};
    for (const VertexKey& key : keys) vertices.elements.push_back(key.element);
    geometry.pixelProbe()->shaded(vertices);
}

}  // namespace

void processChunk(const DrawGeometry& geometry, uint64_t first, uint32_t count, GeometryScratch& scratch,
                  ChunkGeometry& out) {
    if (geometry.abandoned.load(std::memory_order_relaxed)) return;
    VertexCollector& collector = scratch.collector;
    collector.collect(geometry.draw(), geometry.runs(), geometry.primitivesPerInstance(), first, count);
    out.vertices = collector.keys().size();
    std::optional<PrimitiveWatch> watch;
    if (geometry.machineProbe() != nullptr) watch.emplace(geometry, collector, first, count);
    const int corners = cornerCount(geometry.draw().primitive);
    const uint32_t rejecting = (corners == 3 ? kViewOutcode : kOutFar | kOutNear) & ~geometry.setup().ignoredCodes;
    switch (geometry.vertexStage().run(collector.keys(), geometry.setup(), geometry.functions(), rejecting,
                                       geometry.stop, scratch.registers, scratch.vertices, &out.instructions)) {
        case VertexStage::Result::Shaded:
            break;
        case VertexStage::Result::Stopped:
            return;
        case VertexStage::Result::Rejected:
            if (watch) watch->tellRejected();
            return;
        case VertexStage::Result::Abandoned:
            geometry.abandoned.store(true, std::memory_order_relaxed);
            return;
    }
    if (geometry.pixelProbe() != nullptr) showVertices(geometry, first, collector.keys(), scratch.registers);
    PrimitiveStage stage(geometry, scratch, out, watch ? &*watch : nullptr);
    switch (corners) {
        case 1:
            for (uint32_t i = 0; i < count; ++i) {
                stage.point(collector.corner(0)[i]);
                stage.made(i);
            }
            break;
        case 2:
            for (uint32_t i = 0; i < count; ++i) {
                stage.line(collector.corner(0)[i], collector.corner(1)[i]);
                stage.made(i);
            }
            break;
        default:
            stage.triangles({{collector.corner(0), collector.corner(1), collector.corner(2)}, count},
                            scratch.triangles);
    }
    if (watch) watch->tell(scratch.vertices);
    stage.bin();
    const RenderTarget& target = geometry.draw().state->target;
    const auto tiles = [](int pixels) { return (pixels + kTileSize - 1) / kTileSize; };
    scratch.sorter.sort(scratch.spans, tiles(target.width), tiles(target.height), out.primitives.byTile, out.segments);
}

}  // namespace tessera::pipeline
