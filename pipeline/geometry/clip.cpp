// Outcodes and homogeneous clipping. Distances, parameters and new positions are computed in double: the inputs are
// single, so a distance has one or two roundings and a new vertex lies on its plane to about 2^-50.
#include "pipeline/geometry/clip.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pipeline/geometry/formulas.h"

namespace tessera::pipeline {
namespace {

double distanceFrom(const ClipSpace& space, int plane, const ClipVertex& vertex) {
    if (plane >= kClipPlanes) return vertex.attributes[space.firstDistance + plane - kClipPlanes];
    return planeDistance(space, static_cast<Outcode>(1 << plane), vertex.position);
}

/// Of position and distances. A distance that is no number is outside.
uint16_t outcodeOf(const ClipSpace& space, const ClipVertex& vertex) {
    uint32_t code = clipOutcode(space, vertex.position);
    for (int i = 0; i < space.clipDistances; ++i)
        if (!(vertex.attributes[space.firstDistance + i] >= 0)) code |= 1u << (kClipPlanes + i);
    return static_cast<uint16_t>(code);
}

/// The vertex where the edge crosses the plane. The paper's C = t*C1 + (1-t)*C2 is written C1 + t*(C2 - C1), so that
/// what is equal at both ends stays exactly that, and C1 is the end nearer to the plane, so that a far end does not
/// cost the new vertex its precision. Where both ends are on the same side of another plane the new vertex is too,
/// whatever rounding says; that keeps shared edges the same when only one of the two primitives meets that plane.
void crossing(const ClipSpace& space, int plane, const ClipVertex& inner, const ClipVertex& outer, int attributeFloats,
              ClipVertex& to) {
    const double dInner = distanceFrom(space, plane, inner), dOuter = distanceFrom(space, plane, outer);
    const bool innerNearer = dInner <= -dOuter;
    const ClipVertex& c1 = innerNearer ? inner : outer;
    const ClipVertex& c2 = innerNearer ? outer : inner;
    const double t = (innerNearer ? dInner : dOuter) / (innerNearer ? dInner - dOuter : dOuter - dInner);
    for (int i = 0; i < 4; ++i) to.position[i] = c1.position[i] + t * (c2.position[i] - c1.position[i]);
    for (int i = 0; i < attributeFloats; ++i) {
        const double a = c1.attributes[i], b = c2.attributes[i];
        to.attributes[i] = static_cast<float>(a + t * (b - a));
    }
    const uint16_t computed = outcodeOf(space, to), differs = inner.outcode ^ outer.outcode;
    to.outcode = static_cast<uint16_t>(((computed & differs) | (inner.outcode & ~differs)) & ~(1 << plane));
}

/// A vertex has room for more attributes than most draws have: only theirs are copied.
void copy(const ClipVertex& from, int attributeFloats, ClipVertex& to) {
    std::copy_n(from.position, 4, to.position);
    to.outcode = from.outcode;
    std::copy_n(from.attributes, attributeFloats, to.attributes);
}

void clipAgainst(const ClipSpace& space, int plane, int attributeFloats, const ClipPolygon& from, ClipPolygon& to) {
    const auto bit = static_cast<uint16_t>(1 << plane);
    to.count = 0;
    const int edges = from.count == 2 ? 1 : from.count;  // a line has no way back
    if (edges == 1 && (from.vertex[0].outcode & bit) == 0) copy(from.vertex[0], attributeFloats, to.vertex[to.count++]);
    for (int i = 0; i < edges; ++i) {
        const ClipVertex& a = from.vertex[i];
        const ClipVertex& b = from.vertex[i + 1 == from.count ? 0 : i + 1];
        const bool aInside = (a.outcode & bit) == 0, bInside = (b.outcode & bit) == 0;
        // A convex polygon has one entry and one exit; should rounding make more, the array must not overflow.
        if (to.count + 2 > ClipPolygon::kMaxVertices) break;
        if (aInside && !bInside) crossing(space, plane, a, b, attributeFloats, to.vertex[to.count++]);
        if (!aInside && bInside) crossing(space, plane, b, a, attributeFloats, to.vertex[to.count++]);
        if (bInside) copy(b, attributeFloats, to.vertex[to.count++]);
    }
}

}  // namespace

uint8_t viewOutcode(const float (&position)[4]) { return static_cast<uint8_t>(viewCode(position)); }

bool isFinite(const float (&position)[4]) {
    for (int i = 0; i < 4; ++i)
        if (!std::isfinite(position[i])) return false;
    return true;
}

uint8_t clipOutcode(const ClipSpace& space, const double (&position)[4]) {
    return static_cast<uint8_t>(clipCode(space, position));
}

void loadClipVertex(const ClipSpace& space, const float position[4], const float* attributes, int attributeFloats,
                    ClipVertex& vertex) {
    for (int i = 0; i < 4; ++i) vertex.position[i] = position[i];
    std::memcpy(vertex.attributes, attributes, attributeFloats * sizeof(float));
    vertex.outcode = outcodeOf(space, vertex);
}

void clipPolygon(const ClipSpace& space, uint16_t planes, int attributeFloats, ClipPolygon& polygon) {
    ClipPolygon other;
    ClipPolygon* from = &polygon;
    ClipPolygon* to = &other;
    for (int plane = kAllClipPlanes - 1; plane >= 0 && from->count > 0; --plane) {
        if ((planes >> plane & 1) == 0) continue;
        clipAgainst(space, plane, attributeFloats, *from, *to);
        ClipPolygon* swap = from;
        from = to;
        to = swap;
    }
    if (from != &polygon) {
        polygon.count = from->count;
        for (int i = 0; i < from->count; ++i) copy(from->vertex[i], attributeFloats, polygon.vertex[i]);
    }
}

}  // namespace tessera::pipeline
