// Opens libtessera_jit.so.0, which carries LLVM, when it is first needed.
#pragma once

#include <memory>

#include "shader-core/isa/executor.h"

namespace tessera::icd {

/// The JIT at the process's SIMD level; null, with a warning in the log, when the library beside the driver is missing
/// or does not load.
[[nodiscard]] std::shared_ptr<isa::Executor> loadJit();

}  // namespace tessera::icd
