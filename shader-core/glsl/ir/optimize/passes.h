// The optimisation passes. Each keeps every result of the shader to the bit (any NaN stands for any other) and
// returns whether it changed anything; optimize() runs them to a fixed point.
#pragma once

#include "shader-core/glsl/ir/ir.h"
#include "shader-core/isa/isa.h"

namespace tessera::glsl::ir {

/// Copies, constants and common subexpressions by value numbering; folds and simplifies each instruction.
bool propagateValues(Module& module);
/// Removes instructions and components that nothing reads.
bool removeDeadCode(Module& module);
/// `t = a * b; ...; o = t` becomes `o = a * b`.
bool forwardDestinations(Module& module);
/// Merges operations on single components of the same registers.
bool mergeComponents(Module& module);
/// Constant conditions, empty arms, and jumps that can carry the condition of the If around them.
bool simplifyControl(Module& module);
/// Copies the bodies of short loops with a known number of iterations, while `budget` instructions last.
bool unrollLoops(Module& module, uint32_t& budget);

/// pow with constant exponents as products. Not of optimize(): results change, within what the language allows.
bool expandPowers(Module& module);

/// Arrays that no index reaches become plain temps.
bool splitArrays(Module& module);

/// Drops the temps that nothing names any more.
void compactTemps(Module& module);

/// Folds and simplifies one instruction in itself. Every source literal becomes a literal result.
bool simplifyInstruction(Instruction& instruction);

}  // namespace tessera::glsl::ir
