#include "shader-core/tier/tier.h"

#include <algorithm>
#include <iterator>

#include "base/process/env.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/jit_library.h"
#include "shader-core/tier/tiered.h"

namespace tessera::tier {

std::optional<Tier> tierByName(std::string_view name) {
    const auto* at = std::ranges::find(kTierNames, name);
    if (at == std::end(kTierNames)) return std::nullopt;
    return static_cast<Tier>(at - kTierNames);
}

Tier tierFromEnvironment(Tier usual) {
    reportEnvProblems();
    return tierByName(envString("TESSERA_TIER", "")).value_or(usual);
}

std::shared_ptr<isa::Executor> makeExecutor(Tier tier) {
    std::shared_ptr<isa::Executor> interpreter = interp::makeInterpreter();
    switch (tier) {
        case Tier::Baseline:
            return makeEager(std::move(interpreter), loadBaseline, "baseline");
        case Tier::Jit:
            return makeEager(std::move(interpreter), loadJit);
        case Tier::Tiered:
            return makeTiered(std::move(interpreter), loadJit);
        case Tier::Interp:
            break;
    }
    return interpreter;
}

}  // namespace tessera::tier
