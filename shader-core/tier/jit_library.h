// Opens libtessera_jit.so.0.
#pragma once

#include <memory>
#include <string>

#include "shader-core/isa/executor.h"

namespace tessera::tier {

/// The JIT at the process's SIMD level, with the options of the environment. Null, with a reason, when the library is
/// not where it was installed (base/process/own_folder.h), does not load, or was compiled from another isa::Executor.
[[nodiscard]] std::shared_ptr<isa::Executor> openJit(std::string* why);
[[nodiscard]] std::shared_ptr<isa::Executor> openJit(const std::string& path, std::string* why);

/// The same; the reason is a warning in the log.
[[nodiscard]] std::shared_ptr<isa::Executor> loadJit();
/// Of that library the executor that has no code but that which takes no compiler (shader-core/jit/baseline).
[[nodiscard]] std::shared_ptr<isa::Executor> loadBaseline();

}  // namespace tessera::tier
