#include "api/gles/objects/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>

#include "shader-core/isa/executor.h"

namespace tessera::gles {

namespace {

using isa::VarType;

enum class Base { Float, Int, Bool, Sampler };

Base baseOf(VarType type) {
    if (isa::isSampler(type)) return Base::Sampler;
    if (type >= VarType::Int && type <= VarType::IVec4) return Base::Int;
    if (type >= VarType::Bool && type <= VarType::BVec4) return Base::Bool;
    return Base::Float;
}

/// "lights[2]" to "lights" and 2; false when the name has no index at its end.
bool splitIndex(std::string_view name, std::string_view& base, int& index) {
    if (name.empty() || name.back() != ']') return false;
    size_t open = name.rfind('[');
    if (open == std::string_view::npos) return false;
    std::string_view digits = name.substr(open + 1, name.size() - open - 2);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return false;
    auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (status != std::errc() || end != digits.data() + digits.size() || index < 0) return false;
    base = name.substr(0, open);
    return true;
}

}  // namespace

std::shared_ptr<Executable> Executable::make(std::shared_ptr<const isa::Program> vertex,
                                             std::shared_ptr<const isa::Program> fragment, isa::Executor& executor,
                                             uint32_t name, std::string* error) {
    auto made = std::make_shared<Executable>();
    if (vertex) made->attributes = vertex->attributes;
    for (const isa::Variable& attribute : made->attributes) {
        if (attribute.reg + isa::registerCount(attribute) <= kMaxVertexAttribs) continue;
        *error = fmt::format("attribute '{}' is outside v0..v{}", attribute.name, kMaxVertexAttribs - 1);
        return nullptr;
    }
    for (const isa::Stage stage : pipeline::kDrawStages) {
        const std::shared_ptr<const isa::Program>& given = stage == isa::Stage::Vertex ? vertex : fragment;
        if (!given) continue;
        const isa::Program& program = *given;
        if (!made->addUniforms(program, error)) return nullptr;
        size_t registers = program.constantCount;
        for (const isa::Variable& uniform : program.uniforms)
            if (!isa::isSampler(uniform.type))
                registers = std::max(registers, static_cast<size_t>(uniform.reg + isa::registerCount(uniform)));
        std::vector<pipeline::ConstantRegister>& constants = made->stages_[stage].registers;
        constants.resize(registers);
        // Literals where no uniform is, so that draws need no other copy. ISA programs may have both in one place.
        for (const isa::Literal& literal : program.literals) {
            const bool isUniform = std::ranges::any_of(program.uniforms, [&](const isa::Variable& uniform) {
                return !isa::isSampler(uniform.type) && literal.reg >= uniform.reg &&
                       literal.reg < uniform.reg + isa::registerCount(uniform);
            });
            if (literal.reg < registers && !isUniform)
                std::memcpy(constants[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
        }
    }
    for (Uniform& uniform : made->uniforms) {
        for (size_t i = 0; i < std::size(isa::kDepthRangeUniforms); ++i)
            if (uniform.variable.name == isa::kDepthRangeUniforms[i])
                made->depthRange_[i] = &uniform, made->readsDepthRange_ = true;
        if (uniform.variable.name.starts_with("gl_")) continue;
        uniform.firstLocation = static_cast<GLint>(made->locations_.size());
        for (int i = 0; i < uniform.elements(); ++i)
            made->locations_.push_back({static_cast<int>(&uniform - made->uniforms.data()), i});
    }
    made->updateSamplerConflict();

    auto linked = std::make_shared<pipeline::Program>();
    for (const isa::Stage stage : pipeline::kDrawStages) {
        std::shared_ptr<const isa::Program>& program = stage == isa::Stage::Vertex ? vertex : fragment;
        if (!program) continue;
        std::shared_ptr<const isa::Routine> routine = executor.prepare(program);
        analysis::StageFacts facts = analysis::factsOfStage(*program);
        std::shared_ptr<const isa::Routine> positions;
        if (facts.positions != nullptr) positions = executor.prepare(facts.positions);
        linked->stages[stage] = {.program = std::move(program),
                                 .routine = std::move(routine),
                                 .facts = std::move(facts),
                                 .positionsRoutine = std::move(positions)};
    }
    if (linked->stages[isa::Stage::Fragment].program) linked->interpolateAsDeclared();
    linked->name = name;
    made->program = std::move(linked);
    return made;
}

bool Executable::addUniforms(const isa::Program& program, std::string* error) {
    for (const isa::Variable& variable : program.uniforms) {
        bool sampler = isa::isSampler(variable.type);
        int limit = sampler ? isa::kMaxTextureUnits : isa::kMaxConstants;
        if (variable.reg + isa::registerCount(variable) > limit) {
            *error = fmt::format("uniform '{}' is outside its register file", variable.name);
            return false;
        }
        auto known = std::find_if(uniforms.begin(), uniforms.end(),
                                  [&](const Uniform& u) { return u.variable.name == variable.name; });
        if (known == uniforms.end()) {
            Uniform uniform;
            uniform.variable = variable;
            uniform.columns = isa::columnCount(variable.type);
            uniform.components = isa::componentCount(variable.type);
            if (sampler) uniform.units.resize(static_cast<size_t>(uniform.elements()));
            known = uniforms.insert(uniforms.end(), std::move(uniform));
        } else if (known->variable.type != variable.type || known->variable.arraySize != variable.arraySize) {
            *error = fmt::format("uniform '{}' has different types in the two shaders", variable.name);
            return false;
        }
        known->places[program.stage] = {variable.reg, variable.component};
    }
    return true;
}

GLint Executable::uniformLocation(std::string_view name) const {
    std::string_view base;
    int index = 0;
    bool indexed = splitIndex(name, base, index);
    for (const Uniform& uniform : uniforms) {
        if (uniform.firstLocation < 0) continue;
        if (uniform.variable.name == name) return uniform.firstLocation;
        if (indexed && uniform.isArray() && uniform.variable.name == base && index < uniform.elements())
            return uniform.firstLocation + index;
    }
    return -1;
}

GLint Executable::attributeLocation(std::string_view name) const {
    for (const isa::Variable& attribute : attributes)
        if (attribute.name == name && !name.starts_with("gl_")) return attribute.reg;
    return -1;
}

template <int kComponents, class Value>
void Executable::write(const Uniform& uniform, int element, int count, const Value* values) {
    const VarType type = uniform.variable.type;
    const bool isBool = type >= VarType::Bool && type <= VarType::BVec4;
    const int first = element * uniform.columns, registers = std::max(count, 0) * uniform.columns;
    for (const isa::Stage one : pipeline::kDrawStages) {
        const Uniform::Place& place = uniform.places[one];
        if (place.first < 0) continue;
        Stage& stage = stages_[one];
        stage.copiedTo = 0;
        for (int i = 0; i < registers; ++i) {
            float* const to = stage.registers[static_cast<size_t>(place.first + first + i)].data() + place.component;
            const Value* const from = values + static_cast<ptrdiff_t>(i) * kComponents;
            if (isBool) [[unlikely]]
                for (int c = 0; c < kComponents; ++c) to[c] = from[c] != 0 ? 1.0f : 0.0f;
            else
                std::memcpy(to, from, kComponents * sizeof(float));
        }
    }
}

template <class Value>
void Executable::set(const Element& first, int count, const Value* values) {
    const Uniform& uniform = *first.uniform;
    count = std::min(count, uniform.elements() - first.index);
    switch (uniform.components) {
        case 1:
            return write<1>(uniform, first.index, count, values);
        case 2:
            return write<2>(uniform, first.index, count, values);
        case 3:
            return write<3>(uniform, first.index, count, values);
        default:
            return write<4>(uniform, first.index, count, values);
    }
}

void Executable::setFloats(const Element& first, int count, const GLfloat* values) { set(first, count, values); }

void Executable::setInts(const Element& first, int count, const GLint* values) {
    Uniform& uniform = *first.uniform;
    if (!uniform.isSampler()) return set(first, count, values);
    count = std::clamp(count, 0, uniform.elements() - first.index);
    std::copy_n(values, count, uniform.units.begin() + first.index);
    updateSamplerConflict();
}

void Executable::get(const Element& element, std::array<double, 16>& values) const {
    const Uniform& uniform = *element.uniform;
    VarType type = uniform.variable.type;
    Base base = baseOf(type);
    if (base == Base::Sampler) {
        values[0] = uniform.units[static_cast<size_t>(element.index)];
        return;
    }
    const auto isIn = [&](isa::Stage stage) { return uniform.places[stage].first >= 0; };
    const isa::Stage stage = *std::ranges::find_if(pipeline::kDrawStages, isIn);  // it is in one at least
    const std::vector<pipeline::ConstantRegister>& registers = stages_[stage].registers;
    int columns = isa::columnCount(type), components = isa::componentCount(type);
    int first = uniform.places[stage].first + element.index * columns;
    int start = uniform.places[stage].component;
    for (int i = 0; i < columns * components; ++i) {
        const std::array<float, 4>& row = registers[static_cast<size_t>(first + i / components)];
        float value = row[static_cast<size_t>(start + i % components)];
        values[static_cast<size_t>(i)] = base == Base::Int ? std::bit_cast<GLint>(value) : static_cast<double>(value);
    }
}

void Executable::writeDepthRange(const GLfloat (&range)[2]) {
    const float values[3] = {range[0], range[1], range[1] - range[0]};
    for (int i = 0; i < 3; ++i) {
        if (!depthRange_[i]) continue;
        std::array<double, 16> now{};
        get({depthRange_[i], 0}, now);
        if (now[0] != static_cast<double>(values[i])) write<1>(*depthRange_[i], 0, 1, &values[i]);
    }
}

bool SamplerUnits::add(const std::vector<Uniform>& uniforms) {
    bool agree = true;
    for (const Uniform& uniform : uniforms) {
        for (GLint unit : uniform.units) {
            VarType& type = types_[static_cast<size_t>(unit)];
            if (type != VarType::Float && type != uniform.variable.type) agree = false;
            type = uniform.variable.type;
        }
    }
    return agree;
}

void Executable::updateSamplerConflict() { samplerConflict_ = !SamplerUnits().add(uniforms); }

}  // namespace tessera::gles
