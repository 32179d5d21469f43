// Outcodes and clipping in homogeneous space (seed 004, section 2.2: Cohen-Sutherland region codes against w, new
// vertices C = t*C1 + (1-t)*C2; polygons by Sutherland and Hodgman's method, plane after plane).
//
// The outcode of the view volume only rejects. What is clipped is the clip volume: the view volume's near and far
// planes, and in x and y a guard band around the window, so that most primitives which cross the edge of the
// viewport are not clipped at all; the pixel bounds of setup do the rest. Beyond near and far, w > 0 follows from
// z <= w and z >= -w, except for the point at the origin, which setup drops.
//
// A draw may have half spaces of its own (EXT_clip_cull_distance): of them the vertices bring their distances, as
// floats among their attributes. They are six to thirteen of the planes.
//
// Clipping is watertight: an edge that crosses a plane has one end inside and one outside, whichever primitive it is
// looked at from, and the new vertex is computed from the inner to the outer end. So two primitives that share an
// edge get the same bits for the new vertex.
#pragma once

#include <cstdint>

#include "pipeline/program.h"
#include "shader-core/isa/core.h"

namespace tessera::pipeline {

/// Bits of an outcode as seed 004 writes them: {z > w, z < -w, y > w, y < -w, x > w, x < -w}, so that 100000 is a
/// vertex beyond the far plane.
enum Outcode : uint8_t {
    kOutFar = 0b100000,     ///< z > w
    kOutNear = 0b010000,    ///< z < -w
    kOutTop = 0b001000,     ///< y > w
    kOutBottom = 0b000100,  ///< y < -w
    kOutRight = 0b000010,   ///< x > w
    kOutLeft = 0b000001,    ///< x < -w
};
inline constexpr int kClipPlanes = 6;                               ///< of the clip volume
inline constexpr int kAllClipPlanes = kClipPlanes + kMaxDistances;  ///< and those of clip distances

/// A vertex inside the guard band lies within this many pixels of window coordinate 0, in x and in y.
inline constexpr int kGuardBand = 16384;

/// Six-bit outcode of clip coordinates against the view volume. NaN counts as inside: see isFinite().
[[nodiscard]] uint8_t viewOutcode(const float (&position)[4]);
[[nodiscard]] bool isFinite(const float (&position)[4]);

/// Clip coordinates to window coordinates: window = offset + scale * clip / w.
struct ClipSpace {
    double scaleX = 1, offsetX = 0, scaleY = 1, offsetY = 0;
    int firstDistance = 0, clipDistances = 0;  ///< where in a vertex's attributes clip distances are, and how many
};

inline constexpr int kMaxAttributeFloats = 4 * isa::kMaxVaryings + kMaxDistances;

struct ClipVertex {
    double position[4] = {};
    uint16_t outcode = 0;  ///< against the clip volume; above kClipPlanes, against clip distances
    float attributes[kMaxAttributeFloats];
};

/// Makes a vertex with its outcode from a shaded one.
void loadClipVertex(const ClipSpace& space, const float position[4], const float* attributes, int attributeFloats,
                    ClipVertex& vertex);

/// Outcode of a position against the clip volume: near, far and the guard band.
[[nodiscard]] uint8_t clipOutcode(const ClipSpace& space, const double (&position)[4]);

/// A convex polygon while it is clipped: each plane adds one vertex at most to the three of a triangle (the array has
/// some more places, for what rounding might do).
struct ClipPolygon {
    static constexpr int kMaxVertices = 24;
    int count = 0;
    ClipVertex vertex[kMaxVertices];
};

/// Clips against the planes whose bits are in `planes`, those of distances first, then from the far plane to the left
/// one; the polygon may become empty (count 0). A line is a polygon of two vertices.
void clipPolygon(const ClipSpace& space, uint16_t planes, int attributeFloats, ClipPolygon& polygon);

}  // namespace tessera::pipeline
