// Lookups filtered by Nearest whose lanes are a grid, several at once: lanes above each other have one s, those beside
// each other one t, to the bit, as where a picture lies straight. Four columns and four rows then say which texels all
// sixteen lanes read. First where the texels of all lookups are, then the texels: each step has no need to wait for
// the one before. Internal to several_lookups.h; compiled for each SIMD level.
#pragma once

#include "texture/sample/block_texels.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

#if defined(__x86_64__)

#if defined(__AVX2__)
inline constexpr int kLeastGridColumns = 2;  ///< of blocks: rows of texels are taken out of two side by side
#else
inline constexpr int kLeastGridColumns = 1;
#endif

/// Two lookups, each in four lanes.
struct GridPair {
    I32x8 column;  ///< of the four columns; what is added to `row` to have the texel or, with AVX2, its place in a row
    I32x8 row;     ///< of the four rows: offset in elements
    bool isGrid[2];
};

/// Looks at three lanes alone. `coordinates`: s, then t, as in SeveralSampler.
inline bool mayBeGrid(const float* coordinates) {
    const float* t = coordinates + kLookupStride;
    return coordinates[0] == coordinates[kBlockSize] && t[0] == t[1];
}

/// Finds the texels of grids in one image. kPower: as in blockTexel(); else both coordinates are clamped to the edge.
template <bool kPower>
class GridReader {
public:
    /// The image must have at least kLeastGridColumns columns of blocks.
    explicit GridReader(const Image& image)
        : texels_(image.block32(0, 0)), blocksWide_(image.blocksWide()), last_(lastTexels(image)) {
        size_ = toFloat(last_ + 1);
    }

    /// `first`, `second`: s, then t, as in SeveralSampler.
    [[gnu::always_inline]] GridPair places(const float* first, const float* second) const {
        GridPair pair;
        const Lines a = linesOf(first), b = linesOf(second);
        pair.isGrid[0] = a.isGrid, pair.isGrid[1] = b.isGrid;
        const F32x16 both =
            __builtin_shufflevector(a.line, b.line, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15);
        I32x16 texel = texelOf(blockUnit<kPower>(Wrap::ClampToEdge, both) * size_);
        texel = kPower ? texel & last_ : min(texel, last_);
        const I32x8 x = __builtin_shufflevector(texel, texel, 0, 1, 2, 3, 4, 5, 6, 7);
        const I32x8 y = __builtin_shufflevector(texel, texel, 8, 9, 10, 11, 12, 13, 14, 15);
        findOffsets(x, y, pair);
        return pair;
    }
    /// The words of the lanes of lookup `index`, 0 or 1, which is a grid.
    [[gnu::always_inline]] I32x16 wordsOf(const GridPair& pair, int index) const;

private:
    using F32x8 = float __attribute__((ext_vector_type(8)));
    struct Lines {
        F32x8 line;  ///< s of four columns, t of four rows
        bool isGrid;
    };

    [[gnu::always_inline]] static Lines linesOf(const float* coordinates) {
        const F32x16 s = load<F32x16>(coordinates), t = load<F32x16>(coordinates + kLookupStride);
        const I32x16 otherS =
            asInt(s) ^ asInt(__builtin_shufflevector(s, s, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
        const I32x16 otherT =
            asInt(t) ^ asInt(__builtin_shufflevector(t, t, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12));
        return {__builtin_shufflevector(s, t, 0, 1, 2, 3, 16, 20, 24, 28), isNone(otherS | otherT)};
    }
    static I32x16 lastTexels(const Image& image) {
        const int w = image.width() - 1, h = image.height() - 1;
        return {w, w, w, w, w, w, w, w, h, h, h, h, h, h, h, h};
    }
    /// Columns and rows as GridPair has them, of texels.
    [[gnu::always_inline]] void findOffsets(I32x8 x, I32x8 y, GridPair& pair) const;

    const uint32_t* texels_;
    int blocksWide_;
    I32x16 last_;  ///< eight columns, eight rows
    F32x16 size_;
};

#if defined(__AVX2__)

template <bool kPower>
void GridReader<kPower>::findOffsets(I32x8 x, I32x8 y, GridPair& pair) const {
    const I32x8 lastStart = (blocksWide_ - 2) * kBlockSize;
    I32x8 start = __builtin_elementwise_min(__builtin_shufflevector(x, x, 0, 0, 0, 0, 4, 4, 4, 4),
                                            __builtin_shufflevector(x, x, 3, 3, 3, 3, 7, 7, 7, 7));
    start = __builtin_elementwise_min(start & ~3, lastStart);
    pair.column = x - start;
    const I32x8 beyond = pair.column & ~(kRowColumns - 1);
    const I32x4 first = __builtin_shufflevector(beyond, beyond, 0, 1, 2, 3);
    const I32x4 second = __builtin_shufflevector(beyond, beyond, 4, 5, 6, 7);
    pair.isGrid[0] &= _mm_testz_si128(__builtin_bit_cast(__m128i, first), __builtin_bit_cast(__m128i, first)) != 0;
    pair.isGrid[1] &= _mm_testz_si128(__builtin_bit_cast(__m128i, second), __builtin_bit_cast(__m128i, second)) != 0;
    const auto blocks = __builtin_bit_cast(
        I32x8, _mm256_madd_epi16(__builtin_bit_cast(__m256i, y & ~3), _mm256_set1_epi32(blocksWide_ * kBlockSize)));
    pair.row = blocks + (((y & 3) + start) << 2);
}

template <bool kPower>
I32x16 GridReader<kPower>::wordsOf(const GridPair& pair, int index) const {
    const auto column =
        __builtin_bit_cast(I32x4, _mm_load_si128(reinterpret_cast<const __m128i*>(&pair.column) + index));
    const auto columns = __builtin_bit_cast(__m256i, __builtin_shufflevector(column, column, 0, 1, 2, 3, 0, 1, 2, 3));
    const auto row = [&](int number) {
        const auto* from = reinterpret_cast<const __m128i*>(
            texels_ + static_cast<uint32_t>(reinterpret_cast<const int32_t*>(&pair.row)[index * 4 + number]));
        const __m256i both = _mm256_set_m128i(_mm_load_si128(from + kBlockSize), _mm_load_si128(from));
        return _mm256_permutevar8x32_epi32(both, columns);
    };
    const std::array<__m256i, 2> words = {_mm256_blend_epi32(row(0), row(1), 0xF0),
                                          _mm256_blend_epi32(row(2), row(3), 0xF0)};
    return __builtin_bit_cast(I32x16, words);
}

#else

template <bool kPower>
void GridReader<kPower>::findOffsets(I32x8 x, I32x8 y, GridPair& pair) const {
    pair.column = ((x & ~3) << 2) + (x & 3);
    const auto blocks = __builtin_bit_cast(std::array<__m128i, 2>, y & ~3);
    const __m128i wide = _mm_set1_epi32(blocksWide_ * kBlockSize);
    const std::array<__m128i, 2> rows = {_mm_madd_epi16(blocks[0], wide), _mm_madd_epi16(blocks[1], wide)};
    pair.row = __builtin_bit_cast(I32x8, rows) + ((y & 3) << 2);
}

template <bool kPower>
I32x16 GridReader<kPower>::wordsOf(const GridPair& pair, int index) const {
    const auto* columns = reinterpret_cast<const int32_t*>(&pair.column) + index * 4;
    const auto* rows = reinterpret_cast<const int32_t*>(&pair.row) + index * 4;
    I32x16 words;
    for (int y = 0; y < 4; ++y) {
        const uint32_t* row = texels_ + static_cast<uint32_t>(rows[y]);
        for (int x = 0; x < 4; ++x) words[y * 4 + x] = static_cast<int32_t>(row[static_cast<uint32_t>(columns[x])]);
    }
    return words;
}

#endif

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
