// The compiling executor: ISA programs become machine code, sixteen lanes to a vector. What was compiled before comes
// from the disk; the compiler is loaded for the first program that does not.
//
// One function per program runs one 4x4 block (lanes 0..15 or 16..31 of a group); registers are SSA values, one for
// each component, and divergence is masks in SSA. Lowered from docs/isa.md, not from the interpreter: comparing the two
// is a test of both. See README.md.
#pragma once

#include <memory>

#include "base/process/env.h"
#include "shader-core/isa/executor.h"
#include "shader-core/jit/store/options.h"

namespace tessera::jit {

/// Options as the environment has them: TESSERA_CACHE_DIR, XDG_CACHE_HOME, TESSERA_PERF.
[[nodiscard]] Options optionsFromEnvironment(SimdLevel level);

/// prepare() and prepareKernel() compile before they return, and are safe from several threads. They return null for a
/// program that the compiler leaves to other tiers: one that would take long to compile, and as a routine compute
/// programs with active subsets or snooping. A kernel is compiled for its block size.
[[nodiscard]] std::shared_ptr<isa::Executor> makeJit(const Options& options, LoadCompiler loadCompiler);

}  // namespace tessera::jit
