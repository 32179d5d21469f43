// Several lookups in code for their state alone, each of which sampleBlock() would do after the one before: its texels
// wait for their places. Here the places of lookups are found before the first texels are taken. Internal; compiled for
// each SIMD level.
#pragma once

#include "texture/sample/block_grids.h"
#include "texture/sample/block_lookup.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

#if defined(__x86_64__)

// Of block_sampler_simd.cpp alone: internal.
namespace {

constexpr int kResult = 3 * kLookupStride;  ///< of LookupRows' floats: where results are

template <Form kForm>
[[gnu::always_inline]] inline Addressing planeAddressing(const SamplerState& state, const float* coordinates) {
    const Coordinates c = planeCoordinates(loadCoordinates<2>(coordinates), false);
    return blockAddressing<Kind::Tex2D, kForm.outside>(state, c);
}

// One of several lookups in two steps: find(), false where texels do not lie as they mostly do, then take() or
// takeElsewhere().

/// What find() gives is not kept for takeElsewhere(), which begins again.
template <BlockSampler kFunction>
class FoundAgain {
public:
    static constexpr BlockSampler kAlone = kFunction;
    static void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) {
        kAlone(texture, lanes, lookup, lookup + kResult);
    }
};

/// Nearest texels: in one row for each four lanes (RowPlace), or of a row copy, wherever they lie (CopyTexels).
template <Form kForm, class Place>
class NearestLookup : public FoundAgain<sampleBlock<kForm>> {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        constexpr bool kPower = isPower(kForm.outside);
        const Addressing at = planeAddressing<kForm>(*bound.state, coordinates);
        return place_.find(image, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                           blockTexel<kPower>(at.wrapT, at.t, image.height()));
    }
    [[gnu::always_inline]] void take(const Image& image, float* result) const {
        storeTexels<kForm>(bytesOf(asUint(place_.words(image))), 0, result);
    }

private:
    Place place_;
};

#if defined(__AVX2__) && !defined(__AVX512BW__)

/// Texels in two rows for each four lanes, of a plane or of one face of a cube map, filtered; not where only the first
/// of them may have a weight, which filterLinear() looks for.
template <Form kForm>
class LinearLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& first, const float* coordinates) {
        BlockPlaces places;
        const SampleInput in = loadCoordinates<kIsCube ? 3 : 2>(coordinates);
        image_ = kIsCube ? nullptr : &first;
        if (!findPlaces<kForm.kind, changesOf(kForm)>(in, coordinates, false, places)) [[unlikely]]
            return false;
        if constexpr (kIsCube) image_ = bound.view->image[places.face][0].get();
        const Addressing at = blockAddressing<kForm.kind, kForm.outside>(*bound.state, places.c);
        x_ = placeOf<kPower>(at.s, image_->width()), y_ = placeOf<kPower>(at.t, image_->height());
        const I32x16 weights = (x_.fixed | y_.fixed) & 0xFF;
        return weights[0] != 0 && findRows<kPower>(*image_, at.wrapS, x_, y_, rows_);
    }
    [[gnu::always_inline]] void take(const Image&, float* result) const {
        storeTexels<kForm>(filterCorners(rows_.corners(image_->block32(0, 0)), x_, y_), kBlockOffset<kForm>, result);
    }
    [[gnu::always_inline]] void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) const {
        if (kIsCube && image_ == nullptr) return kAlone(texture, lanes, lookup, lookup + kResult);
        filterElsewhere(*static_cast<const BoundTexture*>(texture)->state, *image_, x_, y_, lookup + kResult);
    }

private:
    static constexpr bool kPower = isPower(kForm.outside);
    static constexpr bool kIsCube = kForm.kind == Kind::Cube;

    /// The places are passed by value: by reference, what find() gives would always have to lie in memory.
    [[gnu::noinline]] static void filterElsewhere(const SamplerState& state, const Image& image, Place x, Place y,
                                                  float* result) {
        constexpr bool kIsEdge = kForm.outside == Outside::Edge;
        Addressing at;
        at.wrapS = kIsEdge ? Wrap::ClampToEdge : state.wrapS, at.wrapT = kIsEdge ? Wrap::ClampToEdge : state.wrapT;
        // Otherwise the texels are taken by rows, whose places have been found before.
        const bool mayBeSingles = ((x.fixed | y.fixed)[0] & 0xFF) == 0;
        I32x16 words;
        if (mayBeSingles && singleWords<kPower>(image, at, x, y, words))
            return storeTexels<kForm>(filterWords(words), kBlockOffset<kForm>, result);
        Corners corners;
        if (!mayBeSingles || !rowCorners<kPower>(image, at.wrapS, x, y, corners))
            corners = cornersElsewhere<kPower, true>(image, at, x, y);
        storeTexels<kForm>(filterCorners(corners, x, y), kBlockOffset<kForm>, result);
    }

    const Image* image_;  ///< null: lanes see several
    Place x_, y_;
    RowPlaces rows_;
};

/// The same of a row copy, wherever texels lie.
template <Form kForm>
class CopyLookup : public FoundAgain<sampleBlock<kForm>> {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& first, const float* coordinates) {
        BlockPlaces places;
        const SampleInput in = loadCoordinates < kForm.kind == Kind::Tex2D ? 2 : 3 > (coordinates);
        if (!findPlaces<kForm.kind, changesOf(kForm)>(in, coordinates, false, places)) [[unlikely]]
            return false;
        const Image& image = kForm.kind == Kind::Cube ? *bound.view->image[places.face][0] : first;
        const RowCopy::Words rows = image.rows().words();
        if (rows.texel == nullptr) [[unlikely]]
            return false;
        const Addressing at = blockAddressing<kForm.kind, kForm.outside>(*bound.state, places.c);
        filter_.template find<isPower(kForm.outside)>(rows, image, at);
        return true;
    }
    [[gnu::always_inline]] void take(const Image&, float* result) const {
        for (int i = 0; i < kParts; ++i) storePart<kForm>(filter_.part(i), kBlockOffset<kForm>, result, i);
    }

private:
    std::conditional_t<kForm.kind == Kind::Tex3D, VolumeCopyFilter, CopyFilter> filter_;
};

/// The same of depth.
template <bool kCompares>
class DepthLookup {
public:
    static constexpr BlockSampler kAlone = sampleDepth<kCompares, true>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        at_ = depthAddressing<kCompares>(*bound.state, coordinates);
        x_ = placeOf<false>(at_.s, image.width()), y_ = placeOf<false>(at_.t, image.height());
        return findRows<false>(image, at_.wrapS, x_, y_, rows_);
    }
    [[gnu::always_inline]] void take(const Image& image, float* result) const {
        storeDepth(filterDepthCorners<kCompares>(at_, rows_.corners(image.block32(0, 0)), x_, y_), result);
    }
    [[gnu::always_inline]] void takeElsewhere(const void* texture, uint32_t, float* lookup) const {
        const auto& bound = *static_cast<const BoundTexture*>(texture);
        filterElsewhere(bound, at_.reference, x_, y_, lookup + kResult);
    }

private:
    /// The places are passed by value, and not as an Addressing, whose coordinates would have to be kept for this.
    [[gnu::noinline]] static void filterElsewhere(const BoundTexture& bound, F32x16 reference, Place x, Place y,
                                                  float* result) {
        Addressing at;
        at.wrapS = bound.state->wrapS, at.wrapT = bound.state->wrapT;
        if constexpr (kCompares) at.compare = bound.state->compare, at.reference = reference;
        const Corners corners = cornersElsewhere<false, true>(*bound.view->image[0][0], at, x, y);
        storeDepth(filterDepthCorners<kCompares>(at, corners, x, y), result);
    }

    Addressing at_;
    Place x_, y_;
    RowPlaces rows_;
};

/// The same of depth in a row copy.
template <bool kCompares>
class DepthCopyLookup : public FoundAgain<sampleDepth<kCompares, true>> {
public:
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        at_ = depthAddressing<kCompares>(*bound.state, coordinates);
        filter_.find<false>(image.rows().words(), image, at_);
        return true;
    }
    [[gnu::always_inline]] void take(const Image&, float* result) const {
        storeDepth(filterDepthCorners<kCompares>(at_, filter_.corners(), filter_.x(), filter_.y()), result);
    }

private:
    Addressing at_;
    CopyFilter filter_;
};

#endif

/// Whether there is a copy of the first level; of a cube map, of its first face's.
inline bool hasCopy(const void* texture) {
    return static_cast<const BoundTexture*>(texture)->view->image[0][0]->rows().words().texel != nullptr;
}

/// Two by two.
template <class Lookup>
void samplePairs(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const Image& image = *bound.view->image[0][0];
    for (; count > 1; count -= 2, lookups += 2 * kLookupFloats) {
        float* const second = lookups + kLookupFloats;
        Lookup a, b;
        const bool isFound = a.find(bound, image, lookups), isAlso = b.find(bound, image, second);
        if (isFound && isAlso) [[likely]] {
            a.take(image, lookups + kResult);
            b.take(image, second + kResult);
            continue;
        }
        const auto take = [&](const Lookup& lookup, bool found, float* rows) __attribute__((always_inline)) {
            if (found) return lookup.take(image, rows + kResult);
            lookup.takeElsewhere(texture, lanes, rows);
        };
        take(a, isFound, lookups), take(b, isAlso, second);
    }
    if (count != 0) Lookup::kAlone(texture, lanes, lookups, lookups + kResult);
}

#if defined(__AVX2__) && !defined(__AVX512BW__)

template <Form kForm>
void sampleLinear(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    if (hasCopy(texture))
        samplePairs<CopyLookup<kForm>>(texture, lanes, count, lookups);
    else if constexpr (kForm.kind != Kind::Tex3D)
        samplePairs<LinearLookup<kForm>>(texture, lanes, count, lookups);
    else  // three slices of two lookups would leave the registers
        for (int i = 0; i < count; ++i, lookups += kLookupFloats)
            sampleBlock<kForm>(texture, lanes, lookups, lookups + kResult);
}

template <bool kCompares>
void sampleDepths(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    if (hasCopy(texture))
        samplePairs<DepthCopyLookup<kCompares>>(texture, lanes, count, lookups);
    else
        samplePairs<DepthLookup<kCompares>>(texture, lanes, count, lookups);
}

/// Stores two lookups between levels. Their places on both levels are found before the first texels are taken.
template <Form kForm>
[[gnu::always_inline]] inline void storeBothBetween(const LevelCopies& levels, const SamplerState& state,
                                                    const F32x4 (&fraction)[2], float* lookups) {
    float* const lookup[2] = {lookups, lookups + kLookupFloats};
    BetweenLevels<kForm> between[2];
    for (int i = 0; i < 2; ++i) between[i].find(levels, planeAddressing<kForm>(state, lookup[i]));
    for (int i = 0; i < 2; ++i) between[i].take(spreadQuads(fraction[i]), lookup[i] + kResult);
}

/// Of planes with levels, two by two: the levels of detail of both are one chain, which all texels' addresses wait for.
template <Form kForm>
void sampleLevelPairs(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound.view;
    for (; count > 1; count -= 2, lookups += 2 * kLookupFloats) {
        const SampleInput first = loadCoordinates<2>(lookups), second = loadCoordinates<2>(lookups + kLookupFloats);
        const Footprint footprint = footprintOf(*view.image[0][0], planeChangesOfTwo(first, second));
        const F32x16 square = maxPs(footprint.squareX, footprint.squareY);
        const LevelChoice both = chooseLevel(*bound.state, view.levels, levelOfDetail(square, SampleInput{}), splat(1));
        const I32x4 level[2] = {__builtin_shufflevector(both.level, both.level, 0, 1, 2, 3),
                                __builtin_shufflevector(both.level, both.level, 4, 5, 6, 7)};
        const F32x4 fraction[2] = {__builtin_shufflevector(both.fraction, both.fraction, 0, 1, 2, 3),
                                   __builtin_shufflevector(both.fraction, both.fraction, 4, 5, 6, 7)};
        if constexpr (kReadsCopiesOfLevels<kForm>) {
            constexpr uint32_t kQuadsOfTwo = 0xFF;
            const auto& image = view.image[0];
            const int common = commonLevel(both, kQuadsOfTwo, view.levels);
            if (common >= 0)
                if (const LevelCopies levels{*image[common], *image[common + 1]}; levels.areThere()) {
                    storeBothBetween<kForm>(levels, *bound.state, fraction, lookups);
                    continue;
                }
        }
#pragma clang loop unroll(disable)
        for (int i = 0; i < 2; ++i) {
            float* const lookup = lookups + static_cast<ptrdiff_t>(i) * kLookupFloats;
            LevelChoice choice;
            choice.level = spreadQuads(level[i]);
            choice.fraction = spreadQuads(fraction[i]);
            storeLevels<kForm>(view, 0, planeAddressing<kForm>(*bound.state, lookup), choice, lanes, lookup + kResult);
        }
    }
    if (count != 0) sampleBlock<kForm>(texture, lanes, lookups, lookups + kResult);
}

#endif

template <Form kForm>
void sampleGrids(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    constexpr int kAtOnce = 32;
    const GridReader<isPower(kForm.outside)> reader(*static_cast<const BoundTexture*>(texture)->view->image[0][0]);
    GridPair pairs[kAtOnce / 2];
    for (int from = 0; from < count; from += kAtOnce) {
        const int end = std::min(count - from, kAtOnce);
        float* first = lookups + static_cast<ptrdiff_t>(from) * kLookupFloats;
        const auto lookup = [&](int i) { return first + static_cast<ptrdiff_t>(i) * kLookupFloats; };
        for (int i = 0; i < end; i += 2) pairs[i / 2] = reader.places(lookup(i), lookup(std::min(i + 1, end - 1)));
        for (int i = 0; i < end; ++i) {
            const GridPair& pair = pairs[i / 2];
            if (pair.isGrid[i % 2])
                storeTexels<kForm>(bytesOf(asUint(reader.wordsOf(pair, i % 2))), 0, lookup(i) + kResult);
            else
                sampleBlock<kForm>(texture, lanes, lookup(i), lookup(i) + kResult);
        }
    }
}

template <Form kForm>
void sampleSeveral(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    static_assert(!kForm.linear && !kForm.mips && kForm.kind == Kind::Tex2D && kForm.outside != Outside::Any);
    // What a grid saves for many lookups, its arrays cost for one of two blocks.
    constexpr int kFew = 2;
    if (!kHasRows && !kHasCopiesOfOneLevel) return sampleGrids<kForm>(texture, lanes, count, lookups);
    if (count > kFew && mayBeGrid(lookups)) return sampleGrids<kForm>(texture, lanes, count, lookups);
    if (kHasCopiesOfOneLevel && hasCopy(texture))
        return samplePairs<NearestLookup<kForm, CopyTexels>>(texture, lanes, count, lookups);
    if (kHasRows) return samplePairs<NearestLookup<kForm, RowPlace>>(texture, lanes, count, lookups);
    sampleGrids<kForm>(texture, lanes, count, lookups);
}

}  // namespace

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
