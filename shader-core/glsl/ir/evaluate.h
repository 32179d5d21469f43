// The arithmetic of the ISA on single values, for folding: the bits an executor would compute.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

/// One component of a component-wise operation; nothing when it is not folded. NaN results are canonical.
[[nodiscard]] std::optional<uint32_t> evaluate(Op op, Type type, uint32_t a, uint32_t b, uint32_t c);
/// dp3 and dp4.
[[nodiscard]] std::optional<uint32_t> evaluateDot(Op op, const std::array<uint32_t, 4>& a,
                                                  const std::array<uint32_t, 4>& b);
/// Clamped to 0..1, NaN to 0.
[[nodiscard]] uint32_t saturateBits(uint32_t bits);

}  // namespace tessera::glsl::ir
