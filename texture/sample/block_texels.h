// Linear filters of eight-bit texels, and of depth, for sixteen lookups, as block_sampler_simd.cpp uses them. Internal;
// compiled for each SIMD level.
//
// With AVX-512 the sums of eight-bit texels are exact integers in sixteen bits. Other hosts filter as sample() does.
#pragma once

#include "texture/sample/block_window.h"
#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// interpolate() of values that are each `offset` too low.
[[gnu::always_inline]] inline Texels interpolateFrom(const Texels& a, const Texels& b, F32x16 weight, float offset) {
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = (a.channel[c] + offset) + (b.channel[c] - a.channel[c]) * weight;
    return result;
}

inline int sliceElements(const Image& image) { return image.blocksWide() * image.blocksHigh() * 16; }

#if defined(__AVX512BW__)

/// filterLinear() counts in 1 / (255 * kLinearUnit), from -kLinearOffset.
inline constexpr float kLinearUnit = 65536, kLinearOffset = 1 << 23;

/// The four texels, weighted, in integers: (sum of texel * weight) exactly, less kLinearOffset.
[[gnu::always_inline]] inline Texels filterCorners(const Corners& corners, const Place& x, const Place& y) {
    // Bytes 256 - f and f. As 256 is no byte, 0 becomes 1: the two texels are the same there.
    const __m512i lowest = _mm512_set4_epi32(0x0C0C0C0C, 0x08080808, 0x04040404, 0x00000000);
    const __m512i right = _mm512_max_epu8(_mm512_shuffle_epi8(vector(x.fixed), lowest), _mm512_set1_epi8(1));
    const __m512i weightsX = _mm512_mask_sub_epi8(right, 0x5555555555555555, _mm512_setzero_si512(), right);
    const __m512i low = _mm512_set1_epi32(0x00FF00FF), sign = _mm512_set1_epi32(static_cast<int>(0x80808080));
    struct Row {
        __m512i even, odd;  // red and blue, green and alpha: sixteen bits each, less 2^15
    };
    const auto filterRow = [&](const __m512i(&texel)[2]) -> Row {
        const __m512i a = _mm512_xor_si512(texel[0], sign), b = _mm512_xor_si512(texel[1], sign);  // less 2^7
        const __m512i even = _mm512_or_si512(_mm512_and_si512(a, low), _mm512_slli_epi16(b, 8));
        const __m512i odd = _mm512_or_si512(_mm512_srli_epi16(a, 8), _mm512_andnot_si512(low, b));
        return {_mm512_maddubs_epi16(weightsX, even), _mm512_maddubs_epi16(weightsX, odd)};
    };
    const Row below = filterRow(corners.texel[0]), above = filterRow(corners.texel[1]);
    const I32x16 weightY = y.fixed & 0xFF;
    const __m512i weights = vector((weightY << 16) + (256 - weightY));
    // Each 32 bits: the lower row's value and the upper row's, both less 2^15, so that their mean is less 2^23.
    const auto column = [&](__m512i pair) { return toFloat(lanes32(_mm512_madd_epi16(pair, weights))); };
    constexpr __mmask32 kUpper = 0xAAAAAAAA;
    Texels result;
    result.channel[0] = column(_mm512_mask_blend_epi16(kUpper, below.even, _mm512_slli_epi32(above.even, 16)));
    result.channel[1] = column(_mm512_mask_blend_epi16(kUpper, below.odd, _mm512_slli_epi32(above.odd, 16)));
    result.channel[2] = column(_mm512_mask_blend_epi16(kUpper, _mm512_srli_epi32(below.even, 16), above.even));
    result.channel[3] = column(_mm512_mask_blend_epi16(kUpper, _mm512_srli_epi32(below.odd, 16), above.odd));
    return result;
}

template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Texels filterLinear(const Image& image, const Addressing& at) {
    const Place x = placeOf<kPower>(at.s, image.width()), y = placeOf<kPower>(at.t, image.height());
    return filterCorners(cornersOf<kPower, kIsDense>(image, at, x, y), x, y);
}

/// d / 16777215, rounded, of the 24 bits of an element. With d = m * 2^k, 2^23 <= m < 2^24, it is more than half a step
/// and less than a whole one above d / 2^24: the next single.
inline F32x16 depthOf(__m512i element) {
    const __m512i depth = _mm512_srli_epi32(element, 8);
    const __m512i below = __builtin_bit_cast(__m512i, _mm512_cvtepi32_ps(depth));
    const __m512i next = _mm512_sub_epi32(below, _mm512_set1_epi32((24 << 23) - 1));
    return asFloat(lanes32(_mm512_maskz_mov_epi32(_mm512_test_epi32_mask(depth, depth), next)));
}

/// The first channel of filterImage() of depth; compared with at.reference where at.compare says so.
template <bool kCompares>
[[gnu::always_inline]] inline F32x16 filterDepth(const Image& image, const Addressing& at, bool linear) {
    const auto valueOf = [&](__m512i element) {
        const F32x16 depth = depthOf(element);
        return kCompares ? compareDepth(at.compare, at.reference, depth) : depth;
    };
    if (!linear) {
        const I32x16 x = blockTexel<false>(at.wrapS, at.s, image.width());
        const I32x16 y = blockTexel<false>(at.wrapT, at.t, image.height());
        const I32x16 offset = columnOffset(x) + blockRowOffset<false>(y, image.blocksWide());
        return valueOf(__builtin_bit_cast(__m512i, gather<1>(image.block32(0, 0), offset, 0)));
    }
    const Place x = placeOf<false>(at.s, image.width()), y = placeOf<false>(at.t, image.height());
    const Corners corners = cornersOf<false, true>(image, at, x, y);
    const auto between = [](F32x16 a, F32x16 b, const Place& place) {
        const F32x16 weight = toFloat(place.fixed & 0xFF) * (1 / kWeightScale);
        return kCompares ? interpolateExact(a, b, weight) : interpolate(a, b, weight, false);
    };
    const auto row = [&](int i) { return between(valueOf(corners.texel[i][0]), valueOf(corners.texel[i][1]), x); };
    return between(row(0), row(1), y);
}

/// The texels of two slices.
struct SlicePair {
    Corners first, second;
};

/// Slice by slice, from `lowest`, to the lanes that start there: `z` above it.
[[gnu::always_inline]] inline SlicePair windowSlices(const Image& image, const Window& window, const Place& x,
                                                     int lowest, I32x16 z) {
    const WindowReader reader(image, window, x);
    const uint32_t* slice = image.block32(0, 0) + static_cast<size_t>(lowest) * sliceElements(image);
    SlicePair pair;
    pair.first = reader.read(slice);
    pair.second = reader.read(slice += sliceElements(image));
    Corners last = pair.second;
    for (int i = 1;; ++i) {
        const __mmask16 later = _mm512_cmpge_epi32_mask(vector(z), _mm512_set1_epi32(i));
        if (later == 0) return pair;
        const Corners next = reader.read(slice += sliceElements(image));
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column) {
                __m512i &first = pair.first.texel[row][column], &second = pair.second.texel[row][column];
                first = _mm512_mask_mov_epi32(first, later, last.texel[row][column]);
                second = _mm512_mask_mov_epi32(second, later, next.texel[row][column]);
            }
        last = next;
    }
}

/// Slices first, then between two of them; from 0.
template <bool kPower>
[[gnu::always_inline]] inline Texels filterLinearVolume(const Image& image, const Addressing& at) {
    const Place x = placeOf<kPower>(at.s, image.width()), y = placeOf<kPower>(at.t, image.height());
    const Place z = placeOf<kPower>(at.r, image.depth());
    const Window window = windowOf(image, x, y);
    const int lowest = _mm_cvtsi128_si32(leastCorners(z.first, z.first));
    const I32x16 above = z.first - lowest;
    constexpr int kMostSlices = 4;
    __mmask16 outside = window.outside | lanesOutside(above, kMostSlices);
    if (!isInside(lowest, kMostSlices, image.depth())) outside |= lanesWrapped(z.first, image.depth());
    SlicePair slices;
    if (outside == 0) {
        slices = windowSlices(image, window, x, lowest, above);
    } else {
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
template <bool>
inline Texels filterLinearVolume(const Image& image, const Addressing& at) {
    return filterVolume<Fetch::Rgba8>(image, at, true);
}

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
