// Filters of sixteen lookups' texels (block_texels.h): linear ones of eight-bit texels, of light and of depth, in
// planes and volumes. Internal; compiled for each SIMD level.
//
// Sums of eight-bit texels and their weights are exact integers in sixteen bits. Light of sRGB pictures is taken from
// the copy that is kept decoded, where there is one (row_copy.h). Hosts other than x86-64 filter as sample() does.
#pragma once

#include <type_traits>

#include "base/transpose.h"
#include "texture/sample/block_texels.h"
#include "texture/sample/row_copy_filters.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// --- Light that is decoded already ---

using F32x4 = float __attribute__((ext_vector_type(4)));
using F32x8 = float __attribute__((ext_vector_type(8)));

/// Four texels of a row of lanes each: lanes i, i + 4, i + 8 and i + 12 as one vector, so that a vector of weights
/// is a shuffle within 128 bits, and channels of lanes come in order.
template <int kLane>
[[gnu::always_inline]] inline F32x16 texelsOf(const float* texel, const uint32_t (&at)[16]) {
    const auto one = [&](int lane) {
        F32x4 value;
        std::memcpy(&value, texel + at[lane], sizeof value);
        return value;
    };
    const F32x8 low = __builtin_shufflevector(one(kLane), one(kLane + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    const F32x8 high = __builtin_shufflevector(one(kLane + 8), one(kLane + 12), 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
/// Each texel's weight for its four channels.
template <int kLane>
[[gnu::always_inline]] inline F32x16 weightsOf(F32x16 weight) {
    constexpr int k = kLane;
    return __builtin_shufflevector(weight, weight, k, k, k, k, k + 4, k + 4, k + 4, k + 4, k + 8, k + 8, k + 8, k + 8,
                                   k + 12, k + 12, k + 12, k + 12);
}
/// The channels of texels that are ordered as texelsOf() has them: `texels[i]` begins with that of lane i.
[[gnu::always_inline]] inline Texels channelsOf(const F32x16 (&texels)[4]) {
    const auto [channel] = transposeQuarters(texels);
    return {{channel[0], channel[1], channel[2], channel[3]}};
}

/// Each lane's texel.
[[gnu::always_inline]] inline Texels texelsOfRows(const RowCopy::Light& rows, I32x16 x, I32x16 y) {
    alignas(64) uint32_t at[16];
    storeIndices(at, y * rows.rowFloats + (x << 2));
    return channelsOf({texelsOf<0>(rows.texel, at), texelsOf<1>(rows.texel, at), texelsOf<2>(rows.texel, at),
                       texelsOf<3>(rows.texel, at)});
}

/// Linear, in the order of filterSlice(). Where two texels are one and the same, which is not so in the rows, the
/// second one's weight makes no difference, so none will do.
[[gnu::always_inline]] inline Texels filterRows(const RowCopy::Light& rows, const TexelPair& x, const TexelPair& y) {
    alignas(64) uint32_t at[16];
    storeIndices(at, y.first * rows.rowFloats + (x.first << 2));
    const float* above = rows.texel + rows.rowFloats;
    const F32x16 weightX = asFloat(asInt(x.weight) & (x.first != x.second));
    const F32x16 weightY = asFloat(asInt(y.weight) & (y.first != y.second));
    const auto filter = [&]<int kLane>(std::integral_constant<int, kLane>) {
        const F32x16 acrossWeight = weightsOf<kLane>(weightX);
        const auto row = [&](const float* texel) {
            return interpolate(texelsOf<kLane>(texel, at), texelsOf<kLane>(texel + 4, at), acrossWeight, false);
        };
        return interpolate(row(rows.texel), row(above), weightsOf<kLane>(weightY), false);
    };
    return channelsOf({filter(std::integral_constant<int, 0>{}), filter(std::integral_constant<int, 1>{}),
                       filter(std::integral_constant<int, 2>{}), filter(std::integral_constant<int, 3>{})});
}

#if defined(__x86_64__)

/// The four texels, weighted, in integers: (sum of texel * weight) exactly, less kLinearOffset.
[[gnu::always_inline]] inline Texels filterCorners(const Corners& corners, const Place& x, const Place& y) {
    // Bytes 256 - f and f, twice. As 256 is no byte, 0 becomes 1: the two texels are the same there.
    const I32x16 right = max(x.fixed & 0xFF, splat(1));
    const I32x16 weightX = (right << 8) - right + 256;
    const I32x16 weightsX = weightX | weightX << 16;
    constexpr int32_t kLow = 0x00FF00FF, kSign = static_cast<int32_t>(0x80808080);
    struct Row {
        I32x16 even, odd;  // red and blue, green and alpha: sixteen bits each, less 2^15
    };
    const auto filterRow = [&](const I32x16(&texel)[2]) -> Row {
        const I32x16 a = texel[0] ^ kSign, b = texel[1] ^ kSign;  // less 2^7
        const I32x16 even = (a & kLow) | (b & kLow) << 8;
        const I32x16 odd = (a >> 8 & kLow) | (b & ~kLow);
        return {multiplyBytes(weightsX, even), multiplyBytes(weightsX, odd)};
    };
    const Row below = filterRow(corners.texel[0]), above = filterRow(corners.texel[1]);
    const I32x16 weightY = y.fixed & 0xFF;
    const I32x16 weightsY = (weightY << 16) + (256 - weightY);
    // Each 32 bits: the lower row's value and the upper row's, both less 2^15, so that their mean is less 2^23.
    const auto low = [&](I32x16 one, I32x16 other) {
        return toFloat(multiplyHalves((one & 0xFFFF) | other << 16, weightsY));
    };
    const auto high = [&](I32x16 one, I32x16 other) {
        return toFloat(multiplyHalves(asInt(asUint(one) >> 16u) | (other & ~0xFFFF), weightsY));
    };
    return {{low(below.even, above.even), low(below.odd, above.odd), high(below.even, above.even),
             high(below.odd, above.odd)}};
}

#if defined(__AVX512BW__)
inline constexpr bool kHasSingles = false;  // a window costs as little there
#else
inline constexpr bool kHasSingles = true;
#endif

/// What filterCorners() gives where only the first texel has a weight.
[[gnu::always_inline]] inline Texels filterWords(I32x16 word) {
    const I32x16 low = word ^ static_cast<int32_t>(0x80808080);  // bytes less 2^7
    const auto channel = [&](I32x16 highest) { return toFloat((highest & static_cast<int32_t>(0xFF000000)) >> 8); };
    return {{channel(low << 24), channel(low << 16), channel(low << 8), channel(low)}};
}

/// The words where only the first texel has a weight: pictures shown one to one. Others are mostly found out by their
/// first lane.
template <bool kPower>
[[gnu::always_inline]] inline bool singleWords(const Image& image, const Addressing& at, const Place& x, const Place& y,
                                               I32x16& words) {
    const I32x16 weights = (x.fixed | y.fixed) & 0xFF;
    if (weights[0] != 0 || !isNone(weights)) [[likely]]
        return false;
    const I32x16 column = wrapPair<kPower>(at.wrapS, x.first, image.width()).first;
    const I32x16 row = wrapPair<kPower>(at.wrapT, y.first, image.height()).first;
    words = wordsOf<kPower>(image, column, row);
    return true;
}

template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Texels filterLinear(const Image& image, const Addressing& at) {
    if constexpr (kHasCopiesOfOneLevel) {
        if (const RowCopy::Words rows = image.rows().words(); rows.texel != nullptr)
            return filterCopy<CopyFilter, kPower>(rows, image, at);
    }
    const Place x = placeOf<kPower>(at.s, image.width()), y = placeOf<kPower>(at.t, image.height());
    if constexpr (kIsDense && kHasSingles) {
        I32x16 words;
        if (singleWords<kPower>(image, at, x, y, words)) return filterWords(words);
    }
    return filterCorners(cornersOf<kPower, kIsDense>(image, at, x, y), x, y);
}

/// The same of sRGB, from 0 in 1 / 255: of light, in the order of filterSlice().
template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Texels filterLight(const Image& image, const Addressing& at) {
    const Place x = placeOf<kPower>(at.s, image.width()), y = placeOf<kPower>(at.t, image.height());
    if (const RowCopy::Light light = image.rows().light(); light.texel != nullptr) {
        const auto pair = [](Wrap wrap, const Place& place, int size) {
            const Pair texels = wrapPair<kPower>(wrap, place.first, size);
            return TexelPair{texels.first, texels.second, toFloat(place.fixed & 0xFF) * (1 / kWeightScale)};
        };
        return filterRows(light, pair(at.wrapS, x, image.width()), pair(at.wrapT, y, image.height()));
    }
    if constexpr (kIsDense) {
        I32x16 words;
        if (singleWords<kPower>(image, at, x, y, words)) return lightOf(asUint(words));
    }
    const Corners corners = cornersOf<kPower, kIsDense>(image, at, x, y);
    const auto between = [](const Texels& a, const Texels& b, const Place& place) {
        return interpolate(a, b, toFloat(place.fixed & 0xFF) * (1 / kWeightScale), false);
    };
    const auto row = [&](int i) {
        return between(lightOf(asUint(corners.texel[i][0])), lightOf(asUint(corners.texel[i][1])), x);
    };
    return between(row(0), row(1), y);
}

/// d / 16777215, rounded, of the 24 bits of an element. With d = m * 2^k, 2^23 <= m < 2^24, it is more than half a step
/// and less than a whole one above d / 2^24: the next single.
inline F32x16 depthOf(I32x16 element) {
    const I32x16 depth = asInt(asUint(element) >> 8u);
    const I32x16 next = asInt(toFloat(depth)) - ((24 << 23) - 1);
    return asFloat(select(depth != 0, next, splat(0)));
}

/// The depth of a texel, or how it compares with at.reference where at.compare says so.
template <bool kCompares>
[[gnu::always_inline]] inline F32x16 depthValue(const Addressing& at, I32x16 element) {
    const F32x16 depth = depthOf(element);
    return kCompares ? compareDepth(at.compare, at.reference, depth) : depth;
}

template <bool kCompares>
[[gnu::always_inline]] inline F32x16 filterDepthCorners(const Addressing& at, const Corners& corners, const Place& x,
                                                        const Place& y) {
    const auto between = [](F32x16 a, F32x16 b, const Place& place) {
        const F32x16 weight = toFloat(place.fixed & 0xFF) * (1 / kWeightScale);
        return kCompares ? interpolateExact(a, b, weight) : interpolate(a, b, weight, false);
    };
    const auto row = [&](int i) {
        return between(depthValue<kCompares>(at, corners.texel[i][0]), depthValue<kCompares>(at, corners.texel[i][1]),
                       x);
    };
    return between(row(0), row(1), y);
}

/// The first channel of filterImage() of depth.
template <bool kCompares>
[[gnu::always_inline]] inline F32x16 filterDepth(const Image& image, const Addressing& at, bool linear) {
    if (!linear) {
        const I32x16 x = blockTexel<false>(at.wrapS, at.s, image.width());
        const I32x16 y = blockTexel<false>(at.wrapT, at.t, image.height());
        const I32x16 offset = columnOffset(x) + blockRowOffset<false>(y, image.blocksWide());
        return depthValue<kCompares>(at, asInt(gather<1>(image.block32(0, 0), offset, 0)));
    }
    if constexpr (kHasCopiesOfOneLevel) {
        if (const RowCopy::Words rows = image.rows().words(); rows.texel != nullptr) {
            CopyFilter filter;
            filter.find<false>(rows, image, at);
            return filterDepthCorners<kCompares>(at, filter.corners(), filter.x(), filter.y());
        }
    }
    const Place x = placeOf<false>(at.s, image.width()), y = placeOf<false>(at.t, image.height());
    return filterDepthCorners<kCompares>(at, cornersOf<false, true>(image, at, x, y), x, y);
}

/// Slices first, then between two of them; from 0.
template <bool kPower>
[[gnu::always_inline]] inline Texels filterLinearVolume(const Image& image, const Addressing& at) {
    if constexpr (kHasCopiesOfOneLevel) {
        if (const RowCopy::Words rows = image.rows().words(); rows.texel != nullptr)
            return filterCopy<VolumeCopyFilter, kPower>(rows, image, at);
    }
    const Place x = placeOf<kPower>(at.s, image.width()), y = placeOf<kPower>(at.t, image.height());
    const Place z = placeOf<kPower>(at.r, image.depth());
    SlicePair slices;
    bool isTaken = false;
    if constexpr (kHasWindow) {
        const int lowest = leastCorners(z.first, z.first)[0];
        const I32x16 above = z.first - lowest;
        isTaken = rowSlices<kPower>(image, at.wrapS, x, y, lowest, above, slices) ||
                  windowSlices(image, x, y, z, lowest, above, slices);
    }
    if (!isTaken) {
        const Pair pair = wrapPair<kPower>(at.wrapR, z.first, image.depth());
        slices.first = gatherCorners<kPower>(image, at, x, y, pair.first * sliceElements(image));
        slices.second = gatherCorners<kPower>(image, at, x, y, pair.second * sliceElements(image));
    }
    const Texels first = filterCorners(slices.first, x, y);
    const Texels second = filterCorners(slices.second, x, y);
    return interpolateFrom(first, second, toFloat(z.fixed & 0xFF) * (1 / kWeightScale), kLinearOffset);
}

#else

inline constexpr float kLinearUnit = 1, kLinearOffset = 0;

template <bool, bool>
inline Texels filterLinear(const Image& image, const Addressing& at) {
    return filterImage<Fetch::Rgba8>(image, at, true);
}
template <bool, bool>
inline Texels filterLight(const Image& image, const Addressing& at) {
    if (const RowCopy::Light light = image.rows().light(); light.texel != nullptr)
        return filterRows(light, linearTexels(at.wrapS, at.s, image.width()),
                          linearTexels(at.wrapT, at.t, image.height()));
    return filterImage<Fetch::Srgb8>(image, at, true);
}
template <bool>
inline Texels filterLinearVolume(const Image& image, const Addressing& at) {
    return filterVolume<Fetch::Rgba8>(image, at, true);
}

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
