// One lookup of sixteen lanes in code for its state alone: where it goes, its texels filtered, its levels, the lookups
// along an anisotropic footprint; depth. Internal; compiled for each SIMD level.
//
// What is code for itself is a **method**, what is done to the texels of one image, and where lookups go (Form); how
// they leave the image (Wrap), the levels there are and what the texels' source is are found out while running, once
// for sixteen lanes.
#pragma once

#include "texture/sample/block_filters.h"
#include "texture/sample/footprint.h"
#include "texture/sample/sampler.h"
#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// Of block_sampler_simd.cpp alone: internal.
namespace {

#if !defined(__x86_64__)
// Other hosts filter as sample() does.
[[gnu::always_inline]] inline F32x16 blockUnit(Wrap wrap, F32x16 s) { return wrapUnit(wrap, s); }
[[gnu::always_inline]] inline I32x16 blockTexel(Wrap wrap, F32x16 unit, int size) {
    return nearestTexel(wrap, unit, size);
}
#endif

template <Kind kKind>
[[gnu::always_inline]] inline Addressing blockAddressing(const SamplerState& state, const Coordinates& c) {
    Addressing at;
    at.wrapS = state.wrapS, at.s = blockUnit(state.wrapS, c.s);
    at.wrapT = state.wrapT, at.t = blockUnit(state.wrapT, c.t);
    if constexpr (kKind == Kind::Tex3D) at.wrapR = state.wrapR, at.r = blockUnit(state.wrapR, c.r);
    return at;
}

/// What is done to the texels of one image.
struct Method {
    Element element;  ///< Rgba8 or Srgb8
    bool linear;
    bool isVolume;
    bool isLayer;  ///< the image is one of an array's

    [[nodiscard]] constexpr bool isLight() const { return isSrgb(element); }
    /// Sums of bytes and their weights.
    [[nodiscard]] constexpr bool isBytes() const { return linear && !isLight(); }
};

/// What code for one state is made of.
struct Form {
    Kind kind;
    Element element;  ///< Rgba8 or Srgb8
    bool mips;        ///< levels, with one filter for minification and magnification
    bool linear;
    bool anisotropic = false;  ///< lookups along a footprint; then `linear`, with levels or without
    bool seamless = false;     ///< cube maps that are filtered over edges
};
constexpr bool hasDerivatives(Form form) { return form.mips || form.anisotropic; }
constexpr Method methodOf(Form form) {
    return {form.element, form.linear, form.kind == Kind::Tex3D, form.kind == Kind::Array2D};
}

template <Form kForm>
[[gnu::always_inline]] inline Addressing addressingOf(const SamplerState& state, const Coordinates& c) {
    if constexpr (!kForm.seamless) return blockAddressing<kForm.kind>(state, c);
    SamplerState clamped;
    clamped.wrapS = clamped.wrapT = Wrap::ClampToEdge;
    return blockAddressing<kForm.kind>(clamped, c);
}

/// Lookups along a footprint take its changes of each lane. A register of AVX-512 has all lanes.
constexpr Changes changesOf([[maybe_unused]] Form form) {
#if defined(__AVX512F__)
    return Changes::OfLanes;
#else
    return form.anisotropic ? Changes::OfLanes : Changes::OfQuads;
#endif
}

// --- Texels of one image ---
[[gnu::always_inline]] inline void storeTexels(const Texels& texels, float scale, float* result) {
    for (int c = 0; c < 4; ++c) store(result + c * kLookupStride, texels.channel[c] * scale);
}

/// The texels of an sRGB image's decoded copy.
template <Method kMethod>
[[gnu::always_inline]] inline Texels lightOfRows(const RowCopy::Light& light, const auto& image, const Addressing& at) {
    if constexpr (!kMethod.linear)
        return lightAt(light, blockTexel(at.wrapS, at.s, image.width()), blockTexel(at.wrapT, at.t, image.height()));
    const auto place = [](Wrap wrap, F32x16 unit, int size) __attribute__((always_inline)) -> LightPlace {
#if defined(__x86_64__)
        const Place of = placeOf(wrap, unit, size);
        return {firstOf(of, size), blockWeight(of)};
#else
        const TexelPair pair = linearTexels(wrap, unit, size);
        return {pair.first, asFloat(asInt(pair.weight) & (pair.first != pair.second))};
#endif
    };
    return filterLightRows(light, place(at.wrapS, at.s, image.width()), place(at.wrapT, at.t, image.height()));
}

#if defined(__x86_64__)

/// Scales and stores a part of what a LinearReader gives, which is too low by `offset`. It is rounded once, as its sum
/// with an offset is exact, and so is the offset's product.
template <bool kIsScaled = true>
[[gnu::always_inline]] inline void storePart(const PartTexels& texels, float offset, float* result, int part,
                                             uint32_t channels = 0xF) {
    constexpr float kScale = (kIsScaled ? kByteScale : 1) / kLinearUnit;
    for (int c = 0; c < 4; ++c) {
        if ((channels >> c & 1) == 0) continue;
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

/// Stores the colours of a LinearReader.
template <Method kMethod, bool kIsScaled = true, class Reader>
[[gnu::always_inline]] inline void storeFiltered(const Reader& reader, float* result) {
    // With AVX-512 a window costs as little.
    if constexpr (!kMethod.isVolume && !kHasWindow)
        if (reader.areNearest())
            return storeTexels(bytesOf(asUint(reader.words())), kIsScaled ? kByteScale : 1, result);
    for (int i = 0; i < kParts; ++i)
        storePart<kIsScaled>(reader.part(i), kMethod.isVolume ? 0 : kLinearOffset, result, i);
}

/// The words that lookups filtered by Nearest read.
template <bool kIsVolume>
[[gnu::always_inline]] inline I32x16 nearestWords(const auto& image, const Addressing& at) {
    I32x16 words;
    const auto take = [&](const auto& reader) __attribute__((always_inline)) { words = reader.words(); };
    if constexpr (kIsVolume)
        TexelSources::read<Use::VolumeTexel, VolumeTexelReader>(take, image, at);
    else
        TexelSources::read<Use::Texel, TexelReader>(take, image, at);
    return words;
}

/// Nearest texels, or filtered light, in 1 / 255.
template <Method kMethod, Use kUse>
[[gnu::always_inline]] inline Texels texelsOf(const auto& image, const Addressing& at) {
    if constexpr (kMethod.isLight())
        if (const RowCopy::Light light = image.rows().light(); light.texel != nullptr)
            return lightOfRows<kMethod>(light, image, at);
    if constexpr (!kMethod.linear) {
        const U32x16 words = asUint(nearestWords<kMethod.isVolume>(image, at));
        return kMethod.isLight() ? lightOf(words) : bytesOf(words);
    }
    Texels texels;
    const auto take = [&](const auto& reader) __attribute__((always_inline)) { texels = reader.texels(); };
    TexelSources::read<kUse, LightReader>(take, image, placesOf<false>(image, at));
    return texels;
}

/// Stores the colours of one image; not scaled they are in 1 / 255. kUse is of lookups that filter.
template <Method kMethod, Use kUse = Use::Neighbours, bool kIsScaled = true>
[[gnu::always_inline]] inline void storeImage(const auto& image, const auto& at, float* result) {
    if constexpr (!kMethod.isBytes())
        return storeTexels(texelsOf<kMethod, kUse>(image, at), kIsScaled ? kByteScale : 1, result);
    const auto take = [&](const auto& reader)
                          __attribute__((always_inline)) { storeFiltered<kMethod, kIsScaled>(reader, result); };
    const Places places = placesOf<kMethod.isVolume>(image, at);
    if constexpr (kMethod.isVolume)
        TexelSources::read<kUse, VolumeReader>(take, image, places);
    else
        TexelSources::read<kUse, PlaneReader>(take, image, places);
}

/// Lookups between two levels that have row copies: as filterLevels(), a part after the other.
class BetweenCopies {
public:
    /// False: there are not both.
    [[gnu::always_inline]] bool find(const Image& lower, const Image& upper, const auto& at) {
        return lower_.find(lower, placesOf<false>(lower, at)) && upper_.find(upper, placesOf<false>(upper, at));
    }
    [[gnu::always_inline]] void take(F32x16 fraction, float* result) const {
        for (int i = 0; i < kParts; ++i)
            storePart(interpolateFrom(lower_.part(i), upper_.part(i), partOf<PartF>(fraction, i), kLinearOffset), 0,
                      result, i);
    }

private:
    PlaneReader<RowCopies> lower_, upper_;
};
inline bool haveCopies(const Image& lower, const Image& upper) {
    return lower.rows().words().texel != nullptr && upper.rows().words().texel != nullptr;
}
constexpr bool readsBetweenCopies(Method method) { return method.isBytes() && !method.isVolume && !method.isLayer; }

#else

template <Method kMethod, Use = Use::Neighbours, bool kIsScaled = true>
inline void storeImage(const auto& image, const Addressing& at, float* result) {
    constexpr float kScale = kIsScaled ? kByteScale : 1;
    if constexpr (kMethod.isLight())
        if (const RowCopy::Light light = image.rows().light(); light.texel != nullptr)
            return storeTexels(lightOfRows<kMethod>(light, image, at), kScale, result);
    constexpr TexelsOf<kMethod.element> kFetch;
    if constexpr (kMethod.isVolume)
        storeTexels(filterVolume(kFetch, image, at, kMethod.linear), kScale, result);
    else
        storeTexels(filterImage(kFetch, image, at, kMethod.linear), kScale, result);
}
constexpr bool readsBetweenCopies(Method) { return false; }

#endif

// --- Levels ---
/// An image of a view: an array's `face` is the layer.
template <bool kIsLayer>
[[gnu::always_inline]] inline decltype(auto) imageOf(const TextureView& view, int face, int level) {
    if constexpr (kIsLayer)
        return Layer(*view.image[0][level], face);
    else
        return static_cast<const Image&>(*view.image[face][level]);
}

/// storeImage() of one level of several is called, as it would be there many times.
template <Method kMethod, Use kUse = Use::Neighbours, bool kIsScaled = true>
[[gnu::noinline]] void callStoreImage(const auto& image, const auto& at, float* result) {
    storeImage<kMethod, kUse, kIsScaled>(image, at, result);
}
template <Method kMethod, Use kUse = Use::Neighbours, bool kIsScaled = true>
[[gnu::always_inline]] inline void storeLevel(const auto& image, const auto& at, float* result) {
#if defined(__AVX512BW__)
    // It is short there, and a call would pass everything through memory.
    storeImage<kMethod, kUse, kIsScaled>(image, at, result);
#else
    callStoreImage<kMethod, kUse, kIsScaled>(image, at, result);
#endif
}

/// Stores the colours of each lane's level and the next one.
template <Method kMethod>
[[gnu::noinline]] void filterLevels(const TextureView& view, int face, const auto& at, const LevelChoice& choice,
                                    uint32_t lanes, float* result) {
    const auto image = [&](int level) __attribute__((always_inline)) -> decltype(auto) {
        return imageOf<kMethod.isLayer>(view, face, level);
    };
    F32x16 rgba[4] = {};
    // Counting levels up, not taking them from the lanes: so which level comes is predicted as a branch is, and
    // fetching starts before the level of detail is known.
    uint32_t remaining = lanes;
    for (int level = 0; remaining != 0 && level < view.levels; ++level) {
        const Mask16 same = choice.level == level;
        const uint32_t sameLanes = toBits(same) & remaining;
        if (sameLanes == 0) continue;
        alignas(64) float lower[4 * kLookupStride], upper[4 * kLookupStride];
        const auto channel = [](const float* of, int i) { return load<F32x16>(of + i * kLookupStride); };
        Texels texels;
        if (level + 1 < view.levels && (toBits(choice.fraction != 0.0f) & sameLanes) != 0) {
            // Between one and two texels of the first level lie between pixels, and half as many of the second.
            storeLevel<kMethod, Use::FarNeighbours, false>(image(level), at, lower);
            storeLevel<kMethod, Use::Neighbours, false>(image(level + 1), at, upper);
            for (int i = 0; i < 4; ++i)
                texels.channel[i] = interpolate(channel(lower, i), channel(upper, i), choice.fraction, false);
        } else {
            storeLevel<kMethod, Use::Neighbours, false>(image(level), at, lower);
            for (int i = 0; i < 4; ++i) texels.channel[i] = channel(lower, i);
        }
        if (sameLanes == lanes) return storeTexels(texels, kByteScale, result);
        for (int i = 0; i < 4; ++i) rgba[i] = select(same, texels.channel[i], rgba[i]);
        remaining &= ~sameLanes;
    }
    for (int i = 0; i < 4; ++i) store(result + i * kLookupStride, rgba[i] * kByteScale);
}

/// The level that all of `lanes` read; -1: there is none.
struct CommonLevel {
    int level = -1;
    bool isBetween = false;  ///< some read the next one, too
};
[[gnu::always_inline]] inline CommonLevel commonLevel(const LevelChoice& choice, uint32_t lanes, int levels) {
    // Counted up, as in filterLevels().
    for (int level = 0; level < levels; ++level) {
        const uint32_t same = toBits(choice.level == level) & lanes;
        if (same == 0) continue;
        if (same != lanes) break;
        return {level, level + 1 < levels && (toBits(choice.fraction != 0.0f) & lanes) != 0};
    }
    return {};
}

/// The same, in shorter ways where all lanes read one level or are between the same two.
template <Method kMethod>
[[gnu::always_inline]] inline void storeLevels(const TextureView& view, int face, const auto& at,
                                               const LevelChoice& choice, uint32_t lanes, float* result) {
    const CommonLevel common = commonLevel(choice, lanes, view.levels);
    if (common.level >= 0 && !common.isBetween)
        return storeLevel<kMethod>(imageOf<kMethod.isLayer>(view, face, common.level), at, result);
#if defined(__x86_64__)
    if constexpr (readsBetweenCopies(kMethod)) {
        const auto& image = view.image[face];
        if (common.isBetween && haveCopies(*image[common.level], *image[common.level + 1])) {
            BetweenCopies between;
            if (between.find(*image[common.level], *image[common.level + 1], at))
                return between.take(choice.fraction, result);
        }
    }
#endif
    filterLevels<kMethod>(view, face, at, choice, lanes, result);
}

template <Kind kKind>
[[gnu::always_inline]] inline Footprint blockFootprint(const Image& base, const Coordinates& c) {
    return kKind == Kind::Tex3D ? volumeFootprint(base, c) : footprintOf(base, c);
}

/// The mean of lookups along a footprint.
template <Form kForm>
[[gnu::always_inline]] inline void sampleFootprint(const TextureView& view, const SamplerState& state, uint32_t lanes,
                                                   int face, const Coordinates& c, const Footprint& footprint,
                                                   I32x16 probes, const LevelChoice& choice, float* result) {
    F32x16 sum[4] = {};
    const FootprintWalk walk(c, footprint, probes, kForm.kind == Kind::Cube ? view.image[face][0]->width() : 0);
    for (int i = 0;; ++i) {
        const Mask16 takesPart = probes > i;
        const uint32_t wanted = toBits(takesPart) & lanes;
        if (wanted == 0) break;
        alignas(64) float rgba[4 * kLookupStride];
        const Addressing at = blockAddressing<kForm.kind>(state, walk.place(c, i));
        storeLevels<methodOf(kForm)>(view, face, at, choice, wanted, rgba);
        for (int channel = 0; channel < 4; ++channel) {
            const F32x16 more = sum[channel] + load<F32x16>(rgba + channel * kLookupStride);
            sum[channel] = select(takesPart, more, sum[channel]);
        }
    }
    for (int i = 0; i < 4; ++i) store(result + i * kLookupStride, sum[i] / walk.count);
}

/// Whether lookups on the face of a seamless cube map read beyond it, on the level that each lane reads or the next
/// one. What the smallest of these levels has within it the others have, too.
[[gnu::always_inline]] inline bool levelsReadOverEdge(const TextureView& view, const Addressing& at,
                                                      const LevelChoice& choice, uint32_t lanes) {
    const I32x16 levels = min(choice.level + ((choice.fraction != 0.0f) & 1), splat(view.levels - 1));
    const int size = view.image[0][__builtin_reduce_max(levels)]->width();
    return readsOverEdge(at.s, at.t, size, lanes);
}

/// False: it reads over the edges of a cube map.
template <Form kForm>
[[gnu::always_inline]] inline bool sampleLevels(const TextureView& view, const SamplerState& state, uint32_t lanes,
                                                int face, const Coordinates& c, float* result) {
    const Footprint footprint = blockFootprint<kForm.kind>(*view.image[kForm.kind == Kind::Array2D ? 0 : face][0], c);
    F32x16 square = maxPs(footprint.squareX, footprint.squareY);
    I32x16 probes = splat(1);
    if constexpr (kForm.anisotropic) {
        probes = probeCount(footprint, state.maxAnisotropy);
        square /= toFloat(probes * probes);
    }
    LevelChoice choice = chooseLevel(state, view.levels, levelOfDetail(square, SampleInput{}), probes);
    if constexpr (changesOf(kForm) == Changes::OfQuads)
        choice.level = spreadQuads(choice.level), choice.fraction = spreadQuads(choice.fraction);
    if (kForm.anisotropic && any(probes > 1))
        return sampleFootprint<kForm>(view, state, lanes, face, c, footprint, probes, choice, result), true;
    const Addressing at = addressingOf<kForm>(state, c);
    if (kForm.seamless && kForm.linear && levelsReadOverEdge(view, at, choice, lanes)) return false;
    storeLevels<methodOf(kForm)>(view, face, at, choice, lanes, result);
    return true;
}

// --- Lookups ---
/// Lanes that see several faces, or need several filters. The swizzle follows (sampleSwizzled()).
[[gnu::noinline, gnu::cold]] void sampleGeneral(const TextureView& view, const SamplerState& state, uint32_t lanes,
                                                const SampleInput& coordinates, float* result) {
    SampleInput in = coordinates;
    in.mask = lanes;
    SampleOutput out;
    sampleUnswizzled(view, state, in, out);
    for (int c = 0; c < 4; ++c) store(result + c * kLookupStride, out.rgba[c]);
}

/// s, t and r.
template <int kCount>
[[gnu::always_inline]] inline SampleInput loadCoordinates(const float* coordinates) {
    SampleInput in;
    for (int i = 0; i < kCount; ++i) in.coord[i] = load<F32x16>(coordinates + i * kLookupStride);
    return in;
}
template <Kind kKind>
constexpr int kCoordinates = kKind == Kind::Tex2D ? 2 : 3;

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

/// Calls sampleLayer(layer, lanes, result) for each layer of an array that some of `lanes` look up.
template <class SampleLayer>
[[gnu::always_inline]] inline void forEachLayer(I32x16 layers, uint32_t lanes, float* result,
                                                const SampleLayer& sampleLayer) {
    constexpr uint32_t kLast = 1u << 15;
    const int first = layers[__builtin_ctz(lanes | kLast)];
    if ((toBits(layers == first) & lanes) == lanes) [[likely]]
        return sampleLayer(first, lanes, result);
    for (uint32_t remaining = lanes; remaining != 0;) {
        const int layer = layers[__builtin_ctz(remaining)];
        const Mask16 same = layers == layer;
        alignas(64) float rgba[4 * kLookupStride];
        sampleLayer(layer, toBits(same) & lanes, rgba);
        for (int c = 0; c < 4; ++c) {
            float* to = result + c * kLookupStride;
            store(to, select(same, load<F32x16>(rgba + c * kLookupStride), load<F32x16>(to)));
        }
        remaining &= ~toBits(same);
    }
}

/// On one face, or of one layer. False: it reads over the edges of a cube map.
template <Form kForm>
[[gnu::always_inline]] inline bool sampleFace(const BoundTexture& bound, uint32_t lanes, int face, const Coordinates& c,
                                              float* result) {
    const TextureView& view = *bound.view;
    const SamplerState& state = *bound.state;
    if constexpr (hasDerivatives(kForm)) return sampleLevels<kForm>(view, state, lanes, face, c, result);
    const Addressing at = addressingOf<kForm>(state, c);
    if (kForm.seamless && kForm.linear && levelsReadOverEdge(view, at, LevelChoice{}, lanes)) return false;
    storeImage<methodOf(kForm)>(imageOf<methodOf(kForm).isLayer>(view, face, 0), at, result);
    return true;
}

template <Form kForm>
void sampleBlock(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const SampleInput in = loadCoordinates<kCoordinates<kForm.kind>>(coordinates);
    BlockPlaces places;
    const bool isFound = findPlaces<kForm.kind, changesOf(kForm)>(in, coordinates, hasDerivatives(kForm), places);
    if constexpr (kForm.kind == Kind::Array2D)
        return forEachLayer(layersOf(*bound->view, in.coord[2]), lanes, result,
                            [&](int layer, uint32_t same, float* rgba) __attribute__((always_inline)) {
                                sampleFace<kForm>(*bound, same, layer, places.c, rgba);
                            });
    if (!isFound || !sampleFace<kForm>(*bound, lanes, places.face, places.c, result)) [[unlikely]]
        sampleGeneral(*bound->view, *bound->state, lanes, in, result);
}

/// Lookups of any level of detail.
template <Form kForm>
void sampleInput(const BoundTexture& bound, const SampleInput& in, float* result) {
    constexpr Method kMethod = methodOf(kForm);
    const TextureView& view = *bound.view;
    const SamplerState& state = *bound.state;
    const bool derivatives = kForm.mips && needsDerivatives(in.lodMode);
    int face = 0;
    Coordinates c;
    if constexpr (kForm.kind == Kind::Cube) {
        const I32x16 faces = majorFace(in.coord[0], in.coord[1], in.coord[2]);
        face = faces[0];
        if (any(faces != face)) [[unlikely]]
            return sampleGeneral(view, state, in.mask, in, result);
        c = cubeCoordinates(in, derivatives, face);
    } else if constexpr (kForm.kind == Kind::Tex3D) {
        c = volumeCoordinates(in, derivatives);
    } else {
        c = planeCoordinates(in, derivatives);
    }
    LevelChoice choice{};
    if constexpr (kForm.mips) {
        Footprint footprint{};
        if (derivatives) footprint = blockFootprint<kForm.kind>(*view.image[0][0], c);
        const F32x16 lambda = levelOfDetail(maxPs(footprint.squareX, footprint.squareY), in);
        choice = chooseLevel(state, view.levels, clamp(lambda, state.minLod, state.maxLod), splat(1));
    }
    const Addressing at = addressingOf<kForm>(state, c);
    if (kForm.seamless && kForm.linear && levelsReadOverEdge(view, at, choice, in.mask)) [[unlikely]]
        return sampleGeneral(view, state, in.mask, in, result);
    const auto sampleImages = [&](int of, uint32_t lanes, float* rgba) __attribute__((always_inline)) {
        if constexpr (kForm.mips)
            storeLevels<kMethod>(view, of, at, choice, lanes, rgba);
        else
            storeImage<kMethod>(imageOf<kMethod.isLayer>(view, of, 0), at, rgba);
    };
    if constexpr (kForm.kind == Kind::Array2D)
        forEachLayer(layersOf(view, in.coord[2]), in.mask, result, sampleImages);
    else
        sampleImages(face, in.mask, result);
}

#if defined(__x86_64__)

// --- Depth ---
[[gnu::always_inline]] inline F32x16 referenceOf(const float* coordinates) {
    return clamp(load<F32x16>(coordinates + 2 * kLookupStride), 0.0f, 1.0f) + 0.0f;
}
template <bool kCompares>
[[gnu::always_inline]] inline Addressing depthAddressing(const SamplerState& state, const float* coordinates) {
    const SampleInput in = loadCoordinates<2>(coordinates);
    Coordinates c;
    c.s = in.coord[0], c.t = in.coord[1];
    Addressing at = blockAddressing<Kind::Tex2D>(state, c);
    if constexpr (kCompares) at.compare = state.compare, at.reference = referenceOf(coordinates);
    return at;
}
/// What stands beside a depth in green and blue, which it is not in where kIsRed (kDepthAsRed), and in alpha.
template <bool kIsRed>
[[gnu::always_inline]] inline void storeRest(float* result) {
    if constexpr (kIsRed)
        for (int i = 1; i < 3; ++i) store(result + i * kLookupStride, splat(0.0f));
    store(result + 3 * kLookupStride, splat(1.0f));
}
template <bool kIsRed, class Reader>
[[gnu::always_inline]] inline void storeDepth(const Reader& reader, float* result) {
    reader.forEach([&](int part, PartF value) {
        for (int i = 0; i < (kIsRed ? 1 : 3); ++i)
            std::memcpy(result + i * kLookupStride + part * kPartLanes, &value, sizeof value);
    });
    storeRest<kIsRed>(result);
}

template <bool kCompares, bool kLinear, bool kIsRed>
void sampleDepth(const void* texture, uint32_t, const float* coordinates, float* result) {
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const Image& image = *bound->view->image[0][0];
    const Addressing at = depthAddressing<kCompares>(*bound->state, coordinates);
    if constexpr (kLinear) {
        const auto take = [&](const auto& reader)
                              __attribute__((always_inline)) { storeDepth<kIsRed>(reader, result); };
        const Places places = placesOf<false>(image, at);
        if constexpr (kCompares)
            TexelSources::read<Use::Neighbours, ComparedDepthReader>(take, image, places, at);
        else
            TexelSources::read<Use::Neighbours, PlainDepthReader>(take, image, places, at);
    } else {
        Gather gather;
        gather.findTexel<false>(image, at);
        F32x16 value = depthOf<F32x16>(gather.words());
        if constexpr (kCompares) value = compareDepth(at.compare, at.reference, value);
        for (int i = 0; i < (kIsRed ? 1 : 3); ++i) store(result + i * kLookupStride, value);
        storeRest<kIsRed>(result);
    }
}

#endif

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
