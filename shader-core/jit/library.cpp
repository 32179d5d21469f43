// The functions of libtessera_jit.so.0.
#include <memory>

#include "shader-core/jit/jit.h"
#include "shader-core/jit/load_reserve.h"

/// Sets *executor to a JIT at the process's SIMD level with the options of the environment.
extern "C" [[gnu::visibility("default")]] void tessera_jit_executor(std::shared_ptr<tessera::isa::Executor>* executor) {
    tessera::jit::isLoading = false;
    *executor = tessera::jit::makeJit(tessera::jit::optionsFromEnvironment(tessera::simdLevel()));
}

/// The same for kernels.
extern "C" [[gnu::visibility("default")]] void tessera_jit_compute_executor(
    std::shared_ptr<tessera::isa::ComputeExecutor>* executor) {
    tessera::jit::isLoading = false;
    *executor = tessera::jit::makeComputeJit(tessera::jit::optionsFromEnvironment(tessera::simdLevel()));
}
