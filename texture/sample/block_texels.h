// The texels of sixteen lookups, as block_sampler_simd.cpp uses them: where they are, and taking them from there; what
// is made of them is in block_filters.h. Internal; compiled for each SIMD level.
//
// Lookups of neighbouring pixels mostly meet neighbouring texels, so the texels of all lanes lie within a window of
// 2 x 2 blocks. With AVX-512 these are four registers, and permutations pick each lane's texels from there; where a
// picture lies straight, lanes are a grid, and four columns and four rows say which single texels all sixteen read.
// With AVX2 a row of pixels that meets one row of texels, as where a picture lies straight, picks them from eight
// columns in one register; else the rows of the window, or of one of 3 x 3 blocks, are laid side by side in memory,
// where two neighbours are one load of 64 bits. For other places, and without AVX2, every texel is loaded by itself.
// Lookups that read a copy in rows (row_copy_filters.h) ask none of this.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>

#include "base/registers.h"
#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// interpolate() of values that are each `offset` too low, of sixteen lanes or of a part.
template <class Channels, class Weight>
[[gnu::always_inline]] inline Channels interpolateFrom(const Channels& a, const Channels& b, Weight weight,
                                                       float offset) {
    Channels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = (a.channel[c] + offset) + (b.channel[c] - a.channel[c]) * weight;
    return result;
}

/// Indices go through memory: taken out of a register one by one, each would cost two operations.
inline void storeIndices(uint32_t (&indices)[16], I32x16 from) {
    store(indices, asUint(from));
    asm("" : "+m"(indices));  // or the compiler would
}

#if defined(__x86_64__)

/// filterLinear() counts in 1 / (255 * kLinearUnit), from -kLinearOffset.
inline constexpr float kLinearUnit = 65536, kLinearOffset = 1 << 23;

// --- Registers ---

// Operations that vectors of the language lack.
#if defined(__AVX512BW__)
inline Register truncated(Register x) { return _mm512_cvttps_epi32(__builtin_bit_cast(__m512, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm512_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm512_madd_epi16(a, b); }
#elif defined(__AVX2__)
inline Register truncated(Register x) { return _mm256_cvttps_epi32(__builtin_bit_cast(__m256, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm256_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm256_madd_epi16(a, b); }
#else
inline Register truncated(Register x) { return _mm_cvttps_epi32(__builtin_bit_cast(__m128, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm_madd_epi16(a, b); }
#endif

// A NaN or a number that is no integer of 32 bits becomes -2^31.
inline I32x16 texelOf(F32x16 x) { return ofRegisters<truncated>(x); }

/// Each sixteen bits: the sum of two products of bytes, unsigned in `a` and signed in `b`. It must fit.
inline I32x16 multiplyBytes(I32x16 a, I32x16 b) { return ofRegisters<addProductsOfBytes>(a, b); }
/// Each 32 bits: the sum of two products of signed halves.
inline I32x16 multiplyHalves(I32x16 a, I32x16 b) { return ofRegisters<addProductsOfHalves>(a, b); }

// --- Places ---

// kPower: all sizes are powers of two, all wrap modes repeat. A mask then brings every texel into the image, whatever
// the coordinate; a NaN, which converts to -2^31 on the hosts that have this form, gets the texels and weights of 0.
inline constexpr bool kHasPower = true;

// Coordinates wrapped to 0..1, texels and rows, as wrapUnit(), nearestTexel() and rowOffset() give them. A NaN may stay
// one where texels repeat: it becomes -2^31 there, which is beyond any image.
template <bool kPower>
[[gnu::always_inline]] inline F32x16 blockUnit(Wrap wrap, F32x16 s) {
    if (!kPower && wrap == Wrap::ClampToEdge) return clamp(s, 0.0f, 1.0f);  // the most frequent, so asked first
    return kPower || wrap == Wrap::Repeat ? s - floor(s) : wrapUnit(wrap, s);
}
template <bool kPower>
[[gnu::always_inline]] inline I32x16 blockTexel(Wrap wrap, F32x16 unit, int size) {
    const I32x16 texel = texelOf(unit * wholeFloat(size));
    if constexpr (kPower) return texel & (size - 1);
    if (wrap != Wrap::Repeat) return min(texel, splat(size - 1));
    return select(asUint(texel) < static_cast<uint32_t>(size), texel, splat(0));
}
template <bool kPower>
[[gnu::always_inline]] inline I32x16 blockRowOffset(I32x16 y, int blocksWide) {
    const I32x16 below = (y & 3) << 2;
    if constexpr (kPower) return ((y & ~3) << splat(__builtin_ctz(static_cast<unsigned>(blocksWide)) + 2)) + below;
    // Factors of sixteen bits, as images are at most 2^14 wide and high: quicker than a product of 32.
    return multiplyHalves(y & ~3, splat(blocksWide * 4)) + below;
}

/// Whether all bits are 0.
[[gnu::always_inline]] inline bool isNone(I32x16 bits) {
    const auto part = __builtin_bit_cast(Registers, bits);
#if defined(__AVX512BW__)
    return _mm512_test_epi32_mask(part[0], part[0]) == 0;
#elif defined(__AVX2__)
    const __m256i all = _mm256_or_si256(part[0], part[1]);
    return _mm256_testz_si256(all, all) != 0;
#else
    const __m128i all = _mm_or_si128(_mm_or_si128(part[0], part[1]), _mm_or_si128(part[2], part[3]));
    return _mm_testz_si128(all, all) != 0;
#endif
}

/// Two texels and their weights.
struct Place {
    I32x16 first;  ///< not wrapped yet
    I32x16 fixed;  ///< lowest eight bits: the weight of the second
};
template <bool kPower>
[[gnu::always_inline]] inline Place placeOf(F32x16 unit, int size) {
    // A power of two as a float is its exponent.
    const F32x16 scale = kPower ? asFloat(splat((127 + kWeightBits + __builtin_ctz(static_cast<unsigned>(size))) << 23))
                                : wholeFloat(size << kWeightBits);
    const I32x16 fixed = asInt(asUint(roundToInt(unit * scale)) - (1u << (kWeightBits - 1)));  // may wrap around
    return {fixed >> kWeightBits, fixed};
}
/// Where the second texel has a weight.
inline Mask16 isBetween(const Place& place) { return (place.fixed & 0xFF) != 0; }

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
    I32x16 texel[2][2];
};

/// Texels one by one.
[[gnu::always_inline]] inline I32x16 wordsAt(const uint32_t* base, I32x16 offset) {
#if defined(__AVX512BW__)
    return asInt(gather<1>(base, offset, 0));
#else
    alignas(64) uint32_t indices[16];
    storeIndices(indices, offset);
    I32x16 words;
    for (int lane = 0; lane < 16; ++lane) words[lane] = static_cast<int32_t>(base[indices[lane]]);
    return words;
#endif
}

/// Wherever they are. `slice`: of each lane, as an offset in elements.
template <bool kPower>
[[gnu::always_inline]] inline Corners gatherCorners(const Image& image, const Addressing& at, const Place& x,
                                                    const Place& y, I32x16 slice) {
    const uint32_t* base = image.block32(0, 0);
    const Pair column = wrapPair<kPower>(at.wrapS, x.first, image.width());
    const Pair row = wrapPair<kPower>(at.wrapT, y.first, image.height());
    const I32x16 left = slice + columnOffset(column.first);
    const I32x16 right = select(isBetween(x), slice + columnOffset(column.second), left);
    const I32x16 lower = blockRowOffset<kPower>(row.first, image.blocksWide());
    const I32x16 upper = blockRowOffset<kPower>(row.second, image.blocksWide());
    return {{{wordsAt(base, lower + left), wordsAt(base, lower + right)},
             {wordsAt(base, upper + left), wordsAt(base, upper + right)}}};
}

/// Not 0 for lanes whose second texel is `reach` or more from the start of a window, `above` being their first from
/// there. No mask below AVX-512: the compiler narrows those that are combined, and widens them again to look at them.
[[gnu::always_inline]] inline I32x16 lanesOutside(U32x16 above, int reach) {
#if defined(__AVX512F__)
    return above >= static_cast<uint32_t>(reach - 1);
#else
    if (reach < 2) return splat(-1);
    const U32x16 most = splat(static_cast<uint32_t>(reach - 2));
    return asInt(__builtin_elementwise_max(above, most) ^ most);
#endif
}
/// Tells, by a value that is not 0, which lanes have a texel beyond 0..size - 1.
[[gnu::always_inline]] inline I32x16 lanesWrapped(I32x16 first, int size) { return lanesOutside(asUint(first), size); }

// --- Rows ---

using I32x4 = int32_t __attribute__((ext_vector_type(4)));
using I32x8 = int32_t __attribute__((ext_vector_type(8)));

#if defined(__AVX2__)

inline constexpr int kRowColumns = 2 * kBlockSize;  ///< of two blocks side by side

/// Four rows of eight texels, one for each four lanes.
struct TexelRows {
    I32x8 row[4];

    /// Takes rows from these elements on, each of which is the first of its row in a block. `texels` is the first of a
    /// slice.
    [[gnu::always_inline]] TexelRows(const uint32_t* texels, int first, int second, int third, int fourth) {
        const auto load = [&](int at) {
            const auto* from = reinterpret_cast<const __m128i*>(texels + static_cast<uint32_t>(at));
            const __m256i both = _mm256_set_m128i(_mm_load_si128(from + kBlockSize), _mm_load_si128(from));
            return __builtin_bit_cast(I32x8, both);
        };
        row[0] = load(first), row[1] = load(second), row[2] = load(third), row[3] = load(fourth);
    }
    /// Each lane's texel, out of its row.
    [[gnu::always_inline]] I32x16 at(I32x16 column) const {
        const auto pick = [&](int half, I32x8 columns) {
            const auto of = [&](int index) {
                return _mm256_permutevar8x32_epi32(__builtin_bit_cast(__m256i, row[index]),
                                                   __builtin_bit_cast(__m256i, columns));
            };
            return __builtin_bit_cast(I32x8, _mm256_blend_epi32(of(half * 2), of(half * 2 + 1), 0xF0));
        };
        return __builtin_shufflevector(pick(0, __builtin_shufflevector(column, column, 0, 1, 2, 3, 4, 5, 6, 7)),
                                       pick(1, __builtin_shufflevector(column, column, 8, 9, 10, 11, 12, 13, 14, 15)),
                                       0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    }
};

#endif

#if defined(__AVX2__) && !defined(__AVX512BW__)

inline constexpr bool kHasRows = true;

/// For each four lanes, which are a row of pixels, two columns of blocks and a row of texels there. Values of the four
/// rows lie as one shuffle leaves them: 0, 0, 2, 2, 1, 1, 3, 3.
struct LaneRows {
    I32x8 start;   ///< first column
    I32x8 y;       ///< of each row's first lane
    I32x16 other;  ///< 0 where a lane's row is that of its four

    /// The image must have at least two columns of blocks.
    [[gnu::always_inline]] LaneRows(const Image& image, I32x16 x, I32x16 texelY) {
        I32x8 ends = __builtin_shufflevector(x, x, 0, 3, 8, 11, 4, 7, 12, 15);
        I32x8 swapped = __builtin_shufflevector(ends, ends, 1, 0, 3, 2, 5, 4, 7, 6);
        I32x8 last = (image.blocksWide() - 2) * kBlockSize, none = 0;
        start = __builtin_elementwise_min(ends, swapped) & ~3;
        start = __builtin_elementwise_max(__builtin_elementwise_min(start, last), none);
        y = __builtin_shufflevector(texelY, texelY, 0, 0, 8, 8, 4, 4, 12, 12);
        other = texelY ^ __builtin_shufflevector(texelY, texelY, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    }
    [[gnu::always_inline]] I32x16 startOfLane() const {
        return __builtin_shufflevector(start, start, 0, 0, 0, 0, 4, 4, 4, 4, 2, 2, 2, 2, 6, 6, 6, 6);
    }
    /// Whether `columns`, from startOfLane(), all ored, are within the blocks.
    [[gnu::always_inline]] bool hold(I32x16 columns) const { return isNone((columns & ~(kRowColumns - 1)) | other); }
    /// Where row `texelY` of each four lanes starts, in elements.
    [[gnu::always_inline]] I32x8 offsetOf(const Image& image, I32x8 texelY) const {
        const auto blocks = __builtin_bit_cast(I32x8, addProductsOfHalves(__builtin_bit_cast(__m256i, texelY & ~3),
                                                                          _mm256_set1_epi32(image.blocksWide() * 4)));
        I32x8 offset = blocks + ((texelY & 3) + start) * 4;
        asm("" : "+x"(offset));  // or the compiler would compute each by itself
        return offset;
    }
    /// kFirst: 0 or 1, of two rows that offsetOf() gave for each four lanes.
    template <int kFirst>
    [[gnu::always_inline]] static TexelRows texels(const uint32_t* slice, I32x8 offset) {
        return {slice, offset[kFirst], offset[kFirst + 4], offset[kFirst + 2], offset[kFirst + 6]};
    }
};

/// Corners in two rows of texels for each four lanes: where they are.
struct RowPlaces {
    I32x16 left, right;  ///< columns in the rows
    I32x8 offset;        ///< LaneRows::offsetOf(), lower and upper rows in turn

    /// `slice`: first texel of the image or of one slice of it.
    [[gnu::always_inline]] Corners corners(const uint32_t* slice) const {
        const TexelRows lower = LaneRows::texels<0>(slice, offset), upper = LaneRows::texels<1>(slice, offset);
        return {{{lower.at(left), lower.at(right)}, {upper.at(left), upper.at(right)}}};
    }
};
/// False where the texels do not lie like that.
template <bool kPower>
[[gnu::always_inline]] inline bool findRows(const Image& image, Wrap wrapS, const Place& x, const Place& y,
                                            RowPlaces& places) {
    if (image.blocksWide() < 2) return false;
    const Pair pair = kPower ? Pair{x.first, x.first + 1} : wrapPair<false>(wrapS, x.first, image.width());
    const LaneRows rows(image, pair.first, y.first);
    const I32x16 start = rows.startOfLane();
    places.left = pair.first - start;
    places.right = select(isBetween(x), pair.second - start, places.left);
    if (!rows.hold(places.left | places.right)) return false;
    I32x8 texelY = rows.y + I32x8{0, 1, 0, 1, 0, 1, 0, 1};
    if constexpr (kPower) {
        texelY &= image.height() - 1;
    } else {
        const auto beyond = __builtin_bit_cast(Register, (texelY < 0) | (texelY >= image.height()));
        if (_mm256_testz_si256(beyond, beyond) == 0) return false;
    }
    places.offset = rows.offsetOf(image, texelY);
    return true;
}
template <bool kPower>
[[gnu::always_inline]] inline bool rowCorners(const Image& image, Wrap wrapS, const Place& x, const Place& y,
                                              Corners& corners) {
    RowPlaces places;
    if (!findRows<kPower>(image, wrapS, x, y, places)) return false;
    corners = places.corners(image.block32(0, 0));
    return true;
}
/// Single texels in one row for each four lanes: where they are.
class RowPlace {
public:
    /// False where the texels do not lie like that.
    [[gnu::always_inline]] bool find(const Image& image, I32x16 x, I32x16 y) {
        if (image.blocksWide() < 2) return false;
        const LaneRows rows(image, x, y);
        column_ = x - rows.startOfLane();
        if (!rows.hold(column_)) return false;
        offset_ = rows.offsetOf(image, rows.y);
        return true;
    }
    [[gnu::always_inline]] I32x16 words(const Image& image) const {
        return LaneRows::texels<0>(image.block32(0, 0), offset_).at(column_);
    }

private:
    I32x16 column_;
    I32x8 offset_;
};
[[gnu::always_inline]] inline bool rowTexels(const Image& image, I32x16 x, I32x16 y, I32x16& texels) {
    RowPlace place;
    if (!place.find(image, x, y)) return false;
    texels = place.words(image);
    return true;
}

#else

inline constexpr bool kHasRows = false;

struct RowPlace {
    bool find(const Image&, I32x16, I32x16) { return false; }
    I32x16 words(const Image&) const { return {}; }
};

template <bool>
inline bool rowCorners(const Image&, Wrap, const Place&, const Place&, Corners&) {
    return false;
}
inline bool rowTexels(const Image&, I32x16, I32x16, I32x16&) { return false; }

#endif

// --- Grids ---

#if defined(__AVX512BW__)

/// The words of lookups filtered by Nearest, where lanes above each other have one s, those beside each other one t, to
/// the bit, and the columns lie within two blocks: as blockTexel() and wordsOf() give them. A gather of sixteen takes
/// longer than all of this.
template <bool kPower>
[[gnu::always_inline]] inline bool gridWords(const Image& image, const Addressing& at, I32x16& words) {
    const I32x16 s = asInt(at.s), t = asInt(at.t);
    if (!isNone(s ^ __builtin_shufflevector(s, s, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)) ||
        !isNone(t ^ __builtin_shufflevector(t, t, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12)) ||
        image.blocksWide() < 2)
        return false;
    // Four columns, then four rows.
    using F32x8 = float __attribute__((ext_vector_type(8)));
    using U32x8 = uint32_t __attribute__((ext_vector_type(8)));
    const F32x8 unit = __builtin_shufflevector(at.s, at.t, 0, 1, 2, 3, 16, 20, 24, 28);
    const int w = image.width(), h = image.height();
    const I32x8 size = {w, w, w, w, h, h, h, h};
    const F32x8 place = unit * __builtin_convertvector(size, F32x8);
    I32x8 texel = __builtin_bit_cast(I32x8, _mm256_cvttps_epi32(__builtin_bit_cast(__m256, place)));
    if constexpr (kPower) {
        texel &= size - 1;
    } else {
        const int endX = at.wrapS == Wrap::Repeat ? 0 : w - 1, endY = at.wrapT == Wrap::Repeat ? 0 : h - 1;
        const I32x8 end = {endX, endX, endX, endX, endY, endY, endY, endY};
        texel = __builtin_bit_cast(U32x8, texel) < __builtin_bit_cast(U32x8, size) ? texel : end;
    }
    const I32x4 x = __builtin_shufflevector(texel, texel, 0, 1, 2, 3);
    const I32x4 y = __builtin_shufflevector(texel, texel, 4, 5, 6, 7);
    const I32x4 last = (image.blocksWide() - 2) * kBlockSize;
    I32x4 start =
        __builtin_elementwise_min(__builtin_shufflevector(x, x, 0, 0, 0, 0), __builtin_shufflevector(x, x, 3, 3, 3, 3));
    start = __builtin_elementwise_min(start & ~3, last);
    const I32x4 column = x - start;
    const auto beyond = __builtin_bit_cast(__m128i, column & ~(kRowColumns - 1));
    if (_mm_testz_si128(beyond, beyond) == 0) return false;
    const auto blocks = __builtin_bit_cast(
        I32x4, _mm_madd_epi16(__builtin_bit_cast(__m128i, y & ~3), _mm_set1_epi32(image.blocksWide() * 4)));
    I32x4 offset = blocks + (((y & 3) + start) << 2);
    asm("" : "+x"(offset));  // or the compiler would compute each by itself
    const TexelRows rows(image.block32(0, 0), offset[0], offset[1], offset[2], offset[3]);
    words = rows.at(__builtin_shufflevector(column, column, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
    return true;
}

#else

// On AVX2 rows of texels, which need no grid, are as quick.
template <bool>
inline bool gridWords(const Image&, const Addressing&, I32x16&) {
    return false;
}

#endif

// --- The window ---

inline constexpr int kWindowSize = 2 * kBlockSize;  ///< texels along one side

/// Elements 0 and 1: the least of `a` and of `b` in the corners of a block of lanes, which is the least of all lanes
/// where values change evenly.
[[gnu::always_inline]] inline I32x4 leastCorners(I32x16 a, I32x16 b) {
    I32x4 two = __builtin_elementwise_min(__builtin_shufflevector(a, b, 0, 16, 12, 28),
                                          __builtin_shufflevector(a, b, 3, 19, 15, 31));
    I32x4 swapped = __builtin_shufflevector(two, two, 2, 3, 0, 1);
    return __builtin_elementwise_min(two, swapped);
}

/// Whether a window is in the image for certain.
inline bool isInside(int start, int reach, int size) {
    return static_cast<unsigned>(start) < static_cast<unsigned>(std::max(size - reach + 1, 0));
}

/// A window of 2 x 2 blocks of an image, as lanes see it.
struct Window {
    I32x16 outside;      ///< not 0: lanes with texels outside, or wrapped; the rest has a meaning if there are none
    int blockX, blockY;  ///< of its first block
    I32x16 x, y;         ///< of the first texel, from the window's
};
[[gnu::always_inline]] inline Window windowOf(const Image& image, const Place& x, const Place& y) {
    const I32x4 block = leastCorners(x.first, y.first) >> 2;
    const I32x4 start = block << 2;
    Window window;
    window.blockX = block[0];
    window.blockY = block[1];
    window.x = x.first - __builtin_shufflevector(start, start, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    window.y = y.first - __builtin_shufflevector(start, start, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    window.outside = lanesOutside(__builtin_elementwise_max(asUint(window.x), asUint(window.y)), kWindowSize);
    const bool isWhole = isInside(window.blockX * kBlockSize, kWindowSize, image.width()) &&
                         isInside(window.blockY * kBlockSize, kWindowSize, image.height());
    if (!isWhole) window.outside |= lanesWrapped(x.first, image.width()) | lanesWrapped(y.first, image.height());
    return window;
}

/// Where the blocks of a window are, in elements of one slice.
struct WindowBlocks {
    size_t start, beside, above;  ///< the first block; the next to the right, the next above, from there

    [[gnu::always_inline]] WindowBlocks(const Image& image, const Window& window) {
        const size_t wide = image.blocksWide();
        // At the image's end the first block stands for the second, of which nothing is used there.
        start = (window.blockY * wide + window.blockX) * 16;
        beside = window.blockX + 1 < image.blocksWide() ? 16 : 0;
        above = window.blockY + 1 < image.blocksHigh() ? wide * 16 : 0;
    }
};

/// The texels of two slices.
struct SlicePair {
    Corners first, second;

    /// Gives these lanes other texels. `newFirst` may be `second`.
    [[gnu::always_inline]] void replace(Mask16 lanes, const Corners& newFirst, const Corners& newSecond) {
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column) {
                I32x16 &one = first.texel[row][column], &other = second.texel[row][column];
                one = select(lanes, newFirst.texel[row][column], one);
                other = select(lanes, newSecond.texel[row][column], other);
            }
    }
};
inline int sliceElements(const Image& image) { return image.blocksWide() * image.blocksHigh() * 16; }
constexpr int kMostSlices = 4;  ///< of a window

#if defined(__AVX2__) && !defined(__AVX512BW__)

/// Rows of three slices. From `lowest`, where each lane starts `z` above it; false where the texels do not lie so.
template <bool kPower>
[[gnu::always_inline]] inline bool rowSlices(const Image& image, Wrap wrapS, const Place& x, const Place& y, int lowest,
                                             I32x16 z, SlicePair& pair) {
    RowPlaces places;
    if (!isNone(z & ~1) || !isInside(lowest, 3, image.depth()) || !findRows<kPower>(image, wrapS, x, y, places))
        return false;
    const int slice = sliceElements(image);
    const uint32_t* texels = image.block32(0, 0) + static_cast<size_t>(lowest) * slice;
    pair = {places.corners(texels), places.corners(texels + slice)};
    if (!isNone(z)) pair.replace(z == 1, pair.second, places.corners(texels + 2 * static_cast<ptrdiff_t>(slice)));
    return true;
}

#else

template <bool>
inline bool rowSlices(const Image&, Wrap, const Place&, const Place&, int, I32x16, SlicePair&) {
    return false;
}

#endif

#if defined(__AVX512BW__)

inline constexpr bool kHasWindow = true;

/// Takes texels out of a window's blocks.
struct WindowReader {
    WindowBlocks blocks;
    I32x16 place[2][2];  ///< [row][column]: in a column of two blocks; the lowest five bits count
    Mask16 isRight[2];

    [[gnu::always_inline]] WindowReader(const Image& image, const Window& window, const Place& x)
        : blocks(image, window) {
        const I32x16 row = window.y << 2;
        const I32x16 right = select(isBetween(x), window.x + 1, window.x);
        place[0][0] = (window.x & 3) | row, place[0][1] = (right & 3) | row;
        place[1][0] = place[0][0] + 4, place[1][1] = place[0][1] + 4;
        isRight[0] = (window.x & 4) != 0;
        isRight[1] = (right & 4) != 0;
    }
    /// `slice`: first texel of the image or of one slice of it.
    [[gnu::always_inline]] Corners read(const uint32_t* slice) const {
        const uint32_t* block = slice + blocks.start;
        const __m512i lowerLeft = _mm512_load_si512(block), lowerRight = _mm512_load_si512(block + blocks.beside);
        const __m512i upperLeft = _mm512_load_si512(block + blocks.above);
        const __m512i upperRight = _mm512_load_si512(block + blocks.above + blocks.beside);
        Corners corners;
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column) {
                const auto pick = [&](__m512i lower, __m512i upper) {
                    const auto at = __builtin_bit_cast(__m512i, place[row][column]);
                    return __builtin_bit_cast(I32x16, _mm512_permutex2var_epi32(lower, at, upper));
                };
                corners.texel[row][column] =
                    select(isRight[column], pick(lowerRight, upperRight), pick(lowerLeft, upperLeft));
            }
        return corners;
    }
};

[[gnu::always_inline]] inline Corners windowCorners(const Image& image, const Window& window, const Place& x) {
    return WindowReader(image, window, x).read(image.block32(0, 0));
}

inline bool wideCorners(const Image&, const Window&, const Place&, const Place&, Corners&) { return false; }

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
        const Mask16 later = z >= i;
        if (!any(later)) return pair;
        const Corners next = reader.read(slice += sliceElements(image));
        pair.replace(later, last, next);
        last = next;
    }
}

#elif defined(__AVX2__)

inline constexpr bool kHasWindow = true;

/// A row of two blocks, stored at once, so that loads of any two neighbours need not wait until it is in the cache.
[[gnu::always_inline]] inline void storeRow(uint32_t* to, const uint32_t* row, ptrdiff_t beside) {
    const __m128i left = _mm_load_si128(reinterpret_cast<const __m128i*>(row));
    const __m128i right = _mm_load_si128(reinterpret_cast<const __m128i*>(row + beside));
    __m256i both = _mm256_set_m128i(right, left);
    asm("" : "+x"(both));  // or the compiler would store the halves
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), both);
}
/// Takes the corners of each lane from texels whose rows are `stride` apart. `at` is where each lane's first one is.
[[gnu::always_inline]] inline Corners takeCorners(const uint32_t* texels, int stride, const uint32_t (&at)[16],
                                                  Mask16 isBetween) {
    Corners corners;
    for (int row = 0; row < 2; ++row) {
        __m256 left[2], right[2];
        for (int half = 0; half < 2; ++half) {
            const auto pairs = [&](int lane) {
                const auto* from = texels + row * stride;
                const auto two = [&](int first) {
                    const __m128i low = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(from + at[first]));
                    return _mm_loadh_pi(__builtin_bit_cast(__m128, low),
                                        reinterpret_cast<const __m64*>(from + at[first + 1]));
                };
                return _mm256_set_m128(two(lane + 4), two(lane));
            };
            const __m256 even = pairs(half * 8), odd = pairs(half * 8 + 2);
            left[half] = _mm256_shuffle_ps(even, odd, 0x88), right[half] = _mm256_shuffle_ps(even, odd, 0xDD);
        }
        corners.texel[row][0] = __builtin_bit_cast(I32x16, left);
        corners.texel[row][1] = select(isBetween, __builtin_bit_cast(I32x16, right), corners.texel[row][0]);
    }
    return corners;
}

/// A window's texels, row by row.
struct WindowRows {
    static constexpr int kSlice = kWindowSize * kWindowSize;
    alignas(32) uint32_t texel[kMostSlices * kSlice];

    /// `slice`: first texel of one slice of the image.
    [[gnu::always_inline]] void put(int index, const uint32_t* slice, const WindowBlocks& blocks) {
        for (int y = 0; y < kWindowSize; ++y) {
            const uint32_t* row = slice + blocks.start + (y < kBlockSize ? 0 : blocks.above) + y % kBlockSize * 4;
            storeRow(texel + index * kSlice + y * kWindowSize, row, blocks.beside);
        }
    }
    /// `at`: of each lane's first texel.
    [[gnu::always_inline]] Corners take(const uint32_t (&at)[16], int slice, Mask16 isBetween) const {
        return takeCorners(texel + slice * kSlice, kWindowSize, at, isBetween);
    }
};

[[gnu::always_inline]] inline Corners windowCorners(const Image& image, const Window& window, const Place& x) {
    WindowRows rows;
    rows.put(0, image.block32(0, 0), WindowBlocks(image, window));
    alignas(64) uint32_t at[16];
    storeIndices(at, window.x + window.y * kWindowSize);
    return rows.take(at, 0, isBetween(x));
}

/// Where a window is too small: 3 x 3 blocks. Blocks 0 and 1, then 1 and 2 lie side by side.
[[gnu::always_inline]] inline bool wideCorners(const Image& image, const Window& window, const Place& x, const Place& y,
                                               Corners& corners) {
    constexpr int kBlocks = 3, kSize = kBlocks * kBlockSize, kStride = 2 * kWindowSize;
    I32x16 outside = lanesOutside(__builtin_elementwise_max(asUint(window.x), asUint(window.y)), kSize);
    const bool isWhole = isInside(window.blockX * kBlockSize, kSize, image.width()) &&
                         isInside(window.blockY * kBlockSize, kSize, image.height());
    if (!isWhole) outside |= lanesWrapped(x.first, image.width()) | lanesWrapped(y.first, image.height());
    if (!isNone(outside)) return false;
    alignas(32) uint32_t texel[kSize * kStride];
    const int wide = image.blocksWide();
    // At the image's end the last block stands for those beyond it, of which nothing is used.
    const auto column = [&](int i) { return (std::min(window.blockX + i, wide - 1) - window.blockX) * 16; };
    const int second = column(1), third = column(2);
    for (int i = 0; i < kBlocks; ++i) {
        const uint32_t* block = image.block32(window.blockX, std::min(window.blockY + i, image.blocksHigh() - 1));
        for (int row = 0; row < kBlockSize; ++row) {
            uint32_t* to = texel + (i * kBlockSize + row) * kStride;
            storeRow(to, block + row * 4, second);
            storeRow(to + kWindowSize, block + second + row * 4, third - second);
        }
    }
    alignas(64) uint32_t at[16];
    storeIndices(at, window.x + ((window.x > 3) & 4) + window.y * kStride);
    corners = takeCorners(texel, kStride, at, isBetween(x));
    return true;
}

/// From `lowest`, where each lane starts `z` above it.
[[gnu::always_inline]] inline SlicePair windowSlices(const Image& image, const Window& window, const Place& x,
                                                     int lowest, I32x16 z) {
    const WindowBlocks blocks(image, window);
    const uint32_t* slice = image.block32(0, 0) + static_cast<size_t>(lowest) * sliceElements(image);
    WindowRows rows;
    rows.put(0, slice, blocks);
    rows.put(1, slice + sliceElements(image), blocks);
    for (int i = 2; any(z >= i - 1); ++i) rows.put(i, slice + static_cast<size_t>(i) * sliceElements(image), blocks);
    alignas(64) uint32_t at[16];
    storeIndices(at, z * WindowRows::kSlice + window.y * kWindowSize + window.x);
    return {rows.take(at, 0, isBetween(x)), rows.take(at, 1, isBetween(x))};
}

#else

// Rows of two stores would make loads of two neighbours wait for them.
inline constexpr bool kHasWindow = false;

inline Corners windowCorners(const Image&, const Window&, const Place&) { return {}; }
inline bool wideCorners(const Image&, const Window&, const Place&, const Place&, Corners&) { return false; }
inline SlicePair windowSlices(const Image&, const Window&, const Place&, int, I32x16) { return {}; }

#endif

/// From `lowest`, where each lane starts `above` it; false where the texels do not lie in a window.
[[gnu::always_inline]] inline bool windowSlices(const Image& image, const Place& x, const Place& y, const Place& z,
                                                int lowest, I32x16 above, SlicePair& pair) {
    const Window window = windowOf(image, x, y);
    I32x16 outside = window.outside | lanesOutside(asUint(above), kMostSlices);
    if (!isInside(lowest, kMostSlices, image.depth())) outside |= lanesWrapped(z.first, image.depth());
    if (!isNone(outside)) return false;
    pair = windowSlices(image, window, x, lowest, above);
    return true;
}

/// Where rows of texels do not hold them. kIsDense: lanes probably read neighbouring texels.
template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Corners cornersElsewhere(const Image& image, const Addressing& at, const Place& x,
                                                       const Place& y) {
    if constexpr (kHasWindow && kIsDense) {
        const Window window = windowOf(image, x, y);
        if (isNone(window.outside)) return windowCorners(image, window, x);
        Corners corners;
        if (wideCorners(image, window, x, y, corners)) return corners;
    }
    return gatherCorners<kPower>(image, at, x, y, I32x16{});
}
template <bool kPower, bool kIsDense>
[[gnu::always_inline]] inline Corners cornersOf(const Image& image, const Addressing& at, const Place& x,
                                                const Place& y) {
    if constexpr (kHasRows) {
        Corners corners;
        if (rowCorners<kPower>(image, at.wrapS, x, y, corners)) return corners;
    }
    return cornersElsewhere<kPower, kIsDense>(image, at, x, y);
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

inline int sliceElements(const Image& image) { return image.blocksWide() * image.blocksHigh() * 16; }

inline constexpr bool kHasRows = false;
inline bool rowTexels(const Image&, I32x16, I32x16, I32x16&) { return false; }
template <bool>
inline bool gridWords(const Image&, const Addressing&, I32x16&) {
    return false;
}

#endif

/// The words at texels of an image.
template <bool kPower>
[[gnu::always_inline]] inline I32x16 wordsOf(const Image& image, I32x16 x, I32x16 y) {
    if constexpr (kHasRows) {
        I32x16 texels;
        if (rowTexels(image, x, y, texels)) return texels;
    }
    return asInt(gather<1>(image.block32(0, 0), columnOffset(x) + blockRowOffset<kPower>(y, image.blocksWide()), 0));
}

/// The words that lookups filtered by Nearest read.
template <bool kPower>
[[gnu::always_inline]] inline I32x16 nearestWords(const Image& image, const Addressing& at) {
    I32x16 words;
    if (gridWords<kPower>(image, at, words)) return words;
    return wordsOf<kPower>(image, blockTexel<kPower>(at.wrapS, at.s, image.width()),
                           blockTexel<kPower>(at.wrapT, at.t, image.height()));
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
