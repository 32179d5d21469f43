// Analytic micro-benchmarks of the cycle model: each isolates a unit or a limit, and stands beside a closed formula
// that follows from its parameters alone. TESSERA_MODEL_TABLE=1 prints them as the table of docs/model.md,
// "Validation"; TESSERA_MODEL_TABLE=NAME only the rows whose name begins so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <initializer_list>

#include "model/chip/machine.h"
#include "tests/model/hand_workload.h"

using namespace tessera;
using namespace tessera::model;
using namespace tessera::model::reference;

namespace {

constexpr double kTolerance = 0.01;

struct Row {
    std::string name;
    std::string formula;  ///< in words, with this row's numbers
    double value = 0;     ///< of the formula
    double model = 0;     ///< what the machine made of it
};
using Table = std::vector<Row>;
using Set = std::vector<std::string>;

Preset machineWith(const Set& set) {
    std::string error;
    auto preset = loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    for (const std::string& assignment : set) REQUIRE_MESSAGE(setParameter(*preset, assignment, &error), error);
    return *preset;
}

Result run(const Set& set, const Workload& workload) {
    const Preset preset = machineWith(set);
    REQUIRE(cannotRun(workload, preset) == "");
    return simulate(workload, preset);
}

// One block processor. A case's cycles are those beyond a launch of one group without instructions through one stage:
// from the first group's arrival to the last one's end.

struct Processor {
    Set set;
    std::string code;      ///< of one instruction, or a loop's body
    uint32_t times = 256;  ///< repeated
    uint32_t groups = 1;
    uint32_t temporaries = 1;
    uint32_t lanes = ~0u;
    std::vector<Access> accesses{};  ///< of each instruction
    uint32_t sharedBytes = 0;
};

Cycle wholeRun(const Processor& given, const Set& set) {
    HandWorkload workload;
    const uint32_t program = workload.addProgram(repeated(given.code, given.times), given.temporaries);
    const auto length = static_cast<uint32_t>(workload.programs[program].program->code.size());
    HandTrace trace = straight(length, given.lanes);
    for (HandStep& step : trace) step.accesses = given.accesses;
    // Blocks of one group each: nothing waits for a block as a whole.
    workload.addLaunch(program, std::vector<std::vector<HandTrace>>(given.groups, {trace}), given.sharedBytes);
    return run(set, workload).cycles;
}

double cyclesOf(const Processor& given) {
    Set set = given.set;
    set.push_back("block.processors=1");
    const Cycle whole = wholeRun(given, set);
    set.push_back("block.stages=1");
    return static_cast<double>(whole - wholeRun({.code = given.code, .times = 0}, set));
}

const std::string kAdd = "add r0, r1, r2\n", kRcp = "rcp r0, r1\n", kPow = "pow r0, r1, r2\n",
                  kDiv = "div r0, r1, r2\n", kSum = "sum r0, r1\n", kMov = "mov r0, r1\n";

/// One group, k instructions each of which waits for the one before: the last one's result is behind k latencies, or
/// k - 1 times the passes; then the stages in front.
void chainRows(Table& rows) {
    for (const uint32_t lanes : {1u, 2u, 4u, 8u, 16u, 32u}) {
        const uint32_t passes = 32 / lanes;
        rows.push_back({fmt::format("passes: {} lanes", lanes), fmt::format("255 x max(4, 32 / {}) + 4 + 3", lanes),
                        255.0 * std::max(4u, passes) + 4 + 3,
                        cyclesOf({.set = {fmt::format("block.lanes={}", lanes)}, .code = kAdd})});
    }
    struct Unit {
        const char* name;
        std::string code;
        uint32_t latency;
    };
    for (const Unit& unit :
         {Unit{"divide", kDiv, 16}, Unit{"tfu", kRcp, 8}, Unit{"lighting", kPow, 12}, Unit{"reduce", kSum, 20}})
        rows.push_back({fmt::format("latency: {}", unit.name), fmt::format("256 x {} + 3", unit.latency),
                        256.0 * unit.latency + 3, cyclesOf({.code = unit.code})});
    rows.push_back({"pipeline: 12 stages, one instruction", "4 + 11", 4 + 11,
                    cyclesOf({.set = {"block.stages=12"}, .code = kAdd, .times = 1})});
}

/// n groups whose instructions take L cycles and four of the port: L / 4 of them fill it. The oldest are served first,
/// so groups run in sets of L / 4, one set behind the other.
void latencyRows(Table& rows) {
    constexpr uint32_t kLatency = 32, kSet = kLatency / 4;
    const std::string latency = fmt::format("instruction.alu.latency={}", kLatency);
    for (const uint32_t groups : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
        const uint32_t sets = (groups + kSet - 1) / kSet, last = (groups - 1) % kSet;
        rows.push_back({fmt::format("hiding a latency of 32: {} groups, oldest first", groups),
                        fmt::format("{} x 256 x 32 + {} x 4 + 3", sets, last), sets * 256.0 * kLatency + last * 4 + 3,
                        cyclesOf({.set = {latency}, .code = kAdd, .groups = groups})});
    }
    for (const uint32_t groups : {1u, 5u, 12u, 64u}) {
        const uint32_t round = std::max(kLatency, groups * 4);
        rows.push_back({fmt::format("hiding a latency of 32: {} groups in turns", groups),
                        fmt::format("255 x max(32, {0} x 4) + ({0} - 1) x 4 + 32 + 3", groups),
                        255.0 * round + (groups - 1) * 4 + kLatency + 3,
                        cyclesOf({.set = {latency, "block.policy=turns"}, .code = kAdd, .groups = groups})});
    }
}

void issueRows(Table& rows) {
    rows.push_back(
        {"unit taken: 4 groups divide", "4 x 256 x 16 + 3", 4 * 256.0 * 16 + 3, cyclesOf({.code = kDiv, .groups = 4})});
    rows.push_back({"two ports, one unit: 2 groups", "2 x 256 x 4 + 3", 2 * 256.0 * 4 + 3,
                    cyclesOf({.set = {"block.issue=2"}, .code = kAdd, .groups = 2})});
    // The second group is one instruction behind the first: where one adds the other takes a reciprocal.
    rows.push_back(
        {"two ports, two units: 2 groups", "256 x (4 + 4) + 4 + 3", 256.0 * 8 + 4 + 3,
         cyclesOf({.set = {"block.issue=2", "instruction.tfu.latency=4"}, .code = kAdd + kRcp, .groups = 2})});
    rows.push_back({"two ports, units without conflict: 4 groups", "4 x 256 x 4 / 2 + 2 + 3", 4 * 256.0 * 4 / 2 + 2 + 3,
                    cyclesOf({.set = {"block.issue=2", "instruction.alu.interval=2"}, .code = kAdd, .groups = 4})});
    for (const uint32_t group : {1u, 4u})
        rows.push_back({fmt::format("active rows: one of four, {} groups", group), "256 x 4 + 3",
                        256.0 * 4 + 3 + (group - 1),
                        cyclesOf({.set = {"block.rows=active"}, .code = kAdd, .groups = group, .lanes = 0xff00})});
    rows.push_back({"all rows: one of four, 4 groups", "4 x 256 x 4 + 3", 4 * 256.0 * 4 + 3,
                    cyclesOf({.code = kAdd, .groups = 4, .lanes = 0xff00})});
    rows.push_back({"switch of 6 cycles: 2 groups in turns", "2 x 256 x (4 + 6) - 6 + 3", 2 * 256.0 * 10 - 6 + 3,
                    cyclesOf({.set = {"block.switch_cycles=6", "block.policy=turns"}, .code = kAdd, .groups = 2})});
    rows.push_back({"switch of 6 cycles: 2 groups, greedy", "2 x 256 x 4 + 6 + 3", 2 * 256.0 * 4 + 6 + 3,
                    cyclesOf({.set = {"block.switch_cycles=6", "block.policy=greedy"}, .code = kAdd, .groups = 2})});
}

/// A latency of 20 and four instructions that do not wait for each other, then four that wait for those.
void hazardRows(Table& rows) {
    const std::string code = "add r0, r0, r8\nadd r1, r1, r8\nadd r2, r2, r8\nadd r3, r3, r8\n";
    const auto cycles = [&](const std::string& hazards) {
        return cyclesOf({.set = {"instruction.alu.latency=20", "block.hazards=" + hazards}, .code = code, .times = 64});
    };
    rows.push_back({"hazards: complete", "256 x 20 + 3", 256 * 20 + 3.0, cycles("complete")});
    rows.push_back({"hazards: scoreboard", "64 x 20 + 3 x 4 + 3", 64 * 20 + 3 * 4 + 3.0, cycles("scoreboard")});
    rows.push_back({"hazards: none", "255 x 4 + 20 + 3", 255 * 4 + 20 + 3.0, cycles("none")});
}

/// As many groups are resident as the register file has room for; each generation of them takes k L, the stages, and a
/// cycle from an end to the next dispatch and one more to its arrival.
void residencyRows(Table& rows) {
    const auto add = [&](const std::string& name, const Set& set, uint32_t resident, uint32_t temporaries) {
        constexpr uint32_t kGroups = 16, kLatency = 64;
        const uint32_t generations = kGroups / resident;
        Set all = set;
        all.push_back(fmt::format("instruction.alu.latency={}", kLatency));
        rows.push_back({name, fmt::format("{0} x (256 x 64 + 3) + {1} x 4 + ({0} - 1) x 2", generations, resident - 1),
                        generations * (256.0 * kLatency + 3) + (resident - 1) * 4 + (generations - 1) * 2,
                        cyclesOf({.set = all, .code = kAdd, .groups = kGroups, .temporaries = temporaries})});
    };
    add("residency by registers: 16 of 32 x 32", {"block.registers=16384"}, 16, 32);
    add("residency by registers: 8 of 64 x 32", {"block.registers=16384"}, 8, 64);
    add("residency by registers: 1 of 512 x 32", {"block.registers=16384"}, 1, 512);
    add("residency by registers: granules of 64", {"block.registers=16384", "block.register_granule=64"}, 8, 33);
    add("residency by places: 4", {"block.groups=4"}, 4, 1);
}

std::string tableRow(const Row& row) {
    return fmt::format("| {} | {} | {:g} | {:g} | {:.2f} % |\n", row.name, row.formula, row.value, row.model,
                       100 * (row.model - row.value) / row.value);
}

}  // namespace

TEST_CASE("what the machine makes of a limit is what the limit's formula says") {
    Table rows;
    chainRows(rows);
    latencyRows(rows);
    issueRows(rows);
    hazardRows(rows);
    residencyRows(rows);
    for (const Row& row : rows) CHECK_MESSAGE(std::abs(row.model - row.value) <= kTolerance * row.value, tableRow(row));
    if (const char* wanted = std::getenv("TESSERA_MODEL_TABLE"))
        for (const Row& row : rows)
            if (std::string_view(wanted) == "1" || row.name.starts_with(wanted)) fmt::print("{}", tableRow(row));
}
