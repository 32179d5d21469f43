// Both analyses here are the textbook forward data flow over the structure: the arms of an If start from one state and
// meet at Endif; a loop is walked again until the state at its head covers what comes back from its end.
#include "shader-core/glsl/ir/emit/debug_values.h"

#include <algorithm>

namespace tessera::glsl::ir {

using isa::DebugPlace;

void loseAssignments(Module& module, uint32_t list, Lost why) {
    forEachAssignment(module, list, [&](Assignment& a) { lose(a, why); });
}

uint32_t joinAssignments(Module& module, uint32_t first, uint32_t second) {
    if (first == kNone || second == kNone) return first == kNone ? second : first;
    uint32_t last = first;
    while (module.debug.assignments[last].next != kNone) last = module.debug.assignments[last].next;
    module.debug.assignments[last].next = second;
    return first;
}

uint32_t copyAssignments(Module& module, uint32_t list) {
    uint32_t first = kNone, last = kNone;
    for (; list != kNone; list = module.debug.assignments[list].next) {
        const auto made = static_cast<uint32_t>(module.debug.assignments.size());
        module.debug.assignments.push_back(Assignment(module.debug.assignments[list]));
        module.debug.assignments[made].next = kNone;
        if (last == kNone)
            first = made;
        else
            module.debug.assignments[last].next = made;
        last = made;
    }
    return first;
}

namespace {

/// Walks the code forwards with a State: reset() makes it that of code that is not reached, meet(other) takes in what
/// comes another way (true when that changed it). For each instruction, in this order: assign(n, state) makes its
/// assignments, see(n, state) sees the state of all lanes that can be there (its last call for n is the one that
/// counts), write(n, state) takes the result. Where `guarded(n)`, the arms of an If have no lanes of their own: those
/// whose guard is false pass as well.
template <class State, class Client>
class ForwardWalk {
public:
    ForwardWalk(const Module& module, Client& client)
        : module_(module), client_(client), partner_(matchControl(module)) {}

    void run(State& state) { walk(0, static_cast<uint32_t>(module_.code.size()), state, nullptr); }

private:
    struct Loop {
        State head, exit;
        bool changed = true;
    };

    void see(uint32_t n, const State& state, const State* aside) {
        if (aside == nullptr) return client_.see(n, state);
        State all = state;
        all.meet(*aside);
        client_.see(n, all);
    }

    void walk(uint32_t begin, uint32_t end, State& state, const State* aside) {
        for (uint32_t n = begin; n < end; n++) {
            const Instruction& i = module_.code[n];
            client_.assign(n, state);
            see(n, state, aside);
            if (i.op == Op::If) {
                n = walkIf(n, state);
            } else if (i.op == Op::Loop) {
                n = walkLoop(n, state);
            } else {
                if (writesResult(i.op)) client_.write(n, state);
                if (i.op == Op::Brk) loops_.back().exit.meet(state);
                if (i.op == Op::Cont) loops_.back().changed |= loops_.back().head.meet(state);
                const bool leaves = i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Ret;
                if (leaves && i.condition.kind == Kind::None) state.reset();
            }
        }
    }

    uint32_t walkIf(uint32_t n, State& state) {
        const uint32_t middle = partner_[n];
        const bool hasElse = module_.code[middle].op == Op::Else, guarded = client_.guarded(n);
        const uint32_t end = hasElse ? partner_[middle] : middle;
        State other = state;
        walk(n + 1, middle, state, guarded ? &other : nullptr);
        client_.assign(middle, state);
        if (hasElse) {
            // At the else stand those who come from the first arm, and those who wait for the second.
            see(middle, state, &other);
            walk(middle + 1, end, other, guarded ? &state : nullptr);
            client_.assign(end, other);
        }
        state.meet(other);
        client_.see(end, state);
        return end;
    }

    uint32_t walkLoop(uint32_t n, State& state) {
        const uint32_t end = partner_[n], number = static_cast<uint32_t>(loops_.size());
        loops_.push_back({state, state});
        loops_[number].exit.reset();
        while (loops_[number].changed) {
            loops_[number].changed = false;
            State round = loops_[number].head;
            walk(n + 1, end, round, nullptr);
            client_.assign(end, round);
            loops_[number].changed |= loops_[number].head.meet(round);
            // At the endloop wait those who left and those who continued as well.
            round.meet(loops_[number].exit);
            see(end, round, &loops_[number].head);
        }
        state = std::move(loops_[number].exit);
        loops_.pop_back();
        return end;
    }

    const Module& module_;
    Client& client_;
    std::vector<uint32_t> partner_;
    std::vector<Loop> loops_;
};

// --- Results that are gone ---

/// Components of places that an erased instruction would have written.
struct Missing {
    std::vector<uint8_t> masks;
    void reset() { std::ranges::fill(masks, uint8_t{0}); }
    bool meet(const Missing& other) {
        bool changed = false;
        for (size_t i = 0; i < masks.size(); i++) {
            changed |= (other.masks[i] & ~masks[i]) != 0;
            masks[i] |= other.masks[i];
        }
        return changed;
    }
};

class Loser {
public:
    Loser(Module& module, const std::vector<LostResult>& results) : module_(module), places_(module) {
        first_.assign(module.code.size() + 1, static_cast<uint32_t>(results.size()));
        for (auto r = static_cast<uint32_t>(results.size()); r-- > 0;) first_[results[r].instruction] = r;
        results_ = results;
        for (const LostResult& one : results) count_ = std::max(count_, one.place + 1);
        count_ = std::max(count_, places_.count());
    }
    void run() {
        Missing none{std::vector<uint8_t>(count_)};
        ForwardWalk<Missing, Loser>(module_, *this).run(none);
    }

    void assign(uint32_t n, const Missing& missing) {
        forEachAssignment(module_, module_.code[n].assigns, [&](Assignment& a) {
            if (!Places::isPlace(a.kind)) return;
            const uint32_t place = places_.of(a.kind, a.index);
            if (place < missing.masks.size() && (missing.masks[place] >> a.component & 1) != 0)
                lose(a, Lost::NotComputed);
        });
    }
    void see(uint32_t, const Missing&) {}
    [[nodiscard]] static bool guarded(uint32_t) { return false; }
    void write(uint32_t n, Missing& missing) const {
        const Dest& dst = module_.code[n].dst;
        if (dst.relative == kNone) missing.masks[places_.of(dst)] &= static_cast<uint8_t>(~dst.writeMask);
        for (uint32_t r = first_[n]; r < results_.size() && results_[r].instruction == n; r++)
            missing.masks[results_[r].place] |= results_[r].mask;
    }

private:
    Module& module_;
    Places places_;
    std::vector<LostResult> results_;
    std::vector<uint32_t> first_;
    uint32_t count_ = 0;
};

}  // namespace

void loseResults(Module& module, const std::vector<LostResult>& results) {
    if (module.debug.assignments.empty() || results.empty()) return;
    Loser(module, results).run();
}

// --- Where variables are in the end ---

namespace {

constexpr size_t kMaxStates = size_t{1} << 21;  ///< variables' components times instructions

struct Where {
    bool reached = true;
    std::vector<DebugPlace> slots;  ///< two for each: what its own temp says, and what follows the value
    std::vector<uint32_t> owner;    ///< per component of the r file: temp * 4 + component that it holds, or kNone

    void reset() { reached = false; }
    bool meet(const Where& other) {
        if (!other.reached) return false;
        if (!reached) {
            *this = other;
            return true;
        }
        bool changed = false;
        DebugPlace ambiguous;
        ambiguous.kind = DebugPlace::Kind::Ambiguous;
        for (size_t s = 0; s < slots.size(); s++) {
            if (slots[s] == other.slots[s] || slots[s] == ambiguous) continue;
            slots[s] = ambiguous;
            changed = true;
        }
        for (size_t c = 0; c < owner.size(); c++) {
            if (owner[c] == other.owner[c] || owner[c] == kNone) continue;
            owner[c] = kNone;
            changed = true;
        }
        return changed;
    }
};

class Locator {
public:
    Locator(const Module& module, const Allocation& allocation, const std::vector<bool>& writesPredicate,
            const std::vector<bool>& isGuarded)
        : module_(module), allocation_(allocation), writesPredicate_(writesPredicate), isGuarded_(isGuarded) {
        seen.resize(module.code.size());
    }
    void run() {
        Where start;
        start.slots.resize(2 * size_t{module_.debug.slots});
        start.owner.assign(4 * size_t{allocation_.registers}, kNone);
        ForwardWalk<Where, Locator>(module_, *this).run(start);
        atEnd.resize(module_.debug.slots);
        if (start.reached) atEnd = best(start);
    }

    void assign(uint32_t n, Where& where) const {
        if (!where.reached) return;
        for (uint32_t at = module_.code[n].assigns; at != kNone; at = module_.debug.assignments[at].next) {
            const Assignment& a = module_.debug.assignments[at];
            where.slots[2 * a.slot + (a.follows ? 1 : 0)] = placeOf(a, where);
        }
    }
    void see(uint32_t n, const Where& where) {
        if (where.reached) seen[n] = best(where);
    }
    [[nodiscard]] bool guarded(uint32_t n) const { return isGuarded_[n]; }

    void write(uint32_t n, Where& where) const {
        const Instruction& i = module_.code[n];
        if (writesPredicate_[n] || !where.reached) return;
        if (i.dst.kind == Kind::Output) {
            const bool relative = i.dst.relative != kNone;
            overwrite(where, isa::File::O, relative ? i.dst.arrayFirst : i.dst.index, relative ? i.dst.arrayCount : 1,
                      i.dst.writeMask);
            return;
        }
        const uint32_t first = i.dst.relative != kNone ? i.dst.arrayFirst : i.dst.index;
        const uint32_t count = i.dst.relative != kNone ? i.dst.arrayCount : 1;
        for (uint32_t temp = first; temp < first + count; temp++) {
            const Placement& p = allocation_.temps[temp];
            uint8_t mask = 0;
            for (uint32_t c = 0; c < 4; c++) {
                if ((i.dst.writeMask >> c & 1) == 0) continue;
                where.owner[4 * size_t{p.reg} + p.component[c]] = 4 * temp + c;
                if (!staysInPlace(i, c)) mask |= static_cast<uint8_t>(1 << p.component[c]);
            }
            overwrite(where, isa::File::R, p.reg, 1, mask);
        }
    }

    std::vector<std::vector<DebugPlace>> seen;  ///< before each instruction; empty where it is not reached
    std::vector<DebugPlace> atEnd;

private:
    static bool isKnown(const DebugPlace& place) {
        return place.kind == DebugPlace::Kind::Register || place.kind == DebugPlace::Kind::Constant;
    }
    static std::vector<DebugPlace> best(const Where& where) {
        std::vector<DebugPlace> places(where.slots.size() / 2);
        for (size_t s = 0; s < places.size(); s++)
            places[s] = where.slots[2 * s + (isKnown(where.slots[2 * s]) ? 0 : 1)];
        return places;
    }

    /// A copy between temps that share a register component.
    [[nodiscard]] bool staysInPlace(const Instruction& i, uint32_t c) const {
        const Operand& from = i.src[0];
        if (i.op != Op::Mov || i.saturate || from.kind != Kind::Temp || from.negate || from.absolute) return false;
        if (from.relative != kNone || i.dst.relative != kNone) return false;
        const Placement &to = allocation_.temps[i.dst.index], &source = allocation_.temps[from.index];
        return to.reg == source.reg &&
               to.component[c] ==
                   source.component[static_cast<size_t>(isa::swizzleAt(from.swizzle, static_cast<int>(c)))];
    }

    static void overwrite(Where& where, isa::File file, uint32_t first, uint32_t count, uint8_t mask) {
        for (DebugPlace& place : where.slots) {
            if (place.kind != DebugPlace::Kind::Register || place.file != file) continue;
            if (place.index < first || place.index >= first + count || (mask >> place.component & 1) == 0) continue;
            place = {};
            place.kind = DebugPlace::Kind::Overwritten;
        }
    }

    [[nodiscard]] DebugPlace placeOf(const Assignment& a, const Where& where) const {
        DebugPlace place;
        place.kind = DebugPlace::Kind::Register;
        place.index = static_cast<uint16_t>(a.index);
        place.component = a.component;
        place.negate = a.negate, place.absolute = a.absolute;
        switch (a.kind) {
            case Kind::Temp: {
                const Placement& p = allocation_.temps[a.index];
                place.file = isa::File::R;
                place.index = p.reg;
                place.component = p.component[a.component];
                const size_t at = 4 * size_t{p.reg} + place.component;
                if (at < where.owner.size() && where.owner[at] == 4 * a.index + a.component) return place;
                place = {};
                place.kind = Lost::Overwritten;
                return place;
            }
            case Kind::Input:
                place.file = isa::File::V;
                return place;
            case Kind::Output:
                place.file = isa::File::O;
                return place;
            case Kind::Uniform:
                place.file = isa::File::C;
                return place;
            case Kind::Special:
                place.file = isa::File::S;
                return place;
            case Kind::Literal:
                place = {};
                place.kind = DebugPlace::Kind::Constant;
                place.bits = a.bits;
                return place;
            case Kind::None:
                break;
        }
        place = {};
        place.kind = a.lost;
        return place;
    }

    const Module& module_;
    const Allocation& allocation_;
    const std::vector<bool>& writesPredicate_;
    const std::vector<bool>& isGuarded_;
};

}  // namespace

std::shared_ptr<const isa::DebugInfo> locateVariables(const Module& module, const Allocation& allocation,
                                                      const std::vector<bool>& writesPredicate,
                                                      const std::vector<uint32_t>& firstWord,
                                                      const std::vector<bool>& isGuarded, uint32_t words) {
    const DebugVariables& debug = module.debug;
    if (debug.slots == 0 || debug.slots * (module.code.size() + 1) > kMaxStates) return nullptr;
    Locator locator(module, allocation, writesPredicate, isGuarded);
    locator.run();
    auto info = std::make_shared<isa::DebugInfo>();
    info->variables = debug.variables;
    const DebugPlace notAssigned;
    for (size_t v = 0; v < info->variables.size(); v++) {
        isa::DebugVariable& variable = info->variables[v];
        const uint32_t count = isa::componentSlots(variable);
        for (uint32_t c = 0; c < count; c++) {
            if (static_cast<int>(c % 4) >= isa::componentCount(variable.type)) continue;
            const auto add = [&](uint32_t begin, uint32_t end, const DebugPlace& place) {
                if (begin >= end || place == notAssigned) return;
                auto& ranges = variable.ranges;
                const bool goesOn = !ranges.empty() && ranges.back().component == c && ranges.back().end == begin &&
                                    ranges.back().place == place;
                if (goesOn)
                    ranges.back().end = end;
                else
                    ranges.push_back({begin, end, static_cast<uint16_t>(c), place});
            };
            for (size_t n = 0; n < module.code.size(); n++) {
                const uint32_t end = n + 1 < module.code.size() ? firstWord[n + 1] : firstWord.back();
                if (!locator.seen[n].empty()) add(firstWord[n], end, locator.seen[n][debug.firstSlot[v] + c]);
            }
            add(firstWord.back(), words, locator.atEnd[debug.firstSlot[v] + c]);
        }
    }
    return info;
}

}  // namespace tessera::glsl::ir
