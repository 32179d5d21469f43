// Four rewrites, each one walk:
//
//  1. Comparisons used only as the condition of one If, Brk, Cont or Kil of the same block move in front of it, where
//     they write the predicate directly.
//  2. One address register: an instruction with several different indices gets copies of the indexed operands.
//  3. Tables of constants become constant registers, or choices between all rows where there are none left. Constants
//     without a number in the word are indexed.
//  4. Literals: one 32-bit value for all components read becomes an immediate where the instruction has room
//     (shapes without source c); others are packed into constant registers, sharing equal and negated values;
//     when those run out, moves of immediates build the value in a temp.
#include "shader-core/glsl/ir/emit/legalize.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/isa/scalar.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint32_t kSign = 0x80000000u;

/// Values of the operand at the given positions with the float modifiers applied.
std::array<uint32_t, 4> bakedBits(const Operand& o) {
    std::array<uint32_t, 4> bits{};
    for (int i = 0; i < 4; i++)
        bits[i] = isa::scalar::modified(Type::F32, o.literal[isa::swizzleAt(o.swizzle, i)], o.absolute, o.negate);
    return bits;
}

class LiteralPool {
public:
    explicit LiteralPool(uint32_t first) : first_(first) {}

    /// A Uniform operand with the wanted bits in the wanted positions, or nothing when the registers are full.
    std::optional<Operand> place(const std::array<uint32_t, 4>& bits, uint8_t slots, bool mayNegate) {
        int best = -1, bestNew = 5;
        bool bestNegate = false;
        for (size_t r = 0; r < registers_.size() && bestNew > 0; r++)
            for (int negate = 0; negate <= (mayNegate ? 1 : 0); negate++) {
                int extra = newValues(registers_[r], bits, slots, negate != 0);
                if (extra < bestNew) {
                    best = static_cast<int>(r);
                    bestNew = extra;
                    bestNegate = negate != 0;
                }
            }
        if (best < 0) {
            if (first_ + registers_.size() >= isa::kMaxConstants) return std::nullopt;
            best = static_cast<int>(registers_.size());
            registers_.emplace_back();
        }
        return fill(static_cast<uint32_t>(best), bits, slots, bestNegate);
    }

    /// The first of registers that hold these rows, or nothing when there are not so many.
    std::optional<uint32_t> placeRows(std::span<const std::array<uint32_t, 4>> rows) {
        const auto first = static_cast<uint32_t>(first_ + registers_.size());
        if (first + rows.size() > isa::kMaxConstants) return std::nullopt;
        for (const std::array<uint32_t, 4>& row : rows) registers_.push_back({row, 4});
        return first;
    }

    [[nodiscard]] std::vector<isa::Literal> literals() const {
        std::vector<isa::Literal> result;
        for (size_t r = 0; r < registers_.size(); r++)
            result.push_back({static_cast<uint16_t>(first_ + r), registers_[r].bits});
        return result;
    }

private:
    struct Register {
        std::array<uint32_t, 4> bits{};
        int used = 0;
        [[nodiscard]] int find(uint32_t value) const {
            for (int c = 0; c < used; c++)
                if (bits[c] == value) return c;
            return -1;
        }
    };

    /// How many components the register would need in addition; 5 when they do not fit.
    static int newValues(Register r, const std::array<uint32_t, 4>& bits, uint8_t slots, bool negate) {
        int extra = 0;
        for (int i = 0; i < 4; i++) {
            uint32_t value = bits[i] ^ (negate ? kSign : 0);
            if (!(slots >> i & 1) || r.find(value) >= 0) continue;
            if (r.used == 4) return 5;
            r.bits[r.used++] = value;
            extra++;
        }
        return extra;
    }

    Operand fill(uint32_t number, const std::array<uint32_t, 4>& bits, uint8_t slots, bool negate) {
        Register& r = registers_[number];
        int at[4] = {};
        for (int i = 0; i < 4; i++) {
            if (!(slots >> i & 1)) continue;
            uint32_t value = bits[i] ^ (negate ? kSign : 0);
            at[i] = r.find(value);
            if (at[i] < 0) {
                at[i] = r.used;
                r.bits[r.used++] = value;
            }
        }
        Operand o = uniformOperand(first_ + number);
        o.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), slots);
        o.negate = negate;
        return o;
    }

    uint32_t first_;
    std::vector<Register> registers_;
};

/// For each comparison that may move, the control instruction it moves to, else kNone.
std::vector<uint32_t> findFusedComparisons(const Module& module) {
    struct TempFacts {
        uint32_t definitions = 0, reads = 0, definedAt = kNone;
        uint32_t writtenAt = kNone;  ///< last write in program order so far
    };
    Places places(module);
    std::vector<TempFacts> facts(places.count());
    for (uint32_t n = 0; n < module.code.size(); n++) {
        const Instruction& i = module.code[n];
        forEachSource(i, [&](const Operand& o, uint8_t) {
            if (o.kind == Kind::Temp) facts[o.index].reads++;
        });
        forEachIndex(i, [&](uint32_t temp, uint8_t) { facts[temp].reads++; });
        if (writesResult(i.op) && i.dst.kind == Kind::Temp) {
            facts[i.dst.index].definitions++;
            facts[i.dst.index].definedAt = n;
        }
    }
    std::vector<uint32_t> target(module.code.size(), kNone);
    uint32_t basicBlockStart = 0, relativeWrite = kNone;
    for (uint32_t n = 0; n < module.code.size(); n++) {
        const Instruction& i = module.code[n];
        const Operand& c = i.condition;
        if (c.kind == Kind::Temp && c.relative == kNone && module.temps[c.index].array == kNone) {
            const TempFacts& f = facts[c.index];
            uint32_t d = f.definedAt;
            bool alone = f.definitions == 1 && f.reads == 1 && d < n && d >= basicBlockStart;
            if (alone && isComparison(module.code[d].op) && module.code[d].dst.relative == kNone) {
                auto unchanged = [&](uint32_t place) {
                    return facts[place].writtenAt == kNone || facts[place].writtenAt < d;
                };
                bool steady = relativeWrite == kNone || relativeWrite < d;
                forEachSource(module.code[d], [&](const Operand& o, uint8_t) {
                    if (Places::isPlace(o.kind)) steady = steady && unchanged(places.of(o)) && o.relative == kNone;
                });
                forEachIndex(module.code[d], [&](uint32_t temp, uint8_t) { steady = steady && unchanged(temp); });
                if (steady) target[d] = n;
            }
        }
        if (writesResult(i.op)) {
            facts[places.of(i.dst)].writtenAt = n;
            if (i.dst.relative != kNone) relativeWrite = n;
        }
        if (endsBasicBlock(i.op)) basicBlockStart = n + 1;
    }
    return target;
}

class Legalizer {
public:
    Legalizer(const Module& module, LiteralPool& pool) : in_(module), builder_(out_.module), pool_(pool) {
        Module& m = out_.module;
        m.endLine = module.endLine;
        m.stage = module.stage;
        m.temps = module.temps;
        m.arrays = module.arrays;
        m.attributes = module.attributes;
        m.varyings = module.varyings;
        m.uniforms = module.uniforms;
        m.source = module.source;
        m.debug = module.debug;
    }

    Legalized run() {
        placeTable();
        std::vector<uint32_t> target = findFusedComparisons(in_);
        std::vector<bool> inPredicate(in_.temps.size());  // there the temp is never written
        for (uint32_t n = 0; n < target.size(); n++)
            if (target[n] != kNone) inPredicate[in_.code[n].dst.index] = true;
        for (Assignment& a : out_.module.debug.assignments)
            if (a.kind == Kind::Temp && inPredicate[a.index]) lose(a, Lost::NotComputed);
        std::vector<uint32_t> fused(in_.code.size(), kNone);
        for (uint32_t n = 0; n < target.size(); n++)
            if (target[n] != kNone) fused[target[n]] = n;
        int depth = 0;
        for (uint32_t n = 0; n < in_.code.size(); n++) {
            const Instruction& i = in_.code[n];
            builder_.assigned(i.assigns);
            if (target[n] != kNone) continue;
            if (i.op == Op::If || i.op == Op::Loop) depth++;
            if (i.op == Op::Endif || i.op == Op::Endloop) depth--;
            if (fused[n] != kNone) {
                append(in_.code[fused[n]], 0);
                out_.writesPredicate.resize(out_.module.code.size() - 1, false);
                out_.writesPredicate.push_back(true);
            }
            append(i, fused[n] != kNone);
            if (i.op == Op::Ret && depth == 0) break;  // nothing after it is reached, and the program must end there
        }
        out_.writesPredicate.resize(out_.module.code.size(), false);
        return std::move(out_);
    }

private:
    void append(Instruction i, bool conditionIsPredicate) {
        builder_.setLine(line_ = i.line);
        if (!conditionIsPredicate && decided(i)) return;
        forEachSource(i, [&](Operand& o, uint8_t) {
            if (o.kind == Kind::Table) reachTable(o);
        });
        reachConstants(i);
        Dest finalDest = splitIndices(i);
        placeLiterals(i);
        builder_.append(i);
        if (finalDest.kind != Kind::None)
            builder_.emitTo(finalDest, Op::Mov, builder_.tempOperand(i.dst.index), {}, {}, Type::I32);
    }

    /// A constant condition of a jump: drops the condition, or the jump (true).
    static bool decided(Instruction& i) {
        if (i.op == Op::If || i.condition.kind != Kind::Literal) return false;
        bool holds = (i.condition.literal[isa::swizzleAt(i.condition.swizzle, 0)] & ~kSign) != 0;
        if (holds == i.conditionNegate) return true;
        i.condition = {};
        i.conditionNegate = false;
        return false;
    }

    /// The rows that are still read.
    void placeTable() {
        uint32_t first = kNone, end = 0;
        for (const Instruction& i : in_.code)
            forEachSource(i, [&](const Operand& o, uint8_t) {
                if (o.kind != Kind::Table) return;
                first = std::min(first, o.relative == kNone ? o.index : o.arrayFirst);
                end = std::max(end, o.relative == kNone ? o.index + 1 : o.arrayFirst + o.arrayCount);
            });
        if (end == 0) return;
        const std::optional<uint32_t> placed = pool_.placeRows(std::span(in_.table).subspan(first, end - first));
        if (placed) rowsMoved_ = static_cast<int64_t>(*placed) - first;
    }

    void reachTable(Operand& o) {
        const auto isModified = [&](Operand other) {
            other.swizzle = o.swizzle;
            other.negate = o.negate;
            other.absolute = o.absolute;
            return other;
        };
        if (o.relative == kNone) {
            o = isModified(literalBits(in_.table[o.index]));
        } else if (rowsMoved_) {
            o.kind = Kind::Uniform;
            o.index = static_cast<uint32_t>(o.index + *rowsMoved_);
            o.arrayFirst = static_cast<uint32_t>(o.arrayFirst + *rowsMoved_);
        } else {
            o = isModified(chosenRow(o));
        }
    }

    Operand chosenRow(const Operand& o) {
        Operand index = builder_.tempOperand(o.relative);
        index.swizzle = isa::broadcast(o.relativeComponent);
        const Dest chosen = tempDest(builder_.newTemp(4), 0xF), isHere = tempDest(builder_.newTemp(1), 1);
        const Operand row = builder_.tempOperand(chosen.index), here = builder_.tempOperand(isHere.index);
        const auto add = [&](Op op, const Dest& dst, const Operand& a, const Operand& b = {}, const Operand& c = {}) {
            Instruction i;
            i.op = op;
            i.type = Type::I32;
            i.dst = dst;
            i.src = {a, b, c};
            i.line = line_;
            append(i, false);
        };
        add(Op::Mov, chosen, literalBits(in_.table[o.arrayFirst]));
        for (uint32_t n = 1; n < o.arrayCount; n++) {
            const int64_t distance = int64_t{o.arrayFirst} + n - o.index;
            add(Op::Seq, isHere, index, literalInt(static_cast<int32_t>(distance)));
            add(Op::Sel, chosen, here, literalBits(in_.table[o.arrayFirst + n]), row);
        }
        return row;
    }

    /// Constants behind those that a word has numbers for are reached by an index.
    void reachConstants(Instruction& i) {
        forEachSource(i, [&](Operand& o, uint8_t) {
            if (o.kind != Kind::Uniform || o.index < isa::kMaxConstants) return;
            const Operand distance = literalInt(static_cast<int32_t>(o.index));
            if (o.relative == kNone) {
                o.arrayFirst = o.index;
                o.arrayCount = 1;
                o.relative = builder_.emit(1, Op::Mov, distance, {}, {}, Type::I32).index;
            } else {
                Operand index = builder_.tempOperand(o.relative);
                index.swizzle = isa::broadcast(o.relativeComponent);
                o.relative = builder_.emit(1, Op::Add, index, distance, {}, Type::I32).index;
            }
            o.index = 0;
            o.relativeComponent = 0;
        });
    }

    /// Leaves one index in the instruction. Returns the destination to copy to afterwards, if it had to change.
    Dest splitIndices(Instruction& i) {
        using Index = std::pair<uint32_t, uint8_t>;
        Index kept{kNone, 0};
        if (i.samplerRelative != kNone)
            kept = {i.samplerRelative, i.samplerRelativeComponent};
        else if (i.dst.relative != kNone)
            kept = {i.dst.relative, i.dst.relativeComponent};
        for (Operand& o : i.src) {
            if (o.relative == kNone) continue;
            Index index{o.relative, o.relativeComponent};
            if (kept.first == kNone) kept = index;
            if (index == kept) continue;
            int components = 4;
            if (o.kind == Kind::Temp) components = in_.temps[o.arrayFirst].components;
            Operand whole = o;
            whole.swizzle = swizzleOfSize(components);
            whole.negate = whole.absolute = false;
            Operand copy = builder_.emit(components, Op::Mov, whole, {}, {}, Type::I32);
            copy.swizzle = o.swizzle;
            copy.negate = o.negate;
            copy.absolute = o.absolute;
            o = copy;
        }
        if (i.dst.relative == kNone || Index{i.dst.relative, i.dst.relativeComponent} == kept) return {};
        Dest original = i.dst;
        i.dst = tempDest(builder_.newTemp(4), original.writeMask);
        return original;
    }

    void placeLiterals(Instruction& i) {
        bool roomForImmediate = sourceCountOf(i.op) > 0 && sourceCountOf(i.op) < 3 && !isTextureOp(i.op);
        bool isFloat = isa::sourceType(i.op, i.type) == Type::F32;
        for (int s = 0; s < sourceCountOf(i.op); s++) {
            Operand& o = i.src[s];
            if (o.kind != Kind::Literal) continue;
            uint8_t slots = slotsRead(i, s);
            bool negate = o.negate, absolute = o.absolute;
            if (!isFloat) o.negate = o.absolute = false;
            std::array<uint32_t, 4> bits = bakedBits(o);
            if (!isFloat) {
                o.negate = negate;
                o.absolute = absolute;
            }
            int first = isa::swizzleAt(tidySwizzle(isa::kSwizzleXYZW, slots), 0);
            bool uniform = true;
            for (int c = 0; c < 4; c++) uniform = uniform && (!(slots >> c & 1) || bits[c] == bits[first]);
            if (uniform && roomForImmediate) {
                std::fill(bits.begin(), bits.end(), bits[first]);
                o.literal = bits;
                o.swizzle = isa::kSwizzleXYZW;
                if (isFloat) o.negate = o.absolute = false;
                roomForImmediate = false;
                continue;
            }
            std::optional<Operand> placed = pool_.place(bits, slots, isFloat);
            Operand value = placed ? *placed : buildFromImmediates(bits, slots);
            if (!isFloat) {
                value.negate = negate;
                value.absolute = absolute;
            }
            o = value;
        }
    }

    Operand buildFromImmediates(const std::array<uint32_t, 4>& bits, uint8_t slots) {
        uint32_t temp = builder_.newTemp(4);
        for (uint8_t left = slots; left != 0;) {
            int first = isa::swizzleAt(tidySwizzle(isa::kSwizzleXYZW, left), 0);
            uint8_t same = 0;
            for (int c = 0; c < 4; c++)
                if (left >> c & 1 && bits[c] == bits[first]) same |= static_cast<uint8_t>(1 << c);
            builder_.emitTo(tempDest(temp, same), Op::Mov,
                            literalBits({bits[first], bits[first], bits[first], bits[first]}), {}, {}, Type::I32);
            left &= static_cast<uint8_t>(~same);
        }
        Operand o = builder_.tempOperand(temp);
        o.swizzle = tidySwizzle(isa::kSwizzleXYZW, slots);
        return o;
    }

    const Module& in_;
    Legalized out_;
    Builder builder_;
    LiteralPool& pool_;
    std::optional<int64_t> rowsMoved_;  ///< from a row's number to that of its constant register
    uint32_t line_ = 0;
};

}  // namespace

LegalizedShader legalize(const Module& module, uint32_t firstLiteral) {
    LegalizedShader shader;
    LiteralPool pool(firstLiteral);
    shader.functions.push_back(Legalizer(module, pool).run());
    for (const Module& function : module.functions) shader.functions.push_back(Legalizer(function, pool).run());
    shader.literals = pool.literals();
    return shader;
}

}  // namespace tessera::glsl::ir
