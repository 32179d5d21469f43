// A group of 32 lanes with all that it reads, owned: what the debugger, the tracer and the comparison of tiers execute
// as often as they like, always with the same result.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "shader-core/isa/compute.h"
#include "shader-core/isa/executor.h"

namespace tessera::debug {

/// Instructions a group may execute before it counts as one that never ends.
inline constexpr uint64_t kInstructionBudget = uint64_t{1} << 24;

struct Launch;  // launch.h

/// Memory of a block while its groups are executed, by slot; the last one is shared memory.
struct ThreadBlockMemory {
    std::array<std::vector<std::byte>, isa::kSharedSlot + 1> bytes;
    int group = -1;  ///< it is as that group's replay sees it; -1: in between
};

struct Group {
    std::shared_ptr<const isa::Program> program;  ///< has passed isa::verify()
    uint32_t activeMask = 1;                      ///< lanes to execute, helpers included
    uint32_t helperMask = 0;                      ///< of those, lanes that only serve derivatives
    std::array<isa::GroupRegister, isa::kMaxInputs> inputs{};
    std::array<isa::GroupRegister, isa::kSpecials> specials{};
    isa::RegisterMask knownSpecials = ~isa::RegisterMask();  ///< of those, the ones that have values
    /// Constant registers, literals filled in; at least Program::constantCount.
    std::vector<std::array<float, 4>> constants;
    std::shared_ptr<const isa::TextureUnits> textures;  ///< null: every lookup reads (0, 0, 0, 1)
    uint64_t budget = kInstructionBudget;
    std::array<std::string, isa::kGroupSize> laneNames;  ///< "pixel 12,34", "vertex 7", "thread 5,0,0"; may be empty

    // Of a compute program: one of the groups of a block, which are executed together
    std::shared_ptr<const Launch> launch;       ///< its buffers are as before the block
    uint64_t block = 0;                         ///< in the grid, as one number
    uint32_t number = 0;                        ///< in the block
    std::shared_ptr<ThreadBlockMemory> memory;  ///< which the groups of the block share
};

/// What a run of a group leaves behind.
struct Outcome {
    std::array<isa::GroupRegister, isa::kMaxOutputs> outputs{};
    uint32_t killMask = 0;
    bool budgetExceeded = false;
    uint64_t instructions = 0;
    isa::ComputeFault fault;  ///< of the block, which ended with it
};

/// A GroupRun over the group's registers; `outputs` are the caller's.
[[nodiscard]] isa::GroupRun groupRun(const Group& group, isa::GroupRegister* outputs);

[[nodiscard]] Outcome runGroup(const Group& group, const isa::Routine& routine);

/// Makes the constant registers as long as the program wants and fills in its literals.
void fillLiterals(Group& group);

/// Lanes of a fragment group stand in two blocks of 4x4 pixels: the place of a lane in them, x 0..7, y 0..3.
[[nodiscard]] constexpr int laneX(int lane) { return lane / 16 * 4 + lane % 4; }
[[nodiscard]] constexpr int laneY(int lane) { return lane % 16 / 4; }

}  // namespace tessera::debug
