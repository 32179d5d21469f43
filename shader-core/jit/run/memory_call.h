// How kernels ask for the elements that their short ways leave over: memory_call_*.S.
#pragma once

#include "base/simd_levels.h"
#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

/// KernelFrame::keepingMemory of code of the level.
[[nodiscard]] MemoryFunction keepingMemory(SimdLevel level);

}  // namespace tessera::jit
