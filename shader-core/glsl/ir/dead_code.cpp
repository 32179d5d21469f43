// Dead code elimination by component-wise liveness (analysis.h): a result nobody reads goes, a result of which some
// components are read loses the others from its write mask, and whatever only they needed follows in the same walk.
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/passes.h"

namespace tessera::glsl::ir {

bool removeDeadCode(Module& module) {
    Liveness liveness = computeLiveness(module);
    std::vector<bool> dead(module.code.size());
    bool changed = false;
    for (size_t n = 0; n < module.code.size(); n++) {
        Instruction& i = module.code[n];
        if (!writesResult(i.op) || liveness.liveResult[n] == i.dst.writeMask) continue;
        changed = true;
        if (liveness.liveResult[n] == 0)
            dead[n] = true;
        else
            i.dst.writeMask = liveness.liveResult[n];
    }
    if (changed) eraseMarked(module, dead);
    return changed;
}

}  // namespace tessera::glsl::ir
