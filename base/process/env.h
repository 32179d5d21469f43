// The TESSERA_* variables: one table, read once, and what is wrong with those set. Privileged processes read none.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/simd_levels.h"

namespace tessera {

/// TESSERA_SIMD, limited to what the host can do; the host's best when unset.
[[nodiscard]] SimdLevel simdLevel();
/// The levels up to that one.
[[nodiscard]] std::span<const SimdLevel> simdLevels();
[[nodiscard]] const char* simdLevelName(SimdLevel level);

/// TESSERA_THREADS: raster and vertex workers, 1 to 64; when unset as many as usableProcessors() says.
[[nodiscard]] int threadCount();

/// TESSERA_LOG: 0 quiet, 1 errors (default), 2 warnings, 3 information, 4 debug.
[[nodiscard]] int logLevel();

/// TESSERA_TEXTURE_FRAME, from 1.
[[nodiscard]] int textureFrame();

/// True when the variable is set to 1, true, yes or on.
[[nodiscard]] bool envFlag(const char* name);
[[nodiscard]] std::string envString(const char* name, const char* fallback);

// --- The table ---

/// A row: what README.md and `tessera info` show of a variable, and what its value is checked against.
struct EnvVariable {
    enum class Kind { Words, Number, Flag, Text } kind = Kind::Text;
    std::string_view name;
    std::string_view accepted;   ///< Words: with ", " between them
    std::string_view byDefault;  ///< what holds while it is unset, or wrong
    std::string_view meaning;
    int low = 0, high = 0;  ///< Number
};
[[nodiscard]] std::span<const EnvVariable> envVariables();

/// What is wrong with a variable that is set: "TESSERA_LOG: '9' is no number from 0 to 4".
struct EnvProblem {
    std::string what;
    std::string remedy;    ///< "4 is used"
    bool invalid = false;  ///< no value that any host takes
    [[nodiscard]] std::string text() const { return what + "; " + remedy; }
};
/// `environment`: "NAME=value" strings, null at the end. `host`: the best level there is.
[[nodiscard]] std::vector<EnvProblem> envProblems(const char* const* environment, SimdLevel host);
/// Those of this process.
[[nodiscard]] std::vector<EnvProblem> envProblems();
/// Says them on standard error, the first time it is called; says nothing at TESSERA_LOG=0.
void reportEnvProblems();

}  // namespace tessera
