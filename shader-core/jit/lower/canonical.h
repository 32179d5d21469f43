// Removes the canonical-NaN steps that nobody can tell.
//
// Every computed NaN is 0x7fc00000 by definition, so IsaToLlvm wraps each result in a call of kCanonicalName. But a
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

/// LLVM takes "x < c ? x : c", c being a number, for minNum of IEEE-754 where the host has it; that makes a NaN of a
/// signalling NaN, which as an operand of the comparison gives c. Afterwards each selection compares a copy of x, which
/// is no pattern. After the last pass that could see through copies.
void keepComparisons(llvm::Function& function);

}  // namespace tessera::jit
