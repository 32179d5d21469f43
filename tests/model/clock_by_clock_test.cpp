// The clock-by-clock simulator against cycles that were worked out by hand from docs/model.md, "Rules". Without it the
// comparison of reference_test.cpp would rest on two programs alone.
#include "tests/model/clock_by_clock.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "shader-core/asm/assembler.h"

using namespace tessera;
using namespace tessera::model;
using namespace tessera::model::reference;

namespace {

struct Given {
    std::string code;         ///< a line for each instruction
    std::vector<Step> trace;  ///< none: each instruction once with all lanes
    uint32_t temporaries = 1;
    uint32_t lanes = ~0u;
    Cycle offered = 0;
};
struct Case {
    std::string name;
    std::vector<std::string> set;  ///< parameters, on the preset tessera
    std::vector<Given> groups;
    std::vector<std::vector<Cycle>> issues;  ///< of each group
    std::vector<Cycle> ends;
    std::string causes;  ///< a letter for each cycle, see letterOf()
};

char letterOf(Cause cause) {
    switch (cause) {
        case Cause::Busy:
            return 'B';
        case Cause::Switch:
            return 's';
        case Cause::NoGroup:
            return '.';
        case Cause::Draining:
            return 'd';
        case Cause::Dependency:
            return 'r';
        case Cause::UnitTaken:
            return 'u';
        case Cause::Texture:
            return 't';
        case Cause::SharedMemory:
            return 'm';
        case Cause::Sdram:
            return 'M';
        case Cause::Barrier:
            return 'b';
        case Cause::QueueFull:
            return 'q';
        default:
            return '?';
    }
}

std::shared_ptr<const isa::Program> assembled(const std::string& code) {
    const auto result = assembly::assemble(".compute\n" + code, "case", {.extent = assembly::Extent::Instructions});
    REQUIRE_MESSAGE(result.program, result.log());
    return std::make_shared<const isa::Program>(*result.program);
}

Group groupOf(const Given& given) {
    Group group{.offered = given.offered,
                .program = assembled(given.code),
                .temporaries = given.temporaries,
                .lanes = given.lanes,
                .trace = given.trace};
    if (group.trace.empty())
        for (uint32_t pc = 0; pc < group.program->code.size(); ++pc) group.trace.push_back({.pc = pc, .lanes = ~0u});
    return group;
}

/// A line takes a channel of SDRAM 8 cycles, 2 to open a row, and comes 5 later; 2 and 1 cycles before and behind an
/// engine's data.
const std::vector<std::string> kNearMemory = {
    "fifo.crossing=0", "sdram.channels=2",        "sdram.interleave=256",  "sdram.bytes_per_cycle=8",
    "sdram.latency=5", "sdram.activate_cycles=2", "texture.pipe_cycles=2", "texture.filter_cycles=1"};
template <typename... Settings>
std::vector<std::string> nearMemoryAnd(const Settings&... settings) {
    std::vector<std::string> all = kNearMemory;
    (all.emplace_back(settings), ...);
    return all;
}

// The preset tessera has: alu 4/4 (latency/interval), tfu 8/4, divide 16/16, 4 passes of 8 lanes, 4 stages, 1 cycle
// from dispatch to arrival, oldest first, hazards "complete".
const std::vector<Case> kCases = {
    // Arrives in 1, ends in 1 + 4 - 1; it has issued everything from the start.
    {"a group without instructions", {}, {{"", {}}}, {{}}, {4}, "ddddd"},
    // Passes in 1..4, result in 5, end in 5 + 3.
    {"one instruction", {}, {{"add r0, r1, r2\n"}}, {{1}}, {8}, ".BBBBdddd"},
    // The formula of the text: a + 4k + 3 = 1 + 12 + 3.
    {"three of them",
     {},
     {{"add r0, r1, r2\nadd r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 5, 9}},
     {16},
     ".BBBBBBBBBBBBdddd"},
    {"stages", {"block.stages=1"}, {{"add r0, r1, r2\n"}}, {{1}}, {5}, ".BBBBd"},
    {"a long way to the block processor", {"fifo.latency=3"}, {{"add r0, r1, r2\n"}}, {{3}}, {10}, "...BBBBdddd"},
    // Results in 7 and 13; between them two cycles of waiting.
    {"a result that takes longer than the passes",
     {"instruction.alu.latency=6", "instruction.floating.latency=6"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 7}},
     {16},
     ".BBBBrrBBBBdddddd"},
    // The second group, dispatched in 1, fills the first one's eight cycles of latency.
    {"two groups hide each other's latency",
     {"instruction.alu.latency=8", "instruction.floating.latency=8"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}, {"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 9}, {5, 13}},
     {20, 24},
     ".BBBBBBBBBBBBBBBBdddddddd"},
    {"oldest first",
     {},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}, {"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 5}, {9, 13}},
     {12, 20},
     ".BBBBBBBBBBBBBBBBdddd"},
    {"in turns",
     {"block.policy=turns"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}, {"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 9}, {5, 13}},
     {16, 20},
     ".BBBBBBBBBBBBBBBBdddd"},
    // In 5 the first waits for rcp until 9, so the second goes and is kept in 9; oldest would return to the first.
    {"greedy stays",
     {"block.policy=greedy"},
     {{"rcp r0, r1\nadd r0, r1, r2\n"}, {"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 13}, {5, 9}},
     {20, 16},
     ".BBBBBBBBBBBBBBBBdddd"},
    {"oldest returns",
     {},
     {{"rcp r0, r1\nadd r0, r1, r2\n"}, {"add r0, r1, r2\nadd r0, r1, r2\n"}},
     {{1, 9}, {5, 13}},
     {16, 20},
     ".BBBBBBBBBBBBBBBBdddd"},
    // The arithmetic unit is taken by the first group until 9; port 1 has nothing to do in between.
    {"two ports, one unit",
     {"block.issue=2"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}, {"add r0, r1, r2\n"}},
     {{1, 5}, {9}},
     {12, 16},
     ".BBBBBBBBBBBBdddd"},
    {"two ports, two units",
     {"block.issue=2"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n"}, {"rcp r0, r1\n"}},
     {{1, 5}, {2}},
     {12, 13},
     ".BBBBBBBBddddd"},
    // The unit is the divider's until 17, the port is free from 5.
    {"a unit taken by another group",
     {},
     {{"div r0, r1, r2\n"}, {"add r0, r1, r2\n"}},
     {{1}, {17}},
     {20, 24},
     ".BBBBuuuuuuuuuuuuBBBBdddd"},
    // One pass, result after four cycles; the unit is free after ceil(4 * 1 / 4) = 1, the second group goes in 2.
    {"rows without a lane take no time",
     {"block.rows=active"},
     {{"add r0, r1, r2\nadd r0, r1, r2\n", {{0, 0x8}, {1, 0xff00ff00}}}, {"add r0, r1, r2\n", {{0, 0}}}},
     {{1, 5}, {2}},
     {12, 9},
     ".BBrrBBdddddd"},
    // interval 6, one pass of four: the unit is free after ceil(6 / 4) = 2.
    {"an interval that does not divide",
     {"block.rows=active", "instruction.alu.interval=6", "instruction.floating.interval=6"},
     {{"add r0, r1, r2\n", {{0, 1}}}, {"add r0, r1, r2\n", {{0, 1}}}},
     {{1}, {3}},
     {8, 10},
     ".BuBddddddd"},
    // Issued in 5, begun in 7.
    {"another group costs a switch",
     {"block.switch_cycles=2"},
     {{"add r0, r1, r2\n"}, {"add r0, r1, r2\n"}},
     {{1}, {5}},
     {8, 14},
     ".BBBBssBBBBdddd"},
    {"a branch that is taken",
     {"block.taken_cycles=3"},
     {{"add r0, r1, r2\n", {{0, 1}, {0, 1}}}},
     {{1, 8}},
     {15},
     ".BBBBrrrBBBBdddd"},
    // r0 comes in 11, r1 in 15.
    {"a scoreboard waits for what is read",
     {"block.hazards=scoreboard", "instruction.alu.latency=10", "instruction.floating.latency=10"},
     {{"add r0, r2, r3\nadd r1, r2, r3\nadd r4, r0, r1\n"}},
     {{1, 5, 15}},
     {28},
     ".BBBBBBBBrrrrrrBBBBdddddddddd"},
    {"a scoreboard waits for what is written",
     {"block.hazards=scoreboard", "instruction.alu.latency=10", "instruction.floating.latency=10"},
     {{"add r0.x, r2, r3\nadd r0.y, r2, r3\n"}},
     {{1, 11}},
     {24},
     ".BBBBrrrrrrBBBBdddddddddd"},
    // The guard's predicate comes in 11; r9 is no concern of a branch.
    {"a branch waits for its guard only",
     {"block.hazards=scoreboard", "instruction.alu.latency=10", "instruction.floating.latency=10"},
     {{"slt p1, r0, r1\nadd r9, r0, r1\n(p1) if\nendif\n"}},
     {{1, 5, 11, 15}},
     {22},
     ".BBBBBBBBrrBBBBBBBBdddd"},
    {"a relative operand stands for its file, and for a0",
     {"block.hazards=scoreboard", "instruction.alu.latency=10", "instruction.floating.latency=10"},
     {{"mov a0.x, r0\nadd r9, r0, r1\nadd o0, r[a0.x], r1\n"}},
     {{1, 5, 15}},
     {28},
     ".BBBBBBBBrrrrrrBBBBdddddddddd"},
    {"no hazards: the program keeps the distances",
     {"block.hazards=none", "instruction.alu.latency=10", "instruction.floating.latency=10"},
     {{"add r0, r2, r3\nadd r1, r2, r3\nadd r4, r0, r1\n"}},
     {{1, 5, 9}},
     {22},
     ".BBBBBBBBBBBBdddddddddd"},
    // 32 threads of two registers are all 64; the first ends in 8, the second takes its place in 9.
    {"registers limit residency",
     {"block.registers=64"},
     {{"add r0, r1, r2\n", {}, 2}, {"add r0, r1, r2\n", {}, 2}},
     {{1}, {10}},
     {8, 17},
     ".BBBBdddd.BBBBdddd"},
    {"registers are given out in granules",
     {"block.registers=64", "block.register_granule=2"},
     {{"add r0, r1, r2\n"}, {"add r0, r1, r2\n"}},
     {{1}, {10}},
     {8, 17},
     ".BBBBdddd.BBBBdddd"},
    {"places limit residency",
     {"block.groups=1"},
     {{"add r0, r1, r2\n"}, {"add r0, r1, r2\n"}},
     {{1}, {10}},
     {8, 17},
     ".BBBBdddd.BBBBdddd"},
    // Pushed in 1, taken in 2 and asked for; its turn is in 4, behind the row, and ends in 12; there in 17, read until
    // 18,
    // filtered in 19. The second one is taken in 20 and read in 22.
    {"a lookup that misses, and one that hits",
     kNearMemory,
     {{"tex r0, r1, t0, 2d\ntex r0, r1, t0, 2d\n", {{0, 1, {{.address = 0}}}, {1, 1, {{.address = 60}}}}}},
     {{1, 19}},
     {27},
     ".BBBBttttttttttttttBBBBddddd"},
    // The second line is asked for in 17, when the first is there; the row is open; there in 30.
    {"one line on its way at a time",
     nearMemoryAnd("texture.misses=1"),
     {{"tex r0, r1, t0, 2d\n", {{0, 1, {{.address = 0}, {.address = 64}}}}}},
     {{1}},
     {35},
     ".BBBBddddddddddddddddddddddddddddddd"},
    // The engine has the first group's two lines until 17 and takes the second's request in 18; its place in the queue
    // can
    // be filled in 19. Data are read in turn: 30, 31, 32.
    {"a queue that is full",
     nearMemoryAnd("texture.misses=1", "texture.fifo=1"),
     {{"tex r0, r1, t0, 2d\n", {{0, 1, {{.address = 0}, {.address = 64}}}}},
      {"tex r0, r1, t0, 2d\n", {{0, 1, {{.address = 0}}}}},
      {"tex r0, r1, t0, 2d\n", {{0, 1, {{.address = 0}}}}}},
     {{1}, {5}, {19}},
     {35, 36, 37},
     ".BBBBBBBBqqqqqqqqqqBBBBddddddddddddddd"},
    // Lanes 0 and 16 are the same engine's, lane 1 another's; both lines have their turns one behind the other: 4 to 12
    // and 12 to 20, there in 25.
    {"two engines, one channel",
     kNearMemory,
     {{"tex r0, r1, t0, 2d\nadd r2, r0, r0\n",
       {{0, 0x10003, {{.address = 0, .lane = 0}, {.address = 64, .lane = 1}, {.address = 0, .lane = 16}}}, {1, 1}}}},
     {{1, 27}},
     {34},
     ".BBBBttttttttttttttttttttttBBBBdddd"},
    {"nobody is there before the first group",
     {},
     {{.code = "add r0, r1, r2\n", .offered = 3}},
     {{4}},
     {11},
     "....BBBBdddd"},
};

}  // namespace

TEST_CASE("cycles worked out by hand") {
    for (const Case& c : kCases) {
        CAPTURE(c.name);
        std::string error;
        auto preset = loadPreset("tessera", &error);
        REQUIRE_MESSAGE(preset, error);
        REQUIRE_MESSAGE(setMemory(*preset, "ideal", &error), error);
        for (const std::string& assignment : c.set) REQUIRE_MESSAGE(setParameter(*preset, assignment, &error), error);
        std::vector<Group> groups;
        for (const Given& given : c.groups) {
            groups.push_back(groupOf(given));
            groups.back().threadBlock = static_cast<uint32_t>(groups.size());
        }
        const Outcome outcome = runBlockProcessor(*preset, groups);

        std::vector<std::vector<Cycle>> issues(groups.size());
        for (const Issued& issue : outcome.issues) issues[issue.group].push_back(issue.cycle);
        std::vector<Cycle> ends;
        for (const Residence& residence : outcome.groups) ends.push_back(residence.ended);
        std::string causes;
        for (const Cause cause : outcome.causes) causes += letterOf(cause);
        CHECK(issues == c.issues);
        CHECK(ends == c.ends);
        CHECK(causes == c.causes);
    }
}

TEST_CASE("lanes: an instruction for 3 of 20 threads, in four passes of eight") {
    std::string error;
    const auto preset = loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    const Outcome outcome = runBlockProcessor(
        *preset, {groupOf({.code = "add r0, r1, r2\n", .trace = {{.pc = 0, .lanes = 0x7}}, .lanes = 0xfffff})});
    // 32 - 3 = 29 lanes are lost, 20 - 3 = 17 of them to divergence.
    CHECK(outcome.lanes == LaneCycles{.busy = 3, .diverged = 17, .notFull = 12});
}
