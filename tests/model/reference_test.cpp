// The machine against the clock-by-clock simulators of a block processor and its texture engines: random programs,
// groups and machines, compared to the cycle. The two share the preset, the workload and the rules of docs/model.md,
// and no line of code.
//
// TESSERA_RANDOM_PROGRAMS and TESSERA_RANDOM_SEED make it run more, and others.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "model/chip/unit/machine.h"
#include "tests/model/clock_by_clock.h"
#include "tests/model/random_workload.h"

using namespace tessera;
using namespace tessera::model;
using namespace tessera::model::reference;

namespace {

uint32_t fromEnvironment(const char* name, uint32_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

/// Groups of a launch, each with what its processor has to know.
std::vector<Group> groupsOf(const Workload& workload, const LaunchWork& launch) {
    const ProgramUse& program = workload.programs[launch.program];
    std::vector<Group> groups;
    for (uint32_t b = 0; b < launch.blocks.count; ++b) {
        const ThreadBlock& block = workload.threadBlocks[launch.blocks.first + b];
        for (uint32_t g = 0; g < block.groups.count; ++g) {
            const KernelGroup& kernelGroup = workload.groups[block.groups.first + g];
            Group group{.program = program.program,
                        .temporaries = program.temporaries,
                        .lanes = kernelGroup.lanes,
                        .threadBlock = b,
                        .sharedBytes = launch.sharedBytes};
            for (const Executed& executed : workload.trace(kernelGroup.trace)) {
                const auto accesses = workload.of(executed);
                group.trace.push_back({executed.pc, executed.lanes, {accesses.begin(), accesses.end()}});
            }
            groups.push_back(std::move(group));
        }
    }
    return groups;
}

/// Empty, or the first thing in which the two are not the same.
std::string difference(const Outcome& expected, const Result& result, const std::vector<Group>& groups,
                       bool waitsForWords) {
    if (expected.issues.empty() || result.issues.empty()) return "";
    const Cycle shift = result.issues[0].cycle - expected.issues[0].cycle;
    const auto text = [](Cycle cycle, uint32_t port, uint32_t group, uint32_t pc, Cycle begin, int lanes) {
        return fmt::format("{}, port {}: group {}, pc {}, {} lanes, begun {}", cycle, port, group, pc, lanes, begin);
    };
    for (size_t i = 0; i < std::max(expected.issues.size(), result.issues.size()); ++i) {
        if (i >= expected.issues.size()) return fmt::format("{} issues more", result.issues.size() - i);
        if (i >= result.issues.size()) return fmt::format("{} issues are missing", expected.issues.size() - i);
        const Issue& machine = result.issues[i];
        const Issued& own = expected.issues[i];
        const Step& step = groups[own.group].trace[own.step];
        const std::string should = text(own.cycle, own.port, own.group, step.pc, own.start, std::popcount(step.lanes)),
                          is = text(machine.cycle - shift, machine.port, machine.group, machine.pc,
                                    machine.begin - shift, static_cast<int>(machine.lanes));
        if (should != is) return fmt::format("issue {}: {}; the machine: {}", i, should, is);
    }
    std::vector<std::vector<Cause>> alike = {
        {Cause::Busy},         {Cause::Switch},   {Cause::Dependency}, {Cause::UnitTaken}, {Cause::Barrier},
        {Cause::SharedMemory}, {Cause::Prefetch}, {Cause::Draining},   {Cause::Texture},   {Cause::QueueFull}};
    // Of results that a scoreboard waits for, the machine takes one whose time it cannot know yet for the last.
    if (waitsForWords)
        alike = {{Cause::Busy},
                 {Cause::Switch},
                 {Cause::UnitTaken},
                 {Cause::Dependency, Cause::SharedMemory, Cause::Prefetch, Cause::Barrier},
                 {Cause::Draining}};
    for (const std::vector<Cause>& causes : alike) {
        uint64_t machine = 0, own = 0;
        for (const Cause cause : causes) {
            machine += result.total(UnitKind::BlockProcessor, cause);
            own += expected.count(cause);
        }
        // Passes may last beyond the last group's end, and the run ends before them or not.
        const Cycle beyond = causes[0] == Cause::Busy ? expected.passesBeyond : 0;
        if (machine < own || machine > own + beyond)
            return fmt::format("{} cycles {}; the machine: {}", own, causeText(causes[0]), machine);
    }
    const std::pair<uint64_t, uint64_t> engines[] = {
        {expected.engines.busy, result.total(UnitKind::TextureEngine, Cause::Busy)},
        {expected.engines.waitedForLine, result.total(UnitKind::TextureEngine, Cause::Sdram)},
        {expected.engines.filling, result.total(UnitKind::TextureEngine, Cause::Filling)},
        {expected.engines.hits, result.textureCache.hits},
        {expected.engines.misses, result.textureCache.misses}};
    for (size_t i = 0; i < std::size(engines); ++i)
        if (engines[i].first != engines[i].second)
            return fmt::format("texture engines, count {}: {}; the machine: {}", i, engines[i].first,
                               engines[i].second);
    return "";
}

/// Random launches with such a variety: `usually` so many, or as many as the environment says. Returns what happened in
/// all of them.
CauseCycles compare(const Variety& variety, uint32_t usually) {
    const uint32_t count = fromEnvironment("TESSERA_RANDOM_PROGRAMS", usually),
                   first = fromEnvironment("TESSERA_RANDOM_SEED", 1);
    CauseCycles causes{};
    for (uint32_t seed = first; seed < first + count; ++seed) {
        CAPTURE(seed);
        const RandomCase c = randomCase(seed, variety);
        REQUIRE(cannotRun(c.workload, c.preset) == "");
        const std::vector<Group> groups = groupsOf(c.workload, c.workload.launches[0]);
        Outcome expected = runBlockProcessor(c.preset, groups);
        const Result result = simulate(c.workload, c.preset, {.keepIssues = true});
        // The first issue, which waits for no memory, tells when memory's clock and its refreshes began.
        if (variety.texture && !expected.issues.empty() && !result.issues.empty())
            expected = runBlockProcessor(c.preset, groups, result.issues[0].cycle - expected.issues[0].cycle);
        const bool waitsForWords = variety.outsideMemory && c.preset.block.hazards == Hazards::Scoreboard;
        const std::string d = difference(expected, result, groups, waitsForWords);
        CHECK(d == "");
        for (const Cause cause : expected.causes) ++causes[static_cast<size_t>(cause)];
    }
    return causes;
}

}  // namespace

TEST_CASE("random launches take the same cycles, each lost one for the same cause") {
    const CauseCycles causes =
        compare({.outsideMemory = false, .texture = false, .launches = 1, .groupsPerBlock = 8}, 300);
    for (const Cause cause : {Cause::Switch, Cause::Dependency, Cause::UnitTaken, Cause::Barrier, Cause::SharedMemory})
        CHECK(causes[static_cast<size_t>(cause)] > 100);
}

TEST_CASE("random launches whose words are in prefetch memory") {
    const CauseCycles causes =
        compare({.texture = false, .allPrefetched = true, .launches = 1, .groupsPerBlock = 8}, 300);
    CHECK(causes[static_cast<size_t>(Cause::Prefetch)] > 100);
}

TEST_CASE("with lookups: texture engines, their caches and SDRAM behind them") {
    const CauseCycles causes =
        compare({.outsideMemory = false, .texture = true, .launches = 1, .groupsPerBlock = 8}, 100);
    for (const Cause cause : {Cause::Texture, Cause::QueueFull}) CHECK(causes[static_cast<size_t>(cause)] > 100);
}
