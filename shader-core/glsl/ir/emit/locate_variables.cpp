#include "shader-core/glsl/ir/emit/locate_variables.h"

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/forward_walk.h"

namespace tessera::glsl::ir {

using isa::DebugPlace;

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
        // A shared register is all the time that of one variable, or of none.
        if (writesPredicate_[n] || !where.reached || i.dst.kind == Kind::Shared) return;
        if (i.op == Op::Call) return overwrite(where, isa::File::O, 0, isa::kMaxOutputs, 0xF);
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
            case Kind::Shared:
                place.file = isa::File::R;
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
            case Kind::Table:  // a row that is named is a literal
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
