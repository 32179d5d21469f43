// Texture instructions: one request for the whole group, or one for each distinct unit it names.
#include <algorithm>

#include "shader-core/interp/access.h"
#include "shader-core/isa/program.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

isa::GroupRegister& scratch(Machine& machine, int index) {
    return reinterpret_cast<isa::GroupRegister*>(machine.base[kBaseScratch])[index];
}

/// Component `c` of an operand as 32 lanes in memory: in place where the register holds just that.
const float* lanesOf(Machine& machine, const Operand& operand, int source, int component, bool isInteger) {
    if (!operand.uniform && !operand.negate && !operand.absolute) return address(machine, operand, component);
    const Lanes lanes = isInteger ? fetch<Access::Any, true>(machine, operand, component)
                                  : fetch<Access::Any, false>(machine, operand, component);
    float* p = scratch(machine, source).lane[component];
    store(p, lanes.half[0]);
    store(p + 16, lanes.half[1]);
    return p;
}

void sampleUnit(Machine& machine, int unit, const isa::TextureRequest& request, isa::GroupRegister& result) {
    if (machine.run->textures != nullptr) return machine.run->textures->sample(unit, request, result);
    isa::answerIncomplete(request, result);
}

int unitOfLane(const Machine& machine, const Decoded& d, uint32_t lane) {
    const int64_t unit = int64_t{d.textureUnit} + reinterpret_cast<const int32_t*>(machine.base[kBaseAddress])[lane];
    return unit < 0 ? 0 : unit >= isa::kMaxTextureUnits ? isa::kMaxTextureUnits - 1 : static_cast<int>(unit);
}

/// Lanes may name different units: each distinct unit is asked once, for its lanes.
void sampleRelative(Machine& machine, const Decoded& d, isa::TextureRequest request, isa::GroupRegister& result) {
    alignas(64) isa::GroupRegister partial;
    uint32_t left = request.mask;
    while (left != 0) {
        const int unit = unitOfLane(machine, d, static_cast<uint32_t>(__builtin_ctz(left)));
        uint32_t same = 0;
        for (uint32_t lanes = left; lanes != 0; lanes &= lanes - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(lanes));
            if (unitOfLane(machine, d, lane) == unit) same |= 1u << lane;
        }
        left &= ~same;
        request.mask = same;
        sampleUnit(machine, unit, request, partial);
        for (int c = 0; c < 4; ++c) {
            for (uint32_t lanes = same; lanes != 0; lanes &= lanes - 1) {
                const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(lanes));
                result.lane[c][lane] = partial.lane[c][lane];
            }
        }
    }
}

void lookup(Machine& machine, const Decoded& d, uint32_t mask) {
    const Operand* src = d.src;
    Operand resolved[3];
    if (d.gathers) {
        gather(machine, d, resolved);
        src = resolved;
    }
    isa::TextureRequest request;
    request.target = d.textureTarget;
    request.mask = mask;
    request.hasQuads = machine.program->stage == isa::Stage::Fragment;
    request.offset = d.texelOffset;
    request.type = d.type;
    request.lodMode = isa::lodModeOf(d.op);
    const bool isInteger = isa::sourceType(d.op, d.type) != isa::Type::F32;
    const int coordinates = request.lodMode == isa::LodMode::Size ? 1 : isa::coordinateCount(d.textureTarget);
    // Three in any case: what the target has not is not looked at.
    for (int c = 0; c < std::max(coordinates, 3); ++c) request.coord[c] = lanesOf(machine, src[0], 0, c, isInteger);
    if (isa::hasLod(request.lodMode)) request.lod = lanesOf(machine, src[1], 1, 0, isInteger);
    if (request.lodMode == isa::LodMode::Gradient) {
        for (int c = 0; c < isa::gradientCount(d.textureTarget); ++c) {
            request.ddx[c] = lanesOf(machine, src[1], 1, c, false);
            request.ddy[c] = lanesOf(machine, src[2], 2, c, false);
        }
    }
    isa::GroupRegister& result = scratch(machine, 3);
    if (d.textureRelative)
        sampleRelative(machine, d, request, result);
    else
        sampleUnit(machine, d.textureUnit, request, result);
    Lanes out[4];
    for (int c = 0; c < 4; ++c)
        for (int h = 0; h < 2; ++h) out[c].half[h] = load<F32x16>(result.lane[c] + 16 * h);
    writeBack(machine, d, out, mask);
}

}  // namespace

Handler textureHandler(const Decoded&) { return lookup; }

}  // namespace tessera::interp::TESSERA_SIMD
