// What compiling a module costs, before it is paid.
//
// LLVM's code generation has steps whose time grows faster than the code: scheduling long chains of memory accesses,
// moving instructions between many blocks, splitting many live values. Shaders come from anybody, so the cost is
// estimated from the LLVM IR after the passes, where everything that a program becomes large by can be counted.
#pragma once

#include <cstdint>

#include "shader-core/jit/run/compile.h"

namespace llvm {
class Function;
class Instruction;
}  // namespace llvm

namespace tessera::jit {

/// Whether making values of the variables of a lowered function takes too long: each is looked for in every block. At
/// most two seconds are left.
[[nodiscard]] bool tooManyVariables(const llvm::Function& function);

/// Machine instructions that a function becomes, roughly.
[[nodiscard]] uint64_t expectedSize(const llvm::Function& function, SimdLevel level);
[[nodiscard]] uint64_t expectedSize(const llvm::Instruction& instruction, SimdLevel level);

/// Measured on code of many kinds: 60 to 150 us of processor time for each instruction of Effort::Full, 10 to 25 us of
/// Effort::Quick; so code generation takes at most about five seconds and 500 MB.
inline constexpr uint64_t kMaxFullSize = 20'000, kMaxQuickSize = 120'000;
/// With more blocks than this Effort::Full moves instructions between them for too long.
inline constexpr uint64_t kMaxFullBlocks = 1'000;

/// With more loops, one behind the other, it looks for what they have in common: 2 s for a hundred, 9 for two hundred.
inline constexpr uint64_t kMaxFullLoops = 100;

/// For a function of `size` instructions in `blocks` basic blocks.
[[nodiscard]] Effort effortFor(uint64_t size, uint64_t blocks, uint64_t loops);

[[nodiscard]] uint64_t countLoops(llvm::Function& function);

}  // namespace tessera::jit
