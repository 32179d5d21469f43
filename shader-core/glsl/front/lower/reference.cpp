// References: where a variable or a part of it is, and how to read and write it.
#include <algorithm>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

// Index values

AstToIr::Operand AstToIr::integerTemp(const Operand& o) { return copy(ir::component(o, 0), 1, Base::Int); }

AstToIr::Operand AstToIr::scaledIndex(const Operand& index, uint32_t stride) {
    if (stride == 1) return integerTemp(index);
    return emit(1, Op::Mul, ir::component(index, 0), ir::literalInt(static_cast<int32_t>(stride)), {}, isa::Type::I32);
}

// Making references

Reference AstToIr::indexConstant(Reference base, int index) {
    Type whole = base.type;
    base.type = whole.element();
    int limit = whole.isArray() ? static_cast<int>(whole.arraySize) : whole.isMatrix() ? whole.columns : whole.rows;
    index = std::clamp(index, 0, limit - 1);
    if (base.block) {
        Reference array = base;
        array.type = whole;
        base.block->offset += static_cast<uint32_t>(index) * blockStride(array);
    } else if (whole.isArray() || whole.isMatrix()) {
        base.first += static_cast<uint32_t>(index) * registerCount(base.type);
        base.sampler.first += static_cast<uint32_t>(index) * samplerCount(base.type);
    } else {
        base.components = {base.components[static_cast<size_t>(index)], 0, 0, 0};
        std::fill(base.components.begin() + 1, base.components.end(), base.components[0]);
    }
    return base;
}

Reference AstToIr::indexDynamic(Reference base, const Value& index) {
    Type whole = base.type;
    const uint32_t blockRegisters = base.block ? blockStride(base) / kRegisterBytes : 0;
    base.type = whole.element();
    if (!whole.isArray() && !whole.isMatrix()) {
        base.dynamicComponent = true;
        base.componentCount = whole.rows;
        base.componentIndex = integerTemp(index.scalar());
        return base;
    }
    if (uint32_t stride = base.block ? blockRegisters : registerCount(base.type); stride > 0) {
        Operand offset = scaledIndex(index.scalar(), stride);
        base.index = base.dynamic ? emit(1, Op::Add, base.index, offset, {}, isa::Type::I32) : offset;
        base.dynamic = true;
    }
    if (uint32_t stride = samplerCount(base.type); stride > 0) {
        SamplerRef& s = base.sampler;
        Operand offset = scaledIndex(index.scalar(), stride);
        s.index = s.dynamic ? emit(1, Op::Add, s.index, offset, {}, isa::Type::I32) : offset;
        s.dynamic = true;
    }
    return base;
}

Reference AstToIr::field(Reference base, int index) {
    if (base.block) return blockField(std::move(base), index);
    const StructType& structure = *base.type.structure;
    auto i = static_cast<size_t>(index);
    base.first += fieldOffset(structure, i);
    base.sampler.first += fieldSamplerOffset(structure, i);
    Type type = structure.fields[i].type;
    base.type = type;
    return base;
}

Reference AstToIr::swizzle(Reference base, TIntermAggregate* components) {
    std::array<uint8_t, 4> chosen{};
    const TIntermSequence& list = components->getSequence();
    size_t n = std::min<size_t>(list.size(), 4);
    for (size_t i = 0; i < n; i++) chosen[i] = base.components[static_cast<size_t>(constantInt(list[i]) & 3)];
    for (size_t i = n; i < 4; i++) chosen[i] = chosen[n - 1];
    base.components = chosen;
    base.type.rows = static_cast<uint8_t>(n);
    return base;
}

Reference AstToIr::reference(TIntermNode* node) {
    if (auto* symbol = node->getAsSymbolNode()) return variable(symbol);
    auto* binary = node->getAsBinaryNode();
    if (!binary) fail("'' : l-value required");
    Reference base = reference(binary->getLeft());
    switch (binary->getOp()) {
        case EOpIndexDirect:
            return indexConstant(base, constantInt(binary->getRight()));
        case EOpIndexDirectStruct:
            return field(base, constantInt(binary->getRight()));
        case EOpVectorSwizzle:
            return swizzle(base, binary->getRight()->getAsAggregate());
        case EOpIndexIndirect: {
            Value index = expression(binary->getRight());
            const Operand& o = index.scalar();
            if (o.kind == ir::Kind::Literal) return indexConstant(base, static_cast<int32_t>(o.literal[0]));
            return indexDynamic(base, index);
        }
        default:
            fail("'' : l-value required");
    }
}

// Reading

Value AstToIr::load(const Reference& ref) {
    Value v{ref.type, {}};
    if (ref.block) {
        loadFromBlock(ref, ref.type, ref.block->offset, v.registers);
        return v;
    }
    std::vector<RegisterShape> shapes = registerShapes(ref.type);
    bool whole = !(ref.type.isScalar() || ref.type.isVector());
    for (uint32_t i = 0; i < shapes.size(); i++) {
        int n = shapes[i].rows;
        Operand o = ir::registerOperand(ref.kind, ref.first + i, n);
        if (!whole && !ref.dynamicComponent) {
            const auto& c = ref.components;
            auto at = [&](int k) { return c[static_cast<size_t>(std::min(k, n - 1))]; };
            o.swizzle = isa::makeSwizzle(at(0), at(1), at(2), at(3));
        } else if (ref.dynamicComponent) {
            const auto& c = ref.components;
            auto at = [&](int k) { return c[static_cast<size_t>(std::min(k, ref.componentCount - 1))]; };
            o.swizzle = isa::makeSwizzle(at(0), at(1), at(2), at(3));
            n = ref.componentCount;
        }
        // Relative operands are read once, here: the address register is dear, and the element may change.
        if (ref.dynamic) o = copy(ir::indexed(o, ref.index, ref.arrayFirst, ref.arrayCount), n, shapes[i].base);
        v.registers.push_back(o);
    }
    if (!ref.dynamicComponent) return v;
    Value vector{ref.type, v.registers};
    vector.type.rows = static_cast<uint8_t>(ref.componentCount);
    return indexValueDynamic(vector, single(vectorType(Base::Int, 1), ref.componentIndex));
}

/// A copy in fresh temps: later writes to the variable do not reach it.
Value AstToIr::preserve(const Value& v) {
    Value out{v.type, {}};
    std::vector<RegisterShape> shapes = registerShapes(v.type);
    for (size_t i = 0; i < v.registers.size(); i++) {
        bool fixed = !ir::isVariable(v.registers[i].kind);
        out.registers.push_back(fixed ? v.registers[i] : copy(v.registers[i], shapes[i].rows, shapes[i].base));
    }
    return out;
}

// Writing

/// Component i of `value` goes to component components[i] of the register: the swizzle that puts it there.
static isa::Swizzle scatter(const std::array<uint8_t, 4>& components, int n) {
    std::array<int, 4> source{};
    for (int i = n - 1; i >= 0; i--) source[components[static_cast<size_t>(i)]] = i;
    return isa::makeSwizzle(source[0], source[1], source[2], source[3]);
}

void AstToIr::storeRegister(const Reference& ref, uint32_t offset, RegisterShape shape, const Operand& value) {
    bool whole = !(ref.type.isScalar() || ref.type.isVector());
    int n = shape.rows;
    ir::Dest dest;
    dest.kind = ref.kind;
    dest.index = ref.first + offset;
    dest.writeMask = ir::maskOfSize(n);
    Operand source = value;
    if (!whole) {
        dest.writeMask = 0;
        for (int i = 0; i < n; i++)
            dest.writeMask |= static_cast<uint8_t>(1u << ref.components[static_cast<size_t>(i)]);
        source = ir::swizzled(value, scatter(ref.components, n));
    }
    if (ref.dynamic) dest = ir::indexed(dest, ref.index, ref.arrayFirst, ref.arrayCount);
    b_.emitTo(dest, Op::Mov, source, {}, {}, operationType(shape.base));
    noteStore(dest);
}

void AstToIr::store(const Reference& ref, const Value& value) {
    if (ref.dynamicComponent) {
        // Each candidate keeps its value unless it is the one.
        Reference vector = ref;
        vector.dynamicComponent = false;
        vector.type.rows = static_cast<uint8_t>(ref.componentCount);
        Value old = load(vector);
        int n = ref.componentCount;
        Operand numbers = ir::literalBits({0, 1, 2, 3});
        Operand chosen = emit(n, Op::Seq, ref.componentIndex, numbers, {}, isa::Type::I32);
        Operand merged =
            emit(n, Op::Sel, chosen, ir::component(value.scalar(), 0), old.scalar(), operationType(ref.type.base));
        store(vector, single(vector.type, merged));
        return;
    }
    std::vector<RegisterShape> shapes = registerShapes(ref.type);
    const Value* source = &value;
    Value copied;
    // Several registers from the variable itself (m = mat2(m[1], m[0])): all are read before one is written.
    auto reads = [&](const Operand& o, uint32_t self) {
        return o.kind == ref.kind && o.index != self && o.index >= ref.arrayFirst &&
               o.index < ref.arrayFirst + ref.arrayCount;
    };
    for (uint32_t i = 0; i < shapes.size() && shapes.size() > 1; i++) {
        if (!ref.dynamic && !reads(value.registers[i], ref.first + i)) continue;
        copied = preserve(value);
        source = &copied;
        break;
    }
    for (uint32_t i = 0; i < shapes.size(); i++) storeRegister(ref, i, shapes[i], source->registers[i]);
}

// Parts of values that are not variables

Value AstToIr::indexValue(const Value& base, int index) {
    Value v{base.type.element(), {}};
    if (base.type.isArray() || base.type.isMatrix()) {
        uint32_t stride = registerCount(v.type);
        uint32_t limit = base.type.isArray() ? base.type.arraySize : base.type.columns;
        uint32_t at = std::clamp<uint32_t>(static_cast<uint32_t>(std::max(index, 0)), 0, limit - 1) * stride;
        v.registers.assign(base.registers.begin() + at, base.registers.begin() + at + stride);
    } else {
        v.registers = {ir::component(base.scalar(), std::clamp(index, 0, base.type.rows - 1))};
    }
    return v;
}

/// Constants of which so many may be chosen by an index that a table of them is quicker than choosing one by one.
static bool isTable(const Value& base, int count, const ir::Module& module) {
    constexpr int kFewElements = 4;
    constexpr size_t kMostRows = 128;  // leaves room for uniforms and literals
    return base.type.isArray() && count > kFewElements && module.table.size() + base.registers.size() <= kMostRows &&
           std::ranges::all_of(base.registers, [](const ir::Operand& o) {
               return o.kind == ir::Kind::Literal && !o.negate && !o.absolute;
           });
}

Value AstToIr::indexValueDynamic(const Value& base, const Value& index) {
    int count = base.type.isArray()    ? static_cast<int>(base.type.arraySize)
                : base.type.isMatrix() ? base.type.columns
                                       : base.type.rows;
    Value result = indexValue(base, 0);
    std::vector<RegisterShape> shapes = registerShapes(result.type);
    if (isTable(base, count, b_.module())) {
        std::vector<std::array<uint32_t, 4>> rows;
        for (const Operand& o : base.registers) {
            auto& row = rows.emplace_back();
            for (int c = 0; c < 4; c++) row[static_cast<size_t>(c)] = o.literal[isa::swizzleAt(o.swizzle, c)];
        }
        const uint32_t first = b_.rows(rows);
        const Operand at = scaledIndex(index.scalar(), registerCount(result.type));
        for (uint32_t r = 0; r < shapes.size(); r++) {
            const Operand o = ir::registerOperand(ir::Kind::Table, first + r, shapes[r].rows);
            result.registers[r] =
                copy(ir::indexed(o, at, first, static_cast<uint32_t>(rows.size())), shapes[r].rows, shapes[r].base);
        }
        return result;
    }
    Operand at = ir::component(index.scalar(), 0);
    for (int i = 1; i < count; i++) {
        Value candidate = indexValue(base, i);
        Operand chosen = emit(1, Op::Seq, at, ir::literalInt(i), {}, isa::Type::I32);
        for (size_t r = 0; r < shapes.size(); r++) {
            result.registers[r] = emit(shapes[r].rows, Op::Sel, chosen, candidate.registers[r], result.registers[r],
                                       operationType(shapes[r].base));
        }
    }
    return result;
}

}  // namespace tessera::glsl::front
