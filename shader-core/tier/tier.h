// Which tier executes programs: the one decision for driver, compute devices and tools.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "shader-core/isa/executor.h"

namespace tessera::tier {

enum class Tier : uint8_t {
    Interp,    ///< the interpreter
    Baseline,  ///< compiled before the first run, quickly and without LLVM; what cannot be is interpreted, so are
               ///< kernels
    Jit,       ///< compiled before the first run; what the JIT refuses is interpreted
    Tiered,    ///< interpreted until it is compiled, quickly, then well (shader-core/tier/tiered.h)
};

/// What the tiers are called, in their order: by TESSERA_TIER, programs' options and interfaces.
inline constexpr std::string_view kTierNames[] = {"interp", "baseline", "jit", "tiered"};
[[nodiscard]] std::optional<Tier> tierByName(std::string_view name);

/// TESSERA_TIER, else `usual`: also when it is none of the names, which reportEnvProblems() says.
[[nodiscard]] Tier tierFromEnvironment(Tier usual);

/// An executor of the tier at the process's SIMD level. The JIT is opened when the first program needs it; where it is
/// not there all programs are interpreted.
[[nodiscard]] std::shared_ptr<isa::Executor> makeExecutor(Tier tier);

}  // namespace tessera::tier
