// Setup: viewport transformation, fixed point, facing and culling, edge equations and attribute planes
// (OpenGL ES 2.0.25, sections 2.12.1, 3.3, 3.4, 3.5; seed 004, section 2.2: edge equations from an initial point).
//
// Window positions are rounded to 1/256 pixel, to nearest even, and from there on everything is exact or computed once
// in double: the area's sign and the edges are integers; a plane's three coefficients are computed in double from the
// rounded positions and each rounded once to single. They are a pure function of the primitive's vertices and the
// viewport; scissor, target size and neighbours do not change them (appendix A of the specification, rule 2).
//
// A value that is equal at all vertices has a plane with dx = dy = 0. Flat varyings have the bits of one vertex for a
// base, and no slopes; they are not divided by w.
#pragma once

#include <limits>

#include "pipeline/geometry/clip.h"
#include "pipeline/geometry/primitive.h"
#include "pipeline/raster_state.h"

namespace tessera::pipeline {

inline constexpr int kMaxLineWidth = 64;
inline constexpr int kMaxPointSize = 256;

/// What setup needs of a draw's state.
struct SetupState {
    ClipSpace space;                     ///< viewport transformation in x and y
    double scaleZ = 0.5, offsetZ = 0.5;  ///< and in z
    PixelBounds bounds;                  ///< viewport, target and scissor: where fragments may be
    PixelBounds viewport;                ///< the viewport's pixels that any target could have
    CullFace cull = CullFace::None;
    bool frontIsClockwise = false;
    double offsetFactor = 0, offsetUnits = 0;  ///< polygon offset, units already times the smallest depth step
    bool offsetFollowsDepth = false;           ///< that step is of a depth of 1, and a primitive's that of its largest
    double leastOffset = -std::numeric_limits<double>::infinity();
    double mostOffset = std::numeric_limits<double>::infinity();
    int samples = 1;
    int lineWidth = 1;          ///< rounded to pixels
    double exactLineWidth = 1;  ///< with several samples
    int attributeFloats = 0;    ///< four for each varying
    uint32_t flatVaryings = 0;  ///< bit k: varying k of the attributes is Interpolation::Flat
    // Codes of vertices (geometry_functions.h)
    uint32_t ignoredCodes = 0;      ///< of near and far, where nothing is clipped there
    uint32_t clippedDistances = 0;  ///< of clip distances; those of cull distances reject alone
    int clippedFloats = 0;          ///< of a vertex that is clipped: the attributes, and distances behind them
};
[[nodiscard]] SetupState makeSetupState(const Draw& draw, int varyingCount, uint32_t flatVaryings);

/// A vertex in window space.
struct WindowVertex {
    int32_t x = 0, y = 0;  ///< in 1/256 pixel
    double z = 0, inverseW = 1;
    const float* attributes = nullptr;
};

/// False when the position has no place in the window: w <= 0, not finite, or beyond the guard band.
[[nodiscard]] bool toWindow(const SetupState& state, const double position[4], const float* attributes,
                            WindowVertex& vertex);

// `provoking`: the attributes of the vertex whose values flat varyings have; that of the primitive as it was drawn, not
// one that clipping made.

/// A convex polygon, fanned into triangles. Facing and culling follow the area of the whole polygon.
void setupPolygon(const SetupState& state, const WindowVertex* vertices, int count, const float* provoking,
                  PrimitiveChunk& chunk);

/// A line of any width. With several samples it is a rectangle of that width along its true direction (section 3.4.4).
/// Without, a line of w pixels is w thin lines side by side in the minor direction, each with the values
/// of the first, which is what section 3.4.2.1 says of columns of fragments.
void setupLine(const SetupState& state, const WindowVertex& from, const WindowVertex& to, const float* provoking,
               PrimitiveChunk& chunk);

/// A point sprite: a square of `size` pixels, clamped to 1 .. kMaxPointSize (NaN gives 1).
void setupPoint(const SetupState& state, const WindowVertex& center, float size, PrimitiveChunk& chunk);

}  // namespace tessera::pipeline
