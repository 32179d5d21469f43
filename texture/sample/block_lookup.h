// One lookup of sixteen lanes in code for its state alone: where it goes, its texels filtered, its levels, the lookups
// along an anisotropic footprint; depth. Internal; compiled for each SIMD level.
#pragma once

#include "texture/sample/block_filters.h"
#include "texture/sample/footprint.h"
#include "texture/sample/sampler.h"
#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// Of block_sampler_simd.cpp alone: internal.
namespace {

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

/// Filters sixteen lookups of one image. The result is in units of kBlockScale.
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
        if constexpr (kHasCopiesOfOneLevel && !isLight(kForm)) {
            CopyTexels texels;
            if (texels.find(image, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                            blockTexel<kPower>(at.wrapT, at.t, image.height())))
                return bytesOf(asUint(texels.words(image)));
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

/// Scales what filterBlock() gives, which is too low by `offset`. It is rounded once, as its sum with an offset is
/// exact, and so is the offset's product.
template <Form kForm, class Channel>
[[gnu::always_inline]] inline Channel scaled(Channel value, float offset) {
    constexpr float kScale = kBlockScale<kForm>;
#if defined(TESSERA_HAS_FMA)
    return offset != 0 ? __builtin_elementwise_fma(value, Channel(kScale), Channel(offset * kScale)) : value * kScale;
#else
    return (value + offset) * kScale;
#endif
}
template <Form kForm>
[[gnu::always_inline]] inline void storeTexels(const Texels& texels, float offset, float* result) {
    for (int c = 0; c < 4; ++c) store(result + c * kLookupStride, scaled<kForm>(texels.channel[c], offset));
}

#if defined(__x86_64__)

template <Form kForm>
[[gnu::always_inline]] inline void storePart(const PartTexels& texels, float offset, float* result, int part) {
    for (int c = 0; c < 4; ++c) {
        const PartF value = scaled<kForm>(texels.channel[c], offset);
        std::memcpy(result + c * kLookupStride + part * kPartLanes, &value, sizeof value);
    }
}

/// Two levels, and their row copies.
struct LevelCopies {
    const Image &lower, &upper;
    const RowCopy::Words lowerRows = lower.rows().words(), upperRows = upper.rows().words();

    [[nodiscard]] bool areThere() const { return lowerRows.texel != nullptr && upperRows.texel != nullptr; }
};

/// Lookups between two levels that have row copies: as filterLevels(), a part after the other.
template <Form kForm>
class BetweenLevels {
public:
    [[gnu::always_inline]] void find(const LevelCopies& levels, const Addressing& at) {
        lower_.template find<isPower(kForm.outside)>(levels.lowerRows, levels.lower, at);
        upper_.template find<isPower(kForm.outside)>(levels.upperRows, levels.upper, at);
    }
    [[gnu::always_inline]] void take(F32x16 fraction, float* result) const {
        for (int i = 0; i < kParts; ++i)
            storePart<kForm>(interpolateFrom(lower_.part(i), upper_.part(i), partOf<PartF>(fraction, i), kLinearOffset),
                             0, result, i);
    }

private:
    CopyFilter lower_, upper_;
};
template <Form kForm>
constexpr bool kReadsCopiesOfLevels = kForm.linear && !isLight(kForm) && kForm.kind != Kind::Tex3D;

#else

struct LevelCopies {
    const Image &lower, &upper;
    [[nodiscard]] bool areThere() const { return false; }
};
template <Form>
struct BetweenLevels {
    void find(const LevelCopies&, const Addressing&) {}
    void take(F32x16, float*) const {}
};
template <Form>
constexpr bool kReadsCopiesOfLevels = false;

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

/// The level above which all of `lanes` lie, some not just on it; -1: there is none.
[[gnu::always_inline]] inline int commonLevel(const LevelChoice& choice, uint32_t lanes, int levels) {
    // Counted up, as in filterLevels().
    for (int level = 0; level + 1 < levels; ++level) {
        const uint32_t same = toBits(choice.level == level) & lanes;
        if (same == 0) continue;
        return same == lanes && (toBits(choice.fraction != 0.0f) & lanes) != 0 ? level : -1;
    }
    return -1;
}

/// Of each lane's level, and the next one.
template <Form kForm>
[[gnu::always_inline]] inline void storeLevels(const TextureView& view, int face, const Addressing& at,
                                               const LevelChoice& choice, uint32_t lanes, float* result) {
    if constexpr (kReadsCopiesOfLevels<kForm>) {
        const auto& image = view.image[face];
        const int level = commonLevel(choice, lanes, view.levels);
        if (level >= 0)
            if (const LevelCopies levels{*image[level], *image[level + 1]}; levels.areThere()) {
                BetweenLevels<kForm> between;
                between.find(levels, at);
                return between.take(choice.fraction, result);
            }
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

#endif

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
