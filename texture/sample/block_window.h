// Where the texels of sixteen lookups are, and taking them from there, for block_texels.h. Internal; compiled for each
// SIMD level.
//
// With AVX-512 the texels come out of registers where they can: lookups of neighbouring pixels mostly meet neighbouring
// texels, so the texels of all lanes lie within a window of 2 x 2 blocks, four loads. Permutations pick each lane's
// from there; gathers remain for the other places.
#pragma once

#include <algorithm>

#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

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

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
