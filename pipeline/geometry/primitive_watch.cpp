#include "pipeline/geometry/primitive_watch.h"

#include <algorithm>
#include <utility>

#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::pipeline {

PrimitiveWatch::PrimitiveWatch(const DrawGeometry& geometry, const VertexCollector& collector, uint64_t first,
                               uint32_t count)
    : geometry_(geometry),
      collector_(collector),
      probe_(*geometry.machineProbe()),
      corners_(cornerCount(geometry.draw().primitive)),
      made_(count) {
    ProbedChunk chunk = {geometry.number(), first, count, collector.keys()};
    const Draw& draw = geometry.draw();
    const uint32_t perInstance = geometry.primitivesPerInstance();
    if (first / perInstance == (first + count - 1) / perInstance && draw.primitive != Primitive::LineLoop) {
        uint32_t low[3], high[3];
        drawCorners(draw, geometry.runs(), static_cast<uint32_t>(first % perInstance), low);
        drawCorners(draw, geometry.runs(), static_cast<uint32_t>((first + count - 1) % perInstance), high);
        const bool isFan = draw.primitive == Primitive::TriangleFan;  // its first vertex is read once
        chunk.firstOrdinal = *std::min_element(low + (isFan ? 1 : 0), low + corners_);
        chunk.ordinals = *std::max_element(high, high + corners_) + 1 - chunk.firstOrdinal;
    } else {
        chunk.ordinals = draw.count;
    }
    probe_.chunk(chunk);
}

void PrimitiveWatch::clipped(std::span<const uint32_t> corners, int left, const ShadedVertices& vertices) {
    atHand_.isClippedAway = left < corners_;
    if (atHand_.isClippedAway) return;
    const uint32_t* code = vertices.arrays().code;
    const uint32_t clipped = geometry_.setup().clippedDistances;
    const auto kept =
        std::ranges::count_if(corners, [&](uint32_t corner) { return (code[corner] & (kClipOutcode | clipped)) == 0; });
    atHand_.newVertices = static_cast<uint8_t>(left - kept);
}

void PrimitiveWatch::made(uint32_t number, PrimitiveChunk& chunk) {
    atHand_.any = chunk.primitives.size() != chunk.sources.size();
    chunk.sources.resize(chunk.primitives.size(), number);
    made_[number] = std::exchange(atHand_, {});
}

ProbedPrimitive PrimitiveWatch::cornersOf(uint32_t number) const {
    ProbedPrimitive primitive;
    primitive.corners = corners_;
    for (int c = 0; c < corners_; ++c) primitive.vertex[static_cast<size_t>(c)] = collector_.corner(c)[number];
    return primitive;
}

void PrimitiveWatch::tellRejected() {
    for (uint32_t number = 0; number < made_.size(); ++number) {
        ProbedPrimitive primitive = cornersOf(number);
        primitive.fate = PrimitiveFate::Outside;
        probe_.assembled(primitive);
    }
}

void PrimitiveWatch::tell(const ShadedVertices& vertices) {
    const uint32_t* code = vertices.arrays().code;
    for (uint32_t number = 0; number < made_.size(); ++number) {
        ProbedPrimitive primitive = cornersOf(number);
        uint32_t some = 0, all = ~0u;
        for (int c = 0; c < corners_; ++c) {
            const uint32_t one = code[primitive.vertex[static_cast<size_t>(c)]];
            some |= one, all &= one;
        }
        primitive.fate = fateOf(number, vertices);
        primitive.outcodes = static_cast<uint8_t>(
            primitive.fate == PrimitiveFate::Outside ? all & kViewOutcode : (some & kClipOutcode) >> kClipShift);
        primitive.newVertices = made_[number].newVertices;
        probe_.assembled(primitive);
    }
}

PrimitiveFate PrimitiveWatch::fateOf(uint32_t number, const ShadedVertices& vertices) const {
    if (made_[number].any) return PrimitiveFate::Drawn;
    const uint32_t rejecting = (corners_ == 3 ? kViewOutcode : kOutFar | kOutNear) | kDistanceCode;
    uint32_t some = 0, all = ~0u;
    for (int c = 0; c < corners_; ++c) {
        const uint32_t one = vertices.arrays().code[collector_.corner(c)[number]];
        some |= one, all &= one;
    }
    if ((all & rejecting) != 0 || (some & (kNotFinite | kNoPlace)) != 0 || made_[number].isClippedAway)
        return PrimitiveFate::Outside;
    return isCulled(number, vertices) ? PrimitiveFate::Facing : PrimitiveFate::Empty;
}

/// The sign of a triangle's area in the window is that of the determinant of its x, y and w.
bool PrimitiveWatch::isCulled(uint32_t number, const ShadedVertices& vertices) const {
    const SetupState& setup = geometry_.setup();
    if (corners_ != 3 || setup.cull == CullFace::None) return false;
    double x[3], y[3], w[3];
    for (int c = 0; c < 3; ++c) {
        const float* position = vertices.position(collector_.corner(c)[number]);
        x[c] = position[0], y[c] = position[1], w[c] = position[3];
    }
    const double area =
        x[0] * (y[1] * w[2] - y[2] * w[1]) - y[0] * (x[1] * w[2] - x[2] * w[1]) + w[0] * (x[1] * y[2] - x[2] * y[1]);
    const bool isFront = (area > 0) != setup.frontIsClockwise;
    return area != 0 && setup.cull == (isFront ? CullFace::Front : CullFace::Back);
}

}  // namespace tessera::pipeline
