// Test only: one thread of an ISA program in plain scalar code, written from the instruction table and sharing nothing
// with the interpreter. It knows neither masks nor stacks of waiting lanes: control flow just moves the program
// counter.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "shader-core/isa/isa.h"

namespace tessera::interp::reference {

inline float asFloat(uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline uint32_t asBits(float x) { return __builtin_bit_cast(uint32_t, x); }
inline uint32_t canonicalBits(float x) { return std::isnan(x) ? 0x7fc00000u : asBits(x); }

/// The first operand, unless the second is beyond it: so also where one is a NaN or both are zeros.
inline uint32_t minMax(uint32_t a, uint32_t b, bool wantMax) {
    const bool second = wantMax ? std::isgreater(asFloat(b), asFloat(a)) : std::isless(asFloat(b), asFloat(a));
    return canonicalBits(asFloat(second ? b : a));
}

inline uint32_t toInteger(float x, bool isSigned) {
    if (std::isnan(x)) return 0;
    const double t = std::trunc(static_cast<double>(x));
    if (isSigned) {
        if (t >= 2147483647.0) return 0x7fffffffu;
        if (t <= -2147483648.0) return 0x80000000u;
        return static_cast<uint32_t>(static_cast<int32_t>(t));
    }
    if (t >= 4294967295.0) return 0xffffffffu;
    return t <= 0 ? 0 : static_cast<uint32_t>(t);
}

inline uint32_t divide(uint32_t a, uint32_t b, bool isSigned, bool remainder) {
    if (b == 0) return remainder ? a : 0xffffffffu;
    if (!isSigned) return remainder ? a % b : a / b;
    const int32_t x = static_cast<int32_t>(a), y = static_cast<int32_t>(b);
    if (y == -1) return remainder ? 0 : 0u - a;
    return static_cast<uint32_t>(remainder ? x % y : x / y);
}

/// Largest integer not above, without libm's own special cases: through the exact double.
inline uint32_t roundWith(float x, double (*function)(double)) {
    return canonicalBits(static_cast<float>(function(static_cast<double>(x))));
}

inline uint32_t floatOperation(isa::Op op, uint32_t a, uint32_t b, uint32_t c) {
    using isa::Op;
    const float x = asFloat(a), y = asFloat(b), z = asFloat(c);
    const auto truth = [](bool t) { return t ? 0x3f800000u : 0u; };
    switch (op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return canonicalBits(x + y);
        case Op::Mul:
            return canonicalBits(x * y);
        case Op::Mad:
            return canonicalBits(std::fma(x, y, z));
        case Op::Div:
            return canonicalBits(x / y);
        case Op::Min:
            return minMax(a, b, false);
        case Op::Max:
            return minMax(a, b, true);
        case Op::Slt:
            return truth(x < y);
        case Op::Sge:
            return truth(x >= y);
        case Op::Seq:
            return truth(x == y);
        case Op::Sne:
            return truth(!(x == y));
        case Op::Sel:
            return x != 0 ? b : c;
        case Op::Flr:
            return roundWith(x, std::floor);
        case Op::Trc:
            return roundWith(x, std::trunc);
        case Op::Rne:
            return roundWith(x, std::nearbyint);
        case Op::Frc:
            return canonicalBits(x - static_cast<float>(std::floor(static_cast<double>(x))));
        default:
            return 0xdeadbeef;
    }
}

inline uint32_t toHalf(float x) {
    if (std::isnan(x)) return 0x7e00;
    const uint32_t sign = asBits(x) >> 16 & 0x8000;
    const double magnitude = std::fabs(static_cast<double>(x));
    // In units of the last place: a denormal's is 2^-24, and a carry into the exponent is the next half all the same.
    const int exponent = std::max(static_cast<int>(asBits(x) >> 23 & 255) - 127, -14);
    const double scale = std::bit_cast<double>(static_cast<uint64_t>(1023 + 10 - exponent) << 52);
    const auto units = static_cast<int32_t>(std::nearbyint(std::min(magnitude, 65520.0) * scale));
    const uint32_t finite = static_cast<uint32_t>(units) + (static_cast<uint32_t>(exponent + 14) << 10);
    return sign | (magnitude >= 65520 ? 0x7c00 : finite);
}

inline uint32_t fromHalf(uint32_t bits) {
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float denormal = static_cast<float>(static_cast<int32_t>(fraction)) * 0x1p-24f;
    const float normal = asFloat((exponent + 127 - 15) << 23 | fraction << 13);
    const float special = asFloat(fraction != 0 ? 0x7fc00000u : 0x7f800000u);
    const float magnitude = exponent == 31 ? special : exponent == 0 ? denormal : normal;
    return canonicalBits(magnitude) | (std::isnan(magnitude) ? 0 : (bits & 0x8000) << 16);
}

inline uint32_t integerOperation(isa::Op op, bool isSigned, uint32_t a, uint32_t b, uint32_t c) {
    using isa::Op;
    const int64_t x = isSigned ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
    const int64_t y = isSigned ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
    const auto truth = [](bool t) { return t ? 0x3f800000u : 0u; };
    switch (op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return static_cast<uint32_t>(uint64_t{a} + b);
        case Op::Mul:
            return static_cast<uint32_t>(uint64_t{a} * b);
        case Op::Mad:
            return static_cast<uint32_t>(uint64_t{a} * b + c);
        case Op::Div:
            return divide(a, b, isSigned, false);
        case Op::Mod:
            return divide(a, b, isSigned, true);
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
            return a << (b % 32);
        case Op::Shr:
            return isSigned ? static_cast<uint32_t>(x >> (b % 32)) : a >> (b % 32);
        case Op::F2i:
            return toInteger(asFloat(a), isSigned);
        case Op::I2f:
            return asBits(static_cast<float>(x));
        case Op::F2h:
            return toHalf(asFloat(a));
        case Op::H2f:
            return fromHalf(a);
        default:
            return 0xdeadbeef;
    }
}

using Vec4 = std::array<uint32_t, 4>;

struct Thread {
    std::vector<Vec4> temps;
    std::array<Vec4, isa::kMaxInputs> inputs{};
    std::array<Vec4, isa::kMaxOutputs> outputs{};
    std::vector<Vec4> constants;
    isa::RegisterMask inputMask, outputMask;
    Vec4 address{};
    std::array<bool, 4> predicate{true, false, false, false};
    uint32_t lane = 0;
    bool killed = false;
    uint64_t steps = 0;

    Vec4 registerValue(isa::File file, int64_t index, uint32_t immediate) const {
        const auto isIn = [index](isa::RegisterMask mask) { return mask.has(static_cast<int>(index)); };
        switch (file) {
            case isa::File::R:
                return index >= 0 && index < static_cast<int64_t>(temps.size()) ? temps[index] : Vec4{};
            case isa::File::C:
                return index >= 0 && index < static_cast<int64_t>(constants.size()) ? constants[index] : Vec4{};
            case isa::File::V:
                return isIn(inputMask) ? inputs[index] : Vec4{};
            case isa::File::O:
                return isIn(outputMask) ? outputs[index] : Vec4{};
            case isa::File::A:
                return address;
            case isa::File::S:
                return {lane, 0, 0, 0};
            case isa::File::I:
                return {immediate, immediate, immediate, immediate};
            case isa::File::P:
                break;
        }
        return {};
    }

    Vec4 source(const isa::Instruction& i, int number) const {
        const isa::Source& s = i.src[number];
        const bool integer = i.type != isa::Type::F32 && i.op != isa::Op::F2i && i.op != isa::Op::F2h;
        const int64_t index = int64_t{s.index} + (s.relative ? static_cast<int32_t>(address[0]) : 0);
        Vec4 value = registerValue(s.file, index, i.immediate);
        if (s.file == isa::File::P) value.fill(predicate[s.index] ? (integer ? 1u : 0x3f800000u) : 0u);
        Vec4 result;
        for (int c = 0; c < 4; ++c) {
            uint32_t x = value[isa::swizzleAt(s.swizzle, c)];
            if (s.absolute) x = integer ? (x >> 31 ? 0u - x : x) : x & 0x7fffffffu;
            if (s.negate) x = integer ? 0u - x : x ^ 0x80000000u;
            result[c] = x;
        }
        return result;
    }

    void write(const isa::Instruction& i, Vec4 value) {
        for (uint32_t& x : value) {
            if (!i.saturate) continue;
            const float f = asFloat(x);
            x = !(f > 0) ? 0u : f > 1 ? 0x3f800000u : x;
        }
        const bool isFloat = isa::resultType(i.op, i.type) == isa::Type::F32;
        if (i.dst.file == isa::File::P) {
            predicate[i.dst.index] = isFloat ? asFloat(value[0]) != 0 : value[0] != 0;
            return;
        }
        const int64_t index = int64_t{i.dst.index} + (i.dst.relative ? static_cast<int32_t>(address[0]) : 0);
        Vec4* target = nullptr;
        if (i.dst.file == isa::File::A) target = &address;
        if (i.dst.file == isa::File::R && index >= 0 && index < static_cast<int64_t>(temps.size()))
            target = &temps[index];
        if (i.dst.file == isa::File::O && outputMask.has(static_cast<int>(index))) target = &outputs[index];
        if (target == nullptr) return;
        for (int c = 0; c < 4; ++c)
            if (i.dst.writeMask >> c & 1) (*target)[c] = value[c];
    }

    void compute(const isa::Instruction& i) {
        const Vec4 a = source(i, 0), b = source(i, 1), c = source(i, 2);
        Vec4 result;
        if (i.op == isa::Op::Dp3 || i.op == isa::Op::Dp4) {
            float sum = asFloat(a[0]) * asFloat(b[0]);
            for (int k = 1; k < (i.op == isa::Op::Dp3 ? 3 : 4); ++k) {
                const float product = asFloat(a[k]) * asFloat(b[k]);
                sum = sum + product;
            }
            result.fill(canonicalBits(sum));
        } else {
            for (int k = 0; k < 4; ++k)
                result[k] = i.type == isa::Type::F32
                                ? floatOperation(i.op, a[k], b[k], c[k])
                                : integerOperation(i.op, i.type == isa::Type::I32, a[k], b[k], c[k]);
        }
        write(i, result);
    }

    /// False when the thread did not end within `limit` instructions.
    bool run(const std::vector<isa::Instruction>& code, uint64_t limit) {
        std::vector<size_t> returns;
        for (size_t pc = 0; pc < code.size();) {
            if (++steps > limit) return false;
            const isa::Instruction& i = code[pc++];
            const bool guard = predicate[i.guard] != i.guardNegate;
            switch (i.op) {
                case isa::Op::If:
                    if (!guard) pc = i.target + 1u;  // past the else or the endif
                    break;
                case isa::Op::Else:
                    pc = i.target;
                    break;
                case isa::Op::Endif:
                case isa::Op::Loop:
                    break;
                case isa::Op::Endloop:
                    pc = i.target + 1u;
                    break;
                case isa::Op::Brk:
                    if (guard) pc = i.target + 1u;
                    break;
                case isa::Op::Cont:
                    if (guard) pc = i.target;
                    break;
                case isa::Op::Call:
                    if (guard) {
                        returns.push_back(pc);
                        pc = i.target;
                    }
                    break;
                case isa::Op::Ret:
                    if (!guard) break;
                    if (returns.empty()) return true;
                    pc = returns.back();
                    returns.pop_back();
                    break;
                case isa::Op::Kil:
                    killed |= guard;
                    break;
                default:
                    if (guard) compute(i);
            }
        }
        return true;
    }
};

}  // namespace tessera::interp::reference
