// A trace for viewers: VCD (waveforms) and Chrome's trace events (timelines).
#include <map>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/export/trace_events.h"
#include "base/export/vcd.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/trace/trace.h"

namespace tessera::debug {

namespace {

constexpr std::string_view kUnitNames[] = {"alu", "tfu", "light", "texture", "control", "memory", "lane"};

std::string textOf(const Write& write, int component, int lane) {
    return valueText(write.value.lane[component][lane], write.types[static_cast<size_t>(component)].in(lane));
}

/// The signals of one group. A register component of a lane is a real: what it holds as the type it was written with.
class VcdGroup {
public:
    VcdGroup(const TraceGroup& group, size_t& nextIdentifier) : group_(group), next_(nextIdentifier) {}

    void declare(std::ostream& out) {
        out << fmt::format("$scope module group{} $end\n", group_.number);
        wire(out, "pc", 16, pc_);
        wire(out, "line", 32, line_);
        wire(out, "exec", 32, exec_);
        wire(out, "guarded", 32, guarded_);
        wire(out, "discarded", 32, discarded_);
        wire(out, "depth", 8, depth_);
        std::map<std::pair<int, int>, uint8_t> written;
        for (const TraceStep& step : group_.trace->steps)
            for (const Write& write : step.writes)
                written[{static_cast<int>(write.file), write.index}] |= write.components;
        for (uint32_t left = group_.replay->group().activeMask; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            out << fmt::format("$scope module lane{} $end\n", lane);
            for (const auto& [name, components] : written)
                for (int c = 0; c < 4; ++c) {
                    if ((components >> c & 1) == 0) continue;
                    std::string& id = registers_[{name.first, name.second, c, lane}];
                    id = vcdIdentifier(next_++);
                    const char component = kComponents[static_cast<size_t>(c)];
                    out << fmt::format("$var real 64 {} {}_{} $end\n", id,
                                       registerName(static_cast<isa::File>(name.first), name.second), component);
                }
            out << "$upscope $end\n";
        }
        out << "$upscope $end\n";
    }

    /// Changes by cycle: masks when an instruction starts, registers when it has finished.
    void changes(std::map<uint64_t, std::string>& at) const {
        uint32_t discarded = 0;
        for (const TraceStep& step : group_.trace->steps) {
            const uint64_t end = step.cycle + isa::opInfo(group_.replay->code()[step.pc].op).latency;
            at[step.cycle] += vcdChange(step.pc, pc_) + vcdChange(lineOf(group_.replay->program(), step.pc), line_) +
                              vcdChange(step.execMask, exec_) + vcdChange(step.guardedMask, guarded_) +
                              vcdChange(static_cast<uint32_t>(step.stackDepth), depth_);
            discarded |= step.killed;
            if (step.killed != 0) at[end] += vcdChange(discarded, discarded_);
            for (const Write& write : step.writes) values(write, at[end]);
        }
        at[0] += vcdChange(0, discarded_);
        at[group_.trace->cycles] += vcdChange(0, exec_) + vcdChange(0, guarded_);
    }

private:
    void wire(std::ostream& out, const char* name, int bits, std::string& id) {
        id = vcdIdentifier(next_++);
        out << vcdWire(id, bits, name);
    }

    void values(const Write& write, std::string& text) const {
        for (int c = 0; c < 4; ++c) {
            if ((write.components >> c & 1) == 0) continue;
            for (uint32_t left = write.lanes; left != 0; left &= left - 1) {
                const int lane = __builtin_ctz(left);
                const auto id = registers_.find({static_cast<int>(write.file), write.index, c, lane});
                if (id != registers_.end()) text += fmt::format("r{} {}\n", textOf(write, c, lane), id->second);
            }
        }
    }

    TraceGroup group_;
    size_t& next_;
    std::string pc_, line_, exec_, guarded_, discarded_, depth_;
    std::map<std::tuple<int, int, int, int>, std::string> registers_;  ///< file, index, component, lane
};

void perfettoGroup(const TraceGroup& group, nlohmann::ordered_json& events) {
    events.push_back(traceName("process_name", group.number, 0, fmt::format("group {}", group.number)));
    for (int unit = 0; unit < static_cast<int>(std::size(kUnitNames)); ++unit)
        events.push_back(traceName("thread_name", group.number, unit, std::string(kUnitNames[unit])));
    for (const TraceStep& step : group.trace->steps) {
        const isa::Instruction& i = group.replay->code()[step.pc];
        const isa::OpInfo& info = isa::opInfo(i.op);
        nlohmann::ordered_json json = traceEvent("X", group.number, static_cast<int>(info.unit), step.cycle);
        json["dur"] = info.latency;
        json["name"] = instructionText(i);
        json["args"] = {{"pc", step.pc},
                        {"line", lineOf(group.replay->program(), step.pc)},
                        {"exec", maskText(step.execMask)},
                        {"guarded", maskText(step.guardedMask)}};
        for (const Access& access : step.accesses)
            for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
                const int lane = __builtin_ctz(left);
                json["args"][fmt::format("{} lane {}", memoryName(group.replay->program(), access.slot), lane)] =
                    fmt::format("+{}", access.address[static_cast<size_t>(lane)]);
            }
        for (const Write& write : step.writes)
            for (int c = 0; c < 4; ++c)
                if ((write.components >> c & 1) != 0)
                    for (uint32_t left = write.lanes; left != 0; left &= left - 1) {
                        const int lane = __builtin_ctz(left);
                        json["args"][fmt::format("{}.{} lane {}", registerName(write.file, write.index),
                                                 kComponents[static_cast<size_t>(c)], lane)] = textOf(write, c, lane);
                    }
        events.push_back(std::move(json));
        if (const uint64_t end = step.cycle + info.latency; step.released && *step.released > end) {
            nlohmann::ordered_json wait = traceEvent("X", group.number, static_cast<int>(info.unit), end);
            wait["dur"] = *step.released - end;
            wait["name"] = "waits at the barrier";
            events.push_back(std::move(wait));
        }
        nlohmann::ordered_json lanes = traceEvent("C", group.number, 0, step.cycle);
        lanes["name"] = "active lanes";
        lanes["args"]["lanes"] = __builtin_popcount(step.guardedMask);
        events.push_back(std::move(lanes));
    }
}

}  // namespace

void writeVcd(std::ostream& out, std::span<const TraceGroup> groups) {
    out << vcdHead("see tessera run --help");
    size_t next = 0;
    std::vector<VcdGroup> parts;
    for (const TraceGroup& group : groups) parts.emplace_back(group, next);
    std::map<uint64_t, std::string> at;
    for (VcdGroup& part : parts) part.declare(out);
    out << "$enddefinitions $end\n";
    for (const VcdGroup& part : parts) part.changes(at);
    for (const auto& [cycle, text] : at) out << "#" << cycle << "\n" << text;
}

void writePerfetto(std::ostream& out, std::span<const TraceGroup> groups) {
    nlohmann::ordered_json json;
    json["displayTimeUnit"] = "ns";
    json["traceEvents"] = nlohmann::ordered_json::array();
    for (const TraceGroup& group : groups) perfettoGroup(group, json["traceEvents"]);
    out << json.dump() << "\n";
}

}  // namespace tessera::debug
