#include "tools/run/places.h"

#include <bit>

#include <fmt/format.h>

#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/sample_words.h"
#include "shader-core/isa/stage_registers.h"
#include "tools/run/group_values.h"

namespace tessera::tools {

namespace {

std::optional<Place> placeOf(const std::vector<isa::Variable>& variables, isa::File file, std::string_view name) {
    for (const isa::Variable& v : variables) {
        if (isa::isSampler(v.type)) continue;
        const std::string_view full = v.name;
        Place place{file, v.reg, v.component, isa::componentCount(v.type), isa::columnCount(v.type), v.type, {}};
        if (full == name) {
            place.columns = isa::registerCount(v);
            return place;
        }
        if (v.arraySize == 0 || !name.starts_with(v.name + "[") || !name.ends_with("]")) continue;
        const std::string index(name.substr(full.size() + 1, name.size() - full.size() - 2));
        const std::optional<int> element = parseInteger(index);
        if (!element || *element < 0 || *element >= v.arraySize) return std::nullopt;
        place.reg += *element * place.columns;
        return place;
    }
    return std::nullopt;
}

std::optional<Place> registerPlace(std::string_view name, std::string_view files) {
    if (name == "gl_FragCoord") name = "frag_coord";
    if (name == "gl_FrontFacing") name = "front_facing";
    if (name == "gl_PointCoord") name = "point_coord";
    if (name == "gl_InstanceIDEXT" || name == "gl_InstanceID") name = "instance_id";
    if (name == "gl_VertexID") name = "instance_id.y";
    const std::optional<debug::RegisterName> reg = debug::parseRegister(name);
    if (!reg) return std::nullopt;
    const char letter = debug::registerName(reg->file == isa::File::S ? isa::File::V : reg->file, 0)[0];
    if (files.find(reg->file == isa::File::S ? 's' : letter) == std::string_view::npos) return std::nullopt;
    Place place{reg->file, reg->index, 0, static_cast<int>(reg->components.size()), 1, isa::VarType::Vec4, {}};
    if (name.find('.') != std::string_view::npos) place.order = reg->components;
    if (reg->file == isa::File::S && reg->index == static_cast<int>(isa::Special::InstanceId))
        place.type = isa::VarType::Int, place.rows = 1;
    return place;
}

/// A member of a uniform block, or an element of one that is an array.
std::optional<Place> memberPlace(const isa::Program& program, std::string_view name) {
    std::optional<debug::BlockVariable> found = debug::findBlockVariable(program, name);
    std::optional<int> element;
    if (const size_t open = name.rfind('['); !found && open != std::string_view::npos && name.ends_with("]")) {
        found = debug::findBlockVariable(program, name.substr(0, open));
        element = parseInteger(name.substr(open + 1, name.size() - open - 2));
        if (!found || !element || *element < 0 || *element >= found->member->arraySize) return std::nullopt;
    }
    if (!found) return std::nullopt;
    const isa::BlockMember& member = *found->member;
    Place place{isa::File::C, 0,  0, isa::componentCount(member.type), isa::columnCount(member.type),
                member.type,  {}, {}};
    std::vector<debug::ConstantWord> words = debug::wordsOf(*found);
    if (words.size() != place.most() * std::max<size_t>(member.arraySize, 1)) return std::nullopt;
    if (element) {
        const auto first = words.begin() + static_cast<std::ptrdiff_t>(place.most()) * *element;
        place.words.assign(first, first + static_cast<std::ptrdiff_t>(place.most()));
    } else {
        place.columns *= std::max<int>(member.arraySize, 1);
        place.words = std::move(words);
    }
    place.reg = place.words.front().reg;
    return place;
}

std::string known(const std::vector<isa::Variable>& variables, bool samplers,
                  const std::vector<debug::BlockVariable>& members = {}) {
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    for (const isa::Variable& v : variables)
        if (isa::isSampler(v.type) == samplers) add(v.name);
    for (const debug::BlockVariable& member : members) add(member.name);
    return names.empty() ? "none" : names;
}

}  // namespace

std::string Place::countProblem(size_t given) const {
    return fmt::format("{} values given, it takes {}{}", given, most(), columns > 1 ? " (column by column)" : "");
}

std::optional<Place> inputPlace(const isa::Program& program, std::string_view name, std::string& problem) {
    const auto& variables = program.stage == isa::Stage::Vertex ? program.attributes : program.varyings;
    std::optional<Place> place = placeOf(variables, isa::File::V, name);
    if (!place) place = registerPlace(name, "vs");
    if (!place)
        problem = fmt::format("the program has no input '{}'; its inputs are {}, and registers v0..v{}", name,
                              known(variables, false), isa::inputsOf(program.stage).width() - 1);
    return place;
}

std::optional<Place> uniformPlace(const isa::Program& program, std::string_view name, std::string& problem) {
    std::optional<Place> place = placeOf(program.uniforms, isa::File::C, name);
    if (!place) place = memberPlace(program, name);
    if (!place) place = registerPlace(name, "c");
    if (place && place->reg < program.constantCount) return place;
    problem = fmt::format("the program has no uniform '{}'; its uniforms are {}, and registers below c{}", name,
                          known(program.uniforms, false, debug::blockVariables(program)), program.constantCount);
    return std::nullopt;
}

std::optional<int> samplerUnit(const isa::Program& program, std::string_view name, std::string& problem) {
    std::optional<int> unit = name.starts_with("t") ? parseInteger(name.substr(1)) : std::nullopt;
    for (const isa::Variable& v : program.uniforms)
        if (isa::isSampler(v.type) && v.name == name) unit = v.reg;
    if (unit && *unit >= 0 && *unit < isa::kMaxTextureUnits) return unit;
    problem = fmt::format("the program has no sampler '{}'; its samplers are {}, and units t0..t15", name,
                          known(program.uniforms, true));
    return std::nullopt;
}

bool isInteger(isa::VarType type) {
    return isa::scalarOf(type) == isa::Scalar::Int || isa::scalarOf(type) == isa::Scalar::UInt;
}

bool Place::holdsIntegers() const {
    return isInteger(type) || (!words.empty() && isa::scalarOf(type) == isa::Scalar::Bool);
}

debug::Group groupAt(std::shared_ptr<const isa::Program> program, uint32_t wanted, int x, int y) {
    debug::Group group;
    group.program = std::move(program);
    group.activeMask = group.program->usesDerivatives ? isa::wholeQuads(wanted) : wanted;
    group.helperMask = group.activeMask & ~wanted;
    group.constants.resize(group.program->constantCount);
    for (int lane = 0; lane < isa::kGroupSize; ++lane) {
        for (isa::GroupRegister& input : group.inputs) input.lane[3][lane] = 1.0f;
        auto& vertex = group.specials[static_cast<size_t>(isa::Special::InstanceId)].lane[1][lane];
        if (group.program->stage == isa::Stage::Vertex) vertex = std::bit_cast<float>(x + lane);
        auto& fragCoord = group.specials[static_cast<size_t>(isa::Special::FragCoord)].lane;
        fragCoord[0][lane] = static_cast<float>(x + debug::laneX(lane)) + 0.5f;
        fragCoord[1][lane] = static_cast<float>(y + debug::laneY(lane)) + 0.5f;
        fragCoord[2][lane] = 0.5f, fragCoord[3][lane] = 1.0f;
        for (auto& c : group.specials[static_cast<size_t>(isa::Special::FrontFacing)].lane) c[lane] = 1.0f;
        auto& pointCoord = group.specials[static_cast<size_t>(isa::Special::PointCoord)].lane;
        pointCoord[0][lane] = pointCoord[1][lane] = 0.5f;
        // The one sample is in the middle of the pixel.
        constexpr uint32_t kMiddle = isa::kSamplePlaceSteps / 2;
        pointCoord[isa::kSampleComponent][lane] = std::bit_cast<float>(isa::sampleWord(0, kMiddle, kMiddle));
        pointCoord[isa::kSamplesComponent][lane] = std::bit_cast<float>(isa::samplesWord(1, 1, true, kMiddle, kMiddle));
    }
    for (const isa::Variable& v : group.program->uniforms)
        if (v.name == isa::kDepthRangeUniforms[1] || v.name == isa::kDepthRangeUniforms[2])  // far - near = 1
            group.constants[v.reg][v.component] = 1.0f;
    return group;
}

isa::VarType outputType(const isa::Program& program, int output) {
    const bool isVertex = program.stage == isa::Stage::Vertex;
    for (const isa::Variable& v : isVertex ? program.varyings : program.outputs) {
        const int index = output - (isVertex ? isa::kOutVarying0 : isa::kOutColor0) - v.reg;
        if (index >= 0 && index < isa::registerCount(v)) return v.type;
    }
    const bool isScalar = output == (isVertex ? isa::kOutPointSize : isa::kOutDepth);
    return isScalar ? isa::VarType::Float : isa::VarType::Vec4;
}

std::string outputName(const isa::Program& program, int output) {
    if (program.stage == isa::Stage::Fragment) {
        if (output == isa::kOutDepth) return program.outputs.empty() ? "gl_FragDepthEXT" : "gl_FragDepth";
        if (output == isa::kOutSecondColor) return "gl_SecondaryFragColorEXT";
        for (const isa::Variable& v : program.outputs) {
            const int index = output - isa::kOutColor0 - v.reg;
            if (index >= 0 && index < isa::registerCount(v))
                return v.arraySize == 0 ? v.name : fmt::format("{}[{}]", v.name, index);
        }
        return program.broadcastColor ? "gl_FragColor" : fmt::format("gl_FragData[{}]", output);
    }
    if (output == isa::kOutPosition) return "gl_Position";
    if (output == isa::kOutPointSize) return "gl_PointSize";
    for (const isa::Variable& v : program.varyings) {
        const int first = isa::kOutVarying0 + v.reg, count = isa::registerCount(v);
        if (output < first || output >= first + count) continue;
        return count == 1 ? v.name : fmt::format("{} register {}", v.name, output - first);
    }
    return {};
}

}  // namespace tessera::tools
