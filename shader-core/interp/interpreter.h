// The reference executor: a 32-thread group at a time over structure-of-arrays registers.
//
// A program is decoded once; each instruction then costs one dispatch for 32 lanes. Diverging lanes are handled by an
// execution mask and a reconvergence stack (W. Fung et al., Dynamic Warp Formation, 2007, section 2). The
// arithmetic is the ISA's to the bit on every SIMD level. See README.md for what the tiers must agree on.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/process/env.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/executor.h"

namespace tessera::interp {

[[nodiscard]] std::shared_ptr<isa::Executor> makeInterpreter();
/// At a level the host can do, for tests that compare them.
[[nodiscard]] std::shared_ptr<isa::Executor> makeInterpreter(SimdLevel level);

/// An open if, loop or call: which of its lanes wait, and where.
enum class EntryKind : uint8_t { If, Loop, Call };
struct StackEntry {
    EntryKind kind;
    uint8_t outerCall;    ///< stack index + 1 of the call around this one (Call), 0: none
    uint8_t outerLoop;    ///< stack index + 1 of the loop around this one (Loop, Call)
    uint32_t waiting;     ///< If: other side; Loop: left by brk; Call: returned
    uint32_t continuing;  ///< Loop: wait for the next iteration
    uint32_t target;      ///< where waiting lanes join: else or endif; endloop; return address
    uint32_t iterations;  ///< Loop: left, with the one that runs; 0: no number
};

/// State of a group before it executes an instruction. The registers may be changed: the group goes on with them.
struct Step {
    uint32_t pc = 0;                               ///< instruction index
    uint32_t execMask = 0;                         ///< lanes that are at this instruction
    uint32_t guardedMask = 0;                      ///< of those, lanes whose guard holds
    uint32_t subsetMask = ~0u;                     ///< lanes of the instruction's active subset
    uint32_t killMask = 0;                         ///< lanes discarded so far
    uint64_t instructions = 0;                     ///< executed before this one
    int stackDepth = 0;                            ///< ifs, loops and calls around this instruction
    const StackEntry* stack = nullptr;             ///< stackDepth entries, outermost first
    isa::GroupRegister* temps = nullptr;           ///< r0..; the bits of an integer stand in the float lanes
    isa::GroupRegister* outputs = nullptr;         ///< o0..
    isa::GroupRegister* address = nullptr;         ///< a0, integers
    uint32_t* predicates = nullptr;                ///< [1..3]: p1..p3, one bit per lane; [0] must stay all ones
    const isa::GroupRegister* specials = nullptr;  ///< s0..; those that the program does not read are undefined

    // Groups of a block
    uint32_t group = 0;           ///< in the block
    std::span<std::byte> shared;  ///< memory of the block; readable until the thread runs another one
};

/// An element of memory that an instruction loads, stores or changes for a lane.
struct ElementAccess {
    uint8_t slot = 0, lane = 0, bytes = 4;
    uint32_t address = 0;  ///< in bytes, in the slot's memory; all of the element is in it
};

/// Told of every instruction of a group, before it executes.
class Observer {
public:
    virtual ~Observer() = default;
    /// False stops the group as if its budget had run out.
    virtual bool before(const Step& step) = 0;
    /// Then of the elements that the instruction accesses, in order.
    virtual void accessed(const ElementAccess&) {}
};

/// Runs one group of a routine made by makeInterpreter()'s executor under observation.
void runObserved(const isa::Routine& routine, isa::GroupRun& run, Observer& observer);

/// Runs blocks of a kernel made by makeInterpreter()'s executor under observation. Groups come in the order in
/// which they run; Step::instructions counts those of the group. Where the observer stops, so do the blocks.
void runObserved(const isa::Kernel& kernel, isa::ComputeRun& run, Observer& observer);

}  // namespace tessera::interp
