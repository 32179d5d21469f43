// Values of the uniforms that generated programs declare (program_text.cpp), out of the state.
#pragma once

#include <string_view>

#include "api/gles1/fixed_state.h"

namespace tessera::gles1 {

/// What values are made of once for all uniforms of a draw.
struct UniformInputs {
    explicit UniformInputs(const FixedState& state);
    const FixedState& state;
    std::array<const Light*, kMaxLights> enabledLights{};  ///< in order; the first `light` structures of programs
    Matrix modelViewInverse;                               ///< where the normal matrix comes from
};

/// Writes at most 16 values of the uniform to `out`. `name` is the uniform's name without an array index, which is
/// `index`, as a digit at the name's end is.
using UniformValue = void (*)(const UniformInputs& inputs, size_t index, float* out);
struct UniformSource {
    UniformValue value = nullptr;  ///< null: the name is none of ours
    size_t index = 0;
};
[[nodiscard]] UniformSource uniformSource(std::string_view name);

}  // namespace tessera::gles1
