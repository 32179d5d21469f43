// What instructions compute, on the bits of one lane (docs/isa.md).
//
// For whoever needs a value and no machine: the compiler folds constants with it, the debugger evaluates expressions.
// Interpreter, JIT and the definition that tests hold them to (tests/certify) are each written apart from it and from
// each other; tests/certify/scalar_test.cpp compares it with the definition, instruction by instruction.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "shader-core/isa/isa.h"

namespace tessera::isa::scalar {

inline constexpr uint32_t kOne = 0x3f800000;  ///< 1.0, which a comparison gives when it holds

/// One component of the result, of the same component of the operands. Nothing for instructions that do not compute
/// component by component: those of across(), and what has to do with other lanes, textures, memory or control.
/// The type is one that the instruction has; operands that it does not have are ignored.
[[nodiscard]] std::optional<uint32_t> component(Op op, Type type, uint32_t a, uint32_t b = 0, uint32_t c = 0);

using Register = std::array<uint32_t, 4>;
/// All components of the result of dp3, dp4, lit or nrm; nothing for others.
[[nodiscard]] std::optional<Register> across(Op op, const Register& a, const Register& b = {});

/// A source as its modifiers make it, `type` being isa::sourceType().
[[nodiscard]] uint32_t modified(Type type, uint32_t bits, bool absolute, bool negate);
/// Clamped to 0..1, NaN to 0.
[[nodiscard]] uint32_t saturated(uint32_t bits);
/// Whether a value counts as true: as an integer what is not 0, as a float what is neither zero; NaN does.
[[nodiscard]] bool holds(Type type, uint32_t bits);

}  // namespace tessera::isa::scalar
