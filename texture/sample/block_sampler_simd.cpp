// The lookups that programs mostly make, in code for their state alone: 2D textures, cube maps and 3D textures of
// eight-bit texels, the first two of sRGB ones too, a derived level of detail, several lookups along an anisotropic
// footprint; depth without mip levels, compared or not. Gives what sample() gives, to the bit;
// block_sampler_test.cpp compares them.
#include "texture/sample/block_filters.h"
#include "texture/sample/block_grids.h"
#include "texture/sample/footprint.h"
#include "texture/sample/sampler.h"
#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

constexpr bool isPowerOfTwo(int size) { return (size & (size - 1)) == 0; }

/// How texels outside the image are found: as the state says; by masks, see kHasPower; at the edge in all directions.
enum class Outside : uint8_t { Any, Power, Edge };
constexpr bool isPower(Outside outside) { return outside == Outside::Power; }

template <Kind kKind, Outside kOutside>
[[gnu::always_inline]] inline Addressing blockAddressing(const SamplerState& state, const Coordinates& c) {
    constexpr bool kPower = isPower(kOutside);
    const auto wrapOf = [](Wrap wrap) { return kOutside == Outside::Edge ? Wrap::ClampToEdge : wrap; };
    Addressing at;
    at.wrapS = wrapOf(state.wrapS), at.s = blockUnit<kPower>(at.wrapS, c.s);
    at.wrapT = wrapOf(state.wrapT), at.t = blockUnit<kPower>(at.wrapT, c.t);
    if constexpr (kKind == Kind::Tex3D) at.wrapR = wrapOf(state.wrapR), at.r = blockUnit<kPower>(at.wrapR, c.r);
    return at;
}

/// What code for one state is made of.
struct Form {
    Kind kind;
    Fetch fetch;  ///< Rgba8 or Srgb8
    bool mips;    ///< levels, with one filter for minification and magnification
    bool linear;
    Outside outside;
    bool anisotropic = false;  ///< lookups along a footprint; then `linear`, with levels or without
};
constexpr bool hasDerivatives(Form form) { return form.mips || form.anisotropic; }
constexpr bool isLight(Form form) { return form.fetch == Fetch::Srgb8; }

/// Lookups along a footprint take its changes of each lane. A register of AVX-512 has all lanes.
constexpr Changes changesOf([[maybe_unused]] Form form) {
#if defined(__AVX512F__)
    return Changes::OfLanes;
#else
    return form.anisotropic ? Changes::OfLanes : Changes::OfQuads;
#endif
}

/// In units of kBlockScale.
template <Form kForm, bool kIsDense = true>
[[gnu::always_inline]] inline Texels filterBlock(const Image& image, const Addressing& at) {
    constexpr bool kPower = isPower(kForm.outside), kIsVolume = kForm.kind == Kind::Tex3D;
    if constexpr (kForm.linear) {
        if constexpr (isLight(kForm)) return filterLight<kPower, kIsDense>(image, at);
        return kIsVolume ? filterLinearVolume<kPower>(image, at) : filterLinear<kPower, kIsDense>(image, at);
    }
    if constexpr (isLight(kForm)) {
        if (const RowCopy::Light light = image.rows().light(); light.texel != nullptr)
            return texelsOfRows(light, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                                blockTexel<kPower>(at.wrapT, at.t, image.height()));
    }
    if constexpr (!kIsVolume) {
        if constexpr (kHasRowCopies && !isLight(kForm)) {
            if (const RowCopy::Words rows = image.rows().words(); rows.texel != nullptr) {
                CopyTexels texels;
                texels.find(rows, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                            blockTexel<kPower>(at.wrapT, at.t, image.height()));
                return bytesOf(asUint(texels.words()));
            }
        }
        const U32x16 words = asUint(nearestWords<kPower>(image, at));
        return isLight(kForm) ? lightOf(words) : bytesOf(words);
    }
    const I32x16 x = blockTexel<kPower>(at.wrapS, at.s, image.width());
    const I32x16 y = blockTexel<kPower>(at.wrapT, at.t, image.height());
    const I32x16 slice = blockTexel<kPower>(at.wrapR, at.r, image.depth()) * sliceElements(image);
    return fetch<Fetch::Rgba8>(image.block32(0, 0),
                               columnOffset(x) + blockRowOffset<kPower>(y, image.blocksWide()) + slice);
}

/// What filterBlock() gives is so much too low.
template <Form kForm>
constexpr float kBlockOffset = kForm.linear && !isLight(kForm) && kForm.kind != Kind::Tex3D ? kLinearOffset : 0;

/// A power of two times kByteScale, so that values are rounded as sample() rounds them.
template <Form kForm>
constexpr float kBlockScale = kByteScale / (kForm.linear && !isLight(kForm) ? kLinearUnit : 1);

/// Once rounded, with an offset too: its product is exact, as their sum is.
template <Form kForm>
[[gnu::always_inline]] inline void storeTexels(const Texels& texels, float offset, float* result) {
    constexpr float kScale = kBlockScale<kForm>;
    for (int c = 0; c < 4; ++c) {
        const F32x16 value = texels.channel[c];
#if defined(TESSERA_HAS_FMA)
        store(result + c * kLookupStride,
              offset != 0 ? fma(value, splat(kScale), splat(offset * kScale)) : value * kScale);
#else
        store(result + c * kLookupStride, (value + offset) * kScale);
#endif
    }
}

#if defined(__x86_64__) && !defined(__AVX512BW__)

template <Form kForm>
[[gnu::always_inline]] inline void storePart(const PartTexels& texels, float offset, float* result, int part) {
    constexpr float kScale = kBlockScale<kForm>;
    for (int c = 0; c < 4; ++c) {
#if defined(TESSERA_HAS_FMA)
        const PartF value = offset != 0
                                ? __builtin_elementwise_fma(texels.channel[c], PartF(kScale), PartF(offset * kScale))
                                : texels.channel[c] * kScale;
#else
        const PartF value = (texels.channel[c] + offset) * kScale;
#endif
        std::memcpy(result + c * kLookupStride + part * kPartLanes, &value, sizeof value);
    }
}

/// Where all lanes lie between two levels that have row copies: as filterLevels(), a part after the other. False: they
/// have none.
template <Form kForm>
[[gnu::always_inline]] inline bool storeBetween(const Image& lower, const Image& upper, const Addressing& at,
                                                F32x16 fraction, float* result) {
    if constexpr (kForm.linear && !isLight(kForm) && kForm.kind != Kind::Tex3D) {
        constexpr bool kPower = isPower(kForm.outside);
        const RowCopy::Words lowerRows = lower.rows().words(), upperRows = upper.rows().words();
        if (lowerRows.texel == nullptr || upperRows.texel == nullptr) return false;
        CopyFilter first, second;
        first.find<kPower>(lowerRows, lower, at);
        second.find<kPower>(upperRows, upper, at);
        for (int i = 0; i < kParts; ++i)
            storePart<kForm>(interpolateFrom(first.part(i), second.part(i), partOf<PartF>(fraction, i), kLinearOffset),
                             0, result, i);
        return true;
    }
    return false;
}

#else

template <Form>
inline bool storeBetween(const Image&, const Image&, const Addressing&, F32x16, float*) {
    return false;
}

#endif

/// Of each lane's level, and the next one.
template <Form kForm>
[[gnu::always_inline]] inline void filterLevels(const TextureView& view, int face, const Addressing& at,
                                                const LevelChoice& choice, uint32_t lanes, F32x16 (&rgba)[4]) {
    constexpr float kOffset = kBlockOffset<kForm>;
    const auto& image = view.image[face];
    // Counting levels up, not taking them from the lanes: so which level comes is predicted as a branch is, and
    // fetching starts before the level of detail is known.
    uint32_t remaining = lanes;
    for (int level = 0; remaining != 0 && level < view.levels; ++level) {
        const Mask16 same = choice.level == level;
        const uint32_t sameLanes = toBits(same) & remaining;
        if (sameLanes == 0) continue;
        Texels texels;
        if (level + 1 < view.levels && (toBits(choice.fraction != 0.0f) & sameLanes) != 0) {
            // Between one and two texels of the first level lie between pixels, and half as many of the second.
            texels = filterBlock<kForm, false>(*image[level], at);
            const Texels next = filterBlock<kForm>(*image[level + 1], at);
            texels = interpolateFrom(texels, next, choice.fraction, kOffset);
        } else {
            texels = filterBlock<kForm>(*image[level], at);
            for (F32x16& channel : texels.channel) channel += kOffset;
        }
        for (F32x16& channel : texels.channel) channel *= kBlockScale<kForm>;
        if (sameLanes == lanes) {
            for (int i = 0; i < 4; ++i) rgba[i] = texels.channel[i];
            return;
        }
        for (int i = 0; i < 4; ++i) rgba[i] = select(same, texels.channel[i], rgba[i]);
        remaining &= ~sameLanes;
    }
}

/// Of each lane's level, and the next one.
template <Form kForm>
[[gnu::always_inline]] inline void storeLevels(const TextureView& view, int face, const Addressing& at,
                                               const LevelChoice& choice, uint32_t lanes, float* result) {
    // Levels counted up, as in filterLevels().
    for (int level = 0; kHasRowCopies && level + 1 < view.levels; ++level) {
        const uint32_t same = toBits(choice.level == level) & lanes;
        if (same == 0) continue;
        if (same != lanes || (toBits(choice.fraction != 0.0f) & lanes) == 0) break;
        if (storeBetween<kForm>(*view.image[face][level], *view.image[face][level + 1], at, choice.fraction, result))
            return;
        break;
    }
    F32x16 rgba[4] = {};
    filterLevels<kForm>(view, face, at, choice, lanes, rgba);
    for (int i = 0; i < 4; ++i) store(result + i * kLookupStride, rgba[i]);
}

template <Kind kKind>
[[gnu::always_inline]] inline Footprint blockFootprint(const Image& base, const Coordinates& c) {
    return kKind == Kind::Tex3D ? volumeFootprint(base, c) : footprintOf(base, c);
}

template <Form kForm>
[[gnu::always_inline]] inline void sampleLevels(const TextureView& view, const SamplerState& state, uint32_t lanes,
                                                int face, const Coordinates& c, float* result) {
    const Image& base = *view.image[face][0];
    const Footprint footprint = blockFootprint<kForm.kind>(base, c);
    F32x16 square = maxPs(footprint.squareX, footprint.squareY);
    I32x16 probes = splat(1);
    if constexpr (kForm.anisotropic) {
        probes = probeCount(footprint, state.maxAnisotropy);
        square /= toFloat(probes * probes);
    }
    LevelChoice choice = chooseLevel(state, view.levels, levelOfDetail(square, SampleInput{}), probes);
    if constexpr (changesOf(kForm) == Changes::OfQuads)
        choice.level = spreadQuads(choice.level), choice.fraction = spreadQuads(choice.fraction);
    if constexpr (kForm.anisotropic) {
        if (any(probes > 1)) {
            F32x16 sum[4] = {};
            const FootprintWalk walk(c, footprint, probes, kForm.kind == Kind::Cube ? base.width() : 0);
            for (int i = 0;; ++i) {
                const Mask16 takesPart = probes > i;
                const uint32_t wanted = toBits(takesPart) & lanes;
                if (wanted == 0) break;
                alignas(64) float rgba[4 * kLookupStride];
                const Addressing at = blockAddressing<kForm.kind, kForm.outside>(state, walk.place(c, i));
                storeLevels<kForm>(view, face, at, choice, wanted, rgba);
                for (int channel = 0; channel < 4; ++channel) {
                    const F32x16 more = sum[channel] + load<F32x16>(rgba + channel * kLookupStride);
                    sum[channel] = select(takesPart, more, sum[channel]);
                }
            }
            for (int i = 0; i < 4; ++i) store(result + i * kLookupStride, sum[i] / walk.count);
            return;
        }
    }
    storeLevels<kForm>(view, face, blockAddressing<kForm.kind, kForm.outside>(state, c), choice, lanes, result);
}

/// Lanes that see several faces, or need several filters.
[[gnu::noinline, gnu::cold]] void sampleGeneral(const TextureView& view, const SamplerState& state, uint32_t lanes,
                                                const SampleInput& coordinates, float* result) {
    SampleInput in = coordinates;
    in.mask = lanes;
    SampleOutput out;
    sample(view, state, in, out);
    for (int c = 0; c < 4; ++c) store(result + c * kLookupStride, out.rgba[c]);
}

/// s, t and r.
template <int kCount>
[[gnu::always_inline]] inline SampleInput loadCoordinates(const float* coordinates) {
    SampleInput in;
    for (int i = 0; i < kCount; ++i) in.coord[i] = load<F32x16>(coordinates + i * kLookupStride);
    return in;
}

/// Where a block looks, on one face of a cube map.
struct BlockPlaces {
    int face = 0;
    Coordinates c;
};

/// False: lanes see several faces.
template <Kind kKind, Changes kChanges>
[[gnu::always_inline]] inline bool findPlaces(const SampleInput& in, const float* coordinates, bool derivatives,
                                              BlockPlaces& places) {
    if constexpr (kKind == Kind::Cube) {
        const F32x16* d = in.coord;
        const int face = majorFace(coordinates[0], coordinates[kLookupStride], coordinates[2 * kLookupStride]);
        if (!allMeet(face, d[0], d[1], d[2]) && toBits(majorFace(d[0], d[1], d[2]) == face) != 0xFFFF) [[unlikely]]
            return false;
        places = {face, cubeCoordinates<kChanges>(in, derivatives, face)};
    } else if constexpr (kKind == Kind::Tex3D) {
        places.c = volumeCoordinates<kChanges>(in, derivatives);
    } else {
        places.c = planeCoordinates<kChanges>(in, derivatives);
    }
    return true;
}

template <Form kForm>
void sampleBlock(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    constexpr Kind kKind = kForm.kind;
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound->view;
    const SamplerState& state = *bound->state;
    const SampleInput in = loadCoordinates < kKind == Kind::Tex2D ? 2 : 3 > (coordinates);
    BlockPlaces places;
    if (!findPlaces<kKind, changesOf(kForm)>(in, coordinates, hasDerivatives(kForm), places)) [[unlikely]]
        return sampleGeneral(view, state, lanes, in, result);
    if constexpr (hasDerivatives(kForm)) return sampleLevels<kForm>(view, state, lanes, places.face, places.c, result);
    const Addressing at = blockAddressing<kKind, kForm.outside>(state, places.c);
    storeTexels<kForm>(filterBlock<kForm>(*view.image[places.face][0], at), kBlockOffset<kForm>, result);
}

#if defined(__x86_64__)

template <bool kCompares>
[[gnu::always_inline]] inline Addressing depthAddressing(const SamplerState& state, const float* coordinates) {
    const SampleInput in = loadCoordinates<kCompares ? 3 : 2>(coordinates);
    Coordinates c;
    c.s = in.coord[0], c.t = in.coord[1];
    Addressing at = blockAddressing<Kind::Tex2D, Outside::Any>(state, c);
    if constexpr (kCompares) at.compare = state.compare, at.reference = clamp(in.coord[2], 0.0f, 1.0f);
    return at;
}
[[gnu::always_inline]] inline void storeDepth(F32x16 value, float* result) {
    for (int i = 0; i < 3; ++i) store(result + i * kLookupStride, value);
    store(result + 3 * kLookupStride, splat(1.0f));
}

template <bool kCompares, bool kLinear>
void sampleDepth(const void* texture, uint32_t, const float* coordinates, float* result) {
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const Addressing at = depthAddressing<kCompares>(*bound->state, coordinates);
    storeDepth(filterDepth<kCompares>(*bound->view->image[0][0], at, kLinear), result);
}

BlockSampler depthSampler(bool compares, bool linear) {
    if (compares) return linear ? sampleDepth<true, true> : sampleDepth<true, false>;
    return linear ? sampleDepth<false, true> : sampleDepth<false, false>;
}

// Several lookups, each of which sampleBlock() would do after the one before: its texels wait for their places. Here
// the places of lookups are found before the first texels are taken.

constexpr int kResult = 3 * kLookupStride;  ///< of LookupRows' floats: where results are

template <Form kForm>
[[gnu::always_inline]] inline Addressing planeAddressing(const SamplerState& state, const float* coordinates) {
    const Coordinates c = planeCoordinates(loadCoordinates<2>(coordinates), false);
    return blockAddressing<Kind::Tex2D, kForm.outside>(state, c);
}

// One of several lookups in two steps: find(), false where texels do not lie as they mostly do, then take() or
// takeElsewhere().

/// Nearest texels in one row for each four lanes.
template <Form kForm>
class NearestLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        constexpr bool kPower = isPower(kForm.outside);
        const Addressing at = planeAddressing<kForm>(*bound.state, coordinates);
        return findRow(image, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                       blockTexel<kPower>(at.wrapT, at.t, image.height()), place_);
    }
    [[gnu::always_inline]] void take(const Image& image, float* result) const {
        storeTexels<kForm>(bytesOf(asUint(place_.texels(image))), 0, result);
    }
    /// From the beginning: columns and rows would be kept for this.
    static void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) {
        kAlone(texture, lanes, lookup, lookup + kResult);
    }

private:
    RowPlace place_;
};

#if !defined(__AVX512BW__)

/// The same of a row copy, wherever texels lie.
template <Form kForm>
class NearestCopyLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        constexpr bool kPower = isPower(kForm.outside);
        const Addressing at = planeAddressing<kForm>(*bound.state, coordinates);
        texels_.find(image.rows().words(), blockTexel<kPower>(at.wrapS, at.s, image.width()),
                     blockTexel<kPower>(at.wrapT, at.t, image.height()));
        return true;
    }
    [[gnu::always_inline]] void take(const Image&, float* result) const {
        storeTexels<kForm>(bytesOf(asUint(texels_.words())), 0, result);
    }
    static void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) {
        kAlone(texture, lanes, lookup, lookup + kResult);
    }

private:
    CopyTexels texels_;
};

#endif

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

    /// By value, or what find() gives would have to lie in memory always.
    [[gnu::noinline]] static void filterElsewhere(const SamplerState& state, const Image& image, Place x, Place y,
                                                  float* result) {
        constexpr bool kIsEdge = kForm.outside == Outside::Edge;
        Addressing at;
        at.wrapS = kIsEdge ? Wrap::ClampToEdge : state.wrapS, at.wrapT = kIsEdge ? Wrap::ClampToEdge : state.wrapT;
        // Else rows of texels have been looked for.
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
class CopyLookup {
public:
    static constexpr BlockSampler kAlone = sampleBlock<kForm>;
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
    static void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) {
        kAlone(texture, lanes, lookup, lookup + kResult);
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
    /// By value, and not of an Addressing, whose coordinates would be kept for this.
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
class DepthCopyLookup {
public:
    static constexpr BlockSampler kAlone = sampleDepth<kCompares, true>;
    [[gnu::always_inline]] bool find(const BoundTexture& bound, const Image& image, const float* coordinates) {
        at_ = depthAddressing<kCompares>(*bound.state, coordinates);
        filter_.find<false>(image.rows().words(), image, at_);
        return true;
    }
    [[gnu::always_inline]] void take(const Image&, float* result) const {
        storeDepth(filterDepthCorners<kCompares>(at_, filter_.corners(), filter_.x(), filter_.y()), result);
    }
    static void takeElsewhere(const void* texture, uint32_t lanes, float* lookup) {
        kAlone(texture, lanes, lookup, lookup + kResult);
    }

private:
    Addressing at_;
    CopyFilter filter_;
};

#endif

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
    const Image& image = *static_cast<const BoundTexture*>(texture)->view->image[0][0];
    if (image.rows().words().texel != nullptr)
        samplePairs<CopyLookup<kForm>>(texture, lanes, count, lookups);
    else if constexpr (kForm.kind != Kind::Tex3D)
        samplePairs<LinearLookup<kForm>>(texture, lanes, count, lookups);
    else  // three slices of two lookups would leave the registers
        for (int i = 0; i < count; ++i, lookups += kLookupFloats)
            sampleBlock<kForm>(texture, lanes, lookups, lookups + kResult);
}

template <bool kCompares>
void sampleDepths(const void* texture, uint32_t lanes, int32_t count, float* lookups) {
    if (static_cast<const BoundTexture*>(texture)->view->image[0][0]->rows().words().texel != nullptr)
        samplePairs<DepthCopyLookup<kCompares>>(texture, lanes, count, lookups);
    else
        samplePairs<DepthLookup<kCompares>>(texture, lanes, count, lookups);
}

/// The level above which all quads of two lookups lie, not just on it; -1: there is none.
int commonLevel(const LevelChoice& both, int levels) {
    constexpr uint32_t kQuads = 0xFF;
    if ((toBits(both.fraction != 0.0f) & kQuads) == 0) return -1;
    // Counted up, as in filterLevels().
    for (int level = 0; level + 1 < levels; ++level) {
        const uint32_t same = toBits(both.level == level) & kQuads;
        if (same != 0) return same == kQuads ? level : -1;
    }
    return -1;
}

/// storeBetween() of two lookups, whose places on both levels are found before the first texels are taken.
template <Form kForm>
[[gnu::always_inline]] inline bool storeBothBetween(const Image& lower, const Image& upper, const SamplerState& state,
                                                    const F32x4 (&fraction)[2], float* lookups) {
    const RowCopy::Words lowerRows = lower.rows().words(), upperRows = upper.rows().words();
    if (!kForm.linear || lowerRows.texel == nullptr || upperRows.texel == nullptr) return false;
    constexpr bool kPower = isPower(kForm.outside);
    CopyFilter first[2], second[2];
    for (int i = 0; i < 2; ++i) {
        const Addressing at = planeAddressing<kForm>(state, lookups + static_cast<ptrdiff_t>(i) * kLookupFloats);
        first[i].template find<kPower>(lowerRows, lower, at);
        second[i].template find<kPower>(upperRows, upper, at);
    }
    for (int i = 0; i < 2; ++i) {
        const F32x16 weight = spreadQuads(fraction[i]);
        float* const result = lookups + static_cast<ptrdiff_t>(i) * kLookupFloats + kResult;
        for (int part = 0; part < kParts; ++part)
            storePart<kForm>(
                interpolateFrom(first[i].part(part), second[i].part(part), partOf<PartF>(weight, part), kLinearOffset),
                0, result, part);
    }
    return true;
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
        const auto& image = view.image[0];
        if (const int common = commonLevel(both, view.levels); common >= 0) {
            const auto lower = static_cast<size_t>(common);
            if (storeBothBetween<kForm>(*image[lower], *image[lower + 1], *bound.state, fraction, lookups)) continue;
        }
#pragma clang loop unroll(disable)
        for (int i = 0; i < 2; ++i) {
            float* const lookup = lookups + static_cast<ptrdiff_t>(i) * kLookupFloats;
            LevelChoice choice;
            choice.level = spreadQuads(level[i]);
            choice.fraction = spreadQuads(fraction[i]);
            const Coordinates c = planeCoordinates(loadCoordinates<2>(lookup), false);
            storeLevels<kForm>(view, 0, blockAddressing<Kind::Tex2D, kForm.outside>(*bound.state, c), choice, lanes,
                               lookup + kResult);
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
    if (!kHasRows && !kHasRowCopies) return sampleGrids<kForm>(texture, lanes, count, lookups);
    if (count > kFew && mayBeGrid(lookups)) return sampleGrids<kForm>(texture, lanes, count, lookups);
#if !defined(__AVX512BW__)
    if (static_cast<const BoundTexture*>(texture)->view->image[0][0]->rows().words().texel != nullptr)
        return samplePairs<NearestCopyLookup<kForm>>(texture, lanes, count, lookups);
#endif
    if (kHasRows) return samplePairs<NearestLookup<kForm>>(texture, lanes, count, lookups);
    sampleGrids<kForm>(texture, lanes, count, lookups);
}

constexpr Form plainForm(Outside outside, bool linear, Kind kind = Kind::Tex2D) {
    return {.kind = kind, .fetch = Fetch::Rgba8, .mips = false, .linear = linear, .outside = outside};
}

#if defined(__AVX2__) && !defined(__AVX512BW__)
template <Outside kOutside>
constexpr SeveralSampler kLinearSampler = sampleLinear<plainForm(kOutside, true)>;
template <bool kCompares>
constexpr SeveralSampler kDepthSampler = sampleDepths<kCompares>;
template <Outside kOutside>
constexpr SeveralSampler kCubeSampler = sampleLinear<plainForm(kOutside, true, Kind::Cube)>;
template <Outside kOutside>
constexpr SeveralSampler kVolumeSampler = sampleLinear<plainForm(kOutside, true, Kind::Tex3D)>;
#else
template <Outside>
constexpr SeveralSampler kLinearSampler = nullptr;
template <bool>
constexpr SeveralSampler kDepthSampler = nullptr;
template <Outside>
constexpr SeveralSampler kCubeSampler = nullptr;
template <Outside>
constexpr SeveralSampler kVolumeSampler = nullptr;
#endif

#if defined(__AVX2__) && !defined(__AVX512BW__)
template <Outside kOutside>
SeveralSampler severalLevels(bool linear) {
    constexpr auto kForm = [](bool isLinear) {
        return Form{.kind = Kind::Tex2D, .fetch = Fetch::Rgba8, .mips = true, .linear = isLinear, .outside = kOutside};
    };
    return linear ? sampleLevelPairs<kForm(true)> : sampleLevelPairs<kForm(false)>;
}
#else
template <Outside>
SeveralSampler severalLevels(bool) {
    return nullptr;
}
#endif

template <Outside kOutside>
SeveralSampler severalOf(bool linear) {
    return linear ? kLinearSampler<kOutside> : sampleSeveral<plainForm(kOutside, false)>;
}

#else

/// The general sampler does as well.
BlockSampler depthSampler(bool, bool) { return nullptr; }

#endif

/// What a state's lookups need of code made for one filter.
struct FilterNeeds {
    bool mips;              ///< levels
    bool linear;            ///< the filter, where it is one
    bool switches = false;  ///< another filter magnifies than minifies
};

template <Kind kKind, Outside kOutside, Fetch kFetch>
BlockSampler oneFilterSampler(bool mips, bool linear) {
    const auto formOf = [](bool hasMips, bool isLinear) {
        return Form{.kind = kKind, .fetch = kFetch, .mips = hasMips, .linear = isLinear, .outside = kOutside};
    };
    constexpr BlockSampler kSamplers[2][2] = {
        {sampleBlock<formOf(false, false)>, sampleBlock<formOf(false, true)>},
        {sampleBlock<formOf(true, false)>, sampleBlock<formOf(true, true)>},
    };
    return kSamplers[mips][linear];
}

/// Two filters: mostly all of a block is minified, or magnified, and one of them does.
template <Kind kKind, Outside kOutside, Fetch kFetch>
void sampleSwitching(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound->view;
    const SamplerState& state = *bound->state;
    const SampleInput in = loadCoordinates < kKind == Kind::Tex2D ? 2 : 3 > (coordinates);
    BlockPlaces places;
    if (!findPlaces<kKind, Changes::OfLanes>(in, coordinates, true, places))
        return sampleGeneral(view, state, lanes, in, result);
    const Footprint footprint = blockFootprint<kKind>(*view.image[places.face][0], places.c);
    const F32x16 lambda = levelOfDetail(maxPs(footprint.squareX, footprint.squareY), SampleInput{});
    const uint32_t minified = toBits(isMinified(state, lambda)) & lanes;
    if (minified != 0 && minified != lanes) return sampleGeneral(view, state, lanes, in, result);
    const Filter filter = minified != 0 ? state.minFilter : state.magFilter;
    oneFilterSampler<kKind, kOutside, kFetch>(minified != 0 && hasLevels(view, state), filter == Filter::Linear)(
        texture, lanes, coordinates, result);
}

template <Kind kKind, Outside kOutside, Fetch kFetch = Fetch::Rgba8>
BlockSampler samplerOf(FilterNeeds needs) {
    return needs.switches ? sampleSwitching<kKind, kOutside, kFetch>
                          : oneFilterSampler<kKind, kOutside, kFetch>(needs.mips, needs.linear);
}
template <Kind kKind>
BlockSampler samplerOf(FilterNeeds needs, bool power) {
    return power ? samplerOf<kKind, kHasPower ? Outside::Power : Outside::Any>(needs)
                 : samplerOf<kKind, Outside::Any>(needs);
}

template <Kind kKind>
BlockSampler anisotropicSampler(bool power) {
    constexpr Form kAny = {kKind, Fetch::Rgba8, true, true, Outside::Any, true};
    constexpr Form kPower = {kKind, Fetch::Rgba8, true, true, kHasPower ? Outside::Power : Outside::Any, true};
    return power ? sampleBlock<kPower> : sampleBlock<kAny>;
}

/// One form for all ways out of the image: what sRGB costs is decoding.
BlockSampler lightSampler(Kind kind, FilterNeeds needs) {
    switch (kind) {
        case Kind::Tex2D:
            return samplerOf<Kind::Tex2D, Outside::Any, Fetch::Srgb8>(needs);
        case Kind::Cube:
            return samplerOf<Kind::Cube, Outside::Any, Fetch::Srgb8>(needs);
        case Kind::Tex3D:
            return nullptr;
    }
    return nullptr;
}

bool repeatsByMasks(const Image& base, Kind kind, const SamplerState& state) {
    const bool isVolume = kind == Kind::Tex3D;
    return kHasPower && state.wrapS == Wrap::Repeat && state.wrapT == Wrap::Repeat && isPowerOfTwo(base.width()) &&
           isPowerOfTwo(base.height()) && (!isVolume || (state.wrapR == Wrap::Repeat && isPowerOfTwo(base.depth())));
}
bool endsAtEdges(const SamplerState& state) {
    return state.wrapS == Wrap::ClampToEdge && state.wrapT == Wrap::ClampToEdge;
}

}  // namespace

bool comparesDepth(const TextureView& view, const SamplerState& state) {
    return view.levels > 0 && fetchOf(*view.image[0][0]) == Fetch::D24S8 && state.compare != DepthCompare::None;
}

BlockSampler blockSampler(const TextureView& view, const SamplerState& state) {
    if (view.levels <= 0) return nullptr;
    const bool isVolume = view.kind == Kind::Tex3D;
    if (readsBorder(state, isVolume)) return nullptr;
    const bool isAnisotropic = state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && !isVolume;
    const Image& base = *view.image[0][0];
    const Fetch fetch = fetchOf(base);
    const FilterNeeds needs = {hasLevels(view, state), state.magFilter == Filter::Linear,
                               state.minFilter != state.magFilter};
    if (fetch == Fetch::D24S8 && view.kind == Kind::Tex2D && !needs.mips && !needs.switches && !isAnisotropic)
        return depthSampler(comparesDepth(view, state), needs.linear);
    if (!isEightBit(fetch) || (isAnisotropic && needs.switches)) return nullptr;
    if (fetch == Fetch::Srgb8) return isAnisotropic ? nullptr : lightSampler(view.kind, needs);
    const bool power = repeatsByMasks(base, view.kind, state);
    if (isAnisotropic)
        return view.kind == Kind::Cube ? anisotropicSampler<Kind::Cube>(power) : anisotropicSampler<Kind::Tex2D>(power);
    switch (view.kind) {
        case Kind::Tex2D:
            if (endsAtEdges(state)) return samplerOf<Kind::Tex2D, Outside::Edge>(needs);
            return samplerOf<Kind::Tex2D>(needs, power);
        case Kind::Cube:
            return samplerOf<Kind::Cube>(needs, power);
        case Kind::Tex3D:
            return samplerOf<Kind::Tex3D>(needs, power);
    }
    return nullptr;
}

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return false;
    const Fetch fetch = fetchOf(*view.image[0][0]);
    if (fetch == Fetch::Srgb8) return true;
    const bool isLinear = state.minFilter == Filter::Linear || state.magFilter == Filter::Linear;
    const bool readsCopies = isLinear || (fetch == Fetch::Rgba8 && view.kind != Kind::Tex3D);
    return kHasRowCopies && readsCopies;
}

#if defined(__x86_64__)

SeveralSampler severalSampler(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return nullptr;
    const Image& base = *view.image[0][0];
    const bool linear = state.magFilter == Filter::Linear;
    if (fetchOf(base) == Fetch::D24S8 && linear)
        return comparesDepth(view, state) ? kDepthSampler<true> : kDepthSampler<false>;
    if (state.minFilter != state.magFilter || fetchOf(base) != Fetch::Rgba8 || (linear && state.maxAnisotropy > 1))
        return nullptr;
    const bool power = repeatsByMasks(base, view.kind, state);
    if (hasLevels(view, state)) {
        if (view.kind != Kind::Tex2D) return nullptr;
        if (endsAtEdges(state)) return severalLevels<Outside::Edge>(linear);
        return power ? severalLevels<Outside::Power>(linear) : severalLevels<Outside::Any>(linear);
    }
    if (view.kind != Kind::Tex2D) {
        if (!linear) return nullptr;
        if (view.kind == Kind::Cube) return power ? kCubeSampler<Outside::Power> : kCubeSampler<Outside::Any>;
        return power ? kVolumeSampler<Outside::Power> : kVolumeSampler<Outside::Any>;
    }
    if (base.blocksWide() < kLeastGridColumns) return nullptr;
    if (endsAtEdges(state)) return severalOf<Outside::Edge>(linear);
    return power ? severalOf<Outside::Power>(linear) : nullptr;
}

#else

SeveralSampler severalSampler(const TextureView&, const SamplerState&) { return nullptr; }

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
