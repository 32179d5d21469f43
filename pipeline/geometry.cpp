// One chunk of primitives from vertex numbers to tile spans.
#include "pipeline/geometry.h"

#include "pipeline/assembly.h"

namespace tessera::pipeline {
namespace {

/// Clip and setup of a chunk's primitives.
class PrimitiveStage {
public:
    PrimitiveStage(const SetupState& setup, const ShadedVertices& vertices, ClipPolygon& polygon, PrimitiveChunk& chunk)
        : setup_(setup), vertices_(vertices), polygon_(polygon), chunk_(chunk) {}

    /// Points outside near and far are discarded; in x and y the viewport bounds their fragments.
    void point(uint32_t vertex) {
        const float* position = vertices_.position(vertex);
        if (!isFinite(position) || (viewOutcode(position) & (kOutFar | kOutNear)) != 0) return;
        WindowVertex center;
        if (project(vertex, center)) setupPoint(setup_, center, vertices_.pointSize(vertex), chunk_);
    }

    /// Lines are not rejected by the sides of the view volume: a wide one just outside reaches in.
    void line(const uint32_t* corners) { primitive(corners, 2, kOutFar | kOutNear); }

    void triangle(const uint32_t* corners) { primitive(corners, 3, 0xFF); }

private:
    bool project(uint32_t vertex, WindowVertex& to) const {
        const float* p = vertices_.position(vertex);
        const double position[4] = {p[0], p[1], p[2], p[3]};
        return toWindow(setup_, position, vertices_.attributes(vertex), to);
    }

    void setup(const WindowVertex* vertices, int count, bool isLine) {
        if (isLine)
            setupLine(setup_, vertices[0], vertices[1], chunk_);
        else
            setupPolygon(setup_, vertices, count, chunk_);
    }

    /// `rejecting`: the view volume's planes that discard a primitive wholly outside one of them.
    void primitive(const uint32_t* corners, int count, uint8_t rejecting) {
        uint8_t allOutside = rejecting, planes = 0;
        for (int i = 0; i < count; ++i) {
            const float* position = vertices_.position(corners[i]);
            if (!isFinite(position)) return;
            allOutside &= viewOutcode(position);
            const double wide[4] = {position[0], position[1], position[2], position[3]};
            planes |= clipOutcode(setup_.space, wide);
        }
        if (allOutside != 0) return;
        WindowVertex window[ClipPolygon::kMaxVertices];
        if (planes == 0) {
            for (int i = 0; i < count; ++i)
                if (!project(corners[i], window[i])) return;
            return setup(window, count, count == 2);
        }
        polygon_.count = count;
        for (int i = 0; i < count; ++i)
            loadClipVertex(setup_.space, vertices_.position(corners[i]), vertices_.attributes(corners[i]),
                           setup_.attributeFloats, polygon_.vertex[i]);
        clipPolygon(setup_.space, planes, setup_.attributeFloats, polygon_);
        if (polygon_.count < count) return;
        for (int i = 0; i < polygon_.count; ++i)
            if (!toWindow(setup_, polygon_.vertex[i].position, polygon_.vertex[i].attributes, window[i])) return;
        setup(window, polygon_.count, count == 2);
    }

    const SetupState& setup_;
    const ShadedVertices& vertices_;
    ClipPolygon& polygon_;
    PrimitiveChunk& chunk_;
};

/// The chunk's vertices, each distinct one once: scratch.corners names them by their number in the cache.
void collectVertices(const DrawGeometry& geometry, uint64_t first, uint32_t count, GeometryScratch& scratch) {
    const Draw& draw = geometry.draw();
    const int corners = cornerCount(draw.primitive);
    scratch.cache.clear();
    scratch.corners.clear();
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t instance = static_cast<uint32_t>((first + i) / geometry.primitivesPerInstance());
        const uint32_t number = static_cast<uint32_t>((first + i) % geometry.primitivesPerInstance());
        uint32_t ordinals[3];
        primitiveCorners(draw.primitive, number, draw.count, ordinals);
        for (int c = 0; c < corners; ++c)
            scratch.corners.push_back(scratch.cache.add({vertexElement(draw, ordinals[c]), instance}));
    }
}

}  // namespace

DrawGeometry::DrawGeometry(const Draw& draw)
    : draw_(draw), vertexStage_(draw), setup_(makeSetupState(draw, vertexStage_.varyingCount())) {
    const bool allCulled = cornerCount(draw.primitive) == 3 && setup_.cull == CullFace::Both;
    if (setup_.bounds.empty() || allCulled) return;
    perInstance_ = pipeline::primitiveCount(draw.primitive, draw.count);
    primitives_ = uint64_t{perInstance_} * draw.instances;
}

void processChunk(const DrawGeometry& geometry, uint64_t first, uint32_t count, GeometryScratch& scratch,
                  ChunkGeometry& out) {
    if (geometry.abandoned.load(std::memory_order_relaxed)) return;
    collectVertices(geometry, first, count, scratch);
    out.vertices = scratch.cache.keys().size();
    if (!geometry.vertexStage().run(scratch.cache.keys(), scratch.registers, scratch.vertices, &out.instructions)) {
        geometry.abandoned.store(true, std::memory_order_relaxed);
        return;
    }
    PrimitiveStage stage(geometry.setup(), scratch.vertices, scratch.polygon, out.primitives);
    const int corners = cornerCount(geometry.draw().primitive);
    const uint32_t* corner = scratch.corners.data();
    for (uint32_t i = 0; i < count; ++i, corner += corners) {
        switch (corners) {
            case 1:
                stage.point(corner[0]);
                break;
            case 2:
                stage.line(corner);
                break;
            default:
                stage.triangle(corner);
        }
    }
    binPrimitives(out.primitives, 0, geometry.setup().samples, out.spans);
}

}  // namespace tessera::pipeline
