// Interpolation: attribute values of a 4x4 block from plane equations.
//
// A perspective-correct attribute is (a/w) / (1/w), both of which are affine in window space (OpenGL ES 2.0.25,
// equation 3.6; J. Blinn, "Hyperbolic Interpolation", 1992). Planes are evaluated afresh for each pixel, in the
// order primitive.h states, never stepped from a neighbour, so a value depends on the pixel and the primitive only.
#pragma once

#include "base/simd.h"
#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Places of a block's pixels relative to a primitive's origin: exact, as |x - origin| < 2^23.
struct PixelPlaces {
    F32x16 x, y;
};
/// Places that all rows have the same four x of, and all columns the same four y.
struct BlockPosition : PixelPlaces {};
inline BlockPosition blockPosition(const SetupPrimitive& primitive, int blockX, int blockY) {
    const I32x16 x = splat(blockX * kBlockSize - primitive.originX) + kLaneX;
    const I32x16 y = splat(blockY * kBlockSize - primitive.originY) + kLaneY;
    return {toFloat(x) + 0.5f, toFloat(y) + 0.5f};
}

/// The same moved by (x, y) pixels, a multiple of 1/8 for samples: exact as well.
inline BlockPosition moved(const BlockPosition& at, float x, float y) { return {at.x + x, at.y + y}; }

inline F32x16 evaluate(const Plane& plane, const PixelPlaces& at) {
    return fma(splat(plane.dx), at.x, fma(splat(plane.dy), at.y, splat(plane.base)));
}

#ifndef TESSERA_HAS_FMA
/// The same where fma() is emulated: what is not the sum of both coordinates' parts is computed for four lanes.
inline F32x16 evaluate(const Plane& plane, const BlockPosition& at) {
    const auto toDouble = [](F32x4 x) { return __builtin_convertvector(x, F64x4); };
    SecondRounding round;
    const F32x4 rows = round(F64x4(plane.dy) * toDouble(at.y.s048c) + F64x4(plane.base));
    const F64x4 product = F64x4(plane.dx) * toDouble(at.x.s0123);
    F32x16 value;
    value.s0123 = round(product + F64x4(rows[0]));
    value.s4567 = round(product + F64x4(rows[1]));
    value.s89ab = round(product + F64x4(rows[2]));
    value.scdef = round(product + F64x4(rows[3]));
    if (__builtin_expect(round.isInDoubt(), false)) return evaluate(plane, static_cast<const PixelPlaces&>(at));
    return value;
}
#endif

/// The one NaN that programs see, whichever operand order the compiler chose.
inline F32x16 canonicalNan(F32x16 value) { return select(value == value, value, asFloat(splat(0x7fc00000))); }

/// Window z, clamped to 0..1; NaN gives 0.
template <class Places>
inline F32x16 evaluateDepth(const SetupPrimitive& primitive, const Places& at) {
    return clamp(evaluate(primitive.depth, at), 0.0f, 1.0f);
}

/// w of clip space: 1 / (1/w), one IEEE division.
template <class Places>
inline F32x16 evaluateW(const SetupPrimitive& primitive, const Places& at) {
    return splat(1.0f) / evaluate(primitive.inverseW, at);
}

/// Perspective-correct value of the attribute whose plane is a/w.
template <class Places>
inline F32x16 evaluateAttribute(const Plane& plane, const Places& at, F32x16 w) {
    return canonicalNan(evaluate(plane, at) * w);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
