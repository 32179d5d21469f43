// Where compute devices come from.
#pragma once

#include <memory>

#include "shader-core/compute/compute.h"
#include "shader-core/tier/tier.h"

namespace tessera::compute {

/// Where TESSERA_TIER says nothing. A kernel runs for long, or often, and has all threads: interpreted blocks beside
/// the compiler are worth little, and slow it down.
inline constexpr tier::Tier kUsualTier = tier::Tier::Jit;

/// A device with `threads` workers.
[[nodiscard]] std::shared_ptr<Device> openDevice(tier::Tier tier, int threads);

}  // namespace tessera::compute
