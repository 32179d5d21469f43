#include "tests/certify/functions.h"

#include <bit>
#include <cmath>

namespace tessera::certify {

namespace {

using isa::Op;
using isa::Type;

constexpr const char* kTypeNames[] = {"f32", "i32", "u32"};
constexpr Type kTypes[] = {Type::F32, Type::I32, Type::U32};

/// Results follow from what the lane has, or from what all lanes have in `sum` and `dot`. Others fetch textures, take
/// differences between pixels, use memory, or hand bits from lane to lane.
bool isFunction(const isa::OpInfo& info) {
    if (info.op == Op::Ddx || info.op == Op::Ddy) return false;
    if (info.op == Op::Sum || info.op == Op::Dot) return true;
    const bool shape =
        info.shape == isa::Shape::DS1 || info.shape == isa::Shape::DS1S2 || info.shape == isa::Shape::DS1S2S3;
    return shape && (info.unit == isa::Unit::Alu || info.unit == isa::Unit::Tfu || info.unit == isa::Unit::Light);
}

bool isElementwise(Op op) {
    return op != Op::Dp3 && op != Op::Dp4 && op != Op::Lit && op != Op::Nrm && op != Op::Sum && op != Op::Dot;
}

std::vector<Function> makeFunctions() {
    std::vector<Function> made;
    for (int o = 0; o < isa::kOpCount; ++o) {
        const isa::OpInfo& info = isa::opInfo(static_cast<Op>(o));
        if (!isFunction(info)) continue;
        const int operands = isa::sourceCount(info.shape);
        for (const Type type : kTypes) {
            if ((info.types >> static_cast<int>(type) & 1) == 0) continue;
            const auto add = [&](const char* suffix, Modifier modifier) {
                made.push_back({std::string(info.mnemonic) + "." + kTypeNames[static_cast<int>(type)] + suffix, info.op,
                                type, modifier, operands, operands == 1 && isElementwise(info.op)});
            };
            add("", Modifier::None);
            if (info.op != Op::Mov || type == Type::U32) continue;
            add(".neg", Modifier::Negate);
            add(".abs", Modifier::Absolute);
            if (type == Type::F32) add(".sat", Modifier::Saturate);
        }
    }
    return made;
}

/// The finalizer of MurmurHash3 (A. Appleby): maps the 32-bit numbers one to one.
uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

/// Where functions change their ways, as floats and as integers.
constexpr std::array<uint32_t, 64> kSpecials = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x00000002, 0x007fffff, 0x807fffff, 0x00800000,  // to 2^-126
    0x80800000, 0x00800001, 0x00ffffff, 0x01000000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,  // 1
    0xbf7fffff, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0x40000000, 0xc0000000,  // 0.5, 2
    0x40400000, 0x40490fdb, 0x3fc90fdb, 0x3f3504f3, 0x3f3504f4, 0x3fb504f3, 0x33800000, 0xb3800000,  // pi, 2^-24
    0x477fe000, 0x477fefff, 0x477ff000, 0x33000000, 0x33000001, 0x387fc000, 0x38800000, 0x4b000000,  // halves, 2^23
    0x4affffff, 0x4b7fffff, 0x4b800000, 0xcb000000, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001,  // 2^31
    0x4f7fffff, 0x4f800000, 0x7e800000, 0x7f000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,  // infinity
    0x7fc00000, 0xffc00000, 0x7f800001, 0x7fffffff, 0xffffffff, 0x0000001f, 0x00000020, 0x00008000,  // NaN, integers
};

/// -(a * b), for sums that cancel. Which NaN a processor makes of others is its own.
uint32_t negatedProduct(uint32_t a, uint32_t b) {
    const float product = std::bit_cast<float>(a) * std::bit_cast<float>(b);
    return std::isnan(product) ? 0x7fc00000u : std::bit_cast<uint32_t>(product) ^ 0x80000000u;
}

uint32_t withExponent(uint32_t bits, uint32_t biased) { return (bits & 0x807fffffu) | biased << 23; }
/// Between 2^-16 and 2^16.
uint32_t moderate(uint32_t bits) { return withExponent(bits, 111 + (bits >> 23 & 31)); }

/// b whose product with a, or quotient, is around the smallest normal number, so that many results are denormal.
uint32_t partnerOfSmallResult(uint32_t a, uint32_t bits, bool ofProduct) {
    const int exponent = static_cast<int>(a >> 23 & 255), result = static_cast<int>(bits >> 8 & 31) - 25;
    const int biased = ofProduct ? result + 127 - exponent : exponent + 127 - result;
    return withExponent(bits, static_cast<uint32_t>(biased < 0 ? 0 : biased > 254 ? 254 : biased));
}

}  // namespace

const std::vector<Function>& functions() {
    static const std::vector<Function> kFunctions = makeFunctions();
    return kFunctions;
}

std::string instructionText(const Function& function, const std::string& destination,
                            const std::array<std::string, 3>& sources) {
    std::string text(isa::opInfo(function.op).mnemonic);
    text += std::string(".") + kTypeNames[static_cast<int>(function.type)];
    if (function.modifier == Modifier::Saturate) text += ".sat";
    text += " " + destination;
    const char* before = function.modifier == Modifier::Negate ? "-" : "";
    const char* around = function.modifier == Modifier::Absolute ? "|" : "";
    for (int operand = 0; operand < function.operands; ++operand)
        text += std::string(", ") + before + around + sources[static_cast<size_t>(operand)] + around;
    return "    " + text + "\n";
}

std::array<uint32_t, 3> stratifiedOperands(uint32_t element) {
    const uint32_t r[3] = {mix(element * 3 + 0x9e3779b9u), mix(element * 5 + 0x3c6ef372u),
                           mix(element * 7 + 0xdaa66d2bu)};
    const uint32_t stratum = element >> 10 & 7;
    const uint32_t ordinal = (element >> 13) << 10 | (element & 1023);  // within the stratum
    switch (stratum) {
        case 0:  // any bits
            return {r[0], r[1], r[2]};
        case 1:  // all combinations of special values, over and over
            return {kSpecials[ordinal & 63], kSpecials[ordinal >> 6 & 63], kSpecials[ordinal >> 12 & 63]};
        case 2:  // neighbours: comparisons, and differences that cancel
            return {r[0], r[0] + (r[1] & 15) - 8, r[0] + (r[2] & 15) - 8};
        case 3:  // floats of ordinary size
            return {moderate(r[0]), moderate(r[1]), moderate(r[2])};
        case 4: {  // the same, with a + b or a * b + c near zero
            const uint32_t a = moderate(r[0]), b = (r[2] & 256) != 0 ? moderate(r[1]) : a ^ (r[1] & 0x80000007u);
            return {a, b, negatedProduct(a, b) + (r[2] & 7) - 4};
        }
        case 5:  // small integers of both signs
            return {(r[0] & 0xffff) - 0x8000, (r[1] & 0xff) - 0x80, (r[2] & 0xffff) - 0x8000};
        case 6:  // numbers of every length
            return {r[0] >> (r[1] & 31), r[1] >> (r[2] & 31), r[2] >> (r[0] & 31)};
        default: {  // products and quotients that are denormal or nearly
            const uint32_t b = partnerOfSmallResult(r[0], r[1], (r[2] & 1) != 0);
            return {r[0], b, (r[2] & 2) != 0 ? negatedProduct(r[0], b) + (r[2] >> 8 & 7) - 4 : r[2]};
        }
    }
}

}  // namespace tessera::certify
