// Rules of the machine, each by a workload that tells it from its nearest mistake.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/chip/testing/builtin.h"
#include "model/chip/testing/workload_builder.h"
#include "model/chip/unit/machine.h"

using namespace tessera;
using namespace tessera::model;

namespace {

using Build = WorkloadBuilder;
using isa::Op;
using isa::Stage;

/// Draws one block that looks up one line of a texture.
void drawTextured(Build& b) {
    Build::DrawOptions options;
    options.accesses = {{{0x4000, 0, 0}}};
    b.draw(b.program(Stage::Vertex, {Build::instruction(Op::Mov)}),
           b.program(Stage::Fragment, {Build::instruction(Op::Tex)}), {{.blocks = {{0, 0}}}}, options);
}

}  // namespace

TEST_CASE("a texture that was looked up stays in its cache until something else writes memory") {
    const auto missesOf = [](bool transfers) {
        Build b;
        b.w.width = b.w.height = 16;
        drawTextured(b);
        if (transfers) b.transfer(64, 64);
        drawTextured(b);
        b.endFrame();
        return simulate(b.w, builtin("tessera")).textureCache;
    };
    CHECK(missesOf(false).misses == 1);
    CHECK(missesOf(false).hits == 1);
    CHECK(missesOf(true).misses == 2);
    CHECK(missesOf(true).hits == 0);
}

TEST_CASE("so does a line of attributes; and what a kernel loaded does, until the next launch") {
    const auto vertexCacheOf = [](bool transfers) {
        Build b;
        b.w.width = b.w.height = 16;
        b.w.lines = {0x8000};
        for (int draw = 0; draw < 2; ++draw) {
            drawTextured(b);
            b.w.batches.back().fetches = {0, 1};
            if (transfers && draw == 0) b.transfer(64, 64);
        }
        b.endFrame();
        return simulate(b.w, builtin("tessera")).vertexCache;
    };
    CHECK(vertexCacheOf(false).misses == 1);
    CHECK(vertexCacheOf(false).hits == 1);
    CHECK(vertexCacheOf(true).misses == 2);
    CHECK(vertexCacheOf(true).hits == 0);
    Build b;
    Build::KernelOptions options;
    options.lanes = 1;
    options.accesses = {{{.address = 0x8000}}, {{.address = 0x8000}}};
    const uint32_t program = b.program(Stage::Compute, {Build::memory(Op::Ld, 0), Build::memory(Op::Ld, 0)});
    for (int launch = 0; launch < 2; ++launch) b.launch(program, 1, options);
    Preset preset = builtin("tessera");
    preset.block.processors = 1;
    preset.global.cache_bytes = 8192;
    const CacheResult cache = simulate(b.w, preset).firstCache;
    CHECK(cache.misses == 2);
    CHECK(cache.hits == 2);
}

TEST_CASE("lines that a launch changed are written before the next one begins") {
    const auto writtenBy = [](int launches) {
        Build b;
        Build::KernelOptions options;
        options.lanes = 1;
        options.accesses = {{{.address = 0x8000}}};
        const uint32_t program = b.program(Stage::Compute, {Build::memory(Op::St, 0)});
        for (int launch = 0; launch < launches; ++launch) b.launch(program, 1, options);
        Preset preset = builtin("tessera");
        preset.second.cache_bytes = 65536;
        return simulate(b.w, preset).sdramWritten;
    };
    CHECK(writtenBy(1) == 0);
    CHECK(writtenBy(2) > 0);
    CHECK(writtenBy(4) == 3 * writtenBy(2));
}

TEST_CASE("an issued instruction's result comes its latency behind its begin, that of a lookup is not known then") {
    Build b;
    b.launch(b.program(Stage::Compute, {Build::instruction(Op::Add), Build::instruction(Op::Rcp)}), 3);
    b.w.width = b.w.height = 16;
    drawTextured(b);
    b.endFrame();
    const Preset preset = builtin("tessera");
    const Result result = simulate(b.w, preset, {.keepIssues = true});
    size_t lookups = 0;
    for (const Issue& issue : result.issues) {
        const isa::Program& program = *b.w.programs[issue.program].program;
        const std::optional<isa::Instruction> instruction = isa::decode(program.code[issue.pc]);
        REQUIRE(instruction);
        if (instruction->op == Op::Tex) {
            ++lookups;
            CHECK(issue.result == kNever);
        } else {
            CHECK(issue.result == issue.begin + preset.timing(instructionClass(instruction->op)).latency);
        }
    }
    CHECK(result.issues.size() == 3 * 2 + 1 + lookups);
    CHECK(lookups == 1);
}

TEST_CASE("refreshes that leave no time for a line are told with both numbers") {
    Preset preset = builtin("tessera");
    std::string error;
    CHECK_FALSE(setParameter(preset, "sdram.refresh_every=10", &error));
    CHECK(error.find("sdram.refresh_every = 10 leaves no time to read a line between two refreshes; give ") !=
          std::string::npos);
}

TEST_CASE("the report names the three largest causes of a unit's idle cycles, the largest first") {
    Build b;
    b.w.width = b.w.height = 16;
    drawTextured(b);
    b.endFrame();
    Result result = simulate(b.w, builtin("tessera"));
    for (UnitResult& unit : result.units)
        if (unit.kind == UnitKind::Setup) {
            unit.cycles = {};
            for (const auto& [cause, cycles] : {std::pair(Cause::NoWork, 10), std::pair(Cause::QueueFull, 30),
                                                std::pair(Cause::Order, 5), std::pair(Cause::Sdram, 55)})
                unit.cycles[static_cast<size_t>(cause)] = static_cast<uint64_t>(cycles);
        }
    const std::string report = reportText(result, b.w);
    CHECK_MESSAGE(report.find("waiting for SDRAM 55.0 %, queue behind it full 30.0 %, nothing to do 10.0 %\n") !=
                      std::string::npos,
                  report);
}

TEST_CASE("a queue between any two units that hand something over is kept with its levels") {
    Build b;
    b.w.width = b.w.height = 16;
    drawTextured(b);
    b.endFrame();
    const Result result = simulate(b.w, builtin("tessera"), {.keepLevels = true});
    std::set<std::pair<UnitKind, UnitKind>> pairs;
    for (const QueueResult& queue : result.queues)
        pairs.emplace(result.units[queue.from].kind, result.units[queue.to].kind);
    using enum UnitKind;
    for (const auto& [from, to] :
         {std::pair(Command, VertexFetch), std::pair(Command, Assembly), std::pair(VertexFetch, Dispatch),
          std::pair(Assembly, Clip), std::pair(Clip, Setup), std::pair(Setup, UnitKind::Rasterizer),
          std::pair(UnitKind::Rasterizer, EarlyTests), std::pair(EarlyTests, Interpolator),
          std::pair(Interpolator, GroupFormer), std::pair(GroupFormer, Dispatch),
          std::pair(BlockProcessor, UnitKind::TextureEngine), std::pair(FragmentStore, UnitKind::PixelEngine)})
        CHECK_MESSAGE(pairs.contains({from, to}), unitText(from), " to ", unitText(to));
    CHECK(pairs.size() == 12);
}

TEST_CASE("a run of many frames is told in as many pieces of time as were asked for, of equal length") {
    Build b;
    b.w.width = b.w.height = 16;
    for (int frame = 0; frame < 32; ++frame) {
        drawTextured(b);
        b.endFrame();
    }
    const Result result = simulate(b.w, builtin("tessera"), {.pieces = 4});
    REQUIRE(result.pieceEnds.size() == 4);
    CHECK(result.pieceEnds.back() == result.cycles);
    for (size_t piece = 0; piece < 4; ++piece) {
        const Cycle end = (piece + 1) * result.cycles / 4;
        CHECK(result.pieceEnds[piece] >= end);
        CHECK(result.pieceEnds[piece] <= end + result.cycles / 16);
    }
}
