// A trace as lines of text and as lines of JSON.
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shader-core/asm/spelling.h"
#include "shader-core/debug/trace.h"
#include "shader-core/debug/value.h"

namespace tessera::debug {

namespace {

/// "0.5 in all 4 lanes", or lane by lane.
std::string lanesText(const float (&values)[isa::kGroupSize], uint32_t lanes, Format format) {
    const auto first = static_cast<size_t>(__builtin_ctz(lanes));
    const uint32_t firstBits = __builtin_bit_cast(uint32_t, values[first]);
    bool same = true;
    std::string text;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        same &= __builtin_bit_cast(uint32_t, values[lane]) == firstBits;
        text += fmt::format("{}[{}] {}", text.empty() ? "" : "  ", lane, valueText(values[lane], format));
    }
    const int count = __builtin_popcount(lanes);
    if (same && count > 1) return fmt::format("{} in all {} lanes", valueText(firstBits, format), count);
    return text;
}

/// JSON has no NaN and no infinity: those are strings.
nlohmann::ordered_json number(float value, isa::Type type) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, value);
    if (type == isa::Type::I32) return static_cast<int32_t>(bits);
    if (type == isa::Type::U32) return bits;
    if (std::isfinite(value)) return value;
    return valueText(bits, Format::F32);
}

nlohmann::ordered_json jsonOf(const Write& write) {
    nlohmann::ordered_json json;
    json["register"] = registerName(write.file, write.index);
    json["type"] = assembly::typeNames()[static_cast<size_t>(write.type)];
    json["lanes"] = maskText(write.lanes);
    for (int c = 0; c < 4; ++c) {
        if ((write.components >> c & 1) == 0) continue;
        nlohmann::ordered_json& values = json[std::string(1, kComponents[static_cast<size_t>(c)])];
        for (uint32_t left = write.lanes; left != 0; left &= left - 1)
            values.push_back(number(write.value.lane[c][__builtin_ctz(left)], write.type));
    }
    return json;
}

}  // namespace

void writeText(std::ostream& out, const TraceGroup& group) {
    const Replay& replay = *group.replay;
    out << fmt::format("group {}: lanes {}, of them helpers {}\n", group.number, maskText(replay.group().activeMask),
                       maskText(replay.group().helperMask));
    for (const TraceStep& step : group.trace->steps) {
        const uint32_t line = lineOf(replay.program(), step.pc);
        out << fmt::format("cycle {:>6}  #{:<5} @{:<4} {:<10} {:<40} exec {}", step.cycle, step.count, step.pc,
                           line != 0 ? fmt::format("line {}", line) : "", instructionText(replay.code()[step.pc]),
                           maskText(step.execMask));
        if (step.guardedMask != step.execMask) out << " guard " << maskText(step.guardedMask);
        if (step.killed != 0) out << " discards " << maskText(step.killed);
        if (step.stackDepth != 0) out << fmt::format(" depth {}", step.stackDepth);
        out << "\n";
        for (const Write& write : step.writes)
            for (int c = 0; c < 4; ++c) {
                if ((write.components >> c & 1) == 0) continue;
                const std::string suffix =
                    write.file == isa::File::P ? "" : fmt::format(".{}", kComponents[static_cast<size_t>(c)]);
                out << fmt::format("                {}{} = {}\n", registerName(write.file, write.index), suffix,
                                   lanesText(write.value.lane[c], write.lanes, formatOf(write.type)));
            }
    }
    const Outcome& outcome = group.trace->outcome;
    out << fmt::format("group {}: {} instructions executed, {} cycles by the table{}{}\n", group.number,
                       outcome.instructions, group.trace->cycles,
                       outcome.budgetExceeded ? "; stopped, as it exceeded its budget" : "",
                       group.trace->cut ? "; the rest is not listed (--limit)" : "");
}

void writeJson(std::ostream& out, const TraceGroup& group) {
    const Replay& replay = *group.replay;
    for (const TraceStep& step : group.trace->steps) {
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
        out << json.dump() << "\n";
    }
}

}  // namespace tessera::debug
