// The vertex stage: gathers 32 vertices into input registers (structure of arrays), runs the vertex program on the
// group, and scatters its outputs into vertex records for assembly.
#include "pipeline/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "pipeline/raster.h"

namespace tessera::pipeline {

std::vector<std::array<float, 4>> shaderConstants(const isa::Program& program,
                                                  const std::vector<std::array<float, 4>>* recorded) {
    std::vector<std::array<float, 4>> constants;
    if (recorded) constants.assign(recorded->begin(), recorded->end());
    constants.resize(std::max<size_t>(program.constantCount, 1));
    for (const isa::Literal& literal : program.literals)
        if (literal.reg < constants.size())
            std::memcpy(constants[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
    return constants;
}

// --- The post-transform cache ---------------------------------------------------------------------------------

void VertexCache::clear() {
    keys_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
}

void VertexCache::grow() {
    const size_t size = std::max<size_t>(64, slots_.size() * 2);
    std::vector<VertexKey> keys;
    keys.swap(keys_);
    slots_.assign(size, 0);
    for (VertexKey key : keys) add(key);
}

uint32_t VertexCache::add(VertexKey key) {
    if (keys_.size() * 2 >= slots_.size()) grow();
    const uint64_t mixed = (uint64_t{key.instance} << 32 | key.element) * 0x9E3779B97F4A7C15;  // Fibonacci hashing
    const size_t mask = slots_.size() - 1;
    size_t slot = mixed >> 40 & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask)
        if (keys_[slots_[slot] - 1] == key) return slots_[slot] - 1;
    keys_.push_back(key);
    slots_[slot] = static_cast<uint32_t>(keys_.size());
    return slots_[slot] - 1;
}

// --- The stage ------------------------------------------------------------------------------------------------

VertexStage::VertexStage(const Draw& draw)
    : draw_(draw),
      program_(*draw.program->vertex),
      constants_(shaderConstants(program_, draw.vertexConstants.get())),
      textures_(draw.vertexTextures) {
    for (int varying = 0; varying < isa::kMaxInputs; ++varying) {
        if ((draw.program->fragment->inputMask >> varying & 1) == 0) continue;
        const int output = isa::kOutVarying0 + varying;
        const bool written = output < isa::kMaxOutputs && (program_.outputMask >> output & 1) != 0;
        varyingOutput_.push_back(written ? output : -1);
    }
}

bool VertexStage::run(std::span<const VertexKey> keys, VertexRegisters& registers, ShadedVertices& out,
                      uint64_t* instructions) const {
    const bool readsInstance = (program_.specialMask >> static_cast<int>(isa::Special::InstanceId) & 1) != 0;
    out.stride = ShadedVertices::kAttributes + 4 * varyingCount();
    out.data.resize(keys.size() * out.stride);
    for (size_t first = 0; first < keys.size(); first += isa::kGroupSize) {
        const int lanes = static_cast<int>(std::min<size_t>(isa::kGroupSize, keys.size() - first));
        for (int input = 0; input < isa::kMaxInputs; ++input)
            if (program_.inputMask >> input & 1)
                fetchAttribute(draw_.attributes[input], &keys[first], lanes, registers.inputs[input]);
        if (readsInstance) {
            float* instance = registers.specials[static_cast<int>(isa::Special::InstanceId)].lane[0];
            for (int lane = 0; lane < lanes; ++lane) instance[lane] = std::bit_cast<float>(keys[first + lane].instance);
        }
        isa::GroupRun group;
        group.activeMask = lanes == isa::kGroupSize ? ~0u : (1u << lanes) - 1;
        group.inputs = registers.inputs;
        group.outputs = registers.outputs;
        group.specials = registers.specials;
        group.constants = reinterpret_cast<const float(*)[4]>(constants_.data());
        group.textures = &textures_;
        group.budget = kGroupInstructionBudget;
        draw_.program->vertexRoutine->run(group);
        *instructions += group.instructions;
        if (group.budgetExceeded) return false;
        scatter(registers.outputs, lanes, out.data.data() + first * out.stride, out.stride);
    }
    return true;
}

void VertexStage::scatter(const isa::GroupRegister* outputs, int lanes, float* to, int stride) const {
    const bool hasPosition = (program_.outputMask >> isa::kOutPosition & 1) != 0;
    const bool hasPointSize = (program_.outputMask >> isa::kOutPointSize & 1) != 0;
    for (int lane = 0; lane < lanes; ++lane) {
        float* vertex = to + lane * stride;
        for (int c = 0; c < 4; ++c) vertex[c] = hasPosition ? outputs[isa::kOutPosition].lane[c][lane] : 0;
        vertex[ShadedVertices::kPointSize] = hasPointSize ? outputs[isa::kOutPointSize].lane[0][lane] : 1;
    }
    for (int varying = 0; varying < varyingCount(); ++varying) {
        const int output = varyingOutput_[varying];
        for (int lane = 0; lane < lanes; ++lane) {
            float* attribute = to + lane * stride + ShadedVertices::kAttributes + 4 * varying;
            for (int c = 0; c < 4; ++c) attribute[c] = output < 0 ? 0 : outputs[output].lane[c][lane];
        }
    }
}

}  // namespace tessera::pipeline
