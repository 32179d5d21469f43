// Names of the lane functions (lane_functions_simd.cpp).
#pragma once

#include <algorithm>
#include <string_view>

namespace tessera::jit {

/// Bitcode: kInlinePrefix + name. In object files the native function: kCallPrefix + name.
inline constexpr std::string_view kInlinePrefix = "tessera_inline_";
inline constexpr std::string_view kCallPrefix = "tessera_call_";

struct LaneFunction {
    std::string_view name;
    int size;  ///< instructions, roughly, when inlined
};

inline constexpr LaneFunction kLaneFunctions[] = {{"rsq", 12}, {"ex2", 25}, {"lg2", 30},
                                                  {"sin", 45}, {"cos", 45}, {"fma", 25}};

/// The lane function of that name, which must be there.
[[nodiscard]] constexpr const LaneFunction& laneFunction(std::string_view name) {
    return *std::ranges::find(kLaneFunctions, name, &LaneFunction::name);
}

}  // namespace tessera::jit
