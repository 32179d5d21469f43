// Booleans are 1.0 and 0.0 in registers, as comparisons give them, and are looked at by other comparisons: `&&`, `||`,
// `!` and an else are that. Where a program's values show that both sides of a comparison are such numbers, what it
// gives follows from the masks they were made of, without a number.
#pragma once

namespace llvm {
class Function;
}

namespace tessera::jit {

/// Expects registers to be values already.
void resolveBooleans(llvm::Function& function);

}  // namespace tessera::jit
