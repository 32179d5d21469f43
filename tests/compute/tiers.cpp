// The executors of the tests: every tier on every SIMD level of the host.
#include "shader-core/interp/interpreter.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "shader-core/tier/tiered.h"
#include "tests/compute/machine.h"

namespace tessera::compute {

void forEachTier(const std::function<void(Machine&)>& body) {
    for (const SimdLevel level : simdLevels()) {
        const auto interpreter = interp::makeInterpreter(level);
        const tier::LoadFast makeJit = [level] { return jit::makeJit(level); };
        for (const auto& executor :
             {interpreter, tier::makeEager(interpreter, makeJit), tier::makeTiered(interpreter, makeJit)})
            for (const int threads : {1, 3}) {
                CAPTURE(executor->name());
                CAPTURE(static_cast<int>(level));
                CAPTURE(threads);
                Machine machine{Device(executor, threads)};
                body(machine);
            }
    }
}

}  // namespace tessera::compute
