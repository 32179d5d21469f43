// Dead code elimination by component-wise liveness (analysis.h): a result nobody reads goes, a result of which some
// components are read loses the others from its write mask, and whatever only they needed follows in the same walk.
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace tessera::glsl::ir {

bool removeDeadCode(Module& module) {
    Liveness liveness = computeLiveness(module);
    std::vector<bool> dead(module.code.size());
    bool changed = false;
    std::vector<LostResult> lost;
    const Places places(module);
    for (size_t n = 0; n < module.code.size(); n++) {
        Instruction& i = module.code[n];
        if (!writesResult(i.op) || liveness.liveResult[n] == i.dst.writeMask) continue;
        changed = true;
        const uint32_t first = i.dst.relative == kNone ? i.dst.index : i.dst.arrayFirst;
        const uint32_t count = i.dst.relative == kNone ? 1 : i.dst.arrayCount;
        for (uint32_t r = first; r < first + count; r++)
            lost.push_back({static_cast<uint32_t>(n), places.of(i.dst.kind, r),
                            static_cast<uint8_t>(i.dst.writeMask & ~liveness.liveResult[n])});
        if (liveness.liveResult[n] == 0)
            dead[n] = true;
        else
            i.dst.writeMask = liveness.liveResult[n];
    }
    loseResults(module, lost);
    if (changed) eraseMarked(module, dead);
    return changed;
}

}  // namespace tessera::glsl::ir
