// A lookup of 32 lanes as two lookups of one block each. Compiled once for each SIMD level.
#include "pipeline/units/texture_units.h"
#include "shader-core/isa/block.h"
#include "shader-core/isa/isa.h"
#include "texture/sample/sampler.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

void sampleGroup(const TextureUnit& unit, const isa::BlockLookup& lookup, const isa::TextureRequest& request,
                 isa::GroupRegister& result);
isa::BlockLookup blockLookup(const texture::BoundTexture& texture);

namespace {

constexpr uint32_t bitOf(isa::TextureTarget target) { return 1u << static_cast<uint32_t>(target); }

/// What a block sampler answers.
uint32_t targetsOf(const texture::BoundTexture& texture) {
    if (texture::comparesDepth(*texture.view, *texture.state)) return bitOf(isa::TextureTarget::Shadow2D);
    switch (texture.view->kind) {
        case texture::Kind::Tex2D:
            return bitOf(isa::TextureTarget::Tex2D) | bitOf(isa::TextureTarget::External);
        case texture::Kind::Cube:
            return bitOf(isa::TextureTarget::Cube);
        case texture::Kind::Tex3D:
            return bitOf(isa::TextureTarget::Tex3D);
        case texture::Kind::Array2D:
            return bitOf(isa::TextureTarget::Array2D);
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
        case isa::LodMode::Texel:
        case isa::LodMode::Size:
            break;  // not the sampler's
    }
    return texture::LodMode::Zero;
}

// Lookups as the ISA and as the sampler have them.
static_assert(texture::kLookupStride == isa::LookupRows::kLanes &&
              sizeof(isa::LookupRows) == texture::kLookupFloats * 4 &&
              offsetof(isa::LookupRows, result) == sizeof(float) * 3 * texture::kLookupStride);

void loadLanes(F32x16 (&to)[3], const float* const* from, int firstLane) {
    for (int component = 0; component < 3; ++component) {
        if (from[component] != nullptr) to[component] = load<F32x16>(from[component] + firstLane);
    }
}

}  // namespace

isa::BlockLookup blockLookup(const texture::BoundTexture& texture) {
    isa::BlockLookup lookup;
    lookup.function = texture::blockSampler(*texture.view, *texture.state);
    lookup.several = texture::severalSampler(*texture.view, *texture.state);
    lookup.texture = &texture;
    if (lookup.function != nullptr) lookup.targets = targetsOf(texture);
    return lookup;
}

void sampleGroup(const TextureUnit& unit, const isa::BlockLookup& lookup, const isa::TextureRequest& request,
                 isa::GroupRegister& result) {
    const bool derived = request.lodMode == isa::LodMode::Implicit && request.hasQuads;
    const bool hasCode = derived && (lookup.targets & bitOf(request.target)) != 0;
    for (int half = 0; half < 2; ++half) {
        const int firstLane = half * kBlockLanes;
        const uint32_t lanes = request.mask >> firstLane & 0xFFFF;
        if (lanes == 0) continue;
        if (hasCode) {
            isa::LookupRows rows;
            for (int c = 0; c < 3; ++c)
                if (request.coord[c] != nullptr) store(rows.coordinate[c], load<F32x16>(request.coord[c] + firstLane));
            lookup.function(&unit.bound, lanes, rows.coordinate[0], rows.result[0]);
            for (int c = 0; c < 4; ++c) store(result.lane[c] + firstLane, load<F32x16>(rows.result[c]));
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
        texture::sample(*unit.bound.view, *unit.bound.state, in, out);
        for (int component = 0; component < 4; ++component) {
            store(result.lane[component] + firstLane, out.rgba[component]);
        }
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
