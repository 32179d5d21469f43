// The transcendental function unit: rcp, rsq, sqt, ex2, lg2, sin, cos and pow, defined to the bit.
//
// Each function is a range reduction and a polynomial; there are no tables. Every step is a basic IEEE-754 operation
// rounded to nearest even, and a fused multiply-add only where fma() is written, so any machine that does IEEE
// arithmetic gets the same bits. Denormals are ordinary numbers; a NaN result is 0x7fc00000.
// doc/tfu.md restates the algorithms for implementers and gives the measured error bounds.
//
// Sources: Cody and Waite, Software Manual for the Elementary Functions (1980), for the reductions; Muller,
// Elementary Functions (2016), for their analysis. The coefficients are minimax fits made for this file.
#pragma once

#include "base/simd.h"

namespace tessera::isa::tfu {
inline namespace TESSERA_SIMD {

inline constexpr uint32_t kNan = 0x7fc00000;

/// Canonical NaN where `ok` is false.
inline F32x16 nanUnless(Mask16 ok, F32x16 x) { return select(ok, x, asFloat(splat(kNan))); }
/// Canonical NaN for any NaN.
inline F32x16 canonical(F32x16 x) { return nanUnless(x == x, x); }

// Functions that end in AnyNan are those of the definition but that a NaN among the results can be any one. Compiled
// code calls these: it makes NaNs canonical where their bits can be seen, which is seldom.

/// Within -limit..limit; NaN stays NaN, by the order of the operands.
inline F32x16 within(F32x16 x, float limit) { return minPs(splat(limit), maxPs(splat(-limit), x)); }

/// x odd ? a : b.
inline F32x16 selectOdd(I32x16 x, F32x16 a, F32x16 b) {
#if defined(__AVX2__) && !defined(__AVX512F__)
    // Selections look at signs, and one shift makes a sign of the last bit. The compiler would test the bit: a mask, a
    // comparison, and two registers for their constants.
    struct Halves {
        float low __attribute__((vector_size(32))), high __attribute__((vector_size(32)));
    };
    const auto halves = [](auto v) { return __builtin_bit_cast(Halves, v); };
    const Halves sign = halves(x << 31), one = halves(a), other = halves(b);
    return __builtin_bit_cast(F32x16, Halves{__builtin_ia32_blendvps256(other.low, one.low, sign.low),
                                             __builtin_ia32_blendvps256(other.high, one.high, sign.high)});
#else
    return select((x & 1) != 0, a, b);
#endif
}

inline F32x16 infinity() { return splat(__builtin_inff()); }

// fmaByDouble() is the fma() of the definition: where a host has no such instruction, sums are rounded to double and
// then to single, which gives the same functions. That is known from all 2^32 operands (docs/certificate.md).

/// c[0] + x * (c[1] + x * (c[2] + ...)), by Horner's rule with fma.
template <int N>
[[gnu::always_inline]] inline F32x16 polynomial(const float (&c)[N], F32x16 x) {
    F32x16 sum = splat(c[N - 1]);
    for (int i = N - 2; i >= 0; --i) sum = fmaByDouble(sum, x, splat(c[i]));
    return sum;
}

/// 1 / x, correctly rounded.
inline F32x16 rcp(F32x16 x) { return nanUnless(x == x, splat(1.0f) / x); }

/// Square root, correctly rounded; sqt(-0) = -0, NaN below zero.
inline F32x16 sqt(F32x16 x) { return nanUnless(x >= 0.0f, sqrt(x)); }

/// sqrt(1 / x), both steps correctly rounded, x scaled by a power of four so that 1 / x is a normal number.
/// Both zeros give +infinity.
inline F32x16 rsq(F32x16 x) {
    const Mask16 small = x < 0x1p-100f, large = x > 0x1p100f;
    const F32x16 scaleIn = select(small, splat(0x1p64f), select(large, splat(0x1p-64f), splat(1.0f)));
    const F32x16 scaleOut = select(small, splat(0x1p32f), select(large, splat(0x1p-32f), splat(1.0f)));
    const F32x16 positive = x + 0.0f;  // -0 becomes +0
    return nanUnless(x >= 0.0f, sqrt(splat(1.0f) / (positive * scaleIn)) * scaleOut);
}

/// x = 2^exponent * (1 + t) with 1 + t in [sqrt(1/2), sqrt(2)); the exponent of 0 is -infinity, of infinity
/// +infinity, of negative numbers and NaN meaningless.
struct Log2Reduction {
    F32x16 exponent, t;
};
inline Log2Reduction reduceLog2(F32x16 x) {
    const Mask16 denormal = x < 0x1p-126f;
    const F32x16 normal = select(denormal, x * 0x1p23f, x);
    const I32x16 exponent = (asInt(normal) - 0x3f3504f3) >> 23;  // 0x3f3504f3 is sqrt(1/2)
    const F32x16 m = asFloat(asInt(normal) - (exponent << 23));
    F32x16 e = toFloat(exponent) - select(denormal, splat(23.0f), splat(0.0f));
    e = select(x == infinity(), infinity(), e);
    e = select(x == 0.0f, -infinity(), e);
    return {e, m - 1.0f};
}

/// log2(1 + t) / t on [sqrt(1/2) - 1, sqrt(2) - 1].
inline constexpr float kLog2[10] = {0x1.715476p+0f, -0x1.715470p-1f, 0x1.ec70b0p-2f, -0x1.715aa8p-2f,
                                    0x1.277e4ep-2f, -0x1.eabc56p-3f, 0x1.a3052ap-3f, -0x1.875080p-3f,
                                    0x1.7d3ee4p-3f, -0x1.c23faep-4f};

/// Logarithm to base 2: exponent + t * P(t). Exact at powers of two.
inline F32x16 lg2(F32x16 x) {
    const Log2Reduction r = reduceLog2(x);
    return nanUnless(x >= 0.0f, fmaByDouble(polynomial(kLog2, r.t), r.t, r.exponent));
}

/// (2^f - 1) / f on [-1/2, 1/2].
inline constexpr float kExp2[6] = {0x1.62e430p-1f, 0x1.ebfbe0p-3f,  0x1.c6aec8p-5f,
                                   0x1.3b27bcp-7f, 0x1.5f78bep-10f, 0x1.471550p-13f};

/// 2^x = 2^n * 2^f, n the integer nearest to x: 1 + f * P(f), then scaled in two exact steps of which only a
/// denormal result rounds. Exact where x is an integer.
inline F32x16 ex2AnyNan(F32x16 x) {
    const F32x16 magic = splat(0x1.8p23f);  // adding it leaves the nearest integer in the low bits
    const F32x16 clamped = within(x, 160.0f);
    const F32x16 shifted = clamped + magic;
    const F32x16 f = clamped - (shifted - magic);
    const I32x16 n = asInt(shifted) - asInt(magic);
    const F32x16 power = fmaByDouble(polynomial(kExp2, f), f, splat(1.0f));
    const I32x16 half = n >> 1;
    const F32x16 scale1 = asFloat((half + 127) << 23), scale2 = asFloat((n - half + 127) << 23);
    return power * scale1 * scale2;
}
inline F32x16 ex2(F32x16 x) { return canonical(ex2AnyNan(x)); }

/// pi/2 in three parts, 2/pi, and sine and cosine on [-0.8, 0.8]:
/// sin r = r + r z S(z), cos r = 1 - z/2 + z z C(z), z = r r.
inline constexpr float kTwoOverPi = 0x1.45f306p-1f;
inline constexpr float kHalfPi[3] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
inline constexpr float kSin[3] = {-0x1.555544p-3f, 0x1.1106b4p-7f, -0x1.991202p-13f};
inline constexpr float kCos[3] = {0x1.55554ap-5f, -0x1.6c0c08p-10f, 0x1.99d832p-16f};

/// Sine of |x| + turn * pi/2, with its sign flipped where `sign` has bit 31 set. |x| is reduced by the multiple of pi/2
/// nearest to it. Beyond |x| = 2^22 the reduced argument is only bounded, so the result means nothing but stays in [-1,
/// 1]. NaN, any one, for infinities and NaN.
inline F32x16 sineOfQuadrant(F32x16 x, int turn, I32x16 sign) {
    const F32x16 magic = splat(0x1.8p23f);
    const F32x16 a = abs(x);
    const F32x16 shifted = fma(a, splat(kTwoOverPi), magic);  // a tie for some of the largest
    const F32x16 n = shifted - magic;
    const I32x16 quadrant = asInt(shifted) + turn;
    F32x16 r = fmaByDouble(-n, splat(kHalfPi[0]), a);
    r = fmaByDouble(-n, splat(kHalfPi[1]), r);
    r = fmaByDouble(-n, splat(kHalfPi[2]), r);
    r = within(r, 1.2f);
    const F32x16 z = r * r;
    const F32x16 sine = fmaByDouble(polynomial(kSin, z), r * z, r);
    const F32x16 parabola = fmaByDouble(z, splat(-0.5f), splat(1.0f));
    const F32x16 cosine = fmaByDouble(polynomial(kCos, z), z * z, parabola);
    const F32x16 value = selectOdd(quadrant, cosine, sine);
    return asFloat(asInt(value) ^ ((quadrant & 2) << 30) ^ (sign & splat(INT32_MIN)));
}
inline F32x16 sinAnyNan(F32x16 x) { return sineOfQuadrant(x, 0, asInt(x)); }
inline F32x16 cosAnyNan(F32x16 x) { return sineOfQuadrant(x, 1, splat(int32_t{0})); }
inline F32x16 sin(F32x16 x) { return canonical(sinAnyNan(x)); }
inline F32x16 cos(F32x16 x) { return canonical(cosAnyNan(x)); }

/// x to the power y: 2^(y * log2 x), each of the three rounded on its own, and 1 for y = 0, whatever x is. So NaN for x
/// < 0 (there is no case for integer y), for pow(1, +-inf) and for NaN operands; both zeros are zero.
inline F32x16 pow(F32x16 x, F32x16 y) { return select(y == 0.0f, splat(1.0f), ex2(y * lg2(x))); }

/// One value through a function above.
inline float scalar(F32x16 (*function)(F32x16), float x) { return function(splat(x))[0]; }
inline float scalar(F32x16 (*function)(F32x16, F32x16), float x, float y) { return function(splat(x), splat(y))[0]; }

}  // namespace TESSERA_SIMD
}  // namespace tessera::isa::tfu
