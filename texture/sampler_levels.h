// Test support: the sampler's three SIMD copies behind one plain interface.
#pragma once

#include <cstdint>

#include "texture/texture.h"

namespace tessera::texture::levels {

enum class TestLod : uint8_t { Implicit, Bias, Explicit, Gradient, Zero };  ///< as LodMode

/// Sixteen lookups in plain arrays.
struct PlainLookups {
    TestLod lodMode = TestLod::Implicit;
    uint32_t mask = 0xFFFF;
    bool compares = false;
    float coord[3][16] = {};
    float lod[16] = {};
    float ddx[3][16] = {}, ddy[3][16] = {};
};
struct PlainColors {
    float rgba[4][16];
};

using PlainSample = void (*)(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);
/// By blockSampler(), for implicit lookups and a mask that is not 0; false: the state has no code of its own.
using PlainBlockSample = bool (*)(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);

namespace v2 {
void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
bool sampleBlockPlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
}  // namespace v2
namespace v3 {
void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
bool sampleBlockPlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
}  // namespace v3
namespace v4 {
void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
bool sampleBlockPlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out);
}  // namespace v4

}  // namespace tessera::texture::levels
