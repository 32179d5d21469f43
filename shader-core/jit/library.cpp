// What libtessera_jit.so.0 exports; shader-core/tier/jit_library.h opens it.
#include <memory>

#include "executor_id.h"
#include "shader-core/jit/compiler_library.h"
#include "shader-core/jit/jit.h"

/// What the executor's interface was compiled from.
extern "C" [[gnu::visibility("default")]] const char* tessera_jit_executor_id() { return tessera::isa::kExecutorId; }

/// Sets *executor to a JIT at the process's SIMD level with the options of the environment.
extern "C" [[gnu::visibility("default")]] void tessera_jit_executor(std::shared_ptr<tessera::isa::Executor>* executor) {
    *executor =
        tessera::jit::makeJit(tessera::jit::optionsFromEnvironment(tessera::simdLevel()), tessera::jit::loadCompiler);
}

/// The same, of code that takes no compiler.
extern "C" [[gnu::visibility("default")]] void tessera_jit_baseline_executor(
    std::shared_ptr<tessera::isa::Executor>* executor) {
    tessera::jit::Options options = tessera::jit::optionsFromEnvironment(tessera::simdLevel());
    options.baseline = tessera::jit::Baseline::Only;
    *executor = tessera::jit::makeJit(options, tessera::jit::loadCompiler);
}
