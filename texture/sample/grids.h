// Four lookups of a plane at once whose lanes are columns and rows (Grid in texel_sources.h), as the taps of a program
// are where a picture lies straight: what each would do for sixteen lanes is done for the columns of all four in one
// vector and for their rows in another. Internal; compiled for each SIMD level.
#pragma once

#include "texture/sample/block_filters.h"

#if defined(__AVX2__)

namespace tessera::texture {

inline namespace TESSERA_SIMD {

inline constexpr int kGridsAtOnce = 4;

/// Rows of the coordinates of four lookups, of which some may be one.
using FourLookups = const float* const (&)[kGridsAtOnce];

/// Something of each column: of lookup k it is in lanes 4k to 4k + 3. Of each row: in lanes k, 4 + k, 8 + k and 12 + k.
struct GridLines {
    F32x16 s, t;

    /// False: some lookup is no grid.
    [[gnu::always_inline]] bool find(FourLookups lookup) {
        const auto sOf = [&](int k) { return load<F32x16>(lookup[k]); };
        const auto tOf = [&](int k) { return load<F32x16>(lookup[k] + kLookupStride); };
        s = __builtin_shufflevector(sOf(0), sOf(1), 0, 1, 2, 3, 20, 21, 22, 23, 8, 9, 10, 11, 12, 13, 14, 15);
        s = __builtin_shufflevector(s, sOf(2), 0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 12, 13, 14, 15);
        s = __builtin_shufflevector(s, sOf(3), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 28, 29, 30, 31);
        t = __builtin_shufflevector(tOf(0), tOf(1), 0, 17, 2, 3, 4, 21, 6, 7, 8, 25, 10, 11, 12, 29, 14, 15);
        t = __builtin_shufflevector(t, tOf(2), 0, 1, 18, 3, 4, 5, 22, 7, 8, 9, 26, 11, 12, 13, 30, 15);
        t = __builtin_shufflevector(t, tOf(3), 0, 1, 2, 19, 4, 5, 6, 23, 8, 9, 10, 27, 12, 13, 14, 31);
        I32x16 differ = splat(0);
        for (int k = 0; k < kGridsAtOnce; ++k) {
            const float* first = lookup[k];
            asm("" : "+r"(first));  // or the row would be shuffled, not loaded again
            F32x4 row;
            std::memcpy(&row, first, sizeof row);
            const F32x16 at = tOf(k);
            differ |= asInt(sOf(k)) ^
                      asInt(__builtin_shufflevector(row, row, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
            differ |=
                asInt(at) ^ asInt(__builtin_shufflevector(at, at, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
        }
#if defined(__AVX512BW__)
        asm("" : "+v"(differ));  // or each would be compared by itself, which is slower
#endif
        return isNone(differ);
    }
};

/// Texels of the image along columns or rows.
struct GridAxis {
    I32x16 first, second;
    I32x16 isSplit;  ///< a mask: the second is not the first or the one after it
};
[[gnu::always_inline]] inline GridAxis axisOf(const Place& place, int size) {
    const I32x16 first = firstOf(place, size), next = first + stepOf(place), second = secondOf(next, size);
    return {first, second, next != second};
}

/// Neighbours of four grids. With AVX-512 those of a grid lie within 2 x 2 blocks, out of which permutations pick; with
/// AVX2 its columns lie within two blocks side by side.
class Grids {
public:
    /// False: the texels of some grid lie too far apart.
    [[gnu::always_inline]] bool find(const Image& image, const GridAxis& x, const GridAxis& y);
    /// Of grid k.
    [[gnu::always_inline]] WordPair neighbours(int k, int part, int row) const;

    /// Of what there is for each column, that of the lanes of a part of grid k.
    [[gnu::always_inline]] static PartI ofColumns(const int32_t (&columns)[16], int k) {
        using Columns = int32_t __attribute__((ext_vector_type(4)));
        Columns four;
        std::memcpy(&four, columns + static_cast<ptrdiff_t>(4) * k, sizeof four);
        std::array<Columns, sizeof(PartI) / sizeof(Columns)> all;
        all.fill(four);
        return __builtin_bit_cast(PartI, all);
    }
    [[gnu::always_inline]] static PartI ofRows(const int32_t (&rows)[16], int k, int part) {
        const auto all = loadPart<PartI>(rows, part);
#if defined(__AVX512BW__)
        return __builtin_bit_cast(PartI, _mm512_permutevar_ps(__builtin_bit_cast(__m512, all), _mm512_set1_epi32(k)));
#else
        return __builtin_bit_cast(PartI, _mm256_permutevar_ps(__builtin_bit_cast(__m256, all), _mm256_set1_epi32(k)));
#endif
    }

private:
    /// The lesser of the first and the last of each grid's columns, in all of them; the same of rows.
    [[gnu::always_inline]] static I32x16 leastColumns(I32x16 x) {
        return min(__builtin_shufflevector(x, x, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12),
                   __builtin_shufflevector(x, x, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15));
    }
    [[gnu::always_inline]] static I32x16 leastRows(I32x16 y) {
        return min(__builtin_shufflevector(y, y, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3),
                   __builtin_shufflevector(y, y, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15));
    }

    const uint32_t* texels_;
    alignas(64) int32_t left_[16], right_[16];  ///< of columns: where their first and second texels are
    alignas(64) int32_t lower_[16];             ///< the same of rows
    alignas(64) int32_t startX_[16];            ///< of columns: the first one of the first block
#if defined(__AVX512BW__)
    alignas(64) int32_t startY_[16];
    int columns_, rows_;  ///< of whole blocks
#else
    alignas(64) int32_t upper_[16];
#endif
};

#if defined(__AVX512BW__)

inline bool Grids::find(const Image& image, const GridAxis& x, const GridAxis& y) {
    constexpr int kSize = 2 * kBlockSize;
    const I32x16 startX = leastColumns(x.first) & ~3, startY = leastRows(y.first) & ~3;
    const I32x16 column = x.first - startX, row = y.first - startY, right = x.second - startX;
    const I32x16 outside = ((column | right | row | (y.second - startY)) & ~(kSize - 1)) | y.isSplit;
    // Bits 0 and 1 are the column in a block, 2 to 4 the row in two of them; the sign is that of the right block.
    const auto codeOf = [](I32x16 of) { return (of & 3) | (of & 4) << 29; };
    store(left_, codeOf(column)), store(right_, codeOf(right)), store(lower_, row << 2);
    store(startX_, startX), store(startY_, startY);
    texels_ = image.block32(0, 0);
    columns_ = image.blocksWide() * kBlockSize, rows_ = image.blocksHigh() * kBlockSize;
    return isNone(outside);
}
inline WordPair Grids::neighbours(int k, int, int row) const {
    const int x = startX_[4 * k], y = startY_[k];
    const ptrdiff_t wide = static_cast<ptrdiff_t>(columns_) * kBlockSize;  // words of a row of blocks
    const uint32_t* lower = texels_ + (y >> 2) * wide + static_cast<ptrdiff_t>(x) * kBlockSize;
    // At the image's end a block stands for the next: nothing is taken of that.
    const uint32_t* upper = lower + (y + kBlockSize < rows_ ? wide : 0);
    const ptrdiff_t beside = x + kBlockSize < columns_ ? 16 : 0;
    const I32x16 rowPlace = ofRows(lower_, k, 0) + row * kBlockSize;
    const auto pick = [&](I32x16 column) {
        const auto at = __builtin_bit_cast(__m512i, column | rowPlace);
        const auto of = [&](ptrdiff_t block) {
            return __builtin_bit_cast(I32x16, _mm512_permutex2var_epi32(_mm512_load_si512(lower + block), at,
                                                                        _mm512_load_si512(upper + block)));
        };
        return select(column < 0, of(beside), of(0));
    };
    return {pick(ofColumns(left_, k)), pick(ofColumns(right_, k))};
}
#else

inline bool Grids::find(const Image& image, const GridAxis& x, const GridAxis& y) {
    constexpr int kBlocks = 2;
    if (image.blocksWide() < kBlocks) return false;
    const I32x16 start = min(leastColumns(x.first) & ~3, splat((image.blocksWide() - kBlocks) * kBlockSize));
    const I32x16 column = x.first - start, right = x.second - start;
    store(left_, column), store(right_, right), store(startX_, start);
    store(lower_, blockRowOffset(y.first, image.blocksWide()));
    store(upper_, blockRowOffset(y.second, image.blocksWide()));
    texels_ = image.block32(0, 0);
    return isNone((column | right) & ~(kBlocks * kBlockSize - 1));
}
inline WordPair Grids::neighbours(int k, int part, int row) const {
    const uint32_t* start = texels_ + static_cast<ptrdiff_t>(startX_[4 * k]) * kBlockSize;
    const int32_t* rows = (row == 0 ? lower_ : upper_) + static_cast<ptrdiff_t>(8) * part + k;
    const auto rowOf = [&](int number) {
        const auto* from = reinterpret_cast<const __m128i*>(start + rows[static_cast<ptrdiff_t>(4) * number]);
        return _mm256_set_m128i(_mm_load_si128(from + kBlockSize), _mm_load_si128(from));
    };
    const __m256i first = rowOf(0), second = rowOf(1);
    const auto pick = [&](PartI columns) {
        const auto at = __builtin_bit_cast(__m256i, columns);
        return __builtin_bit_cast(PartI, _mm256_blend_epi32(_mm256_permutevar8x32_epi32(first, at),
                                                            _mm256_permutevar8x32_epi32(second, at), 0xF0));
    };
    return {pick(ofColumns(left_, k)), pick(ofColumns(right_, k))};
}
#endif

#if defined(__AVX512BW__)

/// Where the texels of a square are that begins at a row and a column of a block: bits 0 and 1 are the column in a
/// block, 2 to 4 the row in two of them; the sign is that of the right block.
struct SquareOrders {
    alignas(64) int32_t at[4][4][16];
    constexpr SquareOrders() : at() {
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                for (int lane = 0; lane < 16; ++lane) {
                    const int x = column + lane % 4, y = row + lane / 4;
                    at[row][column][lane] = (x & 3) | y << 2 | (x >= 4 ? INT32_MIN : 0);
                }
    }
};
inline constexpr SquareOrders kSquareOrders{};

/// Single texels of four grids, each of them 4 x 4 texels of the image as they lie: a picture shown one to one.
class TexelSquares {
public:
    /// False: some grid is no such square.
    [[gnu::always_inline]] bool find(const Image& image, I32x16 x, I32x16 y) {
        const I32x16 firstX = __builtin_shufflevector(x, x, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
        const I32x16 firstY = __builtin_shufflevector(y, y, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3);
        store(x_, x), store(y_, y);
        texels_ = image.block32(0, 0), rowWords_ = static_cast<ptrdiff_t>(image.blocksWide()) * 16;
        constexpr I32x16 kColumns = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
        constexpr I32x16 kRows = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
        return isNone(((x - firstX) ^ kColumns) | ((y - firstY) ^ kRows));
    }
    /// Of grid k.
    [[gnu::always_inline]] I32x16 words(int k) const {
        const int x = x_[4 * k], y = y_[k], column = x & 3, row = y & 3;
        const uint32_t* lower = texels_ + (y >> 2) * rowWords_ + static_cast<ptrdiff_t>(x >> 2) * 16;
        // Where the square is within a block's columns or rows, there may be no next one.
        const uint32_t* upper = lower + (row != 0 ? rowWords_ : 0);
        const ptrdiff_t beside = column != 0 ? 16 : 0;
        const auto at = load<I32x16>(kSquareOrders.at[row][column]);
        const auto of = [&](ptrdiff_t block) {
            return __builtin_bit_cast(
                I32x16, _mm512_permutex2var_epi32(_mm512_load_si512(lower + block), __builtin_bit_cast(__m512i, at),
                                                  _mm512_load_si512(upper + block)));
        };
        return select(at < 0, of(beside), of(0));
    }

private:
    const uint32_t* texels_;
    ptrdiff_t rowWords_;  ///< of a row of blocks
    alignas(64) int32_t x_[16], y_[16];
};

#endif

// --- Readers ---

/// What weights are made of once for four lookups.
enum class GridWeights : uint8_t { Bytes, Floats };

/// Four lookups that filter.
template <GridWeights kWeights>
class FilteredGrids {
public:
    [[gnu::always_inline]] bool find(const Image& image, const Places& at) {
        if (!grids_.find(image, axisOf(at.x, image.width()), axisOf(at.y, image.height()))) return false;
        areNearest_ = isNone((at.x.fixed | at.y.fixed) & 0xFF);
        for (int part = 0; part < kParts; ++part) {
            const auto x = partOf<PartI>(at.x.fixed, part), y = partOf<PartI>(at.y.fixed, part);
            if constexpr (kWeights == GridWeights::Bytes)
                storePartOf(x_, part, PairWeights<WordPair>::bytesOf(x)), storePartOf(y_, part, halvesOf(y));
            else
                storePartOf(x_, part, __builtin_bit_cast(PartI, weightOfPart(x))),
                    storePartOf(y_, part, __builtin_bit_cast(PartI, weightOfPart(y)));
        }
        return true;
    }

    /// As NeighbourReader::areNearest(), of all four.
    [[nodiscard]] bool areNearest() const { return areNearest_; }
    /// The first texels of lookup k.
    [[gnu::always_inline]] I32x16 words(int k) const {
        std::array<PartI, kParts> words;
        for (int part = 0; part < kParts; ++part) words[static_cast<size_t>(part)] = grids_.neighbours(k, part, 0).left;
        return __builtin_bit_cast(I32x16, words);
    }

    /// One of them, as a NeighbourReader has it.
    class One {
    public:
        One(const FilteredGrids& four, int k) : four_(four), k_(k) {}

    protected:
        [[gnu::always_inline]] WordPair neighbours(int part, int row, int = 0) const {
            return four_.grids_.neighbours(k_, part, row);
        }
        template <class>
        [[gnu::always_inline]] PartI pairBytes(int) const {
            return Grids::ofColumns(four_.x_, k_);
        }
        [[gnu::always_inline]] PartI rowHalves(int part) const { return Grids::ofRows(four_.y_, k_, part); }
        [[gnu::always_inline]] PartF columnWeight(int) const {
            return __builtin_bit_cast(PartF, Grids::ofColumns(four_.x_, k_));
        }
        [[gnu::always_inline]] PartF rowWeight(int part) const {
            return __builtin_bit_cast(PartF, Grids::ofRows(four_.y_, k_, part));
        }

    private:
        const FilteredGrids& four_;
        int k_;
    };

private:
    [[gnu::always_inline]] static void storePartOf(int32_t (&to)[16], int part, PartI from) {
        std::memcpy(to + static_cast<ptrdiff_t>(part) * kPartLanes, &from, sizeof from);
    }

    Grids grids_;
    bool areNearest_ = false;
    alignas(64) int32_t x_[16], y_[16];  ///< of columns and rows
};

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture

#endif
