#include "shader-core/debug/session.h"

#include <algorithm>
#include <charconv>

#include "shader-core/debug/trace.h"

namespace tessera::debug {

namespace {

int callsOf(std::span<const interp::StackEntry> stack) {
    return static_cast<int>(std::count_if(stack.begin(), stack.end(), [](const interp::StackEntry& entry) {
        return entry.kind == interp::EntryKind::Call;
    }));
}

/// Sees where runs of instructions of one line begin: another line, or a jump back.
class LineEntry {
public:
    explicit LineEntry(const isa::Program& program) : program_(program) {}
    bool enters(const interp::Step& step) {
        const uint32_t line = lineOf(program_, step.pc);
        const bool entered = line != 0 && (line != line_ || step.pc <= pc_ || first_);
        line_ = line, pc_ = step.pc, first_ = false;
        return entered;
    }

private:
    const isa::Program& program_;
    uint32_t line_ = 0, pc_ = 0;
    bool first_ = true;
};

uint32_t stepBits(const interp::Step& step, const RegisterName& name, int component, int lane) {
    const isa::GroupRegister* from = nullptr;
    if (name.file == isa::File::R) from = step.temps + name.index;
    if (name.file == isa::File::O) from = step.outputs + name.index;
    if (name.file == isa::File::A) from = step.address;
    if (name.file == isa::File::P) return step.predicates[name.index] >> lane & 1;
    return from == nullptr ? 0 : __builtin_bit_cast(uint32_t, from->lane[component][lane]);
}

}  // namespace

/// All breakpoints, while a group is executed from its first instruction on.
class Session::Watcher {
public:
    Watcher(const Session& session, int group)
        : session_(session), group_(group), lines_(session.replay(group).program()) {}

    /// Whether a breakpoint holds; hit() is then the first that does.
    bool holds(const interp::Step& step) {
        const uint32_t line = lineOf(session_.replay(group_).program(), step.pc);
        const bool enters = lines_.enters(step);
        bool found = false;
        for (size_t i = 0; i < session_.breakpoints_.size(); ++i) {
            const Breakpoint& one = session_.breakpoints_[i];
            if (one.group && *one.group != group_) continue;
            bool here = false;
            switch (one.kind) {
                case Breakpoint::Kind::Line:
                    here = enters && line == one.where;
                    break;
                case Breakpoint::Kind::Instruction:
                    here = step.pc == one.where;
                    break;
                case Breakpoint::Kind::Lane:
                    here = one.lane && (step.execMask & ~exec_) >> *one.lane & 1;
                    break;
                case Breakpoint::Kind::Watch:
                    here = changed(i, one, step);
                    break;
            }
            if (here && one.kind != Breakpoint::Kind::Watch && one.lane) here = (step.execMask >> *one.lane & 1) != 0;
            if (here && !found) hit_ = one.id;
            found |= here;
        }
        exec_ = step.execMask;
        return found;
    }
    [[nodiscard]] int hit() const { return hit_; }

private:
    bool changed(size_t index, const Breakpoint& one, const interp::Step& step) {
        std::vector<uint32_t> now;
        for (const char c : one.watched.components)
            for (int lane = 0; lane < isa::kGroupSize; ++lane)
                if (!one.lane || lane == *one.lane)
                    now.push_back(stepBits(step, one.watched, static_cast<int>(kComponents.find(c)), lane));
        if (seen_.size() <= index) seen_.resize(index + 1);
        const bool differs = !seen_[index].empty() && seen_[index] != now;
        seen_[index] = std::move(now);
        return differs;
    }

    const Session& session_;
    const int group_;
    LineEntry lines_;
    uint32_t exec_ = 0;
    int hit_ = 0;
    std::vector<std::vector<uint32_t>> seen_;
};

Session::Session(std::vector<Group> groups) {
    for (Group& group : groups) groups_.emplace_back(std::move(group));
    select(0, std::countr_zero(replay().group().activeMask));
}

uint32_t Session::line() const { return lineOf(replay().program(), state().pc); }

void Session::select(int group, int lane) {
    group_ = group;
    lane_ = lane < isa::kGroupSize ? lane : 0;
}

std::optional<std::pair<int, int>> Session::find(const std::string& laneName) const {
    for (int g = 0; g < groupCount(); ++g) {
        const Group& group = replay(g).group();
        for (int lane = 0; lane < isa::kGroupSize; ++lane)
            if ((group.activeMask >> lane & 1) != 0 && group.laneNames[static_cast<size_t>(lane)] == laneName)
                return std::pair(g, lane);
    }
    return std::nullopt;
}

// --- Moves ---

Stopped Session::ended() const {
    if (state().ended) return {Stop::End, 0};
    return {state().count == 0 ? Stop::Start : Stop::Moved, 0};
}

Stopped Session::stepInstruction(uint64_t count) {
    if (!state().ended) current().goTo(state().count + count);
    return {state().ended ? Stop::End : Stop::Moved, 0};
}

Stopped Session::reverseInstruction(uint64_t count) {
    current().goTo(state().count - std::min(count, state().count));
    return ended();
}

int Session::callDepth() const { return callsOf(state().stack); }

Stopped Session::stepLine(bool overCalls) {
    LineEntry lines(replay().program());
    const int depth = callDepth();
    (void)current().forward([&](const interp::Step& step) {
        const bool enters = lines.enters(step);
        return enters && (!overCalls || callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) <= depth);
    });
    return {state().ended ? Stop::End : Stop::Moved, 0};
}

Stopped Session::reverseLine(bool overCalls) {
    LineEntry lines(replay().program());
    const int depth = callDepth();
    (void)current().backward([&](const interp::Step& step) {
        const bool enters = lines.enters(step);
        return enters && (!overCalls || callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) <= depth);
    });
    return ended();
}

Stopped Session::stepOut() {
    const int depth = callDepth();
    (void)current().forward(
        [&](const interp::Step& step) { return callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) < depth; });
    return {state().ended ? Stop::End : Stop::Moved, 0};
}

void Session::enter(int group, bool atEnd) {
    const uint32_t active = replay(group).group().activeMask;
    select(group, (active >> lane_ & 1) != 0 ? lane_ : std::countr_zero(active));
    current().goTo(atEnd ? UINT64_MAX : 0);
}

Stopped Session::run() {
    while (true) {
        Watcher watcher(*this, group_);
        if (current().forward([&](const interp::Step& step) { return watcher.holds(step); }))
            return {Stop::Breakpoint, watcher.hit()};
        if (group_ + 1 == groupCount() || breakpoints_.empty()) return {Stop::End, 0};
        enter(group_ + 1, false);
        // The first instruction of a group is a place to stop at as well; forward() looks behind it.
        Watcher first(*this, group_);
        bool holds = false;
        (void)current().visit([&](const interp::Step& step) {
            if (step.instructions == 0) holds = first.holds(step);
        });
        if (holds) return {Stop::Breakpoint, first.hit()};
    }
}

Stopped Session::reverseRun() {
    while (true) {
        // The last stop before here, with the breakpoint that it was.
        Watcher watcher(*this, group_);
        int hit = 0;
        const bool found = current().backward([&](const interp::Step& step) {
            const bool holds = watcher.holds(step);
            if (holds) hit = watcher.hit();
            return holds;
        });
        if (found) return {Stop::Breakpoint, hit};
        if (group_ == 0 || breakpoints_.empty()) return {Stop::Start, 0};
        enter(group_ - 1, true);
    }
}

// --- Breakpoints ---

int Session::add(Breakpoint breakpoint) {
    breakpoint.id = nextId_++;
    breakpoints_.push_back(std::move(breakpoint));
    return breakpoints_.back().id;
}

bool Session::remove(int id) {
    return std::erase_if(breakpoints_, [&](const Breakpoint& one) { return one.id == id; }) != 0;
}

std::optional<uint32_t> Session::lineWithCode(uint32_t line) const {
    std::optional<uint32_t> best;
    for (const uint32_t one : replay().program().lines)
        if (one >= line && one != 0 && (!best || one < *best)) best = one;
    return best;
}

// --- Values ---

namespace {

/// A variable by its name, or an element of one: the register of its first column.
std::optional<Named> variable(const std::vector<isa::Variable>& list, isa::File file, int base, std::string_view name) {
    int element = 0;
    std::string_view whole = name;
    const size_t bracket = name.rfind('[');
    const bool indexed = name.ends_with(']') && bracket != std::string_view::npos;
    if (indexed) {
        const char* end = name.data() + name.size() - 1;
        if (std::from_chars(name.data() + bracket + 1, end, element).ptr != end || element < 0) return std::nullopt;
        whole = name.substr(0, bracket);
    }
    for (const isa::Variable& v : list) {
        const bool exact = v.name == name;
        if ((!exact && v.name != whole) || isa::isSampler(v.type)) continue;
        const int offset = exact ? 0 : element * (v.arraySize != 0 ? isa::columnCount(v.type) : 1);
        if (offset >= isa::registerCount(v)) return std::nullopt;
        Named named{file, base + v.reg + offset,
                    std::string(kComponents.substr(v.component, static_cast<size_t>(isa::componentCount(v.type)))),
                    Format::F32};
        if (v.type >= isa::VarType::Int && v.type <= isa::VarType::IVec4) named.format = Format::I32;
        return named;
    }
    return std::nullopt;
}

/// Swizzles of a variable choose among its own components.
bool choose(Named& named, std::string_view swizzle) {
    std::string chosen;
    for (const char c : swizzle) {
        size_t at = kComponents.find(c);
        if (at == std::string_view::npos) at = std::string_view("rgba").find(c);
        if (at >= named.components.size()) return false;
        chosen += named.components[at];
    }
    named.components = chosen;
    return !chosen.empty();
}

std::optional<Named> variableOf(const isa::Program& program, std::string_view text) {
    const bool vertex = program.stage == isa::Stage::Vertex;
    if (auto found = variable(program.uniforms, isa::File::C, 0, text)) return found;
    if (auto found = variable(program.attributes, isa::File::V, 0, text)) return found;
    if (auto found =
            variable(program.varyings, vertex ? isa::File::O : isa::File::V, vertex ? isa::kOutVarying0 : 0, text))
        return found;
    if (vertex && text == "gl_Position") return Named{isa::File::O, isa::kOutPosition, "xyzw", Format::F32};
    if (vertex && text == "gl_PointSize") return Named{isa::File::O, isa::kOutPointSize, "x", Format::F32};
    if (!vertex && text == "gl_FragColor") return Named{isa::File::O, isa::kOutColor0, "xyzw", Format::F32};
    if (!vertex && text == "gl_FragCoord") return Named{isa::File::S, 0, "xyzw", Format::F32};
    if (!vertex && text == "gl_FrontFacing") return Named{isa::File::S, 1, "x", Format::F32};
    if (!vertex && text == "gl_PointCoord") return Named{isa::File::S, 2, "xy", Format::F32};
    return std::nullopt;
}

}  // namespace

std::optional<Named> Session::name(std::string_view text) const {
    std::optional<Format> format;
    if (const size_t slash = text.rfind('/'); slash != std::string_view::npos) {
        format = formatByName(text.substr(slash + 1));
        if (!format) return std::nullopt;
        text = text.substr(0, slash);
    }
    std::optional<Named> named = variableOf(replay().program(), text);
    const size_t point = text.rfind('.');
    if (!named && point != std::string_view::npos) {
        named = variableOf(replay().program(), text.substr(0, point));
        if (named && !choose(*named, text.substr(point + 1))) return std::nullopt;
    }
    if (!named)
        if (const std::optional<RegisterName> reg = parseRegister(text)) {
            named = Named{reg->file, reg->index, reg->components, Format::F32};
            if (reg->file == isa::File::A) named->format = Format::I32;
            if (reg->file == isa::File::P) named->format = Format::U32;
            if (reg->file == isa::File::S && reg->index >= static_cast<int>(isa::Special::Lane))
                named->format = Format::I32;
        }
    if (!named || !value(named->file, named->index, 0, 0)) return std::nullopt;
    if (format) named->format = *format;
    return named;
}

std::optional<uint32_t> Session::value(isa::File file, int index, int component, int lane) const {
    const Group& group = replay().group();
    const auto i = static_cast<size_t>(index);
    const auto of = [&](const isa::GroupRegister& reg) {
        return __builtin_bit_cast(uint32_t, reg.lane[component][lane]);
    };
    switch (file) {
        case isa::File::R:
            return i < state().temps.size() ? std::optional(of(state().temps[i])) : std::nullopt;
        case isa::File::V:
            return i < group.inputs.size() ? std::optional(of(group.inputs[i])) : std::nullopt;
        case isa::File::C:
            if (i >= group.constants.size()) return std::nullopt;
            return __builtin_bit_cast(uint32_t, group.constants[i][static_cast<size_t>(component)]);
        case isa::File::O:
            return i < state().outputs.size() ? std::optional(of(state().outputs[i])) : std::nullopt;
        case isa::File::A:
            return of(state().address);
        case isa::File::P:
            if (i >= state().predicates.size()) return std::nullopt;
            return state().predicates[i] >> lane & 1;
        case isa::File::S:
            if (index == static_cast<int>(isa::Special::Lane)) return component == 0 ? static_cast<uint32_t>(lane) : 0u;
            return i < group.specials.size() ? std::optional(of(group.specials[i])) : std::nullopt;
        case isa::File::I:
            break;
    }
    return std::nullopt;
}

std::string Session::valuesText(const Named& named, int lane) const {
    std::string text;
    for (const char c : named.components) {
        if (!text.empty()) text += ' ';
        text += valueText(value(named.file, named.index, static_cast<int>(kComponents.find(c)), lane).value_or(0),
                          named.format);
    }
    return text;
}

bool Session::set(const Named& named, int lane, uint32_t bits) {
    const bool changeable = named.file == isa::File::R || named.file == isa::File::O || named.file == isa::File::A ||
                            named.file == isa::File::P;
    if (!changeable || state().ended) return false;
    for (const char c : named.components)
        current().edit(named.file, named.index, static_cast<int>(kComponents.find(c)), lane, bits);
    return true;
}

std::vector<int> Session::registers(isa::File file) const {
    const isa::Program& program = replay().program();
    std::vector<int> list;
    const auto bits = [&](uint32_t mask) {
        for (; mask != 0; mask &= mask - 1) list.push_back(std::countr_zero(mask));
    };
    const auto range = [&](int first, int end) {
        for (int i = first; i < end; ++i) list.push_back(i);
    };
    if (file == isa::File::R) range(0, program.tempCount);
    if (file == isa::File::C) range(0, program.constantCount);
    if (file == isa::File::V) bits(program.inputMask);
    if (file == isa::File::O) bits(program.outputMask);
    if (file == isa::File::S) bits(program.specialMask);
    if (file == isa::File::A) range(0, 1);
    if (file == isa::File::P) range(1, isa::kPredicates + 1);
    return list;
}

}  // namespace tessera::debug
