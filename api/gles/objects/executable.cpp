#include "api/gles/objects/executable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <map>
#include <tuple>

#include "shader-core/isa/executor.h"
#include "shader-core/isa/isa.h"

namespace tessera::gles {

using isa::VarType;

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

namespace {

bool distinguishesVertices(const isa::Program& vertex) {
    constexpr auto kSpecial = static_cast<int>(isa::Special::InstanceId);
    if (!vertex.specialMask.has(kSpecial)) return false;
    const auto reads = [&](const isa::Source& source) {
        if (source.file != isa::File::S || source.index != kSpecial) return false;
        for (int i = 0; i < 4; ++i)
            if (isa::swizzleAt(source.swizzle, i) == 1) return true;
        return false;
    };
    return std::ranges::any_of(vertex.code, [&](isa::Word word) {
        const std::optional<isa::Instruction> instruction = isa::decode(word);
        return instruction && std::ranges::any_of(instruction->src, reads);
    });
}

}  // namespace

/// Lists the uniform blocks of the stages.
class Executable::BlockBuilder {
public:
    BlockBuilder(Executable& executable, std::string* error) : made_(executable), error_(error) {
        for (const Uniform& uniform : made_.uniforms) numbers_.emplace(uniform.variable.name, kNoMember);
    }

    /// False and a reason when a block or a member is declared in two ways.
    [[nodiscard]] bool add(const isa::Program& program) {
        for (const isa::UniformBlock& from : program.blocks)
            if ((from.registers > 0 || from.isShared) && !add(from, program.stage)) return false;
        Stage& stage = made_.stages_[program.stage];
        for (size_t i = 0; i < made_.blocks.size(); ++i) {
            const UniformBlock::Place& place = made_.blocks[i].places[program.stage];
            if (place.registers > 0) stage.blocks.push_back({i, place.reg, place.registers, {}});
        }
        std::ranges::sort(stage.blocks, {}, &StageBlock::reg);
        return true;
    }

private:
    static constexpr GLuint kNoMember = ~0u;

    [[nodiscard]] bool add(const isa::UniformBlock& from, isa::Stage stage) {
        auto block = std::ranges::find(made_.blocks, from.name, &UniformBlock::name);
        const bool isNew = block == made_.blocks.end();
        if (isNew) block = made_.blocks.insert(block, UniformBlock{.name = from.name, .byteSize = from.byteSize});
        const auto number = static_cast<GLint>(block - made_.blocks.begin());
        std::vector<GLuint> members;
        for (const isa::BlockMember& member : from.members) {
            members.push_back(add(member, number));
            if (members.back() != kNoMember) continue;
            *error_ = fmt::format("there is more than one uniform '{}'", member.name);
            return false;
        }
        if (isNew) {
            block->members = std::move(members);
        } else if (block->byteSize != from.byteSize || block->members != members) {
            *error_ = fmt::format("uniform block '{}' differs between the two shaders", from.name);
            return false;
        }
        block->places[stage] = {true, from.reg, from.registers};
        return true;
    }

    /// The number of the member among the uniforms, which an element of the same array of blocks, or the other stage,
    /// may have added; kNoMember: another uniform has its name.
    GLuint add(const isa::BlockMember& from, GLint block) {
        Uniform made;
        made.variable = {
            .name = from.name, .type = from.type, .precision = from.precision, .arraySize = from.arraySize};
        made.columns = isa::columnCount(from.type);
        made.components = isa::componentCount(from.type);
        made.block = block;
        made.offset = static_cast<GLint>(from.offset);
        made.arrayStride = static_cast<GLint>(from.arrayStride);
        made.matrixStride = static_cast<GLint>(from.matrixStride);
        made.rowMajor = from.rowMajor;
        const auto [at, isNew] = numbers_.try_emplace(from.name, static_cast<GLuint>(made_.uniforms.size()));
        if (isNew) made_.uniforms.push_back(made);
        const auto layoutOf = [](const Uniform& u) {
            return std::tuple(u.variable.type, u.variable.arraySize, u.offset, u.arrayStride, u.matrixStride,
                              u.rowMajor);
        };
        if (at->second == kNoMember || layoutOf(made_.uniforms[at->second]) != layoutOf(made)) return kNoMember;
        return at->second;
    }

    Executable& made_;
    std::string* const error_;
    std::map<std::string, GLuint> numbers_;  ///< of all names; kNoMember: of a uniform that is in no block
};

std::shared_ptr<Executable> Executable::make(std::shared_ptr<const isa::Program> vertex,
                                             std::shared_ptr<const isa::Program> fragment, isa::Executor& executor,
                                             uint32_t name, std::string* error) {
    auto made = std::make_shared<Executable>();
    if (vertex) made->attributes = vertex->attributes;
    made->readsVertexId = vertex && distinguishesVertices(*vertex);
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
    BlockBuilder blocks(*made, error);
    for (const auto& program : {vertex, fragment})
        if (program && !blocks.add(*program)) return nullptr;
    for (Uniform& uniform : made->uniforms) {
        for (size_t i = 0; i < std::size(isa::kDepthRangeUniforms); ++i)
            if (uniform.variable.name == isa::kDepthRangeUniforms[i])
                made->depthRange_[i] = &uniform, made->readsDepthRange_ = true;
        if (uniform.variable.name.starts_with("gl_") || uniform.block >= 0) continue;
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
    if (const auto& code = linked->stages[isa::Stage::Vertex].program) linked->distances = pipeline::distancesOf(*code);
    linked->name = name;
    made->program = std::move(linked);
    return made;
}

bool Executable::addUniforms(const isa::Program& program, std::string* error) {
    for (const isa::Variable& variable : program.uniforms) {
        if (variable.name == isa::kViewIdUniform) {
            view_.variable = variable;
            view_.places[program.stage] = {variable.reg, variable.component};
            readsView_ = true;
            continue;
        }
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
            uniform.isBool = isa::scalarOf(variable.type) == isa::Scalar::Bool;
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

void Executable::findChanges(Stage& stage, const UniformBuffers& buffers) {
    for (StageBlock& block : stage.blocks) {
        const IndexedBinding& binding = buffers[blocks[block.block].binding];
        BlockSource source;
        if (binding.buffer) {
            binding.buffer->awaitContents();
            source = {binding.buffer->contents, binding.offset, binding.bytes().size()};
        }
        if (source == block.source && !(binding.buffer && binding.buffer->mapping)) continue;
        block.source = source;
        stage.copiedTo = 0;
    }
}

std::span<const pipeline::ConstantRegister> Executable::copyWithBlocks(const Stage& stage, Recorder& recorder,
                                                                       const UniformBuffers& buffers) const {
    const std::span<pipeline::ConstantRegister> to = recorder.newRegisters(stage.registers.size());
    size_t done = 0;
    const auto copyUpTo = [&](size_t end) {
        for (; done < end; ++done) to[done] = stage.registers[done];
    };
    for (const StageBlock& block : stage.blocks) {
        copyUpTo(block.reg);
        const std::span<std::byte> room = std::as_writable_bytes(to.subspan(block.reg, block.registers));
        const std::span<const std::byte> bytes = buffers[blocks[block.block].binding].bytes();
        const size_t there = std::min(bytes.size(), room.size());
        if (there > 0) std::memcpy(room.data(), bytes.data(), there);
        std::ranges::fill(room.subspan(there), std::byte{0});
        done = std::max<size_t>(done, block.reg + block.registers);
    }
    copyUpTo(to.size());
    return to;
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
    const int first = element * uniform.columns, registers = std::max(count, 0) * uniform.columns;
    for (const isa::Stage one : pipeline::kDrawStages) {
        const Uniform::Place& place = uniform.places[one];
        if (place.first < 0) continue;
        Stage& stage = stages_[one];
        stage.copiedTo = 0;
        for (int i = 0; i < registers; ++i) {
            float* const to = stage.registers[static_cast<size_t>(place.first + first + i)].data() + place.component;
            const Value* const from = values + static_cast<ptrdiff_t>(i) * kComponents;
            if (uniform.isBool) [[unlikely]]
                for (int c = 0; c < kComponents; ++c) to[c] = from[c] != 0 ? 1.0f : 0.0f;
            else
                std::memcpy(to, from, kComponents * sizeof(float));
        }
    }
}

template <class Value>
void Executable::writeElements(const Element& first, int count, const Value* values) {
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

void Executable::set(const Element& first, int count, const GLfloat* values) { writeElements(first, count, values); }
void Executable::set(const Element& first, int count, const GLuint* values) { writeElements(first, count, values); }

void Executable::set(const Element& first, int count, const GLint* values) {
    Uniform& uniform = *first.uniform;
    if (!uniform.isSampler()) return writeElements(first, count, values);
    count = std::clamp(count, 0, uniform.elements() - first.index);
    std::copy_n(values, count, uniform.units.begin() + first.index);
    updateSamplerConflict();
}

void Executable::get(const Element& element, std::array<double, 16>& values) const {
    const Uniform& uniform = *element.uniform;
    VarType type = uniform.variable.type;
    const isa::Scalar scalar = isa::scalarOf(type);
    if (uniform.isSampler()) {
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
        const float value = row[static_cast<size_t>(start + i % components)];
        values[static_cast<size_t>(i)] = scalar == isa::Scalar::Int    ? std::bit_cast<GLint>(value)
                                         : scalar == isa::Scalar::UInt ? std::bit_cast<GLuint>(value)
                                                                       : static_cast<double>(value);
    }
}

void Executable::writeView(GLuint view) {
    write<1>(view_, 0, 1, &view);
    writtenView_ = view;
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
