// A trace as lines of text and as lines of JSON.
#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader-core/asm/spelling.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/trace/trace.h"

namespace tessera::debug {

namespace {

/// "0.5 in all 4 lanes", or lane by lane.
std::string lanesText(const float (&values)[isa::kGroupSize], uint32_t lanes, const WrittenAs& types) {
    const int first = __builtin_ctz(lanes);
    const auto bits = [&](int lane) { return __builtin_bit_cast(uint32_t, values[lane]); };
    bool same = true;
    std::string text;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        same &= bits(lane) == bits(first) && types.in(lane) == types.in(first);
        text += fmt::format("{}[{}] {}", text.empty() ? "" : "  ", lane, valueText(values[lane], types.in(lane)));
    }
    const int count = __builtin_popcount(lanes);
    if (same && count > 1) return fmt::format("{} in all {} lanes", valueText(values[first], types.in(first)), count);
    return text;
}

/// JSON has no NaN and no infinity: those are strings.
nlohmann::ordered_json number(float value, Format format) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    if (format == Format::I32) return static_cast<int32_t>(bits);
    if (format == Format::U32) return bits;
    if (std::isfinite(value)) return value;
    return valueText(bits, format);
}

/// The type that all that was written has, or "mixed".
std::string_view typeOf(const Write& write) {
    std::optional<Format> only;
    for (size_t c = 0; c < 4; ++c)
        for (uint32_t left = (write.components >> c & 1) != 0 ? write.lanes : 0; left != 0; left &= left - 1) {
            const Format format = write.types[c].in(__builtin_ctz(left));
            if (only && *only != format) return "mixed";
            only = format;
        }
    return assembly::typeNames()[static_cast<size_t>(only.value_or(Format::F32))];
}

nlohmann::ordered_json jsonOf(const Write& write) {
    nlohmann::ordered_json json;
    json["register"] = registerName(write.file, write.index);
    json["type"] = typeOf(write);
    json["lanes"] = maskText(write.lanes);
    for (int c = 0; c < 4; ++c) {
        if ((write.components >> c & 1) == 0) continue;
        nlohmann::ordered_json& values = json[std::string(1, kComponents[static_cast<size_t>(c)])];
        for (uint32_t left = write.lanes; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            values.push_back(number(write.value.lane[c][lane], write.types[static_cast<size_t>(c)].in(lane)));
        }
    }
    return json;
}

constexpr std::string_view kAccessNames[] = {"load", "store", "atomic"};

nlohmann::ordered_json jsonOf(const Access& access, const isa::Program& program) {
    nlohmann::ordered_json json;
    json["kind"] = kAccessNames[static_cast<size_t>(access.kind)];
    json["memory"] = memoryName(program, access.slot);
    json["bytes"] = access.elementBytes;
    json["lanes"] = maskText(access.lanes);
    json["outside"] = maskText(access.outside);
    for (uint32_t left = access.lanes; left != 0; left &= left - 1)
        json["address"].push_back(access.address[static_cast<size_t>(__builtin_ctz(left))]);
    if (access.kind == Access::Kind::Load) return json;
    for (int c = 0; c < 4; ++c) {
        if ((access.components >> c & 1) == 0) continue;
        nlohmann::ordered_json& values = json[std::string(1, kComponents[static_cast<size_t>(c)])];
        for (uint32_t left = access.lanes; left != 0; left &= left - 1)
            values.push_back(number(access.value.lane[c][__builtin_ctz(left)], formatOf(access.type)));
    }
    return json;
}

/// "+24 in all 32 lanes", "+0 .. +124, 4 apart", or lane by lane.
std::string addressesText(const Access& access) {
    const auto first = static_cast<size_t>(__builtin_ctz(access.lanes));
    const auto count = static_cast<uint32_t>(__builtin_popcount(access.lanes));
    const uint32_t second = access.lanes & (access.lanes - 1);
    const uint32_t step =
        second != 0 ? access.address[static_cast<size_t>(__builtin_ctz(second))] - access.address[first] : 0;
    uint32_t next = access.address[first], last = next;
    bool regular = access.outside == 0;
    std::string text;
    for (uint32_t left = access.lanes; left != 0; left &= left - 1, next += step) {
        const int lane = __builtin_ctz(left);
        last = access.address[static_cast<size_t>(lane)];
        regular &= last == next;
        text += fmt::format("  [{}] +{}{}", lane, last, (access.outside >> lane & 1) != 0 ? " (outside)" : "");
    }
    if (!regular || count < 3) return text;
    if (step == 0) return fmt::format("  +{} in all {} lanes", last, count);
    return fmt::format("  +{} .. +{}, {} apart", access.address[first], last, static_cast<int32_t>(step));
}

/// "store c, 4 bytes each:  +0 .. +124, 4 apart", and a line for each component that is stored or given to an atomic.
std::string accessText(const Access& access, const isa::Program& program) {
    std::string text = fmt::format("                {} {}, {} byte{} each:{}\n",
                                   kAccessNames[static_cast<size_t>(access.kind)], memoryName(program, access.slot),
                                   access.elementBytes, access.elementBytes == 1 ? "" : "s", addressesText(access));
    if (access.kind == Access::Kind::Load) return text;
    for (int c = 0; c < 4; ++c)
        if ((access.components >> c & 1) != 0)
            text += fmt::format("                    {} {}\n", kComponents[static_cast<size_t>(c)],
                                lanesText(access.value.lane[c], access.lanes, writtenAs(access.type)));
    return text;
}

std::string stepText(const Replay& replay, const TraceStep& step) {
    const uint32_t line = lineOf(replay.program(), step.pc);
    std::string text = fmt::format("cycle {:>6}  #{:<5} @{:<4} {:<10} {:<40} exec {}", step.cycle, step.count, step.pc,
                                   line != 0 ? fmt::format("line {}", line) : "",
                                   instructionText(replay.code()[step.pc]), maskText(step.execMask));
    if (step.guardedMask != step.execMask) text += " guard " + maskText(step.guardedMask);
    if (step.killed != 0) text += " discards " + maskText(step.killed);
    if (step.stackDepth != 0) text += fmt::format(" depth {}", step.stackDepth);
    text += "\n";
    for (const Access& access : step.accesses) text += accessText(access, replay.program());
    for (const Write& write : step.writes)
        for (int c = 0; c < 4; ++c) {
            if ((write.components >> c & 1) == 0) continue;
            const std::string suffix =
                write.file == isa::File::P ? "" : fmt::format(".{}", kComponents[static_cast<size_t>(c)]);
            text += fmt::format("                {}{} = {}\n", registerName(write.file, write.index), suffix,
                                lanesText(write.value.lane[c], write.lanes, write.types[static_cast<size_t>(c)]));
        }
    if (step.released) text += fmt::format("                waits for the others until cycle {}\n", *step.released);
    return text;
}

void writeJsonStep(std::ostream& out, const TraceGroup& group, const TraceStep& step) {
    const Replay& replay = *group.replay;
    const isa::Instruction& i = replay.code()[step.pc];
    nlohmann::ordered_json json;
    json["group"] = group.number;
    json["cycle"] = step.cycle;
    json["count"] = step.count;
    json["pc"] = step.pc;
    json["line"] = lineOf(replay.program(), step.pc);
    json["instruction"] = instructionText(i);
    json["latency"] = isa::opInfo(i.op).latency;
    json["exec"] = maskText(step.execMask);
    json["guarded"] = maskText(step.guardedMask);
    json["discarded"] = maskText(step.killed);
    json["depth"] = step.stackDepth;
    json["writes"] = nlohmann::ordered_json::array();
    for (const Write& write : step.writes) json["writes"].push_back(jsonOf(write));
    if (replay.group().launch != nullptr) {
        json["accesses"] = nlohmann::ordered_json::array();
        for (const Access& access : step.accesses) json["accesses"].push_back(jsonOf(access, replay.program()));
    }
    if (step.released) json["released"] = *step.released;
    out << json.dump() << "\n";
}

/// Hands every step with its group to `look`, in the order in which the groups ran.
template <class Look>
void inOrder(std::span<const TraceGroup> groups, Look&& look) {
    struct Place {
        size_t group;
        const TraceStep* step;
    };
    std::vector<Place> places;
    for (size_t g = 0; g < groups.size(); ++g)
        for (const TraceStep& step : groups[g].trace->steps) places.push_back({g, &step});
    std::ranges::sort(places, {}, [](const Place& place) { return place.step->order; });
    for (const Place& place : places) look(groups[place.group], *place.step);
}

}  // namespace

void writeText(std::ostream& out, std::span<const TraceGroup> groups) {
    const auto begin = [&](const TraceGroup& group) {
        out << fmt::format("group {}: lanes {}", group.number, maskText(group.replay->group().activeMask));
        if (group.replay->group().launch == nullptr)
            out << ", of them helpers " << maskText(group.replay->group().helperMask);
        out << "\n";
    };
    const auto end = [&](const TraceGroup& group) {
        const Outcome& outcome = group.trace->outcome;
        out << fmt::format("group {}: {} instructions executed, {} cycles by the table{}{}\n", group.number,
                           outcome.instructions, group.trace->cycles,
                           outcome.budgetExceeded ? "; stopped, as it exceeded its budget" : "",
                           group.trace->cut ? "; the rest is not listed (--limit)" : "");
    };
    int current = -1;
    inOrder(groups, [&](const TraceGroup& group, const TraceStep& step) {
        if (group.number != current) begin(group);
        current = group.number;
        out << stepText(*group.replay, step);
    });
    for (const TraceGroup& group : groups) end(group);
}

void writeJson(std::ostream& out, std::span<const TraceGroup> groups) {
    inOrder(groups, [&](const TraceGroup& group, const TraceStep& step) { writeJsonStep(out, group, step); });
}

}  // namespace tessera::debug
