// Where compute devices come from: the tiers of this build, put together.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "shader-core/compute/compute.h"

namespace tessera::compute {

enum class Tier { Interp, Jit };

/// "interp" and "jit"; "tiered" is the JIT too, as kernels are compiled when they are launched first.
[[nodiscard]] std::optional<Tier> tierByName(std::string_view name);
/// TESSERA_TIER; the JIT when unset.
[[nodiscard]] Tier tierFromEnvironment();

/// A device with `threads` workers. Without libtessera_jit.so.0 (base/own_folder.h: where) kernels run on the
/// interpreter.
[[nodiscard]] std::shared_ptr<Device> openDevice(Tier tier, int threads);

}  // namespace tessera::compute
