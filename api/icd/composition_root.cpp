// Where the driver is put together: the one place that knows which tier executes shaders.
#include <cstdio>
#include <string>

#include "api/gles/driver.h"
#include "api/icd/jit_library.h"
#include "base/env.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/tiered.h"

namespace {

using namespace tessera;

/// TESSERA_TIER: interp, jit (compiled when the program is linked) or tiered (interpreted until compiled).
std::shared_ptr<isa::Executor> makeExecutor() {
    const std::string tier = envString("TESSERA_TIER", "");
    if (tier == "interp") return interp::makeInterpreter();
    if (tier == "jit") return tier::makeEager(interp::makeInterpreter(), icd::loadJit);
    if (tier != "tiered" && !tier.empty() && logLevel() >= 2)
        std::fprintf(stderr, "tessera: TESSERA_TIER is interp, jit or tiered, not '%s'\n", tier.c_str());
    return tier::makeTiered(interp::makeInterpreter(), icd::loadJit);
}

[[maybe_unused]] const bool kInstalled = [] {
    gles::setExecutorFactory(makeExecutor);
    return true;
}();

}  // namespace
