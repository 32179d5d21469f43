// Arrays that are only accessed with constant indices need not lie together: their elements become plain temps,
// which can share registers and be forwarded and propagated like any other.
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/passes.h"

namespace tessera::glsl::ir {

bool splitArrays(Module& module) {
    if (module.arrays.empty()) return false;
    std::vector<bool> indexed(module.arrays.size());
    for (const Instruction& i : module.code) {
        auto visit = [&](const auto& r) {
            if (r.kind == Kind::Temp && r.relative != kNone) indexed[module.temps[r.index].array] = true;
        };
        if (writesResult(i.op)) visit(i.dst);
        forEachSource(i, [&](const Operand& o, uint8_t) { visit(o); });
    }
    std::vector<Array> kept;
    std::vector<uint32_t> number(module.arrays.size(), kNone);
    for (size_t a = 0; a < module.arrays.size(); a++)
        if (indexed[a]) {
            number[a] = static_cast<uint32_t>(kept.size());
            kept.push_back(module.arrays[a]);
        }
    if (kept.size() == module.arrays.size()) return false;
    module.arrays = std::move(kept);
    for (Temp& t : module.temps)
        if (t.array != kNone) t.array = number[t.array];
    return true;
}

}  // namespace tessera::glsl::ir
