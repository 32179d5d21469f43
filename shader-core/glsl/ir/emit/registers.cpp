// Interface registers: which ones a module references, and giving them new numbers at link time.
#include "base/check.h"
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

namespace {

uint32_t renumbered(const std::vector<uint32_t>& map, uint32_t index) {
    if (map.empty()) return index;
    CHECK_LT(index, map.size());
    CHECK(map[index] != kNone);
    return map[index];
}

template <class Reference>
void renumber(Reference& r, const std::vector<uint32_t>& map) {
    if (map.empty()) return;
    if (r.relative != kNone) {
        // The named register may lie outside the range (a[i - 1]); it keeps its distance to the first one.
        uint32_t first = renumbered(map, r.arrayFirst);
        for (uint32_t i = 1; i < r.arrayCount; i++) CHECK_EQ(renumbered(map, r.arrayFirst + i), first + i);
        r.index = first + (r.index - r.arrayFirst);
        r.arrayFirst = first;
    } else {
        r.index = renumbered(map, r.index);
    }
}

void mark(std::vector<bool>& slots, uint32_t first, uint32_t count) {
    if (slots.size() < first + count) slots.resize(first + count);
    for (uint32_t i = first; i < first + count; i++) slots[i] = true;
}

uint32_t bits(uint32_t first, uint32_t count) {
    uint32_t result = 0;
    for (uint32_t i = first; i < first + count && i < 32; i++) result |= 1u << i;
    return result;
}

}  // namespace

void remap(Module& module, const std::vector<uint32_t>& inputMap, const std::vector<uint32_t>& outputMap,
           const std::vector<uint32_t>& uniformMap, const std::vector<uint32_t>& samplerMap) {
    for (Module& function : module.functions) remap(function, inputMap, outputMap, uniformMap, samplerMap);
    for (Instruction& i : module.code) {
        if (writesResult(i.op) && i.dst.kind == Kind::Output) renumber(i.dst, outputMap);
        if (isTextureOp(i.op)) i.sampler = renumbered(samplerMap, i.sampler);
        forEachSource(i, [&](Operand& o, uint8_t) {
            if (o.kind == Kind::Input) renumber(o, inputMap);
            if (o.kind == Kind::Output) renumber(o, outputMap);
            if (o.kind == Kind::Uniform) renumber(o, uniformMap);
        });
    }
    for (Assignment& a : module.debug.assignments) {
        const std::vector<uint32_t>* map = a.kind == Kind::Input     ? &inputMap
                                           : a.kind == Kind::Output  ? &outputMap
                                           : a.kind == Kind::Uniform ? &uniformMap
                                                                     : nullptr;
        if (map == nullptr || map->empty()) continue;
        a.index = a.index < map->size() ? (*map)[a.index] : kNone;
        if (a.index == kNone) lose(a, Lost::NotComputed);
    }
}

namespace {

void addUsage(const Module& module, const std::vector<isa::Variable>& uniforms, Usage& result) {
    for (const Instruction& i : module.code) {
        auto visit = [&](const auto& r) {
            uint32_t first = r.relative == kNone ? r.index : r.arrayFirst;
            uint32_t count = r.relative == kNone ? 1 : r.arrayCount;
            if (r.kind == Kind::Uniform) mark(result.uniformSlots, first, count);
            if (r.kind == Kind::Input) result.inputs |= bits(first, count);
            if (r.kind == Kind::Output) result.outputs |= bits(first, count);
        };
        if (writesResult(i.op)) visit(i.dst);
        forEachSource(i, [&](const Operand& o, uint8_t) { visit(o); });
        if (!isTextureOp(i.op)) continue;
        uint32_t count = 1;
        if (i.samplerRelative != kNone)
            for (const isa::Variable& u : uniforms)
                if (isa::isSampler(u.type) && u.reg <= i.sampler && i.sampler < u.reg + u.arraySize)
                    count = u.reg + u.arraySize - i.sampler;
        result.samplerUnits |= bits(i.sampler, count);
    }
}

}  // namespace

Usage usage(const Module& module) {
    Usage result;
    addUsage(module, module.uniforms, result);
    for (const Module& function : module.functions) addUsage(function, module.uniforms, result);
    return result;
}

}  // namespace tessera::glsl::ir
