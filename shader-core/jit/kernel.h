// What machine code of a compute program is run with.
#pragma once

#include <memory>

#include "base/simd_levels.h"
#include "shader-core/isa/compute.h"
#include "shader-core/jit/run/compile.h"
#include "shader-core/jit/run/loader.h"

namespace tessera::jit {

/// `code` was compiled from `program` for blocks of that size.
[[nodiscard]] std::shared_ptr<const isa::Kernel> makeKernel(CodePointer code, SimdLevel level,
                                                            std::shared_ptr<const isa::Program> program,
                                                            const ThreadBlockSize& block);

}  // namespace tessera::jit
