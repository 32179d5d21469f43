#include "shader-core/debug/replay/launch.h"
#include "shader-core/isa/program.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace tessera::debug {

namespace {

uint64_t product(const std::array<uint32_t, 3>& n) { return uint64_t{n[0]} * n[1] * n[2]; }

/// Number `index` of a grid or block of that size: x, y, z, and the number itself. An empty one, as a file may hold, is
/// of one.
std::array<uint32_t, 4> placeIn(const std::array<uint32_t, 3>& size, uint64_t index) {
    const uint64_t x = std::max(size[0], 1u), y = std::max(size[1], 1u);
    return {static_cast<uint32_t>(index % x), static_cast<uint32_t>(index / x % y),
            static_cast<uint32_t>(index / x / y), static_cast<uint32_t>(index)};
}

/// All that a compute program could read, as a user may ask for those that it does not read.
void fillSpecials(const Launch& launch, Group& group) {
    const auto set = [&](isa::Special special, size_t lane, const std::array<uint32_t, 4>& values) {
        for (size_t c = 0; c < values.size(); ++c)
            group.specials[static_cast<size_t>(special)].lane[c][lane] = std::bit_cast<float>(values[c]);
    };
    const auto sizeOf = [](const std::array<uint32_t, 3>& n) {
        return std::array{n[0], n[1], n[2], static_cast<uint32_t>(product(n))};
    };
    for (size_t lane = 0; lane < isa::kGroupSize; ++lane) {
        set(isa::Special::Thread, lane, placeIn(launch.block, uint64_t{group.number} * isa::kGroupSize + lane));
        set(isa::Special::Block, lane, placeIn(launch.grid, group.block));
        set(isa::Special::ThreadBlockSize, lane, sizeOf(launch.block));
        set(isa::Special::GridSize, lane, sizeOf(launch.grid));
        set(isa::Special::Group, lane, {group.number, groupCount(launch), 0, 0});
    }
}

}  // namespace

uint64_t blockCount(const Launch& launch) { return product(launch.grid); }

uint32_t groupCount(const Launch& launch) {
    return static_cast<uint32_t>((product(launch.block) + isa::kGroupSize - 1) / isa::kGroupSize);
}

isa::ComputeRun computeRun(const Launch& launch, std::span<std::vector<std::byte>> buffers) {
    isa::ComputeRun run;
    run.constants = reinterpret_cast<const float(*)[4]>(launch.constants.data());
    run.grid = launch.grid;
    run.budget = launch.budget;
    for (size_t slot = 0; slot < buffers.size(); ++slot)
        run.buffers[slot] = {buffers[slot].data(), buffers[slot].size()};
    return run;
}

isa::ComputeFault runBlocks(Launch& launch, const isa::Kernel& kernel, uint64_t first, uint64_t count) {
    isa::ComputeRun run = computeRun(launch, launch.buffers);
    run.firstBlock = first;
    run.blockCount = count;
    if (count != 0) kernel.run(run);
    return run.fault;
}

std::vector<Group> groupsOf(const std::shared_ptr<const Launch>& launch, uint64_t block) {
    const uint64_t threads = product(launch->block);
    const auto memory = std::make_shared<ThreadBlockMemory>();
    std::vector<Group> groups(groupCount(*launch));
    for (size_t g = 0; g < groups.size(); ++g) {
        Group& group = groups[g];
        group.program = launch->program;
        group.constants = launch->constants;
        group.budget = launch->budget;
        group.launch = launch;
        group.block = block;
        group.number = static_cast<uint32_t>(g);
        group.memory = memory;
        const uint64_t lanes = std::min<uint64_t>(threads - g * isa::kGroupSize, isa::kGroupSize);
        group.activeMask = static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
        for (uint64_t lane = 0; lane < lanes; ++lane) {
            const auto [x, y, z, number] = placeIn(launch->block, g * isa::kGroupSize + lane);
            group.laneNames[lane] = fmt::format("thread {},{},{}", x, y, z);
        }
        fillSpecials(*launch, group);
    }
    return groups;
}

std::string memoryName(const isa::Program& program, int slot) {
    if (slot == isa::kSharedSlot) return "shared";
    for (const isa::Buffer& buffer : program.buffers)
        if (buffer.slot == slot) return buffer.name;
    return fmt::format("b{}", slot);
}

std::optional<int> memorySlot(const isa::Program& program, std::string_view name) {
    if (name == "shared" && program.sharedBytes != 0) return isa::kSharedSlot;
    for (const isa::Buffer& buffer : program.buffers)
        if (buffer.name == name) return buffer.slot;
    return std::nullopt;
}

}  // namespace tessera::debug
