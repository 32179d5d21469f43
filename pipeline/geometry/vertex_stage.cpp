// The vertex stage: gathers 32 vertices into input registers (structure of arrays), runs the vertex program on the
// group, and while its outputs are still in that form projects them and makes the outcodes that assembly asks for.
#include "pipeline/geometry/vertex_stage.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "base/limits.h"
#include "pipeline/commands.h"
#include "pipeline/probe/machine_probe.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

void fillConstants(const isa::Program& program, std::span<const ConstantRegister> recorded,
                   std::vector<std::array<float, 4>>& to) {
    to.clear();
    const size_t count = std::max<size_t>(program.constantCount, 1);
    to.reserve(std::max(count, recorded.size()));
    to.assign(recorded.begin(), recorded.end());
    to.resize(count);
    for (const isa::Literal& literal : program.literals)
        if (literal.reg < count) std::memcpy(to[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
}

std::span<const ConstantRegister> filledConstants(const isa::Program& program,
                                                  std::span<const ConstantRegister> recorded,
                                                  std::vector<ConstantRegister>& memory) {
    const size_t count = std::max<size_t>(program.constantCount, 1);
    const bool isFilled = recorded.size() >= count && std::ranges::all_of(program.literals, [&](const auto& literal) {
                              return literal.reg >= count || std::memcmp(recorded[literal.reg].data(),
                                                                         literal.bits.data(), sizeof literal.bits) == 0;
                          });
    if (isFilled) return recorded;
    fillConstants(program, recorded, memory);
    return memory;
}

void ShadedVertices::reserve(size_t count, int varyings) {
    const size_t room = (count + isa::kGroupSize - 1) / isa::kGroupSize * isa::kGroupSize;
    arrays_.stride = 4 + 4 * varyings;
    const auto grow = [](auto& memory, size_t size) {
        if (memory.size() < size) memory.resize(size);
        return memory.data();
    };
    arrays_.records = grow(records_, room * arrays_.stride);
    arrays_.pointSize = grow(pointSize_, room);
    arrays_.code = grow(code_, room);
    arrays_.x = grow(x_, room);
    arrays_.y = grow(y_, room);
    arrays_.z = grow(z_, room);
    arrays_.inverseW = grow(inverseW_, room);
}

namespace {

/// EXT_clip_control: positions as programs with the other conventions write them, in those that all that follows has.
/// 2 z - w has one rounding, an eighth of a step of 24-bit depth at most.
void toCommonClipSpace(bool flipsY, bool widensDepth, isa::GroupRegister& position) {
    for (int lane = 0; lane < isa::kGroupSize; ++lane) {
        if (flipsY) position.lane[1][lane] = -position.lane[1][lane];
        if (widensDepth)
            position.lane[2][lane] = position.lane[2][lane] + position.lane[2][lane] - position.lane[3][lane];
    }
}

uint64_t nextNumber() {
    static std::atomic<uint64_t> last = 0;
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace

VertexStage::VertexStage(const Draw& draw, const DrawProbe& probe)
    : draw_(draw),
      program_(draw.state->program->vertex()),
      number_(nextNumber()),
      whole_{&program_, draw.state->program->stages[isa::Stage::Vertex].routine.get(), &VertexRegisters::values},
      probe_(probe),
      textures_(draw.state->textures[isa::Stage::Vertex], probe.probe != nullptr ? &probe_ : nullptr) {
    // Who watches sees each vertex shaded, once.
    if (probe.probe == nullptr && probe.machine == nullptr) {
        const ProgramStage& stage = draw.state->program->stages[isa::Stage::Vertex];
        if (stage.positionsRoutine != nullptr)
            positions_ = {stage.facts.positions.get(), stage.positionsRoutine.get(), &VertexRegisters::positionValues};
    }
    constants_ = filledConstants(program_, draw.constants[isa::Stage::Vertex], ownConstants_);
    const bool hasPosition = program_.outputMask.has(isa::kOutPosition);
    flipsY_ = hasPosition && draw.state->raster.clipUpperLeft;
    widensDepth_ = hasPosition && draw.state->raster.clipDepthFromZero;
    distances_ = draw.state->program->distances.lookedAt(draw.state->raster.clipDistances);
    for (const int varying : isa::varyingMask(draw.state->program->fragment())) {
        const int source = draw.state->program->varyingSource[static_cast<size_t>(varying)];
        const int output = isa::kOutVarying0 + source;
        const bool written = source >= 0 && program_.outputMask.has(output);
        varyingOutput_[varyings_++] = static_cast<int8_t>(written ? output : -1);
    }
}

VertexStage::Result VertexStage::run(std::span<const VertexKey> keys, const SetupState& setup,
                                     const GeometryFunctions& functions, uint32_t rejecting,
                                     const std::atomic<bool>* stop, VertexRegisters& registers, ShadedVertices& out,
                                     uint64_t* instructions) const {
    out.reserve(keys.size(), varyingCount() + (distances_.count() + 3) / 4);
    const size_t outputs = outputsOfGroup();
    const size_t groups = (keys.size() + isa::kGroupSize - 1) / isa::kGroupSize;
    if (registers.outputs.size() < groups * outputs) registers.outputs.resize(groups * outputs);
    const auto lanesOf = [&](size_t group) {
        return static_cast<int>(std::min<size_t>(isa::kGroupSize, keys.size() - group * isa::kGroupSize));
    };
    const auto shadePart = [&](const Part& part, size_t group, isa::GroupRegister* own) {
        const Result result = shadeGroup(part, &keys[group * isa::kGroupSize], lanesOf(group), functions, stop,
                                         registers, own, instructions);
        if (result == Result::Shaded && (flipsY_ || widensDepth_))
            toCommonClipSpace(flipsY_, widensDepth_, own[isa::kOutPosition]);
        return result;
    };
    // Groups wait, with outputs of their own, as long as all vertices may be outside the view for the same reason: the
    // first as a whole, those that follow with their positions alone.
    begin(registers);
    uint32_t common = rejecting;
    for (size_t group = 0; group < groups; ++group) {
        const bool othersWait = common != 0;
        const auto outputsOf = [&](size_t of) { return registers.outputs.data() + (othersWait ? of * outputs : 0); };
        const bool isPart = othersWait && group != 0 && positions_.routine != nullptr;
        if (const Result result = shadePart(isPart ? positions_ : whole_, group, outputsOf(group));
            result != Result::Shaded)
            return result;
        if (probe_.machine != nullptr) [[unlikely]]
            probe_.machine->shaded(lanesOf(group) == isa::kGroupSize ? ~0u : (1u << lanesOf(group)) - 1);
        if (common != 0) common &= functions.commonOutcode(shadedGroup(outputsOf(group)), lanesOf(group));
        if (common != 0) continue;
        for (size_t again = 1; isPart && again <= group; ++again)
            if (const Result result = shadePart(whole_, again, outputsOf(again)); result != Result::Shaded)
                return result;
        for (size_t ready = othersWait ? 0 : group; ready <= group; ++ready)
            finish(outputsOf(ready), setup, functions, lanesOf(ready), static_cast<uint32_t>(ready * isa::kGroupSize),
                   registers, out);
    }
    return common != 0 ? Result::Rejected : Result::Shaded;
}

void VertexStage::begin(VertexRegisters& registers) const {
    if (std::exchange(registers.valuesOf, number_) == number_) return;
    registers.values.areThere = registers.positionValues.areThere = 0;
}

size_t VertexStage::outputsOfGroup() const { return static_cast<size_t>(std::max(1, program_.outputMask.width())); }

bool VertexStage::writes(int output) const { return program_.outputMask.has(output); }

VertexStage::Result VertexStage::outputs(std::span<const VertexKey> keys, const GeometryFunctions& functions,
                                         const std::atomic<bool>* stop, VertexRegisters& registers,
                                         uint64_t* instructions) const {
    const size_t groups = (keys.size() + isa::kGroupSize - 1) / isa::kGroupSize;
    if (registers.outputs.size() < groups * outputsOfGroup()) registers.outputs.resize(groups * outputsOfGroup());
    begin(registers);
    for (size_t first = 0; first < keys.size(); first += isa::kGroupSize) {
        const auto lanes = static_cast<int>(std::min<size_t>(isa::kGroupSize, keys.size() - first));
        isa::GroupRegister* const own = registers.outputs.data() + first / isa::kGroupSize * outputsOfGroup();
        if (const Result result =
                shadeGroup(whole_, &keys[first], lanes, functions, stop, registers, own, instructions);
            result != Result::Shaded)
            return result;
    }
    return Result::Shaded;
}

VertexStage::Result VertexStage::shadeGroup(const Part& part, const VertexKey* keys, int lanes,
                                            const GeometryFunctions& functions, const std::atomic<bool>* stop,
                                            VertexRegisters& registers, isa::GroupRegister* outputs,
                                            uint64_t* instructions) const {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return Result::Stopped;
    fetch(*part.program, keys, lanes, functions, registers);
    return shade(part, lanes, registers, outputs, instructions) ? Result::Shaded : Result::Abandoned;
}

bool VertexStage::shade(const Part& part, int lanes, VertexRegisters& registers, isa::GroupRegister* outputs,
                        uint64_t* instructions) const {
    isa::GroupRun group;
    group.activeMask = lanes == isa::kGroupSize ? ~0u : (1u << lanes) - 1;
    group.inputs = registers.inputs;
    group.outputs = outputs;
    group.specials = registers.specials;
    group.constants = reinterpret_cast<const float(*)[4]>(constants_.data());
    group.values = &(registers.*part.values);
    group.textures = &textures_;
    group.budget = instructionBudget();
    part.routine->run(group);
    *instructions += group.instructions;
    return !group.budgetExceeded;
}

void VertexStage::fetch(const isa::Program& program, const VertexKey* keys, int lanes,
                        const GeometryFunctions& functions, VertexRegisters& registers) const {
    ElementGroup group;
    functions.elements(keys, lanes, group);
    for (const int input : program.inputMask) {
        const VertexAttribute& attribute = draw_.state->attributes[input];
        if (attribute.data && attribute.divisor == 0) {
            const AttributeSource source = {attribute.data->data(), static_cast<int64_t>(attribute.data->size()),
                                            attribute.offset,       attribute.stride,
                                            attribute.type,         attribute.components,
                                            attribute.conversion};
            if (functions.fetch(source, group, registers.inputs[input])) continue;
        }
        fetchAttribute(attribute, keys, lanes, registers.inputs[input]);
    }
    fillSpecials(program, keys, lanes, registers);
}

/// What a vertex program reads of its vertex besides attributes: integers, which its key names.
void VertexStage::fillSpecials(const isa::Program& program, const VertexKey* keys, int lanes,
                               VertexRegisters& registers) {
    const auto fill = [&](isa::Special special, int component, uint32_t VertexKey::* value) {
        const auto number = static_cast<int>(special);
        if (!program.specialMask.has(number)) return;
        float* const to = registers.specials[number].lane[component];
        for (int lane = 0; lane < lanes; ++lane) to[lane] = std::bit_cast<float>(keys[lane].*value);
    };
    fill(isa::Special::InstanceId, 0, &VertexKey::instance);
    fill(isa::Special::InstanceId, 1, &VertexKey::element);
}

/// Where the program's outputs are.
ShadedGroup VertexStage::shadedGroup(const isa::GroupRegister* outputs) const {
    ShadedGroup group;
    const auto output = [&](int number) -> const isa::GroupRegister* {
        return program_.outputMask.has(number) ? &outputs[number] : nullptr;
    };
    group.position = output(isa::kOutPosition);
    group.pointSize = output(isa::kOutPointSize);
    for (int i = 0; i < varyings_; ++i) group.varying[group.varyings++] = output(varyingOutput_[i]);
    return group;
}

void VertexStage::finish(const isa::GroupRegister* outputs, const SetupState& setup, const GeometryFunctions& functions,
                         int lanes, uint32_t first, VertexRegisters& registers, ShadedVertices& out) const {
    ShadedGroup group = shadedGroup(outputs);
    const int distances = distances_.count();
    const auto placeOf = [&](int i) -> float* { return registers.distances[i / 4].lane[i % 4]; };
    for (int i = 0; i < distances; ++i) {
        const VertexDistance& from = distances_.place[static_cast<size_t>(i)];
        if (program_.outputMask.has(from.output))
            std::copy_n(outputs[from.output].lane[from.component], isa::kGroupSize, placeOf(i));
        else
            std::fill_n(placeOf(i), isa::kGroupSize, 0.0f);
        if (i % 4 == 0) group.varying[group.varyings++] = &registers.distances[i / 4];
    }
    functions.finishGroup(setup, group, lanes, first, out.arrays());
    for (int i = 0; i < distances; ++i)
        for (int lane = 0; lane < lanes; ++lane)
            if (!(placeOf(i)[lane] >= 0))
                out.arrays().code[first + static_cast<uint32_t>(lane)] |= 1u << (kDistanceShift + i);
}

}  // namespace tessera::pipeline
