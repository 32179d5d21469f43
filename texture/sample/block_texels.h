// The texels of sixteen lookups, as block_sampler_simd.cpp uses them: where they are, taking them from there, and
// linear filters of eight-bit texels and of depth. Internal; compiled for each SIMD level.
//
// With AVX-512 the texels come out of registers where they can: lookups of neighbouring pixels mostly meet neighbouring
// texels, so the texels of all lanes lie within a window of 2 x 2 blocks, four loads. Permutations pick each lane's
// from there; gathers remain for the other places. The sums of eight-bit texels are exact integers in sixteen bits.
// Other hosts filter as sample() does.
#pragma once

#include <algorithm>

#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// ---- The window
// ------------------------------------------------------------------------------------------------------

#if defined(__AVX512BW__)

// kPower: all sizes are powers of two, all wrap modes repeat. A mask then brings every texel into the image, whatever
// the coordinate; a NaN, which converts to -2^31 on the hosts that have this form, gets the texels and weights of 0.
inline constexpr bool kHasPower = true;
inline I32x16 texelOf(F32x16 x) {
    return __builtin_bit_cast(I32x16, _mm512_cvttps_epi32(__builtin_bit_cast(__m512, x)));
}

/// To nearest, ties to even; |x| < 2^31.
inline I32x16 roundToInt(F32x16 x) {
    return __builtin_bit_cast(I32x16, _mm512_cvtps_epi32(__builtin_bit_cast(__m512, x)));
}

inline __m512i vector(I32x16 x) { return __builtin_bit_cast(__m512i, x); }
inline I32x16 lanes32(__m512i x) { return __builtin_bit_cast(I32x16, x); }

// Coordinates wrapped to 0..1, texels and rows, as wrapUnit(), nearestTexel() and rowOffset() give them. A NaN may stay
// one where texels repeat: it becomes -2^31 there, which is beyond any image.
template <bool kPower>
[[gnu::always_inline]] inline F32x16 blockUnit(Wrap wrap, F32x16 s) {
    return kPower || wrap == Wrap::Repeat ? s - floor(s) : wrapUnit(wrap, s);
}
template <bool kPower>
[[gnu::always_inline]] inline I32x16 blockTexel(Wrap wrap, F32x16 unit, int size) {
    const I32x16 texel = texelOf(unit * wholeFloat(size));
    if constexpr (kPower) return texel & (size - 1);
    if (wrap != Wrap::Repeat) return min(texel, splat(size - 1));
    return lanes32(
        _mm512_maskz_mov_epi32(_mm512_cmplt_epu32_mask(vector(texel), _mm512_set1_epi32(size)), vector(texel)));
}
template <bool kPower>
[[gnu::always_inline]] inline I32x16 blockRowOffset(I32x16 y, int blocksWide) {
    const I32x16 below = (y & 3) << 2;
    if constexpr (kPower) return ((y & ~3) << splat(__builtin_ctz(static_cast<unsigned>(blocksWide)) + 2)) + below;
    // Factors of sixteen bits, as images are at most 2^14 wide and high: quicker than a product of 32.
    return lanes32(_mm512_madd_epi16(vector(y & ~3), _mm512_set1_epi32(blocksWide * 4))) + below;
}

#else

inline constexpr bool kHasPower = false;

template <bool>
inline F32x16 blockUnit(Wrap wrap, F32x16 s) {
    return wrapUnit(wrap, s);
}
template <bool>
inline I32x16 blockTexel(Wrap wrap, F32x16 unit, int size) {
    return nearestTexel(wrap, unit, size);
}
template <bool>
inline I32x16 blockRowOffset(I32x16 y, int blocksWide) {
    return rowOffset(y, blocksWide);
}

#endif

#if defined(__AVX512BW__)

/// Two texels and their weights.
struct Place {
    I32x16 first;       ///< not wrapped yet
    I32x16 fixed;       ///< lowest eight bits: the weight of the second
    __mmask16 between;  ///< where that is not 0
};
template <bool kPower>
[[gnu::always_inline]] inline Place placeOf(F32x16 unit, int size) {
    // A power of two as a float is its exponent.
    const F32x16 scale = kPower ? asFloat(splat((127 + kWeightBits + __builtin_ctz(static_cast<unsigned>(size))) << 23))
                                : wholeFloat(size << kWeightBits);
    const I32x16 fixed = asInt(asUint(roundToInt(unit * scale)) - (1u << (kWeightBits - 1)));  // may wrap around
    return {fixed >> kWeightBits, fixed, _mm512_test_epi32_mask(vector(fixed), _mm512_set1_epi32(0xFF))};
}

struct Pair {
    I32x16 first, second;
};
template <bool kPower>
[[gnu::always_inline]] inline Pair wrapPair(Wrap wrap, I32x16 first, int size) {
    const I32x16 second = first + 1;
    if (kPower) return {first & (size - 1), second & (size - 1)};
    if (wrap != Wrap::Repeat) return {max(first, splat(0)), min(second, splat(size - 1))};
    return {select(asUint(first) < static_cast<uint32_t>(size), first, splat(size - 1)),
            select(asUint(second) < static_cast<uint32_t>(size), second, splat(0))};
}

/// The texels around each place: [row][column]. Where the second column has no weight it is the first again.
struct Corners {
    __m512i texel[2][2];
};

/// Wherever they are. `slice`: of each lane, as an offset in elements.
template <bool kPower>
[[gnu::always_inline]] inline Corners gatherCorners(const Image& image, const Addressing& at, const Place& x,
                                                    const Place& y, I32x16 slice) {
    const uint32_t* base = image.block32(0, 0);
    const Pair column = wrapPair<kPower>(at.wrapS, x.first, image.width());
    const Pair row = wrapPair<kPower>(at.wrapT, y.first, image.height());
    const I32x16 left = slice + columnOffset(column.first);
    const I32x16 right =
        lanes32(_mm512_mask_mov_epi32(vector(left), x.between, vector(slice + columnOffset(column.second))));
    const I32x16 lower = blockRowOffset<kPower>(row.first, image.blocksWide());
    const I32x16 upper = blockRowOffset<kPower>(row.second, image.blocksWide());
    const auto texels = [&](I32x16 offset) { return __builtin_bit_cast(__m512i, gather<1>(base, offset, 0)); };
    return {{{texels(lower + left), texels(lower + right)}, {texels(upper + left), texels(upper + right)}}};
}

/// Elements 0 and 1: the least of `a` and of `b` in the corners of a block of lanes, which is the least of all lanes
/// where values change evenly.
[[gnu::always_inline]] inline __m128i leastCorners(I32x16 a, I32x16 b) {
    const auto corners = [&](int one, int other) {
        const __m512i lanes = _mm512_castsi128_si512(_mm_setr_epi32(one, 16 + one, other, 16 + other));
        return _mm512_castsi512_si128(_mm512_permutex2var_epi32(vector(a), lanes, vector(b)));
    };
    const __m128i two = _mm_min_epi32(corners(0, 12), corners(3, 15));
    return _mm_min_epi32(two, _mm_shuffle_epi32(two, 0x4E));
}

/// Lanes whose second texel is `reach` or more from the start of a window, `above` being their first from there.
[[gnu::always_inline]] inline __mmask16 lanesOutside(I32x16 above, int reach) {
    return _mm512_cmpge_epu32_mask(vector(above), _mm512_set1_epi32(reach - 1));
}
/// Lanes that have a texel beyond 0..size - 1.
[[gnu::always_inline]] inline __mmask16 lanesWrapped(I32x16 first, int size) {
    return _mm512_cmpge_epu32_mask(vector(first), _mm512_set1_epi32(size - 1));
}
/// Whether a window is in the image for certain.
inline bool isInside(int start, int reach, int size) {
    return static_cast<unsigned>(start) < static_cast<unsigned>(std::max(size - reach + 1, 0));
}

/// A window of 2 x 2 blocks of an image, as lanes see it.
struct Window {
    __mmask16 outside;   ///< lanes with texels outside, or wrapped; the rest has a meaning if there are none
    int blockX, blockY;  ///< of its first block
    I32x16 x, y;         ///< of the first texel, from the window's
};
[[gnu::always_inline]] inline Window windowOf(const Image& image, const Place& x, const Place& y) {
    constexpr int kReach = 2 * kBlockSize;
    const __m128i block = _mm_srai_epi32(leastCorners(x.first, y.first), 2);
    const __m512i start = _mm512_castsi128_si512(_mm_slli_epi32(block, 2));
    Window window;
    window.blockX = _mm_cvtsi128_si32(block);
    window.blockY = _mm_extract_epi32(block, 1);
    window.x = x.first - lanes32(_mm512_broadcastd_epi32(_mm512_castsi512_si128(start)));
    window.y = y.first - lanes32(_mm512_permutexvar_epi32(_mm512_set1_epi32(1), start));
    window.outside = lanesOutside(asInt(__builtin_elementwise_max(asUint(window.x), asUint(window.y))), kReach);
    const bool isWhole = isInside(window.blockX * kBlockSize, kReach, image.width()) &&
                         isInside(window.blockY * kBlockSize, kReach, image.height());
    if (!isWhole) window.outside |= lanesWrapped(x.first, image.width()) | lanesWrapped(y.first, image.height());
    return window;
}

/// Takes texels out of a window's blocks.
struct WindowReader {
    size_t start, beside, above;  ///< the first block; the next to the right, the next above, from there; in elements
    __m512i place[2][2];          ///< [row][column]: in a column of two blocks; the lowest five bits count
    __mmask16 isRight[2];

    [[gnu::always_inline]] WindowReader(const Image& image, const Window& window, const Place& x) {
        const size_t wide = image.blocksWide();
        // At the image's end the first block stands for the second: nothing is taken of that.
        start = (window.blockY * wide + window.blockX) * 16;
        beside = window.blockX + 1 < image.blocksWide() ? 16 : 0;
        above = window.blockY + 1 < image.blocksHigh() ? wide * 16 : 0;
        const I32x16 row = window.y << 2;
        const I32x16 right =
            lanes32(_mm512_mask_add_epi32(vector(window.x), x.between, vector(window.x), _mm512_set1_epi32(1)));
        const I32x16 lowerLeft = (window.x & 3) | row, lowerRight = (right & 3) | row;
        place[0][0] = vector(lowerLeft), place[0][1] = vector(lowerRight);
        place[1][0] = vector(lowerLeft + 4), place[1][1] = vector(lowerRight + 4);
        isRight[0] = _mm512_test_epi32_mask(vector(window.x), _mm512_set1_epi32(4));
        isRight[1] = _mm512_test_epi32_mask(vector(right), _mm512_set1_epi32(4));
    }
    /// `slice`: first texel of the image or of one slice of it.
    [[gnu::always_inline]] Corners read(const uint32_t* slice) const {
        const uint32_t* block = slice + start;
        const __m512i lowerLeft = _mm512_load_si512(block), lowerRight = _mm512_load_si512(block + beside);
        const __m512i upperLeft = _mm512_load_si512(block + above);
        const __m512i upperRight = _mm512_load_si512(block + above + beside);
        Corners corners;
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column)
                corners.texel[row][column] = _mm512_mask_blend_epi32(
                    isRight[column], _mm512_permutex2var_epi32(lowerLeft, place[row][column], upperLeft),
                    _mm512_permutex2var_epi32(lowerRight, place[row][column], upperRight));
        return corners;
    }
};

/// kIsDense: lanes probably read neighbouring texels.
template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Corners cornersOf(const Image& image, const Addressing& at, const Place& x,
                                                const Place& y) {
    Window window{.outside = 0xFFFF};
    if constexpr (kIsDense) window = windowOf(image, x, y);
    if (window.outside == 0) return WindowReader(image, window, x).read(image.block32(0, 0));
    return gatherCorners<kPower>(image, at, x, y, I32x16{});
}

#endif

// ---- Filters
// ---------------------------------------------------------------------------------------------------------

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
