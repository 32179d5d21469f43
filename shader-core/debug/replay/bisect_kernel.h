// Where two executors of a launch differ first: the block, then the instruction, group, lane and component.
//
// Blocks are run in order on both sides; halving finds one that leaves different memory behind although it found the
// same. Its program is rewritten so that every result that a lane computes goes to a place of its own in one more
// buffer, and what a store wrote is loaded again and counts as a result. Where the two sides' results differ, an
// observed run of the interpreter says which instruction computed them, and which of them came first.
#pragma once

#include <functional>
#include <optional>

#include "shader-core/debug/replay/launch.h"

namespace tessera::debug {

/// What blocks leave behind.
struct BlocksOutcome {
    Buffers buffers;
    isa::ComputeFault fault;
};
/// Runs `count` blocks of a launch from the first one on: here, or in another process. Nothing when it cannot.
using RunBlocks = std::function<std::optional<BlocksOutcome>(const Launch& launch, uint64_t first, uint64_t count)>;

[[nodiscard]] RunBlocks blocksRunnerOf(std::shared_ptr<isa::Executor> executor);

struct KernelDifference {
    uint64_t block = 0;   ///< the first that differs
    bool faults = false;  ///< it is stopped on one side only, or in different places
    // Else the first byte that differs behind it
    int slot = 0;
    uint64_t byte = 0, bytes = 0;  ///< and how many do

    struct Result {
        uint32_t group = 0;
        int lane = 0;
        uint32_t pc = 0;
        uint64_t count = 0;   ///< instructions that the group had executed before it
        bool stored = false;  ///< it is what the instruction left in memory
        int component = 0;
        uint32_t first = 0, second = 0;  ///< what each computed, as bits
    };
    /// Nothing when the results agree as soon as they are kept, or cannot be.
    std::optional<Result> result;
};

struct KernelComparison {
    bool failed = false;  ///< an executor could not run it
    std::optional<KernelDifference> difference;
};
[[nodiscard]] KernelComparison compareLaunches(const Launch& launch, const RunBlocks& first, const RunBlocks& second);

}  // namespace tessera::debug
