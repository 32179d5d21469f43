// The arithmetic of the ISA, one function object per operation, on one vector of lanes.
//
// kInteger says how source modifiers act. Integers travel as the bits of a float. Some operations have a Quick form:
// where none of its results is a NaN, they are the operation's.
// Part of the versioned code.
#pragma once

#include "base/simd.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/tfu.h"

namespace tessera::interp::TESSERA_SIMD {

namespace tfu = isa::tfu;

/// Every computed NaN is 0x7fc00000: hosts disagree about sign and payload.
inline F32x16 canonical(F32x16 x) { return tfu::nanUnless(x == x, x); }
inline F32x16 truth(Mask16 mask) { return asFloat(mask & 0x3f800000); }

/// b where it is less, else a: what hosts' instructions do, with their operands in this order.
inline F32x16 lesser(F32x16 a, F32x16 b) { return minPs(b, a); }
inline F32x16 greater(F32x16 a, F32x16 b) { return maxPs(b, a); }

struct FloatOperation {
    static constexpr bool kInteger = false;
};
struct IntegerOperation {
    static constexpr bool kInteger = true;
};

// clang-format off
struct Copy    : FloatOperation { static F32x16 apply(F32x16 a) { return a; } };
struct AddF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a + b); }
                                 struct Quick { static F32x16 apply(F32x16 a, F32x16 b) { return a + b; } }; };
struct MulF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a * b); }
                                 struct Quick { static F32x16 apply(F32x16 a, F32x16 b) { return a * b; } }; };
struct MadF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return canonical(fma(a, b, c)); }
                                 struct Quick { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return fma(a, b, c); } }; };
struct DivF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a / b); } };
struct MinF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(lesser(a, b)); }
                                 struct Quick { static F32x16 apply(F32x16 a, F32x16 b) { return lesser(a, b); } }; };
struct MaxF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(greater(a, b)); }
                                 struct Quick { static F32x16 apply(F32x16 a, F32x16 b) { return greater(a, b); } }; };
struct SltF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(a < b); } };
struct SgeF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(a >= b); } };
struct SeqF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(a == b); } };
struct SneF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(a != b); } };
struct SelF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return select(a != 0.0f, b, c); } };
struct FloorF  : FloatOperation { static F32x16 apply(F32x16 a) { return canonical(floor(a)); } };
struct FractF  : FloatOperation { static F32x16 apply(F32x16 a) { return canonical(a - floor(a)); } };
struct TruncF  : FloatOperation { static F32x16 apply(F32x16 a) { return canonical(trunc(a)); } };
struct NearestF: FloatOperation { static F32x16 apply(F32x16 a) { return canonical(roundEven(a)); } };
struct Rcp     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::rcp(a); } };
struct Rsq     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::rsq(a); } };
struct Sqt     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::sqt(a); } };
struct Ex2     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::ex2(a); } };
struct Lg2     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::lg2(a); } };
struct Sin     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::sin(a); } };
struct Cos     : FloatOperation { static F32x16 apply(F32x16 a) { return tfu::cos(a); } };
struct Pow     : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return tfu::pow(a, b); } };

struct CopyI   : IntegerOperation { static F32x16 apply(F32x16 a) { return a; } };
struct AddI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) + asUint(b)); } };
struct MulI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) * asUint(b)); } };
struct MadI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return asFloat(asUint(a) * asUint(b) + asUint(c)); } };
struct MinI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return select(asInt(a) < asInt(b), a, b); } };
struct MaxI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return select(asInt(a) > asInt(b), a, b); } };
struct MinU    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return select(asUint(a) < asUint(b), a, b); } };
struct MaxU    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return select(asUint(a) > asUint(b), a, b); } };
struct SltI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asInt(a) < asInt(b)); } };
struct SgeI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asInt(a) >= asInt(b)); } };
struct SltU    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asUint(a) < asUint(b)); } };
struct SgeU    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asUint(a) >= asUint(b)); } };
struct SeqI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asInt(a) == asInt(b)); } };
struct SneI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return truth(asInt(a) != asInt(b)); } };
struct SelI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return select(asInt(a) != 0, b, c); } };
struct AndI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) & asUint(b)); } };
struct OrI     : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) | asUint(b)); } };
struct XorI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) ^ asUint(b)); } };
struct NotI    : IntegerOperation { static F32x16 apply(F32x16 a) { return asFloat(~asUint(a)); } };
struct ShlI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) << (asUint(b) & 31u)); } };
struct ShrI    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asInt(a) >> (asInt(b) & 31)); } };
struct ShrU    : IntegerOperation { static F32x16 apply(F32x16 a, F32x16 b) { return asFloat(asUint(a) >> (asUint(b) & 31u)); } };
struct IntToF  : IntegerOperation { static F32x16 apply(F32x16 a) { return toFloat(asInt(a)); } };
struct UintToF : IntegerOperation { static F32x16 apply(F32x16 a) { return toFloat(asUint(a)); } };
// clang-format on

struct FToInt : FloatOperation {
    static F32x16 apply(F32x16 a) {
        const I32x16 inside = truncToInt(clamp(a, -0x1p31f, 0x1.fffffep30f));
        const I32x16 saturated = select(a >= 0x1p31f, splat(INT32_MAX), inside);
        return asFloat(saturated & (a == a));
    }
};
struct FToUint : FloatOperation {
    static F32x16 apply(F32x16 a) {
        const U32x16 inside = __builtin_convertvector(clamp(a, 0.0f, 0x1.fffffep31f), U32x16);
        return asFloat(select(a >= 0x1p32f, splat(UINT32_MAX), inside));  // NaN clamps to zero
    }
};

/// Division has no vector instruction on any host; lanes are divided in 64 bits, where INT_MIN / -1 fits. By zero the
/// quotient is all ones, and the remainder what was divided.
template <class Element, bool kRemainder>
struct Divide : IntegerOperation {
    static F32x16 apply(F32x16 a, F32x16 b) {
        U32x16 result = kRemainder ? asUint(a) : splat(~uint32_t{0});
        for (int lane = 0; lane < 16; ++lane) {
            const int64_t x = static_cast<Element>(asUint(a)[lane]), y = static_cast<Element>(asUint(b)[lane]);
            if (y != 0) result[lane] = static_cast<uint32_t>(kRemainder ? x % y : x / y);
        }
        return asFloat(result);
    }
};

/// The upper half of the 64-bit product.
template <class Element>
struct MulHigh : IntegerOperation {
    static F32x16 apply(F32x16 a, F32x16 b) {
        U32x16 result;
        for (int lane = 0; lane < 16; ++lane) {
            const int64_t x = static_cast<Element>(asUint(a)[lane]), y = static_cast<Element>(asUint(b)[lane]);
            result[lane] = static_cast<uint32_t>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y) >> 32);
        }
        return asFloat(result);
    }
};

/// Bits of ever wider fields are added up (Warren, Hacker's Delight, section 5-1).
inline U32x16 bitCount(U32x16 x) {
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return x * 0x01010101u >> 24;
}
struct PopCount : IntegerOperation {
    static F32x16 apply(F32x16 a) { return asFloat(bitCount(asUint(a))); }
};
struct LeadingZeros : IntegerOperation {
    static F32x16 apply(F32x16 a) {
        U32x16 x = asUint(a);
        for (uint32_t step = 1; step < 32; step *= 2) x |= x >> step;  // every bit below the highest
        return asFloat(32u - bitCount(x));
    }
};
struct BitReverse : IntegerOperation {
    static F32x16 apply(F32x16 a) { return asFloat(__builtin_elementwise_bitreverse(asUint(a))); }
};

/// Sixteen-bit two's complement with kFixedPointBits fraction bits; the product is floored, the sum wraps.
struct MadFixed : IntegerOperation {
    static I32x16 half(F32x16 x) { return asInt(x) << 16 >> 16; }
    static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) {
        return asFloat(half(asFloat((half(a) * half(b) >> isa::kFixedPointBits) + half(c))));
    }
};

/// Binary16: five bits of exponent, ten of mantissa.
struct FToHalf : FloatOperation {
    static uint32_t half(uint32_t bits) {
        const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
        if (magnitude > 0x7f800000) return 0x7e00;          // the canonical NaN
        if (magnitude >= 0x477ff000) return sign | 0x7c00;  // at least 65520 rounds to infinity
        const uint32_t exponent = magnitude >> 23;
        // Bits to drop: 13, and one more for each step below the smallest normal exponent.
        const uint32_t drop = exponent >= 113 ? 13 : 126 - exponent;
        if (drop > 25) return sign;
        const uint32_t mantissa = (magnitude & 0x7fffff) | (exponent != 0 ? 0x800000 : 0);
        const uint32_t kept = mantissa >> drop, rest = mantissa & ((1u << drop) - 1), tie = 1u << (drop - 1);
        const uint32_t rounded = kept + (rest > tie || (rest == tie && (kept & 1)));
        // A mantissa that carries raises the exponent; its hidden bit stands for one step of it.
        return sign | (exponent >= 113 ? ((exponent - 113) << 10) + rounded : rounded);
    }
    static F32x16 apply(F32x16 a) {
        U32x16 result;
        for (int lane = 0; lane < 16; ++lane) result[lane] = half(asUint(a)[lane]);
        return asFloat(result);
    }
};
struct HalfToF : IntegerOperation {
    static uint32_t single(uint32_t half) {
        const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
        if (exponent == 31) return mantissa != 0 ? 0x7fc00000 : sign | 0x7f800000;
        if (exponent != 0) return sign | (exponent + 112) << 23 | mantissa << 13;
        return sign | __builtin_bit_cast(uint32_t, static_cast<float>(mantissa) * 0x1p-24f);
    }
    static F32x16 apply(F32x16 a) {
        U32x16 result;
        for (int lane = 0; lane < 16; ++lane) result[lane] = single(asUint(a)[lane]);
        return asFloat(result);
    }
};

/// Difference inside the pairs (lane, lane ^ 1) and (lane, lane ^ 4): the greater coordinate minus the smaller.
struct DerivativeX : FloatOperation {
    static F32x16 apply(F32x16 a) {
        const F32x16 left = __builtin_shufflevector(a, a, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
        const F32x16 right = __builtin_shufflevector(a, a, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
        return canonical(right - left);
    }
};
struct DerivativeY : FloatOperation {
    static F32x16 apply(F32x16 a) {
        const F32x16 low = __builtin_shufflevector(a, a, 0, 1, 2, 3, 0, 1, 2, 3, 8, 9, 10, 11, 8, 9, 10, 11);
        const F32x16 high = __builtin_shufflevector(a, a, 4, 5, 6, 7, 4, 5, 6, 7, 12, 13, 14, 15, 12, 13, 14, 15);
        return canonical(high - low);
    }
};

}  // namespace tessera::interp::TESSERA_SIMD
