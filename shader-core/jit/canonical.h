// Removes the canonical-NaN steps that nobody can tell.
//
// Every computed NaN is 0x7fc00000 by definition, so the lowering wraps each result in a call of kCanonicalName. But a
// NaN that only goes into further arithmetic or comparisons can have any bits: what comes out is wrapped again. Bits of
// a value matter when it is stored, read as an integer, or handed to other code; that passes backwards through phi,
// select, negation, absolute value and shuffles, and stops at arithmetic.
#pragma once

namespace llvm {
class Function;
}

namespace tessera::jit {

/// Expects registers to be values already. Afterwards no call of kCanonicalName is left.
void resolveCanonical(llvm::Function& function);

}  // namespace tessera::jit
