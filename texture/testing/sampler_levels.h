// Test support: the sampler's SIMD copies behind one plain interface.
#pragma once

#include <cstdint>

#include "base/simd_levels.h"
#include "texture/texture.h"

namespace tessera::texture::levels {

enum class TestLod : uint8_t { Implicit, Bias, Explicit, Gradient, Zero };  ///< as LodMode

/// Sixteen lookups in plain arrays.
struct PlainLookups {
    TestLod lodMode = TestLod::Implicit;
    uint32_t mask = 0xFFFF;
    bool compares = false;
    float coord[3][16] = {};   ///< 2D textures that compare have the reference in the third
    float reference[16] = {};  ///< of others
    float lod[16] = {};
    float ddx[3][16] = {}, ddy[3][16] = {};
    int8_t offset[3] = {};
};
/// Sixteen fetches: integers.
struct PlainFetches {
    uint32_t mask = 0xFFFF;
    int32_t at[3][16] = {};
    int32_t level[16] = {};
    uint32_t channels = 0xF;  ///< of the results that there must be, where code for an element fetches
};
struct PlainColors {
    float rgba[4][16];
};

using PlainSample = void (*)(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);
/// By blockSampler(), for implicit lookups and a mask that is not 0; false: the state has no code of its own.
using PlainBlockSample = bool (*)(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);
/// By inputSampler(); false: the state has no code of its own.
using PlainInputSample = PlainBlockSample;
/// By fetchTexels(), or by texelFetcher().
using PlainFetch = void (*)(const TextureView&, const PlainFetches&, PlainColors&);
/// As SeveralSampler has lookups.
struct alignas(64) PlainRows {
    float coordinate[4][16];
    float result[4][16];
};
/// By severalSampler(); false: the state has none.
using PlainSeveralSample = bool (*)(const TextureView&, const SamplerState&, uint32_t mask, int count, PlainRows*,
                                    uint32_t channels);
/// By movedSampler(), of which the rows have the offsets; false: the state has none.
using PlainMovedSample = PlainSeveralSample;

#define TESSERA_PLAIN_SAMPLERS(level, ...)                                                                 \
    namespace level {                                                                                      \
    void samplePlain(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);          \
    void fetchPlain(const TextureView&, const PlainFetches&, PlainColors&);                                \
    void fetchElementPlain(const TextureView&, const PlainFetches&, PlainColors&);                         \
    bool sampleInputPlain(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);     \
    bool sampleBlockPlain(const TextureView&, const SamplerState&, const PlainLookups&, PlainColors&);     \
    bool sampleSeveralPlain(const TextureView&, const SamplerState&, uint32_t mask, int count, PlainRows*, \
                            uint32_t channels);                                                            \
    bool sampleMovedPlain(const TextureView&, const SamplerState&, uint32_t mask, int count, PlainRows*,   \
                          uint32_t channels);                                                              \
    }
TESSERA_EACH_SIMD_LEVEL(TESSERA_PLAIN_SAMPLERS)
#undef TESSERA_PLAIN_SAMPLERS

inline PlainSample plainSampler(SimdLevel level) { return TESSERA_SIMD_COPY(level, samplePlain); }
inline PlainFetch plainFetch(SimdLevel level) { return TESSERA_SIMD_COPY(level, fetchPlain); }
inline PlainFetch plainElementFetch(SimdLevel level) { return TESSERA_SIMD_COPY(level, fetchElementPlain); }
inline PlainInputSample plainInputSampler(SimdLevel level) { return TESSERA_SIMD_COPY(level, sampleInputPlain); }
inline PlainBlockSample plainBlockSampler(SimdLevel level) { return TESSERA_SIMD_COPY(level, sampleBlockPlain); }
inline PlainSeveralSample plainSeveralSampler(SimdLevel level) { return TESSERA_SIMD_COPY(level, sampleSeveralPlain); }
inline PlainMovedSample plainMovedSampler(SimdLevel level) { return TESSERA_SIMD_COPY(level, sampleMovedPlain); }

/// At the least level.
inline void samplePlain(const TextureView& view, const SamplerState& state, const PlainLookups& in, PlainColors& out) {
    plainSampler(kLeastSimdLevel)(view, state, in, out);
}

}  // namespace tessera::texture::levels
