// Separable programs are linked alone, with their varyings in registers of their own. Their interface is matched when
// they are first drawn with together: by location or by name, as the extension says in "Shader Interface Matching".
// What it leaves undefined is 0 here.
#include "api/gles/objects/program_pipeline.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::gles {

namespace {

/// One type has the components of the other, and perhaps more of them: such a varying can be read as the other.
bool providesType(isa::VarType out, isa::VarType in) {
    return out == in || (out <= isa::VarType::Vec4 && in <= isa::VarType::Vec4 && out > in);
}

/// pipeline::Program::varyingSource of two programs that were linked apart.
std::array<int8_t, isa::kMaxVaryings> matchSeparate(const isa::Program& vertex, const isa::Program& fragment) {
    std::array<int8_t, isa::kMaxVaryings> source{};
    source.fill(-1);
    for (const isa::Variable& in : fragment.varyings) {
        const auto out = std::ranges::find(vertex.varyings, in.name, &isa::Variable::name);
        if (out == vertex.varyings.end() || !providesType(out->type, in.type) || out->arraySize != in.arraySize)
            continue;
        for (int i = 0; i < isa::registerCount(in); ++i)
            source[static_cast<size_t>(in.reg + i)] = static_cast<int8_t>(out->reg + i);
    }
    return source;
}

Executable* stageOf(const std::shared_ptr<Program>& program, isa::Stage stage) {
    return program && program->executable->has(stage) ? program->executable.get() : nullptr;
}

}  // namespace

bool ProgramStages::hasSamplerConflict() const {
    if (const Executable* all = each.front(); std::ranges::all_of(each, [&](auto* one) { return one == all; }))
        return all != nullptr && all->hasSamplerConflict();
    SamplerUnits units;
    bool agree = true;
    forEach([&](const Executable& executable) { agree = units.add(executable.uniforms) && agree; });
    return !agree;
}

ProgramStages ProgramPipeline::stages() const {
    return {{{stageOf(vertex, isa::Stage::Vertex), stageOf(fragment, isa::Stage::Fragment)}}};
}

std::string ProgramPipeline::drawError() const {
    const ProgramStages now = stages();
    for (const std::shared_ptr<Program>& program : {vertex, fragment}) {
        if (!program) continue;
        const Executable& executable = *program->executable;
        if (!executable.separable)
            return fmt::format("ERROR: program {} has been linked anew and is no longer separable\n", program->name);
        const auto isUsed = [&](isa::Stage stage) { return !executable.has(stage) || now[stage] == &executable; };
        if (!std::ranges::all_of(pipeline::kDrawStages, isUsed))
            return fmt::format("ERROR: program {} was linked with both stages and is used for one\n", program->name);
    }
    return now.hasSamplerConflict() ? kSamplerConflictMessage : std::string();
}

std::shared_ptr<const pipeline::Program> ProgramPipeline::joined() {
    const ProgramStages now = stages();
    const Executable &first = *now[isa::Stage::Vertex], &last = *now[isa::Stage::Fragment];
    if (&first == &last) return first.program;
    if (joined_.vertex != first.program || joined_.fragment != last.program) {
        auto both = std::make_shared<pipeline::Program>();
        for (const isa::Stage stage : pipeline::kDrawStages) both->stages[stage] = now[stage]->program->stages[stage];
        both->name = last.program->name;
        both->varyingSource = matchSeparate(both->vertex(), both->fragment());
        both->interpolation = last.program->interpolation;
        both->distances = first.program->distances;
        joined_ = {first.program, last.program, std::move(both)};
    }
    return joined_.both;
}

}  // namespace tessera::gles
