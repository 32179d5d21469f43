// Several lookups in code for their state alone, each of which sampleBlock() would do after the one before: its texels
// wait for their places. Here the places of lookups are found before the first texels are taken. Internal; compiled for
// each SIMD level.
#pragma once

#include "texture/sample/block_lookup.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

#if defined(__x86_64__)

// Of block_sampler_simd.cpp alone: internal.
namespace {

[[gnu::always_inline]] inline Addressing planeAddressing(const SamplerState& state, const float* coordinates) {
    return blockAddressing<Kind::Tex2D>(state, planeCoordinates(loadCoordinates<2>(coordinates), false));
}

/// Those of `channels`.
[[gnu::always_inline]] inline void storeBytes(U32x16 word, float* result, uint32_t channels) {
    const Texels texels = bytesOf(word);
    for (int c = 0; c < 4; ++c)
        if ((channels >> c & 1) != 0) store(result + c * kLookupStride, texels.channel[c] * kByteScale);
}

// One of several lookups in two steps, of texels that one source has: find(), false where it does not find them or
// lanes see several faces, then take(). kAlone is the same lookup in one step.

/// Nearest texels of a plane.
template <Form kForm, class Source>
class TexelLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const float* coordinates) {
        return reader_.find(*bound.view->image[0][0], planeAddressing(*bound.state, coordinates));
    }
    [[gnu::always_inline]] void take(float* result, uint32_t channels) const {
        storeBytes(asUint(reader_.words()), result, channels);
    }

private:
    TexelReader<Source> reader_;
};

/// Filtered texels of a plane, of one face of a cube map or of a volume.
template <Form kForm, class Source>
class FilteredLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const float* coordinates) {
        BlockPlaces places;
        const SampleInput in = loadCoordinates<kCoordinates<kForm.kind>>(coordinates);
        if (!findPlaces<kForm.kind, changesOf(kForm)>(in, coordinates, false, places)) [[unlikely]]
            return false;
        const Image& image = *bound.view->image[places.face][0];
        const Addressing at = blockAddressing<kForm.kind>(*bound.state, places.c);
        return reader_.find(image, placesOf<kMethod.isVolume>(image, at));
    }
    [[gnu::always_inline]] void take(float* result, uint32_t /*channels*/) const {
        storeFiltered<kMethod>(reader_, result);
    }

private:
    static constexpr Method kMethod = methodOf(kForm);
    LinearReader<Source, kMethod.isVolume> reader_;
};

template <bool kCompares, bool kIsRed, class Source>
class DepthLookup {
public:
    static constexpr BlockSampler kAlone = sampleDepth<kCompares, true, kIsRed>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const float* coordinates) {
        const Image& image = *bound.view->image[0][0];
        const Addressing at = depthAddressing<kCompares>(*bound.state, coordinates);
        return reader_.find(image, placesOf<false>(image, at), at);
    }
    [[gnu::always_inline]] void take(float* result, uint32_t /*channels*/) const {
        storeDepth<kIsRed>(reader_, result);
    }

private:
    DepthReader<Source, kCompares> reader_;
};

/// Two by two.
template <class Lookup>
void samplePairs(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    for (; count > 1; count -= 2, lookups += 2 * kLookupFloats) {
        float* const second = lookups + kLookupFloats;
        Lookup a, b;
        if (a.find(bound, lookups) && b.find(bound, second)) [[likely]] {
            a.take(lookups + kLookupResult, channels);
            b.take(second + kLookupResult, channels);
        } else {
            Lookup::kAlone(texture, lanes, lookups, lookups + kLookupResult);
            Lookup::kAlone(texture, lanes, second, second + kLookupResult);
        }
    }
    if (count != 0) Lookup::kAlone(texture, lanes, lookups, lookups + kLookupResult);
}

/// Whether there is a copy of the first level; of a cube map, of its first face's.
inline bool hasCopy(const void* texture) {
    return static_cast<const BoundTexture*>(texture)->view->image[0][0]->rows().words().texel != nullptr;
}
template <Form kForm>
void sampleFiltered(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    const auto sample =
        hasCopy(texture) ? samplePairs<FilteredLookup<kForm, RowCopies>> : samplePairs<FilteredLookup<kForm, Gather>>;
    sample(texture, lanes, count, lookups, channels);
}
template <bool kCompares, bool kIsRed>
void sampleDepths(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    const auto sample = hasCopy(texture) ? samplePairs<DepthLookup<kCompares, kIsRed, RowCopies>>
                                         : samplePairs<DepthLookup<kCompares, kIsRed, Gather>>;
    sample(texture, lanes, count, lookups, channels);
}

/// Stores two lookups between levels. Their places on both levels are found before the first texels are taken. False:
/// there are no copies.
[[gnu::always_inline]] inline bool storeBothBetween(const Image& lower, const Image& upper, const SamplerState& state,
                                                    const F32x4 (&fraction)[2], float* lookups) {
    if (!haveCopies(lower, upper)) return false;
    float* const lookup[2] = {lookups, lookups + kLookupFloats};
    BetweenCopies between[2];
    bool isFound = true;
    for (int i = 0; i < 2; ++i) isFound &= between[i].find(lower, upper, planeAddressing(state, lookup[i]));
    for (int i = 0; i < 2 && isFound; ++i) between[i].take(spreadQuads(fraction[i]), lookup[i] + kLookupResult);
    return isFound;
}

/// Of planes with levels, two by two: the levels of detail of both are one chain, which all texels' addresses wait for.
template <Form kForm>
void sampleLevelPairs(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t /*channels*/) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound.view;
    for (; count > 1; count -= 2, lookups += 2 * kLookupFloats) {
        using I32x4 = int32_t __attribute__((ext_vector_type(4)));
        const SampleInput first = loadCoordinates<2>(lookups), second = loadCoordinates<2>(lookups + kLookupFloats);
        const Footprint footprint = footprintOf(*view.image[0][0], planeChangesOfTwo(first, second));
        const F32x16 square = maxPs(footprint.squareX, footprint.squareY);
        const LevelChoice both = chooseLevel(*bound.state, view.levels, levelOfDetail(square, SampleInput{}), splat(1));
        const I32x4 level[2] = {__builtin_shufflevector(both.level, both.level, 0, 1, 2, 3),
                                __builtin_shufflevector(both.level, both.level, 4, 5, 6, 7)};
        const F32x4 fraction[2] = {__builtin_shufflevector(both.fraction, both.fraction, 0, 1, 2, 3),
                                   __builtin_shufflevector(both.fraction, both.fraction, 4, 5, 6, 7)};
        if constexpr (readsBetweenCopies(methodOf(kForm))) {
            constexpr uint32_t kQuadsOfTwo = 0xFF;
            const auto& image = view.image[0];
            const CommonLevel common = commonLevel(both, kQuadsOfTwo, view.levels);
            if (common.isBetween &&
                storeBothBetween(*image[common.level], *image[common.level + 1], *bound.state, fraction, lookups))
                continue;
        }
#pragma clang loop unroll(disable)
        for (int i = 0; i < 2; ++i) {
            float* const lookup = lookups + static_cast<ptrdiff_t>(i) * kLookupFloats;
            LevelChoice choice;
            choice.level = spreadQuads(level[i]);
            choice.fraction = spreadQuads(fraction[i]);
            storeLevels<methodOf(kForm)>(view, 0, planeAddressing(*bound.state, lookup), choice, lanes,
                                         lookup + kLookupResult);
        }
    }
    if (count != 0) sampleBlock<kForm>(texture, lanes, lookups, lookups + kLookupResult);
}

/// Nearest texels of lookups that may be grids.
template <Form kForm>
void sampleGrids(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    constexpr int kAtOnce = 32;
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const SamplerState& state = *bound.state;
    const Grid::Sides sides(*bound.view->image[0][0], state.wrapS, state.wrapT);
    Grid grids[kAtOnce];
    bool isGrid[kAtOnce];
    for (int from = 0; from < count; from += kAtOnce) {
        const int end = std::min(count - from, kAtOnce);
        float* first = lookups + static_cast<ptrdiff_t>(from) * kLookupFloats;
        const auto lookup = [&](int i) { return first + static_cast<ptrdiff_t>(i) * kLookupFloats; };
        const auto find = [&](Grid& grid, const float* at) __attribute__((always_inline)) {
            return grid.findTexel(sides, load<F32x16>(at), load<F32x16>(at + kLookupStride));
        };
        for (int i = 0; i < end; ++i) isGrid[i] = find(grids[i], lookup(i));
        for (int i = 0; i < end; ++i) {
            if (isGrid[i])
                storeBytes(asUint(grids[i].words()), lookup(i) + kLookupResult, channels);
            else
                sampleBlock<kForm>(texture, lanes, lookup(i), lookup(i) + kLookupResult);
        }
    }
}
template <Form kForm>
void sampleTexels(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    // What a grid saves for many lookups, its arrays cost for one of two blocks.
    constexpr int kFew = 2;
    const bool readsCopy = RowCopies::serves(Use::Texel) && hasCopy(texture);
    if ((count > kFew || !readsCopy) && Grid::mayBe(lookups, lookups + kLookupStride))
        return sampleGrids<kForm>(texture, lanes, count, lookups, channels);
    const auto sample =
        readsCopy ? samplePairs<TexelLookup<kForm, RowCopies>> : samplePairs<TexelLookup<kForm, Gather>>;
    sample(texture, lanes, count, lookups, channels);
}

}  // namespace

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
