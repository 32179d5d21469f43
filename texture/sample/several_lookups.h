// Several lookups in code for their state alone, each of which sampleBlock() would do after the one before: its texels
// wait for their places. Here the places of lookups are found before the first texels are taken; of four at once where
// their lanes are columns and rows. Internal; compiled for each SIMD level.
#pragma once

#include "texture/sample/block_lookup.h"
#include "texture/sample/grids.h"

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

[[gnu::always_inline]] inline float* lookupAt(float* lookups, int32_t i) {
    return lookups + static_cast<ptrdiff_t>(i) * kLookupFloats;
}

#if defined(__AVX2__)

// Four lookups in the same steps, all of them grids, or find() is false.

#if defined(__AVX512BW__)
class FourTexels {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, FourLookups lookup) {
        GridLines lines;
        if (!lines.find(lookup)) return false;
        const Image& image = *bound.view->image[0][0];
        const SamplerState& state = *bound.state;
        const I32x16 x = blockTexel(state.wrapS, blockUnit(state.wrapS, lines.s), image.width());
        const I32x16 y = blockTexel(state.wrapT, blockUnit(state.wrapT, lines.t), image.height());
        return squares_.find(image, x, y);
    }
    [[gnu::always_inline]] void take(int k, const float*, float* result, uint32_t channels) const {
        storeBytes(asUint(squares_.words(k)), result, channels);
    }

private:
    TexelSquares squares_;
};
#endif

/// Where four grids that filter read, columns and rows.
struct PlainPlaces {
    [[gnu::always_inline]] static Places of(const Image& image, const SamplerState& state, const GridLines& lines,
                                            FourLookups) {
        Places places;
        places.x = placeOf(state.wrapS, blockUnit(state.wrapS, lines.s), image.width());
        places.y = placeOf(state.wrapT, blockUnit(state.wrapT, lines.t), image.height());
        return places;
    }
};

template <class PlacesOf>
class FourFiltered {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, FourLookups lookup) {
        GridLines lines;
        if (!lines.find(lookup)) return false;
        const Image& image = *bound.view->image[0][0];
        return grids_.find(image, PlacesOf::of(image, *bound.state, lines, lookup));
    }
    [[gnu::always_inline]] void take(int k, const float*, float* result, uint32_t channels) const {
        if (grids_.areNearest()) return storeBytes(asUint(grids_.words(k)), result, channels);
        const LinearFilter<Filtered::One, false> reader(grids_, k);
        for (int i = 0; i < kParts; ++i) storePart(reader.part(i), kLinearOffset, result, i, channels);
    }

private:
    using Filtered = FilteredGrids<GridWeights::Bytes>;
    Filtered grids_;
};

template <class PlacesOf, bool kCompares, bool kIsRed>
class FourDepths {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, FourLookups lookup) {
        GridLines lines;
        if (!lines.find(lookup)) return false;
        const Image& image = *bound.view->image[0][0];
        compare_ = bound.state->compare;
        return grids_.find(image, PlacesOf::of(image, *bound.state, lines, lookup));
    }
    [[gnu::always_inline]] void take(int k, const float* coordinates, float* result, uint32_t /*channels*/) const {
        DepthFilter<Filtered::One, kCompares> reader(grids_, k);
        if constexpr (kCompares) {
            Addressing at;
            at.compare = compare_, at.reference = referenceOf(coordinates);
            reader.compareAs(at);
        }
        storeDepth<kIsRed>(reader, result);
    }

private:
    using Filtered = FilteredGrids<GridWeights::Floats>;
    Filtered grids_;
    DepthCompare compare_ = DepthCompare::None;
};

inline constexpr int32_t kFewestGrids = 3;

/// Takes lookups by fours, up to the first that are no grids, or the last few, of which four would be too many. How
/// many it took.
template <class Four>
[[gnu::noinline]] int32_t takeFours(const void* texture, int32_t count, float* lookups, uint32_t channels) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    int32_t done = 0;
    while (count - done >= kFewestGrids) {
        float* const first = lookupAt(lookups, done);
        if (!Grid::mayBe(first, first + kLookupStride)) break;
        const int32_t many = std::min(count - done, kGridsAtOnce);
        const float* lookup[kGridsAtOnce];
        for (int k = 0; k < kGridsAtOnce; ++k) lookup[k] = lookupAt(first, std::min(k, many - 1));
        Four four;
        if (!four.find(bound, lookup)) break;
#pragma clang loop unroll(disable)
        for (int k = 0; k < many; ++k) {
            float* const coordinates = lookupAt(first, k);
            four.take(k, coordinates, coordinates + kLookupResult, channels);
        }
        done += many;
    }
    return done;
}

/// Takes what it can by fours, if there are more than the two blocks of a pair, and moves on to what is left. False:
/// nothing is.
template <class Four>
[[gnu::always_inline]] inline bool takeGrids(const void* texture, int32_t& count, float*& lookups, uint32_t channels) {
    if (count < kFewestGrids) return count > 0;
    const int32_t done = takeFours<Four>(texture, count, lookups, channels);
    count -= done, lookups = lookupAt(lookups, done);
    return count > 0;
}

#endif

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
#if defined(__AVX2__)

#if defined(__AVX512BW__)
/// One by one, as a window takes no less time for two.
template <BlockSampler kSample>
void sampleEach(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t) {
    for (int32_t i = 0; i < count; ++i)
        kSample(texture, lanes, lookupAt(lookups, i), lookupAt(lookups, i) + kLookupResult);
}
template <Form kForm>
SeveralSampler filteredSampler(const void*) {
    return sampleEach<sampleBlock<kForm>>;
}
template <bool kCompares, bool kIsRed>
SeveralSampler depthsSampler(const void*) {
    return sampleEach<sampleDepth<kCompares, true, kIsRed>>;
}
#else
template <Form kForm>
SeveralSampler filteredSampler(const void* texture) {
    return hasCopy(texture) ? samplePairs<FilteredLookup<kForm, RowCopies>>
                            : samplePairs<FilteredLookup<kForm, Gather>>;
}
template <bool kCompares, bool kIsRed>
SeveralSampler depthsSampler(const void* texture) {
    return hasCopy(texture) ? samplePairs<DepthLookup<kCompares, kIsRed, RowCopies>>
                            : samplePairs<DepthLookup<kCompares, kIsRed, Gather>>;
}
#endif

template <Form kForm>
void sampleFiltered(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    if constexpr (kForm.kind == Kind::Tex2D)
        if (!takeGrids<FourFiltered<PlainPlaces>>(texture, count, lookups, channels)) return;
    filteredSampler<kForm>(texture)(texture, lanes, count, lookups, channels);
}
template <bool kCompares, bool kIsRed>
void sampleDepths(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    if (!takeGrids<FourDepths<PlainPlaces, kCompares, kIsRed>>(texture, count, lookups, channels)) return;
    depthsSampler<kCompares, kIsRed>(texture)(texture, lanes, count, lookups, channels);
}

#endif

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
#if defined(__AVX512BW__)
    if (!takeGrids<FourTexels>(texture, count, lookups, channels)) return;
#endif
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
