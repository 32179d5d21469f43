// Basic operations of IEEE-754, the transcendental unit's own code, and integers that wrap.
#include "shader-core/isa/scalar.h"

#include <bit>
#include <cmath>

#include "shader-core/isa/tfu.h"

// An instruction without its arithmetic does not compile.
#pragma clang diagnostic error "-Wswitch"

namespace tessera::isa::scalar {

namespace {

constexpr uint32_t kCanonicalNan = 0x7fc00000, kSign = 0x80000000;

float asFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t canonical(float x) { return std::isnan(x) ? kCanonicalNan : std::bit_cast<uint32_t>(x); }
uint32_t truth(bool x) { return x ? kOne : 0; }

uint32_t minimum(uint32_t a, uint32_t b) { return canonical(asFloat(b) < asFloat(a) ? asFloat(b) : asFloat(a)); }
uint32_t maximum(uint32_t a, uint32_t b) { return canonical(asFloat(a) < asFloat(b) ? asFloat(b) : asFloat(a)); }

uint32_t signedInteger(float x) {
    if (std::isnan(x)) return 0;
    if (x >= 0x1p31f) return 0x7fffffff;
    if (x <= -0x1p31f) return 0x80000000;
    return static_cast<uint32_t>(static_cast<int32_t>(x));
}
uint32_t unsignedInteger(float x) {
    if (!(x > 0.0f)) return 0;
    return x >= 0x1p32f ? 0xffffffff : static_cast<uint32_t>(x);
}

/// The lower 16 bits, as a signed number.
int32_t low(uint32_t bits) { return static_cast<int16_t>(bits); }

uint32_t fixedMad(uint32_t a, uint32_t b, uint32_t c) {
    return static_cast<uint32_t>(low(static_cast<uint32_t>((low(a) * low(b) >> kFixedPointBits) + low(c))));
}

uint32_t halfBits(float x) {
    return std::isnan(x) ? 0x7e00 : uint32_t{std::bit_cast<uint16_t>(static_cast<_Float16>(x))};
}
float halfValue(uint32_t bits) { return static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits))); }

}  // namespace

std::optional<uint32_t> component(Op op, Type type, uint32_t a, uint32_t b, uint32_t c) {
    const bool isFloat = type == Type::F32, isSigned = type == Type::I32;
    const float x = asFloat(a), y = asFloat(b), z = asFloat(c);
    // Integers with room for what any two of them give, but for a product of unsigned ones.
    const auto wide = [&](uint32_t bits) { return isSigned ? int64_t{static_cast<int32_t>(bits)} : int64_t{bits}; };
    const int64_t i = wide(a), j = wide(b);
    switch (op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return isFloat ? canonical(x + y) : a + b;
        case Op::Mul:
            return isFloat ? canonical(x * y) : a * b;
        case Op::Mad:
            return isFloat ? canonical(std::fma(x, y, z)) : a * b + c;
        case Op::Div:
            if (isFloat) return canonical(x / y);
            return j == 0 ? ~0u : static_cast<uint32_t>(i / j);
        case Op::Mod:
            return j == 0 ? a : static_cast<uint32_t>(i % j);
        case Op::Min:
            return isFloat ? minimum(a, b) : i < j ? a : b;
        case Op::Max:
            return isFloat ? maximum(a, b) : i > j ? a : b;
        case Op::Slt:
            return truth(isFloat ? x < y : i < j);
        case Op::Sge:
            return truth(isFloat ? x >= y : i >= j);
        case Op::Seq:
            return truth(isFloat ? x == y : a == b);
        case Op::Sne:
            return truth(isFloat ? x != y : a != b);
        case Op::Sel:
            return holds(type, a) ? b : c;

        case Op::Flr:
            return canonical(std::floor(x));
        case Op::Frc:
            return canonical(x - std::floor(x));
        case Op::Trc:
            return canonical(std::trunc(x));
        case Op::Rne:
            return canonical(__builtin_roundevenf(x));
        case Op::Rcp:
            return canonical(tfu::scalar(tfu::rcp, x));
        case Op::Rsq:
            return canonical(tfu::scalar(tfu::rsq, x));
        case Op::Sqt:
            return canonical(tfu::scalar(tfu::sqt, x));
        case Op::Ex2:
            return canonical(tfu::scalar(tfu::ex2, x));
        case Op::Lg2:
            return canonical(tfu::scalar(tfu::lg2, x));
        case Op::Sin:
            return canonical(tfu::scalar(tfu::sin, x));
        case Op::Cos:
            return canonical(tfu::scalar(tfu::cos, x));
        case Op::Pow:
            return canonical(tfu::scalar(tfu::pow, x, y));

        case Op::F2i:
            return isSigned ? signedInteger(x) : unsignedInteger(x);
        case Op::I2f:
            return canonical(static_cast<float>(i));
        case Op::F2h:
            return halfBits(x);
        case Op::H2f:
            return canonical(halfValue(a));

        case Op::And:
            return a & b;
        case Op::Or:
            return a | b;
        case Op::Xor:
            return a ^ b;
        case Op::Not:
            return ~a;
        case Op::Shl:
            return a << (b & 31);
        case Op::Shr:
            return static_cast<uint32_t>(i >> (b & 31));
        case Op::Mulh:
            return static_cast<uint32_t>(static_cast<uint64_t>(i) * static_cast<uint64_t>(j) >> 32);
        case Op::Popc:
            return static_cast<uint32_t>(std::popcount(a));
        case Op::Clz:
            return static_cast<uint32_t>(std::countl_zero(a));
        case Op::Brev:
            return __builtin_bitreverse32(a);
        case Op::Madx:
            return fixedMad(a, b, c);

        // Across components
        case Op::Dp3:
        case Op::Dp4:
        case Op::Lit:
        case Op::Nrm:
        // Across lanes
        case Op::Ddx:
        case Op::Ddy:
        case Op::Vall:
        case Op::Vany:
        case Op::Vbal:
        case Op::Shi:
        case Op::Shu:
        case Op::Shd:
        case Op::Shx:
        case Op::Sum:
        case Op::Dot:
        // Textures, memory, control
        case Op::Tex:
        case Op::Txb:
        case Op::Txl:
        case Op::Txd:
        case Op::Txf:
        case Op::Txs:
        case Op::Ld:
        case Op::St:
        case Op::Atadd:
        case Op::Atmin:
        case Op::Atmax:
        case Op::Atand:
        case Op::Ator:
        case Op::Atxor:
        case Op::Atxch:
        case Op::Atcas:
        case Op::If:
        case Op::Else:
        case Op::Endif:
        case Op::Loop:
        case Op::Endloop:
        case Op::Brk:
        case Op::Cont:
        case Op::Call:
        case Op::Ret:
        case Op::Kil:
        case Op::Bar:
        case Op::Gbar:
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Register> across(Op op, const Register& a, const Register& b) {
    const float x = asFloat(a[0]), y = asFloat(a[1]), z = asFloat(a[2]), w = asFloat(a[3]);
    if (op == Op::Dp3 || op == Op::Dp4) {
        float sum = x * asFloat(b[0]) + y * asFloat(b[1]);
        sum = sum + z * asFloat(b[2]);
        if (op == Op::Dp4) sum = sum + w * asFloat(b[3]);
        const uint32_t bits = canonical(sum);
        return Register{bits, bits, bits, bits};
    }
    if (op == Op::Lit) {
        const float base = asFloat(maximum(0, a[1]));
        return Register{kOne, maximum(0, a[0]), x > 0.0f ? canonical(tfu::scalar(tfu::pow, base, w)) : 0, kOne};
    }
    if (op == Op::Nrm) {
        const float length = tfu::scalar(tfu::sqt, (x * x + y * y) + z * z);
        return Register{canonical(x / length), canonical(y / length), canonical(z / length), canonical(length)};
    }
    return std::nullopt;
}

uint32_t modified(Type type, uint32_t bits, bool absolute, bool negate) {
    if (type == Type::F32) {
        if (absolute) bits &= ~kSign;
        return negate ? bits ^ kSign : bits;
    }
    if (absolute && (bits & kSign) != 0) bits = 0 - bits;
    return negate ? 0 - bits : bits;
}

uint32_t saturated(uint32_t bits) {
    const float x = asFloat(bits);
    if (!(x > 0.0f)) return 0;
    return x < 1.0f ? bits : kOne;
}

bool holds(Type type, uint32_t bits) { return (type == Type::F32 ? bits & ~kSign : bits) != 0; }

}  // namespace tessera::isa::scalar
