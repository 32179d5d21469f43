#include "shader-core/jit/codegen/linked_jit.h"

#include "shader-core/jit/codegen/compiler.h"

namespace tessera::jit {

std::shared_ptr<isa::Executor> makeJit(const Options& options) {
    return makeJit(options, [] { return Compiler{compile}; });
}

std::shared_ptr<isa::Executor> makeJit(SimdLevel level) {
    Options options;
    options.level = level;
    return makeJit(options);
}

}  // namespace tessera::jit
