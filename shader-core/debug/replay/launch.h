// A launch of a compute program with all that it reads, owned, and the groups of one of its blocks.
//
// The groups of a block share memory and run in a fixed order
// (docs/adr/0011-groups-of-a-block-run-in-a-fixed-order.md), so a block too is a function of its inputs: the memory
// before it. Blocks that come before are run in the order of their numbers.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/debug/replay/group.h"
#include "shader-core/isa/compute.h"

namespace tessera::debug {

using Buffers = std::array<std::vector<std::byte>, isa::kMaxBuffers>;  ///< by slot; those not bound are empty

struct Launch {
    std::shared_ptr<const isa::Program> program;  ///< has passed isa::verify()
    std::vector<std::array<float, 4>> constants;  ///< literals filled in; at least Program::constantCount
    std::array<uint32_t, 3> grid{1, 1, 1};
    std::array<uint32_t, 3> block{isa::kGroupSize, 1, 1};  ///< threads
    uint64_t budget = kInstructionBudget;                  ///< instructions a group may execute
    Buffers buffers;
};

/// Blocks of the grid; fewer than 2^32.
[[nodiscard]] uint64_t blockCount(const Launch& launch);
/// Groups of a block.
[[nodiscard]] uint32_t groupCount(const Launch& launch);

/// A ComputeRun of the launch over `buffers`, which are the caller's.
[[nodiscard]] isa::ComputeRun computeRun(const Launch& launch, std::span<std::vector<std::byte>> buffers);

/// Runs `count` blocks from `first` on, one after the other, on the launch's own buffers.
[[nodiscard]] isa::ComputeFault runBlocks(Launch& launch, const isa::Kernel& kernel, uint64_t first, uint64_t count);

/// The groups of a block. The launch's buffers are as they are before it.
[[nodiscard]] std::vector<Group> groupsOf(const std::shared_ptr<const Launch>& launch, uint64_t block);

/// Where a memory operand of a program lies: "input", "shared".
[[nodiscard]] std::string memoryName(const isa::Program& program, int slot);
/// The slot of a declared buffer, or of "shared".
[[nodiscard]] std::optional<int> memorySlot(const isa::Program& program, std::string_view name);

}  // namespace tessera::debug
