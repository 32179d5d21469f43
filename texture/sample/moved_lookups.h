// Lookups that are moved by some texels, in code for their state alone: linear ones of planes of bytes, with levels and
// without, and comparisons of depth; repeating or clamped to the edge. Internal; compiled for each SIMD level.
#pragma once

#include "texture/sample/block_lookup.h"

#if defined(__x86_64__)

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// Of block_sampler_simd.cpp alone: internal.
namespace {

[[gnu::always_inline]] inline MovedAddressing movedAddressing(const SamplerState& state, const float* coordinates) {
    const auto move = __builtin_bit_cast(int32_t, coordinates[kMoveRow * kLookupStride]);
    const auto signedAt = [&](int bit) {
        return static_cast<int32_t>(static_cast<uint32_t>(move) << (28 - bit)) >> 28;
    };
    MovedAddressing at;
    at.wrapS = state.wrapS, at.s = movedUnit(state.wrapS, load<F32x16>(coordinates));
    at.wrapT = state.wrapT, at.t = movedUnit(state.wrapT, load<F32x16>(coordinates + kLookupStride));
    at.moveX = signedAt(kMoveXBit), at.moveY = signedAt(kMoveYBit);
    return at;
}

/// Calls sample(coordinates, result) for each lookup.
template <class Sample>
[[gnu::always_inline]] inline void forEachLookup(int32_t count, float* lookups, const Sample& sample) {
    for (; count > 0; --count, lookups += kLookupFloats) sample(lookups, lookups + kLookupResult);
}

template <Form kForm>
void sampleMoved(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t /*channels*/) {
    constexpr Method kMethod = methodOf(kForm);
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound.view;
    forEachLookup(count, lookups, [&](const float* coordinates, float* result) {
        const MovedAddressing at = movedAddressing(*bound.state, coordinates);
        if constexpr (!kForm.mips) return storeImage<kMethod>(*view.image[0][0], at, result);
        const Coordinates c = planeCoordinates<changesOf(kForm)>(loadCoordinates<2>(coordinates), true);
        const Footprint footprint = footprintOf(*view.image[0][0], c);
        const F32x16 square = maxPs(footprint.squareX, footprint.squareY);
        LevelChoice choice = chooseLevel(*bound.state, view.levels, levelOfDetail(square, SampleInput{}), splat(1));
        if constexpr (changesOf(kForm) == Changes::OfQuads)
            choice.level = spreadQuads(choice.level), choice.fraction = spreadQuads(choice.fraction);
        storeLevels<kMethod>(view, 0, at, choice, lanes, result);
    });
}

template <bool kIsRed>
void sampleMovedDepth(const void* texture, uint32_t /*lanes*/, int32_t count, float* lookups, uint32_t /*channels*/) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const Image& image = *bound.view->image[0][0];
    forEachLookup(count, lookups, [&](const float* coordinates, float* result) {
        MovedAddressing at = movedAddressing(*bound.state, coordinates);
        at.compare = bound.state->compare;
        at.reference = clamp(load<F32x16>(coordinates + 2 * kLookupStride), 0.0f, 1.0f) + 0.0f;
        const auto take = [&](const auto& reader)
                              __attribute__((always_inline)) { storeDepth<kIsRed>(reader, result); };
        TexelSources::read<Use::Neighbours, ComparedDepthReader>(take, image, placesOf<false>(image, at), at);
    });
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture

#endif
