// Constant folding and exact identities of single instructions.
//
// An identity is used only when it holds for every input to the bit, with -0, infinities and denormals (and up to
// the payload of NaN): x * 1 = x, x + -0 = x, x * y + -0 = x * y, x / 2^k = x * 2^-k. Not x + 0 (-0 + 0 is +0), not
// x * 0 (infinities), and a product and a sum are never fused.
#include <bit>
#include <cmath>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/optimize/passes.h"
#include "shader-core/isa/scalar.h"

namespace tessera::glsl::ir {

namespace {

namespace scalar = isa::scalar;
using scalar::kOne;

constexpr uint32_t kSign = 0x80000000u;

/// Bits of a literal operand in each position, float modifiers applied. Integer modifiers are not folded.
bool literalValues(const Instruction& i, int s, std::array<uint32_t, 4>& bits) {
    const Operand& o = i.src[s];
    if (o.kind != Kind::Literal) return false;
    bool modified = o.negate || o.absolute;
    if (modified && isa::sourceType(i.op, i.type) != Type::F32) return false;
    for (int p = 0; p < 4; p++)
        bits[p] = scalar::modified(Type::F32, o.literal[isa::swizzleAt(o.swizzle, p)], o.absolute, o.negate);
    return true;
}

/// True when every position read holds `value`.
bool isLiteral(const Instruction& i, int s, uint32_t value) {
    std::array<uint32_t, 4> bits;
    if (!literalValues(i, s, bits)) return false;
    uint8_t slots = slotsRead(i, s);
    for (int p = 0; p < 4; p++)
        if (slots >> p & 1 && bits[p] != value) return false;
    return true;
}

bool sameOperand(const Operand& a, const Operand& b, uint8_t slots) {
    if (a.kind != b.kind || a.index != b.index || a.negate != b.negate || a.absolute != b.absolute) return false;
    if (a.relative != b.relative || a.relativeComponent != b.relativeComponent) return false;
    for (int p = 0; p < 4; p++) {
        if (!(slots >> p & 1)) continue;
        int x = isa::swizzleAt(a.swizzle, p), y = isa::swizzleAt(b.swizzle, p);
        if (a.kind == Kind::Literal ? a.literal[x] != b.literal[y] : x != y) return false;
    }
    return true;
}

void become(Instruction& i, Op op, const Operand& a, const Operand& b = {}) {
    i.op = op;
    i.src = {a, b, Operand{}};
    i.sampler = 0;
    i.samplerRelative = kNone;
}

/// All sources literal: the result, if it is one that folds.
bool fold(Instruction& i) {
    Form form = formOf(i.op);
    if (form != Form::ComponentWise && form != Form::Dot) return false;
    std::array<std::array<uint32_t, 4>, 3> v{};
    int n = sourceCountOf(i.op);
    for (int s = 0; s < n; s++)
        if (!literalValues(i, s, v[s])) return false;
    bool plain = i.op == Op::Mov && !i.saturate && !i.src[0].negate && !i.src[0].absolute;
    if (plain && i.src[0].swizzle == isa::kSwizzleXYZW) return false;
    std::array<uint32_t, 4> result{};
    for (int c = 0; c < 4; c++) {
        if (!(i.dst.writeMask >> c & 1)) continue;
        const std::optional<uint32_t> value = form == Form::Dot
                                                  ? (*scalar::across(i.op, v[0], v[1]))[c]
                                                  : scalar::component(i.op, i.type, v[0][c], v[1][c], v[2][c]);
        if (!value) return false;
        result[c] = i.saturate ? scalar::saturated(*value) : *value;
    }
    Swizzle tidy = tidySwizzle(isa::kSwizzleXYZW, i.dst.writeMask);
    for (int c = 0; c < 4; c++)
        if (!(i.dst.writeMask >> c & 1)) result[c] = result[isa::swizzleAt(tidy, c)];
    become(i, Op::Mov, literalBits(result));
    i.saturate = false;
    return true;
}

bool simplifyProduct(Instruction& i) {
    for (int s = 0; s < 2; s++) {
        const Operand other = i.src[1 - s];
        const Operand addend = i.src[2];
        bool minus = isLiteral(i, s, kOne | kSign);
        if (!minus && !isLiteral(i, s, kOne)) continue;
        Operand value = minus ? negated(other) : other;
        if (i.op == Op::Mul)
            become(i, Op::Mov, value);
        else
            become(i, Op::Add, value, addend);
        return true;
    }
    if (i.op != Op::Mad) return false;
    if (isLiteral(i, 2, kSign)) {  // + -0
        become(i, Op::Mul, Operand(i.src[0]), Operand(i.src[1]));
        return true;
    }
    // Constant product: the sum rounds once either way if the product itself is exact.
    std::array<uint32_t, 4> a, b, product{};
    if (!literalValues(i, 0, a) || !literalValues(i, 1, b)) return false;
    for (int c = 0; c < 4; c++) {
        float x = std::bit_cast<float>(a[c]), y = std::bit_cast<float>(b[c]);
        product[c] = std::bit_cast<uint32_t>(x * y);
        if (!(i.dst.writeMask >> c & 1)) continue;
        // Below 2^-100 the error of the product might vanish by underflow.
        bool checkable = std::isfinite(x * y) && (std::fabs(x * y) > 0x1p-100f || x == 0.0f || y == 0.0f);
        if (!checkable || std::fma(x, y, -(x * y)) != 0.0f) return false;
    }
    become(i, Op::Add, literalBits(product), Operand(i.src[2]));
    return true;
}

/// x / 2^k as a product with the exact reciprocal.
bool simplifyQuotient(Instruction& i) {
    std::array<uint32_t, 4> divisor, reciprocal{};
    if (!literalValues(i, 1, divisor)) return false;
    for (int c = 0; c < 4; c++) {
        if (!(i.dst.writeMask >> c & 1)) continue;
        uint32_t exponent = divisor[c] >> 23 & 0xFF;
        if (divisor[c] & 0x7FFFFF || exponent < 2 || exponent > 252) return false;
        reciprocal[c] = std::bit_cast<uint32_t>(1.0f / std::bit_cast<float>(divisor[c]));
    }
    become(i, Op::Mul, Operand(i.src[0]), literalBits(reciprocal));
    return true;
}

bool simplifySelection(Instruction& i) {
    std::array<uint32_t, 4> condition;
    if (sameOperand(i.src[1], i.src[2], i.dst.writeMask)) {
        become(i, Op::Mov, Operand(i.src[1]));
        return true;
    }
    if (!literalValues(i, 0, condition)) return false;
    int which = 0;
    uint32_t ignored = i.type == Type::F32 ? kSign : 0;
    for (int c = 0; c < 4; c++) {
        if (!(i.dst.writeMask >> c & 1)) continue;
        int wanted = (condition[c] & ~ignored) != 0 ? 1 : 2;
        if (which != 0 && which != wanted) return false;
        which = wanted;
    }
    become(i, Op::Mov, Operand(i.src[which]));
    return true;
}

bool simplifyFloat(Instruction& i) {
    switch (i.op) {
        case Op::Add:
            for (int s = 0; s < 2; s++)
                if (isLiteral(i, s, kSign)) {
                    become(i, Op::Mov, Operand(i.src[1 - s]));
                    return true;
                }
            return false;
        case Op::Mul:
        case Op::Mad:
            return simplifyProduct(i);
        case Op::Div:
            return simplifyQuotient(i);
        case Op::Sel:
            return simplifySelection(i);
        case Op::Min:
        case Op::Max:
            if (!sameOperand(i.src[0], i.src[1], i.dst.writeMask)) return false;
            become(i, Op::Mov, Operand(i.src[0]));
            return true;
        default:
            return false;
    }
}

bool simplifyInteger(Instruction& i) {
    if (i.op == Op::Sel) return simplifySelection(i);
    if (i.op != Op::Add && i.op != Op::Mul) return false;
    for (int s = 0; s < 2; s++)
        if (isLiteral(i, s, i.op == Op::Add ? 0 : 1)) {
            become(i, Op::Mov, Operand(i.src[1 - s]));
            return true;
        }
    return false;
}

}  // namespace

bool simplifyInstruction(Instruction& i) {
    if (!writesResult(i.op)) return false;
    bool changed = false;
    for (int round = 0; round < 4; round++) {
        bool again = fold(i) || (i.type == Type::F32 ? simplifyFloat(i) : simplifyInteger(i));
        if (!again) break;
        changed = true;
    }
    return changed;
}

}  // namespace tessera::glsl::ir
