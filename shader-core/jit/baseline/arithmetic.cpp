// What instructions compute that are written in place, for a part of the lanes: docs/isa.md.
#include "shader-core/jit/baseline/generator.h"

namespace tessera::jit {

using isa::Op;
using isa::Type;

bool Generator::isInline(const Instruction& i, SimdLevel level) {
    const bool isFloat = i.type == Type::F32;
    switch (i.op) {
        case Op::Mov:
        case Op::Add:
        case Op::Seq:
        case Op::Sne:
        case Op::Sel:
        case Op::Flr:
        case Op::Frc:
        case Op::Trc:
        case Op::Rne:
        case Op::Dp3:
        case Op::Dp4:
        case Op::Rcp:
        case Op::Sqt:
        case Op::Nrm:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Not:
            return true;
        case Op::Mul:
        case Op::Div:
        case Op::Min:
        case Op::Max:
            return isFloat;
        case Op::Mad:
            return isFloat && MacroAssembler::hasMultiplyAdd(level);
        case Op::Slt:
        case Op::Sge:
            return i.type != Type::U32;
        case Op::I2f:
            return i.type == Type::I32;
        default:
            return false;
    }
}

/// Results are kept (values.h).
void Generator::compute(const Instruction& i, unsigned wanted, std::array<Result, 4>& results) {
    const auto keep = [&](int c, const Result& result) {
        values_.keep(result.at);
        results[static_cast<size_t>(c)] = result;
    };
    if (i.op == Op::Nrm) {
        const Values::Scope scope(values_);
        normalise(i, wanted, keep);
        return;
    }
    const bool isDot = i.op == Op::Dp3 || i.op == Op::Dp4;
    int first = -1;
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        const Values::Scope scope(values_);
        if (isDot && first >= 0)
            keep(c, copied(results[static_cast<size_t>(first)]));
        else
            keep(c, isDot ? dot(i, i.op == Op::Dp3 ? 3 : 4) : component(i, c));
        if (first < 0) first = c;
    }
}

Generator::Result Generator::copied(const Result& result) {
    const Vector to = values_.take();
    a_.load(to, result.at);
    return {to, result.isRaw, result.isMask};
}

Generator::Result Generator::binary(VectorOp op, const Operand& a, const Operand& b, bool isRaw) {
    const Vector x = inVector(a), to = values_.take();
    a_.binary(op, to, x, b.where);
    return {to, isRaw};
}

Generator::Result Generator::component(const Instruction& i, int c) {
    const bool isFloat = i.type == Type::F32;
    const Operand a = source(i, 0, c);
    const int sources = isa::sourceCount(isa::opInfo(i.op).shape);
    switch (i.op) {
        case Op::Mov: {
            const Vector to = values_.take();
            a_.load(to, a.where);
            return {to, a.isRaw};
        }
        case Op::Flr:
        case Op::Trc:
        case Op::Rne: {
            const Vector to = values_.take();
            a_.round(i.op == Op::Flr   ? Rounding::Down
                     : i.op == Op::Trc ? Rounding::ToZero
                                       : Rounding::ToNearest,
                     to, a.where);
            return {to, true};
        }
        case Op::Frc: {
            const Vector down = values_.take();
            a_.round(Rounding::Down, down, a.where);
            return binary(VectorOp::Subtract, a, {down}, true);
        }
        case Op::Rcp:
            return binary(VectorOp::Divide, {a_.everywhere(kOneBits)}, a, true);
        case Op::Sqt: {
            const Vector to = values_.take();
            a_.unary(UnaryOp::SquareRoot, to, a.where);
            return {to, true};
        }
        case Op::I2f: {
            const Vector to = values_.take();
            a_.unary(UnaryOp::IntsToFloats, to, a.where);
            return {to};
        }
        case Op::Not:
            return binary(VectorOp::Xor, a, {a_.everywhere(kAllBits)}, false);
        default:
            break;
    }
    Operand b = sources > 1 ? source(i, 1, c) : Operand{Vector{0}};
    switch (i.op) {
        case Op::Add:
            return isFloat ? binary(VectorOp::Add, a, b, true) : binary(VectorOp::AddInts, a, b, false);
        case Op::Mul:
            return binary(VectorOp::Multiply, a, b, true);
        case Op::Div:
            return binary(VectorOp::Divide, a, b, true);
        case Op::And:
            return binary(VectorOp::And, a, b, false);
        case Op::Or:
            return binary(VectorOp::Or, a, b, false);
        case Op::Xor:
            return binary(VectorOp::Xor, a, b, false);
        case Op::Min:
        case Op::Max:
            return extremum(i, c, a, b);
        case Op::Mad: {
            const Operand addend = source(i, 2, c);
            const Vector factor = inVector(b), to = values_.take();
            a_.load(to, a.where);
            a_.multiplyAdd(to, factor, addend.where);
            return {to, true};
        }
        case Op::Sel: {
            Operand no = source(i, 2, c);
            // The bits of the one may count.
            if (b.isRaw != no.isRaw && !live_.isNumeric(destination(i, c))) makeCanonical(b.isRaw ? b : no);
            const Vector mask = notZero(a, isFloat), other = inVector(no), to = values_.take();
            a_.choose(to, mask, b.where, other);
            return {to, b.isRaw || no.isRaw};
        }
        default:
            return comparison(i, a, b);
    }
}

Vector Generator::notZero(const Operand& x, bool isFloat) {
    const Vector from = inVector(x), to = values_.take();
    if (isFloat) {
        a_.compare(Comparison::NotEqual, to, from, a_.everywhere(0));
        return to;
    }
    a_.binary(VectorOp::EqualInts, to, from, a_.everywhere(0));
    a_.binary(VectorOp::Xor, to, to, a_.everywhere(kAllBits));
    return to;
}

Generator::Result Generator::comparison(const Instruction& i, const Operand& a, const Operand& b) {
    const bool swaps = i.op == Op::Sge || (i.op == Op::Slt && i.type != Type::F32);
    const Vector x = inVector(swaps ? b : a), to = values_.take();
    const VectorOperand y = swaps ? a.where : b.where;
    if (i.type == Type::F32) {
        const Comparison comparison = i.op == Op::Slt   ? Comparison::Less
                                      : i.op == Op::Sge ? Comparison::LessOrEqual
                                      : i.op == Op::Seq ? Comparison::Equal
                                                        : Comparison::NotEqual;
        a_.compare(comparison, to, x, y);
    } else if (i.op == Op::Slt) {
        a_.binary(VectorOp::GreaterInts, to, x, y);
    } else if (i.op == Op::Sge) {  // not b > a
        a_.binary(VectorOp::GreaterInts, to, x, y);
        a_.binary(VectorOp::Xor, to, to, a_.everywhere(kAllBits));
    } else {
        a_.binary(VectorOp::EqualInts, to, x, y);
        if (i.op == Op::Sne) a_.binary(VectorOp::Xor, to, to, a_.everywhere(kAllBits));
    }
    return {to, false, true};
}

/// b where it is beyond a, else a: the host's instructions, which give their second operand for a NaN and for two
/// zeros. Only a NaN in a stays one.
Generator::Result Generator::extremum(const Instruction& i, int component, const Operand& a, const Operand& b) {
    const std::optional<uint32_t> constant = known(i, 0, component);
    const bool mayBeNan = !constant || (*constant & ~kSignBit) > 0x7f800000;
    return binary(i.op == Op::Max ? VectorOp::Maximum : VectorOp::Minimum, b, a, mayBeNan);
}

/// ((x + y) + z) + w of products, each rounded on its own.
Generator::Result Generator::dot(const Instruction& i, int components) {
    const Result sum = binary(VectorOp::Multiply, source(i, 0, 0), source(i, 1, 0), true);
    for (int c = 1; c < components; ++c) {
        const Values::Scope scope(values_);
        const Result product = binary(VectorOp::Multiply, source(i, 0, c), source(i, 1, c), true);
        a_.binary(VectorOp::Add, sum.at, sum.at, product.at);
    }
    return sum;
}

template <class Keep>
void Generator::normalise(const Instruction& i, unsigned wanted, const Keep& keep) {
    const Operand vector[] = {source(i, 0, 0), source(i, 0, 1), source(i, 0, 2)};
    const Vector length = binary(VectorOp::Multiply, vector[0], vector[0], true).at;
    for (const Operand& component : {vector[1], vector[2]}) {
        const Values::Scope scope(values_);
        a_.binary(VectorOp::Add, length, length, binary(VectorOp::Multiply, component, component, true).at);
    }
    a_.unary(UnaryOp::SquareRoot, length, length);
    for (int c = 0; c < 3; ++c)
        if (wanted >> c & 1) keep(c, binary(VectorOp::Divide, vector[c], {length}, true));
    if (wanted & 8) keep(3, Result{length, true});
}

}  // namespace tessera::jit
