// Opens libtessera_llvm.so.0.
#pragma once

#include <string>

#include "shader-core/jit/run/compile.h"

namespace tessera::jit {

/// Null, with a reason, when the library is not beside this one (base/process/own_folder.h), does not load, or was made
/// from other sources.
[[nodiscard]] Compiler openCompiler(std::string* why);
[[nodiscard]] Compiler openCompiler(const std::string& path, std::string* why);

/// The same; the reason is a warning in the log.
[[nodiscard]] Compiler loadCompiler();

}  // namespace tessera::jit
