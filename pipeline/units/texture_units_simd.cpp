// A lookup of 32 lanes as two lookups of one block each. Compiled once for each SIMD level.
#include "pipeline/units/texture_units.h"
#include "shader-core/isa/block.h"
#include "shader-core/isa/isa.h"
#include "texture/sample/sampler.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

void sampleGroup(const TextureUnit& unit, const isa::BlockLookup& lookup, const isa::TextureRequest& request,
                 isa::GroupRegister& result);
isa::BlockLookup chooseFunctions(TextureUnit& unit);

namespace {

using isa::BlockLookup;

/// The targets of lookups that do not compare.
uint32_t targetsOf(texture::Kind kind, isa::LodMode mode) {
    switch (kind) {
        case texture::Kind::Tex2D:
            return BlockLookup::bitOf(isa::TextureTarget::Tex2D, mode) |
                   BlockLookup::bitOf(isa::TextureTarget::External, mode);
        case texture::Kind::Cube:
            return BlockLookup::bitOf(isa::TextureTarget::Cube, mode);
        case texture::Kind::Tex3D:
            return BlockLookup::bitOf(isa::TextureTarget::Tex3D, mode);
        case texture::Kind::Array2D:
            return BlockLookup::bitOf(isa::TextureTarget::Array2D, mode);
    }
    return 0;
}
/// What a block sampler answers.
uint32_t targetsOf(const texture::BoundTexture& texture) {
    if (texture::comparesDepth(*texture.view, *texture.state)) return BlockLookup::bitOf(isa::TextureTarget::Shadow2D);
    return targetsOf(texture.view->kind, isa::LodMode::Implicit);
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
static_assert(texture::kMoveRow == isa::LookupRows::kMove &&
              (isa::TextureDescriptor{.offset = {1, 2, 0}}.pack() ^ isa::TextureDescriptor{}.pack()) ==
                  (1u << texture::kMoveXBit | 2u << texture::kMoveYBit));
static_assert(texture::kLookupStride == isa::LookupRows::kLanes &&
              sizeof(isa::LookupRows) == texture::kLookupFloats * 4 &&
              offsetof(isa::LookupRows, result) == sizeof(float) * texture::kLookupResult);

template <class Lanes>
void loadLanes(Lanes (&to)[3], const float* const* from, int firstLane) {
    for (int component = 0; component < 3; ++component) {
        if (from[component] != nullptr)
            to[component] = __builtin_bit_cast(Lanes, load<F32x16>(from[component] + firstLane));
    }
}

bool compares(isa::TextureTarget target) {
    return target == isa::TextureTarget::Shadow2D || target == isa::TextureTarget::ShadowCube ||
           target == isa::TextureTarget::ShadowArray2D;
}

/// Of lookups that no block sampler answers, or somebody listens to.
void sampleAny(const TextureUnit& unit, const texture::TexelListener* listener, const isa::TextureRequest& request,
               int firstLane, uint32_t lanes, texture::SampleOutput& out) {
    texture::SampleInput in;
    in.mask = lanes;
    in.lodMode = lodModeOf(request);
    in.compares = compares(request.target);
    in.offset = request.offset;
    in.listener = listener;
    loadLanes(in.coord, request.coord, firstLane);
    if (in.compares) in.reference = load<F32x16>(request.coord[isa::coordinateCount(request.target) - 1] + firstLane);
    if (request.lod != nullptr) in.lod = load<F32x16>(request.lod + firstLane);
    if (in.lodMode == texture::LodMode::Gradient) {
        loadLanes(in.ddx, request.ddx, firstLane);
        loadLanes(in.ddy, request.ddy, firstLane);
    }
    if (unit.input == nullptr || request.offset != std::array<int8_t, 3>{})
        return texture::sample(*unit.bound.view, *unit.bound.state, in, out);
    static_assert(sizeof out == sizeof(float) * 4 * texture::kLookupStride);
    reinterpret_cast<texture::InputSampler>(unit.input)(unit.bound, in, reinterpret_cast<float*>(out.rgba));
}

void fetchAny(const TextureUnit& unit, const texture::TexelListener* listener, const isa::TextureRequest& request,
              int firstLane, uint32_t lanes, texture::SampleOutput& out) {
    texture::FetchInput in;
    in.mask = lanes;
    in.listener = listener;
    // What the target has not is not looked at: components behind it hold anything.
    const float* at[3] = {};
    for (int i = 0; i < isa::coordinateCount(request.target); ++i) at[i] = request.coord[i];
    loadLanes(in.at, at, firstLane);
    for (int i = 0; i < isa::offsetCount(request.target); ++i)
        in.at[i] = asInt(asUint(in.at[i]) + static_cast<uint32_t>(request.offset[static_cast<size_t>(i)]));
    if (request.lod != nullptr) in.level = asInt(load<F32x16>(request.lod + firstLane));
    texture::fetchTexels(*unit.bound.view, in, out);
}

/// A block's lookup by the unit's own functions.
void askOwn(const TextureUnit& unit, const BlockLookup& lookup, const isa::TextureRequest& request, int firstLane,
            uint32_t lanes, isa::GroupRegister& result) {
    isa::LookupRows rows;
    for (int c = 0; c < 3; ++c)
        if (request.coord[c] != nullptr) store(rows.coordinate[c], load<F32x16>(request.coord[c] + firstLane));
    if (request.lodMode == isa::LodMode::Texel) {
        for (int c = 0; c < isa::offsetCount(request.target); ++c) {
            const auto offset = static_cast<uint32_t>(request.offset[static_cast<size_t>(c)]);
            store(rows.coordinate[c], asUint(load<F32x16>(rows.coordinate[c])) + offset);
        }
        store(rows.coordinate[isa::LookupRows::kLevel], load<F32x16>(request.lod + firstLane));
        lookup.texels(&unit.bound, lanes, 1, rows.coordinate[0], BlockLookup::kAllChannels);
    } else {
        lookup.function(&unit.bound, lanes, rows.coordinate[0], rows.result[0]);
    }
    for (int c = 0; c < 4; ++c) store(result.lane[c] + firstLane, load<F32x16>(rows.result[c]));
}

void findSizes(const texture::TextureView& view, const isa::TextureRequest& request, int firstLane,
               texture::SampleOutput& out) {
    I32x16 sizes[3];
    texture::findSizes(view, asInt(load<F32x16>(request.coord[0] + firstLane)), sizes);
    for (int i = 0; i < 3; ++i) out.rgba[i] = asFloat(sizes[i]);
    out.rgba[3] = F32x16{};
}

}  // namespace

isa::BlockLookup chooseFunctions(TextureUnit& unit) {
    const texture::BoundTexture& texture = unit.bound;
    unit.input = reinterpret_cast<TextureUnit::Function>(texture::inputSampler(*texture.view, *texture.state));
    isa::BlockLookup lookup;
    lookup.function = texture::blockSampler(*texture.view, *texture.state);
    lookup.several = texture::severalSampler(*texture.view, *texture.state);
    lookup.texels = texture::texelFetcher(*texture.view);
    lookup.moved = texture::movedSampler(*texture.view, *texture.state);
    lookup.texture = &texture;
    if (lookup.function != nullptr) {
        lookup.targets = targetsOf(texture);
        if (!texture::holdsFloats(texture.view->image[0][0]->element())) lookup.targets |= BlockLookup::kUpToOne;
    }
    if (lookup.texels != nullptr) lookup.targets |= targetsOf(texture.view->kind, isa::LodMode::Texel);
    return lookup;
}

void sampleGroup(const TextureUnit& unit, const isa::BlockLookup& lookup, const isa::TextureRequest& request,
                 isa::GroupRegister& result) {
    const bool isDerived =
        request.lodMode == isa::LodMode::Implicit && request.hasQuads && request.offset == std::array<int8_t, 3>{};
    const bool hasCode = (isDerived || request.lodMode == isa::LodMode::Texel) &&
                         (lookup.targets & BlockLookup::bitOf(request.target, request.lodMode)) != 0;
    for (int half = 0; half < 2; ++half) {
        const int firstLane = half * kBlockLanes;
        const uint32_t lanes = request.mask >> firstLane & 0xFFFF;
        if (lanes == 0) continue;
        if (hasCode) {
            askOwn(unit, lookup, request, firstLane, lanes, result);
            continue;
        }
        texture::TexelListener listener;
        const texture::TexelListener* told = nullptr;
        if (unit.listener != nullptr) {
            listener = *unit.listener;
            listener.firstLane = firstLane;
            told = &listener;
        }
        texture::SampleOutput out;
        if (request.lodMode == isa::LodMode::Size)
            findSizes(*unit.bound.view, request, firstLane, out);
        else if (request.lodMode == isa::LodMode::Texel)
            fetchAny(unit, told, request, firstLane, lanes, out);
        else
            sampleAny(unit, told, request, firstLane, lanes, out);
        for (int component = 0; component < 4; ++component) {
            store(result.lane[component] + firstLane, out.rgba[component]);
        }
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
