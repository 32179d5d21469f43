// The order of the passes.
#include <string>

#include "base/check.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace tessera::glsl::ir {

namespace {

constexpr int kMaxRounds = 8;             ///< shaders settle in three to five
constexpr uint32_t kUnrollBudget = 4096;  ///< instructions that unrolling may add to a shader

void check([[maybe_unused]] const Module& module, [[maybe_unused]] const char* pass) {
#ifdef TESSERA_VERIFY_IR
    if (std::string problem = verify(module); !problem.empty()) UNREACHABLE(std::string(pass) + ": " + problem);
#endif
}

void optimizeFunction(Module& module) {
    uint32_t budget = kUnrollBudget;
    for (int round = 0; round < kMaxRounds; round++) {
        bool changed = splitArrays(module);
        check(module, "splitArrays");
        changed |= propagateValues(module);
        check(module, "propagateValues");
        changed |= simplifyControl(module);
        check(module, "simplifyControl");
        changed |= removeDeadCode(module);
        check(module, "removeDeadCode");
        changed |= forwardDestinations(module);
        check(module, "forwardDestinations");
        changed |= mergeComponents(module);
        check(module, "mergeComponents");
        changed |= unrollLoops(module, budget);
        check(module, "unrollLoops");
        compactTemps(module);
        check(module, "compactTemps");
        if (!changed) break;
    }
}

}  // namespace

void optimize(Module& module) {
    for (Module& function : module.functions) optimizeFunction(function);
    optimizeFunction(module);
}

void optimizeFreely(Module& module) {
    const auto freely = [](Module& function) {
        optimizeFunction(function);
        if (!expandPowers(function)) return;
        check(function, "expandPowers");
        optimizeFunction(function);
    };
    for (Module& function : module.functions) freely(function);
    freely(module);
}

}  // namespace tessera::glsl::ir
