// S3TC and ETC, sixteen blocks at a time: lane i of a vector belongs to block i while the palettes are made. These are
// transposed, so that each block has its own side by side, and then its sixteen texels choose from it at once by
// their codes: a shuffle where the host has one. What the values are: codec/s3tc.cpp and codec/etc.cpp.
#include "texture/codec/runs.h"

#if defined(__SSSE3__)
#include <immintrin.h>
#endif

#include "base/simd.h"
#include "base/transpose.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

using U8x64 = uint8_t __attribute__((ext_vector_type(64)));
using I8x8 = int8_t __attribute__((ext_vector_type(8)));
using I32x8 = int32_t __attribute__((ext_vector_type(8)));
using U32x4 = uint32_t __attribute__((ext_vector_type(4)));
using U32x8 = uint32_t __attribute__((ext_vector_type(8)));

constexpr int kRun = 16;  ///< blocks decoded together

template <class Vector, class Element>
Vector loadVector(const Element* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}

// --- Choosing from palettes ---

#if defined(__AVX2__) && !defined(__AVX512F__)
U32x8 lowHalf(U32x16 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7); }
U32x8 highHalf(U32x16 v) { return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15); }
U32x16 join(U32x8 low, U32x8 high) {
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
#elif defined(__SSSE3__) && !defined(__AVX2__)
struct Quarters {
    U32x4 of[4];
};
U32x4 chooseBytes(U32x4 from, U32x4 places) {
    return __builtin_bit_cast(U32x4,
                              _mm_shuffle_epi8(__builtin_bit_cast(__m128i, from), __builtin_bit_cast(__m128i, places)));
}
/// The places of each lane's entry of four.
U32x4 placesOf(U32x4 index) {
    constexpr U32x4 kFirstBytes = {0x00000000, 0x04040404, 0x08080808, 0x0C0C0C0C};
    return chooseBytes((index & 3u) << 2u, kFirstBytes) | 0x03020100u;
}
#elif !defined(__AVX2__)
U32x16 chooseOf4(const uint32_t* palette, Mask16 low, Mask16 high) {
    return select(high, select(low, splat(palette[3]), splat(palette[2])),
                  select(low, splat(palette[1]), splat(palette[0])));
}
#endif

/// palette[index] of each lane; bits of the index above the lowest two do not count.
U32x16 lookUp4(const uint32_t* palette, U32x16 index) {
#if defined(__AVX512F__)
    const __m512 four = _mm512_broadcast_f32x4(loadVector<__m128>(palette));
    return __builtin_bit_cast(U32x16, _mm512_permutevar_ps(four, __builtin_bit_cast(__m512i, index)));
#elif defined(__AVX2__)
    const __m256 four = _mm256_broadcast_ps(reinterpret_cast<const __m128*>(palette));
    const auto choose = [&](U32x8 i) {
        return __builtin_bit_cast(U32x8, _mm256_permutevar_ps(four, __builtin_bit_cast(__m256i, i)));
    };
    return join(choose(lowHalf(index)), choose(highHalf(index)));
#elif defined(__SSSE3__)
    const auto four = loadVector<U32x4>(palette);
    auto quarters = __builtin_bit_cast(Quarters, index);
    for (U32x4& one : quarters.of) one = chooseBytes(four, placesOf(one));
    return __builtin_bit_cast(U32x16, quarters);
#else
    return chooseOf4(palette, (index & 1u) != 0u, (index & 2u) != 0u);
#endif
}

/// The same of eight: the lowest three bits count.
U32x16 lookUp8(const uint32_t* palette, U32x16 index) {
#if defined(__AVX512F__)
    const __m512i eight = _mm512_broadcast_i64x4(loadVector<__m256i>(palette));
    return __builtin_bit_cast(U32x16, _mm512_permutexvar_epi32(__builtin_bit_cast(__m512i, index), eight));
#elif defined(__AVX2__)
    const auto eight = loadVector<__m256i>(palette);
    const auto choose = [&](U32x8 i) {
        return __builtin_bit_cast(U32x8, _mm256_permutevar8x32_epi32(eight, __builtin_bit_cast(__m256i, i)));
    };
    return join(choose(lowHalf(index)), choose(highHalf(index)));
#elif defined(__SSSE3__)
    const auto first = loadVector<U32x4>(palette), second = loadVector<U32x4>(palette + 4);
    auto quarters = __builtin_bit_cast(Quarters, index);
    for (U32x4& one : quarters.of) {
        const U32x4 places = placesOf(one);
        one = (one & 4u) != 0u ? chooseBytes(second, places) : chooseBytes(first, places);
    }
    return __builtin_bit_cast(U32x16, quarters);
#else
    const Mask16 low = (index & 1u) != 0u, high = (index & 2u) != 0u;
    return select((index & 4u) != 0u, chooseOf4(palette + 4, low, high), chooseOf4(palette, low, high));
#endif
}

/// Four entries of the palettes of sixteen blocks, each block's side by side: from to[i * stride] on those of block i.
void storePalettes(const U32x16 (&entry)[4], uint32_t* to, int stride) {
    // Each holds every fourth block.
    const auto [blocks] = transposeQuarters(entry);
    for (int i = 0; i < 4; ++i) {
        const U32x4 quarters[4] = {
            __builtin_shufflevector(blocks[i], blocks[i], 0, 1, 2, 3),
            __builtin_shufflevector(blocks[i], blocks[i], 4, 5, 6, 7),
            __builtin_shufflevector(blocks[i], blocks[i], 8, 9, 10, 11),
            __builtin_shufflevector(blocks[i], blocks[i], 12, 13, 14, 15),
        };
        for (int j = 0; j < 4; ++j) __builtin_memcpy(to + (i + 4 * j) * stride, &quarters[j], sizeof quarters[j]);
    }
}

// --- Words of sixteen blocks ---

U32x16 even(U32x16 a, U32x16 b) {
    return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
U32x16 odd(U32x16 a, U32x16 b) {
    return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/// The two words of each of sixteen blocks that lie `step` words apart.
struct Words {
    U32x16 first, second;
};
template <int step>
Words loadWords(const std::byte* p) {
    if constexpr (step == 2) {
        const auto a = loadVector<U32x16>(p), b = loadVector<U32x16>(p + 64);
        return {even(a, b), odd(a, b)};
    } else {
        static_assert(step == 4);
        // Words 0 and 1 of each four; `p` may point at the second half of the first block.
        using U64x8 = uint64_t __attribute__((ext_vector_type(8)));
        U32x16 pairs[2];
        for (int i = 0; i < 2; ++i) {
            U64x8 halves;
            for (int j = 0; j < 8; ++j) halves[j] = loadVector<uint64_t>(p + 16 * (8 * i + j));
            pairs[i] = __builtin_bit_cast(U32x16, halves);
        }
        return {even(pairs[0], pairs[1]), odd(pairs[0], pairs[1])};
    }
}

/// The bytes of each word in the opposite order.
U32x16 swapBytes(U32x16 v) {
    const auto bytes = __builtin_bit_cast(U8x64, v);
    return __builtin_bit_cast(
        U32x16,
        __builtin_shufflevector(bytes, bytes, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23,
                                22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28, 35, 34, 33, 32, 39, 38, 37, 36, 43, 42, 41,
                                40, 47, 46, 45, 44, 51, 50, 49, 48, 55, 54, 53, 52, 59, 58, 57, 56, 63, 62, 61, 60));
}

/// Eight three-bit codes in each of two words: each lane's code, those of `first` in the first eight lanes.
U32x16 threeBitCodes(uint32_t first, uint32_t second) {
    constexpr U32x16 kToTop = {29, 26, 23, 20, 17, 14, 11, 8, 29, 26, 23, 20, 17, 14, 11, 8};
    const U32x8 low(first), high(second);
    const U32x16 words = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return words << kToTop >> 29u;
}

// --- S3TC ---

struct Color565 {
    U32x16 red, green, blue;
};
Color565 unpack565(U32x16 packed) { return {packed >> 11u, packed >> 5u & 63u, packed & 31u}; }

/// These formulas are those of codec/s3tc.cpp.
constexpr uint32_t codeScale(uint32_t sum, uint32_t top) { return (255 * 65536 + sum * top - 1) / (sum * top); }
template <uint32_t weightA, uint32_t weightB>
U32x16 mix(const Color565& a, const Color565& b) {
    constexpr uint32_t kSum = weightA + weightB;
    constexpr uint32_t kScale5 = codeScale(kSum, 31), kScale6 = codeScale(kSum, 63);
    const auto blend = [](U32x16 x, U32x16 y) {
        if constexpr (weightB == 0) return x;
        return x * weightA + y * weightB;
    };
    const U32x16 red = (blend(a.red, b.red) * kScale5 + 32768u) >> 16u;
    const U32x16 green = (blend(a.green, b.green) * kScale6 + 32768u) >> 8u & 0xFF00u;
    const U32x16 blue = (blend(a.blue, b.blue) * kScale5 + 32768u) & 0xFF0000u;
    return red | green | blue | 0xFF000000u;
}

enum class Palette { FourColors, PunchThroughBlack, PunchThroughTransparent };

/// The palettes of sixteen blocks, four words each.
template <Palette palette>
void colorPalettes(U32x16 endpoints, uint32_t* to) {
    const U32x16 packed0 = endpoints & 0xFFFFu, packed1 = endpoints >> 16u;
    const Color565 color0 = unpack565(packed0), color1 = unpack565(packed1);
    U32x16 entry[4] = {mix<1, 0>(color0, color1), mix<1, 0>(color1, color0), mix<2, 1>(color0, color1),
                       mix<1, 2>(color0, color1)};
    if constexpr (palette != Palette::FourColors) {
        const Mask16 isFour = packed0 > packed1;
        entry[2] = select(isFour, entry[2], mix<1, 1>(color0, color1));
        entry[3] = select(isFour, entry[3], splat(palette == Palette::PunchThroughBlack ? 0xFF000000u : 0u));
    }
    storePalettes(entry, to, 4);
}

U32x16 twoBitCodes(uint32_t codes) {
    constexpr U32x16 kToTop = {30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0};
    return splat(codes) << kToTop >> 30u;
}

template <Palette palette>
struct Dxt1 {
    static constexpr int kBytes = 8;
    static void decode(const std::byte* from, int count, uint32_t* texels) {
        alignas(64) uint32_t palettes[kRun * 4], codes[kRun];
        const Words words = loadWords<2>(from);
        colorPalettes<palette>(words.first, palettes);
        store(codes, words.second);
        for (int i = 0; i < count; ++i) store(texels + 16 * i, lookUp4(palettes + 4 * i, twoBitCodes(codes[i])));
    }
};

struct Dxt3 {
    static constexpr int kBytes = 16;
    static void decode(const std::byte* from, int count, uint32_t* texels) {
        constexpr U32x16 kToTop = {28, 24, 20, 16, 12, 8, 4, 0, 28, 24, 20, 16, 12, 8, 4, 0};
        alignas(64) uint32_t palettes[kRun * 4], codes[kRun];
        const Words words = loadWords<4>(from + 8);
        colorPalettes<Palette::FourColors>(words.first, palettes);
        store(codes, words.second);
        for (int i = 0; i < count; ++i, from += kBytes) {
            const U32x8 low(loadVector<uint32_t>(from)), high(loadVector<uint32_t>(from + 4));
            const U32x16 nibbles =
                __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) << kToTop;
            const U32x16 alpha = nibbles >> 28u << 24u | (nibbles & 0xF0000000u);
            store(texels + 16 * i, (lookUp4(palettes + 4 * i, twoBitCodes(codes[i])) & 0xFFFFFFu) | alpha);
        }
    }
};

/// The eight alphas of sixteen blocks, in the highest byte: words 8 * i to 8 * i + 7 for block i.
void alphaPalettes(U32x16 endpoints, uint32_t* to) {
    // (n + d / 2) / d for n below 256 * d: one factor is enough for d = 5 and d = 7.
    const auto fraction = [](U32x16 n, uint32_t d) { return (n * 2u + d) * ((1u << 20) / (2 * d) + 1) >> 20u; };
    const U32x16 first = endpoints & 0xFFu, second = endpoints >> 8u & 0xFFu;
    const Mask16 isEight = first > second;
    U32x16 entry[8] = {first, second};
    for (uint32_t i = 1; i < 7; ++i) {
        const U32x16 eight = fraction(first * (7 - i) + second * i, 7);
        const U32x16 six = i < 5 ? fraction(first * (5 - i) + second * i, 5) : splat(i == 5 ? 0u : 255u);
        entry[i + 1] = select(isEight, eight, six);
    }
    for (U32x16& one : entry) one <<= 24u;
    storePalettes({entry[0], entry[1], entry[2], entry[3]}, to, 8);
    storePalettes({entry[4], entry[5], entry[6], entry[7]}, to + 4, 8);
}

struct Dxt5 {
    static constexpr int kBytes = 16;
    static void decode(const std::byte* from, int count, uint32_t* texels) {
        alignas(64) uint32_t palettes[kRun * 4], codes[kRun], alphas[kRun * 8];
        const Words words = loadWords<4>(from + 8);
        colorPalettes<Palette::FourColors>(words.first, palettes);
        store(codes, words.second);
        alphaPalettes(loadWords<4>(from).first, alphas);
        for (int i = 0; i < count; ++i, from += kBytes) {
            const auto bits = loadVector<uint64_t>(from) >> 16;
            const U32x16 index = threeBitCodes(static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 24));
            store(texels + 16 * i,
                  (lookUp4(palettes + 4 * i, twoBitCodes(codes[i])) & 0xFFFFFFu) | lookUp8(alphas + 8 * i, index));
        }
    }
};

// --- ETC ---

/// The modifiers in each of red, green and blue.
constexpr uint32_t inEach(int modifier) { return static_cast<uint32_t>(modifier) * 0x010101u; }
template <int column>
struct Modifiers {
    uint32_t value[8];
    constexpr Modifiers() : value{} {
        for (int i = 0; i < 8; ++i) value[i] = inEach(kEtcModifiers[i][column]);
    }
};
constexpr Modifiers<0> kSmall;
constexpr Modifiers<1> kLarge;

/// Each byte clamped to 0..255.
U32x16 plus(U32x16 a, U32x16 b) {
    return __builtin_bit_cast(
        U32x16, __builtin_elementwise_add_sat(__builtin_bit_cast(U8x64, a), __builtin_bit_cast(U8x64, b)));
}
U32x16 minus(U32x16 a, U32x16 b) {
    return __builtin_bit_cast(
        U32x16, __builtin_elementwise_sub_sat(__builtin_bit_cast(U8x64, a), __builtin_bit_cast(U8x64, b)));
}

/// The palettes of sixteen blocks, eight words each: four of the first half, four of the second. Returns the blocks,
/// as bits, whose colours are given in another way: base colour and difference leave the range.
uint32_t etcPalettes(U32x16 colors, uint32_t* to) {
    const Mask16 isDifferential = (colors & 2u) != 0u;
    U32x16 base[2] = {splat(0xFF000000u), splat(0xFF000000u)};
    U32x16 outside = splat(0u);
    for (uint32_t channel = 0; channel < 3; ++channel) {
        const uint32_t shift = 27 - 8 * channel;
        const U32x16 first = colors >> shift & 31u;
        const U32x16 second = first + ((colors >> (shift - 3) & 7u) ^ 4u) - 4u;
        outside |= second;
        const U32x16 differential[2] = {first << 3u | first >> 2u, second << 3u | second >> 2u};
        const U32x16 individual[2] = {(colors >> (shift + 1) & 15u) * 17u, (colors >> (shift - 3) & 15u) * 17u};
        for (int half = 0; half < 2; ++half)
            base[half] |= (select(isDifferential, differential[half], individual[half]) & 0xFFu) << 8 * channel;
    }
    for (int half = 0; half < 2; ++half) {
        const U32x16 table = half == 0 ? colors >> 5u : colors >> 2u;
        const U32x16 small = lookUp8(kSmall.value, table), large = lookUp8(kLarge.value, table);
        storePalettes(
            {plus(base[half], small), plus(base[half], large), minus(base[half], small), minus(base[half], large)},
            to + 4 * half, 8);
    }
    return toBits(isDifferential & (outside > 31u));
}

/// Each texel's entry of its block's palette. Bit n of the codes, and n + 16, belong to texel n, down the columns.
U32x16 etcTexels(const uint32_t* palette, uint32_t codes, bool isFlipped) {
    alignas(64) static constexpr uint32_t kHalf[2][16] = {{0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4, 0, 0, 4, 4},
                                                          {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4}};
    const auto half = loadVector<U32x16>(kHalf[isFlipped ? 1 : 0]);
#if defined(__SSSE3__) && !defined(__AVX2__)
    // No shift of each lane by its own count, but a bit of each lane's own: from that on to bytes of the palette.
    const auto first = loadVector<U32x4>(palette), second = loadVector<U32x4>(palette + 4);
    const auto isSecond = __builtin_bit_cast(Quarters, half);
    Quarters texels;
    for (uint32_t row = 0; row < 4; ++row) {
        const U32x4 low = U32x4{1u << 0, 1u << 4, 1u << 8, 1u << 12} << row, high = low << 16;
        const auto whereSet = [codes](U32x4 bits, uint32_t bytes) {
            return __builtin_bit_cast(U32x4, (codes & bits) != 0u) & bytes;
        };
        const U32x4 places = whereSet(low, 0x04040404) | whereSet(high, 0x08080808) | 0x03020100u;
        texels.of[row] = isSecond.of[row] != 0u ? chooseBytes(second, places) : chooseBytes(first, places);
    }
    return __builtin_bit_cast(U32x16, texels);
#else
    constexpr U32x16 kNumber = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
    const U32x16 bits = splat(codes) >> kNumber;
    return lookUp8(palette, (bits & 1u) | (bits >> 15u & 2u) | half);
#endif
}

/// The colours of blocks, each of which begins `blockBytes` after the one before.
template <int blockBytes>
void decodeEtc(const std::byte* from, int count, uint32_t* texels) {
    alignas(64) uint32_t palettes[kRun * 8], colors[kRun], codes[kRun];
    const Words words = loadWords<blockBytes / 4>(from);
    store(colors, swapBytes(words.first));
    store(codes, swapBytes(words.second));
    const uint32_t others = etcPalettes(load<U32x16>(colors), palettes);
    for (int i = 0; i < count; ++i) store(texels + 16 * i, etcTexels(palettes + 8 * i, codes[i], (colors[i] & 1) != 0));
    for (uint32_t left = others & ((1u << count) - 1); left != 0; left &= left - 1) {
        const int i = __builtin_ctz(left);
        decodeEtcColors(from + blockBytes * i, texels + 16 * i);
    }
}

struct EtcRgb {
    static constexpr int kBytes = 8;
    static void decode(const std::byte* from, int count, uint32_t* texels) { decodeEtc<8>(from, count, texels); }
};

/// A block's alphas, in the highest byte.
U32x16 eacAlpha(uint64_t block) {
    const I32x8 modifiers = __builtin_convertvector(loadVector<I8x8>(kEacModifiers[block >> 48 & 15]), I32x8);
    const I32x8 values = modifiers * static_cast<int>(block >> 52 & 15) + static_cast<int>(block >> 56);
    const I32x8 codes = __builtin_elementwise_min(__builtin_elementwise_max(values, I32x8(0)), I32x8(255)) << 24;
    uint32_t palette[8];
    __builtin_memcpy(palette, &codes, sizeof palette);
    // Down the columns from the highest bits: the upper 24 bits are columns 0 and 1.
    constexpr U32x16 kToTop = {8, 20, 8, 20, 11, 23, 11, 23, 14, 26, 14, 26, 17, 29, 17, 29};
    const U32x16 upper = splat(static_cast<uint32_t>(block >> 24)), lower = splat(static_cast<uint32_t>(block));
    const U32x16 words =
        __builtin_shufflevector(upper, lower, 0, 1, 18, 19, 4, 5, 22, 23, 8, 9, 26, 27, 12, 13, 30, 31);
    return lookUp8(palette, words << kToTop >> 29u);
}

struct EtcRgba {
    static constexpr int kBytes = 16;
    static void decode(const std::byte* from, int count, uint32_t* texels) {
        decodeEtc<16>(from + 8, count, texels);
        for (int i = 0; i < count; ++i) {
            const U32x16 alpha = eacAlpha(__builtin_bswap64(loadVector<uint64_t>(from + 16 * i)));
            store(texels + 16 * i, (load<U32x16>(texels + 16 * i) & 0xFFFFFFu) | alpha);
        }
    }
};

// --- Runs ---

template <class Format>
void decodeRun(const std::byte* blocks, int count, std::byte* elements) {
    auto* texels = reinterpret_cast<uint32_t*>(elements);
    for (; count >= kRun; count -= kRun, blocks += kRun * Format::kBytes, texels += kRun * 16)
        Format::decode(blocks, kRun, texels);
    if (count == 0) return;
    alignas(64) std::byte rest[kRun * Format::kBytes] = {};
    __builtin_memcpy(rest, blocks, static_cast<size_t>(count) * Format::kBytes);
    Format::decode(rest, count, texels);
}

}  // namespace

CodecFunctions levelCodecFunctions() {
    return {decodeRun<Dxt1<Palette::PunchThroughBlack>>,
            decodeRun<Dxt1<Palette::PunchThroughTransparent>>,
            decodeRun<Dxt3>,
            decodeRun<Dxt5>,
            decodeRun<EtcRgb>,
            decodeRun<EtcRgba>};
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
