// Where sixteen lookups' texels are, and taking them from there, for lookups in code for their state
// (block_lookup.h). Internal; compiled for each SIMD level.
//
// A **texel source** has two steps. find() says where the texels are that sixteen lanes read of an image, or that they
// do not lie as this source needs them; then the next one of the level's list is asked, of which the last always finds
// them (TexelSources, at the end). Taking them is the second step, so that the places of several lookups can be found
// before the first texels are taken. There are four:
//
//   RowCopies   the image's texels once more in rows (row_copy.h), where two neighbours are one load wherever a lane
//               looks;
//   Grid        lookups of one texel whose lanes are four columns and four rows, as where a picture lies straight;
//   Window      two rows of two blocks of the image in registers, out of which permutations pick (AVX-512);
//   Gather      each texel for itself, wherever it is.
//
// An image is an Image or a Layer (sampling.h).
//
// Lookups that filter take neighbours: of each lane the two texels of a row, a register's lanes ("part") at a time, so
// that what is between addresses and channels stays in registers. What is made of them is in block_filters.h.
#pragma once

#include "texture/sample/sampling.h"

#if defined(__x86_64__)
#include <array>

#include "base/registers.h"
#endif

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// To memory, not out of a register one by one, which takes two operations for each.
inline void storeIndices(uint32_t (&indices)[16], I32x16 from) {
    store(indices, asUint(from));
    asm("" : "+m"(indices));  // or the compiler would
}

/// What lookups take of an image.
enum class Use : uint8_t {
    Texel,          ///< one texel
    VolumeTexel,    ///< one texel of a volume
    Neighbours,     ///< two in each direction
    FarNeighbours,  ///< the same of lanes that are up to two texels apart: the first of two mip levels
};

inline int sliceElements(const auto& image) { return image.blocksWide() * image.blocksHigh() * 16; }

#if defined(__x86_64__)

// --- Registers: operations that vectors of the language lack ---
#if defined(__AVX512BW__)
inline Register truncated(Register x) { return _mm512_cvttps_epi32(__builtin_bit_cast(__m512, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm512_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm512_madd_epi16(a, b); }
inline Register orderBytes(Register x, __m128i order) { return _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(order)); }
template <int kOrder>
inline Register pickWords(Register a, Register b) {
    return __builtin_bit_cast(Register,
                              _mm512_shuffle_ps(__builtin_bit_cast(__m512, a), __builtin_bit_cast(__m512, b), kOrder));
}
#elif defined(__AVX2__)
inline Register truncated(Register x) { return _mm256_cvttps_epi32(__builtin_bit_cast(__m256, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm256_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm256_madd_epi16(a, b); }
inline Register orderBytes(Register x, __m128i order) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(order));
}
template <int kOrder>
inline Register pickWords(Register a, Register b) {
    return __builtin_bit_cast(Register,
                              _mm256_shuffle_ps(__builtin_bit_cast(__m256, a), __builtin_bit_cast(__m256, b), kOrder));
}
#else
inline Register truncated(Register x) { return _mm_cvttps_epi32(__builtin_bit_cast(__m128, x)); }
inline Register addProductsOfBytes(Register a, Register b) { return _mm_maddubs_epi16(a, b); }
inline Register addProductsOfHalves(Register a, Register b) { return _mm_madd_epi16(a, b); }
inline Register orderBytes(Register x, __m128i order) { return _mm_shuffle_epi8(x, order); }
template <int kOrder>
inline Register pickWords(Register a, Register b) {
    return __builtin_bit_cast(Register,
                              _mm_shuffle_ps(__builtin_bit_cast(__m128, a), __builtin_bit_cast(__m128, b), kOrder));
}
#endif

/// Each 32 bits: the sum of two products of signed halves.
inline I32x16 multiplyHalves(I32x16 a, I32x16 b) { return ofRegisters<addProductsOfHalves>(a, b); }

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

// A part: the lanes of one register.
inline constexpr int kPartLanes = sizeof(Register) / sizeof(uint32_t), kParts = 16 / kPartLanes;
using PartF = float __attribute__((ext_vector_type(kPartLanes)));
using PartI = int32_t __attribute__((ext_vector_type(kPartLanes)));
template <class Part, class Lanes>
[[gnu::always_inline]] inline Part partOf(Lanes lanes, int part) {
    return __builtin_bit_cast(std::array<Part, kParts>, lanes)[static_cast<size_t>(part)];
}
template <class Part, class Element>
[[gnu::always_inline]] inline Part loadPart(const Element* lanes, int part) {
    Part loaded;
    std::memcpy(&loaded, lanes + part * kPartLanes, sizeof loaded);
    return loaded;
}

/// A part's lanes in all parts.
template <class Lanes, class Part>
[[gnu::always_inline]] inline Lanes ofEachPart(Part part) {
    std::array<Part, kParts> parts;
    parts.fill(part);
    return __builtin_bit_cast(Lanes, parts);
}

// --- Places: coordinates to texels ---
/// Vectors that follow from a size are made of vectors: out of a register for addresses each takes shuffles, which
/// texels need.
[[gnu::always_inline]] inline PartI inLanes(int size) {
    PartI lanes(size);
    asm("" : "+v"(lanes));  // or the compiler would
    return lanes;
}

/// The coordinate brought to 0..1 as wrapUnit() brings it, but that a NaN stays one where texels repeat.
[[gnu::always_inline]] inline F32x16 blockUnit(Wrap wrap, F32x16 s) {
    return wrap == Wrap::Repeat ? s - floor(s) : clamp(mirrored(wrap, s), 0.0f, 1.0f);
}

/// The texel before it is wrapped. A NaN becomes 2^31, which is beyond any image.
[[gnu::always_inline]] inline U32x16 unboundTexel(F32x16 unit, PartI size) {
    return asUint(ofRegisters<truncated>(unit * ofEachPart<F32x16>(__builtin_convertvector(size, PartF))));
}
[[gnu::always_inline]] inline I32x16 blockTexel(Wrap wrap, F32x16 unit, int size) {
    const PartI lanes = inLanes(size);
    const U32x16 texel = unboundTexel(unit, lanes);
    if (wrap == Wrap::Repeat) return asInt(texel) & (texel < ofEachPart<U32x16>(lanes));
    return asInt(__builtin_elementwise_min(texel, ofEachPart<U32x16>(lanes - 1)));
}
/// The same in a row copy, where the first texel comes again after the last one.
[[gnu::always_inline]] inline I32x16 copyTexel(Wrap wrap, F32x16 unit, int size) {
    const PartI lanes = inLanes(size);
    const auto last = ofEachPart<U32x16>(wrap == Wrap::Repeat ? lanes : lanes - 1);
    return asInt(__builtin_elementwise_min(unboundTexel(unit, lanes), last));
}

/// Permutations out of four registers take AVX-512.
#if defined(__AVX512BW__)
inline constexpr bool kHasWindow = true;
#else
inline constexpr bool kHasWindow = false;
#endif

/// Two neighbouring texels and their weights. Next to the last texel is the first one where texels repeat; where texels
/// end, the one after the last has no weight.
struct Place {
    I32x16 first;
    I32x16 fixed;  ///< lowest eight bits: the weight of the second
};
[[gnu::always_inline]] inline Place placeOf(Wrap wrap, F32x16 unit, int size) {
    const PartI lanes = inLanes(size);
    const auto scale = ofEachPart<F32x16>(__builtin_convertvector(lanes << kWeightBits, PartF));
    const I32x16 fixed = asInt(asUint(roundToInt(unit * scale)) - (1u << (kWeightBits - 1)));  // may wrap around
    if (wrap == Wrap::Repeat) {
        // -1 is the last, as is a NaN, which has the place of 0. A window need not know.
        if constexpr (kHasWindow) return {fixed >> kWeightBits, fixed};
        return {asInt(__builtin_elementwise_min(asUint(fixed >> kWeightBits), ofEachPart<U32x16>(lanes - 1))), fixed};
    }
    const I32x16 inside = min(max(fixed, splat(0)), ofEachPart<I32x16>((lanes - 1) << kWeightBits));
    return {inside >> kWeightBits, inside};
}
/// Place::first within the image.
[[gnu::always_inline]] inline I32x16 firstOf(const Place& place, int size) {
    if constexpr (!kHasWindow) return place.first;
    return asInt(__builtin_elementwise_min(asUint(place.first), splat(static_cast<uint32_t>(size - 1))));
}
/// The texel after another one of the image, within the image.
[[gnu::always_inline]] inline I32x16 secondOf(I32x16 second, int size) { return second & (second < size); }
[[gnu::always_inline]] inline F32x16 blockWeight(const Place& place) {
    return toFloat(place.fixed & 0xFF) * (1 / kWeightScale);
}

/// 1 where the second texel has a weight.
[[gnu::always_inline]] inline I32x16 stepOf(const Place& place) { return ((place.fixed & 0xFF) != 0) & 1; }

/// Where sixteen lookups that filter read. z is set for volumes alone.
struct Places {
    Place x, y, z;
};
template <bool kIsVolume>
[[gnu::always_inline]] inline Places placesOf(const auto& image, const Addressing& at) {
    Places places;
    places.x = placeOf(at.wrapS, at.s, image.width());
    places.y = placeOf(at.wrapT, at.t, image.height());
    if constexpr (kIsVolume) places.z = placeOf(at.wrapR, at.r, image.depth());
    return places;
}

/// Of lookups that are moved by texels: the place within one period, or near the image, is moved before it is wrapped.
struct MovedAddressing : Addressing {
    int moveX = 0, moveY = 0;
};
/// Whether movedPlaceOf() wraps as wrapTexel() (sampler_simd.cpp) does.
inline bool wrapsMoved(Wrap wrap, int size) {
    constexpr int kMostMoved = 8;
    return wrap == Wrap::ClampToEdge || (wrap == Wrap::Repeat && size > kMostMoved);
}
[[gnu::always_inline]] inline F32x16 movedUnit(Wrap wrap, F32x16 s) {
    return wrap == Wrap::Repeat ? wrapUnit(wrap, s) : clamp(s, -kFarFromImage, kFarFromImage);
}
[[gnu::always_inline]] inline Place movedPlaceOf(Wrap wrap, F32x16 unit, auto offset, int size) {
    const I32x16 fixed = fixedPosition(unit, size) + (offset << kWeightBits);
    if (wrap == Wrap::Repeat) {
        I32x16 first = fixed >> kWeightBits;
        first += (first < 0) & size;
        first -= (first >= size) & size;
        return {first, fixed};
    }
    const I32x16 inside = min(max(fixed, splat(0)), splat((size - 1) << kWeightBits));
    return {inside >> kWeightBits, inside};
}
template <bool kIsVolume>
[[gnu::always_inline]] inline Places placesOf(const auto& image, const MovedAddressing& at) {
    static_assert(!kIsVolume);
    Places places;
    places.x = movedPlaceOf(at.wrapS, at.s, at.moveX, image.width());
    places.y = movedPlaceOf(at.wrapT, at.t, at.moveY, image.height());
    return places;
}

/// rowOffset() by factors of sixteen bits, as images are at most 2^14 wide and high: quicker than a product of 32.
[[gnu::always_inline]] inline I32x16 blockRowOffset(I32x16 y, int blocksWide) {
    return multiplyHalves(y & ~3, splat(blocksWide * 4)) + ((y & 3) << 2);
}

// --- Two neighbours of each lane of a part ---
/// Bytes of both in turn, less 128: red and blue, green and alpha.
struct ChannelPairs {
    Register even, odd;
};

/// The two are in vectors of their own.
struct WordPair {
    /// Whether the second texel is the first again where it has no weight. Else it is any.
    static constexpr bool kIsFirstAgain = true;
    PartI left, right;

    [[gnu::always_inline]] ChannelPairs channels() const {
        constexpr int32_t kLow = 0x00FF00FF, kSign = static_cast<int32_t>(0x80808080);
        const PartI a = left ^ kSign, b = right ^ kSign;
        return {__builtin_bit_cast(Register, (a & kLow) | (b & kLow) << 8),
                __builtin_bit_cast(Register, (a >> 8 & kLow) | (b & ~kLow))};
    }
    [[gnu::always_inline]] WordPair words() const { return *this; }
};

/// The two are 64 bits that were loaded at once: one vector has lanes 0 and 1 of each four, the other lanes 2 and 3.
class Neighbours {
public:
    static constexpr bool kIsFirstAgain = false;
    /// `at` has the part's lanes.
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
    /// The texels are of a copy of colours, whose bytes are less 128.
    [[gnu::always_inline]] ChannelPairs channels() const {
        const __m128i order = _mm_setr_epi8(0, 4, 2, 6, 1, 5, 3, 7, 8, 12, 10, 14, 9, 13, 11, 15);
        const Register low = orderBytes(low_, order), high = orderBytes(high_, order);
        return {pickWords<0x88>(low, high), pickWords<0xDD>(low, high)};
    }
    [[gnu::always_inline]] WordPair words() const {
        return {__builtin_bit_cast(PartI, pickWords<0x88>(low_, high_)),
                __builtin_bit_cast(PartI, pickWords<0xDD>(low_, high_))};
    }

private:
    Register low_, high_;
};

// --- The sources ---
// --- Row copies ---
class RowCopies {
public:
    /// With AVX-512 permutations pick texels from a window, which takes less time; two windows, one on each of two
    /// levels, take more (betweenCopies() in block_lookup.h).
#if defined(__AVX512BW__)
    static constexpr bool serves(Use) { return false; }
#else
    static constexpr bool serves(Use use) { return use != Use::VolumeTexel; }
#endif

    /// Finds one texel of each lane. False: there is no copy.
    template <bool>
    [[gnu::always_inline]] bool findTexel(const auto& image, const Addressing& at) {
        return findAt(image.rows().words(), copyTexel(at.wrapS, at.s, image.width()),
                      copyTexel(at.wrapT, at.t, image.height()), splat(0));
    }
    /// Finds neighbours. False: there is no copy.
    template <bool kIsVolume>
    [[gnu::always_inline]] bool find(const auto& image, const Places& at) {
        const RowCopy::Words rows = image.rows().words();
        sliceWords_ = rows.sliceWords;
        I32x16 slice = splat(0);
        if constexpr (kIsVolume) slice = firstOf(at.z, image.depth()) * rows.sliceWords;
        return findAt(rows, firstOf(at.x, image.width()), firstOf(at.y, image.height()), slice);
    }
    /// The colours of single texels, or of the first of neighbours.
    [[gnu::always_inline]] I32x16 words() const {
        I32x16 words;
        for (int lane = 0; lane < 16; ++lane) words[lane] = static_cast<int32_t>(texel_[at_[lane]]);
        return words ^ static_cast<int32_t>(0x80808080);
    }
    [[gnu::always_inline]] Neighbours neighbours(int part, int row, int slice) const {
        return {texel_ + row * rowWords_ + slice * sliceWords_, at_ + part * kPartLanes};
    }

private:
    [[gnu::always_inline]] bool findAt(const RowCopy::Words& rows, I32x16 x, I32x16 y, I32x16 slice) {
        texel_ = rows.texel, rowWords_ = rows.rowWords;
        if (texel_ == nullptr) return false;
        // Of sixteen bits both: quicker than a product of 32.
        storeIndices(at_, multiplyHalves(y, splat(rows.rowWords)) + x + slice);
        return true;
    }

    alignas(64) uint32_t at_[16];  ///< each lane's first texel
    const uint32_t* texel_;
    int rowWords_, sliceWords_;
};

// --- Grids ---
/// One texel of each lane, where lanes above each other have one s, those beside each other one t, to the bit. With
/// AVX2 the columns lie within two blocks side by side, and permutations pick each row's texels out of them.
class Grid {
public:
    /// With AVX-512 a gather of sixteen may take longer. Elsewhere grids serve several lookups alone
    /// (several_lookups.h).
#if defined(__AVX512BW__)
    static constexpr bool serves(Use use) { return use == Use::Texel; }
#else
    static constexpr bool serves(Use) { return false; }
#endif

    /// A first look, at three lanes.
    [[nodiscard]] static bool mayBe(const float* s, const float* t) { return s[0] == s[kBlockSize] && t[0] == t[1]; }

private:
    using I32x4 = int32_t __attribute__((ext_vector_type(4)));
    using I32x8 = int32_t __attribute__((ext_vector_type(8)));
    using U32x8 = uint32_t __attribute__((ext_vector_type(8)));
    using F32x8 = float __attribute__((ext_vector_type(8)));

public:
    /// What all lookups of an image have in common, for four columns and for four rows.
    struct Sides {
        Sides(const auto& image, Wrap s, Wrap t)
            : texels(image.block32(0, 0)), blocksWide(image.blocksWide()), wrapS(s), wrapT(t) {
            const int w = image.width(), h = image.height();
            size = I32x8{w, w, w, w, h, h, h, h};
            const int endX = wrapS == Wrap::Repeat ? 0 : w - 1, endY = wrapT == Wrap::Repeat ? 0 : h - 1;
            end = I32x8{endX, endX, endX, endX, endY, endY, endY, endY};
            scale = __builtin_convertvector(size, F32x8);
        }
        const uint32_t* texels;
        int blocksWide;
        Wrap wrapS, wrapT;
        I32x8 size, end;
        F32x8 scale;
    };

    template <bool>
    [[gnu::always_inline]] bool findTexel(const auto& image, const Addressing& at) {
        return areGrid(at.s, at.t) && find(Sides(image, at.wrapS, at.wrapT), lineOf(at.s, at.t));
    }
    /// The coordinates are not wrapped yet. False: lanes are no grid.
    [[gnu::always_inline]] bool findTexel(const Sides& sides, F32x16 s, F32x16 t) {
        if (!areGrid(s, t)) return false;
        const F32x16 line = lineOf(s, t), unit = blockUnit(sides.wrapS, line);
        if (sides.wrapT == sides.wrapS) return find(sides, unit);
        const F32x16 rows = blockUnit(sides.wrapT, line);
        return find(sides,
                    __builtin_shufflevector(unit, rows, 0, 1, 2, 3, 20, 21, 22, 23, -1, -1, -1, -1, -1, -1, -1, -1));
    }
    /// Texels by their numbers, within the image. False: lanes are no grid.
    [[gnu::always_inline]] bool findTexels(const auto& image, I32x16 x, I32x16 y) {
        if (image.blocksWide() < kLeastColumns || !areGrid(x, y)) return false;
        texels_ = image.block32(0, 0);
        return findOffsets(__builtin_shufflevector(x, x, 0, 1, 2, 3), __builtin_shufflevector(y, y, 0, 4, 8, 12),
                           image.blocksWide());
    }
    [[gnu::always_inline]] I32x16 words() const;

private:
    [[gnu::always_inline]] static bool areGrid(F32x16 s, F32x16 t) { return areGrid(asInt(s), asInt(t)); }
    [[gnu::always_inline]] static bool areGrid(I32x16 s, I32x16 t) {
        const I32x16 otherS = s ^ __builtin_shufflevector(s, s, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
        const I32x16 otherT = t ^ __builtin_shufflevector(t, t, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
        return isNone(otherS | otherT);
    }
    /// Coordinates of four columns, then of four rows; the rest is anything.
    [[gnu::always_inline]] static F32x16 lineOf(F32x16 s, F32x16 t) {
        return __builtin_shufflevector(s, t, 0, 1, 2, 3, 16, 20, 24, 28, -1, -1, -1, -1, -1, -1, -1, -1);
    }
    [[gnu::always_inline]] bool find(const Sides& sides, F32x16 unit) {
        if (sides.blocksWide < kLeastColumns) return false;
        const I32x8 texel = truncated8(__builtin_shufflevector(unit, unit, 0, 1, 2, 3, 4, 5, 6, 7) * sides.scale);
        const I32x8 isInside = __builtin_bit_cast(U32x8, texel) < __builtin_bit_cast(U32x8, sides.size);
        const I32x8 place = (texel & isInside) | (sides.end & ~isInside);
        texels_ = sides.texels;
        return findOffsets(__builtin_shufflevector(place, place, 0, 1, 2, 3),
                           __builtin_shufflevector(place, place, 4, 5, 6, 7), sides.blocksWide);
    }

    [[gnu::always_inline]] static I32x4 rowOffsets(I32x4 y, int blocksWide) {
        const __m128i blocks = _mm_madd_epi16(__builtin_bit_cast(__m128i, y & ~3), _mm_set1_epi32(blocksWide * 4));
        return __builtin_bit_cast(I32x4, blocks) + ((y & 3) << 2);
    }

#if defined(__AVX2__)
    static constexpr int kLeastColumns = 2;  ///< of blocks
    static I32x8 truncated8(F32x8 x) {
        return __builtin_bit_cast(I32x8, _mm256_cvttps_epi32(__builtin_bit_cast(__m256, x)));
    }
    [[gnu::always_inline]] bool findOffsets(I32x4 x, I32x4 y, int blocksWide) {
        const I32x4 last = (blocksWide - kLeastColumns) * kBlockSize;
        const I32x4 least = __builtin_elementwise_min(__builtin_shufflevector(x, x, 0, 0, 0, 0),
                                                      __builtin_shufflevector(x, x, 3, 3, 3, 3));
        const I32x4 start = __builtin_elementwise_min(least & ~3, last);
        column_ = x - start;
        row_ = rowOffsets(y, blocksWide) + start * kBlockSize;
        const auto beyond = __builtin_bit_cast(__m128i, column_ & ~(kLeastColumns * kBlockSize - 1));
        return _mm_testz_si128(beyond, beyond) != 0;
    }
#else
    static constexpr int kLeastColumns = 1;
    static I32x8 truncated8(F32x8 x) {
        const auto half = __builtin_bit_cast(std::array<__m128, 2>, x);
        const std::array<__m128i, 2> whole = {_mm_cvttps_epi32(half[0]), _mm_cvttps_epi32(half[1])};
        return __builtin_bit_cast(I32x8, whole);
    }
    [[gnu::always_inline]] bool findOffsets(I32x4 x, I32x4 y, int blocksWide) {
        column_ = ((x & ~3) << 2) + (x & 3);
        row_ = rowOffsets(y, blocksWide);
        return true;
    }
#endif

    const uint32_t* texels_;
    I32x4 column_;  ///< what is added to `row_` to have the texel or, with AVX2, its place in a row
    I32x4 row_;     ///< offset in elements
};

#if defined(__AVX2__)

inline I32x16 Grid::words() const {
    const I32x8 columns = __builtin_shufflevector(column_, column_, 0, 1, 2, 3, 0, 1, 2, 3);
    const auto* rows = reinterpret_cast<const int32_t*>(&row_);
    const auto row = [&](int number) {
        const auto* from = reinterpret_cast<const __m128i*>(texels_ + static_cast<uint32_t>(rows[number]));
        const __m256i both = _mm256_set_m128i(_mm_load_si128(from + kBlockSize), _mm_load_si128(from));
        return _mm256_permutevar8x32_epi32(both, __builtin_bit_cast(__m256i, columns));
    };
    const std::array<__m256i, 2> words = {_mm256_blend_epi32(row(0), row(1), 0xF0),
                                          _mm256_blend_epi32(row(2), row(3), 0xF0)};
    return __builtin_bit_cast(I32x16, words);
}

#else

inline I32x16 Grid::words() const {
    const auto *columns = reinterpret_cast<const int32_t*>(&column_), *rows = reinterpret_cast<const int32_t*>(&row_);
    I32x16 words;
    for (int y = 0; y < 4; ++y) {
        const uint32_t* row = texels_ + static_cast<uint32_t>(rows[y]);
        for (int x = 0; x < 4; ++x) words[y * 4 + x] = static_cast<int32_t>(row[static_cast<uint32_t>(columns[x])]);
    }
    return words;
}

#endif

// --- A window of blocks ---
#if defined(__AVX512BW__)

/// 2 x 2 blocks of a plane, or of up to four slices of a volume.
class Window {
public:
    static constexpr bool serves(Use use) { return use == Use::Neighbours; }

    template <bool kIsVolume>
    [[gnu::always_inline]] bool find(const auto& image, const Places& at) {
        const I32x4 block = leastCorners(at.x.first, at.y.first) >> 2;
        const I32x4 start = block << 2;
        const I32x16 x =
            at.x.first - __builtin_shufflevector(start, start, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        const I32x16 y =
            at.y.first - __builtin_shufflevector(start, start, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
        // Second texels that are beyond the window, or may be the first of the image again.
        Mask16 outside = beyond(__builtin_elementwise_max(asUint(x), asUint(y)), kSize);
        const int blockX = block[0], blockY = block[1];
        if (!isWithin(blockX * kBlockSize, kSize, image.width()) ||
            !isWithin(blockY * kBlockSize, kSize, image.height()))
            outside |= beyond(asUint(at.x.first), image.width()) | beyond(asUint(at.y.first), image.height());
        int lowest = 0;
        I32x16 above = splat(0);
        if constexpr (kIsVolume) {
            lowest = leastCorners(at.z.first, at.z.first)[0];
            above = at.z.first - lowest;
            outside |= beyond(asUint(above), kMostSlices);
            if (!isWithin(lowest, kMostSlices, image.depth())) outside |= beyond(asUint(at.z.first), image.depth());
        }
        if (!isNone(outside)) return false;
        const size_t wide = image.blocksWide();
        // At the image's end the first block stands for the second: nothing is taken of that.
        beside_ = blockX + 1 < image.blocksWide() ? 16 : 0;
        above_ = blockY + 1 < image.blocksHigh() ? wide * 16 : 0;
        const size_t first = blockY * wide + blockX;
        const I32x16 right = x + stepOf(at.x);
        place_[0] = (x & 3) | y << 2, place_[1] = (right & 3) | y << 2;
        isRight_[0] = (x & 4) != 0, isRight_[1] = (right & 4) != 0;
        const uint32_t* from = image.block32(0, 0) + first * 16 + static_cast<size_t>(lowest) * sliceElements(image);
        take(from, slice_[0]);
        if constexpr (kIsVolume) takeSlices(from, sliceElements(image), above);
        return true;
    }
    /// The first texels.
    [[gnu::always_inline]] I32x16 words() const { return slice_[0].row[0].left; }
    [[gnu::always_inline]] WordPair neighbours(int, int row, int slice) const { return slice_[slice].row[row]; }

private:
    using I32x4 = int32_t __attribute__((ext_vector_type(4)));
    static constexpr int kSize = 2 * kBlockSize, kMostSlices = 4;
    struct Slice {
        WordPair row[2];
    };

    /// Elements 0 and 1: the least of `a` and of `b` in the corners of a block of lanes, which is the least of all
    /// lanes where values change evenly.
    [[gnu::always_inline]] static I32x4 leastCorners(I32x16 a, I32x16 b) {
        I32x4 two = __builtin_elementwise_min(__builtin_shufflevector(a, b, 0, 16, 12, 28),
                                              __builtin_shufflevector(a, b, 3, 19, 15, 31));
        I32x4 swapped = __builtin_shufflevector(two, two, 2, 3, 0, 1);
        return __builtin_elementwise_min(two, swapped);
    }
    /// Lanes whose second texel is `reach` or more from where `first` counts from.
    static Mask16 beyond(U32x16 first, int reach) { return first >= static_cast<uint32_t>(reach - 1); }
    static bool isWithin(int start, int reach, int size) { return start >= 0 && start <= size - reach; }
    [[gnu::always_inline]] void take(const uint32_t* block, Slice& slice) const {
        const __m512i lowerLeft = _mm512_load_si512(block), lowerRight = _mm512_load_si512(block + beside_);
        const __m512i upperLeft = _mm512_load_si512(block + above_);
        const __m512i upperRight = _mm512_load_si512(block + above_ + beside_);
        const auto pick = [&](int row, int column) {
            const auto at = __builtin_bit_cast(__m512i, place_[column] + row * 4);  // the lowest five bits count
            const auto left = _mm512_permutex2var_epi32(lowerLeft, at, upperLeft);
            const auto right = _mm512_permutex2var_epi32(lowerRight, at, upperRight);
            return select(isRight_[column], __builtin_bit_cast(I32x16, right), __builtin_bit_cast(I32x16, left));
        };
        for (int row = 0; row < 2; ++row) slice.row[row] = {pick(row, 0), pick(row, 1)};
    }
    /// Takes slice by slice, and gives it to the lanes that start there.
    [[gnu::always_inline]] void takeSlices(const uint32_t* block, int elements, I32x16 above) {
        take(block += elements, slice_[1]);
        Slice last = slice_[1];
        for (int i = 1;; ++i) {
            const Mask16 later = above >= i;
            if (!any(later)) return;
            Slice next;
            take(block += elements, next);
            for (int row = 0; row < 2; ++row) {
                replace(later, slice_[0].row[row], last.row[row]);
                replace(later, slice_[1].row[row], next.row[row]);
            }
            last = next;
        }
    }
    [[gnu::always_inline]] static void replace(Mask16 lanes, WordPair& pair, const WordPair& by) {
        pair.left = select(lanes, by.left, pair.left), pair.right = select(lanes, by.right, pair.right);
    }

    size_t beside_, above_;  ///< the next block to the right, the next above, from the first
    I32x16 place_[2];        ///< of a column of texels: in two blocks one above the other
    Mask16 isRight_[2];
    Slice slice_[2];
};

#else

class Window {
public:
    static constexpr bool serves(Use) { return false; }
};

#endif

// --- Texels one by one ---
class Gather {
public:
    static constexpr bool serves(Use) { return true; }

    template <bool kIsVolume>
    [[gnu::always_inline]] bool findTexel(const auto& image, const Addressing& at) {
        texel_ = image.block32(0, 0);
        const I32x16 x = blockTexel(at.wrapS, at.s, image.width()), y = blockTexel(at.wrapT, at.t, image.height());
        I32x16 slice = splat(0);
        if constexpr (kIsVolume) slice = blockTexel(at.wrapR, at.r, image.depth()) * sliceElements(image);
        keep(at_[0][0][0], slice + columnOffset(x) + blockRowOffset(y, image.blocksWide()));
        return true;
    }
    template <bool kIsVolume>
    [[gnu::always_inline]] bool find(const auto& image, const Places& at) {
        texel_ = image.block32(0, 0);
        const I32x16 x = firstOf(at.x, image.width()), y = firstOf(at.y, image.height());
        const I32x16 left = columnOffset(x), right = columnOffset(secondOf(x + stepOf(at.x), image.width()));
        const I32x16 lower = blockRowOffset(y, image.blocksWide());
        const I32x16 upper = blockRowOffset(secondOf(y + 1, image.height()), image.blocksWide());
        for (int slice = 0; slice < (kIsVolume ? 2 : 1); ++slice) {
            I32x16 z = splat(0);
            if constexpr (kIsVolume)
                z = secondOf(firstOf(at.z, image.depth()) + slice, image.depth()) * sliceElements(image);
            keep(at_[slice][0][0], z + lower + left), keep(at_[slice][0][1], z + lower + right);
            keep(at_[slice][1][0], z + upper + left), keep(at_[slice][1][1], z + upper + right);
        }
        return true;
    }
    /// The single texels, or the first of neighbours.
    [[gnu::always_inline]] I32x16 words() const {
        std::array<PartI, kParts> words;
        for (int part = 0; part < kParts; ++part) words[static_cast<size_t>(part)] = wordsAt(at_[0][0][0], part);
        return __builtin_bit_cast(I32x16, words);
    }
    [[gnu::always_inline]] WordPair neighbours(int part, int row, int slice) const {
        return {wordsAt(at_[slice][row][0], part), wordsAt(at_[slice][row][1], part)};
    }

private:
#if defined(__AVX512BW__)
    using Indices = I32x16;
    static void keep(Indices& to, I32x16 from) { to = from; }
    [[gnu::always_inline]] PartI wordsAt(const Indices& at, int) const {
        return __builtin_bit_cast(PartI, _mm512_i32gather_epi32(__builtin_bit_cast(__m512i, at), texel_, 4));
    }
#else
    struct alignas(64) Indices {
        uint32_t lane[16];
    };
    static void keep(Indices& to, I32x16 from) { storeIndices(to.lane, from); }
    [[gnu::always_inline]] PartI wordsAt(const Indices& at, int part) const {
        PartI words;
        for (int lane = 0; lane < kPartLanes; ++lane)
            words[lane] = static_cast<int32_t>(texel_[at.lane[part * kPartLanes + lane]]);
        return words;
    }
#endif

    Indices at_[2][2][2];  ///< [slice][row][column]
    const uint32_t* texel_;
};

// --- The list ---
/// Sources in the order in which they are asked (as pipeline/pixel/stage_list.h has stages).
template <class... Sources>
struct SourceList {
    /// Hands a reader of the first source that finds the texels to `take`. A Reader<Source> has a source, and a find()
    /// for it.
    template <Use kUse, template <class> class Reader, class Take, class... Where>
    [[gnu::always_inline]] static void read(Take&& take, const Where&... where) {
        (readFrom<kUse, Sources, Reader>(take, where...) || ...);
    }

private:
    template <Use kUse, class Source, template <class> class Reader, class Take, class... Where>
    [[gnu::always_inline]] static bool readFrom(Take& take, const Where&... where) {
        if constexpr (Source::serves(kUse)) {
            Reader<Source> reader;
            if (reader.find(where...)) {
                take(reader);
                return true;
            }
        }
        return false;
    }
};

using TexelSources = SourceList<RowCopies, Grid, Window, Gather>;

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
