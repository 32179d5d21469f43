// Housekeeping of temps.
//
// Arrays that are only accessed with constant indices need not lie together: their elements become plain temps,
// which can share registers and be forwarded and propagated like any other.
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/optimize/passes.h"

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

void compactTemps(Module& module) {
    std::vector<bool> used(module.temps.size());
    for (const Instruction& i : module.code) {
        if (writesResult(i.op) && i.dst.kind == Kind::Temp) used[i.dst.index] = true;
        forEachSource(i, [&](const Operand& o, uint8_t) {
            if (o.kind == Kind::Temp) used[o.index] = true;
        });
        forEachIndex(i, [&](uint32_t temp, uint8_t) { used[temp] = true; });
    }
    for (const Array& a : module.arrays)
        for (uint32_t n = 0; n < a.count; n++) used[a.firstTemp + n] = true;
    std::vector<uint32_t> number(module.temps.size(), kNone);
    std::vector<Temp> kept;
    for (size_t t = 0; t < used.size(); t++) {
        if (!used[t]) continue;
        number[t] = static_cast<uint32_t>(kept.size());
        kept.push_back(module.temps[t]);
    }
    if (kept.size() == module.temps.size()) return;
    for (Assignment& a : module.debug.assignments) {
        if (a.kind != Kind::Temp) continue;
        a.index = number[a.index];
        if (a.index == kNone) lose(a, Lost::NotComputed);
    }
    for (Instruction& i : module.code) {
        auto renumber = [&](auto& r) {
            if (r.kind != Kind::Temp) return;
            r.index = number[r.index];
            if (r.relative != kNone) r.arrayFirst = number[r.arrayFirst];
        };
        if (writesResult(i.op)) renumber(i.dst);
        forEachSource(i, [&](Operand& o, uint8_t) { renumber(o); });
        forEachIndex(i, [&](uint32_t& temp, uint8_t&) { temp = number[temp]; });
    }
    for (Array& a : module.arrays) a.firstTemp = number[a.firstTemp];
    module.temps = std::move(kept);
}

}  // namespace tessera::glsl::ir
