// Registers as values within each basic block, in one walk.
//
// LLVM's promotion of variables looks, for each variable and each block that reads and writes it, through the block for
// the first of these: with a thousand registers in one long block, as straight shaders are, that took 8 s. Here loads
// are replaced by what was stored before, one load at the block's begin and one store are left of each variable, and
// nothing has to be looked for.
#pragma once

namespace llvm {
class Function;
}

namespace tessera::jit {

/// For variables of the entry block that are loaded and stored whole. What the function computes stays the same.
void forwardInBlocks(llvm::Function& function);

}  // namespace tessera::jit
