// Sixteen elements as numbers, and numbers as elements: what follows from an element's row (element.h). Compiled for
// each SIMD level. docs/sampling.md, "Numbers", is the definition.
//
// Numbers are F32x16, in the units of unitOf(): of normalised elements the stored integers, of others floats; of
// integer elements the integers' bits.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "base/simd.h"
#include "texture/convert.h"
#include "texture/element.h"
#include "texture/srgb.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// One channel set of sixteen lanes.
struct Texels {
    F32x16 channel[4];
};

/// Sixteen elements, word by word.
template <Element kElement>
struct ElementWords {
    U32x16 word[elementInfo(kElement).words];
};

/// Word `part` of the elements at `offset`, kParts words each.
template <int kParts>
inline U32x16 gather(const uint32_t* first, I32x16 offset, int part) {
#if defined(__AVX512F__)
    auto index = __builtin_bit_cast(__m512i, offset);
    return __builtin_bit_cast(
        U32x16, _mm512_i32gather_epi32(_mm512_mullo_epi32(index, _mm512_set1_epi32(kParts)), first + part, 4));
#else
    U32x16 words;
    for (int lane = 0; lane < 16; ++lane) words[lane] = first[static_cast<size_t>(offset[lane]) * kParts + part];
    return words;
#endif
}
template <Element kElement>
inline ElementWords<kElement> gatherWords(const uint32_t* first, I32x16 offset) {
    constexpr int kWords = elementInfo(kElement).words;
    ElementWords<kElement> words;
#if defined(__AVX512F__)
    // A gather costs what its lanes cost, of four bytes or of eight.
    if constexpr (kWords == 2) {
        const auto index = __builtin_bit_cast(__m512i, offset);
        const auto pairs = [&](__m256i of) {
            return __builtin_bit_cast(U32x16, _mm512_i32gather_epi64(of, first, sizeof(uint32_t[2])));
        };
        const U32x16 low = pairs(_mm512_castsi512_si256(index)), high = pairs(_mm512_extracti64x4_epi64(index, 1));
        words.word[0] = __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        words.word[1] = __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
        return words;
    }
#endif
    for (int i = 0; i < kWords; ++i) words.word[i] = gather<kWords>(first, offset, i);
    return words;
}

/// The bytes of each lane.
inline Texels bytesOf(U32x16 word) {
    return {{toFloat(asInt(word & 0xFFu)), toFloat(asInt((word >> 8u) & 0xFFu)), toFloat(asInt((word >> 16u) & 0xFFu)),
             toFloat(asInt(word >> 24u))}};
}

/// Their light, with alpha as it is.
inline Texels lightOf(U32x16 word) {
    return {{srgbToLinear(word, 0), srgbToLinear(word, 1), srgbToLinear(word, 2), toFloat(asInt(word >> 24u))}};
}

static_assert(enumeratorCount<Number>() == 9, "numberOf() and bitsOf() convert each kind");

// --- Reading ---

/// The number that `kBits` bits are.
template <Number kNumber, int kBits>
inline F32x16 numberOf(U32x16 bits) {
    constexpr float kLargest = static_cast<float>(~0u >> (32 - kBits));
    constexpr auto kUpper = static_cast<uint32_t>(32 - kBits);
    switch (kNumber) {
        case Number::Unorm:
        case Number::Srgb:
            return toFloat(asInt(bits));
        case Number::Snorm: {
            constexpr auto kMost = static_cast<float>(~0u >> (33 - kBits));
            return maxPs(toFloat(asInt(bits << kUpper) >> kUpper) / kMost, splat(-1.0f));
        }
        case Number::Float:
            if constexpr (kBits == 32) return asFloat(bits);
            // Of 10 and 11 bits there is no sign, and the lower part of the fraction is missing.
            return halfToFloat(bits << static_cast<uint32_t>(kBits < 16 ? 15 - kBits : 0));
        case Number::SharedExponent:
            break;  // it takes all channels: sharedExponentToFloats()
        case Number::Uint:
            return asFloat(bits);
        case Number::Sint:
            return asFloat(asInt(bits << kUpper) >> kUpper);
        case Number::Depth:
            return toFloat(asInt(bits)) / kLargest;
        case Number::DepthFloat:
            return asFloat(bits);
    }
    return splat(0.0f);
}

inline Texels sharedExponentToFloats(U32x16 word) {
    // 2^(e - 24), as the bits of a float.
    const F32x16 scale = asFloat(((word >> 27u) + (127u - 24u)) << 23u);
    return {{toFloat(asInt(word & 0x1FFu)) * scale, toFloat(asInt(word >> 9u & 0x1FFu)) * scale,
             toFloat(asInt(word >> 18u & 0x1FFu)) * scale, splat(1.0f)}};
}

template <Element kElement, int kChannel>
inline F32x16 channelOf(const ElementWords<kElement>& words) {
    constexpr const ElementInfo& kRow = kElements[static_cast<size_t>(kElement)];
    constexpr Field kField = kRow.channel[kChannel];
    if constexpr (kField.bits == 0) {
        return asFloat(splat(missingBits(kElement, kChannel)));
    } else {
        U32x16 bits = words.word[kField.word];
        if constexpr (kField.shift != 0) bits = bits >> uint32_t{kField.shift};
        if constexpr (kField.shift + kField.bits != 32) bits &= kField.mask() >> kField.shift;
        return numberOf<kRow.number, kField.bits>(bits);
    }
}

/// Colours; the light of encoded ones; depth as luminance.
template <Element kElement>
inline Texels numbersOf(const ElementWords<kElement>& words) {
    constexpr Number kNumber = elementInfo(kElement).number;
    if constexpr (kNumber == Number::Srgb) return lightOf(words.word[0]);
    if constexpr (kNumber == Number::SharedExponent) return sharedExponentToFloats(words.word[0]);
    if constexpr (isDepth(kElement)) {
        const F32x16 depth = channelOf<kElement, 0>(words);
        return {{depth, depth, depth, splat(1.0f)}};
    } else {
        return {{channelOf<kElement, 0>(words), channelOf<kElement, 1>(words), channelOf<kElement, 2>(words),
                 channelOf<kElement, 3>(words)}};
    }
}

// --- Writing ---

/// To the nearest float without sign that has `kFraction` bits of fraction and five of exponent, ties to even. What is
/// below 0 is 0, what is finite and above the largest is the largest; infinity stays, NaN is one.
template <int kFraction>
inline U32x16 floatToSmall(F32x16 value) {
    constexpr uint32_t kDropped = 23 - kFraction, kInfinity = 31u << kFraction;
    constexpr float kLargest = 65536.0f - static_cast<float>(32768 >> kFraction);
    constexpr auto kAligns = static_cast<float>(1 << (9 - kFraction));  // its last place is that of the smallest
    const Mask16 isNan = value != value;
    const F32x16 positive = select(value > 0.0f, value, splat(0.0f));
    const F32x16 finite = minPs(positive, splat(kLargest));
    const U32x16 bits = asUint(finite);
    const U32x16 normal = (bits - 0x38000000u + ((1u << (kDropped - 1)) - 1u) + (bits >> kDropped & 1u)) >> kDropped;
    const U32x16 small = asUint(finite + kAligns) - __builtin_bit_cast(uint32_t, kAligns);
    U32x16 result = select(bits < 0x38800000u, small, normal);
    result = select(asUint(positive) == 0x7F800000u, splat(kInfinity), result);
    return select(isNan, splat(kInfinity | 1u << (kFraction - 1)), result);
}

/// The bits of a number. Integers keep to what there are bits for; NaN is 0 where no float is stored.
template <Number kNumber, int kBits>
inline U32x16 bitsOf(F32x16 number) {
    constexpr uint32_t kAll = ~0u >> (32 - kBits);
    switch (kNumber) {
        case Number::Unorm:
        case Number::Srgb:
            return asUint(truncToInt(number));
        case Number::Snorm: {
            constexpr auto kMost = static_cast<float>(kAll >> 1);
            const F32x16 within = clamp(select(number == number, number, splat(0.0f)), -1.0f, 1.0f);
            return asUint(truncToInt(roundEven(within * kMost))) & kAll;
        }
        case Number::Float:
            if constexpr (kBits == 32) return asUint(number);
            if constexpr (kBits == 10 || kBits == 11) return floatToSmall<kBits - 5>(number);
            return floatToHalf(number);
        case Number::SharedExponent:
            break;  // floatsToSharedExponent()
        case Number::Uint: {
            const U32x16 integer = asUint(number);
            return select(integer < kAll, integer, splat(kAll));
        }
        case Number::Sint: {
            constexpr auto kMost = static_cast<int32_t>(kAll >> 1);
            return asUint(min(max(asInt(number), splat(-kMost - 1)), splat(kMost))) & kAll;
        }
        case Number::Depth: {
            constexpr auto kLargest = static_cast<double>(kAll);
            const F64x16 unit = __builtin_convertvector(clamp(number, 0.0f, 1.0f), F64x16);
            return asUint(__builtin_convertvector(unit * kLargest + 0.5, I32x16));
        }
        case Number::DepthFloat:
            return asUint(number);
    }
    return splat(0u);
}

/// Channels are clamped to 0 (NaN, too) .. 65408. The exponent is the least with which the largest channel fits,
/// rounded to nine bits, ties to even, as all are.
inline U32x16 floatsToSharedExponent(const Texels& texels) {
    F32x16 channel[3];
    for (int c = 0; c < 3; ++c) channel[c] = clamp(texels.channel[c], 0.0f, 65408.0f);
    const U32x16 largest = asUint(maxPs(maxPs(channel[0], channel[1]), channel[2]));
    const auto scaleOf = [](I32x16 exponent) { return asFloat((127 + 24 - exponent) << 23); };
    I32x16 exponent = max(asInt(largest >> 23u) - 127, splat(-16)) + 16;
    const Mask16 isFull = roundEven(asFloat(largest) * scaleOf(exponent)) == 512.0f;
    exponent -= isFull;  // -1 where it is
    U32x16 word = asUint(exponent << 27);
    for (uint32_t c = 0; c < 3; ++c) word |= asUint(truncToInt(roundEven(channel[c] * scaleOf(exponent)))) << (9 * c);
    return word;
}

/// The bits of one word of an element.
template <Element kElement, int kWord>
inline U32x16 wordOf(const Texels& numbers) {
    constexpr const ElementInfo& kRow = kElements[static_cast<size_t>(kElement)];
    if constexpr (kRow.number == Number::SharedExponent) return floatsToSharedExponent(numbers);
    U32x16 word = splat(0u);
    const auto add = [&]<int kChannel>() {
        constexpr Field kField = kRow.channel[kChannel];
        if constexpr (kField.bits != 0 && kField.word == kWord) {
            const F32x16 number = numbers.channel[kChannel];
            const U32x16 bits = kRow.number == Number::Srgb && kChannel < 3 ? linearToSrgb(number)
                                                                            : bitsOf<kRow.number, kField.bits>(number);
            word |= bits << uint32_t{kField.shift};
        }
    };
    add.template operator()<0>(), add.template operator()<1>(), add.template operator()<2>();
    add.template operator()<3>();
    return word;
}

/// What a normalised element holds of floats: to nearest, ties to even, NaN as 0. Other elements take them as they are.
inline Texels inUnits(Element element, const Texels& floats) {
    if (!isNormalized(element)) return floats;
    Texels units;
    for (int c = 0; c < 4; ++c) units.channel[c] = roundEven(clamp(floats.channel[c], 0.0f, 1.0f) * unitOf(element, c));
    return units;
}
/// The reverse.
inline Texels ofUnits(Element element, const Texels& units) {
    if (!isNormalized(element)) return units;
    Texels floats;
    for (int c = 0; c < 4; ++c) floats.channel[c] = units.channel[c] / unitOf(element, c);
    return floats;
}

/// What a SIMD level has for an element that is known only when the program runs.
struct ElementFunctions {
    /// Sixteen elements, one behind the other as in a block.
    void (*load)(const std::byte* elements, Texels& numbers);
    /// Those `channels` (bit 0 red .. bit 3 alpha) of those `lanes` of sixteen elements, all of which are read and
    /// written. Numbers of normalised elements are whole and within their units.
    void (*store)(std::byte* elements, const Texels& numbers, uint32_t lanes, uint32_t channels);
    /// Elements at `offset` from the first, in elements.
    void (*gather)(const uint32_t* first, I32x16 offset, Texels& numbers);
};
[[nodiscard]] const ElementFunctions& elementFunctions(Element element);

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
