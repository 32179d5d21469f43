// Expressions: operators, assignments, constants, constructors.
#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

constexpr int kCheapWeight = 24;  ///< operands of && || ?: up to this many nodes are evaluated without a branch

bool isIndexing(TOperator op) {
    return op == EOpIndexDirect || op == EOpIndexIndirect || op == EOpIndexDirectStruct || op == EOpVectorSwizzle;
}

/// The instruction of an operator on integers, component by component.
std::optional<isa::Op> integerOperator(TOperator op) {
    switch (op) {
        case EOpMod:
            return isa::Op::Mod;
        case EOpAnd:
            return isa::Op::And;
        case EOpInclusiveOr:
            return isa::Op::Or;
        case EOpExclusiveOr:
            return isa::Op::Xor;
        case EOpLeftShift:
            return isa::Op::Shl;
        case EOpRightShift:
            return isa::Op::Shr;
        default:
            return std::nullopt;
    }
}

/// The operator of a compound assignment.
TOperator assignedOperator(TOperator op) {
    switch (op) {
        case EOpAddAssign:
            return EOpAdd;
        case EOpSubAssign:
            return EOpSub;
        case EOpDivAssign:
            return EOpDiv;
        case EOpMulAssign:
        case EOpVectorTimesScalarAssign:
        case EOpMatrixTimesScalarAssign:
            return EOpMul;
        case EOpVectorTimesMatrixAssign:
            return EOpVectorTimesMatrix;
        case EOpMatrixTimesMatrixAssign:
            return EOpMatrixTimesMatrix;
        case EOpModAssign:
            return EOpMod;
        case EOpAndAssign:
            return EOpAnd;
        case EOpInclusiveOrAssign:
            return EOpInclusiveOr;
        case EOpExclusiveOrAssign:
            return EOpExclusiveOr;
        case EOpLeftShiftAssign:
            return EOpLeftShift;
        case EOpRightShiftAssign:
            return EOpRightShift;
        default:
            return EOpNull;
    }
}

}  // namespace

Value AstToIr::expression(TIntermNode* node) {
    int line = node->getLoc().line;
    if (line > 0) {
        line_ = line;
        b_.setLine(static_cast<uint32_t>(line));
    }
    checkSize();
    if (auto* constantNode = node->getAsConstantUnion())
        return constant(constantNode->getConstArray(), convertType(constantNode->getType()));
    if (auto* symbol = node->getAsSymbolNode()) {
        if (symbol->getConstArray().size() > 0)
            return constant(symbol->getConstArray(), convertType(symbol->getType()));
        return load(variable(symbol));
    }
    if (auto* b = node->getAsBinaryNode()) return binary(b);
    if (auto* u = node->getAsUnaryNode()) return unary(u);
    if (auto* a = node->getAsAggregate()) return aggregate(a);
    if (auto* s = node->getAsSelectionNode()) return conditional(s);
    fail("'' : expression not supported");
}

Value AstToIr::constant(const TConstUnionArray& values, const Type& type) {
    Value v{type, {}};
    int at = 0;
    for (const RegisterShape& shape : registerShapes(type)) {
        std::array<uint32_t, 4> bits{};
        for (int i = 0; i < shape.rows; i++, at++) {
            if (at >= values.size()) break;
            const TConstUnion& c = values[static_cast<size_t>(at)];
            float f = 0;
            switch (c.getType()) {
                case EbtInt:
                    bits[static_cast<size_t>(i)] = static_cast<uint32_t>(c.getIConst());
                    continue;
                case EbtUint:
                    bits[static_cast<size_t>(i)] = c.getUConst();
                    continue;
                case EbtBool:
                    f = c.getBConst() ? 1.0f : 0.0f;
                    break;
                default:
                    f = static_cast<float>(c.getDConst());
                    break;
            }
            bits[static_cast<size_t>(i)] = std::bit_cast<uint32_t>(f);
        }
        for (size_t i = shape.rows; i < 4; i++) bits[i] = bits[shape.rows - 1u];
        v.registers.push_back(ir::literalBits(bits));
    }
    return v;
}

// Binary operators

Value AstToIr::binary(TIntermBinary* node) {
    TOperator op = node->getOp();
    if (op == EOpAssign) return assign(node);
    if (assignedOperator(op) != EOpNull) return assign(node);
    if (op == EOpLogicalAnd || op == EOpLogicalOr) return logical(node);
    if (isIndexing(op)) {
        TIntermSymbol* root = rootSymbol(node);
        // Components and columns of what is in a block are those of its value.
        const TType& whole = node->getLeft()->getType();
        const bool isPart = isInBlock(node) && !whole.isArray() && !whole.isStruct();
        if (root && root->getConstArray().size() == 0 && !isPart) return load(reference(node));
        bool effects = op == EOpIndexIndirect && analysis_.hasEffects(node->getRight());
        Value base = preserveIf(effects, expression(node->getLeft()));
        switch (op) {
            case EOpIndexDirect:
                return indexValue(base, constantInt(node->getRight()));
            case EOpIndexDirectStruct: {
                const StructType& structure = *base.type.structure;
                auto i = static_cast<size_t>(constantInt(node->getRight()));
                Value v{structure.fields[i].type, {}};
                auto begin = base.registers.begin() + fieldOffset(structure, i);
                v.registers.assign(begin, begin + registerCount(v.type));
                return v;
            }
            case EOpVectorSwizzle: {
                const TIntermSequence& list = node->getRight()->getAsAggregate()->getSequence();
                int c[4] = {};
                int n = static_cast<int>(std::min<size_t>(list.size(), 4));
                for (int i = 0; i < 4; i++) c[i] = constantInt(list[static_cast<size_t>(std::min(i, n - 1))]) & 3;
                return single(vectorType(base.type.base, n),
                              ir::swizzled(base.scalar(), isa::makeSwizzle(c[0], c[1], c[2], c[3])));
            }
            default: {
                Value index = expression(node->getRight());
                if (index.scalar().kind == ir::Kind::Literal)
                    return indexValue(base, static_cast<int32_t>(index.scalar().literal[0]));
                return indexValueDynamic(base, index);
            }
        }
    }
    Value a = preserveIf(analysis_.hasEffects(node->getRight()), expression(node->getLeft()));
    Value b = expression(node->getRight());
    return arithmetic(op, a, b, convertType(node->getType()));
}

Value AstToIr::arithmetic(TOperator op, const Value& a, const Value& b, const Type& type) {
    switch (op) {
        case EOpEqual:
            return single(type, equal(a, b));
        case EOpNotEqual:
            return single(type, emit(1, Op::Seq, equal(a, b), ir::literal(0)));
        case EOpLogicalXor:
            return single(type, emit(1, Op::Sne, a.scalar(), b.scalar()));
        case EOpLessThan:
        case EOpGreaterThan:
        case EOpLessThanEqual:
        case EOpGreaterThanEqual:
            return compare(op, a, b);
        case EOpMatrixTimesVector:
            return single(type, transform(a, b.scalar()));
        case EOpMatrixTimesMatrix: {
            Value v{type, {}};
            for (int c = 0; c < type.columns; c++)
                v.registers.push_back(transform(a, b.registers[static_cast<size_t>(c)]));
            return v;
        }
        case EOpVectorTimesMatrix: {
            uint32_t t = b_.newTemp(type.rows);
            for (int c = 0; c < type.rows; c++) {
                Operand d = dot(a.scalar(), b.registers[static_cast<size_t>(c)], b.type.rows);
                b_.emitTo(ir::tempDest(t, static_cast<uint8_t>(1u << c)), Op::Mov, d);
            }
            return single(type, b_.tempOperand(t));
        }
        default:
            break;
    }
    Value v{type, {}};
    size_t count = std::max(a.registers.size(), b.registers.size());
    bool integer = type.isInteger();
    isa::Type t = operationType(type.base);
    const std::optional<Op> bits = integerOperator(op);
    for (size_t i = 0; i < count; i++) {
        const Operand& x = a.registers[a.registers.size() == 1 ? 0 : i];
        const Operand& y = b.registers[b.registers.size() == 1 ? 0 : i];
        int n = type.rows;
        if (bits) {
            v.registers.push_back(emit(n, *bits, x, y, {}, t));
            continue;
        }
        switch (op) {
            case EOpAdd:
                v.registers.push_back(emit(n, Op::Add, x, y, {}, t));
                break;
            case EOpSub:
                v.registers.push_back(integer ? emit(n, Op::Mad, y, ir::literalInt(-1), x, t)
                                              : emit(n, Op::Add, x, ir::negated(y)));
                break;
            case EOpDiv:
                v.registers.push_back(emit(n, Op::Div, x, y, {}, t));
                break;
            case EOpMul:
            case EOpVectorTimesScalar:
            case EOpMatrixTimesScalar:
                v.registers.push_back(emit(n, Op::Mul, x, y, {}, t));
                break;
            default:
                fail("'' : operator not supported");
        }
    }
    return v;
}

/// Ordering, component by component: true only for ordered operands, so NaN compares false.
Value AstToIr::compare(TOperator op, const Value& a, const Value& b) {
    isa::Type t = operationType(a.type.base);
    int n = a.type.rows;
    Operand x = a.scalar(), y = b.scalar();
    Type type = vectorType(Base::Bool, n);
    switch (op) {
        case EOpLessThan:
            return single(type, emit(n, Op::Slt, x, y, {}, t));
        case EOpGreaterThan:
            return single(type, emit(n, Op::Slt, y, x, {}, t));
        case EOpLessThanEqual:
            return single(type, emit(n, Op::Sge, y, x, {}, t));
        case EOpGreaterThanEqual:
            return single(type, emit(n, Op::Sge, x, y, {}, t));
        case EOpEqual:
        case EOpVectorEqual:
            return single(type, emit(n, Op::Seq, x, y, {}, t));
        default:
            return single(type, emit(n, Op::Sne, x, y, {}, t));
    }
}

/// == over any type: 1.0 when every component of every register agrees.
AstToIr::Operand AstToIr::equal(const Value& a, const Value& b) {
    std::vector<RegisterShape> shapes = registerShapes(a.type);
    Operand result = ir::literal(1);
    for (size_t i = 0; i < shapes.size(); i++) {
        int n = shapes[i].rows;
        Operand same = all(emit(n, Op::Seq, a.registers[i], b.registers[i], {}, operationType(shapes[i].base)), n);
        result = i == 0 ? same : emit(1, Op::Mul, result, same);
    }
    return result;
}

/// && and ||: the second operand is evaluated only when it counts, unless that can't be observed.
Value AstToIr::logical(TIntermBinary* node) {
    bool conjunction = node->getOp() == EOpLogicalAnd;
    Type type = vectorType(Base::Bool, 1);
    bool branch = analysis_.hasEffects(node->getRight()) || analysis_.weight(node->getRight()) > kCheapWeight;
    Value a = expression(node->getLeft());
    if (a.scalar().kind == ir::Kind::Literal)
        return (a.scalar().literal[0] != 0) == conjunction ? expression(node->getRight()) : a;
    if (!branch) {
        Value b = expression(node->getRight());
        return single(type, emit(1, conjunction ? Op::Mul : Op::Max, a.scalar(), b.scalar()));
    }
    uint32_t t = b_.newTemp(1);
    b_.emitTo(ir::tempDest(t, 1), Op::Mov, a.scalar());
    beginIf(b_.tempOperand(t), !conjunction);
    Value b = expression(node->getRight());
    b_.emitTo(ir::tempDest(t, 1), Op::Mov, b.scalar());
    endIf();
    return single(type, b_.tempOperand(t));
}

Value AstToIr::conditional(TIntermSelection* node) {
    TIntermNode* yes = node->getTrueBlock();
    TIntermNode* no = node->getFalseBlock();
    Value condition = expression(node->getCondition());
    Operand c = condition.scalar();
    if (c.kind == ir::Kind::Literal) return expression(c.literal[0] != 0 ? yes : no);
    Type type = convertType(node->getType());
    bool branch = analysis_.hasEffects(yes) || analysis_.hasEffects(no) ||
                  analysis_.weight(yes) + analysis_.weight(no) > kCheapWeight;
    if (type.base == Base::Void) {
        beginIf(c);
        (void)expression(yes);
        b_.beginElse();
        (void)expression(no);
        endIf();
        return {type, {}};
    }
    std::vector<RegisterShape> shapes = registerShapes(type);
    if (!branch) {
        Value a = expression(yes), b = expression(no);
        Value v{type, {}};
        for (size_t i = 0; i < shapes.size(); i++)
            v.registers.push_back(
                emit(shapes[i].rows, Op::Sel, c, a.registers[i], b.registers[i], operationType(shapes[i].base)));
        return v;
    }
    Reference result = newVariable(type, false);
    beginIf(c);
    store(result, expression(yes));
    b_.beginElse();
    store(result, expression(no));
    endIf();
    return load(result);
}

// Assignment

Value AstToIr::assign(TIntermBinary* node) {
    Reference target = reference(node->getLeft());
    Value value = expression(node->getRight());
    if (node->getOp() != EOpAssign)
        value = arithmetic(assignedOperator(node->getOp()), load(target), value, target.type);
    store(target, value);
    // The value of the assignment: the variable, unless reading it back costs address arithmetic.
    return target.dynamic || target.dynamicComponent ? value : load(target);
}

Value AstToIr::increment(TIntermUnary* node) {
    TOperator op = node->getOp();
    Reference target = reference(node->getOperand());
    Value old = load(target);
    bool post = op == EOpPostIncrement || op == EOpPostDecrement;
    if (post) old = preserve(old);
    bool up = op == EOpPostIncrement || op == EOpPreIncrement;
    Value changed{target.type, {}};
    bool integer = target.type.isInteger();
    Operand step = integer ? ir::literalInt(up ? 1 : -1) : ir::literal(up ? 1.0f : -1.0f);
    for (const Operand& o : old.registers)
        changed.registers.push_back(emit(target.type.rows, Op::Add, o, step, {}, operationType(target.type.base)));
    store(target, changed);
    return post ? old : changed;
}

// Unary operators, conversions, and one-argument built-ins

Value AstToIr::unary(TIntermUnary* node) {
    TOperator op = node->getOp();
    if (isAssignment(op)) return increment(node);
    if (node->isTexture()) return texture(node, std::array<TIntermNode*, 1>{node->getOperand()});
    Value a = expression(node->getOperand());
    Type type = convertType(node->getType());
    switch (op) {
        case EOpNegative: {
            Value v{type, {}};
            for (const Operand& o : a.registers) {
                if (o.kind == ir::Kind::Literal || type.isInteger()) {
                    v.registers.push_back(emit(type.rows, Op::Mul, o,
                                               type.isInteger() ? ir::literalInt(-1) : ir::literal(-1.0f), {},
                                               operationType(type.base)));
                } else {
                    v.registers.push_back(ir::negated(o));
                }
            }
            return v;
        }
        case EOpLogicalNot:
        case EOpVectorLogicalNot:
            return single(type, emit(type.rows, Op::Seq, a.scalar(), ir::literal(0)));
        case EOpBitwiseNot:
            return single(type, emit(type.rows, Op::Not, a.scalar(), {}, {}, operationType(type.base)));
        case EOpConvIntToBool:
        case EOpConvUintToBool:
        case EOpConvFloatToBool:
        case EOpConvBoolToInt:
        case EOpConvUintToInt:
        case EOpConvFloatToInt:
        case EOpConvBoolToUint:
        case EOpConvIntToUint:
        case EOpConvFloatToUint:
        case EOpConvBoolToFloat:
        case EOpConvIntToFloat:
        case EOpConvUintToFloat:
            return convert(a, type.base);
        default:
            break;
    }
    if (node->isConstructor()) return construct(op, {&a, 1}, type);
    return builtIn(op, {&a, 1}, type);
}

Value AstToIr::aggregate(TIntermAggregate* node) {
    TOperator op = node->getOp();
    const TIntermSequence& children = node->getSequence();
    if (op == EOpComma || op == EOpSequence || op == EOpScope) {
        Value last;
        for (TIntermNode* child : children) last = expression(child);
        return last;
    }
    if (op == EOpFunctionCall) return callFunction(node);
    if (node->isTexture()) return texture(node, children);
    if (op == EOpModf) return wholeAndFraction(node);
    std::vector<Value> arguments;
    for (size_t i = 0; i < children.size(); i++) {
        bool effects = std::any_of(children.begin() + static_cast<ptrdiff_t>(i) + 1, children.end(),
                                   [&](TIntermNode* later) { return analysis_.hasEffects(later); });
        arguments.push_back(preserveIf(effects, expression(children[i])));
    }
    Type type = convertType(node->getType());
    if (node->isConstructor()) return construct(op, arguments, type);
    return builtIn(op, arguments, type);
}

/// modf(x, whole): the fraction; both have the sign of x.
Value AstToIr::wholeAndFraction(TIntermAggregate* node) {
    const TIntermSequence& operands = node->getSequence();
    const Type type = convertType(node->getType());
    const Value x = preserveIf(analysis_.hasEffects(operands[1]), expression(operands[0]));
    const Reference target = reference(operands[1]);
    const Operand whole = emit(type.rows, Op::Trc, x.scalar());
    const Operand infinite = emit(type.rows, Op::Seq, ir::absolute(x.scalar()), infinity());
    const Operand rest = emit(type.rows, Op::Add, x.scalar(), ir::negated(whole));
    const Operand fraction = emit(type.rows, Op::Sel, infinite, ir::literal(0), rest);
    store(target, single(type, whole));
    return single(type, fraction);
}

// Constructors

AstToIr::Operand AstToIr::convertRegister(const Operand& o, int n, Base from, Base to) {
    if (from == to) return o;
    const bool fromInteger = from == Base::Int || from == Base::Uint;
    switch (to) {
        case Base::Bool:
            if (fromInteger) return emit(n, Op::Sne, o, ir::literalInt(0), {}, operationType(from));
            return emit(n, Op::Sne, o, ir::literal(0));
        case Base::Int:
        case Base::Uint:
            if (fromInteger) return o;                              // the bits stay
            return emit(n, Op::F2i, o, {}, {}, operationType(to));  // booleans are 1.0 and 0.0
        default:
            if (fromInteger) return emit(n, Op::I2f, o, {}, {}, operationType(from));
            return o;
    }
}

Value AstToIr::convert(const Value& v, Base to) {
    Value out{v.type.withBase(to), {}};
    for (const Operand& o : v.registers) out.registers.push_back(convertRegister(o, v.type.rows, v.type.base, to));
    return out;
}

Value AstToIr::construct(TOperator op, std::span<const Value> arguments, const Type& type) {
    if (op == EOpConstructStruct || type.base == Base::Struct || type.isArray()) {
        Value v{type, {}};
        for (const Value& a : arguments) v.registers.insert(v.registers.end(), a.registers.begin(), a.registers.end());
        return v;
    }
    if (type.isMatrix()) return constructMatrix(type, arguments);
    if (arguments.size() == 1 && arguments[0].type.columns == 1) {
        const Value& a = arguments[0];  // scalar to vector, or the first components of a vector
        Operand o = a.scalar();
        if (a.type.rows > type.rows) o = ir::swizzled(o, ir::swizzleOfSize(type.rows));
        if (a.type.rows == 1)
            o = convertRegister(o, 1, a.type.base, type.base);
        else
            o = convertRegister(o, type.rows, a.type.base, type.base);
        return single(type, o);
    }
    return gather(type, arguments);
}

/// Components of all arguments in order, as many as the type takes; runs of one register move together.
Value AstToIr::gather(const Type& type, std::span<const Value> arguments) {
    Value v{type, {}};
    std::vector<uint32_t> temps;
    for (int c = 0; c < type.columns; c++) {
        temps.push_back(b_.newTemp(type.rows));
        v.registers.push_back(b_.tempOperand(temps.back()));
    }
    int total = type.rows * type.columns, at = 0;
    for (const Value& a : arguments) {
        for (const Operand& o : a.registers) {
            for (int c = 0; c < a.type.rows && at < total;) {
                int row = at % type.rows;
                int run = std::min(a.type.rows - c, type.rows - row);
                // Component row + k of the temp reads component c + k of the operand.
                int s[4] = {};
                for (int k = 0; k < 4; k++) s[k] = std::clamp(k - row + c, c, c + run - 1);
                Operand part = ir::swizzled(o, isa::makeSwizzle(s[0], s[1], s[2], s[3]));
                part = convertRegister(part, row + run, a.type.base, type.base);
                auto mask = static_cast<uint8_t>(ir::maskOfSize(row + run) & ~ir::maskOfSize(row));
                b_.emitTo(ir::tempDest(temps[static_cast<size_t>(at / type.rows)], mask), Op::Mov, part, {}, {},
                          operationType(type.base));
                c += run;
                at += run;
            }
        }
    }
    return v;
}

Value AstToIr::constructMatrix(const Type& type, std::span<const Value> arguments) {
    const Value& a = arguments[0];
    if (arguments.size() > 1 || a.type.isVector()) return gather(type, arguments);
    Value v{type, {}};
    if (a.type.isScalar()) {  // on the diagonal
        Operand x = convertRegister(a.scalar(), 1, a.type.base, Base::Float);
        for (int c = 0; c < type.columns; c++) {
            uint32_t t = b_.newTemp(type.rows);
            auto bit = static_cast<uint8_t>(1u << c);
            b_.emitTo(ir::tempDest(t, static_cast<uint8_t>(ir::maskOfSize(type.rows) & ~bit)), Op::Mov, ir::literal(0));
            if (c < type.rows) b_.emitTo(ir::tempDest(t, bit), Op::Mov, x);
            v.registers.push_back(b_.tempOperand(t));
        }
        return v;
    }
    for (int c = 0; c < type.columns; c++) {  // the other matrix's corner, the identity elsewhere
        if (c < a.type.columns && a.type.rows >= type.rows) {
            v.registers.push_back(ir::swizzled(a.registers[static_cast<size_t>(c)], ir::swizzleOfSize(type.rows)));
            continue;
        }
        uint32_t t = b_.newTemp(type.rows);
        b_.emitTo(ir::tempDest(t, ir::maskOfSize(type.rows)), Op::Mov, ir::literal(c == 0, c == 1, c == 2, c == 3));
        if (c < a.type.columns)
            b_.emitTo(ir::tempDest(t, ir::maskOfSize(a.type.rows)), Op::Mov, a.registers[static_cast<size_t>(c)]);
        v.registers.push_back(b_.tempOperand(t));
    }
    return v;
}

}  // namespace tessera::glsl::front
