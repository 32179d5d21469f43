#include "model/report/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <tuple>
#include <utility>

#include "model/report/names.h"
#include "shader-core/isa/program.h"

namespace tessera::model {
namespace {

/// Finds or makes a line's row; rows stay in order.
LineCost& rowOf(std::vector<LineCost>& lines, uint32_t line) {
    const auto at = std::ranges::lower_bound(lines, line, {}, &LineCost::line);
    if (at != lines.end() && at->line == line) return *at;
    LineCost row;
    row.line = line;
    return *lines.insert(at, row);
}

uint32_t lineAt(const isa::Program& program, size_t pc) { return pc < program.lines.size() ? program.lines[pc] : 0; }

/// What ran of each program, by pc, from its groups' traces.
class Measured {
public:
    struct Count {
        uint64_t executed = 0, lanes = 0;
    };
    explicit Measured(const Workload& workload) : workload_(workload) {
        for (const ProgramUse& use : workload.programs) counts_.emplace_back(use.program->code.size());
        for (const DrawWork& draw : workload.draws) {
            for (const VertexBatch& batch : part(workload.batches, draw.batches)) add(draw.vertexProgram, batch.trace);
            for (const Primitive& primitive : part(workload.primitives, draw.primitives))
                for (const Block& block : part(workload.blocks, primitive.blocks))
                    add(draw.fragmentProgram, block.trace);
        }
        for (const LaunchWork& launch : workload.launches)
            for (const ThreadBlock& block : part(workload.threadBlocks, launch.blocks))
                for (const KernelGroup& group : part(workload.groups, block.groups)) add(launch.program, group.trace);
    }
    [[nodiscard]] const Count& of(size_t program, size_t pc) const { return counts_[program][pc]; }

private:
    template <class T>
    static std::span<const T> part(const std::vector<T>& all, Range range) {
        return std::span(all).subspan(range.first, range.count);
    }
    void add(uint32_t program, Range trace) {
        for (const Executed& executed : workload_.trace(trace)) {
            Count& count = counts_[program][executed.pc];
            ++count.executed;
            count.lanes += static_cast<uint64_t>(std::popcount(executed.lanes));
        }
    }

    const Workload& workload_;
    std::vector<std::vector<Count>> counts_;  ///< by program, by pc
};

std::string lineText(const ProgramCost& cost, uint32_t line) { return sourceLine({cost.program, cost.name, 0}, line); }

/// "waiting for texture engines 82 %": the cause of most waits, of all that the line took.
std::string mostlyText(const LineCost& row) {
    const auto most = std::ranges::max_element(row.waited);
    if (*most == 0) return "";
    return fmt::format("{} {:.0f} %", causeText(static_cast<Cause>(most - row.waited.begin())),
                       100 * static_cast<double>(*most) / static_cast<double>(row.cycles()));
}

constexpr const char* kHead =
    "        in the code           as it ran               on the chip\n"
    "  line  instr.  cycles     executed        lanes       issued       waited\n";

std::string rowText(const ProgramCost& cost, const LineCost& row) {
    const auto count = [](bool isThere, uint64_t value) { return isThere ? fmt::format("{}", value) : "-"; };
    std::string text =
        fmt::format("  {:>4}  {:>6}  {:>6} {:>12} {:>12} {:>12} {:>12}", row.line ? fmt::to_string(row.line) : "-",
                    row.instructions, row.latency, count(cost.hasRun, row.executed), count(cost.hasRun, row.lanes),
                    count(cost.isModelled, row.issued), count(cost.isModelled, row.waits()));
    if (const std::string source = lineText(cost, row.line); !source.empty()) text += "  " + source;
    if (const std::string mostly = mostlyText(row); !mostly.empty()) text += " [" + mostly + "]";
    return text + '\n';
}

}  // namespace

uint64_t LineCost::waits() const { return std::accumulate(waited.begin(), waited.end(), uint64_t{0}); }

ProgramCost costInCode(const std::string& name, std::shared_ptr<const isa::Program> program, const Preset& preset) {
    ProgramCost cost;
    cost.name = name;
    for (size_t pc = 0; pc < program->code.size(); ++pc) {
        const auto instruction = isa::decode(program->code[pc]);
        LineCost& row = rowOf(cost.lines, lineAt(*program, pc));
        ++row.instructions;
        if (instruction) row.latency += preset.timing(instructionClass(instruction->op, instruction->type)).latency;
    }
    cost.program = std::move(program);
    return cost;
}

std::vector<ProgramCost> costsOf(const Workload& workload, const Result& result, const Preset& preset) {
    const Measured measured(workload);
    std::vector<ProgramCost> costs;
    for (size_t program = 0; program < workload.programs.size(); ++program) {
        const ProgramUse& use = workload.programs[program];
        ProgramCost cost = costInCode(use.name, use.program, preset);
        cost.hasRun = cost.isModelled = true;
        for (size_t pc = 0; pc < use.program->code.size(); ++pc) {
            LineCost& row = rowOf(cost.lines, lineAt(*use.program, pc));
            row.executed += measured.of(program, pc).executed;
            row.lanes += measured.of(program, pc).lanes;
            const PcResult& modelled = result.programs[program][pc];
            row.issued += modelled.cycles;
            for (size_t cause = 0; cause < kCauses; ++cause) row.waited[cause] += modelled.stalls[cause];
        }
        costs.push_back(std::move(cost));
    }
    return costs;
}

void addRuns(ProgramCost& to, std::span<const ProgramCost> from) {
    for (const ProgramCost& cost : from) {
        const isa::Program &ours = *to.program, &theirs = *cost.program;
        if (ours.stage != theirs.stage || ours.source.empty() || ours.source != theirs.source) continue;
        to.hasRun |= cost.hasRun;
        to.isModelled |= cost.isModelled;
        for (const LineCost& line : cost.lines) {
            LineCost& row = rowOf(to.lines, line.line);
            row.executed += line.executed;
            row.lanes += line.lanes;
            row.issued += line.issued;
            for (size_t cause = 0; cause < kCauses; ++cause) row.waited[cause] += line.waited[cause];
        }
    }
}

std::string costText(const ProgramCost& cost) {
    std::string text = cost.name + '\n' + kHead;
    for (const LineCost& row : cost.lines) text += rowText(cost, row);
    return text;
}

std::string dearestLinesText(std::span<const ProgramCost> costs, size_t most) {
    std::vector<std::tuple<uint64_t, size_t, size_t>> order;  // cycles, program, row
    for (size_t program = 0; program < costs.size(); ++program)
        for (size_t row = 0; row < costs[program].lines.size(); ++row)
            if (const uint64_t cycles = costs[program].lines[row].cycles()) order.emplace_back(cycles, program, row);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
        return std::tuple(std::get<0>(b), std::get<1>(a), std::get<2>(a)) <
               std::tuple(std::get<0>(a), std::get<1>(b), std::get<2>(b));
    });
    const size_t left = order.size() - std::min(order.size(), most);
    order.resize(order.size() - left);
    // Of a program together, the dearest program first.
    std::vector<size_t> programs;
    for (const auto& [cycles, program, row] : order)
        if (std::ranges::find(programs, program) == programs.end()) programs.push_back(program);
    std::string text;
    for (const size_t program : programs) {
        text += costs[program].name + '\n' + kHead;
        for (const auto& [cycles, of, row] : order)
            if (of == program) text += rowText(costs[program], costs[program].lines[row]);
    }
    if (left) text += fmt::format("and {} lines more\n", left);
    return text;
}

nlohmann::ordered_json costJson(const ProgramCost& cost) {
    nlohmann::ordered_json json{{"name", cost.name}};
    json["lines"] = nlohmann::ordered_json::array();
    for (const LineCost& row : cost.lines) {
        nlohmann::ordered_json line;
        if (row.line) line = {{"line", row.line}, {"text", lineText(cost, row.line)}};
        line["static"] = {{"instructions", row.instructions}, {"latency", row.latency}};
        if (cost.hasRun) line["measured"] = {{"executed", row.executed}, {"lanes", row.lanes}};
        if (cost.isModelled) {
            line["modelled"] = {{"issued", row.issued}, {"waited", nlohmann::ordered_json::object()}};
            for (size_t cause = 0; cause < kCauses; ++cause)
                if (row.waited[cause])
                    line["modelled"]["waited"][std::string(causeKey(static_cast<Cause>(cause)))] = row.waited[cause];
        }
        json["lines"].push_back(std::move(line));
    }
    return json;
}

}  // namespace tessera::model
