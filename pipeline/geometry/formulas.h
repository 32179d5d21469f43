// The formulas of clipping and setup, written once over lanes: of one vertex or triangle in clip.cpp and setup.cpp,
// which take what meets the clip volume, points and lines; of four to sixteen in geometry_simd.cpp. So both give the
// same bits.
//
// A lane type is a scalar or one of clang's vectors; conditions are bool, or vectors of lanes 0 and -1.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/simd.h"
#include "pipeline/geometry/setup.h"
#include "pipeline/samples.h"

namespace tessera::pipeline {

inline constexpr int kOne = 1 << kSubPixelBits;  ///< one pixel in fixed point
inline constexpr int kHalf = kOne / 2;

/// Largest integer coordinate setup accepts, a little beyond the guard band for rounding at the clip.
inline constexpr double kMaxFixed = (kGuardBand + 1.0) * kOne;

inline namespace TESSERA_SIMD {

using F32x4 = float __attribute__((ext_vector_type(4)));
using F64x4 = double __attribute__((ext_vector_type(4)));
using I32x4 = int32_t __attribute__((ext_vector_type(4)));
using U32x4 = uint32_t __attribute__((ext_vector_type(4)));
using I64x4 = int64_t __attribute__((ext_vector_type(4)));
using F32x8 = float __attribute__((ext_vector_type(8)));
using F64x8 = double __attribute__((ext_vector_type(8)));
using I32x8 = int32_t __attribute__((ext_vector_type(8)));
using U32x8 = uint32_t __attribute__((ext_vector_type(8)));
using I64x8 = int64_t __attribute__((ext_vector_type(8)));

// --- Lanes ---

template <class T>
inline constexpr bool kIsScalar = std::is_arithmetic_v<T>;

/// condition ? yes : no.
template <class Condition, class T>
inline T choose(Condition condition, T yes, T no) {
    if constexpr (kIsScalar<T>) {
        return condition ? yes : no;
    } else {
        return __builtin_bit_cast(
            T, (condition & __builtin_bit_cast(Condition, yes)) | (~condition & __builtin_bit_cast(Condition, no)));
    }
}

template <class Condition>
inline Condition both(Condition a, Condition b) {
    if constexpr (std::is_same_v<Condition, bool>) {
        return a && b;
    } else {
        return a & b;
    }
}
template <class Condition>
inline Condition either(Condition a, Condition b) {
    if constexpr (std::is_same_v<Condition, bool>) {
        return a || b;
    } else {
        return a | b;
    }
}

/// The same number in lanes of another type, rounded once where it has to be.
template <class To, class From>
inline To convert(From value) {
    if constexpr (kIsScalar<To>) {
        return static_cast<To>(value);
    } else {
        return __builtin_convertvector(value, To);
    }
}

/// The lesser and the greater of two integers, lane by lane.
template <class T>
inline T least(T a, T b) {
    return __builtin_elementwise_min(a, b);
}
template <class T>
inline T most(T a, T b) {
    return __builtin_elementwise_max(a, b);
}
template <class T>
inline T least(const T (&v)[3]) {
    return least(least(v[0], v[1]), v[2]);
}
template <class T>
inline T most(const T (&v)[3]) {
    return most(most(v[0], v[1]), v[2]);
}
template <class T>
inline T magnitude(T value) {
    return __builtin_elementwise_abs(value);
}

/// The lane type with the doubles, or 64-bit integers, of `T`'s lanes.
template <class T>
struct Wide;
template <>
struct Wide<int32_t> {
    using Integer = int64_t;
    using Real = double;
};
template <>
struct Wide<I32x4> {
    using Integer = I64x4;
    using Real = F64x4;
};
template <>
struct Wide<I32x8> {
    using Integer = I64x8;
    using Real = F64x8;
};
template <>
struct Wide<I32x16> {
    using Integer = I64x16;
    using Real = F64x16;
};

// --- Outcodes ---

inline uint32_t bitWhere(bool condition, uint32_t bit) { return condition ? bit : 0; }
inline I32x16 bitWhere(Mask16 condition, uint32_t bit) { return condition & static_cast<int32_t>(bit); }
inline I32x16 bitWhere(I64x16 condition, uint32_t bit) { return bitWhere(convert<Mask16>(condition), bit); }

/// Against the view volume, of clip coordinates in single precision. NaN counts as inside.
template <class Real>
inline auto viewCode(const Real (&p)[4]) {
    const Real w = p[3];
    return bitWhere(p[2] > w, kOutFar) | bitWhere(p[2] < -w, kOutNear) | bitWhere(p[1] > w, kOutTop) |
           bitWhere(p[1] < -w, kOutBottom) | bitWhere(p[0] > w, kOutRight) | bitWhere(p[0] < -w, kOutLeft);
}

/// Signed distance, not normalised, from a plane of the clip volume; inside where >= 0.
template <class Real>
[[gnu::always_inline]] inline Real planeDistance(const ClipSpace& space, Outcode plane, const Real (&p)[4]) {
    switch (plane) {
        case kOutFar:
            return p[3] - p[2];
        case kOutNear:
            return p[3] + p[2];
        case kOutTop:
            return (kGuardBand - space.offsetY) * p[3] - space.scaleY * p[1];
        case kOutBottom:
            return (kGuardBand + space.offsetY) * p[3] + space.scaleY * p[1];
        case kOutRight:
            return (kGuardBand - space.offsetX) * p[3] - space.scaleX * p[0];
        default:
            return (kGuardBand + space.offsetX) * p[3] + space.scaleX * p[0];
    }
}

/// Against the clip volume, of clip coordinates in double precision; each plane's bit moved left by `shift`.
template <class Real>
[[gnu::always_inline]] inline auto clipCode(const ClipSpace& space, const Real (&p)[4], int shift = 0) {
    const auto outside = [&](Outcode plane) {
        return bitWhere(planeDistance(space, plane, p) < 0.0, uint32_t{plane} << shift);
    };
    return outside(kOutFar) | outside(kOutNear) | outside(kOutTop) | outside(kOutBottom) | outside(kOutRight) |
           outside(kOutLeft);
}

// --- Window coordinates ---

/// A window position in sub-pixels, not rounded yet. `quotient` is the clip coordinate divided by w.
template <class Real>
inline Real windowPosition(double offset, double scale, Real quotient) {
    return (offset + scale * quotient) * static_cast<double>(kOne);
}

/// Whether the vertex has a place in the window; false for NaN.
template <class Real>
inline auto hasPlace(Real w, Real windowX, Real windowY) {
    return both(w > 0.0, both(magnitude(windowX) <= kMaxFixed, magnitude(windowY) <= kMaxFixed));
}

// --- Edges and bounds ---

/// Whether pixel centres exactly on the edge belong to the polygon on its left: when it is a left edge (downwards) or a
/// top edge (leftwards).
template <class Integer>
inline auto isTopLeft(Integer dx, Integer dy) {
    return either(dy < 0, both(dy == 0, dx < 0));
}

/// a, b and c of Edge.
template <class Integer>
struct EdgeLanes {
    Integer a, b, c;
};

/// The edge of a counter-clockwise polygon: inside is to the left. Where centres on the edge do not belong to it c is
/// lowered by one, which turns >= into > for these integers. Coordinates have 24 bits.
template <class Int>
inline auto makeEdge(Int fromX, Int fromY, Int toX, Int toY) {
    using Integer = typename Wide<Int>::Integer;
    const Int dx = toX - fromX, dy = toY - fromY;
    const Integer value =
        convert<Integer>(dx) * convert<Integer>(kHalf - fromY) - convert<Integer>(dy) * convert<Integer>(kHalf - fromX);
    const Int lowered = choose(isTopLeft(dx, dy), Int(0), Int(1));
    return EdgeLanes<Integer>{convert<Integer>(-dy) * kOne, convert<Integer>(dx) * kOne,
                              value - convert<Integer>(lowered)};
}

/// Twice the area, positive where counter-clockwise. Differences have 24 bits, products 48, so doubles are exact.
template <class Int>
inline auto signedArea(const Int (&x)[3], const Int (&y)[3]) {
    using Real = typename Wide<Int>::Real;
    return convert<Real>(x[1] - x[0]) * convert<Real>(y[2] - y[0]) -
           convert<Real>(x[2] - x[0]) * convert<Real>(y[1] - y[0]);
}

/// Inclusive, as PixelBounds.
template <class Int>
struct BoundsLanes {
    Int minX, minY, maxX, maxY;
};

/// Pixels that a box in sub-pixels can cover: those whose centre is in it, or with several samples those of whose
/// samples one may be.
template <class Int>
inline BoundsLanes<Int> pixelsOf(const SetupState& state, const BoundsLanes<Int>& box) {
    const int low = state.samples == 1 ? kHalf : kLowestSample, high = state.samples == 1 ? kHalf : kHighestSample;
    const auto first = [&](Int min) { return (min + (kOne - 1 - high)) >> kSubPixelBits; };
    const auto last = [&](Int max) { return (max - low) >> kSubPixelBits; };
    return {first(box.minX), first(box.minY), last(box.maxX), last(box.maxY)};
}

template <class Int>
inline BoundsLanes<Int> within(const BoundsLanes<Int>& box, const PixelBounds& bounds) {
    return {most(box.minX, Int(bounds.minX)), most(box.minY, Int(bounds.minY)), least(box.maxX, Int(bounds.maxX)),
            least(box.maxY, Int(bounds.maxY))};
}

/// The pixel that a primitive's planes are relative to.
template <class Int>
struct OriginLanes {
    Int x, y;
};
/// The middle of the part of the viewport, so that values on the screen are small sums even when most of the primitive
/// is far outside.
template <class Int>
inline OriginLanes<Int> originOf(const SetupState& state, const BoundsLanes<Int>& box) {
    const BoundsLanes<Int> seen = within(box, state.viewport);
    return {(seen.minX + seen.maxX) >> 1, (seen.minY + seen.maxY) >> 1};
}

// --- Planes ---

/// A linear function over the window, from its values at three vertices: gradients per pixel of value differences
/// against the first, d/dx = dx1 * (f1 - f0) + dx2 * (f2 - f0), d/dy likewise.
template <class Value>
struct Gradients {
    Value dx1, dx2, dy1, dy2;
    Value originX, originY;  ///< lower left corner of the origin pixel, relative to the first vertex
};

template <class Int>
inline auto triangleGradients(const Int (&x)[3], const Int (&y)[3], typename Wide<Int>::Real area,
                              const OriginLanes<Int>& origin) {
    using Real = typename Wide<Int>::Real;
    const Real scale = static_cast<double>(kOne) / area;
    return Gradients<Real>{convert<Real>(y[2] - y[0]) * scale,
                           convert<Real>(y[0] - y[1]) * scale,
                           convert<Real>(x[0] - x[2]) * scale,
                           convert<Real>(x[1] - x[0]) * scale,
                           convert<Real>(origin.x) - convert<Real>(x[0]) / static_cast<double>(kOne),
                           convert<Real>(origin.y) - convert<Real>(y[0]) / static_cast<double>(kOne)};
}

/// base, dx and dy of Plane.
template <class Single>
struct PlaneLanes {
    Single base, dx, dy;
};

/// `bias` is added to the values. Equal ones, infinite ones too, have slopes of 0. Gradients may be one triangle's for
/// several planes.
template <class Single, class Real, class Value>
inline PlaneLanes<Single> makePlane(const Gradients<Value>& g, Real f0, Real f1, Real f2, Real bias) {
    const auto isFlat = both(f0 == f1, f0 == f2);
    const Real gx = choose(isFlat, Real(0), Real(g.dx1 * (f1 - f0) + g.dx2 * (f2 - f0)));
    const Real gy = choose(isFlat, Real(0), Real(g.dy1 * (f1 - f0) + g.dy2 * (f2 - f0)));
    return {convert<Single>(f0 + gx * g.originX + gy * g.originY + bias), convert<Single>(gx), convert<Single>(gy)};
}

/// 2^e of a double (1 + f) * 2^e, 0 <= f < 1; 0 of 0.
template <class Real>
inline Real powerOfTwoOf(Real value) {
    using Bits = std::conditional_t<kIsScalar<Real>, int64_t, decltype(value < value)>;
    return __builtin_bit_cast(Real, __builtin_bit_cast(Bits, value) & Bits(0x7FF0000000000000));
}

/// Section 3.5.2, EXT_polygon_offset_clamp. A NaN stays one.
template <class Real>
inline Real polygonOffset(const SetupState& state, const Gradients<Real>& g, Real z0, Real z1, Real z2) {
    if (state.offsetFactor == 0 && state.offsetUnits == 0) return Real(0);
    const Real slopeX = magnitude(g.dx1 * (z1 - z0) + g.dx2 * (z2 - z0));
    const Real slopeY = magnitude(g.dy1 * (z1 - z0) + g.dy2 * (z2 - z0));
    const Real steepest = choose(slopeX < slopeY, slopeY, slopeX);
    Real units = Real(state.offsetUnits);
    if (state.offsetFollowsDepth) {
        const Real z[3] = {magnitude(z0), magnitude(z1), magnitude(z2)};
        units *= powerOfTwoOf(most(z));
    }
    const Real offset = steepest * state.offsetFactor + units;
    const Real bounded = choose(offset < state.leastOffset, Real(state.leastOffset), offset);
    return choose(bounded > state.mostOffset, Real(state.mostOffset), bounded);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
