// Runs a verified program on the interpreter with hostile registers, at every SIMD level of the host, and compares.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <random>

#include "shader-core/interp/testing/group.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/program.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/echo_textures.h"

namespace tessera::fuzz {

inline constexpr uint64_t kBudget = 3000;

/// Every register of the group from `seed`: numbers, integers, infinities, NaNs.
inline void fill(interp::TestGroup& group, uint32_t seed) {
    std::mt19937 random(seed);
    const auto value = [&random] {
        static constexpr uint32_t kSpecial[] = {0,           0x80000000u, 1,           0x7f800000u, 0xff800000u,
                                                0x7fc00000u, 0x7f800001u, 0x3f800000u, 0xffffffffu, 0x4f000000u,
                                                0xcf000000u, 511,         512};
        const auto bits = static_cast<uint32_t>(random());
        if (bits % 4 == 0) return kSpecial[bits / 4 % std::size(kSpecial)];
        return bits % 4 == 1 ? bits >> 28 : bits;
    };
    const auto fillRegister = [&](isa::GroupRegister& r) {
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < isa::kGroupSize; ++lane) interp::TestGroup::set(r, c, lane, value());
    };
    for (isa::GroupRegister& r : group.inputs) fillRegister(r);
    for (isa::GroupRegister& r : group.specials) fillRegister(r);
    for (auto& constant : group.constants)
        for (float& component : constant) component = __builtin_bit_cast(float, value());
}

/// The constants of a run of `program`. They end where the program's end, so that a read beyond them is seen.
inline std::vector<std::array<float, 4>> constantsOf(const isa::Program& program, const interp::TestGroup& group) {
    std::vector<std::array<float, 4>> constants(group.constants.begin(),
                                                group.constants.begin() + program.constantCount);
    for (const isa::Literal& literal : program.literals)
        std::memcpy(constants[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
    return constants;
}

/// What two blocks of a compute program leave behind.
struct Blocks {
    std::vector<std::vector<std::byte>> memory;
    isa::ComputeCounters counters;
    isa::FaultKind fault = isa::FaultKind::None;
    bool operator==(const Blocks&) const = default;
};

/// Whether two blocks are run at all: large ones are slow, and no different.
[[nodiscard]] inline bool isSmall(const isa::Program& program) {
    return uint64_t{program.blockSize[0]} * program.blockSize[1] * program.blockSize[2] <= 256;
}

/// With buffers that end at odd places.
[[nodiscard]] inline Blocks runBlocks(const isa::Program& program, const isa::Kernel& kernel, uint32_t seed) {
    interp::TestGroup registers;
    fill(registers, seed);
    const std::vector<std::array<float, 4>> constants = constantsOf(program, registers);
    Blocks blocks;
    for (int slot = 0; slot < isa::kMaxBuffers; ++slot)
        blocks.memory.emplace_back(static_cast<size_t>(slot) * 5,
                                   static_cast<std::byte>(seed + static_cast<uint32_t>(slot)));
    isa::ComputeRun run;
    run.constants = reinterpret_cast<const float(*)[4]>(constants.data());
    for (size_t slot = 0; slot < blocks.memory.size(); ++slot)
        run.buffers[slot] = {blocks.memory[slot].data(), blocks.memory[slot].size()};
    run.grid = {2, 1, 1};
    run.blockCount = 2;
    run.budget = kBudget;
    kernel.run(run);
    blocks.counters = run.counters;
    blocks.fault = run.fault.kind;
    return blocks;
}

/// Threads of a block as a kernel is prepared for.
[[nodiscard]] inline std::array<uint32_t, 3> blockOf(const isa::Program& program) {
    return {program.blockSize[0], program.blockSize[1], program.blockSize[2]};
}

/// Runs `group`, which fill() has filled, on one tier.
inline void runGroup(const isa::Program& program, const isa::Routine& routine, interp::TestGroup& group) {
    static const EchoTextures textures(0, false);
    const std::vector<std::array<float, 4>> constants = constantsOf(program, group);
    group.run.constants = reinterpret_cast<const float(*)[4]>(constants.data());
    group.run.textures = &textures;
    group.run.budget = kBudget;
    routine.run(group.run);
    demand(group.run.instructions <= 2 * kBudget, "the budget of both blocks holds");
}

inline void executeBlocks(const std::shared_ptr<const isa::Program>& program, uint32_t seed) {
    if (!isSmall(*program)) return;
    std::optional<Blocks> first;
    for (const SimdLevel level : simdLevels()) {
        const auto kernel = interp::makeInterpreter(level)->prepareKernel(program, blockOf(*program));
        if (!kernel) return;
        const Blocks blocks = runBlocks(*program, *kernel, seed);
        if (!first) first = blocks;
        demand(*first == blocks, "SIMD levels agree on memory");
    }
}

/// `program` has passed verify(). Demands: the budget holds, helpers leave nothing, all SIMD levels agree to the bit.
inline void execute(const std::shared_ptr<const isa::Program>& program, uint32_t seed) {
    if (program->stage == isa::Stage::Compute) return executeBlocks(program, seed);
    std::unique_ptr<interp::TestGroup> first;
    for (const SimdLevel level : simdLevels()) {
        auto group = std::make_unique<interp::TestGroup>();
        fill(*group, seed);
        group->run.activeMask = seed % 3 ? ~0u : seed * 2654435761u;
        if (program->stage == isa::Stage::Fragment) group->run.helperMask = group->run.activeMask & seed * 40503u;
        runGroup(*program, *interp::makeInterpreter(level)->prepare(program), *group);
        if (!first) {
            first = std::move(group);
            continue;
        }
        demand(first->run.instructions == group->run.instructions && first->run.killMask == group->run.killMask &&
                   first->run.budgetExceeded == group->run.budgetExceeded,
               "SIMD levels agree on control flow");
        for (int o = 0; o < isa::kMaxOutputs; ++o)
            if (program->outputMask.has(o))
                demand(std::memcmp(&first->outputs[o], &group->outputs[o], sizeof group->outputs[o]) == 0,
                       "SIMD levels agree on the outputs");
    }
}

}  // namespace tessera::fuzz
