#include "model/chip/unit/machine.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/chip/testing/builtin.h"
#include "model/chip/testing/workload_builder.h"
#include "model/chip/unit/line_cache.h"

using namespace tessera;
using namespace tessera::model;

namespace {

using Build = WorkloadBuilder;
using isa::Op;
using isa::Stage;

Preset with(Preset preset, std::string_view setting) {
    std::string error;
    REQUIRE_MESSAGE(setParameter(preset, setting, &error), error);
    return preset;
}

/// Frames of random draws: every unit has something to do.
Workload randomFrames(uint32_t seed, int frames) {
    std::mt19937 random(seed);
    Build b;
    b.w.name = "random frames";
    b.w.width = 320;
    b.w.height = 240;
    for (int frame = 0; frame < frames; ++frame) {
        b.transfer(random() % 10'000, random() % 10'000);
        for (uint32_t i = 0; i < 6; ++i) {
            const auto code = [&](uint32_t most) {
                std::vector<isa::Instruction> list;
                const Op ops[] = {Op::Add, Op::Mad, Op::Rcp, Op::Pow, Op::Div, Op::Tex};
                for (uint32_t k = random() % most; k > 0; --k) list.push_back(Build::instruction(ops[random() % 6]));
                return list;
            };
            const std::vector<isa::Instruction> vertex = code(20), fragment = code(20);
            Build::DrawOptions options;
            for (const isa::Instruction& instruction : fragment) {
                Build::Accesses accesses;
                if (instruction.op == Op::Tex)
                    for (uint32_t lane = 0; lane < 16; ++lane)
                        for (uint32_t line = 0; line < 1 + random() % 3; ++line)
                            accesses.push_back({uint64_t{random() % 200} * 64, static_cast<uint8_t>(lane),
                                                static_cast<uint8_t>(random() % 3)});
                options.accesses.push_back(accesses);
            }
            options.pixels.depthRead = random() % 2;
            options.pixels.depthWrite = random() % 2;
            options.pixels.earlyTests = random() % 2;
            options.pixels.colorRead = random() % 2;
            options.pixels.samples = random() % 4 ? 1 : 4;
            options.pixels.target = random() % 2;
            options.varyings = static_cast<uint8_t>(random() % 13);
            options.batches = 1 + random() % 50;
            std::vector<Build::Triangle> triangles(random() % 200);
            for (Build::Triangle& triangle : triangles) {
                triangle.fate = static_cast<Fate>(random() % 6 ? 0 : random() % 4);
                triangle.outcodes = random() % 8 ? 0 : static_cast<uint8_t>(random() % 64);
                triangle.newVertices = random() % 3;
                triangle.scanned = random() % 50;
                triangle.covered = static_cast<uint16_t>(random());
                const int x = static_cast<int>(random() % 70), y = static_cast<int>(random() % 50);
                if (triangle.fate == Fate::Drawn)
                    for (uint32_t n = random() % 20; n > 0; --n)
                        triangle.blocks.emplace_back(x + static_cast<int>(n % 5), y + static_cast<int>(n / 5));
            }
            b.draw(b.program(Stage::Vertex, vertex, 1 + random() % 30),
                   b.program(Stage::Fragment, fragment, 1 + random() % 30), triangles, options);
        }
        b.launch(b.program(Stage::Compute, {Build::instruction(Op::Add), Build::instruction(Op::Bar)}), 5);
        b.endFrame();
    }
    return b.w;
}
Workload randomFrame(uint32_t seed) { return randomFrames(seed, 1); }

void checkBooks(const Result& result, const Preset& preset) {
    for (const UnitResult& unit : result.units) {
        CAPTURE(unit.name());
        uint64_t sum = 0;
        for (const uint64_t cycles : unit.cycles) sum += cycles;
        const bool lanes = unit.kind == UnitKind::Lanes;
        CHECK(sum == result.cycles * (lanes ? preset.block.lanes * preset.block.issue : 1));
        CauseCycles pieces{};
        CHECK(unit.overTime.size() == result.pieceEnds.size());
        for (const CauseCycles& piece : unit.overTime)
            for (size_t cause = 0; cause < kCauses; ++cause) pieces[cause] += piece[cause];
        if (!lanes) CHECK(pieces == unit.cycles);
    }
}

}  // namespace

TEST_CASE("nothing to do takes no time") {
    const Result result = simulate(Workload{}, builtin("tessera"));
    CHECK(result.cycles == 0);
    CHECK(result.framesPerSecond() == 0);
}

TEST_CASE("every cycle of every unit is busy or has a cause, and everything that was asked for is done") {
    for (uint32_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const Workload frame = randomFrame(seed);
        Preset preset = builtin("tessera");
        const std::vector<std::vector<std::string>> variants = {
            {},
            {"block.policy=greedy", "block.hazards=scoreboard", "block.issue=2"},
            {"block.policy=turns", "block.switch_cycles=3", "fragments.close=primitive", "dispatch.prefer=vertices"},
            {"texture.fifo=1", "texture.engines=2", "pixel.engines=1", "pixel.fifo=1", "geometry.fifo=1",
             "raster.fifo=1", "interpolation.fifo=1", "fragments.fifo=1", "fragments.store=1", "vertex.store=4",
             "vertex.fifo=1"},
            {"fifo.latency=5", "block.rows=active", "block.processors=3", "raster.rasterizers=3"},
        };
        for (const std::string& setting : variants[seed % variants.size()]) preset = with(preset, setting);
        REQUIRE(cannotRun(frame, preset).empty());
        const Result result = simulate(frame, preset);
        checkBooks(result, preset);
        CHECK(result.frames == 1);

        // What is read of memory are lines that caches fetch, and those of transfers and display.
        uint64_t fetched = 0;
        for (const CacheResult* cache :
             {&result.vertexCache, &result.textureCache, &result.earlyCache, &result.pixelCache}) {
            CHECK(cache->fetched <= cache->misses);
            fetched += cache->fetched;
        }
        for (const TransferWork& transfer : frame.transfers) fetched += (transfer.bytesRead + 63) / 64;
        CHECK(result.sdramRead == 64 * fetched + result.displayRead);

        uint64_t fragments = 0, vertices = 0, alone = 0;
        for (const Block& block : frame.blocks) fragments += static_cast<uint64_t>(std::popcount(block.early));
        for (const VertexBatch& batch : frame.batches) vertices += batch.vertices();
        CHECK(result.fragments == fragments);
        CHECK(result.vertices == vertices);
        CHECK(result.kernelGroups == 5);
        for (const ItemResult& item : result.items) {
            CHECK(item.begin < item.end);
            alone += item.alone;
        }
        CHECK(alone == result.cycles);
        uint64_t instructions = 0;
        for (const auto& program : result.programs)
            for (const PcResult& row : program) instructions += row.issues;
        CHECK(instructions == result.instructions);
    }
}

TEST_CASE("a clear's cycles are its own, and it waits for memory") {
    Build b;
    const uint32_t vertex = b.program(Stage::Vertex, {}), fragment = b.program(Stage::Fragment, {});
    b.draw(vertex, fragment, {{{{0, 0}}}});
    b.endFrame();
    const Result alone = simulate(b.w, builtin("tessera"));
    b.w.commands.pop_back();
    b.transfer(0, uint64_t{1} << 20);
    b.draw(vertex, fragment, {{{{0, 0}}}});
    b.endFrame();
    const Result result = simulate(b.w, builtin("tessera"));
    REQUIRE(result.items.size() == 4);
    CHECK(result.items[0].alone == alone.items[0].alone);
    const ItemResult &second = result.items[1], &transfer = result.items[2], &frame = result.items[3];
    CHECK(transfer.kind == CommandWork::Kind::Transfer);
    CHECK(frame.kind == CommandWork::Kind::EndFrame);
    CHECK(itemName(b.w, 2) == "transfer 1: transfer");
    CHECK(itemName(b.w, 3) == "end of frame 1");
    // 2^20 bytes at 32 in a cycle of 900 MHz, less what refreshes take, whose rows are opened beside each other; before
    // them the first draw's changed lines are written. The second draw takes as long as the first.
    constexpr uint64_t kTurns = (1u << 20) / 32 * 600 / 900, kRefreshed = kTurns * 7020 / (7020 - 144);
    CHECK(transfer.alone >= kTurns);
    CHECK(transfer.alone < kRefreshed + 200);
    CHECK(transfer.boundBy != kNone);
    CHECK(result.units[transfer.boundBy].kind == UnitKind::Sdram);
    CHECK(second.alone <= alone.items[0].alone + 1);
    // It asks for a line in a cycle, and waits otherwise.
    CHECK(result.total(UnitKind::Command, Cause::Sdram) > kTurns - (1u << 20) / 64 - 100);
}

TEST_CASE("a transfer ends when its bytes are written, and not when memory has taken them") {
    Build b;
    b.transfer(0, 256);
    b.transfer(0, 64);
    b.endFrame();
    const Result result = simulate(b.w, builtin("tessera"));
    // A command takes 16 cycles; four lines of a row, activated and written in memory cycles of 900 MHz.
    CHECK(result.items[0].alone >= 16 + (13 + 9 + 4 * 4) * 600 / 900);
}

TEST_CASE("the same twice, whatever is kept beside") {
    const Workload frame = randomFrame(3);
    const Preset preset = builtin("tessera");
    MachineOptions keepAll;
    keepAll.keepStalls = keepAll.keepIssues = keepAll.keepLevels = true;
    const Result first = simulate(frame, preset), second = simulate(frame, preset, keepAll);
    CHECK(reportJson(first, frame) == reportJson(second, frame));
    CHECK(second.issues.size() == second.instructions);
    // Nobody leaves anything behind: queues are empty in the end.
    std::vector<uint32_t> entries(second.queues.size());
    for (const QueueLevel& level : second.levels) entries[level.queue] = level.entries;
    CHECK(std::ranges::count(entries, 0u) == std::ssize(entries));
    CHECK(second.levels.size() > 1000);
    // Stalls are the idle cycles, each once.
    std::vector<uint64_t> idle(second.units.size());
    for (const Stall& stall : second.stalls) idle[stall.unit] += stall.end - stall.begin;
    for (size_t unit = 0; unit < second.units.size(); ++unit)
        if (second.units[unit].kind != UnitKind::Lanes) CHECK(idle[unit] + second.units[unit].busy() == second.cycles);
}

TEST_CASE("the same for any number of host threads: frames and launches begin with an empty machine") {
    Workload work = randomFrames(7, 9);
    MachineOptions keepAll;
    keepAll.keepStalls = keepAll.keepIssues = keepAll.keepLevels = true;
    for (const std::string_view setting : {"block.policy=turns", "block.switch_cycles=3", "second.cache_bytes=65536"}) {
        const Preset preset = with(builtin("tessera"), setting);
        const Result one = simulate(work, preset, keepAll);
        const std::string report = reportJson(one, work);
        checkBooks(one, preset);
        CHECK(one.frames == 9);
        CHECK(one.pieceEnds.size() <= 128);
        CHECK(one.issues.size() == one.instructions);
        CHECK(std::ranges::is_sorted(one.issues, {}, &Issue::cycle));
        uint64_t alone = 0;
        for (const ItemResult& item : one.items) alone += item.alone;
        CHECK(alone == one.cycles);
        for (const int threads : {1, 2, 3, 8}) {
            keepAll.threads = threads;
            const Result more = simulate(work, preset, keepAll);
            CHECK(reportJson(more, work) == report);
            CHECK(more.issues == one.issues);
            CHECK(more.levels == one.levels);
            CHECK(more.stalls.size() == one.stalls.size());
        }
        keepAll.threads = 1;
    }
    // Each frame by itself, with everything at the same addresses, takes the cycles that it takes among others.
    const Preset preset = builtin("tessera");
    const Result all = simulate(work, preset);
    std::vector<CommandWork> frame;
    uint64_t cycles = 0;
    for (const CommandWork& command : std::exchange(work.commands, {})) {
        frame.push_back(command);
        if (command.kind != CommandWork::Kind::EndFrame) continue;
        // The items of other frames are there, and never asked for.
        work.commands = std::exchange(frame, {});
        cycles += simulate(work, preset).cycles;
    }
    CHECK(cycles == all.cycles);
}

TEST_CASE("words through a relay and from prefetch memory: books add up, and no store is left behind") {
    constexpr uint32_t kBlocks = 5, kGroups = 3;
    Build b;
    Build::KernelOptions options;
    options.blocks = kBlocks;
    options.accesses.resize(4);
    for (size_t instruction = 0; instruction < 4; ++instruction)
        for (uint8_t lane = 0; lane < 32; ++lane)
            options.accesses[instruction].push_back({(instruction * 32 + lane) * 4, lane});
    b.launch(b.program(Stage::Compute, {Build::memory(Op::Ld, 0), Build::memory(Op::Ld, 0), Build::memory(Op::St, 0),
                                        Build::memory(Op::St, 0)}),
             kGroups, options);
    constexpr uint64_t kWords = uint64_t{4} * 32 * kBlocks * kGroups;
    for (const char* name : {"miaow_original", "miaow2_dcd", "miaow2"}) {
        for (const char* setting : {"block.processors=1", "block.processors=3", "block.hazards=complete",
                                    "block.hazards=none", "prefetch.bytes=300"}) {
            CAPTURE(name);
            CAPTURE(setting);
            const Preset preset = with(builtin(name), setting);
            const Result result = simulate(b.w, preset);
            checkBooks(result, preset);
            // A relay's words are four bytes each of SDRAM; its time for them is the preset's.
            const uint64_t relayed = (result.sdramRead + result.sdramWritten) / 4;
            const uint64_t outside = 32 * 4 - std::min<uint64_t>(32 * 4, (preset.prefetch.bytes + 3) / 4);
            CHECK(relayed == kWords / (32 * 4) * outside);
            const uint64_t ratio = preset.clock.memory_khz ? preset.clock.memory_khz / preset.clock.khz : 1;
            const uint64_t each = preset.relay.cycles + (preset.relay.memory_cycles + ratio - 1) / ratio;
            CHECK(result.total(UnitKind::Relay, Cause::Busy) == relayed * each);
            CHECK(result.total(UnitKind::BlockProcessor, relayed ? Cause::Relay : Cause::Prefetch) > 0);
        }
    }
}

TEST_CASE("a line that is used again stays, and the least recently used one of its set goes") {
    // One set of four; then two sets, by the exclusive or of four digits of a number.
    LineCache one(4, 4), two(4, 2);
    LineCache::Line evicted;
    for (const uint64_t number : {10, 11, 12, 13}) one.replace(number, &evicted).dirty = number == 11;
    CHECK(evicted.number == LineCache::kNoLine);
    REQUIRE(one.find(10));
    one.replace(14, &evicted);
    CHECK(evicted.number == 11);
    CHECK(evicted.dirty);
    REQUIRE(one.find(12));
    one.replace(15, &evicted);
    CHECK(evicted.number == 13);
    CHECK_FALSE(evicted.dirty);
    CHECK(one.find(10));
    CHECK_FALSE(one.find(11));
    for (const uint64_t number : {0b0000, 0b0001, 0b0011}) two.replace(number, &evicted);  // sets 0, 1, 0
    REQUIRE(two.find(0b0000));
    two.replace(0b0101, &evicted);  // set 0
    CHECK(evicted.number == 0b0011);
    CHECK(two.find(0b0001));
    two.clear();
    CHECK_FALSE(two.find(0b0001));
}

TEST_CASE("more units never cost more than arbitration does") {
    const Workload frame = randomFrame(11);
    const Preset preset = builtin("tessera");
    const uint64_t before = simulate(frame, preset).cycles;
    // Another order of the same work may cost 2 %: what is in a cache when, which group a lookup meets. Each texture
    // engine has a cache of its own, so that a line is fetched by more of them.
    struct More {
        std::string_view setting;
        uint64_t percent;
    };
    for (const More& more : {More{"block.processors=8", 2},
                             {"texture.engines=32", 8},
                             {"pixel.engines=16", 2},
                             {"raster.rasterizers=4", 2},
                             {"sdram.channels=4", 2},
                             {"block.registers=65536", 2},
                             {"texture.cache_lines=128", 2},
                             {"geometry.fifo=64", 2}}) {
        INFO(std::string(more.setting));
        CHECK(simulate(frame, with(preset, more.setting)).cycles * 100 <= before * (100 + more.percent));
    }
}

TEST_CASE("a stall names what it waits for") {
    Build b;
    Build::DrawOptions options;
    options.accesses.resize(2);
    for (uint8_t lane = 0; lane < 16; ++lane) options.accesses[1].push_back({uint64_t{lane} * 64, lane});
    b.draw(b.program(Stage::Vertex, {}),
           b.program(Stage::Fragment,
                     {Build::instruction(Op::Add), Build::instruction(Op::Tex), Build::instruction(Op::Add)}),
           {{{{0, 0}}}}, options);
    MachineOptions keep;
    keep.keepStalls = true;
    const Result result = simulate(b.w, builtin("tessera"), keep);
    const auto found = std::find_if(result.stalls.begin(), result.stalls.end(), [&](const Stall& stall) {
        return result.units[stall.unit].kind == UnitKind::BlockProcessor && stall.cause == Cause::Texture;
    });
    REQUIRE(found != result.stalls.end());
    CHECK(found->draw == 0);
    CHECK(found->program == 1);
    CHECK(found->pc == 1);
    CHECK(result.programs[1][1].stalls[static_cast<size_t>(Cause::Texture)] == found->end - found->begin);
}

TEST_CASE("a group of two blocks executes what their merged traces say") {
    std::mt19937 random(1);
    for (int run = 0; run < 50; ++run) {
        Build b;
        const uint32_t fragment =
            b.program(Stage::Fragment, std::vector<isa::Instruction>(8, Build::instruction(Op::Add)));
        b.draw(b.program(Stage::Vertex, {}), fragment, {{{{0, 0}, {1, 0}}}});
        // Each block skips what it likes, in loops that it leaves when it likes.
        for (Block& block : b.w.blocks) {
            block.trace = {static_cast<uint32_t>(b.w.executed.size()), 0};
            for (uint32_t iteration = 1; iteration <= 1 + random() % 4; ++iteration) {
                for (uint32_t pc = 0; pc < 8; ++pc) {
                    if (random() % 2) continue;
                    b.w.executed.push_back({.pc = pc, .lanes = 0xFFFF, .loopDepth = 1, .iteration = iteration});
                    ++block.trace.count;
                }
            }
        }
        const auto merged = mergeTraces(b.w.trace(b.w.blocks[0].trace), b.w.trace(b.w.blocks[1].trace));
        MachineOptions keep;
        keep.keepIssues = true;
        const Result result = simulate(b.w, builtin("tessera"), keep);
        REQUIRE(result.issues.size() == merged.size());
        for (size_t i = 0; i < merged.size(); ++i) {
            CHECK(result.issues[i].pc == merged[i].pc);
            CHECK(result.issues[i].lanes == static_cast<uint32_t>(std::popcount(merged[i].lanes)));
        }
    }
}

TEST_CASE("a barrier opens when the last group of the block comes") {
    Build b;
    const uint32_t program = b.program(
        Stage::Compute, {Build::instruction(Op::Add), Build::instruction(Op::Bar), Build::instruction(Op::Add)});
    b.launch(program, 3);
    MachineOptions keep;
    keep.keepIssues = true;
    const Result result = simulate(b.w, with(builtin("tessera"), "block.processors=1"), keep);
    // Groups arrive in 18, 19 and 20; the oldest goes first until it waits.
    std::vector<Cycle> issued;
    for (const Issue& issue : result.issues) issued.push_back(issue.cycle - 18);
    CHECK(issued == std::vector<Cycle>{0, 4, 8, 12, 16, 20, 24, 28, 32});
    CHECK(result.issues[6].pc == 2);
}

TEST_CASE("a barrier of two groups opens when two have come") {
    Build b;
    isa::Instruction barrier = Build::instruction(Op::Bar);
    barrier.barrierGroups = 2;
    b.launch(b.program(Stage::Compute, {Build::instruction(Op::Add), barrier, Build::instruction(Op::Add)}), 4);
    MachineOptions keep;
    keep.keepIssues = true;
    const Result result = simulate(b.w, with(builtin("tessera"), "block.processors=1"), keep);
    // The oldest group goes first until it waits: the first two meet, and are through before the others begin.
    std::vector<uint32_t> issued;
    for (const Issue& issue : result.issues) issued.push_back(issue.pc);
    CHECK(issued == std::vector<uint32_t>{0, 1, 0, 1, 2, 2, 0, 1, 0, 1, 2, 2});
}

TEST_CASE("what a machine cannot run is told before") {
    Build b;
    b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, {Build::instruction(Op::Sin)}, 4), {});
    const Preset preset = builtin("tessera");
    CHECK(cannotRun(b.w, preset).empty());
    CHECK(cannotRun(b.w, with(preset, "block.registers=64")) ==
          "program 1: a group of it needs 128 registers, a block processor of tessera has 64; raise block.registers");
    const Preset compute = with(preset, "raster.rasterizers=0");
    CHECK(cannotRun(b.w, compute).find("has no rasterizers") != std::string::npos);
}

TEST_CASE("the report has the instructions of a program that were executed, and no others") {
    Build b;
    const isa::Instruction add = Build::instruction(Op::Add);
    b.launch(b.program(Stage::Compute, {add, add, add}), 2);
    for (KernelGroup& group : b.w.groups) group.trace.count = 2;
    const nlohmann::json report = nlohmann::json::parse(reportJson(simulate(b.w, builtin("tessera")), b.w));
    const nlohmann::json& rows = report["programs"][0]["instructions"];
    REQUIRE(rows.size() == 2);
    for (size_t pc = 0; pc < rows.size(); ++pc) {
        CHECK(rows[pc]["pc"] == pc);
        CHECK(rows[pc]["issues"] == 2);
    }
}

TEST_CASE("the report says what bounds the frame") {
    const Workload frame = randomFrame(5);
    const Result result = simulate(frame, builtin("tessera"));
    const std::string text = reportText(result, frame);
    for (const char* word : {"frames/s", "block processor", "SDRAM", "bound by", "instruction"})
        CHECK_MESSAGE(text.find(word) != std::string::npos, text);
}

TEST_CASE("lines of a texture are read as they are stored: as many requests, and their bytes") {
    const auto requestsOf = [](uint8_t bytes, uint8_t step) {
        Build b;
        Build::DrawOptions options;
        Build::Accesses accesses;
        for (uint8_t lane = 0; lane < 16; ++lane)
            accesses.push_back({.address = 4096 + uint64_t{lane} * 64, .lane = lane, .bytes = bytes, .step = step});
        options.accesses = {accesses};
        b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, {Build::instruction(Op::Tex)}), {{{{0, 0}}}},
               options);
        b.endFrame();
        MachineOptions keep;
        keep.keepRequests = true;
        Result result = simulate(b.w, builtin("tessera"), keep);
        CHECK(result.textureCache.fetched == 16);
        std::erase_if(result.requests, [](const MemoryRequest& request) { return request.write; });
        CHECK(result.requests.size() == 16);
        CHECK(result.sdramRead == 16u * bytes);
        return result.requests;
    };
    for (const auto& [bytes, step] : {std::pair{64, 64}, {32, 32}, {24, 32}, {16, 16}, {8, 8}}) {
        CAPTURE(bytes);
        const std::vector<MemoryRequest> requests = requestsOf(static_cast<uint8_t>(bytes), static_cast<uint8_t>(step));
        for (size_t i = 0; i < requests.size(); ++i) {
            CHECK(requests[i].bytes == static_cast<uint32_t>(bytes));
            CHECK(requests[i].address == requests[0].address + i * static_cast<uint64_t>(step));
            // A request lies in one channel.
            CHECK(requests[i].address / 64 == (requests[i].address + requests[i].bytes - 1) / 64);
        }
    }
    // Four lines share a block of sixteen bytes, which is read for each.
    const std::vector<MemoryRequest> shared = requestsOf(16, 4);
    for (size_t i = 0; i < shared.size(); ++i) CHECK(shared[i].address == shared[0].address + i / 4 * 16);
    CHECK(requestsOf(64, 64)[0].address == 4096);
}

TEST_CASE("what the host sends crosses its bus, and is waited for there") {
    // 8,000 MB/s at 600 MHz are 40/3 bytes in a cycle.
    constexpr uint64_t kBytes = 64'000, kCrossing = kBytes * 3 / 40;
    const auto moved = [](TransferWork::Host host, std::string_view setting) {
        Build b;
        b.transfer(host == TransferWork::Host::None ? 0 : kBytes, kBytes);
        b.w.transfers[0].host = host;
        b.endFrame();
        Result result = simulate(b.w, with(builtin("tessera"), setting));
        checkBooks(result, with(builtin("tessera"), setting));
        return result;
    };
    using Host = TransferWork::Host;
    const Result upload = moved(Host::Read, "host.megabytes=8000");
    CHECK(upload.sdramRead == 0);
    CHECK(upload.sdramWritten == kBytes);
    CHECK(upload.total(UnitKind::HostBus, Cause::Busy) == kCrossing);
    // 16 cycles of the command, the bus, and the last batch of lines on its way to memory.
    CHECK(upload.items[0].end >= 16 + kCrossing);
    CHECK(upload.items[0].end < 16 + kCrossing + 100);
    // It asks for 1,000 lines, a cycle each, and waits for the bus otherwise.
    CHECK(upload.total(UnitKind::Command, Cause::HostBus) > kCrossing - 1000 - 100);
    CHECK(upload.total(UnitKind::Command, Cause::HostBus) <= kCrossing - 1000 + 16);
    CHECK(upload.units[upload.items[0].boundBy].kind == UnitKind::HostBus);

    const Result back = moved(Host::Written, "host.megabytes=8000");
    CHECK(back.sdramRead == kBytes);
    CHECK(back.sdramWritten == 0);
    CHECK(back.total(UnitKind::HostBus, Cause::Busy) >= kCrossing);
    CHECK(back.total(UnitKind::Command, Cause::HostBus) > 0);
    CHECK(back.items[0].end < 16 + kCrossing + 200);

    // Half the bus is twice the time; without one, pixels lie in memory.
    CHECK(moved(Host::Read, "host.megabytes=4000").total(UnitKind::HostBus, Cause::Busy) == 2 * kCrossing);
    const Result without = moved(Host::Read, "host.megabytes=0");
    CHECK(without.sdramRead == kBytes);
    CHECK(without.sdramWritten == kBytes);
    CHECK(without.unitCount(UnitKind::HostBus) == 0);
    CHECK(without.total(UnitKind::Command, Cause::HostBus) == 0);
    CHECK(moved(Host::None, "host.megabytes=8000").total(UnitKind::HostBus, Cause::Busy) == 0);
}

TEST_CASE("commands cross the host's bus while they are read") {
    const auto frame = [](uint32_t bytes, std::string_view setting) {
        Build b;
        b.draw(b.program(Stage::Vertex, {}), b.program(Stage::Fragment, {}), {{{{0, 0}}}});
        b.w.draws[0].commandBytes = bytes;
        b.endFrame();
        return simulate(b.w, with(builtin("tessera"), setting));
    };
    // 8,000 bytes cross in 600 cycles, of which 16 + 8,000 / 16 are reading.
    const Result result = frame(8000, "host.megabytes=8000");
    CHECK(result.total(UnitKind::HostBus, Cause::Busy) == 600);
    CHECK(result.total(UnitKind::Command, Cause::HostBus) == 600 - 516);
    CHECK(result.cycles == frame(8000, "host.megabytes=0").cycles + 600 - 516);
    // 160 bytes cross in 12 cycles, of the 26 that reading takes.
    CHECK(frame(160, "host.megabytes=8000").total(UnitKind::Command, Cause::HostBus) == 0);
}

TEST_CASE("a fast clear marks lines: they are not written, and not read before they are") {
    constexpr uint64_t kBytes = uint64_t{1} << 20;
    const auto frame = [](bool fast, bool clears, bool twice) {
        Build b;
        const uint32_t vertex = b.program(Stage::Vertex, {}), fragment = b.program(Stage::Fragment, {});
        if (clears) {
            b.transfer(0, 2 * kBytes);
            b.w.transfers[0].target = 0;
            b.w.transfers[0].wholeColor = b.w.transfers[0].wholeDepth = true;
            b.w.transfers[0].bytesWhole = 2 * kBytes;
        }
        Build::DrawOptions options;
        options.pixels.depthRead = options.pixels.depthWrite = options.pixels.earlyTests = true;
        options.pixels.colorRead = true;
        b.draw(vertex, fragment, {{Build::square(4, 4)}}, options);
        if (twice) {
            // Another target is drawn to, which writes the changed lines of the first.
            Build::DrawOptions other;
            other.pixels.target = 1;
            b.draw(vertex, fragment, {{{{0, 0}}}}, other);
            b.draw(vertex, fragment, {{Build::square(4, 4)}}, options);
        }
        b.endFrame();
        const Preset preset =
            with(with(builtin("tessera"), "display.hertz=0"), fast ? "command.fast_clear=1" : "command.fast_clear=0");
        Result result = simulate(b.w, preset);
        checkBooks(result, preset);
        return result;
    };
    const Result slow = frame(false, true, false), fast = frame(true, true, false);
    // Sixteen blocks, a line of colours and one of depths each.
    CHECK(slow.sdramRead == 32 * 64);
    CHECK(slow.sdramWritten == 2 * kBytes + 32 * 64);
    CHECK(fast.sdramRead == 0);
    CHECK(fast.sdramWritten == 32 * 64);
    CHECK(fast.earlyCache.fetched + fast.pixelCache.fetched == 0);
    // A mark for each of 32,768 lines, 512 in a cycle, behind the command's 16.
    CHECK(fast.items[1].end - fast.items[1].begin == 16 + 64);
    CHECK(slow.cycles > fast.cycles + 40'000);
    // What has been written since is read; without a clear nothing is marked.
    CHECK(frame(true, true, true).sdramRead == 32 * 64);
    CHECK(frame(true, false, false).sdramRead == 32 * 64);
}

TEST_CASE("scalar lanes take a turn for each component") {
    const auto cyclesOf = [](uint8_t mask, Op op, uint32_t components, std::string_view hazards) {
        std::vector<isa::Instruction> code(10, Build::instruction(op));
        for (isa::Instruction& one : code) one.dst.writeMask = mask;
        Build b;
        b.launch(b.program(Stage::Compute, code), 1);
        Preset preset = with(builtin("tessera"), fmt::format("block.components={}", components));
        preset = with(preset, hazards);
        const Result result = simulate(b.w, preset);
        checkBooks(result, preset);
        uint64_t passes = 0;
        for (const PcResult& row : result.programs[0]) passes += row.cycles;
        return std::pair(result.cycles, passes);
    };
    for (const std::string_view hazards : {"block.hazards=complete", "block.hazards=none"}) {
        CAPTURE(hazards);
        const auto [one, onePasses] = cyclesOf(0x1, Op::Add, 4, hazards);
        CHECK(onePasses == 40);
        // Vectors and single components alike with four; a turn of four passes for each component with one.
        CHECK(cyclesOf(0xF, Op::Add, 4, hazards).first == one);
        CHECK(cyclesOf(0x1, Op::Add, 1, hazards).first == one);
        CHECK(cyclesOf(0x5, Op::Add, 1, hazards).first == one + 10 * 4);
        CHECK(cyclesOf(0xF, Op::Add, 1, hazards).first == one + 10 * 12);
        CHECK(cyclesOf(0xF, Op::Add, 1, hazards).second == 160);
        CHECK(cyclesOf(0x7, Op::Add, 2, hazards).first == one + 10 * 4);
        // A dot product is as many products, whatever it writes.
        CHECK(cyclesOf(0x1, Op::Dp3, 1, hazards).first == one + 10 * 8);
    }
    // Units that are busy for longer than the passes: turns are as far apart.
    Build b;
    std::vector<isa::Instruction> code(1, Build::instruction(Op::Div));
    code[0].dst.writeMask = 0x3;
    b.launch(b.program(Stage::Compute, code), 1);
    const Preset scalar = with(builtin("tessera"), "block.components=1");
    CHECK(simulate(b.w, scalar).cycles == simulate(b.w, builtin("tessera")).cycles + 16);
}

TEST_CASE("narrow registers hold what a program writes of its own") {
    Build b;
    std::vector<isa::Instruction> code = {Build::instruction(Op::Add, 0), Build::instruction(Op::Add, 1),
                                          Build::instruction(Op::Mul, 1)};
    code[0].dst.writeMask = 0x1;
    code[1].dst.writeMask = 0x3;
    code[2].dst.writeMask = 0x4;
    b.launch(b.program(Stage::Compute, code, 3), 1);
    // One of r0, three of r1, and r2, which nothing writes: of 32 threads.
    for (const auto& [components, registers] : {std::pair(1, 5), {2, 4}, {3, 3}, {4, 3}}) {
        const Preset preset = with(builtin("tessera"), fmt::format("block.components={}", components));
        CHECK(cannotRun(b.w, with(preset, fmt::format("block.registers={}", 32 * registers))).empty());
        CHECK_FALSE(cannotRun(b.w, with(preset, fmt::format("block.registers={}", 32 * registers - 1))).empty());
    }
}

TEST_CASE("classes of arithmetic have their own times, and units may be several") {
    const auto cyclesOf = [](Op op, isa::Type type, const std::vector<std::string>& settings) {
        std::vector<isa::Instruction> code(20, Build::instruction(op));
        for (isa::Instruction& one : code) one.type = type;
        Build b;
        b.launch(b.program(Stage::Compute, code), 4);
        Preset preset = builtin("tessera");
        for (const std::string& setting : settings) preset = with(preset, setting);
        const Result result = simulate(b.w, preset);
        checkBooks(result, preset);
        return result.cycles;
    };
    using isa::Type;
    const Cycle usual = cyclesOf(Op::Add, Type::I32, {});
    CHECK(cyclesOf(Op::Mul, Type::I32, {}) == usual);
    CHECK(cyclesOf(Op::Mul, Type::F32, {}) == usual);
    const std::string slow = "instruction.multiply.interval=12";
    CHECK(cyclesOf(Op::Add, Type::I32, {slow}) == usual);
    CHECK(cyclesOf(Op::Mul, Type::F32, {slow}) == usual);
    CHECK(cyclesOf(Op::Mul, Type::I32, {slow}) > 2 * usual);
    CHECK(cyclesOf(Op::Mul, Type::F32, {"instruction.floating.interval=12"}) > 2 * usual);
    // Four groups on four ports take turns at one unit, but not at four.
    const Cycle shared = cyclesOf(Op::Add, Type::I32, {"block.issue=4", "block.processors=1"});
    const Cycle own = cyclesOf(Op::Add, Type::I32, {"block.issue=4", "block.processors=1", "block.arithmetic_units=4"});
    CHECK(shared > 3 * 20 * 4);
    CHECK(own < 20 * 4 + 40);
}

TEST_CASE("with first in first out a line that is used again goes when its time has come") {
    LineCache cache(2, 2, Replacement::FirstInFirstOut);
    LineCache::Line evicted;
    cache.replace(2, &evicted);
    cache.replace(4, &evicted);
    CHECK(cache.find(2));
    cache.replace(6, &evicted);
    CHECK(evicted.number == 2);  // though 4 was not used since
    CHECK(cache.contains(4));
    CHECK(cache.contains(6));
    CHECK_FALSE(cache.contains(2));
    // Asking whether a line is there is no use of it.
    LineCache recent(2, 2);
    recent.replace(2, &evicted);
    recent.replace(4, &evicted);
    CHECK(recent.contains(2));
    recent.replace(6, &evicted);
    CHECK(evicted.number == 2);
}

TEST_CASE("a prefetcher asks for the next line, once, and counts it") {
    const auto simulated = [](std::string_view prefetcher, uint64_t step) {
        Build b;
        Build::KernelOptions options;
        std::vector<isa::Instruction> code;
        for (uint64_t i = 0; i < 16; ++i) {
            code.push_back(Build::memory(Op::Ld, 0));
            options.accesses.push_back({{.address = i * step}});
        }
        options.lanes = 1;
        b.launch(b.program(Stage::Compute, code), 1, options);
        Preset preset = with(with(builtin("tessera"), "global.cache_bytes=8192"), prefetcher);
        const Result result = simulate(b.w, preset);
        checkBooks(result, preset);
        return result;
    };
    // Sixteen lines, one behind the other: every other one is there.
    const Result plain = simulated("global.prefetcher=none", 64), ahead = simulated("global.prefetcher=next_line", 64);
    CHECK(plain.firstCache.misses == 16);
    CHECK(plain.counters.prefetched_lines == 0);
    CHECK(ahead.firstCache.misses == 8);
    CHECK(ahead.firstCache.hits == 8);
    CHECK(ahead.counters.prefetched_lines == 8);
    CHECK(ahead.sdramRead == plain.sdramRead);
    CHECK(ahead.cycles < plain.cycles * 2 / 3);
    // Every other line: what comes is not used, and nothing is faster.
    const Result useless = simulated("global.prefetcher=next_line", 128);
    CHECK(useless.firstCache.misses == 16);
    CHECK(useless.counters.prefetched_lines == 16);
    CHECK(useless.sdramRead == 2 * plain.sdramRead);
}

TEST_CASE("counters are in both reports, by their names") {
    Build b;
    Build::KernelOptions options;
    options.sharedBytes = 4096;
    // Sixteen words of one bank, of 32.
    options.accesses = {{}};
    for (uint8_t lane = 0; lane < 16; ++lane) options.accesses[0].push_back({.address = lane * 128u, .lane = lane});
    b.launch(b.program(Stage::Compute, {Build::memory(Op::Ld, isa::kSharedSlot)}), 1, options);
    const Result result = simulate(b.w, builtin("tessera"));
    CHECK(result.counters.conflict_cycles == 15);
    CHECK(reportText(result, b.w).find("conflict_cycles") != std::string::npos);
    CHECK(reportJson(result, b.w).find("\"conflict_cycles\": 15") != std::string::npos);
}
