// The TESSERA_* environment variables, read once.
#pragma once

#include <string>

namespace tessera {

enum class SimdLevel { v2, v3, v4 };  ///< x86-64-v2, -v3, -v4

/// TESSERA_SIMD, limited to what the host can do; the host's best when unset.
[[nodiscard]] SimdLevel simdLevel();
[[nodiscard]] const char* simdLevelName(SimdLevel level);

/// TESSERA_THREADS: raster and vertex workers, 1 to 64; the number of online processors when unset.
[[nodiscard]] int threadCount();

/// TESSERA_LOG: 0 quiet, 1 errors (default), 2 warnings, 3 information, 4 debug.
[[nodiscard]] int logLevel();

/// True when the variable is set to anything but empty, "0" or "false".
[[nodiscard]] bool envFlag(const char* name);
[[nodiscard]] std::string envString(const char* name, const char* fallback);

}  // namespace tessera
