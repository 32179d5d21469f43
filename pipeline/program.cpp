#include "pipeline/program.h"

#include <algorithm>
#include <string_view>

#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

VertexDistances VertexDistances::lookedAt(uint32_t enabled) const {
    VertexDistances some;
    const auto take = [&](int i) { some.place[static_cast<size_t>(some.count())] = place[static_cast<size_t>(i)]; };
    for (int i = 0; i < clip; ++i)
        if ((enabled >> i & 1) != 0) take(i), ++some.clip;
    for (int i = clip; i < count(); ++i) take(i), ++some.cull;
    return some;
}

VertexDistances distancesOf(const isa::Program& vertex) {
    VertexDistances all;
    const auto add = [&](std::string_view name, int& number) {
        const auto found = std::ranges::find(vertex.varyings, name, &isa::Variable::name);
        if (found == vertex.varyings.end() || found->type != isa::VarType::Float) return;
        for (int i = 0; i < std::max<int>(found->arraySize, 1) && all.count() < kMaxDistances; ++i, ++number)
            all.place[static_cast<size_t>(all.count())] = {static_cast<uint8_t>(isa::kOutVarying0 + found->reg + i),
                                                           found->component};
    };
    add(isa::kClipDistance, all.clip);
    add(isa::kCullDistance, all.cull);
    return all;
}

uint32_t Program::varyingsWith(Interpolation one) const {
    uint32_t with = 0;
    int number = 0;
    for (const int varying : isa::varyingMask(fragment())) {
        if (interpolation[static_cast<size_t>(varying)] == one) with |= 1u << number;
        ++number;
    }
    return with;
}

void Program::interpolateAsDeclared() {
    interpolation = {};
    for (const isa::Variable& varying : fragment().varyings)
        for (int i = 0; i < isa::registerCount(varying); ++i)
            interpolation[static_cast<size_t>(varying.reg + i)] = varying.interpolation;
}

}  // namespace tessera::pipeline
