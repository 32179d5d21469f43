// Lane functions of a pair of blocks (isa_to_llvm.h), inlined so that their instructions alternate: first one block's
// first instruction, then the other's. A function is a chain of results that wait for each other, so the two chains
// should be near enough to each other for the processor to see both.
#pragma once

namespace llvm {
class Function;
}

namespace tessera::jit {

/// Inlines calls of wrappers (kWrapperPrefix) that stand in twos; others are left alone.
void inlineAlternating(llvm::Function& function);

}  // namespace tessera::jit
