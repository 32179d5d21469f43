// What compiled code may call by name: the lane functions, and what LLVM makes of filling and copying memory. The
// compiler numbers them, the loader has their addresses.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/simd_levels.h"
#include "shader-core/jit/run/lane_functions.h"

namespace tessera::jit {

inline constexpr std::string_view kMemoryFunctions[] = {"memset", "memcpy"};
inline constexpr uint32_t kCallees = std::size(kLaneFunctions) + std::size(kMemoryFunctions);

/// The number of the callee that a symbol of an object file names, if it is one of these.
[[nodiscard]] constexpr std::optional<uint32_t> calleeNumber(std::string_view symbol) {
    uint32_t number = 0;
    for (const LaneFunction& f : kLaneFunctions) {
        if (symbol.starts_with(kCallPrefix) && symbol.substr(kCallPrefix.size()) == f.name) return number;
        ++number;
    }
    for (const std::string_view name : kMemoryFunctions) {
        if (symbol == name) return number;
        ++number;
    }
    return std::nullopt;
}

/// `number` < kCallees. Lane functions are those of the level.
[[nodiscard]] const void* calleeAddress(uint32_t number, SimdLevel level);

}  // namespace tessera::jit
