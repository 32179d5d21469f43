// What machine code of a compute program is run with.
#pragma once

#include <array>
#include <memory>

#include "base/simd_levels.h"
#include "shader-core/isa/compute.h"
#include "shader-core/jit/run/loader.h"

namespace tessera::jit {

/// `code` was compiled from `program` for blocks of that size.
[[nodiscard]] std::shared_ptr<const isa::Kernel> makeKernel(Loader::CodePointer code, SimdLevel level,
                                                            std::shared_ptr<const isa::Program> program,
                                                            const std::array<uint32_t, 3>& block);

}  // namespace tessera::jit
