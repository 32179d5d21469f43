// Copy and constant propagation, common subexpressions and folding in one walk, by value numbering
// (Briggs, Cooper and Simpson, "Value Numbering", 1997) over single components.
//
// Every place (a component of a temp or output) has a current value number. An operand is rewritten to the first
// place that held its value and still does, to the constant register or literal it equals, with modifiers folded in.
// An operation whose value some temp holds becomes a copy. Control flow is followed in structure: the arms of an If
// start from the same state; behind it, what either arm wrote is unknown; what a loop writes is unknown at its entry
// and behind it, and what a function may write behind its call. Because values are only reused from places that hold
// them now, nothing else has to be undone.
#include <algorithm>
#include <optional>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/builder.h"
#include "shader-core/glsl/ir/optimize/passes.h"
#include "shader-core/glsl/ir/value_table.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint32_t kSign = 0x80000000u, kOne = 0x3F800000u;
constexpr uint32_t kNegate = 1, kAbsolute = 2;
constexpr uint32_t kIndexedKey = 0x20000, kExpressionKey = 0x30000;

/// `outer` modifiers applied to a value with `inner` ones.
uint32_t composeModifiers(uint32_t inner, uint32_t outer) {
    if (outer & kAbsolute) return outer;
    return (inner & kAbsolute) | ((inner ^ outer) & kNegate);
}
uint32_t modifiersOf(const Operand& o) { return (o.negate ? kNegate : 0) | (o.absolute ? kAbsolute : 0); }
uint32_t applyModifiers(uint32_t bits, uint32_t modifiers) {
    if (modifiers & kAbsolute) bits &= ~kSign;
    return modifiers & kNegate ? bits ^ kSign : bits;
}

/// One component of an operand by its best name.
struct Atom {
    Kind kind = Kind::None;
    uint32_t index = 0, component = 0;  ///< Literal: index holds the bits
    uint32_t modifiers = 0;
};

class Propagation {
public:
    explicit Propagation(Module& module)
        : module_(module),
          places_(module),
          partner_(matchControl(module)),
          current_(4 * places_.count(), kNone),
          lastLogged_(4 * places_.count(), kNone),
          untracked_(places_.count()),
          reads_(places_.count()),
          writes_(places_.count()),
          writtenIn_(places_.count()),
          dead_(module.code.size()) {
        for (const Instruction& i : module.code) {
            if (writesResult(i.op) && i.dst.relative != kNone)
                for (uint32_t r = 0; r < i.dst.arrayCount; r++)
                    untracked_[places_.of(i.dst.kind, i.dst.arrayFirst + r)] = true;
            forEachSource(i, [&](const Operand& o, uint8_t) {
                if (o.kind == Kind::Temp) reads_[o.index]++;
            });
            if (writesResult(i.op)) writes_[places_.of(i.dst)]++;
            forEachIndex(i, [&](uint32_t temp, uint8_t) { reads_[temp]++; });
        }
    }

    bool run() {
        for (uint32_t n = 0; n < module_.code.size(); n++) visit(n);
        eraseMarked(module_, dead_);
        return changed_;
    }

private:
    // State

    ValueNumber currentOf(uint32_t slot) {
        if (untracked_[slot / 4]) return table_.fresh();
        if (current_[slot] == kNone) current_[slot] = table_.fresh();
        return current_[slot];
    }

    void set(uint32_t slot, ValueNumber v) {
        if (untracked_[slot / 4]) return;
        // What the slot had when the arm began is what counts.
        const size_t logged = lastLogged_[slot], start = frames_.empty() ? 0 : frames_.back().logStart;
        if (logged < start || logged >= log_.size() || log_[logged].first != slot) {
            lastLogged_[slot] = static_cast<uint32_t>(log_.size());
            log_.emplace_back(slot, current_[slot]);
        }
        current_[slot] = v;
        if (slot / 4 >= places_.temps) return;  // outputs are not read back where a temp will do
        uint32_t& holder = table_[v].holder;
        if (holder == kNone || current_[holder] != v) holder = slot;
    }

    struct Frame {
        size_t logStart = 0;
        std::vector<uint32_t> written;
    };

    /// Undoes the arm that ends here; what it wrote is remembered if control leaves the arm at its end.
    void endArm(Frame& frame, uint32_t end) {
        const Instruction& last = module_.code[end - 1];
        bool jumps =
            last.op == Op::Ret || ((last.op == Op::Brk || last.op == Op::Cont) && last.condition.kind == Kind::None);
        while (log_.size() > frame.logStart) {
            auto [slot, old] = log_.back();
            log_.pop_back();
            current_[slot] = old;
            if (!jumps) frame.written.push_back(slot);
        }
    }

    void forget(std::vector<uint32_t>& slots) {
        std::ranges::sort(slots);
        slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
        for (uint32_t slot : slots) set(slot, table_.fresh());
    }

    std::vector<uint32_t> writtenIn(uint32_t begin, uint32_t end) {
        std::vector<uint32_t> slots;
        bool calls = false;
        for (uint32_t n = begin; n < end; n++) {
            const Instruction& i = module_.code[n];
            if (i.op == Op::Call && !calls) {
                calls = true;
                for (uint32_t slot = 4 * places_.temps; slot < 4 * places_.count(); slot++) slots.push_back(slot);
            }
            if (!writesResult(i.op) || i.dst.relative != kNone) continue;
            for (int c = 0; c < 4; c++)
                if (i.dst.writeMask >> c & 1) slots.push_back(4 * places_.of(i.dst) + static_cast<uint32_t>(c));
        }
        return slots;
    }

    /// Variables are followed to where the passes find their values.
    void rewriteAssignments(uint32_t n) {
        forEachAssignment(module_, module_.code[n].assigns, [&](Assignment& a) {
            if (!a.follows || !Places::isPlace(a.kind) || places_.of(a.kind, a.index) >= places_.count()) return;
            const uint32_t slot = 4 * places_.of(a.kind, a.index) + a.component;
            if (untracked_[slot / 4] || current_[slot] == kNone) return;
            const Atom atom = nameOf(current_[slot], true);
            if (atom.kind == Kind::None) return;
            const uint32_t modifiers =
                composeModifiers(atom.modifiers, (a.negate ? kNegate : 0) | (a.absolute ? kAbsolute : 0));
            const bool literal = atom.kind == Kind::Literal;
            a.kind = atom.kind;
            a.index = literal ? 0 : atom.index;
            a.component = literal ? uint8_t{0} : static_cast<uint8_t>(atom.component);
            a.bits = literal ? applyModifiers(atom.index, modifiers) : 0;
            a.negate = !literal && (modifiers & kNegate) != 0;
            a.absolute = !literal && (modifiers & kAbsolute) != 0;
        });
    }

    void visit(uint32_t n) {
        Instruction& i = module_.code[n];
        rewriteAssignments(n);
        if (writesResult(i.op)) return compute(n);
        if (i.condition.kind != Kind::None) rewriteCondition(i);
        if (endsBasicBlock(i.op)) basicBlock_++;
        switch (i.op) {
            case Op::If:
                frames_.push_back({log_.size(), {}});
                break;
            case Op::Else:
                endArm(frames_.back(), n);
                break;
            case Op::Endif: {
                Frame frame = std::move(frames_.back());
                frames_.pop_back();
                endArm(frame, n);
                forget(frame.written);
                break;
            }
            case Op::Loop:
                loopWrites_.push_back(writtenIn(n, partner_[n]));
                forget(loopWrites_.back());
                break;
            case Op::Endloop:
                forget(loopWrites_.back());
                loopWrites_.pop_back();
                break;
            case Op::Call:
                for (uint32_t slot = 4 * places_.temps; slot < 4 * places_.count(); slot++) set(slot, table_.fresh());
                break;
            default:
                break;
        }
    }

    // Operands

    /// The value of a register component, without the operand's modifiers.
    ValueNumber registerValue(const Operand& o, int component) {
        if (o.relative != kNone) {
            if (Places::isPlace(o.kind)) return table_.fresh();
            uint32_t key[] = {kIndexedKey,
                              static_cast<uint32_t>(o.kind),
                              o.index,
                              o.arrayFirst,
                              o.arrayCount,
                              currentOf(4 * o.relative + o.relativeComponent),
                              static_cast<uint32_t>(component)};
            return table_.expression(key, Value::Tag::Indexed);
        }
        if (o.kind == Kind::Literal) return table_.literal(o.literal[component]);
        if (o.kind == Kind::Table) return table_.literal(module_.table[o.index][component]);
        if (Places::isPlace(o.kind)) return currentOf(4 * places_.of(o) + static_cast<uint32_t>(component));
        return table_.constantRegister(o.kind, o.index, static_cast<uint32_t>(component));
    }

    [[nodiscard]] bool held(ValueNumber v) const {
        uint32_t holder = table_[v].holder;
        return holder != kNone && current_[holder] == v;
    }

    /// The best name of a value; Kind::None when no place has it.
    Atom nameOf(ValueNumber v, bool isFloat) {
        uint32_t modifiers = 0;
        ValueNumber base = v;
        if (isFloat && table_[v].tag == Value::Tag::Modified) {
            base = table_[v].a;
            modifiers = table_[v].b;
        }
        const Value& value = table_[base];
        if (value.tag == Value::Tag::Literal) return {Kind::Literal, applyModifiers(value.a, modifiers), 0, 0};
        if (value.tag == Value::Tag::Register) return {static_cast<Kind>(value.a), value.b, value.c, modifiers};
        if (held(base)) return {Kind::Temp, value.holder / 4, value.holder % 4, modifiers};
        if (held(v)) return {Kind::Temp, table_[v].holder / 4, table_[v].holder % 4, 0};
        return {};
    }

    void rewrite(Operand& o, uint8_t slots, bool isFloat) {
        rewriteIndex(o);
        if (o.relative != kNone && Places::isPlace(o.kind)) return;
        if (o.kind == Kind::Temp && reads_[o.index] == 1 && useIndexed(o, slots)) return;
        uint32_t outer = modifiersOf(o);
        Operand result = o;
        result.relative = kNone;
        result.arrayFirst = result.arrayCount = 0;
        int at[4] = {};
        bool first = true;
        for (int p = 0; p < 4; p++) {
            if (!(slots >> p & 1)) continue;
            Atom atom = nameOf(registerValue(o, isa::swizzleAt(o.swizzle, p)), isFloat);
            if (atom.kind == Kind::None) return;
            if (isFloat) {
                if (atom.kind == Kind::Literal)
                    atom.index = applyModifiers(atom.index, outer);
                else
                    atom.modifiers = composeModifiers(atom.modifiers, outer);
            } else {
                atom.modifiers = outer;  // integer modifiers stay on the operand
            }
            bool literalHere = atom.kind == Kind::Literal;
            if (first) {
                result.kind = atom.kind;
                result.index = literalHere ? 0 : atom.index;
                result.negate = atom.modifiers & kNegate;
                result.absolute = atom.modifiers & kAbsolute;
                first = false;
            } else if (atom.kind != result.kind || (!literalHere && atom.index != result.index) ||
                       atom.modifiers != modifiersOf(result)) {
                return;
            }
            if (literalHere) result.literal[p] = atom.index;
            at[p] = static_cast<int>(literalHere ? static_cast<uint32_t>(p) : atom.component);
        }
        result.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), slots);
        if (result.kind != Kind::Literal) result.literal = {};
        replace(o, result, slots);
    }

    void replace(Operand& o, const Operand& result, uint8_t slots) {
        bool same = o.kind == result.kind && o.index == result.index && o.negate == result.negate &&
                    o.absolute == result.absolute && o.relative == result.relative;
        for (int p = 0; p < 4 && same; p++) {
            if (!(slots >> p & 1)) continue;
            int x = isa::swizzleAt(o.swizzle, p), y = isa::swizzleAt(result.swizzle, p);
            same = o.kind == Kind::Literal ? o.literal[x] == result.literal[y] : x == y;
        }
        if (same) return;
        o = result;
        changed_ = true;
    }

    /// A temp read once that holds an element of a uniform or input array: read the element instead of the copy.
    bool useIndexed(Operand& o, uint8_t slots) {
        if (indexed_ || o.relative != kNone) return false;
        Operand result = o;
        int at[4] = {};
        bool first = true;
        for (int p = 0; p < 4; p++) {
            if (!(slots >> p & 1)) continue;
            ValueNumber v = registerValue(o, isa::swizzleAt(o.swizzle, p));
            if (table_[v].tag != Value::Tag::Indexed) return false;
            auto key = table_.key(table_[v]);
            if (!held(key[5])) return false;
            uint32_t holder = table_[key[5]].holder;
            Operand element = result;
            element.kind = static_cast<Kind>(key[1]);
            element.index = key[2];
            element.arrayFirst = key[3];
            element.arrayCount = key[4];
            element.relative = holder / 4;
            element.relativeComponent = static_cast<uint8_t>(holder % 4);
            bool same = element.kind == result.kind && element.index == result.index &&
                        element.arrayFirst == result.arrayFirst && element.relative == result.relative &&
                        element.relativeComponent == result.relativeComponent;
            if (!first && !same) return false;
            result = element;
            first = false;
            at[p] = static_cast<int>(key[6]);
        }
        if (first) return false;
        result.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), slots);
        o = result;
        changed_ = true;
        return true;
    }

    /// An index that is another one plus a constant: the register number takes the constant. Both sums wrap alike.
    template <class Reference>
    bool takeOffset(Reference& r, ValueNumber v) {
        constexpr auto kAddIntegers = static_cast<uint32_t>(Op::Add) << 8 | static_cast<uint32_t>(Type::I32) << 1;
        if (table_[v].tag != Value::Tag::Expression) return false;
        auto key = table_.key(table_[v]);
        if (key[0] != kExpressionKey || key[1] != kAddIntegers) return false;
        for (size_t s = 2; s < 4; s++) {
            const Value& offset = table_[key[s]];
            const Value& rest = table_[key[5 - s]];
            if (offset.tag != Value::Tag::Literal || !held(key[5 - s])) continue;
            int64_t index = int64_t{r.index} + static_cast<int32_t>(offset.a);
            if (index < r.arrayFirst || index >= int64_t{r.arrayFirst} + r.arrayCount) continue;
            r.index = static_cast<uint32_t>(index);
            r.relative = rest.holder / 4;
            r.relativeComponent = static_cast<uint8_t>(rest.holder % 4);
            return true;
        }
        return false;
    }

    /// A constant index becomes a plain register; a copied index its original.
    template <class Reference>
    void rewriteIndex(Reference& r) {
        if (r.relative == kNone) return;
        ValueNumber v = currentOf(4 * r.relative + r.relativeComponent);
        if (table_[v].tag == Value::Tag::Literal) {
            // Out of bounds is undefined; the nearest element is as good as any and exists.
            int64_t index = int64_t{r.index} + static_cast<int32_t>(table_[v].a);
            int64_t last = int64_t{r.arrayFirst} + r.arrayCount - 1;
            r.index = static_cast<uint32_t>(std::clamp<int64_t>(index, r.arrayFirst, last));
            r.relative = kNone;
            r.relativeComponent = 0;
            r.arrayFirst = r.arrayCount = 0;
            changed_ = true;
        } else if (takeOffset(r, v)) {
            changed_ = true;
        } else if (held(v) && table_[v].holder != 4 * r.relative + r.relativeComponent) {
            r.relative = table_[v].holder / 4;
            r.relativeComponent = static_cast<uint8_t>(table_[v].holder % 4);
            changed_ = true;
        }
    }

    void rewriteSampler(Instruction& i) {
        if (i.samplerRelative == kNone) return;
        ValueNumber v = currentOf(4 * i.samplerRelative + i.samplerRelativeComponent);
        if (table_[v].tag != Value::Tag::Literal) return;
        int64_t unit = int64_t{i.sampler} + static_cast<int32_t>(table_[v].a);
        if (unit < 0 || unit >= isa::kMaxTextureUnits) return;
        i.sampler = static_cast<uint32_t>(unit);
        i.samplerRelative = kNone;
        i.samplerRelativeComponent = 0;
        changed_ = true;
    }

    /// Only "not zero" matters: signs go, and x == 0, x != 0 give way to x.
    void rewriteCondition(Instruction& i) {
        Operand& o = i.condition;
        for (int round = 0; round < 4; round++) {
            rewriteIndex(o);
            if (o.relative != kNone) return;
            o.negate = o.absolute = false;
            ValueNumber v = registerValue(o, isa::swizzleAt(o.swizzle, 0));
            if (table_[v].tag == Value::Tag::Modified) v = table_[v].a;
            Atom atom = nameOf(v, true);
            if (table_[v].tag == Value::Tag::Expression) {
                auto key = table_.key(table_[v]);
                Op op = static_cast<Op>(key[1] >> 8);
                bool isFloat = (key[1] & 0xFF) == 0;  // type and saturate
                if (isFloat && (op == Op::Seq || op == Op::Sne)) {
                    std::optional<Atom> tested = testedAgainstZero(key);
                    if (tested) {
                        atom = *tested;
                        atom.modifiers = 0;
                        if (op == Op::Seq) i.conditionNegate = !i.conditionNegate;
                    }
                }
            }
            if (atom.kind == Kind::None) return;
            Operand result = registerOperand(atom.kind, atom.index);
            result.swizzle = isa::broadcast(static_cast<int>(atom.component));
            if (atom.kind == Kind::Literal) {
                result = literalBits({atom.index, atom.index, atom.index, atom.index});
            }
            bool before = changed_;
            changed_ = false;
            replace(o, result, 1);
            bool again = changed_;
            changed_ = changed_ || before;
            if (!again) return;
        }
    }

    std::optional<Atom> testedAgainstZero(std::span<const uint32_t> key) {
        for (int s = 0; s < 2; s++) {
            const Value& zero = table_[key[2 + s]];
            if (zero.tag != Value::Tag::Literal || (zero.a & ~kSign) != 0) continue;
            ValueNumber other = key[3 - s];
            if (table_[other].tag == Value::Tag::Modified) other = table_[other].a;
            Atom atom = nameOf(other, true);
            if (atom.kind != Kind::None) return atom;
        }
        return std::nullopt;
    }

    // Operations

    /// Value of an operand position with its modifiers; integer modifiers make it incomparable.
    ValueNumber operandValue(const Operand& o, int position, bool isFloat) {
        ValueNumber v = registerValue(o, isa::swizzleAt(o.swizzle, position));
        uint32_t modifiers = modifiersOf(o);
        if (modifiers == 0) return v;
        if (!isFloat) return table_.fresh();
        if (table_[v].tag == Value::Tag::Literal) return table_.literal(applyModifiers(table_[v].a, modifiers));
        if (table_[v].tag == Value::Tag::Modified)
            return table_.modified(table_[v].a, composeModifiers(table_[v].b, modifiers));
        return table_.modified(v, modifiers);
    }

    static bool commutes(Op op) {
        return op == Op::Add || op == Op::Mul || op == Op::Seq || op == Op::Sne || op == Op::And || op == Op::Or ||
               op == Op::Xor;
    }

    ValueNumber resultValue(const Instruction& i, int component) {
        bool isFloat = isa::sourceType(i.op, i.type) == Type::F32;
        Form form = formOf(i.op);
        if (i.op == Op::Mov && !i.saturate && (isFloat || modifiersOf(i.src[0]) == 0))
            return operandValue(i.src[0], component, isFloat);
        uint32_t key[24];
        size_t n = 0;
        key[n++] = kExpressionKey;
        key[n++] = static_cast<uint32_t>(i.op) << 8 | static_cast<uint32_t>(i.type) << 1 | (i.saturate ? 1 : 0);
        for (int s = 0; s < sourceCountOf(i.op); s++) {
            uint8_t slots = form == Form::ComponentWise ? static_cast<uint8_t>(1 << component) : slotsRead(i, s);
            for (int p = 0; p < 4; p++)
                if (slots >> p & 1) key[n++] = operandValue(i.src[s], p, isFloat);
        }
        if (form == Form::ComponentWise && commutes(i.op) && key[2] > key[3]) std::swap(key[2], key[3]);
        if (form == Form::Fixed) key[n++] = static_cast<uint32_t>(component);
        if (isTextureOp(i.op)) {
            key[n++] = static_cast<uint32_t>(i.target);
            for (const int8_t offset : i.texelOffset) key[n++] = static_cast<uint32_t>(offset);
            key[n++] = i.sampler;
            key[n++] =
                i.samplerRelative == kNone ? kNone : currentOf(4 * i.samplerRelative + i.samplerRelativeComponent);
        }
        return table_.expression(std::span(key, n));
    }

    /// min(1, max(0, x)) is x saturated, NaN included; with the operands in another order a NaN stays one.
    void foldSaturate(Instruction& i) {
        if (i.op != Op::Min || i.type != Type::F32 || i.src[0].kind != Kind::Literal) return;
        Operand result;
        int at[4] = {};
        for (int c = 0; c < 4; c++) {
            if (!(i.dst.writeMask >> c & 1)) continue;
            if (table_.literal(kOne) != operandValue(i.src[0], c, true)) return;
            std::optional<Atom> atom = clampedBelowByZero(operandValue(i.src[1], c, true));
            if (!atom) return;
            Operand next = registerOperand(atom->kind, atom->index);
            next.negate = atom->modifiers & kNegate;
            next.absolute = atom->modifiers & kAbsolute;
            const bool same =
                result.kind == next.kind && result.index == next.index && modifiersOf(result) == modifiersOf(next);
            if (result.kind != Kind::None && !same) return;
            result = next;
            at[c] = static_cast<int>(atom->component);
        }
        result.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), i.dst.writeMask);
        i.op = Op::Mov;
        i.saturate = true;
        i.src = {result, Operand{}, Operand{}};
        changed_ = true;
    }

    /// x when the value is max(0, x).
    std::optional<Atom> clampedBelowByZero(ValueNumber v) {
        if (table_[v].tag != Value::Tag::Expression) return std::nullopt;
        auto key = table_.key(table_[v]);
        if (key[0] != kExpressionKey || key[1] != static_cast<uint32_t>(Op::Max) << 8) return std::nullopt;
        const Value& zero = table_[key[2]];
        if (zero.tag != Value::Tag::Literal || zero.a != 0) return std::nullopt;
        Atom atom = nameOf(key[3], true);
        if (atom.kind == Kind::None || atom.kind == Kind::Literal) return std::nullopt;
        return atom;
    }

    /// The result is in a temp already: copy it, or do nothing if it is the destination.
    void reuse(uint32_t n, const ValueNumber (&values)[4]) {
        Instruction& i = module_.code[n];
        uint32_t holderTemp = kNone;
        int at[4] = {};
        bool already = true, available = i.op != Op::Mov || i.saturate;
        for (int c = 0; c < 4; c++) {
            if (!(i.dst.writeMask >> c & 1)) continue;
            uint32_t slot = 4 * places_.of(i.dst) + static_cast<uint32_t>(c);
            already = already && !untracked_[slot / 4] && current_[slot] == values[c];
            available = available && held(values[c]);
            if (!available) continue;
            uint32_t holder = table_[values[c]].holder;
            available = holderTemp == kNone || holderTemp == holder / 4;
            holderTemp = holder / 4;
            at[c] = static_cast<int>(holder % 4);
        }
        if (already) {
            dead_[n] = true;
            changed_ = true;
        } else if (available) {
            Operand copy = registerOperand(Kind::Temp, holderTemp);
            copy.swizzle = tidySwizzle(isa::makeSwizzle(at[0], at[1], at[2], at[3]), i.dst.writeMask);
            i.op = Op::Mov;
            i.type = Type::F32;
            i.saturate = false;
            i.src = {copy, Operand{}, Operand{}};
            i.sampler = 0;
            i.samplerRelative = kNone;
            i.samplerRelativeComponent = 0;
            i.target = isa::TextureTarget::Tex2D;
            i.texelOffset = {};
            changed_ = true;
        }
    }

    void compute(uint32_t n) {
        Instruction& i = module_.code[n];
        bool isFloat = isa::sourceType(i.op, i.type) == Type::F32;
        indexed_ = i.samplerRelative != kNone || i.dst.relative != kNone;
        for (int s = 0; s < sourceCountOf(i.op); s++) indexed_ = indexed_ || i.src[s].relative != kNone;
        for (int s = 0; s < sourceCountOf(i.op); s++) {
            rewrite(i.src[s], slotsRead(i, s), isFloat);
            indexed_ = indexed_ || i.src[s].relative != kNone;
        }
        rewriteIndex(i.dst);
        rewriteSampler(i);
        changed_ = simplifyInstruction(i) || changed_;
        foldSaturate(i);
        if (i.dst.relative != kNone) return;
        ValueNumber values[4] = {};
        for (int c = 0; c < 4; c++)
            if (i.dst.writeMask >> c & 1) values[c] = resultValue(i, c);
        reuse(n, values);
        if (dead_[n]) return;
        for (int c = 0; c < 4; c++)
            if (i.dst.writeMask >> c & 1) set(4 * places_.of(i.dst) + static_cast<uint32_t>(c), values[c]);
        writtenIn_[places_.of(i.dst)] = basicBlock_;
        if (assignsVariable(i))
            for (int c = 0; c < 4; c++)
                if (i.dst.writeMask >> c & 1) table_[values[c]].holder = 4 * i.dst.index + static_cast<uint32_t>(c);
    }

    /// `v = t`, t computed in this block for nothing else: later reads take v, so that t can become v.
    [[nodiscard]] bool assignsVariable(const Instruction& i) const {
        const Operand& from = i.src[0];
        if (i.op != Op::Mov || i.saturate || from.kind != Kind::Temp || i.dst.kind != Kind::Temp) return false;
        if (from.negate || from.absolute || from.relative != kNone || untracked_[i.dst.index]) return false;
        if (module_.temps[from.index].array != kNone || module_.temps[i.dst.index].array != kNone) return false;
        return writes_[from.index] == 1 && writes_[i.dst.index] > 1 && writtenIn_[from.index] == basicBlock_;
    }

    Module& module_;
    Places places_;
    std::vector<uint32_t> partner_;
    ValueTable table_;
    std::vector<ValueNumber> current_;
    std::vector<std::pair<uint32_t, ValueNumber>> log_;  ///< slot and the value it had
    std::vector<uint32_t> lastLogged_;                   ///< per slot, where in it
    std::vector<Frame> frames_;
    std::vector<std::vector<uint32_t>> loopWrites_;
    std::vector<bool> untracked_;  ///< places that some instruction writes through an index
    std::vector<uint32_t> reads_, writes_;
    std::vector<uint32_t> writtenIn_;  ///< per place, the block of the last write
    uint32_t basicBlock_ = 1;
    std::vector<bool> dead_;
    bool indexed_ = false;  ///< the instruction at hand uses the address register already
    bool changed_ = false;
};

}  // namespace

bool propagateValues(Module& module) { return Propagation(module).run(); }

}  // namespace tessera::glsl::ir
