// The compute side of the executor interface (shader-core/isa/executor.h): what shader-core/compute asks of a tier.
//
// A launch is a grid of blocks; a block's threads, in the order x, y, z, fill its groups of 32. Within a block the
// groups run one after the other: the runnable group with the lowest number runs until it waits at a barrier or ends.
// So what happens inside a block is the same on every tier and thread count, races included. Blocks run in any order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shader-core/isa/core.h"

namespace tessera::isa {

/// Memory that a slot is bound to: at most 4 GiB, starting at a multiple of four bytes.
struct BufferBinding {
    std::byte* data = nullptr;
    uint64_t size = 0;
};

/// Sums over what ran.
struct ComputeCounters {
    uint64_t blocks = 0;
    uint64_t groups = 0;
    uint64_t instructions = 0;  ///< executed by groups
    uint64_t barriers = 0;      ///< arrivals of groups at block barriers
    uint64_t outOfRange = 0;    ///< elements that lanes accessed outside their buffers
    void add(const ComputeCounters& other) {
        blocks += other.blocks;
        groups += other.groups;
        instructions += other.instructions;
        barriers += other.barriers;
        outOfRange += other.outOfRange;
    }
    bool operator==(const ComputeCounters&) const = default;
};

enum class FaultKind : uint8_t {
    None,
    OutOfBudget,     ///< a group executed more instructions than it may
    DivergentLanes,  ///< a group came to a barrier without all its lanes
    MissingGroups,   ///< every group that has not ended waits, and no barrier has the groups it needs
};

/// Why a block was stopped. What it had written until then stays written.
struct ComputeFault {
    FaultKind kind = FaultKind::None;
    uint64_t block = 0;        ///< as one number
    uint32_t group = 0;        ///< that ran out, came with too few lanes, or waits
    uint32_t instruction = 0;  ///< the barrier; where the budget ran out, 0 when the tier does not know
    uint8_t barrier = 0;
    std::array<uint32_t, kMaxThreadBlockGroups> missing{};  ///< lanes that are not at the barrier, for each group
};

/// Blocks of one launch, to be run one after the other by one thread. All pointers are the caller's.
struct ComputeRun {
    const float (*constants)[4] = nullptr;  ///< c0.., literals filled in, Program::constantCount registers
    std::array<BufferBinding, kMaxBuffers> buffers;
    std::array<uint32_t, 3> grid{1, 1, 1};
    uint64_t budget = UINT64_MAX;  ///< instructions a group may execute
    uint64_t firstBlock = 0, blockCount = 1;

    // Results, which add up over runs
    ComputeCounters counters;
    ComputeFault fault;  ///< the run ends with the block that has one
};

/// A program made ready for one block size. Immutable and shared between threads.
class Kernel {
public:
    virtual ~Kernel() = default;
    virtual void run(ComputeRun& run) const = 0;
};

}  // namespace tessera::isa
