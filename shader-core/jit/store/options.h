// What whoever makes the compiling executor chooses: how code is made, where it is kept, and who compiles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/simd_levels.h"
#include "shader-core/jit/run/compile.h"

namespace tessera::jit {

/// When code is made without a compiler (baseline/baseline.h).
enum class Baseline : uint8_t {
    First,  ///< by prepareKept(), of programs that nothing is kept of: until there is better
    Only,   ///< always; there are no kernels
    Never,
};

struct Options {
    SimdLevel level = kLeastSimdLevel;  ///< one that the host can do
    std::string cacheDirectory;         ///< where machine code is kept between runs; empty: nowhere
    bool perf = false;                  ///< tell `perf` the names of routines (/tmp/perf-PID.map)
    Effort atMost = Effort::Full;       ///< Quick: small programs, too
    Baseline baseline = Baseline::First;
};

/// Called once, by the thread that first needs it; null when there is none, and programs that are not on the disk are
/// left to other tiers.
using LoadCompiler = std::function<Compiler()>;

}  // namespace tessera::jit
