// Legalization, the last steps on IR before registers: what an instruction word cannot hold is split or moved.
#pragma once

#include <string>
#include <vector>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

/// A module whose every instruction is one instruction word.
struct Legalized {
    Module module;
    /// Literals in constant registers; the operands that used them are Uniform operands now. Literal operands that
    /// are left fit the immediate of their instruction.
    std::vector<isa::Literal> literals;
    /// The comparison writes the predicate of the control instruction after it, not its destination.
    std::vector<bool> writesPredicate;
};
/// `firstLiteral`: the constant register after the last uniform.
[[nodiscard]] Legalized legalize(const Module& module, uint32_t firstLiteral);

}  // namespace tessera::glsl::ir
