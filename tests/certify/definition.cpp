#include "tests/certify/definition.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "shader-core/interp/testing/reference_thread.h"

namespace tessera::certify {

namespace {

using interp::reference::asBits;
using interp::reference::asFloat;
using interp::reference::canonicalBits;
using isa::Op;
using isa::Type;

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

// --- The transcendental function unit, as shader-core/isa/doc/tfu.md has it ---

template <size_t N>
float poly(const float (&c)[N], float x) {
    float sum = c[N - 1];
    for (size_t k = N - 1; k-- > 0;) sum = std::fma(sum, x, c[k]);
    return sum;
}

template <class T>
T clamp(T x, T low, T high) {
    const T raised = x > low ? x : low;
    return raised < high ? raised : high;
}

float rsq(float x) {
    if (!(x >= 0)) return kNan;
    const float in = x < 0x1p-100f ? 0x1p64f : x > 0x1p100f ? 0x1p-64f : 1;
    const float out = x < 0x1p-100f ? 0x1p32f : x > 0x1p100f ? 0x1p-32f : 1;
    return std::sqrt(1 / ((x + 0.0f) * in)) * out;
}

struct Reduced {
    float e, t;
};
Reduced reduce(float x) {
    const bool small = x < 0x1p-126f;
    const uint32_t b = asBits(small ? x * 0x1p23f : x);
    const int32_t n = static_cast<int32_t>(b - 0x3f3504f3u) >> 23;
    const float t = asFloat(b - (static_cast<uint32_t>(n) << 23)) - 1;
    return {x == 0 ? -kInfinity : x == kInfinity ? kInfinity : static_cast<float>(n - (small ? 23 : 0)), t};
}

float lg2(float x) {
    if (!(x >= 0)) return kNan;
    const float l[] = {0x1.715476p+0f,  -0x1.715470p-1f, 0x1.ec70b0p-2f,  -0x1.715aa8p-2f, 0x1.277e4ep-2f,
                       -0x1.eabc56p-3f, 0x1.a3052ap-3f,  -0x1.875080p-3f, 0x1.7d3ee4p-3f,  -0x1.c23faep-4f};
    const Reduced r = reduce(x);
    return std::fma(poly(l, r.t), r.t, r.e);
}

float ex2(float x) {
    if (std::isnan(x)) return kNan;
    const float e[] = {0x1.62e430p-1f, 0x1.ebfbe0p-3f,  0x1.c6aec8p-5f,
                       0x1.3b27bcp-7f, 0x1.5f78bep-10f, 0x1.471550p-13f};
    const float c = clamp(x, -160.0f, 160.0f), k = c + 0x1.8p23f, f = c - (k - 0x1.8p23f);
    const int32_t n = static_cast<int32_t>(asBits(k) - asBits(0x1.8p23f)), h = n >> 1;
    const auto power = [](int32_t exponent) { return asFloat(static_cast<uint32_t>(exponent + 127) << 23); };
    return std::fma(poly(e, f), f, 1.0f) * power(h) * power(n - h);
}

float sinOrCos(float x, bool isCos) {
    const float a = std::fabs(x);
    if (!(a < kInfinity)) return kNan;
    const float s[] = {-0x1.555544p-3f, 0x1.1106b4p-7f, -0x1.991202p-13f};
    const float c[] = {0x1.55554ap-5f, -0x1.6c0c08p-10f, 0x1.99d832p-16f};
    const float k = std::fma(a, 0x1.45f306p-1f, 0x1.8p23f), n = k - 0x1.8p23f;
    const uint32_t q = asBits(k) + (isCos ? 1 : 0);
    float r = std::fma(-n, 0x1.921fb6p+0f, a);
    r = std::fma(-n, -0x1.777a5cp-25f, r);
    r = std::fma(-n, -0x1.ee59dap-50f, r);
    r = clamp(r, -1.2f, 1.2f);
    const float z = r * r;
    float v = (q & 1) != 0 ? std::fma(poly(c, z), z * z, std::fma(z, -0.5f, 1.0f)) : std::fma(poly(s, z), r * z, r);
    if ((q & 2) != 0) v = -v;
    return !isCos && std::signbit(x) ? -v : v;
}

float pow(float x, float y) { return y == 0 ? 1 : ex2(y * lg2(x)); }

// --- The compute set ---

uint32_t fixedMad(uint32_t a, uint32_t b, uint32_t c) {
    const auto low = [](uint32_t x) { return int32_t{static_cast<int16_t>(x)}; };
    return static_cast<uint32_t>(low(static_cast<uint32_t>((low(a) * low(b) >> 10) + low(c))));
}

// --- Elements ---

uint32_t floatElement(Op op, uint32_t a, uint32_t b, uint32_t c) {
    const float x = asFloat(a);
    switch (op) {
        case Op::Rcp:
            return canonicalBits(1 / x);
        case Op::Rsq:
            return canonicalBits(rsq(x));
        case Op::Sqt:
            return canonicalBits(std::sqrt(x));
        case Op::Ex2:
            return canonicalBits(ex2(x));
        case Op::Lg2:
            return canonicalBits(lg2(x));
        case Op::Sin:
            return canonicalBits(sinOrCos(x, false));
        case Op::Cos:
            return canonicalBits(sinOrCos(x, true));
        case Op::Pow:
            return canonicalBits(pow(x, asFloat(b)));
        default:
            return interp::reference::floatOperation(op, a, b, c);
    }
}

uint32_t integerElement(Op op, bool isSigned, uint32_t a, uint32_t b, uint32_t c) {
    switch (op) {
        case Op::Mulh:
            return isSigned ? static_cast<uint32_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b) >> 32)
                            : static_cast<uint32_t>(uint64_t{a} * b >> 32);
        case Op::Popc: {
            uint32_t count = 0;
            for (uint32_t bit = 0; bit < 32; ++bit) count += a >> bit & 1;
            return count;
        }
        case Op::Clz: {
            uint32_t count = 0;
            for (uint32_t bit = 0; bit < 32; ++bit) count += a >> bit == 0 ? 1 : 0;
            return count;
        }
        case Op::Brev: {
            uint32_t reversed = 0;
            for (uint32_t bit = 0; bit < 32; ++bit) reversed |= (a >> bit & 1) << (31 - bit);
            return reversed;
        }
        case Op::Madx:
            return fixedMad(a, b, c);
        default:
            return interp::reference::integerOperation(op, isSigned, a, b, c);
    }
}

uint32_t modified(const Function& f, uint32_t a) {
    const bool isFloat = f.type == Type::F32;
    if (f.modifier == Modifier::Negate) return isFloat ? a ^ 0x80000000u : 0 - a;
    if (f.modifier == Modifier::Absolute) return isFloat ? a & 0x7fffffffu : a >> 31 != 0 ? 0 - a : a;
    return !(asFloat(a) > 0) ? 0 : asFloat(a) > 1 ? asBits(1) : a;  // saturated
}

/// With the instruction a constant the loop has no switch inside.
template <Op op>
void defineElements(const Function& f, const Operands& operands, std::span<uint32_t> results) {
    const uint32_t *a = operands[0].data(), *b = operands[1].data(), *c = operands[2].data();
    if (f.modifier != Modifier::None) {
        for (size_t e = 0; e < results.size(); ++e) results[e] = modified(f, a[e]);
    } else if (f.type == Type::F32) {
        for (size_t e = 0; e < results.size(); ++e) results[e] = floatElement(op, a[e], b[e], c[e]);
    } else if (f.type == Type::I32) {
        for (size_t e = 0; e < results.size(); ++e) results[e] = integerElement(op, true, a[e], b[e], c[e]);
    } else {
        for (size_t e = 0; e < results.size(); ++e) results[e] = integerElement(op, false, a[e], b[e], c[e]);
    }
}

using Define = void (*)(const Function&, const Operands&, std::span<uint32_t>);
template <size_t... op>
constexpr std::array<Define, sizeof...(op)> everyInstruction(std::index_sequence<op...>) {
    return {defineElements<static_cast<Op>(op)>...};
}
constexpr auto kDefineElements = everyInstruction(std::make_index_sequence<isa::kOpCount>());

// --- Instructions over a lane's components, and over lanes ---

using Register = std::array<uint32_t, 4>;

Register laneResult(Op op, const Register& a, const Register& b) {
    const auto multiplied = [&](int count) {
        float sum = asFloat(a[0]) * asFloat(b[0]);
        for (size_t c = 1; c < static_cast<size_t>(count); ++c) {
            const float product = asFloat(a[c]) * asFloat(b[c]);
            sum = sum + product;
        }
        return canonicalBits(sum);
    };
    Register result;
    if (op == Op::Dp3 || op == Op::Dp4) {
        result.fill(multiplied(op == Op::Dp3 ? 3 : 4));
    } else if (op == Op::Lit) {
        const uint32_t diffuse = interp::reference::minMax(0, a[0], true),
                       base = interp::reference::minMax(0, a[1], true);
        const float shine = asFloat(a[0]) > 0 ? pow(asFloat(base), asFloat(a[3])) : 0;
        result = {asBits(1), diffuse, canonicalBits(shine), asBits(1)};
    } else {  // nrm
        const float x = asFloat(a[0]), y = asFloat(a[1]), z = asFloat(a[2]);
        const float xx = x * x, yy = y * y, zz = z * z, length = std::sqrt(xx + yy + zz);
        result = {canonicalBits(x / length), canonicalBits(y / length), canonicalBits(z / length),
                  canonicalBits(length)};
    }
    return result;
}

/// Over the 32 lanes of one component.
uint32_t sumOfLanes(const Function& f, const uint32_t* a, const uint32_t* b) {
    std::array<uint32_t, kLanes> t;
    for (size_t l = 0; l < kLanes; ++l) t[l] = f.op == Op::Dot ? canonicalBits(asFloat(a[l]) * asFloat(b[l])) : a[l];
    for (size_t n = kLanes / 2; n > 0; n /= 2)
        for (size_t l = 0; l < n; ++l)
            t[l] = f.type == Type::F32 ? canonicalBits(asFloat(t[l]) + asFloat(t[l + n])) : t[l] + t[l + n];
    return t[0];
}

}  // namespace

void define(const Function& f, const Operands& operands, std::span<uint32_t> results) {
    const uint32_t *a = operands[0].data(), *b = operands[1].data();
    switch (f.op) {
        case Op::Dp3:
        case Op::Dp4:
        case Op::Lit:
        case Op::Nrm:
            for (size_t group = 0; group < results.size(); group += kGroupElements)
                for (size_t lane = group; lane < group + kLanes; ++lane) {
                    const auto gather = [&](const uint32_t* from) {
                        return Register{from[lane], from[lane + kLanes], from[lane + 2 * kLanes],
                                        from[lane + 3 * kLanes]};
                    };
                    const Register result = laneResult(f.op, gather(a), gather(b));
                    for (size_t k = 0; k < 4; ++k) results[lane + k * kLanes] = result[k];
                }
            break;
        case Op::Sum:
        case Op::Dot:
            for (size_t lanes = 0; lanes < results.size(); lanes += kLanes)
                std::fill_n(&results[lanes], kLanes, sumOfLanes(f, a + lanes, b + lanes));
            break;
        default:
            kDefineElements[static_cast<size_t>(f.op)](f, operands, results);
    }
}

}  // namespace tessera::certify
