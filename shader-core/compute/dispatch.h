// Runs a grid of blocks of a kernel on a pool of threads.
//
// The blocks are dealt to the threads in runs; within a block the kernel runs the groups in a fixed order, so races
// inside a block have one outcome, and across blocks the program has to avoid them (docs/isa.md, compute programs).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

#include "shader-core/isa/compute.h"

namespace tessera {
class ThreadPool;
}

namespace tessera::compute {

/// Instructions that a group may execute where nobody says otherwise.
inline constexpr uint64_t kUsualGroupBudget = uint64_t{1} << 28;

struct LaunchSize {
    std::array<uint32_t, 3> grid{1, 1, 1};
    std::array<uint32_t, 3> block{};      ///< zeros: what the program says
    uint64_t budget = kUsualGroupBudget;  ///< instructions a group may execute
};

/// Fills in the block size that the program says where `size` has none. Why it is no launch, empty when it is one.
[[nodiscard]] std::string resolveSize(const isa::Program& program, LaunchSize& size);

struct DispatchResult {
    bool isDone = false;  ///< every block has run to its end; else there is a fault, or the dispatch was stopped
    isa::ComputeCounters counters;
    isa::ComputeFault fault;  ///< of the block with the lowest number that has one; blocks before it have run
};

/// Runs the grid of `whole` with its memory, constants and budget; returns soon after `stop` is set.
[[nodiscard]] DispatchResult dispatch(ThreadPool& pool, const isa::Kernel& kernel, const isa::ComputeRun& whole,
                                      const std::atomic<bool>& stop);

/// A fault as a sentence: which barrier, at which line, which lanes of which groups are missing.
[[nodiscard]] std::string faultMessage(const isa::Program& program, const isa::ComputeFault& fault,
                                       std::array<uint32_t, 3> grid);

}  // namespace tessera::compute
