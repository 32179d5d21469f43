// What programs that never end may take.
#pragma once

#include <cstdint>

namespace tessera {

/// TESSERA_BUDGET: instructions that a block of 16 lanes may execute (docs/isa.md, the budget).
[[nodiscard]] uint64_t instructionBudget();
/// No less than the longest program that ends for sure, so that only loops and calls can overrun.
inline constexpr int kLeastInstructionBudget = 65536;

/// TESSERA_TIME_LIMIT: seconds that one step of a command buffer may take on the GPU; 0: any.
[[nodiscard]] int timeLimit();

}  // namespace tessera
