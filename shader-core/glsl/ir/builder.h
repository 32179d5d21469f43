// Appends instructions to a Module: temps, operands, one helper per operation, structured control flow.
//
// A helper that computes makes a fresh temp of `components` components and returns an operand that reads it;
// the optimiser merges the copies. emitTo() writes an existing destination instead. An operand of a value with
// n < 4 components repeats the last one (xyyy), so operands of equal size combine component by component and
// a scalar combines with any size.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

#include "shader-core/glsl/ir/ir.h"
#include "shader-core/isa/isa.h"

namespace tessera::glsl::ir {

/// x, xy.., identity up to `components`, then the last one repeated.
constexpr Swizzle swizzleOfSize(int components) {
    constexpr Swizzle table[5] = {isa::broadcast(0), isa::broadcast(0), isa::makeSwizzle(0, 1, 1, 1),
                                  isa::makeSwizzle(0, 1, 2, 2), isa::kSwizzleXYZW};
    return table[components];
}

constexpr uint8_t maskOfSize(int components) { return static_cast<uint8_t>((1u << components) - 1); }

/// First `inner`, then `outer`: component i of the result is component inner[outer[i]] of the register.
constexpr Swizzle composeSwizzle(Swizzle inner, Swizzle outer) {
    return isa::makeSwizzle(
        isa::swizzleAt(inner, isa::swizzleAt(outer, 0)), isa::swizzleAt(inner, isa::swizzleAt(outer, 1)),
        isa::swizzleAt(inner, isa::swizzleAt(outer, 2)), isa::swizzleAt(inner, isa::swizzleAt(outer, 3)));
}

// Operands

inline Operand registerOperand(Kind kind, uint32_t index, int components = 4) {
    Operand o;
    o.kind = kind;
    o.index = index;
    o.swizzle = swizzleOfSize(components);
    return o;
}

inline Operand inputOperand(uint32_t index, int components = 4) {
    return registerOperand(Kind::Input, index, components);
}
inline Operand uniformOperand(uint32_t index, int components = 4) {
    return registerOperand(Kind::Uniform, index, components);
}
inline Operand outputOperand(uint32_t index, int components = 4) {
    return registerOperand(Kind::Output, index, components);
}
inline Operand sharedOperand(uint32_t index, int components = 4) {
    return registerOperand(Kind::Shared, index, components);
}
inline Operand specialOperand(isa::Special special, int components = 4) {
    return registerOperand(Kind::Special, static_cast<uint32_t>(special), components);
}

inline Operand literalBits(std::array<uint32_t, 4> bits) {
    Operand o;
    o.kind = Kind::Literal;
    o.literal = bits;
    return o;
}
inline Operand literal(float x) {
    uint32_t b = std::bit_cast<uint32_t>(x);
    return literalBits({b, b, b, b});
}
inline Operand literal(float x, float y, float z = 0, float w = 0) {
    return literalBits({std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), std::bit_cast<uint32_t>(z),
                        std::bit_cast<uint32_t>(w)});
}
inline Operand literalInt(int32_t x) {
    auto b = static_cast<uint32_t>(x);
    return literalBits({b, b, b, b});
}

/// The operand read through another swizzle.
inline Operand swizzled(Operand o, Swizzle swizzle) {
    o.swizzle = composeSwizzle(o.swizzle, swizzle);
    return o;
}
/// One component of the operand, in every component.
inline Operand component(Operand o, int c) { return swizzled(o, isa::broadcast(c)); }
/// A selection of up to four components; the last one repeats.
inline Operand select(Operand o, std::initializer_list<int> components) {
    int c[4] = {};
    int n = 0;
    for (int value : components) c[n++] = value;
    for (int i = n; i < 4; i++) c[i] = c[n - 1];
    return swizzled(o, isa::makeSwizzle(c[0], c[1], c[2], c[3]));
}
inline Operand negated(Operand o) {
    o.negate = !o.negate;
    return o;
}
inline Operand absolute(Operand o) {
    o.negate = false;
    o.absolute = true;
    return o;
}
/// An index is a plain component of a temp; anything else is our own mistake.
void checkIndexOperand(const Operand& index);
/// Register index + the integer in component swizzle.x of `index` (a temp), bounded to [first, first + count).
/// `o` names the register for index 0; for a temp array that is Module::arrays[a].firstTemp.
inline Operand indexed(Operand o, const Operand& index, uint32_t first, uint32_t count) {
    checkIndexOperand(index);
    o.relative = index.index;
    o.relativeComponent = static_cast<uint8_t>(isa::swizzleAt(index.swizzle, 0));
    o.arrayFirst = first;
    o.arrayCount = count;
    return o;
}

// Destinations

inline Dest tempDest(uint32_t temp, uint8_t writeMask = 0xF) {
    Dest d;
    d.kind = Kind::Temp;
    d.index = temp;
    d.writeMask = writeMask;
    return d;
}
inline Dest outputDest(uint32_t index, uint8_t writeMask = 0xF) {
    Dest d = tempDest(index, writeMask);
    d.kind = Kind::Output;
    return d;
}
inline Dest sharedDest(uint32_t index, uint8_t writeMask = 0xF) {
    Dest d = tempDest(index, writeMask);
    d.kind = Kind::Shared;
    return d;
}
inline Dest indexed(Dest d, const Operand& index, uint32_t first, uint32_t count) {
    Operand o = indexed(Operand{}, index, first, count);
    d.relative = o.relative;
    d.relativeComponent = o.relativeComponent;
    d.arrayFirst = first;
    d.arrayCount = count;
    return d;
}

/// Appends to a module. Control flow nests as in the source; the caller closes what it opens.
class Builder {
public:
    explicit Builder(Module& module) : module_(&module) {}

    Module& module() { return *module_; }
    /// GLSL line of the instructions that follow.
    void setLine(uint32_t line) { line_ = line; }
    [[nodiscard]] uint32_t line() const { return line_; }

    // Registers

    uint32_t newTemp(int components) {
        module_->temps.push_back({static_cast<uint8_t>(components), kNone});
        return static_cast<uint32_t>(module_->temps.size() - 1);
    }
    /// `count` consecutive temps that may be indexed dynamically; returns the index into Module::arrays.
    uint32_t newArray(uint32_t count, int components) {
        auto array = static_cast<uint32_t>(module_->arrays.size());
        module_->arrays.push_back({static_cast<uint32_t>(module_->temps.size()), count});
        for (uint32_t i = 0; i < count; i++) module_->temps.push_back({static_cast<uint8_t>(components), array});
        return array;
    }
    [[nodiscard]] Operand tempOperand(uint32_t temp) const {
        return registerOperand(Kind::Temp, temp, module_->temps[temp].components);
    }

    // Instructions

    Instruction& append(Op op, Type type = Type::F32) {
        Instruction& i = module_->code.emplace_back();
        i.op = op;
        i.type = type;
        i.line = line_;
        i.assigns = std::exchange(firstAssigned_, kNone);
        return i;
    }
    /// An instruction made elsewhere.
    void append(Instruction i) {
        i.assigns = std::exchange(firstAssigned_, kNone);
        module_->code.push_back(i);
    }
    /// For the debugger: a component of a variable has this value, before whatever is appended next.
    void assigned(Assignment a) {
        const auto number = static_cast<uint32_t>(module_->debug.assignments.size());
        module_->debug.assignments.push_back(a);
        if (firstAssigned_ == kNone)
            firstAssigned_ = number;
        else
            module_->debug.assignments[lastAssigned_].next = number;
        lastAssigned_ = number;
    }
    /// Assignments that were before an instruction are before the next one that is appended.
    void assigned(uint32_t list) {
        for (; list != kNone; list = module_->debug.assignments[list].next) {
            Assignment copy = module_->debug.assignments[list];
            copy.next = kNone;
            assigned(copy);
        }
    }
    Instruction& emitTo(const Dest& dst, Op op, const Operand& a, const Operand& b = {}, const Operand& c = {},
                        Type type = Type::F32) {
        Instruction& i = append(op, type);
        i.dst = dst;
        i.src = {a, b, c};
        return i;
    }
    /// Into a fresh temp.
    Operand emit(int components, Op op, const Operand& a, const Operand& b = {}, const Operand& c = {},
                 Type type = Type::F32) {
        uint32_t t = newTemp(components);
        emitTo(tempDest(t, maskOfSize(components)), op, a, b, c, type);
        return tempOperand(t);
    }
    Operand saturated(Operand value, int components) {
        Operand o = emit(components, Op::Mov, value);
        module_->code.back().saturate = true;
        return o;
    }

    Operand mov(int n, const Operand& a) { return emit(n, Op::Mov, a); }
    Operand add(int n, const Operand& a, const Operand& b) { return emit(n, Op::Add, a, b); }
    Operand sub(int n, const Operand& a, const Operand& b) { return emit(n, Op::Add, a, negated(b)); }
    Operand mul(int n, const Operand& a, const Operand& b) { return emit(n, Op::Mul, a, b); }
    Operand mad(int n, const Operand& a, const Operand& b, const Operand& c) { return emit(n, Op::Mad, a, b, c); }
    Operand min(int n, const Operand& a, const Operand& b) { return emit(n, Op::Min, a, b); }
    Operand max(int n, const Operand& a, const Operand& b) { return emit(n, Op::Max, a, b); }
    Operand slt(int n, const Operand& a, const Operand& b) { return emit(n, Op::Slt, a, b); }
    Operand sge(int n, const Operand& a, const Operand& b) { return emit(n, Op::Sge, a, b); }
    Operand seq(int n, const Operand& a, const Operand& b) { return emit(n, Op::Seq, a, b); }
    Operand sne(int n, const Operand& a, const Operand& b) { return emit(n, Op::Sne, a, b); }
    /// a != 0 ? b : c
    Operand sel(int n, const Operand& a, const Operand& b, const Operand& c) { return emit(n, Op::Sel, a, b, c); }
    Operand flr(int n, const Operand& a) { return emit(n, Op::Flr, a); }
    Operand frc(int n, const Operand& a) { return emit(n, Op::Frc, a); }
    Operand trc(int n, const Operand& a) { return emit(n, Op::Trc, a); }
    Operand rne(int n, const Operand& a) { return emit(n, Op::Rne, a); }
    Operand dp3(const Operand& a, const Operand& b) { return emit(1, Op::Dp3, a, b); }
    Operand dp4(const Operand& a, const Operand& b) { return emit(1, Op::Dp4, a, b); }
    Operand rcp(int n, const Operand& a) { return emit(n, Op::Rcp, a); }
    Operand rsq(int n, const Operand& a) { return emit(n, Op::Rsq, a); }
    Operand sqt(int n, const Operand& a) { return emit(n, Op::Sqt, a); }
    Operand ex2(int n, const Operand& a) { return emit(n, Op::Ex2, a); }
    Operand lg2(int n, const Operand& a) { return emit(n, Op::Lg2, a); }
    Operand sin(int n, const Operand& a) { return emit(n, Op::Sin, a); }
    Operand cos(int n, const Operand& a) { return emit(n, Op::Cos, a); }
    Operand pow(int n, const Operand& a, const Operand& b) { return emit(n, Op::Pow, a, b); }
    Operand lit(const Operand& a) { return emit(4, Op::Lit, a); }
    /// xyz normalised; with n = 4 the length in w.
    Operand nrm(int n, const Operand& a) { return emit(n, Op::Nrm, a); }
    Operand div(int n, const Operand& a, const Operand& b) { return emit(n, Op::Div, a, b); }
    Operand ddx(int n, const Operand& a) { return emit(n, Op::Ddx, a); }
    Operand ddy(int n, const Operand& a) { return emit(n, Op::Ddy, a); }
    /// Rows of the module's table with these bits, one behind the other: the first of them.
    uint32_t rows(std::span<const std::array<uint32_t, 4>> wanted) {
        auto& table = module_->table;
        const auto found = std::search(table.begin(), table.end(), wanted.begin(), wanted.end());
        const auto first = static_cast<uint32_t>(found - table.begin());
        if (found == table.end()) table.insert(table.end(), wanted.begin(), wanted.end());
        return first;
    }

    /// Float to integer, truncated: what relative indices want.
    Operand f2i(int n, const Operand& a) { return emit(n, Op::F2i, a, {}, {}, Type::I32); }
    Operand i2f(int n, const Operand& a) { return emit(n, Op::I2f, a, {}, {}, Type::I32); }

    /// What a lookup says besides its operands.
    struct Lookup {
        uint32_t unit = 0;
        isa::TextureTarget target = isa::TextureTarget::Tex2D;
        Type type = Type::F32;  ///< of the texels
        std::array<int8_t, 3> texelOffset{};
        const Operand* index = nullptr;  ///< a temp with an integer, added to the unit
    };
    /// Tex, Txb (b: bias in x), Txl (b: lod in x), Txd (b, c: gradients), Txf (b: level in x), Txs.
    Operand texture(Op op, const Lookup& lookup, const Operand& coordinate, const Operand& b = {},
                    const Operand& c = {}) {
        Operand result = emit(4, op, coordinate, b, c, lookup.type);
        Instruction& i = module_->code.back();
        i.sampler = lookup.unit;
        i.target = lookup.target;
        i.texelOffset = lookup.texelOffset;
        if (lookup.index) {
            checkIndexOperand(*lookup.index);
            i.samplerRelative = lookup.index->index;
            i.samplerRelativeComponent = static_cast<uint8_t>(isa::swizzleAt(lookup.index->swizzle, 0));
        }
        return result;
    }

    // Control flow; a condition is true when its first component is not 0.0

    void control(Op op, const Operand& condition = {}, bool negate = false) {
        Instruction& i = append(op);
        i.condition = condition;
        i.conditionNegate = negate;
    }
    void beginIf(const Operand& condition, bool negate = false) { control(Op::If, condition, negate); }
    void beginElse() { control(Op::Else); }
    void endIf() { control(Op::Endif); }
    void beginLoop() { control(Op::Loop); }
    void endLoop() { control(Op::Endloop); }
    void brk(const Operand& condition = {}, bool negate = false) { control(Op::Brk, condition, negate); }
    /// The next iteration, from the loop's beginning: a for loop's step must be written before it.
    void cont(const Operand& condition = {}, bool negate = false) { control(Op::Cont, condition, negate); }
    void kil(const Operand& condition = {}, bool negate = false) { control(Op::Kil, condition, negate); }
    void ret() { control(Op::Ret); }
    void call(uint32_t function) { append(Op::Call).function = function; }

private:
    Module* module_;
    uint32_t line_ = 0;
    uint32_t firstAssigned_ = kNone, lastAssigned_ = kNone;  ///< waiting for an instruction
};

}  // namespace tessera::glsl::ir
