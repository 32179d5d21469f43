// Linear filters of sixteen lookups that read a row copy (texture/row_copy.h), where two neighbours are one load
// wherever a lane looks. Internal; compiled for each SIMD level.
//
// Sums are those of filterCorners() (block_filters.h), exact integers in sixteen bits. Lanes are filtered a register at
// a time, from its addresses to its channels, so that what is between stays in registers.
#pragma once

#include <array>

#include "texture/sample/block_texels.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

#if defined(__x86_64__)

inline constexpr bool kHasRowCopies = true;
/// Whether lookups of one level read them as well. With AVX-512 permutations pick texels from a window, which takes
/// less time; two windows, one on each of two levels, take more.
#if defined(__AVX512BW__)
inline constexpr bool kHasCopiesOfOneLevel = false;
#else
inline constexpr bool kHasCopiesOfOneLevel = true;
#endif

// --- Places ---

/// A texel of a row copy, and the weight of the next one: 0 where the copy has another one next than lookups read.
template <bool kPower>
[[gnu::always_inline]] inline Place copyPlaceOf(Wrap wrap, F32x16 unit, int size) {
    Place place = placeOf<kPower>(unit, size);
    if (kPower) {
        place.first &= size - 1;
    } else if (wrap == Wrap::Repeat) {
        place.first = select(asUint(place.first) < static_cast<uint32_t>(size), place.first, splat(size - 1));
    } else {
        place.fixed = min(max(place.fixed, splat(0)), splat((size - 1) << kWeightBits));
        place.first = place.fixed >> kWeightBits;
    }
    return place;
}

/// Where sixteen lookups read: each lane's first texel of the lower row, and in the lowest bytes the weights of the
/// second column and of the upper row.
struct CopyPlaces {
    I32x16 at;  ///< in words, from the copy's first
    I32x16 x, y;
};
template <bool kPower>
[[gnu::always_inline]] inline CopyPlaces copyPlacesOf(const RowCopy::Words& rows, const Image& image,
                                                      const Addressing& at) {
    const Place x = copyPlaceOf<kPower>(at.wrapS, at.s, image.width());
    const Place y = copyPlaceOf<kPower>(at.wrapT, at.t, image.height());
    // Both factors have sixteen bits, whose product is quicker than one of 32.
    return {multiplyHalves(y.first, splat(rows.rowWords)) + x.first, x.fixed, y.fixed};
}

// --- Parts: lanes of one register ---

inline constexpr int kPartLanes = sizeof(Register) / sizeof(uint32_t), kParts = 16 / kPartLanes;
using PartF = float __attribute__((ext_vector_type(kPartLanes)));
using PartI = int32_t __attribute__((ext_vector_type(kPartLanes)));
template <class Part, class Lanes>
[[gnu::always_inline]] inline Part partOf(Lanes lanes, int part) {
    return __builtin_bit_cast(std::array<Part, kParts>, lanes)[static_cast<size_t>(part)];
}
template <class Part, class Element>
[[gnu::always_inline]] inline Part loadPart(const Element* from) {
    Part part;
    std::memcpy(&part, from, sizeof part);
    return part;
}
struct PartTexels {
    PartF channel[4];
};

/// Bytes in the order that each sixteen of a register have.
[[gnu::always_inline]] inline Register orderBytes(Register x, __m128i order) {
#if defined(__AVX512BW__)
    return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order));
#elif defined(__AVX2__)
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order));
#else
    return _mm_shuffle_epi8(x, order);
#endif
}

/// Two neighbours of each lane of a part, 64 bits: of lanes 0 and 1 of each four, and of lanes 2 and 3.
class Neighbours {
public:
    [[gnu::always_inline]] Neighbours(const uint32_t* texels, const uint32_t* at) {
        const auto two = [&](int lane) {
            const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(texels + at[lane]));
            return _mm_loadh_pi(__builtin_bit_cast(__m128, first),
                                reinterpret_cast<const __m64*>(texels + at[lane + 1]));
        };
        const auto all = [&](int lane) {
#if defined(__AVX512BW__)
            const __m256 low = _mm256_set_m128(two(lane + 4), two(lane));
            const __m256 high = _mm256_set_m128(two(lane + 12), two(lane + 8));
            return __builtin_bit_cast(Register, _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1));
#elif defined(__AVX2__)
            return __builtin_bit_cast(Register, _mm256_set_m128(two(lane + 4), two(lane)));
#else
            return __builtin_bit_cast(Register, two(lane));
#endif
        };
        low_ = all(0), high_ = all(2);
    }
    /// The first or the second word of each lane.
    template <int kWhich>
    [[gnu::always_inline]] PartI words() const {
        constexpr int kOrder = kWhich == 0 ? 0x88 : 0xDD;
#if defined(__AVX512BW__)
        return __builtin_bit_cast(
            PartI, _mm512_shuffle_ps(__builtin_bit_cast(__m512, low_), __builtin_bit_cast(__m512, high_), kOrder));
#elif defined(__AVX2__)
        return __builtin_bit_cast(
            PartI, _mm256_shuffle_ps(__builtin_bit_cast(__m256, low_), __builtin_bit_cast(__m256, high_), kOrder));
#else
        return __builtin_bit_cast(
            PartI, _mm_shuffle_ps(__builtin_bit_cast(__m128, low_), __builtin_bit_cast(__m128, high_), kOrder));
#endif
    }
    /// Bytes of both in turn: red and blue in the first word, green and alpha in the second.
    [[gnu::always_inline]] void pairChannels() {
        const __m128i order = _mm_setr_epi8(0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15);
        low_ = orderBytes(low_, order), high_ = orderBytes(high_, order);
    }

private:
    Register low_, high_;
};

// --- Single texels ---

/// Where sixteen lookups filtered by Nearest read a row copy of colours.
class CopyTexels {
public:
    /// False: there is no copy.
    [[gnu::always_inline]] bool find(const Image& image, I32x16 x, I32x16 y) {
        const RowCopy::Words rows = image.rows().words();
        texel_ = rows.texel;
        if (texel_ == nullptr) return false;
        storeIndices(at_, multiplyHalves(y, splat(rows.rowWords)) + x);
        return true;
    }
    /// The words as the image has them, unfiltered.
    [[gnu::always_inline]] I32x16 words(const Image&) const {
        I32x16 words;
        for (int lane = 0; lane < 16; ++lane) words[lane] = static_cast<int32_t>(texel_[at_[lane]]);
        return words ^ static_cast<int32_t>(0x80808080);
    }

private:
    alignas(64) uint32_t at_[16];
    const uint32_t* texel_;
};

// --- Filters ---

// `weights`: lowest bytes of lanes.

/// Weights of two texels: the bytes 255 - w and w, twice.
[[gnu::always_inline]] inline Register weightsOfBytes(PartI weights) {
    const __m128i lowest = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
    const auto four = __builtin_bit_cast(PartI, orderBytes(__builtin_bit_cast(Register, weights), lowest));
    return __builtin_bit_cast(Register, four ^ 0x00FF00FF);
}
/// Weights of two rows: the halves 256 - w and w.
[[gnu::always_inline]] inline Register weightsOfHalves(PartI weights) {
    const PartI weight = weights & 0xFF;
    return __builtin_bit_cast(Register, (weight << 16) - weight + 256);
}

/// Of eight-bit texels, as filterCorners() gives them. `row`: the lower one; `at`, `x`, `y`: of the part.
[[gnu::always_inline]] inline PartTexels filterPart(const uint32_t* row, int rowWords, const uint32_t* at, PartI x,
                                                    PartI y) {
    using Halves = int16_t __attribute__((ext_vector_type(2 * kPartLanes)));
    // The weights are 256 in sum, which is no byte, so each first texel is added once more.
    const Register weights = weightsOfBytes(x), once = __builtin_bit_cast(Register, PartI(0x00010001));
    const auto sum = [&](PartI texels) {
        const auto bytes = __builtin_bit_cast(Register, texels);
        return __builtin_bit_cast(PartI, __builtin_bit_cast(Halves, addProductsOfBytes(weights, bytes)) +
                                             __builtin_bit_cast(Halves, addProductsOfBytes(once, bytes)));
    };
    struct Row {
        PartI even, odd;  // red and blue, green and alpha: sixteen bits each, less 2^15
    };
    const auto filterRow = [&](const uint32_t* texels) -> Row {
        Neighbours pairs(texels, at);
        pairs.pairChannels();
        return {sum(pairs.words<0>()), sum(pairs.words<1>())};
    };
    const Row below = filterRow(row), above = filterRow(row + rowWords);
    // Each 32 bits: the lower row's value and the upper row's, both less 2^15, so that their mean is less 2^23.
    const Register weightsOfRows = weightsOfHalves(y);
    const auto mean = [&](PartI both) {
        const Register weighed = addProductsOfHalves(__builtin_bit_cast(Register, both), weightsOfRows);
        return __builtin_convertvector(__builtin_bit_cast(PartI, weighed), PartF);
    };
    using PartU = uint32_t __attribute__((ext_vector_type(kPartLanes)));
    const auto low = [&](PartI one, PartI other) { return mean((one & 0xFFFF) | other << 16); };
    const auto high = [&](PartI one, PartI other) {
        return mean(__builtin_bit_cast(PartI, __builtin_bit_cast(PartU, one) >> 16u) | (other & ~0xFFFF));
    };
    return {{low(below.even, above.even), low(below.odd, above.odd), high(below.even, above.even),
             high(below.odd, above.odd)}};
}

/// A plane's row copy, and where sixteen lookups read there.
class CopyFilter {
public:
    template <bool kPower>
    [[gnu::always_inline]] void find(const RowCopy::Words& rows, const Image& image, const Addressing& at) {
        find(rows, copyPlacesOf<kPower>(rows, image, at));
    }
    [[gnu::always_inline]] void find(const RowCopy::Words& rows, const CopyPlaces& places) {
        texel_ = rows.texel, rowWords_ = rows.rowWords;
        store(x_, places.x), store(y_, places.y);
        storeIndices(at_, places.at);
    }
    /// Of eight-bit texels. `above`: of the slice, in words.
    [[gnu::always_inline]] PartTexels part(int i, int above = 0) const {
        const int first = i * kPartLanes;
        return filterPart(texel_ + above, rowWords_, at_ + first, loadPart<PartI>(x_ + first),
                          loadPart<PartI>(y_ + first));
    }
    /// The texels; where a weight is 0, the second is any.
    [[gnu::always_inline]] Corners corners() const {
        std::array<PartI, kParts> texels[2][2];
        for (size_t i = 0; i < kParts; ++i)
            for (int row = 0; row < 2; ++row) {
                const Neighbours pairs(texel_ + row * rowWords_, at_ + i * kPartLanes);
                texels[row][0][i] = pairs.words<0>(), texels[row][1][i] = pairs.words<1>();
            }
        Corners corners;
        for (int row = 0; row < 2; ++row)
            for (int column = 0; column < 2; ++column)
                corners.texel[row][column] = __builtin_bit_cast(I32x16, texels[row][column]);
        return corners;
    }
    /// Where only the weights have a meaning.
    [[gnu::always_inline]] Place x() const { return {{}, load<I32x16>(x_)}; }
    [[gnu::always_inline]] Place y() const { return {{}, load<I32x16>(y_)}; }

private:
    alignas(64) uint32_t at_[16];
    alignas(64) int32_t x_[16], y_[16];
    const uint32_t* texel_;
    int rowWords_;
};

/// The same of a volume: filtered in two slices, and between them.
class VolumeCopyFilter {
public:
    template <bool kPower>
    [[gnu::always_inline]] void find(const RowCopy::Words& rows, const Image& image, const Addressing& at) {
        CopyPlaces places = copyPlacesOf<kPower>(rows, image, at);
        const Place z = copyPlaceOf<kPower>(at.wrapR, at.r, image.depth());
        places.at += z.first * rows.sliceWords;
        slice_.find(rows, places);
        store(z_, z.fixed);
        sliceWords_ = rows.sliceWords;
    }
    /// From 0, as filterLinearVolume().
    [[gnu::always_inline]] PartTexels part(int i) const {
        const PartI z = loadPart<PartI>(z_ + i * kPartLanes) & 0xFF;
        return interpolateFrom(slice_.part(i), slice_.part(i, sliceWords_),
                               __builtin_convertvector(z, PartF) * (1 / kWeightScale), kLinearOffset);
    }

private:
    CopyFilter slice_;
    alignas(64) int32_t z_[16];
    int sliceWords_;
};

/// All lanes of a row copy that is there.
template <class Filter, bool kPower>
[[gnu::always_inline]] inline Texels filterCopy(const RowCopy::Words& rows, const Image& image, const Addressing& at) {
    Filter filter;
    filter.template find<kPower>(rows, image, at);
    std::array<PartF, kParts> channels[4];
    for (size_t i = 0; i < kParts; ++i) {
        const PartTexels texels = filter.part(static_cast<int>(i));
        for (int c = 0; c < 4; ++c) channels[c][i] = texels.channel[c];
    }
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = __builtin_bit_cast(F32x16, channels[c]);
    return result;
}

#else

// Other hosts filter as sample() does.
inline constexpr bool kHasRowCopies = false, kHasCopiesOfOneLevel = false;

struct CopyFilter {};
struct VolumeCopyFilter {};
struct CopyTexels {
    bool find(const Image&, I32x16, I32x16) { return false; }
    [[nodiscard]] I32x16 words(const Image&) const { return {}; }
};
template <class, bool>
inline Texels filterCopy(const RowCopy::Words&, const Image&, const Addressing&) {
    return {};
}

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
