// The JIT with its compiler linked in, for tests and tools that need no library for it.
#pragma once

#include <memory>

#include "shader-core/jit/jit.h"

namespace tessera::jit {

[[nodiscard]] std::shared_ptr<isa::Executor> makeJit(const Options& options);
[[nodiscard]] std::shared_ptr<isa::Executor> makeJit(SimdLevel level);  ///< without disk cache

}  // namespace tessera::jit
