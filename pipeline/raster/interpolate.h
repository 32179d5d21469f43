// Interpolation: attribute values of a 4x4 block from plane equations.
//
// A perspective-correct attribute is (a/w) / (1/w), both of which are affine in window space (OpenGL ES 2.0.25,
// equation 3.6; J. Blinn, "Hyperbolic Interpolation", 1992). Planes are evaluated afresh for each pixel, in the
// order primitive.h states, never stepped from a neighbour, so a value depends on the pixel and the primitive only. The
// plane of a flat varying is not evaluated: its base is copied.
#pragma once

#include <algorithm>

#include "base/simd.h"
#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Places of a block's pixels relative to a primitive's origin: exact, as |x - origin| < 2^23.
struct PixelPlaces {
    F32x16 x, y;
};
/// Places that all rows have the same four x of, and all columns the same four y.
struct BlockPosition : PixelPlaces {
#ifdef TESSERA_HAS_FMA
    BlockPosition() = default;
    BlockPosition(F32x16 x, F32x16 y) : PixelPlaces{x, y} {}
#else
    F64x4 columns, rows;  ///< the four x and the four y, for an emulated fma()

    BlockPosition() = default;
    BlockPosition(F32x16 x, F32x16 y)
        : PixelPlaces{x, y},
          columns(__builtin_convertvector(x.s0123, F64x4)),
          rows(__builtin_convertvector(y.s048c, F64x4)) {}
#endif
};
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

#ifdef TESSERA_HAS_FMA
/// A plane to evaluate for many blocks.
class BlockPlane {
public:
    static constexpr bool kKeepsRows = false;
    explicit BlockPlane(const Plane& plane) : plane_(plane) {}
    F32x16 operator()(const BlockPosition& at) const { return evaluate(plane_, at); }
    /// The same; `isSameRow`: at the y of the last block that was asked for.
    F32x16 next(const BlockPosition& at, bool) const { return evaluate(plane_, at); }

private:
    const Plane plane_;
};
#else
/// Where fma() is emulated in doubles, what is not the sum of both coordinates' parts is computed for four lanes, and
/// rounding twice is looked out for only if it can do harm.
class BlockPlane {
public:
    static constexpr bool kKeepsRows = true;  ///< next() looks at isSameRow
    explicit BlockPlane(const Plane& plane) : plane_(plane), isExact_(isExactInDouble(plane)) {}
    F32x16 operator()(const BlockPosition& at) const {
        if (__builtin_expect(isExact_, true))
            return inDouble(at, [](F64x4 sum) { return __builtin_convertvector(sum, F32x4); });
        SecondRounding round;
        const F32x16 value = inDouble(at, round);
        if (__builtin_expect(round.isInDoubt(), false)) return evaluate(plane_, static_cast<const PixelPlaces&>(at));
        return value;
    }
    /// The same; `isSameRow`: at the y of the last block that was asked for.
    F32x16 next(const BlockPosition& at, bool isSameRow) {
        if (__builtin_expect(!isExact_, false)) return (*this)(at);
        const auto toSingle = [](F64x4 sum) { return __builtin_convertvector(sum, F32x4); };
        if (!isSameRow) rows_ = __builtin_convertvector(rowSums(at, toSingle), F64x4);
        return sums(at, rows_, toSingle);
    }

    /// What holds for the places of all pixels that are drawn: |x| < 2^kPlaceBits, and x is a multiple of
    /// 2^-kPlaceFraction.
    static constexpr int kPlaceBits = 16, kPlaceFraction = 3;
    static_assert(2 * kMaxRenderSize < 1 << kPlaceBits);

    /// Whether doubles hold a plane's sums at all these places without rounding: the digits of its products and of its
    /// base lie within 53 bits. (A sum that was rounded to single has no digits below those of its parts.)
    static bool isExactInDouble(const Plane& plane) {
        int highest = 0,
            lowest = 1 << 10;  // exponents of the highest digit, and of the lowest as if it were the highest
        const auto include = [&](float value, int placeBits, int fraction) {
            if (value == 0) return;
            const int exponent = std::max(1, static_cast<int>(__builtin_bit_cast(uint32_t, value) << 1 >> 24));
            highest = std::max(highest, exponent + placeBits);
            lowest = std::min(lowest, exponent - fraction);
        };
        include(plane.dx, kPlaceBits, kPlaceFraction);
        include(plane.dy, kPlaceBits, kPlaceFraction);
        include(plane.base, 0, 0);
        // Each part is below 2^(highest + 1), the sum of three below 2^(highest + 3).
        return highest + 3 - (lowest - 23) <= 53;
    }

private:
    template <class Rounding>
    F32x16 inDouble(const BlockPosition& at, Rounding&& round) const {
        return sums(at, __builtin_convertvector(rowSums(at, round), F64x4), round);
    }
    /// The inner sum of each row, rounded.
    template <class Rounding>
    F32x4 rowSums(const BlockPosition& at, Rounding&& round) const {
        return round(F64x4(plane_.dy) * at.rows + F64x4(plane_.base));
    }
    template <class Rounding>
    F32x16 sums(const BlockPosition& at, F64x4 rows, Rounding&& round) const {
        const F64x4 product = F64x4(plane_.dx) * at.columns;
        F32x16 value;
        value.s0123 = round(product + F64x4(rows[0]));
        value.s4567 = round(product + F64x4(rows[1]));
        value.s89ab = round(product + F64x4(rows[2]));
        value.scdef = round(product + F64x4(rows[3]));
        return value;
    }

    const Plane plane_;
    const bool isExact_;
    F64x4 rows_ = {};  ///< rowSums() of the last block
};
inline F32x16 evaluate(const Plane& plane, const BlockPosition& at) { return BlockPlane(plane)(at); }
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
