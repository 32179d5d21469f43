// Pictures laid straight: lookups whose s is a function of the pixel's column alone and whose t is one of its row, as
// in a rectangle of a user interface. Gives what sample() gives for 2D textures of eight-bit texels, to the bit, for
// much less: each column and each row finds its texels once for the whole rectangle, which reads the same mip levels
// everywhere.
//
// The filter is separable and its sums are exact (block_filters.h), so it runs along rows of texels first. The four
// columns of a block read eight texels of two neighbouring blocks; one shuffle of bytes takes them out of there in the
// order in which one multiplication sums them up, channel by channel. A filtered row of texels serves all rows of
// pixels that meet it. Pictures shown texel for pixel, and nearest texels, need the shuffle alone.
//
// Internal; compiled for each SIMD level.
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>

#include "texture/sample/block_filters.h"
#include "texture/sample/footprint.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

#if defined(__x86_64__)

inline bool canLieStraight(const TextureView& view, const SamplerState& state) {
    return view.levels > 0 && view.kind == Kind::Tex2D && state.maxAnisotropy <= 1 && !readsBorder(state, false) &&
           view.swizzle == kNoSwizzle && !clampsLevels(view, state) && view.image[0][0]->element() == Element::Rgba8;
}

inline constexpr int kStraightPixels = 64;  ///< along each side of what a picture may cover

/// Pixels first .. last along one side of a tile, and their coordinates: `of(i)` those of part i, pixels 16 * i ..
/// 16 * i + 15.
template <class Of>
struct StraightSide {
    int first, last;
    Of of;

    [[nodiscard]] int firstPart() const { return first / 16; }
    [[nodiscard]] int lastPart() const { return last / 16; }
    /// Which pixels of a part are of the side.
    [[nodiscard]] Mask16 pixels(int part) const {
        const I32x16 number = splat(part * 16) + (kLaneX + kLaneY * 4);
        return (number >= first) & (number <= last);
    }
};

/// The level that all of a straight picture reads, `fraction` of the next, and the filter of both.
struct StraightLevel {
    int level = 0;
    float fraction = 0;
    bool isLinear = false;
};

/// Squared changes in texels from pixel to pixel, of each quad of a side.
struct SquaredChanges {
    F32x16 square[kStraightPixels / 16];  ///< -1: of no pixel of the side
    int count = 0;
    float least = FLT_MAX;
    bool isFinite = true;

    template <class Of>
    SquaredChanges(const StraightSide<Of>& side, int size) {
        for (int part = side.firstPart(); part <= side.lastPart(); ++part, ++count) {
            const F32x16 at = side.of(part);
            const F32x16 even = __builtin_shufflevector(at, at, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14);
            const F32x16 odd = __builtin_shufflevector(at, at, 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15);
            const F32x16 change = (odd - even) * wholeFloat(size), squared = change * change;
            const Mask16 isOfSide = side.pixels(part);
            square[count] = select(isOfSide, squared, splat(-1.0f));
            isFinite &= !any(isOfSide & ~(squared <= FLT_MAX));
            least = std::min(least, __builtin_reduce_min(select(isOfSide, squared, splat(FLT_MAX))));
        }
    }
};

/// False: the level of detail is not the same everywhere, or not a number.
template <class S, class T>
bool findStraightLevel(const TextureView& view, const SamplerState& state, const StraightSide<S>& columns,
                       const StraightSide<T>& rows, StraightLevel& level) {
    level.isLinear = state.magFilter == Filter::Linear;
    if (state.minFilter == state.magFilter && !hasLevels(view, state)) return true;
    const Image& base = *view.image[0][0];
    const SquaredChanges across(columns, base.width()), down(rows, base.height());
    if (!across.isFinite || !down.isFinite) return false;
    // A quad's level of detail is that of the greater change, of its columns or of its rows.
    bool isFound = false;
    const auto agrees = [&](const SquaredChanges& changes, float leastOther) {
        for (int part = 0; part < changes.count; ++part) {
            const F32x16 square = changes.square[part];
            const LevelChoice choice = chooseLevel(state, view.levels, levelOfDetail(square, SampleInput{}), splat(1));
            for (uint32_t left = toBits(square >= leastOther); left != 0; left &= left - 1) {
                const int lane = std::countr_zero(left);
                const StraightLevel one = {choice.level[lane], choice.fraction[lane], choice.linear[lane] != 0};
                if (!isFound) level = one, isFound = true;
                if (one.level != level.level || one.fraction != level.fraction || one.isLinear != level.isLinear)
                    return false;
            }
        }
        return true;
    };
    return agrees(across, down.least) && agrees(down, across.least);
}

inline constexpr float kWholeScale = kByteScale / kLinearUnit;  ///< of StraightPicture::whole()

class StraightPicture {
public:
    static constexpr int kColumns = kStraightPixels / kBlockSize;

    template <class S, class T>
    StraightPicture(const Image& image, const SamplerState& state, bool isLinear, const StraightSide<S>& columns,
                    const StraightSide<T>& rows)
        : image_(image), texels_(image_.block32(0, 0)) {
        I32x16 weights = splat(0);
        const auto place = [&](Wrap wrap, int size, const auto& side, Axis& axis) {
            for (int part = side.firstPart(); part <= side.lastPart(); ++part) {
                const F32x16 unit = blockUnit(wrap, side.of(part));
                I32x16 low, high, weight = splat(0);
                if (isLinear) {
                    const Place at = placeOf(wrap, unit, size);
                    low = firstOf(at, size), high = secondOf(low + stepOf(at), size);
                    weight = at.fixed & 0xFF;
                    weights |= select(side.pixels(part), weight, splat(0));
                } else {
                    low = high = blockTexel(wrap, unit, size);
                }
                store(axis.low + part * 16, asUint(low));
                store(axis.high + part * 16, asUint(high));
                store(axis.weight + part * 16, asUint(weight));
            }
        };
        Axis across;
        place(state.wrapS, image_.width(), columns, across);
        place(state.wrapT, image_.height(), rows, rows_);
        isSingle_ = isNone(weights);
        firstColumn_ = columns.first / kBlockSize, lastColumn_ = columns.last / kBlockSize;
        for (int i = firstColumn_; i <= lastColumn_; ++i) makeColumn(column_[i], across, i * kBlockSize);
    }

    StraightPicture(const StraightPicture&) = delete;
    StraightPicture& operator=(const StraightPicture&) = delete;

    /// Whether no texel but the first has a weight, anywhere.
    [[nodiscard]] bool isSingle() const { return isSingle_; }

    /// The texels of a block, if isSingle().
    template <bool kIsScaled = true>
    [[gnu::always_inline]] Texels single(int column, int row) const {
        const Column& at = column_[column];
        const auto rowOf = [&](int i) { return texels_ + rowStart(static_cast<int>(rows_.low[row * kBlockSize + i])); };
        const Words8 lower = wordsOfRows(at, rowOf(0), rowOf(1)), upper = wordsOfRows(at, rowOf(2), rowOf(3));
        Texels texels =
            bytesOf(__builtin_shufflevector(lower, upper, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
        for (F32x16& channel : texels.channel) channel *= kIsScaled ? kByteScale : kLinearUnit;
        return texels;
    }

    /// Before linear() of blocks of that row.
    void filterRow(int row) {
        if (row == filteredRow_) return;
        filteredRow_ = row;
        uint32_t used = 0;
        int spare = kLines;
        for (int i = 0; i < kBlockSize; ++i) {
            const int pixel = row * kBlockSize + i;
            lower_[i] = lineOf(static_cast<int>(rows_.low[pixel]), used, spare);
            upper_[i] = lineOf(static_cast<int>(rows_.high[pixel]), used, spare);
            const uint32_t weight = rows_.weight[pixel];
            weightY_[i] = static_cast<int32_t>(weight << 16 | (256 - weight));
        }
    }
    template <bool kIsScaled = true>
    [[gnu::always_inline]] Texels linear(int column) const {
        // Red and blue, green and alpha, of two rows each: exactly 2^16 times the bytes, less kLinearOffset.
        I32x16 even[2], odd[2];
        for (int i = 0; i < 2; ++i) {
            const Sums below = sumsOf(lower_[2 * i], lower_[2 * i + 1], column);
            const Sums above = sumsOf(upper_[2 * i], upper_[2 * i + 1], column);
            const int32_t first = weightY_[2 * i], second = weightY_[2 * i + 1];
            const I32x16 weights = {first,  first,  first,  first,  first,  first,  first,  first,
                                    second, second, second, second, second, second, second, second};
            const auto pairs = [](auto a) { return __builtin_bit_cast(I32x16, a); };
            even[i] = multiplyHalves(
                pairs(__builtin_shufflevector(below, above, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43,
                                              16, 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59)),
                weights);
            odd[i] = multiplyHalves(
                pairs(__builtin_shufflevector(below, above, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47,
                                              20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63)),
                weights);
        }
        const auto low = [](const I32x16(&half)[2]) {
            return finished<kIsScaled>(
                __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27));
        };
        const auto high = [](const I32x16(&half)[2]) {
            return finished<kIsScaled>(
                __builtin_shufflevector(half[0], half[1], 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31));
        };
        return {{low(even), low(odd), high(even), high(odd)}};
    }

    /// The texels of a block, in 1 / (255 * kLinearUnit): whole numbers.
    [[gnu::always_inline]] Texels whole(int column, int row) {
        if (isSingle_) return single<false>(column, row);
        filterRow(row);
        return linear<false>(column);
    }

private:
    using Bytes = uint8_t __attribute__((ext_vector_type(32)));
    using Words8 = uint32_t __attribute__((ext_vector_type(8)));
    using Quads = uint64_t __attribute__((ext_vector_type(4)));
    using Sums = int16_t __attribute__((ext_vector_type(32)));
    using Bytes16 = uint8_t __attribute__((ext_vector_type(16)));
    using U32x4 = uint32_t __attribute__((ext_vector_type(4)));

    static constexpr int kBlockElements = 16;
    static constexpr int kLines = 16;
    static constexpr int kSpareLines = 2 * kBlockSize;

    /// A row of texels, filtered: of each column of blocks channels, of each channel pixels, less 2^15.
    struct alignas(64) Line {
        int16_t sums[kColumns][kBlockElements];
    };

    /// Texels of pixels along one side, and the weight of the second in 1/256.
    struct Axis {
        alignas(64) uint32_t low[kStraightPixels], high[kStraightPixels], weight[kStraightPixels];
    };

    /// Four columns of pixels. The texels that they read of a row of texels are bytes of two vectors.
    struct Column {
        alignas(32) Bytes low, high;  ///< where in the first, in the second vector; bit 7: not there
        alignas(32) Bytes weights;    ///< of the first and second texel of each column, for each channel
        uint32_t start, beside;       ///< first element of the vectors' texels, from the row's first; from there
        bool isWide;                  ///< the texels lie in more than two blocks: those at `texel` are the vectors
        uint32_t texel[2 * kBlockSize];
    };

    // 32 bytes are one register, or two.
#if defined(__AVX2__)
    using Part = __m256i;
    static Part shuffled(Part from, Part at) { return _mm256_shuffle_epi8(from, at); }
    static Part multiplied(Part weights, Part texels) { return _mm256_maddubs_epi16(weights, texels); }
#else
    using Part = __m128i;
    static Part shuffled(Part from, Part at) { return _mm_shuffle_epi8(from, at); }
    static Part multiplied(Part weights, Part texels) { return _mm_maddubs_epi16(weights, texels); }
#endif
    template <Part (*kOperation)(Part, Part)>
    [[gnu::always_inline]] static Bytes ofParts(Bytes x, Bytes y) {
        using Parts = std::array<Part, sizeof(Bytes) / sizeof(Part)>;
        auto parts = __builtin_bit_cast(Parts, x);
        const auto others = __builtin_bit_cast(Parts, y);
        for (size_t i = 0; i < parts.size(); ++i) parts[i] = kOperation(parts[i], others[i]);
        return __builtin_bit_cast(Bytes, parts);
    }
    static Bytes shuffle(Bytes from, Bytes at) { return ofParts<shuffled>(from, at); }
    static Bytes multiply(Bytes weights, Bytes texels) { return ofParts<multiplied>(weights, texels); }
    static Bytes join(const uint32_t* low, const uint32_t* high) {
        Bytes16 a, b;
        __builtin_memcpy(&a, low, sizeof a);
        __builtin_memcpy(&b, high, sizeof b);
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                       21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    }

    /// A sum becomes a channel as block_sampler_simd.cpp rounds it.
    template <bool kIsScaled>
    static F32x16 finished(I32x16 sum) {
        if constexpr (!kIsScaled) return toFloat(sum) + kLinearOffset;
#if defined(TESSERA_HAS_FMA)
        return fma(toFloat(sum), splat(kWholeScale), splat(kLinearOffset * kWholeScale));
#else
        return (toFloat(sum) + kLinearOffset) * kWholeScale;
#endif
    }

    void makeColumn(Column& column, const Axis& axis, int pixel) const {
        const auto load4 = [&](const uint32_t* from) {
            U32x4 four;
            __builtin_memcpy(&four, from + pixel, sizeof four);
            return four;
        };
        U32x4 left = load4(axis.low), right = load4(axis.high);
        const uint32_t block = __builtin_reduce_min(__builtin_elementwise_min(left, right)) / kBlockSize;
        column.start = block * kBlockElements;
        column.beside = block + 1 < static_cast<uint32_t>(image_.blocksWide()) ? kBlockElements : 0;
        const U32x4 fromLeft = left - block * kBlockSize, fromRight = right - block * kBlockSize;
        column.isWide = __builtin_reduce_or((fromLeft | fromRight) & ~7u) != 0;
        if (column.isWide) [[unlikely]] {
            for (int i = 0; i < kBlockSize; ++i) {
                column.texel[i] = left[i] / kBlockSize * kBlockElements + left[i] % kBlockSize;
                column.texel[kBlockSize + i] = right[i] / kBlockSize * kBlockElements + right[i] % kBlockSize;
            }
            left = U32x4{0, 1, 2, 3}, right = U32x4{4, 5, 6, 7};
        } else {
            left = fromLeft, right = fromRight;
        }
        // Bytes 0 .. 31 of both vectors. Moved up by 0x70 those of the second have bit 7.
        constexpr uint8_t kMoved = 0x70, kAbsent = 0x80;
        if (isSingle_) {
            const U32x4 bytes = left * 0x04040404u + 0x03020100u;
            column.low =
                __builtin_bit_cast(Bytes, __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 0, 1, 2, 3)) + kMoved;
        } else {
            const auto ofPairs = [](U32x4 first, U32x4 second) {
                using U16x4 = uint16_t __attribute__((ext_vector_type(4)));
                return Quads(__builtin_bit_cast(uint64_t, __builtin_convertvector(first | second << 8, U16x4)));
            };
            constexpr uint64_t kEach = 0x0101010101010101;
            const Quads bytes = (ofPairs(left, right) << 2) + Quads{0, kEach, 2 * kEach, 3 * kEach};
            column.low = __builtin_bit_cast(Bytes, bytes) + kMoved;
            // 256 is no byte: 0 counts as 1, where both texels are the same.
            const U32x4 second = __builtin_elementwise_max(load4(axis.weight), U32x4(1));
            column.weights = __builtin_bit_cast(Bytes, ofPairs(256 - second, second));
        }
        column.high = column.low ^ kAbsent;
    }

    [[nodiscard]] size_t rowStart(int texelRow) const {
        return static_cast<size_t>(texelRow >> 2) * image_.blocksWide() * kBlockElements + (texelRow & 3) * kBlockSize;
    }

    /// Eight texels of a row of texels.
    struct Window {
        const uint32_t *low, *high;
    };
    [[gnu::always_inline]] static Window windowOf(const Column& column, const uint32_t* row,
                                                  uint32_t (&room)[2 * kBlockSize]) {
        if (column.isWide) [[unlikely]] {
            for (int i = 0; i < 2 * kBlockSize; ++i) room[i] = row[column.texel[i]];
            return {room, room + kBlockSize};
        }
        return {row + column.start, row + column.start + column.beside};
    }

    [[gnu::always_inline]] static Words8 wordsOfRows(const Column& column, const uint32_t* first,
                                                     const uint32_t* second) {
        alignas(32) uint32_t room[2][2 * kBlockSize];
        const Window a = windowOf(column, first, room[0]), b = windowOf(column, second, room[1]);
        return __builtin_bit_cast(Words8,
                                  shuffle(join(a.low, b.low), column.low) | shuffle(join(a.high, b.high), column.high));
    }

    /// Where row `texelRow` is, filtered along the row. `used`: lines of this row of blocks.
    const Line* lineOf(int texelRow, uint32_t& used, int& spare) {
        int line = texelRow % kLines;
        if (texelRowOf_[line] != texelRow) {
            if ((used >> line & 1) != 0)
                line = spare++;  // rows that are far apart
            else
                texelRowOf_[line] = texelRow;
            filterLine(line_[line], texels_ + rowStart(texelRow));
        }
        used |= 1u << line;
        return &line_[line];
    }
    void filterLine(Line& line, const uint32_t* row) const {
        constexpr uint8_t kSign = 0x80;  // bytes less 2^7, as the multiplication takes them with a sign
        for (int i = firstColumn_; i <= lastColumn_; ++i) {
            const Column& column = column_[i];
            alignas(32) uint32_t room[2 * kBlockSize];
            const Window window = windowOf(column, row, room);
            const Bytes texels = shuffle(join(window.low, window.low), column.low) |
                                 shuffle(join(window.high, window.high), column.high);
            const Bytes sums = multiply(column.weights, texels ^ kSign);
            __builtin_memcpy(line.sums[i], &sums, sizeof sums);
        }
    }
    [[gnu::always_inline]] static Sums sumsOf(const Line* first, const Line* second, int column) {
        struct {
            Bytes rows[2];
        } both;
        __builtin_memcpy(&both.rows[0], first->sums[column], sizeof(Bytes));
        __builtin_memcpy(&both.rows[1], second->sums[column], sizeof(Bytes));
        return __builtin_bit_cast(Sums, both);
    }

    const Image& image_;
    const uint32_t* const texels_;
    bool isSingle_;
    int firstColumn_, lastColumn_;
    Axis rows_;
    Column column_[kColumns];
    // The last lines are spare.
    int filteredRow_ = -1;
    int texelRowOf_[kLines] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const Line *lower_[kBlockSize], *upper_[kBlockSize];
    int32_t weightY_[kBlockSize];
    Line line_[kLines + kSpareLines];
};

/// The texels of a block between two levels, as sample() rounds them.
[[gnu::always_inline]] inline Texels between(StraightPicture& level, StraightPicture& next, float fraction, int column,
                                             int row) {
    Texels texels = interpolateFrom(level.whole(column, row), next.whole(column, row), splat(fraction), 0);
    for (F32x16& channel : texels.channel) channel *= kWholeScale;
    return texels;
}

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
