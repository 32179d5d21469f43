// A lookup of 32 lanes as two lookups of one block each. Compiled once for each SIMD level.
#include "pipeline/texture_units.h"
#include "texture/sampler.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

void sampleGroup(const texture::TextureView& view, const texture::SamplerState& state,
                 const isa::TextureRequest& request, isa::GroupRegister& result);

namespace {

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

void sampleGroup(const texture::TextureView& view, const texture::SamplerState& state,
                 const isa::TextureRequest& request, isa::GroupRegister& result) {
    for (int half = 0; half < 2; ++half) {
        const int firstLane = half * kBlockLanes;
        texture::SampleInput in;
        in.mask = request.mask >> firstLane & 0xFFFF;
        if (in.mask == 0) continue;
        in.lodMode = lodModeOf(request);
        loadLanes(in.coord, request.coord, firstLane);
        if (request.lod != nullptr) in.lod = load<F32x16>(request.lod + firstLane);
        if (in.lodMode == texture::LodMode::Gradient) {
            loadLanes(in.ddx, request.ddx, firstLane);
            loadLanes(in.ddy, request.ddy, firstLane);
        }
        texture::SampleOutput out;
        texture::sample(view, state, in, out);
        for (int component = 0; component < 4; ++component) {
            store(result.lane[component] + firstLane, out.rgba[component]);
        }
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
