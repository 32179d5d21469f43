// Long straight code runs on a part of a block's lanes, then on the next.
//
// Where sixteen lanes are several registers, an operation is as many instructions. Code that is longer than the
// processor's first cache of instructions comes from the second one for each block, at half the rate. Made for eight or
// four lanes it is a half or a quarter as long and takes as much less time to compile. What is lost is company: a chain
// of operations that wait for each other has the chains of fewer lanes beside it (docs/notes/programs.md, Long code in
// parts).
#pragma once

#include "base/simd_levels.h"

namespace llvm {
class Function;
}

namespace tessera::jit {

/// How many lanes a program should run at a time, of which `block` is the function that runs all: these, or a half or a
/// quarter of them, `least` or more. All, where there are branches or calls.
[[nodiscard]] unsigned lanesAtATime(const llvm::Function& block, SimdLevel level, unsigned least);

/// Makes a function of a block, under the name that `part` has, which runs `lanes` lanes: it calls that one for each
/// part, with a frame whose rows begin there.
void runInParts(llvm::Function& part, unsigned lanes);

}  // namespace tessera::jit
