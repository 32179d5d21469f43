// Names and addresses of the lane functions (lane_functions_simd.cpp).
#pragma once

#include <array>
#include <string_view>

#include "base/simd_levels.h"

namespace tessera::jit {

/// Bitcode: kInlinePrefix + name. In object files the native function: kCallPrefix + name.
inline constexpr const char* kInlinePrefix = "tessera_inline_";
inline constexpr const char* kCallPrefix = "tessera_call_";

struct LaneFunction {
    std::string_view name;
    int size;                                        ///< instructions, roughly, when inlined
    std::array<void*, kSimdLevelCount> native = {};  ///< by SIMD level
};

inline constexpr int kLaneFunctionCount = 8;
[[nodiscard]] const std::array<LaneFunction, kLaneFunctionCount>& laneFunctions();
[[nodiscard]] const LaneFunction& laneFunction(std::string_view name);

}  // namespace tessera::jit
