// The compiling executor: ISA programs become machine code, sixteen lanes to a vector. What was compiled before comes
// from the disk; the compiler is loaded for the first program that does not.
//
// One function per program runs one 4x4 block (lanes 0..15 or 16..31 of a group); registers are SSA values, one for
// each component, and divergence is masks in SSA. Lowered from docs/isa.md, not from the interpreter: comparing the two
// is a test of both. See README.md.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/process/env.h"
#include "shader-core/isa/executor.h"
#include "shader-core/jit/compile.h"

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

/// Options as the environment has them: TESSERA_CACHE_DIR, XDG_CACHE_HOME, TESSERA_PERF.
[[nodiscard]] Options optionsFromEnvironment(SimdLevel level);

/// prepare() and prepareKernel() compile before they return, and are safe from several threads. They return null for a
/// program that the compiler leaves to other tiers: one that would take long to compile, and as a routine compute
/// programs with active subsets or snooping. A kernel is compiled for its block size.
[[nodiscard]] std::shared_ptr<isa::Executor> makeJit(const Options& options, LoadCompiler loadCompiler);

}  // namespace tessera::jit
