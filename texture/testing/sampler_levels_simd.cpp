// Compiled once for each SIMD level: calls that level's sample().
#include "texture/testing/sampler_levels.h"

#include <algorithm>

#include "texture/sample/sampler.h"

namespace tessera::texture::levels::TESSERA_SIMD {

namespace {

SampleInput inputOf(const TextureView& view, const PlainLookups& in) {
    SampleInput input;
    input.lodMode = static_cast<LodMode>(in.lodMode);
    input.mask = in.mask;
    input.compares = in.compares;
    for (int i = 0; i < 3; ++i) {
        input.coord[i] = load<F32x16>(in.coord[i]);
        input.ddx[i] = load<F32x16>(in.ddx[i]);
        input.ddy[i] = load<F32x16>(in.ddy[i]);
    }
    input.lod = load<F32x16>(in.lod);
    input.reference = load<F32x16>(view.kind == Kind::Tex2D ? in.coord[2] : in.reference);
    std::copy_n(in.offset, 3, input.offset.begin());
    return input;
}

}  // namespace

void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out) {
    SampleOutput output;
    sample(view, state, inputOf(view, in), output);
    for (int c = 0; c < 4; ++c) store(out.rgba[c], output.rgba[c]);
}

bool sampleInputPlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out) {
    const InputSampler sampler = inputSampler(view, state);
    if (sampler == nullptr) return false;
    const BoundTexture texture = {&view, &state};
    float result[4][kLookupStride];
    sampler(texture, inputOf(view, in), result[0]);
    for (int c = 0; c < 4; ++c) std::memcpy(out.rgba[c], result[c], sizeof out.rgba[c]);
    return true;
}

void fetchPlain(const TextureView& view, const PlainFetches& in, PlainColors& out) {
    FetchInput input;
    input.mask = in.mask;
    for (int i = 0; i < 3; ++i) input.at[i] = load<I32x16>(in.at[i]);
    input.level = load<I32x16>(in.level);
    SampleOutput output;
    fetchTexels(view, input, output);
    for (int c = 0; c < 4; ++c) store(out.rgba[c], output.rgba[c]);
}
void fetchElementPlain(const TextureView& view, const PlainFetches& in, PlainColors& out) {
    const BoundTexture texture = {&view, nullptr};
    PlainRows rows[2] = {};  // the first of zeros
    for (int i = 0; i < 3; ++i) std::memcpy(rows[1].coordinate[i], in.at[i], sizeof in.at[i]);
    std::memcpy(rows[1].coordinate[3], in.level, sizeof in.level);
    texelFetcher(view)(&texture, in.mask, 2, rows[0].coordinate[0], in.channels);
    for (int c = 0; c < 4; ++c) std::memcpy(out.rgba[c], rows[1].result[c], sizeof out.rgba[c]);
}

bool sampleBlockPlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out) {
    const BlockSampler sampler = blockSampler(view, state);
    if (sampler == nullptr || comparesDepth(view, state) != in.compares) return false;
    float coordinates[3][kLookupStride], result[4][kLookupStride];
    for (int i = 0; i < 3; ++i) std::memcpy(coordinates[i], in.coord[i], sizeof in.coord[i]);
    for (auto& channel : result)
        for (float& lane : channel) lane = -7;
    const BoundTexture texture = {&view, &state};
    sampler(&texture, in.mask, coordinates[0], result[0]);
    for (int c = 0; c < 4; ++c) std::memcpy(out.rgba[c], result[c], sizeof out.rgba[c]);
    return true;
}

bool sampleSeveralPlain(const TextureView& view, const SamplerState& state, uint32_t mask, int count, PlainRows* rows,
                        uint32_t channels) {
    static_assert(sizeof(PlainRows) == sizeof(float) * kLookupFloats);
    const SeveralSampler sampler = severalSampler(view, state);
    if (sampler == nullptr) return false;
    const BoundTexture texture = {&view, &state};
    sampler(&texture, mask, count, rows->coordinate[0], channels);
    return true;
}

bool sampleMovedPlain(const TextureView& view, const SamplerState& state, uint32_t mask, int count, PlainRows* rows,
                      uint32_t channels) {
    const SeveralSampler sampler = movedSampler(view, state);
    if (sampler == nullptr) return false;
    const BoundTexture texture = {&view, &state};
    sampler(&texture, mask, count, rows->coordinate[0], channels);
    return true;
}

}  // namespace tessera::texture::levels::TESSERA_SIMD
