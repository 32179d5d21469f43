#include "shader-core/debug/session.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "shader-core/debug/trace/trace.h"

namespace tessera::debug {

namespace {

int callsOf(std::span<const interp::StackEntry> stack) {
    return static_cast<int>(std::count_if(stack.begin(), stack.end(), [](const interp::StackEntry& entry) {
        return entry.kind == interp::EntryKind::Call;
    }));
}

/// Sees where lines are entered: at the first instruction of a run of instructions of one line (a run ends at another
/// line, and at a jump back) that one of the lanes executes. Lanes whose guard is false do not execute.
class LineEntry {
public:
    explicit LineEntry(const isa::Program& program, uint32_t lanes = ~0u) : program_(program), lanes_(lanes) {}
    bool enters(const interp::Step& step) {
        const uint32_t line = lineOf(program_, step.pc);
        if (line != line_ || step.pc <= pc_ || first_) awaited_ = line != 0;
        line_ = line, pc_ = step.pc, first_ = false;
        const bool entered = awaited_ && (step.guardedMask & lanes_) != 0;
        if (entered) awaited_ = false;
        return entered;
    }

private:
    const isa::Program& program_;
    uint32_t lanes_;
    uint32_t line_ = 0, pc_ = 0;
    bool first_ = true, awaited_ = false;
};

/// "3", "= 3", ">= 3", "% 2", ... : the operator and the number.
std::optional<std::pair<std::string, uint64_t>> parseHits(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    const size_t digits = std::min(text.find_first_of("0123456789"), text.size());
    std::string op(text.substr(0, digits));
    std::erase(op, ' ');
    text.remove_prefix(digits);
    while (text.ends_with(' ')) text.remove_suffix(1);
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::string_view kOperators[] = {"", "=", "==", ">=", ">", "<", "<=", "%"};
    if (error != std::errc() || end != text.data() + text.size() ||
        std::ranges::find(kOperators, op) == std::end(kOperators))
        return std::nullopt;
    if (op == "%" && number == 0) return std::nullopt;
    return std::pair(op, number);
}

bool hitCounts(std::string_view condition, uint64_t hit) {
    const auto parsed = parseHits(condition);
    if (!parsed) return true;
    const auto& [op, number] = *parsed;
    if (op == ">=") return hit >= number;
    if (op == ">") return hit > number;
    if (op == "<") return hit < number;
    if (op == "<=") return hit <= number;
    return op == "%" ? hit % number == 0 : hit == number;
}

/// The text with every {expression} replaced by its value in the lane, or by why it has none.
std::string filledIn(std::string_view text, const Moment& moment, int lane) {
    std::string result;
    while (!text.empty()) {
        const size_t open = text.find('{'), close = open == std::string_view::npos ? open : text.find('}', open);
        if (close == std::string_view::npos) return result += text;
        result += text.substr(0, open);
        std::string error;
        const auto expression = Expression::parse(text.substr(open + 1, close - open - 1), error);
        const auto value = expression ? expression->evaluate(moment, lane, error) : std::nullopt;
        result += value ? valueText(*value) : fmt::format("<{}>", error);
        text.remove_prefix(close + 1);
    }
    return result;
}

}  // namespace

bool isHitCondition(std::string_view text) { return parseHits(text).has_value(); }

/// All breakpoints, while a group is executed from its first instruction on.
class Session::Watcher {
public:
    /// `line`: stops where it is entered as well.
    Watcher(const Session& session, int group, std::optional<uint32_t> line = {})
        : session_(session),
          program_(session.replay(group).program()),
          group_(group),
          lineAwaited_(line),
          awaitedEntry_(program_) {
        for (const Breakpoint& one : session.breakpoints_)
            watched_.push_back({LineEntry(program_, one.lane ? 1u << *one.lane : ~0u), 0, {}});
    }

    /// Whether a breakpoint holds; hit() is then the first that does.
    bool holds(const interp::Step& step, const WrittenTypes& types) {
        const Moment moment(session_.replay(group_).group(), step, types);
        bool found = false;
        logged_.clear();
        for (size_t i = 0; i < session_.breakpoints_.size(); ++i) {
            const Breakpoint& one = session_.breakpoints_[i];
            if (one.group && *one.group != group_) continue;
            uint32_t lanes = lanesOf(one, watched_[i], step, moment);
            std::string problem;
            if (lanes != 0 && one.condition) lanes = lanesWhere(*one.condition, moment, lanes, problem);
            if (lanes == 0 || (problem.empty() && !hitCounts(one.hits, ++watched_[i].hits))) continue;
            if (!one.log.empty()) {
                logged_.push_back(problem.empty() ? filledIn(one.log, moment, shownOf(lanes)) : problem);
                continue;
            }
            if (!found) hit_ = {one.id, lanes, problem};
            found = true;
        }
        exec_ = step.execMask;
        if (lineAwaited_ && awaitedEntry_.enters(step) && lineOf(program_, step.pc) == *lineAwaited_ && !found) {
            hit_ = {0, step.guardedMask, {}};
            found = true;
        }
        return found;
    }
    [[nodiscard]] const Hit& hit() const { return hit_; }
    /// Of breakpoints that log, at the step seen last.
    [[nodiscard]] const std::vector<std::string>& logged() const { return logged_; }

private:
    struct Watched {
        LineEntry entry;
        uint64_t hits = 0;
        std::vector<std::optional<uint32_t>> bits;  ///< of a watchpoint: lane by lane, the last that were known
    };

    /// The lanes for which the place of the breakpoint is reached.
    uint32_t lanesOf(const Breakpoint& one, Watched& watched, const interp::Step& step, const Moment& moment) const {
        const uint32_t wanted = one.lane ? 1u << *one.lane : ~0u;
        switch (one.kind) {
            case Breakpoint::Kind::Line: {
                const bool enters = watched.entry.enters(step);
                return enters && lineOf(program_, step.pc) == one.where ? step.guardedMask & wanted : 0;
            }
            case Breakpoint::Kind::Instruction:
                return step.pc == one.where ? step.guardedMask & wanted : 0;
            case Breakpoint::Kind::Lane:
                return one.lane ? step.execMask & ~exec_ & wanted : 0;
            case Breakpoint::Kind::Watch:
                return changed(one, watched, moment, wanted);
        }
        return 0;
    }

    static uint32_t changed(const Breakpoint& one, Watched& watched, const Moment& moment, uint32_t wanted) {
        uint32_t lanes = 0;
        size_t next = 0;
        const bool first = watched.bits.empty();
        for (uint32_t left = wanted & moment.group.activeMask; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            for (const Element& now : read(one.watched, moment, lane).elements) {
                if (next == watched.bits.size()) watched.bits.emplace_back();
                std::optional<uint32_t>& before = watched.bits[next++];
                if (!now.missing.empty()) continue;
                if (!first && before != now.bits) lanes |= 1u << lane;
                before = now.bits;
            }
        }
        return lanes;
    }

    [[nodiscard]] int shownOf(uint32_t lanes) const {
        return (lanes >> session_.lane_ & 1) != 0 ? session_.lane_ : std::countr_zero(lanes);
    }

    /// The lanes where the condition holds. If there are none, but some in which it has no value, those, and why.
    uint32_t lanesWhere(const Expression& condition, const Moment& moment, uint32_t lanes, std::string& problem) const {
        uint32_t holding = 0, failing = 0;
        std::string error;
        for (; lanes != 0; lanes &= lanes - 1) {
            const std::optional<bool> holds = condition.holds(moment, std::countr_zero(lanes), error);
            if (!holds) failing |= lanes & -lanes;
            if (holds.value_or(false)) holding |= lanes & -lanes;
        }
        if (holding != 0 || failing == 0) return holding;
        const int lane = shownOf(failing);
        (void)condition.holds(moment, lane, error);
        problem = fmt::format("the condition {} has no value in lane {}: {}", condition.text(), lane, error);
        return failing;
    }

    const Session& session_;
    const isa::Program& program_;
    const int group_;
    std::optional<uint32_t> lineAwaited_;
    LineEntry awaitedEntry_;
    std::vector<Watched> watched_;
    std::vector<std::string> logged_;
    uint32_t exec_ = 0;
    Hit hit_;
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

/// After a move forward.
Stopped Session::arrived() const {
    if (state().ended) return {Stop::End, 0, {}};
    return {replay().isInterrupted() ? Stop::Interrupted : Stop::Moved, 0, {}};
}

/// After a move back.
Stopped Session::ended() const {
    if (state().ended || replay().isInterrupted()) return arrived();
    return {state().count == 0 ? Stop::Start : Stop::Moved, 0, {}};
}

void Session::setInterrupt(const std::atomic<bool>* interrupt) {
    for (Replay& one : groups_) one.setInterrupt(interrupt);
}

Stopped Session::goTo(uint64_t count) {
    current().goTo(count);
    return arrived();
}

std::optional<uint64_t> Session::firstNan() const {
    const Replay& group = replay();
    WrittenTypes types(group.program());
    std::optional<uint64_t> first;
    const auto hasNan = [&](isa::File file, const isa::GroupRegister* registers, int count) {
        for (int i = 0; i < count; ++i)
            for (int c = 0; c < 4; ++c)
                if (std::isnan(registers[i].lane[c][lane_]) && types.of(file, i, c).in(lane_) == Format::F32)
                    return true;
        return false;
    };
    const Outcome outcome = group.visit([&](const interp::Step& step) {
        if (first) return;
        if (step.instructions > 0 &&
            (hasNan(isa::File::R, step.temps, group.program().tempCount) ||
             (step.outputs != nullptr && hasNan(isa::File::O, step.outputs, isa::kMaxOutputs))))
            first = step.instructions - 1;
        types.executes(group.code()[step.pc], step);
    });
    if (!first && outcome.instructions > 0 && hasNan(isa::File::O, outcome.outputs.data(), isa::kMaxOutputs))
        first = outcome.instructions - 1;
    return first;
}

Stopped Session::stepInstruction(uint64_t count) {
    if (!state().ended) current().goTo(state().count + count);
    return arrived();
}

Stopped Session::reverseInstruction(uint64_t count) {
    current().goTo(state().count - std::min(count, state().count));
    return ended();
}

int Session::callDepth() const { return callsOf(state().stack); }

Stopped Session::stepLine(bool overCalls) {
    LineEntry lines(replay().program());
    const int depth = callDepth();
    (void)current().forward([&](const interp::Step& step, const WrittenTypes&) {
        const bool enters = lines.enters(step);
        return enters && (!overCalls || callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) <= depth);
    });
    return arrived();
}

Stopped Session::reverseLine(bool overCalls) {
    LineEntry lines(replay().program());
    const int depth = callDepth();
    (void)current().backward([&](const interp::Step& step, const WrittenTypes&) {
        const bool enters = lines.enters(step);
        return enters && (!overCalls || callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) <= depth);
    });
    return ended();
}

Stopped Session::finish() {
    const int depth = callDepth();
    (void)current().forward([&](const interp::Step& step, const WrittenTypes&) {
        return callsOf({step.stack, static_cast<size_t>(step.stackDepth)}) < depth;
    });
    return arrived();
}

Stopped Session::restart() {
    enter(0, false);
    return {Stop::Start, 0, {}};
}

void Session::enter(int group, bool atEnd) {
    const uint32_t active = replay(group).group().activeMask;
    select(group, (active >> lane_ & 1) != 0 ? lane_ : std::countr_zero(active));
    current().goTo(atEnd ? UINT64_MAX : 0);
}

/// A breakpoint shows a lane that it holds in.
Stopped Session::stoppedAt(const Hit& hit) {
    if ((hit.lanes >> lane_ & 1) == 0 && hit.lanes != 0) lane_ = std::countr_zero(hit.lanes);
    return {hit.breakpoint == 0 ? Stop::Moved : Stop::Breakpoint, hit.breakpoint, hit.problem};
}

Stopped Session::run() { return runUntil(std::nullopt); }
Stopped Session::runTo(uint32_t line) { return runUntil(line); }

Stopped Session::runUntil(std::optional<uint32_t> line) {
    const auto log = [&](const Watcher& watcher) {
        log_.insert(log_.end(), watcher.logged().begin(), watcher.logged().end());
    };
    while (true) {
        Watcher watcher(*this, group_, line);
        const uint64_t from = state().count;
        if (current().forward([&](const interp::Step& step, const WrittenTypes& types) {
                const bool holds = watcher.holds(step, types);
                if (step.instructions > from) log(watcher);
                return holds;
            }))
            return stoppedAt(watcher.hit());
        if (!state().ended) return arrived();
        if (group_ + 1 == groupCount() || (breakpoints_.empty() && !line)) return {Stop::End, 0, {}};
        enter(group_ + 1, false);
        // The first instruction of a group is a place to stop at as well; forward() looks behind it.
        Watcher first(*this, group_, line);
        bool holds = false;
        (void)current().forward([&](const interp::Step& step, const WrittenTypes& types) {
            if (step.instructions == 0) holds = first.holds(step, types), log(first);
            return true;
        });
        current().goTo(0);
        if (holds) return stoppedAt(first.hit());
    }
}

Stopped Session::reverseRun() {
    while (true) {
        // The last stop before here, with the breakpoint that it was.
        Watcher watcher(*this, group_);
        Hit last;
        const bool found = current().backward([&](const interp::Step& step, const WrittenTypes& types) {
            const bool holds = watcher.holds(step, types);
            if (holds) last = watcher.hit();
            return holds;
        });
        if (found) return stoppedAt(last);
        if (replay().isInterrupted()) return arrived();
        if (group_ == 0 || breakpoints_.empty()) return {Stop::Start, 0, {}};
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

Breakpoint* Session::find(int id) {
    const auto found = std::ranges::find(breakpoints_, id, &Breakpoint::id);
    return found == breakpoints_.end() ? nullptr : &*found;
}

std::string Session::conditionProblem(const Breakpoint& breakpoint) const {
    if (!breakpoint.condition) return {};
    const isa::Program& program = replay().program();
    const auto size = static_cast<uint32_t>(replay().code().size());
    Moment place = moment();
    if (breakpoint.kind == Breakpoint::Kind::Instruction) place.pc = breakpoint.where;
    if (breakpoint.kind == Breakpoint::Kind::Line)
        for (uint32_t pc = size; pc-- > 0;)
            if (lineOf(program, pc) == breakpoint.where) place.pc = pc;
    std::string problem = breakpoint.condition->problemAsCondition(place);
    // Perhaps it is about the variables of another scope. Those are the same all over a line.
    std::optional<uint32_t> line;
    for (uint32_t pc = 0; pc < size && !problem.empty(); ++pc) {
        if (line == lineOf(program, pc)) continue;
        line = lineOf(program, pc), place.pc = pc;
        if (breakpoint.condition->problemAsCondition(place).empty()) problem.clear();
    }
    return problem;
}

// --- Values ---

namespace {

/// The bits that a place of a format takes from a value; nothing when it would not be what was written.
std::optional<uint32_t> bitsFor(Format to, const Element& from) {
    const bool integer = from.format == Format::I32 || from.format == Format::U32;
    if (to == Format::F32 && integer)
        return __builtin_bit_cast(uint32_t, from.format == Format::U32
                                                ? static_cast<float>(from.bits)
                                                : static_cast<float>(static_cast<int32_t>(from.bits)));
    if (to == Format::Bool && from.format != Format::Bool) return std::nullopt;
    if ((to == Format::I32 || to == Format::U32) && from.format == Format::F32) return std::nullopt;
    return from.bits;
}

}  // namespace

std::string Session::assign(const Expression& target, std::optional<Format> format, const Expression& expression) {
    if (state().ended) return "the group has ended; nothing can be changed";
    std::string error;
    const std::optional<Named> found = target.variable(moment(), lane_, error);
    const std::optional<Value> computed = found ? expression.evaluate(moment(), lane_, error) : std::nullopt;
    if (!computed) return error;
    Named named = *found;
    const Value& value = *computed;
    if (format) named.format = format;
    const size_t count = named.components.size();
    if (value.elements.size() != 1 && value.elements.size() != count)
        return fmt::format("{} values for {} components", value.elements.size(), count);
    const Value old = read(named, moment(), lane_);
    std::vector<Edit> edits;
    for (size_t i = 0; i < count; ++i) {
        const std::optional<isa::DebugPlace> place = placeOf(named, i, moment(), lane_);
        if (!old.elements[i].missing.empty()) return fmt::format("<{}>", old.elements[i].missing);
        if (place->kind == isa::DebugPlace::Kind::Constant)
            return "it is a constant in the instructions of this program and cannot be changed";
        const isa::File file = place->file;
        const bool changeable =
            file == isa::File::R || file == isa::File::O || file == isa::File::A || file == isa::File::P;
        if (!changeable || place->negate || place->absolute)
            return fmt::format("it is in {}; only r, o, a and p can be changed", placeText(named, moment(), lane_));
        const Element& one = value.elements[value.elements.size() == 1 ? 0 : i];
        if (!one.missing.empty()) return fmt::format("<{}>", one.missing);
        const std::optional<uint32_t> bits = bitsFor(old.elements[i].format, one);
        if (!bits)
            return fmt::format("it holds {}", old.elements[i].format == Format::Bool ? "true or false" : "an integer");
        edits.push_back({0, file, place->index, place->component, lane_, *bits});
    }
    for (const Edit& one : edits) current().edit(one.file, one.index, one.component, one.lane, one.bits);
    return {};
}

std::vector<int> Session::registers(isa::File file) const {
    const isa::Program& program = replay().program();
    std::vector<int> list;
    const auto bits = [&](isa::RegisterMask mask) {
        for (const int number : mask) list.push_back(number);
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
