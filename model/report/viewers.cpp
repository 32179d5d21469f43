#include "model/report/viewers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <ostream>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/export/trace_events.h"
#include "base/export/vcd.h"
#include "model/report/names.h"
#include "model/report/timeline.h"
#include "shader-core/isa/program.h"

namespace tessera::model {
namespace {

constexpr int kUnits = 1, kItems = 2;  ///< processes of the timeline

/// Events one behind the other: a frame has millions, more than should be in memory at once.
class EventList {
public:
    explicit EventList(std::ostream& out) : out_(out) { out_ << R"({"displayTimeUnit":"ns","traceEvents":[)"; }
    ~EventList() { out_ << "\n]}\n"; }
    EventList(const EventList&) = delete;
    EventList& operator=(const EventList&) = delete;

    void add(const nlohmann::ordered_json& event) {
        out_ << (isFirst_ ? "\n" : ",\n") << event.dump();
        isFirst_ = false;
    }

private:
    std::ostream& out_;
    bool isFirst_ = true;
};

void addSegments(EventList& events, const Result& result, const Workload& workload, const Timeline& timeline,
                 uint32_t unit) {
    for (const Segment& what : timeline.of(unit)) {
        if (what.cause == Cause::NoWork) continue;
        nlohmann::ordered_json slice = traceEvent("X", kUnits, static_cast<int>(unit), what.begin);
        slice["dur"] = what.cycles();
        slice["name"] = causeText(what.cause);
        slice["cat"] = causeKey(what.cause);
        if (what.on != kNone) slice["args"]["on"] = unitName(result, what.on);
        if (what.draw != kNone) slice["args"]["of"] = itemText(workload, what.draw);
        if (what.program != kNone) slice["args"]["instruction"] = instructionText(workload, what.program, what.pc);
        events.add(slice);
    }
}

/// The first unit of a kind, or none.
uint32_t firstOf(const Result& result, UnitKind kind) {
    for (uint32_t unit = 0; unit < result.units.size(); ++unit)
        if (result.units[unit].kind == kind) return unit;
    return kNone;
}

/// The unit of a kind that was busy last before the cycle.
uint32_t lastBusyOf(const Result& result, const Timeline& timeline, UnitKind kind, Cycle cycle) {
    uint32_t best = kNone;
    Cycle latest = 0;
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        if (result.units[unit].kind != kind) continue;
        const Segment* work = timeline.lastBusy(unit, cycle);
        if (!work || std::min(work->end, cycle) <= latest) continue;
        best = unit;
        latest = std::min(work->end, cycle);
    }
    return best;
}

void addItem(EventList& events, const Result& result, const Workload& workload, const Timeline& timeline,
             uint32_t item) {
    const ItemResult& row = result.items[item];
    for (const bool begins : {true, false}) {
        // Spans that overlap are asynchronous ones.
        nlohmann::ordered_json span = traceEvent(begins ? "b" : "e", kItems, 0, begins ? row.begin : row.end + 1);
        span["cat"] = kindText(row.kind);
        span["id"] = item;
        span["name"] = itemText(workload, item);
        if (begins) span["args"]["adds"] = row.alone;
        if (begins && row.boundBy != kNone) span["args"]["bound by"] = unitText(result.units[row.boundBy].kind);
        events.add(span);
    }
    if (row.kind != CommandWork::Kind::Draw && row.kind != CommandWork::Kind::Launch) return;
    const bool isDraw = row.kind == CommandWork::Kind::Draw;
    const Cycle end = std::min(row.end + 1, result.cycles);
    const uint32_t from = firstOf(result, UnitKind::Command);
    const uint32_t to = lastBusyOf(result, timeline, isDraw ? UnitKind::PixelEngine : UnitKind::BlockProcessor, end);
    if (from == kNone || to == kNone) return;
    const Cycle arrival = std::min(timeline.lastBusy(to, end)->end, end) - 1;
    if (arrival < row.begin) return;  // nothing of it came so far
    for (const bool begins : {true, false}) {
        nlohmann::ordered_json arrow =
            traceEvent(begins ? "s" : "f", kUnits, static_cast<int>(begins ? from : to), begins ? row.begin : arrival);
        arrow["cat"] = "draw";
        arrow["id"] = item;
        arrow["name"] = itemText(workload, item);
        if (!begins) arrow["bp"] = "e";
        events.add(arrow);
    }
}

/// Changes by cycle. Those of one cycle are in the order in which they are added.
class Changes {
public:
    void add(Cycle cycle, uint64_t value, const std::string& identifier) { at_[cycle] += vcdChange(value, identifier); }
    void write(std::ostream& out) const {
        for (const auto& [cycle, text] : at_) out << '#' << cycle << '\n' << text;
    }

private:
    std::map<Cycle, std::string> at_;
};

/// Each queue's number of entries where it is another one than in the cycle before.
void addLevels(Changes& changes, const Result& result, const std::vector<std::string>& identifiers) {
    struct Now {
        Cycle cycle = 0;
        uint32_t entries = 0, told = 0;
    };
    std::vector<Now> queues(identifiers.size());
    const auto tell = [&](size_t number) {
        Now& now = queues[number];
        if (now.entries != now.told && now.cycle <= result.cycles)
            changes.add(now.cycle, now.entries, identifiers[number]);
        now.told = now.entries;
    };
    for (const QueueLevel& level : result.levels) {
        Now& now = queues[level.queue];
        if (level.cycle != now.cycle) tell(level.queue);
        now.cycle = level.cycle;
        now.entries = level.entries;
    }
    for (size_t number = 0; number < queues.size(); ++number) tell(number);
}

// --- Konata ---

/// Names of the stages in front of execution, of a pipeline of so many stages: execution and write-back are the last.
std::vector<std::string> frontStages(uint32_t stages) {
    std::vector<std::string> names;
    if (stages > 3) names.emplace_back("IF");
    if (stages > 2) names.emplace_back("ID");
    for (uint32_t stage = 4; stage < stages; ++stage) names.push_back(fmt::format("D{}", stage - 2));
    return names;
}

/// When each issue's result is there. Of what the machine did not know then: when its group issued again.
std::vector<Cycle> resultsOf(const Result& result, const Workload& workload, const Preset& preset) {
    std::vector<Cycle> results(result.issues.size());
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Cycle> nextOf;  // issue of a group, going backwards
    for (size_t i = result.issues.size(); i-- > 0;) {
        const Issue& issue = result.issues[i];
        const auto [next, isLast] = nextOf.try_emplace({issue.item, issue.program, issue.group}, issue.cycle);
        results[i] = issue.result;
        if (issue.result == kNever && isLast) {
            const auto what = isa::decode(workload.programs[issue.program].program->code[issue.pc]);
            results[i] = issue.begin + preset.timing(instructionClass(what->op, what->type)).latency;
        } else if (issue.result == kNever) {
            results[i] = next->second;
        }
        next->second = issue.cycle;
    }
    return results;
}

}  // namespace

void writeTimeline(std::ostream& out, const Result& result, const Workload& workload) {
    const Timeline timeline(result);
    EventList events(out);
    events.add(traceName("process_name", kUnits, 0, fmt::format("units of {}", result.preset)));
    events.add(traceName("process_name", kItems, 0, "commands"));
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        const auto hadNothing = [](const Segment& what) { return what.cause == Cause::NoWork; };
        if (std::ranges::all_of(timeline.of(unit), hadNothing)) continue;
        events.add(traceName("thread_name", kUnits, static_cast<int>(unit), unitName(result, unit)));
        nlohmann::ordered_json place = traceEvent("M", kUnits, static_cast<int>(unit), 0);
        place["name"] = "thread_sort_index";
        place["args"]["sort_index"] = unit;
        events.add(place);
        addSegments(events, result, workload, timeline, unit);
    }
    for (uint32_t item = 0; item < result.items.size(); ++item) addItem(events, result, workload, timeline, item);
    for (size_t frame = 0; frame < result.frameEnds.size(); ++frame) {
        nlohmann::ordered_json mark = traceEvent("i", kItems, 0, result.frameEnds[frame]);
        mark["s"] = "g";
        mark["name"] = fmt::format("end of frame {}", frame);
        events.add(mark);
    }
}

void writeWaves(std::ostream& out, const Result& result) {
    const auto wireName = [&](std::string name) {
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    };
    const auto queueName = [&](const QueueResult& queue) {
        return wireName(unitName(result, queue.from) + " to " + unitName(result, queue.to));
    };
    std::string states = "states:";
    for (int cause = 0; cause < kCauses; ++cause)
        states += fmt::format(" {} {}", cause, causeKey(static_cast<Cause>(cause)));
    if (!result.queues.empty()) states += "; places of queues:";
    for (const QueueResult& queue : result.queues) states += fmt::format(" {} {}", queueName(queue), queue.places);
    out << vcdHead(states) << "$scope module chip $end\n";
    const Timeline timeline(result);
    Changes changes;
    size_t next = 0;
    const std::string frame = vcdIdentifier(next++), item = vcdIdentifier(next++);
    out << vcdWire(frame, 32, "frame") << vcdWire(item, 32, "draw");
    changes.add(0, 0, frame);
    for (size_t i = 0; i < result.frameEnds.size(); ++i) changes.add(result.frameEnds[i], i + 1, frame);
    // Draws, and launches behind them, end in any order; the oldest that is not done goes up only.
    constexpr uint32_t kNoItem = kNone;
    Cycle done = 0;
    const auto isTold = [&](size_t i) {
        return i < result.items.size() &&
               (result.items[i].kind == CommandWork::Kind::Draw || result.items[i].kind == CommandWork::Kind::Launch);
    };
    if (!isTold(0) || result.items[0].begin > 0) changes.add(0, kNoItem, item);
    for (size_t i = 0; isTold(i); ++i) {
        const Cycle begin = std::max(result.items[i].begin, done), end = result.items[i].end + 1;
        if (end <= begin) continue;
        if (begin > done && done > 0) changes.add(done, kNoItem, item);
        changes.add(begin, i, item);
        done = end;
    }
    if (done > 0) changes.add(done, kNoItem, item);
    for (uint32_t unit = 0; unit < timeline.units(); ++unit) {
        if (timeline.of(unit).empty()) continue;
        const std::string identifier = vcdIdentifier(next++);
        out << vcdWire(identifier, 5, wireName(unitName(result, unit)));
        const Segment* before = nullptr;
        for (const Segment& what : timeline.of(unit)) {
            if (!before || before->cause != what.cause)
                changes.add(what.begin, static_cast<uint64_t>(what.cause), identifier);
            before = &what;
        }
    }
    static_assert(kCauses <= 1 << 5);
    if (!result.queues.empty()) out << "$scope module queues $end\n";
    std::vector<std::string> queues;
    for (const QueueResult& queue : result.queues) {
        queues.push_back(vcdIdentifier(next++));
        out << vcdWire(queues.back(), static_cast<int>(std::bit_width(queue.places)), queueName(queue));
        changes.add(0, 0, queues.back());
    }
    if (!result.queues.empty()) out << "$upscope $end\n";
    addLevels(changes, result, queues);
    out << "$upscope $end\n$enddefinitions $end\n";
    changes.write(out);
    out << '#' << result.cycles << '\n';
}

void writeRequests(std::ostream& out, const Result& result, const Preset& preset) {
    const uint64_t chip = preset.clock.khz, memory = preset.clock.memory_khz ? preset.clock.memory_khz : chip;
    const uint64_t burst = preset.sdram.burst_bytes;
    for (const MemoryRequest& request : result.requests)
        for (uint64_t at = request.address / burst * burst; at < request.address + request.bytes; at += burst)
            out << fmt::format("{:#x} {} {}\n", at, request.write ? "WRITE" : "READ",
                               (request.cycle * memory + chip - 1) / chip);
}

void writePipeline(std::ostream& out, const Result& result, const Workload& workload, const Preset& preset) {
    const std::vector<Cycle> results = resultsOf(result, workload, preset);
    const std::vector<std::string> front = frontStages(preset.block.stages);
    std::map<Cycle, std::string> at;
    for (size_t i = 0; i < result.issues.size(); ++i) {
        const Issue& issue = result.issues[i];
        std::string& enters = at[issue.cycle];
        enters += fmt::format("I\t{0}\t{0}\t{1}\n", i, issue.unit);
        enters += fmt::format("L\t{}\t0\t{}: group {}, {}\n", i, unitName(result, issue.unit), issue.group,
                              instructionText(workload, issue.program, issue.pc));
        enters += fmt::format("L\t{}\t1\t{} lanes; {}\n", i, issue.lanes, itemText(workload, issue.item));
        Cycle cycle = issue.begin;
        const auto enter = [&](std::string_view stage) { at[cycle] += fmt::format("S\t{}\t0\t{}\n", i, stage); };
        for (const std::string& stage : front) {
            enter(stage);
            ++cycle;
        }
        enter("EX");
        const Cycle end = std::max(results[i] + preset.block.stages - 1, cycle + 1);
        if (preset.block.stages > 1) {
            cycle = std::max(end - 1, cycle + 1);
            enter("WB");
        }
        at[std::max(end, cycle + 1)] += fmt::format("R\t{0}\t{0}\t0\n", i);
    }
    out << "Kanata\t0004\nC=\t0\n";
    Cycle now = 0;
    for (const auto& [cycle, text] : at) {
        if (cycle > now) out << fmt::format("C\t{}\n", cycle - now);
        out << text;
        now = cycle;
    }
}

}  // namespace tessera::model
