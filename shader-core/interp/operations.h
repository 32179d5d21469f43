// The arithmetic of the ISA, one function object per operation, on one vector of lanes.
//
// kInteger says how source modifiers act; kSources counts operands. Integers travel as the bits of a float.
// Part of the versioned code.
#pragma once

#include "base/simd.h"
#include "shader-core/isa/tfu.h"

namespace tessera::interp::TESSERA_SIMD {

namespace tfu = isa::tfu;

/// Every computed NaN is 0x7fc00000: hosts disagree about sign and payload.
inline F32x16 canonical(F32x16 x) { return tfu::nanUnless(x == x, x); }
inline F32x16 truth(Mask16 mask) { return asFloat(mask & 0x3f800000); }

inline F32x16 minimum(F32x16 a, F32x16 b) {
    const F32x16 equal = asFloat(asUint(a) | asUint(b));  // only zeros differ: -0 wins
    const F32x16 ordered = select(a < b, a, select(b < a, b, equal));
    return canonical(select(a != a, b, select(b != b, a, ordered)));
}
inline F32x16 maximum(F32x16 a, F32x16 b) {
    const F32x16 equal = asFloat(asUint(a) & asUint(b));
    const F32x16 ordered = select(a > b, a, select(b > a, b, equal));
    return canonical(select(a != a, b, select(b != b, a, ordered)));
}

struct FloatOperation {
    static constexpr bool kInteger = false;
};
struct IntegerOperation {
    static constexpr bool kInteger = true;
};

// clang-format off
struct Copy    : FloatOperation { static F32x16 apply(F32x16 a) { return a; } };
struct AddF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a + b); } };
struct MulF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a * b); } };
struct MadF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b, F32x16 c) { return canonical(fma(a, b, c)); } };
struct DivF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return canonical(a / b); } };
struct MinF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return minimum(a, b); } };
struct MaxF    : FloatOperation { static F32x16 apply(F32x16 a, F32x16 b) { return maximum(a, b); } };
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

/// Division has no vector instruction on any host; lanes are divided in 64 bits, where INT_MIN / -1 fits.
template <class Element, bool kRemainder>
struct Divide : IntegerOperation {
    static F32x16 apply(F32x16 a, F32x16 b) {
        U32x16 result = splat(uint32_t{0});
        for (int lane = 0; lane < 16; ++lane) {
            const int64_t x = static_cast<Element>(asUint(a)[lane]), y = static_cast<Element>(asUint(b)[lane]);
            if (y != 0) result[lane] = static_cast<uint32_t>(kRemainder ? x % y : x / y);
        }
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
