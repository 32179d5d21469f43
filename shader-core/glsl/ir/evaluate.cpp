// See docs/isa.md for the definitions. Only basic operations of IEEE-754 and the transcendental unit's own code.
#include "shader-core/glsl/ir/evaluate.h"

#include <bit>
#include <cmath>

#include "shader-core/isa/tfu.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint32_t kCanonicalNan = 0x7FC00000;
constexpr uint32_t kOne = 0x3F800000;

float asFloat(uint32_t bits) { return std::bit_cast<float>(bits); }
uint32_t asBits(float x) { return x == x ? std::bit_cast<uint32_t>(x) : kCanonicalNan; }
uint32_t truth(bool x) { return x ? kOne : 0; }

/// The smaller one; the other one when one is NaN; -0 is below +0.
uint32_t minimum(uint32_t a, uint32_t b) {
    float x = asFloat(a), y = asFloat(b);
    if (x != x) return asBits(y);
    if (y != y) return a;
    if (x == y) return a | b;  // equal, or zeros of which one is negative
    return x < y ? a : b;
}
uint32_t maximum(uint32_t a, uint32_t b) {
    float x = asFloat(a), y = asFloat(b);
    if (x != x) return asBits(y);
    if (y != y) return a;
    if (x == y) return a & b;
    return x > y ? a : b;
}

template <class Integer>
std::optional<uint32_t> evaluateInteger(Op op, uint32_t a, uint32_t b, uint32_t c) {
    auto x = static_cast<Integer>(a), y = static_cast<Integer>(b);
    switch (op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return a + b;
        case Op::Mul:
            return a * b;
        case Op::Mad:
            return a * b + c;
        case Op::Min:
            return x < y ? a : b;
        case Op::Max:
            return x > y ? a : b;
        case Op::Slt:
            return truth(x < y);
        case Op::Sge:
            return truth(x >= y);
        case Op::Seq:
            return truth(x == y);
        case Op::Sne:
            return truth(x != y);
        case Op::Sel:
            return a != 0 ? b : c;
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
            return static_cast<uint32_t>(x >> (b & 31));
        case Op::I2f:
            return asBits(static_cast<float>(x));
        default:
            return std::nullopt;
    }
}

uint32_t floatToInt(float x) {
    if (x != x) return 0;
    if (x >= 2147483648.0f) return 0x7FFFFFFF;
    if (x <= -2147483648.0f) return 0x80000000;
    return static_cast<uint32_t>(static_cast<int32_t>(x));
}
uint32_t floatToUint(float x) {
    if (!(x > 0.0f)) return 0;
    if (x >= 4294967296.0f) return 0xFFFFFFFF;
    return static_cast<uint32_t>(x);
}

std::optional<uint32_t> evaluateFloat(Op op, uint32_t a, uint32_t b, uint32_t c) {
    namespace tfu = isa::tfu;
    float x = asFloat(a), y = asFloat(b), z = asFloat(c);
    switch (op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return asBits(x + y);
        case Op::Mul:
            return asBits(x * y);
        case Op::Mad:
            return asBits(std::fma(x, y, z));
        case Op::Min:
            return minimum(a, b);
        case Op::Max:
            return maximum(a, b);
        case Op::Slt:
            return truth(x < y);
        case Op::Sge:
            return truth(x >= y);
        case Op::Seq:
            return truth(x == y);
        case Op::Sne:
            return truth(x != y);
        case Op::Sel:
            return x != 0.0f ? b : c;
        case Op::Flr:
            return asBits(std::floor(x));
        case Op::Frc:
            return asBits(x - std::floor(x));
        case Op::Trc:
            return asBits(std::trunc(x));
        case Op::Rne:
            return asBits(__builtin_roundevenf(x));
        case Op::Div:
            return asBits(x / y);
        case Op::Rcp:
            return asBits(tfu::scalar(tfu::rcp, x));
        case Op::Rsq:
            return asBits(tfu::scalar(tfu::rsq, x));
        case Op::Sqt:
            return asBits(tfu::scalar(tfu::sqt, x));
        case Op::Ex2:
            return asBits(tfu::scalar(tfu::ex2, x));
        case Op::Lg2:
            return asBits(tfu::scalar(tfu::lg2, x));
        case Op::Sin:
            return asBits(tfu::scalar(tfu::sin, x));
        case Op::Cos:
            return asBits(tfu::scalar(tfu::cos, x));
        case Op::Pow:
            return asBits(tfu::scalar(tfu::pow, x, y));
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<uint32_t> evaluate(Op op, Type type, uint32_t a, uint32_t b, uint32_t c) {
    if (op == Op::F2i) return type == Type::I32 ? floatToInt(asFloat(a)) : floatToUint(asFloat(a));
    if (type == Type::F32) return evaluateFloat(op, a, b, c);
    return type == Type::I32 ? evaluateInteger<int32_t>(op, a, b, c) : evaluateInteger<uint32_t>(op, a, b, c);
}

std::optional<uint32_t> evaluateDot(Op op, const std::array<uint32_t, 4>& a, const std::array<uint32_t, 4>& b) {
    float sum = asFloat(a[0]) * asFloat(b[0]) + asFloat(a[1]) * asFloat(b[1]);
    sum = sum + asFloat(a[2]) * asFloat(b[2]);
    if (op == Op::Dp4) sum = sum + asFloat(a[3]) * asFloat(b[3]);
    return asBits(sum);
}

uint32_t saturateBits(uint32_t bits) {
    float x = asFloat(bits);
    if (!(x > 0.0f)) return 0;
    return x < 1.0f ? bits : kOne;
}

}  // namespace tessera::glsl::ir
