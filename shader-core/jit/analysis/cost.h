// What compiling a module costs, before it is paid.
//
// LLVM's code generation has steps whose time grows faster than the code: scheduling long chains of memory accesses,
// moving instructions between many blocks, splitting many live values. Shaders come from anybody, so the cost is
// estimated from the LLVM IR after the passes, where everything that a program becomes large by can be counted.
#pragma once

#include <cstdint>

#include "shader-core/jit/compile.h"

namespace llvm {
class Function;
}

namespace tessera::jit {

/// Whether making values of the variables of a lowered function takes too long: each is looked for in every block. At
/// most two seconds are left.
[[nodiscard]] bool tooManyVariables(const llvm::Function& function);

/// Machine instructions that a function becomes, roughly.
[[nodiscard]] uint64_t expectedSize(const llvm::Function& function, SimdLevel level);

/// Measured on code of many kinds: 60 to 150 us of processor time for each instruction of Effort::Full, 10 to 25 us of
/// Effort::Quick; so code generation takes at most about five seconds and 500 MB.
inline constexpr uint64_t kMaxFullSize = 20'000, kMaxQuickSize = 120'000;
/// With more blocks than this Effort::Full moves instructions between them for too long.
inline constexpr uint64_t kMaxFullBlocks = 1'000;

/// With more loops, one behind the other, it looks for what they have in common: 2 s for a hundred, 9 for two hundred.
inline constexpr uint64_t kMaxFullLoops = 100;

/// With more instructions times values alive it looks for registers for too long: 1 s for 2 million on code of many
/// sizes, 8 for 12 million, 18 for 36.
inline constexpr uint64_t kMaxFullPressure = 4'000'000;

/// What a function's code generation takes time by.
struct CodeCost {
    uint64_t size = 0;    ///< expectedSize()
    uint64_t blocks = 0;  ///< basic ones
    uint64_t loops = 0;   ///< countLoops()
    uint64_t alive = 0;   ///< valuesAlive()
};
[[nodiscard]] Effort effortFor(const CodeCost& cost);

[[nodiscard]] uint64_t countLoops(llvm::Function& function);

/// Vectors that are alive at one place, at the most, roughly: blocks are taken to follow each other as they stand.
[[nodiscard]] uint64_t valuesAlive(const llvm::Function& function);

}  // namespace tessera::jit
