// Lookups that are moved by some texels, in code for their state alone: linear ones of planes of bytes, with levels and
// without, and comparisons of depth; repeating or clamped to the edge. Internal; compiled for each SIMD level.
#pragma once

#include "texture/sample/several_lookups.h"

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

#if defined(__AVX2__)

/// Where four grids read that are moved.
struct MovedPlaces {
    [[gnu::always_inline]] static Places of(const Image& image, const SamplerState& state, const GridLines& lines,
                                            FourLookups lookup) {
        using I32x4 = int32_t __attribute__((ext_vector_type(4)));
        I32x4 move;
        for (int k = 0; k < kGridsAtOnce; ++k)
            move[k] = __builtin_bit_cast(int32_t, lookup[k][kMoveRow * kLookupStride]);
        const I32x4 x = move << (28 - kMoveXBit) >> 28, y = move << (28 - kMoveYBit) >> 28;
        const I32x16 ofColumns = __builtin_shufflevector(x, x, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
        const I32x16 ofRows = __builtin_shufflevector(y, y, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
        Places places;
        places.x = movedPlaceOf(state.wrapS, movedUnit(state.wrapS, lines.s), ofColumns, image.width());
        places.y = movedPlaceOf(state.wrapT, movedUnit(state.wrapT, lines.t), ofRows, image.height());
        return places;
    }
};

/// takeGrids() of bytes, or of depth.
[[gnu::always_inline]] inline bool takeMovedGrids(const void* texture, int32_t& count, float*& lookups,
                                                  uint32_t channels) {
    return takeGrids<FourFiltered<MovedPlaces>>(texture, count, lookups, channels);
}
template <bool kIsRed>
[[gnu::always_inline]] inline bool takeMovedDepthGrids(const void* texture, int32_t& count, float*& lookups,
                                                       uint32_t channels) {
    return takeGrids<FourDepths<MovedPlaces, true, kIsRed>>(texture, count, lookups, channels);
}

#else

inline bool takeMovedGrids(const void*, int32_t&, float*&, uint32_t) { return true; }
template <bool>
bool takeMovedDepthGrids(const void*, int32_t&, float*&, uint32_t) {
    return true;
}

#endif

void sampleMoved(const void* texture, uint32_t /*lanes*/, int32_t count, float* lookups, uint32_t channels) {
    constexpr Form kForm = {Kind::Tex2D, Element::Rgba8, false, true};
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    if (!takeMovedGrids(texture, count, lookups, channels)) return;
    for (int32_t i = 0; i < count; ++i) {
        float* const coordinates = lookupAt(lookups, i);
        storeImage<methodOf(kForm)>(*bound.view->image[0][0], movedAddressing(*bound.state, coordinates),
                                    coordinates + kLookupResult);
    }
}

void sampleMovedBetween(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t /*channels*/) {
    constexpr Form kForm = {Kind::Tex2D, Element::Rgba8, true, true};
    constexpr Method kMethod = methodOf(kForm);
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound.view;
    for (int32_t i = 0; i < count; ++i) {
        float *const coordinates = lookupAt(lookups, i), *const result = coordinates + kLookupResult;
        const MovedAddressing at = movedAddressing(*bound.state, coordinates);
        const Coordinates c = planeCoordinates<changesOf(kForm)>(loadCoordinates<2>(coordinates), true);
        const Footprint footprint = footprintOf(*view.image[0][0], c);
        const F32x16 square = maxPs(footprint.squareX, footprint.squareY);
        LevelChoice choice = chooseLevel(*bound.state, view.levels, levelOfDetail(square, SampleInput{}), splat(1));
        if constexpr (changesOf(kForm) == Changes::OfQuads)
            choice.level = spreadQuads(choice.level), choice.fraction = spreadQuads(choice.fraction);
        storeLevels<kMethod>(view, 0, at, choice, lanes, result);
    }
}

template <bool kIsRed>
void sampleMovedDepth(const void* texture, uint32_t /*lanes*/, int32_t count, float* lookups, uint32_t channels) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const Image& image = *bound.view->image[0][0];
    if (!takeMovedDepthGrids<kIsRed>(texture, count, lookups, channels)) return;
    for (int32_t i = 0; i < count; ++i) {
        float *const coordinates = lookupAt(lookups, i), *const result = coordinates + kLookupResult;
        MovedAddressing at = movedAddressing(*bound.state, coordinates);
        at.compare = bound.state->compare;
        at.reference = referenceOf(coordinates);
        const auto take = [&](const auto& reader)
                              __attribute__((always_inline)) { storeDepth<kIsRed>(reader, result); };
        TexelSources::read<Use::Neighbours, ComparedDepthReader>(take, image, placesOf<false>(image, at), at);
    }
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture

#endif
