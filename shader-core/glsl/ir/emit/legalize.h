// Legalization, the last steps on IR before registers: what an instruction word cannot hold is split or moved.
#pragma once

#include <string>
#include <vector>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

/// A function whose every instruction is one instruction word.
struct Legalized {
    /// Operands that used literals which are in constant registers are Uniform operands now. Literal operands that are
    /// left fit the immediate of their instruction.
    Module module;
    /// The comparison writes the predicate of the control instruction after it, not its destination.
    std::vector<bool> writesPredicate;
};
struct LegalizedShader {
    std::vector<Legalized> functions;    ///< the main program, then Module::functions
    std::vector<isa::Literal> literals;  ///< in constant registers
};
/// `firstLiteral`: the constant register after the last uniform.
[[nodiscard]] LegalizedShader legalize(const Module& module, uint32_t firstLiteral);

}  // namespace tessera::glsl::ir
