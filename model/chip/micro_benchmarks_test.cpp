// Micro-benchmarks of the cycle model: each isolates one unit or one limit, and has a closed formula beside it that
// follows from the preset alone (docs/model.md, Rules). A row: what it is called, the machine, the work, the formula,
// and by how many parts in a thousand the model may differ: 0 where everything is known, else what begins and ends it.
//
// The rows are the table of docs/model.md, Validation. TESSERA_MODEL_TABLE=NAME prints those whose name begins so.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/testing/workload_builder.h"
#include "model/chip/unit/machine.h"

using namespace tessera;
using namespace tessera::model;

namespace {

using Build = WorkloadBuilder;
using isa::Op;
using isa::Stage;

/// Its memory is flat but for what the settings say: two channels of eight bytes in a cycle of the chip's, without
/// rows, turns and refreshes.
Preset tesseraWith(const std::vector<std::string>& settings) {
    std::string error;
    auto preset = loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    REQUIRE_MESSAGE(setMemory(*preset, "ideal", &error), error);
    for (const char* flat : {"sdram.channels=2", "sdram.interleave=256", "sdram.bytes_per_cycle=8", "sdram.latency=60",
                             "sdram.row_bytes=2048", "sdram.banks=8"})
        REQUIRE_MESSAGE(setParameter(*preset, flat, &error), error);
    for (const std::string& setting : settings) REQUIRE_MESSAGE(setParameter(*preset, setting, &error), error);
    return *preset;
}

struct Benchmark {
    std::string name;
    std::vector<std::string> settings;
    std::function<void(Build&)> build;
    std::function<uint64_t(const Result&)> measure;
    std::string formula;
    uint32_t perThousand = 0;
};

/// What a formula comes to: whole numbers, + - * / with brackets, max(a, b), and ceil(a), the next whole number.
class Formula {
public:
    static double value(std::string_view text) {
        Formula formula(text);
        const double value = formula.sum();
        REQUIRE_MESSAGE(formula.rest_.empty(), text);
        return value;
    }

private:
    explicit Formula(std::string_view text) : rest_(text) {}

    bool take(std::string_view word) {
        while (rest_.starts_with(' ')) rest_.remove_prefix(1);
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    double sum() {
        double value = product();
        for (;;) {
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
        }
    }
    double product() {
        double value = factor();
        for (;;) {
            if (take("*"))
                value *= factor();
            else if (take("/"))
                value /= factor();
            else
                return value;
        }
    }
    double factor() {
        double value = 0;
        if (take("ceil(")) {
            value = std::ceil(sum());
        } else if (take("max(")) {
            value = sum();
            REQUIRE(take(","));
            value = std::max(value, sum());
        } else if (!take("(")) {
            (void)take("");  // blanks
            const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
            REQUIRE(problem == std::errc());
            rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
            return value;
        } else {
            value = sum();
        }
        REQUIRE(take(")"));
        return value;
    }
    std::string_view rest_;
};

uint64_t cycles(const Result& result) { return result.cycles; }

/// Cycles from the first arrival of a group to the end of the last one of a single launch: without the command, the
/// hand-over to dispatch and the way to the block processor.
uint64_t launchCycles(const Result& result) { return result.items.at(0).end - 16 - 1 - 1; }

std::vector<isa::Instruction> repeated(Op op, int count) {
    return std::vector<isa::Instruction>(static_cast<size_t>(count), Build::instruction(op));
}

std::function<void(Build&)> kernel(Op op, int instructions, uint32_t groups, uint32_t temporaries = 1) {
    return [=](Build& b) { b.launch(b.program(Stage::Compute, repeated(op, instructions), temporaries), groups); };
}

/// A program of lookups, each of which has these accesses in every lane's name.
std::vector<Build::Accesses> forEach(int instructions, const std::function<Build::Accesses(int)>& accesses) {
    std::vector<Build::Accesses> list;
    for (int i = 0; i < instructions; ++i) list.push_back(accesses(i));
    return list;
}

/// One line for each of the sixteen lanes of a block, by function of instruction and lane.
Build::Accesses blockLookups(int instruction, const std::function<uint64_t(int, int)>& line, uint8_t cycles = 1) {
    Build::Accesses list;
    for (int lane = 0; lane < 16; ++lane)
        list.push_back({line(instruction, lane) * 64, static_cast<uint8_t>(lane), cycles});
    return list;
}

/// A triangle of one block, whose fragments make so many lookups in one engine.
std::function<void(Build&)> lookups(int instructions, std::function<uint64_t(int, int)> line, uint8_t bankCycles = 1) {
    return [=](Build& b) {
        Build::DrawOptions options;
        options.accesses = forEach(instructions, [&](int i) { return blockLookups(i, line, bankCycles); });
        b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, repeated(Op::Tex, instructions)), {{{{0, 0}}}},
               options);
    };
}

/// Triangles without a program to speak of.
std::function<void(Build&)> triangles(size_t count, const std::function<Build::Triangle(size_t)>& triangle,
                                      const Build::DrawOptions& options = {}) {
    return [=](Build& b) {
        std::vector<Build::Triangle> list;
        for (size_t i = 0; i < count; ++i) list.push_back(triangle(i));
        b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, {}), list, options);
    };
}

/// Accesses of the 32 lanes of a group, in one instruction: words by lane.
Build::Accesses words(const std::function<uint64_t(uint32_t)>& word) {
    Build::Accesses list;
    for (uint32_t lane = 0; lane < 32; ++lane) list.push_back({word(lane) * 4, static_cast<uint8_t>(lane)});
    return list;
}
std::function<void(Build&)> memoryKernel(Op op, int slot, int instructions, uint32_t groups,
                                         const std::function<uint64_t(int, uint32_t)>& word) {
    return [=](Build& b) {
        const std::vector<isa::Instruction> code(static_cast<size_t>(instructions), Build::memory(op, slot));
        Build::KernelOptions options;
        options.accesses =
            forEach(instructions, [&](int i) { return words([&](uint32_t lane) { return word(i, lane); }); });
        b.launch(b.program(Stage::Compute, code), groups, options);
    };
}

const std::vector<std::string> kOneBlock = {"block.processors=1", "display.hertz=0"};
/// One channel: a line costs 8 cycles of it, and 2 + 60 + 8 + 2 until it is there.
const std::vector<std::string> kFlatSdram = {"sdram.channels=1", "display.hertz=0"};
constexpr uint64_t kLine = 2 + 60 + 8 + 2;

std::vector<std::string> with(std::vector<std::string> settings, std::vector<std::string> more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

std::vector<Benchmark> benchmarks() {
    std::vector<Benchmark> list;
    const auto add = [&](Benchmark benchmark) { list.push_back(std::move(benchmark)); };

    // --- Issue: n groups of k instructions, four cycles each, and the stages behind the last ---
    for (const uint32_t n : {1u, 2u, 7u, 64u})
        for (const uint32_t k : {1u, 10u, 100u})
            add({fmt::format("issue rate, {} groups of {} instructions", n, k), kOneBlock,
                 kernel(Op::Add, static_cast<int>(k), n), launchCycles, fmt::format("4 * {} * {} + 3", n, k)});
    // More groups than places: 64 at once, the port is never idle.
    add({"issue rate, more groups than places", kOneBlock,
         [](Build& b) {
             Build::KernelOptions options;
             options.blocks = 300;
             b.launch(b.program(Stage::Compute, repeated(Op::Add, 10)), 1, options);
         },
         launchCycles, "4 * 300 * 10 + 3"});
    // 32 threads on `lanes` lanes.
    for (const uint32_t lanes : {1u, 2u, 4u, 16u, 32u})
        add({fmt::format("issue rate, {} lanes", lanes),
             with(kOneBlock, {fmt::format("block.lanes={}", lanes), "instruction.floating.interval=1"}),
             kernel(Op::Add, 50, 64), launchCycles, fmt::format("(64 * 50 - 1) * 32 / {} + 4 + 3", lanes)});

    // --- Latency: pairs of groups hide eight cycles; the oldest pair goes first, a single group waits ---
    for (const uint32_t n : {1u, 2u, 3u, 8u, 63u, 64u})
        add({fmt::format("latency of 8 hidden by {} groups", n), kOneBlock, kernel(Op::Rcp, 20, n), launchCycles,
             fmt::format("ceil({} / 2) * 8 * 20 + {} + 3", n, n % 2 ? 0 : 4)});
    // With turns, n groups of latency L: max(4 n, L) for a round.
    for (const uint32_t n : {1u, 4u, 10u, 25u, 32u, 64u})
        add({fmt::format("latency of 100 hidden by {} groups in turns", n),
             with(kOneBlock, {"block.policy=turns", "instruction.tfu.latency=100"}), kernel(Op::Rcp, 50, n),
             launchCycles, fmt::format("49 * max(4 * {0}, 100) + 4 * ({0} - 1) + 100 + 3", n)});
    // One unit, taken for 16 cycles.
    add({"an interval of 16", kOneBlock, kernel(Op::Div, 10, 8), launchCycles, "8 * 10 * 16 + 3"});

    // --- Latency of each class: the instructions of one group wait for each other ---
    for (const auto& [op, latency] : {std::pair{Op::Div, 16}, {Op::Pow, 12}, {Op::Sum, 20}, {Op::Vall, 4}})
        add({fmt::format("latency of {}", isa::opInfo(op).mnemonic), kOneBlock, kernel(op, 100, 1), launchCycles,
             fmt::format("100 * {} + 3", latency)});
    add({"a pipeline of 12 stages", with(kOneBlock, {"block.stages=12"}), kernel(Op::Add, 100, 1), launchCycles,
         "100 * 4 + 11"});

    // --- Two ports: the second group begins when the first one has left the unit ---
    add({"two ports, one unit", with(kOneBlock, {"block.issue=2"}), kernel(Op::Add, 100, 2), launchCycles,
         "2 * 100 * 4 + 3"});
    add({"two ports, one unit with an interval of 2",
         with(kOneBlock, {"block.issue=2", "instruction.floating.interval=2"}), kernel(Op::Add, 100, 4), launchCycles,
         "4 * 100 * 4 / 2 + 2 + 3"});
    add({"two ports, two units in turn", with(kOneBlock, {"block.issue=2", "instruction.tfu.latency=4"}),
         [](Build& b) {
             std::vector<isa::Instruction> code;
             for (int i = 0; i < 200; ++i) code.push_back(Build::instruction(i % 2 ? Op::Rcp : Op::Add));
             b.launch(b.program(Stage::Compute, code), 2);
         },
         launchCycles, "200 * 4 + 4 + 3"});

    // --- Hazards: four chains side by side, a latency of 20 ---
    const auto chains = [](Build& b) {
        std::vector<isa::Instruction> code;
        for (int i = 0; i < 256; ++i) code.push_back(Build::instruction(Op::Add, i % 4, i % 4));
        b.launch(b.program(Stage::Compute, code, 4), 1);
    };
    for (const auto& [hazards, formula] :
         {std::pair{"complete", "256 * 20 + 3"}, {"scoreboard", "64 * 20 + 3 * 4 + 3"}, {"none", "255 * 4 + 20 + 3"}})
        add({fmt::format("four chains of a latency of 20, hazards {}", hazards),
             with(kOneBlock, {"instruction.floating.latency=20", fmt::format("block.hazards={}", hazards)}), chains,
             launchCycles, formula});

    // --- Residency: t temporaries leave room for R groups; each wave takes the latency ---
    for (const uint32_t temporaries : {1u, 8u, 16u, 32u, 64u, 512u}) {
        const uint32_t resident = std::min(64u, 16384 / (32 * temporaries));
        add({fmt::format("residency with {} registers", temporaries), with(kOneBlock, {"instruction.tfu.latency=4000"}),
             [=](Build& b) {
                 Build::KernelOptions options;
                 options.blocks = 128;
                 b.launch(b.program(Stage::Compute, repeated(Op::Rcp, 1), temporaries), 1, options);
             },
             cycles, fmt::format("ceil(128 / {0}) * 4000 + 4 * {0}", resident), 10});
    }

    // Eight generations of a latency and four stages, and of the way to the block processor between two.
    for (const auto& [name, setting] :
         {std::pair{"places for 1", "block.groups=1"}, {"granules of 512", "block.register_granule=512"}})
        add({fmt::format("residency: {}", name), with(kOneBlock, {setting}),
             [](Build& b) {
                 Build::KernelOptions options;
                 options.blocks = 8;
                 b.launch(b.program(Stage::Compute, repeated(Op::Add, 100)), 1, options);
             },
             launchCycles, "8 * (100 * 4 + 3) + 7 * 2"});

    // --- Dispatch: one group in so many cycles ---
    add({"dispatch of a group in 20 cycles", with(kOneBlock, {"dispatch.cycles=20"}), kernel(Op::Add, 1, 64),
         launchCycles, "20 * 63 + 4 + 3"});

    // --- Figure 8 of seed 004: one vertex, or one fragment, in a cycle with programs of 32 instructions ---
    add({"figure 8: a fragment in a cycle",
         {"display.hertz=0"},
         [](Build& b) {
             Build::Triangle triangle;
             triangle.blocks = Build::square(64, 64);
             b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, repeated(Op::Mad, 32)),
                    std::vector<Build::Triangle>(2, triangle));
         },
         cycles,
         "2 * 64 * 64 * 16",
         10});
    add({"figure 8: a vertex in a cycle",
         {"display.hertz=0"},
         [](Build& b) {
             Build::DrawOptions options;
             options.batches = 1000;
             Build::Triangle culled;
             culled.fate = Fate::Outside;
             b.draw(b.program(Stage::Vertex, repeated(Op::Mad, 32)), b.program(Stage::Fragment, {}),
                    std::vector<Build::Triangle>(1000, culled), options);
         },
         cycles,
         "1000 * 32",
         10});

    // --- Geometry ---
    add({"assembly and clip: a culled primitive in a cycle",
         {"display.hertz=0"},
         triangles(5000, [](size_t) { return Build::Triangle{.fate = Fate::Outside}; }),
         cycles,
         "5000",
         10});
    add({"setup: four cycles",
         {"display.hertz=0"},
         triangles(5000, [](size_t) { return Build::Triangle{.fate = Fate::Facing}; }),
         cycles,
         "4 * 5000",
         10});
    add({"clip: a plane and two vertices",
         {"display.hertz=0"},
         triangles(2000, [](size_t) { return Build::Triangle{.fate = Fate::Facing, .outcodes = 4, .newVertices = 2}; }),
         cycles,
         "2000 * (1 + 4 + 2 * 4)",
         10});

    // --- Rasterizers: odd and even side by side ---
    const auto scans = [](uint32_t even, uint32_t odd) {
        return [=](size_t i) {
            Build::Triangle triangle;
            triangle.scanned = i % 2 ? odd : even;
            return triangle;
        };
    };
    add({"scan: two rasterizers", {"display.hertz=0"}, triangles(200, scans(100, 100)), cycles, "100 * 100", 10});
    add({"scan: one rasterizer",
         {"display.hertz=0", "raster.rasterizers=1"},
         triangles(200, scans(100, 100)),
         cycles,
         "200 * 100",
         10});
    add({"scan: even primitives large", {"display.hertz=0"}, triangles(200, scans(100, 10)), cycles, "100 * 100", 10});
    add({"scan: all primitives of one draw are even",
         {"display.hertz=0", "raster.scan_cycles=3"},
         triangles(1, scans(5000, 0)),
         cycles,
         "3 * 5000",
         10});

    // --- Interpolation: a fragment in a cycle of each interpolator, twelve attributes at once ---
    const auto cover = [](int side) {
        return [=](size_t) {
            Build::Triangle triangle;
            triangle.blocks = Build::square(side, side);
            return triangle;
        };
    };
    const std::vector<std::string> kWideBehind = {"display.hertz=0", "pixel.fragments_per_cycle=16",
                                                  "sdram.bytes_per_cycle=64"};
    add({"interpolation: twelve attributes", kWideBehind, triangles(1, cover(32), {.varyings = 12}), cycles,
         "32 * 32 * 16", 10});
    add({"interpolation: thirteen", kWideBehind, triangles(1, cover(32), {.varyings = 13}), cycles, "2 * 32 * 32 * 16",
         10});

    // --- Pixel engines: a fragment in a cycle of each; all blocks in one engine, or spread over eight ---
    const auto column = [](size_t) {
        Build::Triangle triangle;
        for (int i = 0; i < 1024; ++i) triangle.blocks.emplace_back(0, 0);
        return triangle;
    };
    add({"pixel engine: sixteen fragments, one engine",
         {"display.hertz=0", "interpolation.fragments_per_cycle=16"},
         triangles(1, column),
         cycles,
         "1024 * 16",
         10});
    add({"pixel engine: two fragments in a cycle",
         {"display.hertz=0", "interpolation.fragments_per_cycle=16", "pixel.fragments_per_cycle=2"},
         triangles(1, column),
         cycles,
         "1024 * 8",
         10});
    // A row of blocks lies in four of the engines; the store of fragments holds four rows of this picture.
    add({"pixel engines: eight",
         {"display.hertz=0", "interpolation.fragments_per_cycle=16", "sdram.bytes_per_cycle=64"},
         triangles(1, [](size_t) { return Build::Triangle{.blocks = Build::square(64, 256)}; }),
         cycles,
         "64 * 256 * 16 / 8",
         10});

    // --- Texture engines: slopes, so that what begins and ends a draw does not count ---
    add({"lookups that hit: 32 cycles for a block's sixteen",
         {"display.hertz=0"},
         lookups(400, [](int, int) { return 7; }),
         cycles,
         fmt::format("400 * 32 + {}", kLine),
         10});
    add({"bank conflicts: two cycles a lookup",
         {"display.hertz=0"},
         lookups(
             400, [](int, int) { return 7; }, 2),
         cycles,
         fmt::format("400 * 48 + {}", kLine),
         10});
    add({"a cache of 32 lines holds 32", with(kFlatSdram, {"texture.ways=32"}),
         lookups(200, [](int i, int lane) { return static_cast<uint64_t>(i * 16 + lane) % 32; }),
         [](const Result& r) { return r.textureCache.misses; }, "32"});
    add({"... and of 33 none, least recently used", with(kFlatSdram, {"texture.ways=32"}),
         lookups(200, [](int i, int lane) { return static_cast<uint64_t>(i * 16 + lane) % 33; }),
         [](const Result& r) { return r.textureCache.misses; }, "200 * 16"});
    // Eight misses on their way: a line every kLine / 8 cycles, but SDRAM gives one every 8. An instruction waits for
    // its last line.
    add({"lines on their way: one", with(kFlatSdram, {"texture.misses=1"}),
         lookups(50, [](int i, int lane) { return static_cast<uint64_t>(i * 16 + lane); }), cycles,
         fmt::format("50 * (16 * {} + 1 + 7 + 1 + 1)", kLine), 10});
    add({"lines on their way: four", with(kFlatSdram, {"texture.misses=4"}),
         lookups(50, [](int i, int lane) { return static_cast<uint64_t>(i * 16 + lane); }), cycles,
         fmt::format("50 * (4 * {} + 3 * 8 + 1 + 7 + 1 + 1)", kLine), 10});

    // --- SDRAM ---
    add({"SDRAM bandwidth: two channels of 8 bytes",
         {"display.hertz=0", "command.lines=64"},
         [](Build& b) { b.transfer(1 << 20, 0); },
         [](const Result& r) { return r.total(UnitKind::Sdram, Cause::Busy); },
         "1048576 / 8"});
    add({"SDRAM bandwidth: writes, one channel", with(kFlatSdram, {"command.lines=4096"}),
         [](Build& b) { b.transfer(0, 1 << 20); }, cycles, "1048576 / 8", 10});
    add({"SDRAM latency: one line at a time", with(kFlatSdram, {"command.lines=1"}),
         [](Build& b) { b.transfer(6400, 0); }, cycles, fmt::format("100 * {} + 16", kLine)});
    // Rows of one line each: it is closed, the next one activated, a column read.
    const std::vector<std::string> rows =
        with(kFlatSdram, {"sdram.row_bytes=64", "sdram.activate_cycles=12", "sdram.precharge_cycles=10",
                          "sdram.open_cycles=28", "sdram.read_cycles=11", "sdram.read_precharge_cycles=6"});
    const std::vector<std::string> many = with(rows, {"command.lines=4096"});
    const auto reads = [](uint64_t lines) { return [=](Build& b) { b.transfer(lines * 64, 0); }; };
    add({"SDRAM rows: a line of another row of one bank at a time", with(rows, {"sdram.banks=1", "command.lines=1"}),
         reads(100), cycles, "100 * (2 + 10 + 12 + 11 + 8 + 60 + 2) - 10 + 16"});
    add({"SDRAM rows: of one bank", with(many, {"sdram.banks=1"}), reads(1000), cycles, "1000 * (28 + 10)", 10});
    add({"SDRAM rows: of one bank, open until a column is read", with(many, {"sdram.banks=1", "sdram.open_cycles=5"}),
         reads(1000), cycles, "1000 * (12 + 6 + 10)", 10});
    // Rows that follow each other are of the same bank now and then, and of it one has to be closed for the other.
    add({"SDRAM rows: of eight banks beside each other", many, reads(10000), cycles, "10000 * 8", 20});
    add({"SDRAM rows: activations 20 cycles apart", with(many, {"sdram.activates_apart=20"}), reads(1000), cycles,
         "1000 * 20", 20});
    add({"SDRAM rows: four activations in 100 cycles", with(many, {"sdram.four_activates=100"}), reads(1000), cycles,
         "1000 * 100 / 4", 10});
    add({"SDRAM refreshes: 500 cycles of 2000",
         with(kFlatSdram, {"command.lines=4096", "sdram.refresh_every=2000", "sdram.refresh_cycles=500"}), reads(10000),
         cycles, "10000 * 8 * 2000 / 1500", 10});
    add({"SDRAM bursts: a line of four", with(kFlatSdram, {"command.lines=4096", "sdram.burst_bytes=256"}), reads(1000),
         cycles, "1000 * 4 * 8", 10});
    add({"SDRAM writes: gathered to batches of 16", with(kFlatSdram, {"command.lines=4096", "sdram.write_batch=16"}),
         [](Build& b) { b.transfer(0, 1 << 20); }, cycles, "1048576 / 8", 10});
    // Two clocks: memory's times are divided by four, one by one rounded up; with a third of the clock they
    // are tripled, and a request waits two cycles for the edge.
    for (const auto& [khz, formula] : {std::pair{2400000, "100 * (2 + ceil((60 + 8) / 4) + 2) + 16"},
                                       {200000, "100 * (2 + 3 * (60 + 8) + 2 + 2) + 16"}})
        add({fmt::format("memory's clock of {} MHz: latency, one line at a time", khz / 1000),
             with(kFlatSdram, {"command.lines=1", fmt::format("clock.memory_khz={}", khz)}),
             [](Build& b) { b.transfer(6400, 0); }, cycles, formula, 10});
    add({"memory's clock of 900 MHz: bandwidth", with(kFlatSdram, {"command.lines=4096", "clock.memory_khz=900000"}),
         [](Build& b) { b.transfer(0, 1 << 20); }, cycles, "1048576 / 8 * 2 / 3", 10});
    add({"display read-out: 640x480, 60 times in a second",
         {},
         [](Build& b) {
             b.w.width = 640;
             b.w.height = 480;
             b.transfer(0, 8 << 20);
         },
         [](const Result& r) { return r.displayRead * 1'000'000 / r.cycles; },
         "640 * 480 * 4 * 60 / 600",
         10});

    // --- Shared memory: 32 banks ---
    for (const uint32_t stride : {1u, 2u, 4u, 8u, 16u, 32u})
        add({fmt::format("shared memory, stride of {} words", stride), kOneBlock,
             memoryKernel(Op::Ld, isa::kSharedSlot, 40, 1, [=](int, uint32_t lane) { return uint64_t{lane} * stride; }),
             launchCycles, fmt::format("40 * (16 + {} - 1) + 3", stride)});
    add({"shared memory, one word for all", kOneBlock,
         memoryKernel(Op::Ld, isa::kSharedSlot, 40, 1, [](int, uint32_t) { return 5; }), launchCycles, "40 * 16 + 3"});
    // Seed 000: "loads require one clock per four threads loaded, and stores take one cycle per thread".
    for (const Op op : {Op::Ld, Op::St})
        add({fmt::format("shared memory with ports of seed 000, {}", isa::opInfo(op).mnemonic),
             with(kOneBlock, {"shared.read_ports=4", "shared.write_ports=1", "shared.banks=0", "block.policy=turns"}),
             memoryKernel(op, isa::kSharedSlot, 40, 16, [](int, uint32_t lane) { return lane; }), launchCycles,
             fmt::format("40 * 16 * 32 / {}", op == Op::Ld ? 4 : 1), 10});

    // --- Memory outside: lines that a group's words lie in ---
    for (const uint32_t stride : {1u, 2u, 16u})
        add({fmt::format("words outside, stride of {}", stride), kOneBlock,
             memoryKernel(Op::Ld, 0, 40, 1, [=](int, uint32_t lane) { return uint64_t{lane} * stride; }),
             [](const Result& r) { return r.sdramRead; }, fmt::format("40 * 32 * {} / 16 * 64", stride)});
    add({"words outside, one line at a time", kOneBlock,
         memoryKernel(Op::Ld, 0, 40, 1, [](int, uint32_t lane) { return lane % 16; }), launchCycles,
         fmt::format("40 * (1 + {}) + 3", kLine)});

    // --- Words one after the other: from prefetch memory, through a relay, each by its own line ---
    const auto words32 = [](Op op, int instructions, uint32_t blocks = 1) {
        return [=](Build& b) {
            const std::vector<isa::Instruction> code(static_cast<size_t>(instructions), Build::memory(op, 0));
            Build::KernelOptions options;
            options.blocks = blocks;
            options.accesses =
                forEach(instructions, [&](int) { return words([](uint32_t lane) { return uint64_t{lane}; }); });
            b.launch(b.program(Stage::Compute, code), 1, options);
        };
    };
    for (const Op op : {Op::Ld, Op::St})
        add({fmt::format("prefetch memory: three cycles for each word, {}", isa::opInfo(op).mnemonic),
             with(kOneBlock, {"global.word_cycles=3", "prefetch.bytes=128"}), words32(op, 40), launchCycles,
             "40 * (1 + 32 * 3) + 3"});
    add({"words outside, one after the other", with(kOneBlock, {"global.word_cycles=5", "global.requests=1"}),
         words32(Op::Ld, 10), launchCycles, fmt::format("10 * (1 + 32 * {}) + 3", kLine)});
    const std::vector<std::string> relay =
        with(kOneBlock, {"global.word_cycles=3", "relay.cycles=20", "relay.memory_cycles=8"});
    add({"relay: 20 cycles for each word, 8 of memory, and SDRAM", relay, words32(Op::Ld, 10), launchCycles,
         "10 * (1 + 32 * (20 + 8 + 2 + 60 + 1 + 2)) + 3"});
    add({"relay with memory's clock of 2400 MHz", with(relay, {"clock.memory_khz=2400000"}), words32(Op::Ld, 10),
         launchCycles, "10 * (1 + 32 * (20 + 8 / 4 + 2 + ceil((60 + 1) / 4) + 2)) + 3", 10});
    add({"relay of two block processors", with(relay, {"block.processors=2"}), words32(Op::Ld, 10, 2), launchCycles,
         "2 * 10 * 32 * (20 + 8 + 2 + 60 + 1 + 2)", 10});
    add({"half of the words in prefetch memory", with(relay, {"prefetch.bytes=64"}), words32(Op::Ld, 10), launchCycles,
         "10 * (1 + 16 * 3 + 16 * (20 + 8 + 2 + 60 + 1 + 2)) + 3"});

    // --- Contexts that are switched by hand ---
    add({"a switch of 10 cycles between two groups in turns",
         with(kOneBlock, {"block.policy=turns", "block.switch_cycles=10"}), kernel(Op::Add, 50, 2), launchCycles,
         "100 * 4 + 99 * 10 + 3"});

    add({"a switch of 10 cycles between two groups, greedy",
         with(kOneBlock, {"block.policy=greedy", "block.switch_cycles=10"}), kernel(Op::Add, 50, 2), launchCycles,
         "100 * 4 + 10 + 3"});

    // --- Rows of lanes: a quarter of the group ---
    add({"rows without a lane take no time", with(kOneBlock, {"block.rows=active", "block.policy=turns"}),
         [](Build& b) {
             Build::KernelOptions options;
             options.lanes = 0xFF;
             b.launch(b.program(Stage::Compute, repeated(Op::Add, 100)), 64, options);
         },
         launchCycles, "64 * 100", 10});
    return list;
}

}  // namespace

TEST_CASE("micro-benchmarks agree with their formulas, and are the table of docs/model.md") {
    std::ifstream file(TESSERA_SOURCE_DIR "/docs/model.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const char* wanted = std::getenv("TESSERA_MODEL_TABLE");
    for (const Benchmark& benchmark : benchmarks()) {
        CAPTURE(benchmark.name);
        const Preset preset = tesseraWith(benchmark.settings);
        Build builder;
        benchmark.build(builder);
        REQUIRE(cannotRun(builder.w, preset).empty());
        const Result result = simulate(builder.w, preset);
        const double measured = static_cast<double>(benchmark.measure(result));
        const double value = Formula::value(benchmark.formula);
        CAPTURE(measured);
        CAPTURE(value);
        CHECK(std::abs(measured - value) * 1000 <= value * benchmark.perThousand);
        const std::string row = fmt::format("| {} | `{}` | {:.0f} | {:.0f} | {:.2f} % |\n", benchmark.name,
                                            benchmark.formula, value, measured, 100 * (measured - value) / value);
        if (wanted != nullptr && benchmark.name.starts_with(wanted)) fmt::print("{}", row);
        CHECK_MESSAGE(page.find(row) != std::string::npos, "docs/model.md has to have the row ", row);
    }
}
