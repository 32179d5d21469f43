// What programs that never end may take.
#pragma once

#include <cstdint>

namespace tessera {

/// TESSERA_BUDGET: instructions that a block of 16 lanes may execute (docs/isa.md, the budget).
[[nodiscard]] uint64_t instructionBudget();
/// No less than the longest program that ends for sure, so that only loops and calls can overrun.
inline constexpr int kLeastInstructionBudget = 65536;

}  // namespace tessera
