// Compiled once for each SIMD level: calls that level's sample().
#include "texture/sampler_levels.h"

#include "texture/sampler.h"

namespace tessera::texture::levels::TESSERA_SIMD {

void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out) {
    SampleInput input;
    input.lodMode = static_cast<LodMode>(in.lodMode);
    input.mask = in.mask;
    for (int i = 0; i < 3; ++i) {
        input.coord[i] = load<F32x16>(in.coord[i]);
        input.ddx[i] = load<F32x16>(in.ddx[i]);
        input.ddy[i] = load<F32x16>(in.ddy[i]);
    }
    input.lod = load<F32x16>(in.lod);
    SampleOutput output;
    sample(view, state, input, output);
    for (int c = 0; c < 4; ++c) store(out.rgba[c], output.rgba[c]);
}

}  // namespace tessera::texture::levels::TESSERA_SIMD
