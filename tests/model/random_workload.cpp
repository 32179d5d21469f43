#include "tests/model/random_workload.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "base/check.h"
#include "shader-core/isa/program.h"
#include "shader-core/isa/testing/random_instruction.h"

namespace tessera::model::reference {
namespace {

constexpr uint32_t kGroupLanes = 32;
constexpr uint32_t kSharedBytes = 4096;
constexpr uint32_t kBarriers = 3;
constexpr uint32_t kGlobalBytes = 1 << 16;

class Random {
public:
    Random(uint32_t seed, const Variety& variety) : instructions_(seed), variety_(variety) {}

    Preset preset() {
        std::string error;
        Preset preset = *loadPreset("tessera", &error);
        // No graphics: what fills a block processor is then the launches alone.
        preset.raster.rasterizers = 0;
        preset.display.hertz = 0;
        preset.fifo.latency = 1 + below(4);
        preset.dispatch.cycles = 1 + below(oneIn(3) ? 20 : 2);
        preset.block.processors = 1;
        preset.block.groups = oneIn(2) ? 1 + below(6) : 1 + below(64);
        preset.block.lanes = 1u << below(6);
        preset.block.components = oneIn(2) ? 4 : 1 + below(4);
        preset.block.arithmetic_units = oneIn(2) ? 1 : 1 + below(8);
        preset.block.stages = 1 + below(12);
        preset.block.register_granule = 1 + below(4);
        preset.block.registers = 2048 << below(4);
        preset.block.issue = oneIn(2) ? 1 : 1 + below(8);
        preset.block.policy = static_cast<Policy>(below(3));
        preset.block.hazards = static_cast<Hazards>(below(3));
        preset.block.rows = static_cast<Rows>(below(2));
        preset.block.switch_cycles = oneIn(3) ? below(6) : 0;
        preset.block.taken_cycles = oneIn(2) ? below(6) : 0;
        for (const Parameter& parameter : parameters()) {
            if (!parameter.name.starts_with("instruction.") || oneIn(2)) continue;
            parameter.set(preset, 1 + below(oneIn(4) ? 60 : 8));
        }
        preset.shared.banks = oneIn(3) ? 0 : 1u << below(6);
        preset.shared.read_ports = 1 + below(8);
        preset.shared.write_ports = 1 + below(4);
        preset.shared.latency = 1 + below(30);
        preset.global.line_bytes = 64u << below(3);
        preset.global.requests = 1 + below(20);
        preset.global.cache_ways = 1u << below(3);
        preset.global.cache_bytes = oneIn(2) ? 0 : preset.global.line_bytes * preset.global.cache_ways << below(5);
        preset.global.cache_latency = 1 + below(30);
        preset.global.word_cycles = oneIn(3) || variety_.allPrefetched ? 1 + below(6) : 0;
        if (variety_.allPrefetched) {
            preset.prefetch.bytes = kGlobalBytes;
        } else if (preset.global.word_cycles) {
            preset.prefetch.bytes = oneIn(2) ? below(kGlobalBytes) : 0;
            preset.relay.cycles = oneIn(2) ? 1 + below(20) : 0;
            preset.relay.memory_cycles = preset.relay.cycles ? below(20) : 0;
        }
        preset.second.cache_ways = 1u << below(3);
        preset.second.cache_bytes = oneIn(2) ? 0 : preset.global.line_bytes * preset.second.cache_ways << below(6);
        preset.second.slices = 1u << below(3);
        preset.second.latency = 1 + below(40);
        preset.sdram.channels = 1u << below(3);
        preset.sdram.interleave = 64u << below(4);
        preset.sdram.bytes_per_cycle = 1 + below(32);
        preset.sdram.burst_bytes = 1u << below(9);
        preset.sdram.latency = below(80);
        preset.sdram.write_batch = oneIn(2) ? 0 : 1 + below(20);
        preset.sdram.banks = 1u << below(4);
        preset.sdram.row_bytes = 64u << below(6);
        for (uint32_t* cycles :
             {&preset.sdram.activate_cycles, &preset.sdram.precharge_cycles, &preset.sdram.open_cycles,
              &preset.sdram.read_cycles, &preset.sdram.write_cycles, &preset.sdram.read_precharge_cycles,
              &preset.sdram.write_precharge_cycles, &preset.sdram.write_read_cycles, &preset.sdram.read_write_cycles,
              &preset.sdram.activates_apart, &preset.sdram.four_activates})
            *cycles = oneIn(3) ? 0 : below(oneIn(3) ? 40 : 12);
        preset.sdram.refresh_cycles = below(150);
        preset.sdram.refresh_every = oneIn(2) ? 0 : 1400 + below(2000);
        preset.fifo.crossing = below(4);
        preset.clock.memory_khz = oneIn(2) ? 0 : 50000 + 1000 * below(2000);
        preset.texture.engines = 1u << below(5);
        preset.texture.fifo = 1 + below(6);
        preset.texture.ways = 1u << below(3);
        preset.texture.cache_lines = preset.texture.ways << below(4);
        preset.texture.replacement = static_cast<Replacement>(below(2));
        preset.texture.misses = 1 + below(8);
        preset.texture.in_flight = 1 + below(32);
        preset.texture.pipe_cycles = 1 + below(12);
        preset.texture.filter_cycles = 1 + below(12);
        CHECK(!presetProblem(preset));
        return preset;
    }

    Workload workload(const Preset& preset) {
        workload_.name = "random";
        const uint32_t launches = 1 + below(variety_.launches);
        for (uint32_t launch = 0; launch < launches; ++launch) {
            addProgram();
            addLaunch(preset);
        }
        return std::move(workload_);
    }

private:
    uint32_t below(uint32_t n) { return instructions_.below(n); }
    bool oneIn(uint32_t n) { return below(n) == 0; }

    // Programs. Few registers, so that instructions wait for each other.

    bool wanted(isa::Op op) const {
        const isa::Shape shape = isa::opInfo(op).shape;
        return op != isa::Op::Bar && (variety_.sharedMemory || variety_.outsideMemory || !isa::isMemory(shape)) &&
               (variety_.texture || !isa::isTexture(shape));
    }
    isa::Instruction instruction() {
        isa::Instruction made;
        do made = oneIn(3) ? instructions_.next() : instructions_.next(isa::Op::Mad);
        while (!wanted(made.op));
        if (variety_.texture && oneIn(5)) made = instructions_.next(isa::Op::Tex);
        if (!oneIn(4)) made.guard = 0, made.guardNegate = false;
        const auto few = [&](isa::File file, uint16_t& index, bool& relative) {
            if (file == isa::File::R || file == isa::File::O) index %= 5;
            relative = relative && oneIn(6);
        };
        for (isa::Source& source : made.src) few(source.file, source.index, source.relative);
        few(made.dst.file, made.dst.index, made.dst.relative);
        if (isa::isMemory(isa::opInfo(made.op).shape) &&
            (!variety_.outsideMemory || (variety_.sharedMemory && oneIn(2))))
            made.slot = isa::kSharedSlot;
        return made;
    }

    /// Behind the last instruction that anything goes for come barriers: kBarriers for all groups, as many for two.
    /// Each is come to once, so that no group is left behind that another one should have met.
    void addProgram() {
        auto program = std::make_shared<isa::Program>();
        program->stage = isa::Stage::Compute;
        plain_ = 1 + below(30);
        for (uint32_t pc = 0; pc < plain_; ++pc) program->code.push_back(encode(instruction()));
        for (uint8_t i = 0; i < 2 * kBarriers; ++i) {
            isa::Instruction barrier;
            barrier.op = isa::Op::Bar;
            barrier.barrier = i;
            barrier.barrierGroups = i < kBarriers ? 0 : 2;
            program->code.push_back(encode(barrier));
        }
        program->sharedBytes = kSharedBytes;
        workload_.programs.push_back({.program = program, .name = "random", .temporaries = 1 + below(12)});
    }

    // Launches.

    void addLaunch(const Preset& preset) {
        const auto programNumber = static_cast<uint32_t>(workload_.programs.size() - 1);
        const uint32_t granule = preset.block.register_granule;
        const uint32_t narrow = (4 + preset.block.components - 1) / preset.block.components;  // at most, for one
        const uint32_t each =
            (workload_.programs[programNumber].temporaries * narrow + granule - 1) / granule * granule;
        const uint32_t most = std::min(preset.block.groups, preset.block.registers / (preset.block.threads * each));
        const uint32_t groups = 1 + below(std::min(most, variety_.groupsPerBlock)), blocks = 1 + below(8);
        LaunchWork launch{.name = "random",
                          .program = programNumber,
                          .threadsPerBlock = groups * kGroupLanes,
                          .sharedBytes = kSharedBytes << below(3)};
        launch.blocks = {static_cast<uint32_t>(workload_.threadBlocks.size()), blocks};
        for (uint32_t block = 0; block < blocks; ++block) addThreadBlock(groups);
        workload_.commands.push_back(
            {.kind = CommandWork::Kind::Launch, .item = static_cast<uint32_t>(workload_.launches.size())});
        workload_.launches.push_back(std::move(launch));
    }

    /// All groups of it come to the same barriers, in pairs where those are for two.
    void addThreadBlock(uint32_t groups) {
        std::array<uint32_t, kBarriers> barriers{};
        const uint32_t count = !variety_.barriers || oneIn(2) ? 0 : below(barriers.size() + 1);
        for (uint32_t i = 0; i < count; ++i) barriers[i] = i + (groups % 2 == 0 && oneIn(2) ? kBarriers : 0);
        const uint32_t lanes = oneIn(3) ? instructions_.bits() | 1 : ~0u;
        workload_.threadBlocks.push_back({{static_cast<uint32_t>(workload_.groups.size()), groups}});
        for (uint32_t group = 0; group < groups; ++group) {
            const auto first = static_cast<uint32_t>(workload_.executed.size());
            addSteps(lanes);
            for (uint32_t i = 0; i < count; ++i) {
                workload_.executed.push_back({.pc = plain_ + barriers[i], .lanes = lanes});
                addSteps(lanes);
            }
            const auto end = static_cast<uint32_t>(workload_.executed.size());
            workload_.groups.push_back({.lanes = lanes, .trace = {first, end - first}});
        }
    }

    void addSteps(uint32_t lanes) {
        uint32_t pc = below(plain_);
        for (uint32_t steps = 1 + below(20); steps > 0; --steps) {
            Executed executed{.pc = pc, .lanes = lanes & someLanes()};
            addAccesses(executed);
            workload_.executed.push_back(executed);
            pc = oneIn(6) || pc + 1 == plain_ ? below(plain_) : pc + 1;
        }
    }

    uint32_t someLanes() {
        switch (below(6)) {
            case 0:
                return instructions_.bits();
            case 1:
                return instructions_.bits() & instructions_.bits() & instructions_.bits();
            case 2:
                return 1u << below(kGroupLanes);
            case 3:
                return 0xffu << 8 * below(4);
            case 4:
                return oneIn(4) ? 0 : 0xf0f0f0f0;
            default:
                return ~0u;
        }
    }

    void addAccesses(Executed& executed) {
        const isa::Instruction instruction = *isa::decode(workload_.programs.back().program->code[executed.pc]);
        const isa::Shape shape = isa::opInfo(instruction.op).shape;
        const auto first = static_cast<uint32_t>(workload_.accesses.size());
        const uint32_t pattern = below(5);
        const uint64_t base = below(kGlobalBytes / 64) * 64;
        const auto bytes = static_cast<uint8_t>(oneIn(2) ? 64 : 1 + below(64));
        const auto step = static_cast<uint8_t>(oneIn(2) ? 64 : 1u << below(7));
        for (uint32_t lane = 0; lane < kGroupLanes; ++lane) {
            if (!(executed.lanes >> lane & 1)) continue;
            if (isa::isTexture(shape)) {
                for (uint8_t lookup = 0; lookup < 1 + static_cast<uint8_t>(pattern == 0); ++lookup)
                    for (uint32_t line = 0; line < 1 + pattern % 4; ++line)
                        workload_.accesses.push_back({.address = base + below(oneIn(3) ? 40 : 3) * 64,
                                                      .lane = static_cast<uint8_t>(lane),
                                                      .cycles = static_cast<uint8_t>(1 + below(2)),
                                                      .lookup = lookup,
                                                      .bytes = bytes,
                                                      .step = step});
            } else if (isa::isMemory(shape)) {
                const bool shared = instruction.slot == isa::kSharedSlot;
                const uint32_t size = shared ? kSharedBytes : kGlobalBytes;
                const auto address = [&]() -> uint64_t {
                    switch (pattern) {
                        case 0:
                            return base;
                        case 1:
                            return base + uint64_t{lane} * 4;
                        case 2:
                            return base + uint64_t{lane} * 64;
                        case 3:
                            return base + uint64_t{lane} * 12;
                        default:
                            return uint64_t{below(size / 4)} * 4;
                    }
                };
                const uint64_t word = address() % size;
                const int words = isa::opInfo(instruction.op).shape == isa::Shape::DMS1 ||
                                          isa::opInfo(instruction.op).shape == isa::Shape::DMS2
                                      ? 1
                                      : isa::elementCount(instruction);
                for (int i = 0; i < words; ++i)
                    workload_.accesses.push_back(
                        {.address = (word + 4 * static_cast<uint64_t>(i)) % size, .lane = static_cast<uint8_t>(lane)});
            }
        }
        executed.accesses = {first, static_cast<uint32_t>(workload_.accesses.size()) - first};
    }

    isa::RandomInstruction instructions_;
    Variety variety_;
    Workload workload_;
    uint32_t plain_ = 0;  ///< instructions of the program in front of its barriers
};

}  // namespace

RandomCase randomCase(uint32_t seed, const Variety& variety) {
    Random random(seed, variety);
    RandomCase made;
    made.preset = random.preset();
    made.workload = random.workload(made.preset);
    return made;
}

}  // namespace tessera::model::reference
