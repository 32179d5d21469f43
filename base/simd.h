// Sixteen-lane vectors: one 4x4 pixel block, one cache line, one 512-bit register.
//
// Everything per-pixel in Tessera is written over these types. Clang splits them for narrower hosts,
// so the same source gives the same bytes on every SIMD level. Lane order in a block is row-major:
// lane = y * 4 + x, so the horizontal quad neighbour is lane ^ 1 and the vertical one is lane ^ 4.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/simd_levels.h"

// Hot files are compiled once for each SIMD level (see cmake/simd.cmake); everything they define lives in
// this namespace so that the copies do not meet. Elsewhere it is the copy of the least level.
#ifndef TESSERA_SIMD
#define TESSERA_SIMD TESSERA_LEAST_SIMD_LEVEL
#endif

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define TESSERA_HAS_FMA 1
#endif

namespace tessera {

inline constexpr int kBlockSize = 4;    ///< pixels along one side of a block
inline constexpr int kBlockLanes = 16;  ///< pixels in a block

inline namespace TESSERA_SIMD {

using F32x16 = float __attribute__((ext_vector_type(16)));
using I32x16 = int32_t __attribute__((ext_vector_type(16)));
using U32x16 = uint32_t __attribute__((ext_vector_type(16)));
using F64x16 = double __attribute__((ext_vector_type(16)));
using I64x16 = int64_t __attribute__((ext_vector_type(16)));
using U64x16 = uint64_t __attribute__((ext_vector_type(16)));

/// A comparison of two vectors gives I32x16 with lanes 0 or -1: a lane mask.
using Mask16 = I32x16;

inline F32x16 splat(float x) { return F32x16(x); }
inline I32x16 splat(int32_t x) { return I32x16(x); }
inline U32x16 splat(uint32_t x) { return U32x16(x); }

inline F32x16 asFloat(I32x16 x) { return __builtin_bit_cast(F32x16, x); }
inline F32x16 asFloat(U32x16 x) { return __builtin_bit_cast(F32x16, x); }
inline I32x16 asInt(F32x16 x) { return __builtin_bit_cast(I32x16, x); }
inline I32x16 asInt(U32x16 x) { return __builtin_bit_cast(I32x16, x); }
inline U32x16 asUint(F32x16 x) { return __builtin_bit_cast(U32x16, x); }
inline U32x16 asUint(I32x16 x) { return __builtin_bit_cast(U32x16, x); }

/// mask ? a : b for each lane; `mask` lanes are 0 or -1.
inline I32x16 select(Mask16 mask, I32x16 a, I32x16 b) { return (mask & a) | (~mask & b); }
inline U32x16 select(Mask16 mask, U32x16 a, U32x16 b) { return asUint(select(mask, asInt(a), asInt(b))); }
#if defined(__aarch64__)
/// The same mask, which the compiler knows nothing of. Where y is a number it takes "x < y ? x : y" for minNum of
/// IEEE-754, which makes a NaN of a signalling one (docs/adr/0019-selections-compare-copies.md).
inline Mask16 opaque(Mask16 mask) {
    using Register = int32_t __attribute__((ext_vector_type(4)));
    Register part[4];
    std::memcpy(part, &mask, sizeof mask);
    for (Register& lanes : part) asm("" : "+w"(lanes));
    std::memcpy(&mask, part, sizeof mask);
    return mask;
}
#else
inline Mask16 opaque(Mask16 mask) { return mask; }
#endif
inline F32x16 select(Mask16 mask, F32x16 a, F32x16 b) { return asFloat(select(opaque(mask), asInt(a), asInt(b))); }

/// Exact conversions and roundings; F32 to I32 needs |x| < 2^31 (callers clamp first).
inline F32x16 toFloat(I32x16 x) { return __builtin_convertvector(x, F32x16); }
inline F32x16 toFloat(U32x16 x) { return __builtin_convertvector(x, F32x16); }
inline I32x16 truncToInt(F32x16 x) { return __builtin_convertvector(x, I32x16); }

inline F32x16 floor(F32x16 x) { return __builtin_elementwise_floor(x); }
inline F32x16 trunc(F32x16 x) { return __builtin_elementwise_trunc(x); }
inline F32x16 roundEven(F32x16 x) { return __builtin_elementwise_roundeven(x); }
inline F32x16 abs(F32x16 x) { return asFloat(asInt(x) & 0x7fffffff); }
inline F32x16 sqrt(F32x16 x) { return __builtin_elementwise_sqrt(x); }

/// x < y ? x : y: the second operand when either is NaN (the minps of x86; not the ISA's MIN).
#if defined(__aarch64__)
inline F32x16 minPs(F32x16 x, F32x16 y) { return select(x < y, x, y); }
inline F32x16 maxPs(F32x16 x, F32x16 y) { return select(x > y, x, y); }
#else
inline F32x16 minPs(F32x16 x, F32x16 y) { return x < y ? x : y; }
inline F32x16 maxPs(F32x16 x, F32x16 y) { return x > y ? x : y; }
#endif
inline F32x16 clamp(F32x16 x, float lo, float hi) { return minPs(maxPs(x, splat(lo)), splat(hi)); }
inline I32x16 min(I32x16 x, I32x16 y) { return __builtin_elementwise_min(x, y); }
inline I32x16 max(I32x16 x, I32x16 y) { return __builtin_elementwise_max(x, y); }

#ifdef TESSERA_HAS_FMA
/// a * b + c with one rounding on every host.
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) { return __builtin_elementwise_fma(a, b, c); }

/// The same for operands of which it is known that rounding to double first makes no difference.
inline F32x16 fmaByDouble(F32x16 a, F32x16 b, F32x16 c) { return fma(a, b, c); }
#else
/// Without FMA hardware the product is exact in double; the sum is rounded to odd so that the final rounding to single
/// is the only one that counts.
[[gnu::noinline]] inline F32x16 fmaToOdd(const F32x16& a, const F32x16& b, const F32x16& c) {
    F64x16 product = __builtin_convertvector(a, F64x16) * __builtin_convertvector(b, F64x16);
    F64x16 addend = __builtin_convertvector(c, F64x16);
    F64x16 sum = product + addend;
    F64x16 bb = sum - product;                              // Knuth's two-sum
    F64x16 error = (product - (sum - bb)) + (addend - bb);  // exact: sum + error == product + addend
    I64x16 bits = __builtin_bit_cast(I64x16, sum);
    I64x16 inexact = (error != 0.0) & (error == error);
    I64x16 even = (bits & 1) == 0;
    // Toward the error: one ulp of magnitude up where error and sum agree in sign, down where they do not.
    I64x16 agree = (__builtin_bit_cast(I64x16, error) ^ bits) >= 0;
    I64x16 finite = (bits & 0x7ff0000000000000) != 0x7ff0000000000000;
    bits += inexact & even & finite & (agree ? I64x16(1) : I64x16(-1));
    return __builtin_convertvector(__builtin_bit_cast(F64x16, bits), F32x16);
}

using F32x4 = float __attribute__((ext_vector_type(4)));
using F64x4 = double __attribute__((ext_vector_type(4)));

/// Rounds doubles to singles, and knows whether rounding once, before they were doubles, could have given others. It
/// could where a double lies halfway between two singles, as the digits that it lost then decide; and where the single
/// is denormal, or the first that is not, which moves the halves. (Zero is right: of a product of singles and a single,
/// a sum that small was exact.)
class SecondRounding {
public:
    F32x4 operator()(F64x4 sum) {
        using U32x8 = uint32_t __attribute__((ext_vector_type(8)));
        const U32x8 halves = __builtin_bit_cast(U32x8, sum);
        const U32x4 low = __builtin_shufflevector(halves, halves, 0, 2, 4, 6);
        const F32x4 single = __builtin_convertvector(sum, F32x4);
        const U32x4 bits = __builtin_bit_cast(U32x4, single);
        halfway_ |= low << 3u == 0x80000000u;  // of the 29 bits that singles lack, the first alone
        least_ = __builtin_elementwise_min(least_, bits + bits - 1u);
        return single;
    }
    [[nodiscard]] bool isInDoubt() const { return __builtin_reduce_or(halfway_ | (least_ < 2u * 0x00800000u)) != 0; }

private:
    using U32x4 = uint32_t __attribute__((ext_vector_type(4)));
    using Mask4 = int32_t __attribute__((ext_vector_type(4)));
    Mask4 halfway_ = 0;
    U32x4 least_ = ~0u;  ///< of twice the bits, less one, so that zero is the largest
};

/// a * b + c with one rounding on every host: in doubles, rounded twice where that is the same.
inline F32x16 fma(F32x16 a, F32x16 b, F32x16 c) {
    SecondRounding round;
    const auto quarter = [&](F32x4 x, F32x4 y, F32x4 z) {
        return round(__builtin_convertvector(x, F64x4) * __builtin_convertvector(y, F64x4) +
                     __builtin_convertvector(z, F64x4));
    };
    const F32x4 q0 = quarter(a.s0123, b.s0123, c.s0123), q1 = quarter(a.s4567, b.s4567, c.s4567),
                q2 = quarter(a.s89ab, b.s89ab, c.s89ab), q3 = quarter(a.scdef, b.scdef, c.scdef);
    if (__builtin_expect(round.isInDoubt(), false)) {
        const F32x16 x = a, y = b, z = c;
        return fmaToOdd(x, y, z);
    }
    F32x16 result;
    result.s0123 = q0, result.s4567 = q1, result.s89ab = q2, result.scdef = q3;
    return result;
}

/// The same for operands of which it is known that rounding to double first makes no difference.
inline F32x16 fmaByDouble(F32x16 a, F32x16 b, F32x16 c) {
    const auto toDouble = [](F32x16 x) { return __builtin_convertvector(x, F64x16); };
    return __builtin_convertvector(toDouble(a) * toDouble(b) + toDouble(c), F32x16);
}
#endif

/// Bit i set where lane i of the mask is set, and back.
inline uint32_t toBits(Mask16 mask) {
#if defined(__AVX2__) && !defined(__AVX512F__)
    struct Halves {
        float low __attribute__((vector_size(32))), high __attribute__((vector_size(32)));
    };
    const Halves halves = __builtin_bit_cast(Halves, mask);
    return static_cast<uint32_t>(__builtin_ia32_movmskps256(halves.low) | __builtin_ia32_movmskps256(halves.high) << 8);
#else
    using Bool16 = bool __attribute__((ext_vector_type(16)));
    Bool16 bits = __builtin_convertvector(mask != 0, Bool16);
    return __builtin_bit_cast(uint16_t, bits);
#endif
}
inline Mask16 fromBits(uint32_t bits) {
    constexpr U32x16 laneBit = {1u << 0, 1u << 1, 1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
                                1u << 8, 1u << 9, 1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15};
    return (splat(bits) & laneBit) != 0u;
}
inline bool any(Mask16 mask) { return toBits(mask) != 0; }

/// x and y offset of each lane in its block.
inline constexpr I32x16 kLaneX = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
inline constexpr I32x16 kLaneY = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};

template <class Vector, class Element>
inline Vector load(const Element* p) {
    static_assert(sizeof(Vector) == 16 * sizeof(Element));
    Vector v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
template <class Vector, class Element>
inline void store(Element* p, Vector v) {
    static_assert(sizeof(Vector) == 16 * sizeof(Element));
    std::memcpy(p, &v, sizeof v);
}

}  // namespace TESSERA_SIMD
}  // namespace tessera
