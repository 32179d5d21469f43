#include "model/report/why.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "base/nearest.h"
#include "model/report/names.h"

namespace tessera::model {
namespace {

// --- Whom a unit waits for ---

/// Kinds of units that may end a wait.
struct Waited {
    std::vector<UnitKind> kinds;
    /// They hand something over, which ends the wait when it arrives. Else they take something.
    bool handsOver = true;
};

Waited inFront(UnitKind kind) {
    using enum UnitKind;
    switch (kind) {
        case VertexFetch:
        case Assembly:
            return {{Command}};
        case Dispatch:
            return {{Command, VertexFetch, GroupFormer}};
        case Clip:
            return {{Assembly}};
        case Setup:
            return {{Clip}};
        case Rasterizer:
            return {{Setup}};
        case EarlyTests:
            return {{Rasterizer}};
        case Interpolator:
            return {{EarlyTests}};
        case GroupFormer:
            return {{Interpolator}};
        case BlockProcessor:
            return {{Dispatch}};
        case TextureEngine:
        case FragmentStore:
            return {{BlockProcessor}};
        case PixelEngine:
            return {{FragmentStore}};
        case Display:
        case Command:
        case Sdram:
        case HostBus:
        case Relay:
        case Lanes:
            break;
    }
    return {};
}

Waited behind(UnitKind kind) {
    using enum UnitKind;
    switch (kind) {
        case Command:
            return {{Dispatch, VertexFetch, Assembly}, false};
        case VertexFetch:
        case GroupFormer:
            return {{Dispatch}, false};
        case Assembly:
            return {{Clip}, false};
        case Clip:
            return {{Setup}, false};
        case Setup:
            return {{Rasterizer}, false};
        case Rasterizer:
            return {{EarlyTests}, false};
        case EarlyTests:
            return {{Interpolator}, false};
        case Interpolator:
            return {{GroupFormer}, false};
        case BlockProcessor:
            return {{TextureEngine}, false};
        case FragmentStore:
            return {{PixelEngine}, false};
        case Display:
        case Dispatch:
        case TextureEngine:
        case PixelEngine:
        case Sdram:
        case HostBus:
        case Relay:
        case Lanes:
            break;
    }
    return {};
}

/// Empty: the cause lies in the unit itself, or in memory.
Waited waitedFor(UnitKind kind, Cause cause) {
    using enum UnitKind;
    switch (cause) {
        case Cause::NoWork:
        case Cause::NoGroup:
        case Cause::Order:
            return inFront(kind);
        case Cause::QueueFull:
            return behind(kind);
        case Cause::Vertices:
            return {{BlockProcessor}};
        case Cause::PlacesFull:
        case Cause::RegistersFull:
            return {{BlockProcessor}, false};
        case Cause::StoreFull:  // of one kind of groups; one of the other kind ends it as well
            return {{Assembly, FragmentStore, GroupFormer}};
        case Cause::EarlierWork:
            return {{Assembly, Clip, Setup, EarlyTests, BlockProcessor, FragmentStore, PixelEngine}};
        case Cause::Texture:
            return {{TextureEngine}};
        case Cause::HostBus:
            return {{HostBus}};
        case Cause::Relay:
            return {{Relay}};
        default:
            return {};
    }
}

/// In cycles of the chip: of what is read of an open row.
Cycle sdramLatency(const Preset& preset) {
    const uint64_t memory = preset.clock.memory_khz ? preset.clock.memory_khz : preset.clock.khz;
    const Cycle cycles = Cycle{preset.sdram.latency} + preset.sdram.read_cycles;
    return (cycles * preset.clock.khz + memory - 1) / memory;
}

/// Cycles at most between a unit's last work on something and its arrival.
Cycle wayFrom(UnitKind kind, const Preset& preset) {
    switch (kind) {
        case UnitKind::BlockProcessor:
            return preset.fifo.latency + preset.block.stages;
        case UnitKind::TextureEngine:
            return preset.texture.filter_cycles;
        default:
            return preset.fifo.latency;
    }
}

/// Whether what it has worked on is handed on only when its lines have come from SDRAM.
bool waitsForLines(UnitKind kind) { return kind == UnitKind::EarlyTests || kind == UnitKind::VertexFetch; }

/// Of units that may have ended a wait: the one that worked last before it ended.
uint32_t lastAtWork(const std::vector<UnitKind>& kinds, const Result& result, const Timeline& timeline, Cycle end) {
    uint32_t best = kNone;
    Cycle latest = 0;
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        if (std::find(kinds.begin(), kinds.end(), result.units[unit].kind) == kinds.end()) continue;
        const Segment* work = timeline.lastBusy(unit, end);
        const Cycle until = work ? std::min(work->end, end) : 0;
        if (best != kNone && until <= latest) continue;
        best = unit;
        latest = until;
    }
    return best;
}

}  // namespace

Chain follow(const Result& result, const Timeline& timeline, const Preset& preset, uint32_t unit, Cycle begin,
             Cycle end) {
    Chain chain{begin, end, {}};
    std::vector<bool> asked(timeline.units());  // about the time before `at`: units may wait for each other
    for (Cycle at = end; at > begin;) {
        Link link{unit, timeline.at(unit, at - 1)};
        const bool ends = link.what.end == at;  // by what arrives then
        link.what.begin = std::max(link.what.begin, begin);
        link.what.end = at;
        const UnitKind kind = result.units[unit].kind;
        const Waited waited = link.what.isBusy() ? Waited{} : waitedFor(kind, link.what.cause);
        uint32_t on = link.what.on;
        if (on == kNone) on = lastAtWork(waited.kinds, result, timeline, at);
        if (link.what.isBusy() || on == kNone || asked[on] || on == unit) {
            link.what.on = kNone;
            link.explained = link.what.cycles();
            at = link.what.begin;
            chain.links.push_back(link);
            asked.assign(asked.size(), false);
            continue;
        }
        asked[unit] = true;
        link.what.on = on;
        chain.links.push_back(link);
        unit = on;
        if (!waited.handsOver) continue;
        const Segment* work = timeline.lastBusy(on, at);
        if (!work || work->end >= at || work->end <= begin) continue;
        const UnitKind from = result.units[on].kind;
        if (ends && waitsForLines(from) && at - work->end > preset.fifo.latency) {
            chain.links.push_back({on, {work->end, at, Cause::Sdram}, false, at - work->end});
        } else {
            if (at - work->end > wayFrom(from, preset)) continue;
            chain.links.push_back({on, {work->end, at}, true, at - work->end});
        }
        at = work->end;
        asked.assign(asked.size(), false);
    }
    return chain;
}

std::pair<Cycle, Cycle> addedBy(const Result& result, uint32_t item) {
    const ItemResult& row = result.items[item];
    bool isLast = row.kind == CommandWork::Kind::EndFrame || row.kind == CommandWork::Kind::Launch;
    isLast = isLast || std::ranges::all_of(result.items, [&](const ItemResult& other) { return other.end <= row.end; });
    Cycle end = row.end;
    if (isLast) {  // of its interval: what is still on its way is its
        end = result.cycles;
        for (const ItemResult& other : result.items)
            if (other.begin >= row.end && &other != &row) end = std::min(end, other.begin);
    }
    return {end - std::min(end, row.alone), end};
}

// --- Questions ---

namespace {

constexpr CommandWork::Kind kItemKinds[] = {CommandWork::Kind::Draw, CommandWork::Kind::Launch,
                                            CommandWork::Kind::Transfer, CommandWork::Kind::EndFrame};

std::optional<uint64_t> numberOf(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<UnitKind> kindOf(std::string_view name) {
    for (int kind = 0; kind < static_cast<int>(UnitKind::Lanes); ++kind)
        if (unitText(static_cast<UnitKind>(kind)) == name) return static_cast<UnitKind>(kind);
    return std::nullopt;
}

std::string_view nearestUnit(std::string_view name) {
    std::vector<std::string_view> names;
    for (int kind = 0; kind < static_cast<int>(UnitKind::Lanes); ++kind)
        names.push_back(unitText(static_cast<UnitKind>(kind)));
    return nearest(names, name);
}

}  // namespace

std::optional<Question> readQuestion(std::string_view text, const Result& result, std::string* error) {
    const auto wrong = [&](std::string what) {
        *error = fmt::format("--why {}: {}", text, what);
        return std::nullopt;
    };
    const auto isCycle = [&](std::optional<uint64_t> cycle) { return cycle && *cycle < result.cycles; };
    const std::string range = fmt::format(
        "no cycle; {}", result.cycles ? fmt::format("cycles are 0 to {}", result.cycles - 1) : "the run has none");
    Question question;
    if (text == "top") return question;
    if (text == "run") {
        question.kind = Question::Kind::Run;
        return question;
    }
    for (const CommandWork::Kind kind : kItemKinds) {
        if (!text.starts_with(kindText(kind)) || text.substr(kindText(kind).size(), 1) != " ") continue;
        const auto first = std::ranges::find(result.items, kind, &ItemResult::kind);
        const auto count = static_cast<uint64_t>(std::ranges::count(result.items, kind, &ItemResult::kind));
        const auto number = numberOf(text.substr(kindText(kind).size() + 1));
        if (!number || *number == 0 || *number > count)
            return wrong(fmt::format("no {}; there are {}, counted from 1", kindText(kind), count));
        question.kind = Question::Kind::Item;
        question.item = static_cast<uint32_t>(first - result.items.begin()) + static_cast<uint32_t>(*number - 1);
        return question;
    }
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        const auto cycle = numberOf(text);
        if (!cycle)
            return wrong(
                "what is asked? a cycle, UNIT:CYCLE, \"draw NUMBER\" (launch, transfer, frame), \"run\" or \"top\"");
        if (!isCycle(cycle)) return wrong(range);
        question.kind = Question::Kind::Cycle;
        question.cycle = *cycle;
        return question;
    }
    std::string_view name = text.substr(0, colon);
    auto kind = kindOf(name);
    if (const size_t blank = name.rfind(' '); !kind && blank != std::string_view::npos) {
        if (const auto number = numberOf(name.substr(blank + 1)); number && *number < kNone) {
            question.number = static_cast<uint32_t>(*number);
            name = name.substr(0, blank);
            kind = kindOf(name);
        }
    }
    if (!kind) {
        const std::string_view near = nearestUnit(name);
        return wrong(
            fmt::format("no unit is called \"{}\"{}", name,
                        near.empty() ? "; the report names them" : fmt::format("; did you mean \"{}\"?", near)));
    }
    const uint64_t count = result.unitCount(*kind);
    if (question.number.value_or(0) >= count)
        return wrong(fmt::format("{} has {} of the kind \"{}\", counted from 0", result.preset, count, name));
    const auto cycle = numberOf(text.substr(colon + 1));
    if (!isCycle(cycle)) return wrong(range);
    question.kind = Question::Kind::Unit;
    question.unit = *kind;
    question.cycle = *cycle;
    return question;
}

// --- Answers ---

namespace {

constexpr size_t kLinksShown = 12, kShortLinksShown = 5, kSharesShown = 8, kRunSharesShown = 24, kTop = 5;

class Answer {
public:
    Answer(const Result& result, const Workload& workload, const Preset& preset)
        : result_(result), workload_(workload), preset_(preset), timeline_(result) {}

    std::string cycle(Cycle cycle);
    std::string unit(UnitKind kind, std::optional<uint32_t> number, Cycle cycle);
    std::string item(uint32_t item);
    std::string run();
    std::string top();

private:
    /// Of the units of a kind, the one with the longest wait in the cycle; if none waits, the first.
    [[nodiscard]] uint32_t longestWait(UnitKind kind, Cycle cycle) const;
    /// From the end of the cycles that an item adds.
    [[nodiscard]] Chain itemChain(uint32_t item) const;
    [[nodiscard]] std::string chain(const Chain& chain, size_t most) const;
    /// What explains how much of it; lines of a program apart, or all of a unit's causes together.
    [[nodiscard]] std::string shares(const Chain& chain, bool byLine = true) const;
    [[nodiscard]] std::string doing(const Link& link) const;
    [[nodiscard]] std::string details(const Segment& what) const;
    [[nodiscard]] std::string place(const Segment& what) const;
    [[nodiscard]] std::string memory(std::span<const Segment> waits) const;
    [[nodiscard]] uint32_t oldestItem(Cycle cycle) const;

    const Result& result_;
    const Workload& workload_;
    const Preset& preset_;
    Timeline timeline_;
};

uint32_t Answer::longestWait(UnitKind kind, Cycle cycle) const {
    uint32_t best = kNone;
    Cycle most = 0;
    for (uint32_t unit = 0; unit < timeline_.units(); ++unit) {
        if (result_.units[unit].kind != kind) continue;
        const Segment& what = timeline_.at(unit, cycle);
        const Cycle length = what.isBusy() ? 0 : what.cycles();
        if (best != kNone && length <= most) continue;
        best = unit;
        most = length;
    }
    return best;
}

/// The first draw that is not done in the cycle; without one the first command of another kind.
uint32_t Answer::oldestItem(Cycle cycle) const {
    for (uint32_t item = 0; item < result_.items.size(); ++item)
        if (result_.items[item].begin <= cycle && cycle <= result_.items[item].end) return item;
    return kNone;
}

/// What SDRAM did meanwhile: whether its latency, its bandwidth or the rows that it opens are to blame.
std::string Answer::memory(std::span<const Segment> waits) const {
    Cycle busy = 0, opening = 0, all = 0;
    for (uint32_t unit = 0; unit < timeline_.units(); ++unit) {
        if (result_.units[unit].kind != UnitKind::Sdram) continue;
        for (const Segment& what : waits) {
            busy += timeline_.spent(unit, Cause::Busy, what.begin, what.end);
            opening += timeline_.spent(unit, Cause::RowChange, what.begin, what.end);
            all += what.cycles();
        }
    }
    constexpr double kFull = 0.8;
    const auto share = [&](Cycle cycles) {
        return static_cast<double>(cycles) / static_cast<double>(std::max<Cycle>(all, 1));
    };
    std::string text = fmt::format("its channels were {:.0f} % busy", 100 * share(busy));
    if (opening) text += fmt::format(" and {:.0f} % opening rows", 100 * share(opening));
    const std::string root = share(busy + opening) < kFull ? fmt::format("latency of {} cycles", sdramLatency(preset_))
                             : busy >= opening             ? "bandwidth"
                                                           : "rows, turns of its bus and refreshes";
    return text + fmt::format(" in that time: its {}", root);
}

std::string Answer::doing(const Link& link) const {
    if (link.isOnItsWay) return "what it handed on was on its way";
    std::string text(causeText(link.what.cause));
    if (link.what.on != kNone) text += fmt::format("; on {}", unitName(result_, link.what.on));
    return text;
}

std::string Answer::details(const Segment& what) const {
    std::string text = place(what);
    if (what.cause == Cause::Sdram) text += fmt::format("      {}\n", memory({&what, 1}));
    return text;
}

/// The line and the draw whose work waited.
std::string Answer::place(const Segment& what) const {
    std::string text;
    if (what.program != kNone) {
        text += fmt::format("      {}\n", instructionText(workload_, what.program, what.pc));
        const ProgramUse& program = workload_.programs[what.program];
        if (const std::string line = sourceLine(program, lineOf(program, what.pc)); !line.empty())
            text += fmt::format("      {}\n", line);
    }
    if (what.draw != kNone) text += fmt::format("      of {}\n", itemText(workload_, what.draw));
    return text;
}

std::string Answer::chain(const Chain& chain, size_t most) const {
    std::string text;
    size_t shown = 0;
    for (const Link& link : chain.links) {
        if (shown++ == most) {
            text += fmt::format("  and {} steps more\n", chain.links.size() - most);
            break;
        }
        text += fmt::format("  {:>9} .. {:<9} {:<18} {}\n", link.what.begin, link.what.end - 1,
                            unitName(result_, link.unit), doing(link));
        text += details(link.what);
    }
    return text;
}

std::string Answer::shares(const Chain& chain, bool byLine) const {
    // Units of a kind, and instructions of a line, together.
    using Key = std::tuple<UnitKind, bool, Cause, uint32_t, uint32_t>;
    struct Share {
        Cycle cycles = 0;
        const Link* longest = nullptr;
        std::vector<Segment> waits;
    };
    std::map<Key, Share> sums;
    for (const Link& link : chain.links) {
        if (!link.explained) continue;
        const uint32_t program = byLine ? link.what.program : kNone;
        const uint32_t line = program == kNone ? 0 : lineOf(workload_.programs[program], link.what.pc);
        Share& share = sums[{result_.units[link.unit].kind, link.isOnItsWay, link.what.cause, program, line}];
        share.cycles += link.explained;
        share.waits.push_back(link.what);
        if (!share.longest || link.explained > share.longest->explained) share.longest = &link;
    }
    std::vector<std::pair<Key, Share>> order(sums.begin(), sums.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return std::pair(b.second.cycles, a.first) < std::pair(a.second.cycles, b.first);
    });
    const Cycle whole = chain.end - chain.begin;
    std::string text = fmt::format("  Of these {} cycles\n", whole);
    const size_t most = byLine ? kSharesShown : kRunSharesShown;
    for (size_t i = 0; i < std::min(order.size(), most); ++i) {
        const auto& [key, share] = order[i];
        const Link& link = *share.longest;
        text += fmt::format("  {:>9} {:>5.1f} %  {}: {}", share.cycles,
                            100.0 * static_cast<double>(share.cycles) / static_cast<double>(whole),
                            unitText(result_.units[link.unit].kind), doing(link));
        if (byLine && link.what.program != kNone)
            text += fmt::format(", {}", instructionText(workload_, link.what.program, link.what.pc));
        text += '\n';
    }
    if (order.size() > most) text += fmt::format("  and {} more\n", order.size() - most);
    if (order.empty()) return text;
    // The root: what explains most.
    const Link& root = *order[0].second.longest;
    text += fmt::format("  Root: {}, {}\n", unitName(result_, root.unit), doing(root));
    if (byLine) text += place(root.what);
    if (root.what.cause == Cause::Sdram) text += fmt::format("      {}\n", memory(order[0].second.waits));
    const uint32_t item = oldestItem(root.what.begin);
    if (byLine && root.what.draw == kNone && item != kNone)
        text += fmt::format("      while {} was not done\n", itemText(workload_, item));
    return text;
}

std::string Answer::unit(UnitKind kind, std::optional<uint32_t> number, Cycle cycle) {
    uint32_t unit = longestWait(kind, cycle);
    if (number) {
        unit = 0;
        while (result_.units[unit].kind != kind || result_.units[unit].number != *number) ++unit;
    }
    const Segment& what = timeline_.at(unit, cycle);
    if (what.isBusy())
        return fmt::format("{} was busy in cycle {}, from cycle {} to {}\n", unitName(result_, unit), cycle, what.begin,
                           what.end - 1);
    const Chain links = follow(result_, timeline_, preset_, unit, what.begin, what.end);
    return fmt::format("Why {} was idle in cycle {}: what waited, backwards in time\n", unitName(result_, unit),
                       cycle) +
           chain(links, kLinksShown) + shares(links);
}

std::string Answer::cycle(Cycle cycle) {
    std::string text = fmt::format("Cycle {}\n", cycle);
    for (uint32_t first = 0; first < timeline_.units();) {
        if (timeline_.of(first).empty()) break;
        std::map<Cause, uint32_t> causes;
        uint32_t unit = first;
        for (; unit < timeline_.units() && result_.units[unit].kind == result_.units[first].kind; ++unit)
            ++causes[timeline_.at(unit, cycle).cause];
        text += fmt::format("  {:<18}", unitText(result_.units[first].kind));
        bool more = false;
        for (const auto& [cause, count] : causes) {
            text += more ? ", " : " ";
            if (unit - first > 1) text += fmt::format("{} ", count);
            text += causeText(cause);
            more = true;
        }
        text += '\n';
        first = unit;
    }
    return text + unit(UnitKind::BlockProcessor, std::nullopt, cycle);
}

Chain Answer::itemChain(uint32_t item) const {
    const ItemResult& row = result_.items[item];
    const auto [begin, end] = addedBy(result_, item);
    std::vector<UnitKind> ends{UnitKind::Command};  // what a transfer or a frame is done by
    if (row.kind == CommandWork::Kind::Draw || row.kind == CommandWork::Kind::Launch)
        ends = {UnitKind::Assembly,   UnitKind::Clip,           UnitKind::Setup,         UnitKind::Rasterizer,
                UnitKind::EarlyTests, UnitKind::BlockProcessor, UnitKind::FragmentStore, UnitKind::PixelEngine};
    const uint32_t unit = lastAtWork(ends, result_, timeline_, end);
    const Segment* work = timeline_.lastBusy(unit, end);
    const Segment& last = timeline_.at(unit, end - 1);
    if (!work || work->end <= begin || waitedFor(result_.units[unit].kind, last.cause).kinds.empty())
        return follow(result_, timeline_, preset_, unit, begin, end);
    // Nobody waits for anything any more: the last results are on their way.
    Chain chain = follow(result_, timeline_, preset_, unit, begin, work->end);
    chain.links.insert(chain.links.begin(), {unit, {work->end, end}, true, end - work->end});
    chain.end = end;
    return chain;
}

std::string Answer::item(uint32_t item) {
    const ItemResult& row = result_.items[item];
    std::string text =
        fmt::format("{}: read from cycle {}, done in cycle {}", itemText(workload_, item), row.begin, row.end);
    if (!row.alone) return text + "; it adds no cycle to what was submitted before\n";
    text += fmt::format("; what the {} cycles went to that it adds\n", row.alone);
    const Chain links = itemChain(item);
    return text + shares(links) + "  Its end, backwards in time\n" + chain(links, kLinksShown);
}

std::string Answer::run() {
    Chain all{0, result_.cycles, {}};
    for (uint32_t item = 0; item < result_.items.size(); ++item) {
        if (!result_.items[item].alone) continue;
        const Chain links = itemChain(item);
        all.links.insert(all.links.end(), links.links.begin(), links.links.end());
    }
    return fmt::format("What the {} cycles of {} went to, command by command\n", result_.cycles, result_.workload) +
           shares(all, false);
}

std::string Answer::top() {
    using Key = std::tuple<Cause, uint32_t, uint32_t>;
    struct Sum {
        Cycle cycles = 0;
        uint32_t unit = 0;
        Segment longest;
    };
    std::map<Key, Sum> sums;
    Cycle idle = 0;
    for (uint32_t unit = 0; unit < timeline_.units(); ++unit) {
        if (result_.units[unit].kind != UnitKind::BlockProcessor) continue;
        for (const Segment& what : timeline_.of(unit)) {
            if (what.isBusy()) continue;
            Sum& sum = sums[{what.cause, what.program, what.pc}];
            sum.cycles += what.cycles();
            idle += what.cycles();
            if (what.cycles() <= sum.longest.cycles()) continue;
            sum.longest = what;
            sum.unit = unit;
        }
    }
    std::vector<std::pair<Key, Sum>> order(sums.begin(), sums.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return std::pair(b.second.cycles, a.first) < std::pair(a.second.cycles, b.first);
    });
    std::string text =
        fmt::format("What block processors waited for, {} cycles in all, and the longest wait of each\n", idle);
    for (size_t i = 0; i < std::min(order.size(), kTop); ++i) {
        const Sum& sum = order[i].second;
        text += fmt::format("\n{} cycles, {:.1f} %: {}\n", sum.cycles,
                            100.0 * static_cast<double>(sum.cycles) / static_cast<double>(idle),
                            causeText(sum.longest.cause));
        const Chain links = follow(result_, timeline_, preset_, sum.unit, sum.longest.begin, sum.longest.end);
        text += chain(links, kShortLinksShown) + shares(links);
    }
    return text;
}

}  // namespace

std::string whyText(const Question& question, const Result& result, const Workload& workload, const Preset& preset) {
    Answer answer(result, workload, preset);
    switch (question.kind) {
        case Question::Kind::Cycle:
            return answer.cycle(question.cycle);
        case Question::Kind::Unit:
            return answer.unit(question.unit, question.number, question.cycle);
        case Question::Kind::Item:
            return answer.item(question.item);
        case Question::Kind::Run:
            return answer.run();
        case Question::Kind::Top:
            return answer.top();
    }
    return "";
}

}  // namespace tessera::model
