// A lookup of 32 lanes as two lookups of one block each. Compiled once for each SIMD level.
#include "pipeline/units/texture_units.h"
#include "shader-core/isa/block.h"
#include "texture/sample/sampler.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

void sampleGroup(const TextureUnit& unit, const isa::TextureRequest& request, isa::GroupRegister& result);
void sampleBlock(const isa::BlockRun* block, isa::TextureCall* call, uint32_t descriptor, uint32_t lanes);
TextureUnit textureUnit(const TextureBinding& binding);

namespace {

constexpr uint32_t bitOf(isa::TextureTarget target) { return 1u << static_cast<uint32_t>(target); }

/// What a block sampler answers.
uint32_t targetsOf(const TextureBinding& binding) {
    if (texture::comparesDepth(*binding.view, binding.state)) return bitOf(isa::TextureTarget::Shadow2D);
    switch (binding.view->kind) {
        case texture::Kind::Tex2D:
            return bitOf(isa::TextureTarget::Tex2D) | bitOf(isa::TextureTarget::External);
        case texture::Kind::Cube:
            return bitOf(isa::TextureTarget::Cube);
        case texture::Kind::Tex3D:
            return bitOf(isa::TextureTarget::Tex3D);
    }
    return 0;
}

/// Vertex programs have no quads: the derived level of detail is 0 there, and a bias is added to that.
texture::LodMode lodModeOf(const isa::TextureRequest& request) {
    switch (request.lodMode) {
        case isa::LodMode::Implicit:
            return request.hasQuads ? texture::LodMode::Implicit : texture::LodMode::Zero;
        case isa::LodMode::Bias:
            return request.hasQuads ? texture::LodMode::Bias : texture::LodMode::Explicit;
        case isa::LodMode::Explicit:
            return texture::LodMode::Explicit;
        case isa::LodMode::Gradient:
            return texture::LodMode::Gradient;
    }
    return texture::LodMode::Zero;
}

void loadLanes(F32x16 (&to)[3], const float* const (&from)[3], int firstLane) {
    for (int component = 0; component < 3; ++component) {
        if (from[component] != nullptr) to[component] = load<F32x16>(from[component] + firstLane);
    }
}

}  // namespace

TextureUnit textureUnit(const TextureBinding& binding) {
    TextureUnit unit;
    unit.view = binding.view.get();
    unit.state = &binding.state;
    if (unit.view != nullptr) unit.block = texture::blockSampler(*unit.view, binding.state);
    if (unit.block != nullptr) unit.targets = targetsOf(binding);
    return unit;
}

void sampleBlock(const isa::BlockRun* block, isa::TextureCall* call, uint32_t descriptor, uint32_t lanes) {
    const auto& units = *static_cast<const DrawTextureUnits*>(block->textures);
    const isa::TextureDescriptor lookup = isa::TextureDescriptor::unpack(descriptor);
    const bool derived = static_cast<isa::LodMode>(lookup.lodMode) == isa::LodMode::Implicit && block->hasQuads != 0;
    if (derived && !lookup.relative && lanes != 0) {
        const TextureUnit& unit = units.unit(lookup.unit);
        if ((unit.targets >> (lookup.target & 31u) & 1) != 0) {
            const uint32_t first = block->firstLane;
            unit.block(*unit.view, *unit.state, lanes, call->row[0] + first, call->row[1] + first, call->row[2] + first,
                       call->result.lane[0] + first);
            return;
        }
    }
    units.general()(block, call, descriptor, lanes);
}

void sampleGroup(const TextureUnit& unit, const isa::TextureRequest& request, isa::GroupRegister& result) {
    const bool derived = request.lodMode == isa::LodMode::Implicit && request.hasQuads;
    const bool hasCode = derived && (unit.targets & bitOf(request.target)) != 0;
    for (int half = 0; half < 2; ++half) {
        const int firstLane = half * kBlockLanes;
        const uint32_t lanes = request.mask >> firstLane & 0xFFFF;
        if (lanes == 0) continue;
        if (hasCode) {
            const float* r = request.coord[2] != nullptr ? request.coord[2] + firstLane : nullptr;
            unit.block(*unit.view, *unit.state, lanes, request.coord[0] + firstLane, request.coord[1] + firstLane, r,
                       result.lane[0] + firstLane);
            continue;
        }
        texture::SampleInput in;
        in.mask = lanes;
        in.lodMode = lodModeOf(request);
        in.compares = request.target == isa::TextureTarget::Shadow2D;
        loadLanes(in.coord, request.coord, firstLane);
        if (request.lod != nullptr) in.lod = load<F32x16>(request.lod + firstLane);
        if (in.lodMode == texture::LodMode::Gradient) {
            loadLanes(in.ddx, request.ddx, firstLane);
            loadLanes(in.ddy, request.ddy, firstLane);
        }
        texture::TexelListener listener;
        if (unit.listener != nullptr) {
            listener = *unit.listener;
            listener.firstLane = firstLane;
            in.listener = &listener;
        }
        texture::SampleOutput out;
        texture::sample(*unit.view, *unit.state, in, out);
        for (int component = 0; component < 4; ++component) {
            store(result.lane[component] + firstLane, out.rgba[component]);
        }
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
