// Short forms of the pixel engine for the states that programs mostly draw in (pixel_forms.h chooses). Each gives the
// bytes of the stages (test_stages.h, color_stages.h), which are the definition: raster_blocks_test.cpp compares them
// in random states.
//
// Why they are there: a block of the benchmark's row blend took 243 cycles through general code and takes 50, one of
// gouraud_depth 195 and 50 (docs/notes/blocks.md).
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/registers.h"
#include "pipeline/pixel/color_stages.h"
#include "pipeline/pixel/pixel_forms.h"
#include "pipeline/pixel/test_stages.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// quantizeDepth() in single precision. With S = 2^n - 1, below 2^23 the sum z * S + 2^23 has a last place of 1, so
/// that its one rounding is the rounding to an integer, ties to even; from 2^23 on the product itself has. The sum's
/// bits less those of 2^23 are the integer.
template <int kBits>
I32x16 quantizeDepthFast(F32x16 z) {
#ifdef TESSERA_HAS_FMA
    if constexpr (kBits == 32) return asInt(clamp(z, 0.0f, 1.0f));
    constexpr float kLargest = kBits == 16 ? 65535.0f : 16777215.0f;
    constexpr float kOnes = 0x1p23f;
    constexpr int kOnesBits = 0x4B000000;
    const F32x16 unit = clamp(z, 0.0f, 1.0f);
    const I32x16 low = asInt(fma(unit, splat(kLargest), splat(kOnes))) - kOnesBits;
    if constexpr (kBits == 16) return low << 8 | low >> 8;
    const F32x16 product = unit * kLargest;
    return select(product >= kOnes, asInt(product) - (kOnesBits - (1 << 23)), low);
#else
    return quantizeDepth(z, kBits);
#endif
}

/// TestForm::DepthOnly: tests `lanes` of the block and, with `write`, writes what passes, which is returned. kBranches:
/// rather branches than work that blocks without a pixel, or with all of them, do not need; right for the blocks of a
/// large primitive, of which most are the one or the other.
template <int kBits, bool kBranches>
uint32_t testDepthOnly(Compare function, bool write, F32x16 z, uint32_t lanes, uint32_t* block) {
    const I32x16 incoming = quantizeDepthFast<kBits>(z);
    const I32x16 stored = load<I32x16>(block);
    const uint32_t passed = toBits(compare(function, incoming, storedDepth(stored, kBits))) & lanes;
    if (!write || (kBranches && passed == 0)) return passed;
    const I32x16 written = withDepth(stored, incoming, kBits);
    const bool isWhole = kBranches && passed == 0xFFFF;
    store(block, isWhole ? written : select(fromBits(passed), written, stored));
    return passed;
}

/// The smaller of one and x; a NaN stays one.
inline F32x16 atMostOne(F32x16 x) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(F32x16, _mm512_min_ps(_mm512_set1_ps(1.0f), __builtin_bit_cast(__m512, x)));
#else
    return minPs(splat(1.0f), x);
#endif
}

#if !defined(__x86_64__)
/// Rounds to the nearest integer, ties to even. A number far out of range becomes some integer out of range, and NaN
/// some negative one.
inline I32x16 roundToInt(F32x16 x) { return truncToInt(roundEven(clamp(x, -1.0f, 256.0f))); }
#endif

#if defined(__x86_64__)
/// One row of a block, or several side by side: integers of sixteen bits, brought to 0..255, to elements.
inline Register packRows(Register red, Register green, Register blue, Register alpha) {
    // Each row: four bytes of red, of green, of blue, of alpha; then a byte of each.
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
#if defined(__AVX512BW__)
    const Register planes = _mm512_packus_epi16(_mm512_packs_epi32(red, green), _mm512_packs_epi32(blue, alpha));
    return _mm512_shuffle_epi8(planes, _mm512_broadcast_i32x4(order));
#elif defined(__AVX2__)
    const Register planes = _mm256_packus_epi16(_mm256_packs_epi32(red, green), _mm256_packs_epi32(blue, alpha));
    return _mm256_shuffle_epi8(planes, _mm256_broadcastsi128_si256(order));
#else
    return _mm_shuffle_epi8(_mm_packus_epi16(_mm_packs_epi32(red, green), _mm_packs_epi32(blue, alpha)), order);
#endif
}
#endif

/// Four channels, integers of sixteen bits, brought to 0..255, to elements.
inline U32x16 packBytes(const I32x16 (&channel)[4]) {
#if defined(__x86_64__)
    const auto registers = [&](int c) { return __builtin_bit_cast(Registers, channel[c]); };
    const Registers red = registers(0), green = registers(1), blue = registers(2), alpha = registers(3);
    Registers element;
    for (size_t i = 0; i < element.size(); ++i) element[i] = packRows(red[i], green[i], blue[i], alpha[i]);
    return __builtin_bit_cast(U32x16, element);
#else
    U32x16 element = splat(0u);
    for (int c = 0; c < 4; ++c)
        element |= asUint(min(max(channel[c], splat(0)), splat(255))) << static_cast<uint32_t>(8 * c);
    return element;
#endif
}

/// Elements of a normalised block through the lanes.
inline void storeElements(uint32_t* block, U32x16 element, uint32_t lanes) {
    if (lanes == 0xFFFF) return store(block, element);
    store(block, select(fromBits(lanes), element, load<U32x16>(block)));
}

inline uint32_t missingAlpha(const TargetKey& key) { return (key.layout.channels & 8) != 0 ? 0u : 0xFF000000u; }

/// What the color stages make of a state that a constant key says, as elements. Folded, they are short.
template <const TargetKey& kKey>
U32x16 finishedElements(const PixelValues& values, const uint32_t* block, const ColorBlock& color) {
    ColorLanes lanes(kKey, values);
    lanes.color = color;
    lanes.memory = reinterpret_cast<const std::byte*>(block);
    ColorStages::runInline(lanes);
    return packRgba8(kKey.layout, lanes.color);
}

// The finishes. prepare(): all that the program's colour alone decides; write(): the rest. merge(): both, for a block
// whose colours serve once. isOpaque(): whether one colour of all lanes is better written by OpaqueFinish.

/// FinishForm::Opaque.
class OpaqueFinish {
public:
    using Source = U32x16;
    OpaqueFinish(const TargetKey& key, const PixelValues&) : alpha_(missingAlpha(key)) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        return elements(color, byteOf(color.channel[3])) | alpha_;
    }
    /// With an alpha of 0 to 255.
    static U32x16 elements(const ColorBlock& color, I32x16 alpha) {
        const I32x16 channel[4] = {byteOf(color.channel[0]), byteOf(color.channel[1]), byteOf(color.channel[2]), alpha};
        return packBytes(channel);
    }
    void write(uint32_t* block, Source source, uint32_t lanes) const { storeElements(block, source, lanes); }
    void merge(uint32_t* block, const ColorBlock& color, uint32_t lanes) const { write(block, prepare(color), lanes); }
    static bool isOpaque(const ColorBlock&) { return false; }

private:
    /// Below 0 for what packing makes 0. A NaN stays one up to the conversion, which makes it negative.
    static I32x16 byteOf(F32x16 value) { return roundToInt(atMostOne(value) * 255.0f); }

    uint32_t alpha_;
};

/// Blends by factors of the source's alpha, in units of 1/255: s * a or s, plus d * (1 - a) or d or, for alpha alone,
/// what it was. Sums beyond 255 are packed as 255.
template <FinishForm kForm>
class BlendFinish {
    static constexpr bool kOver = kForm == FinishForm::AlphaBlend || kForm == FinishForm::AlphaBlendKeep ||
                                  kForm == FinishForm::AlphaBlendOver || kForm == FinishForm::Premultiplied;
    static constexpr bool kKeepsAlpha = kForm == FinishForm::AlphaBlendKeep;
    /// Whether the source's channel is multiplied by its alpha.
    static constexpr bool isScaled(int channel) {
        if (kForm == FinishForm::Premultiplied || kForm == FinishForm::Additive) return false;
        return channel < 3 || kForm == FinishForm::AlphaBlend || kForm == FinishForm::AlphaAdditive;
    }

    /// Whether nothing of a pixel with an alpha of 0 is seen, or its colours must be 0 too.
    static constexpr bool kAlphaHides = isScaled(0);

public:
    struct Source {
        F32x16 scaled[4], rest;
    };
    BlendFinish(const TargetKey& key, const PixelValues&) : alpha_(missingAlpha(key)) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        const F32x16 alpha = clamp(color.channel[3], 0.0f, 1.0f);
        Source source;
        for (int c = 0; c < 4; ++c) {
            source.scaled[c] = (c == 3 ? alpha : clamp(color.channel[c], 0.0f, 1.0f)) * 255.0f;
            if (isScaled(c)) source.scaled[c] *= alpha;
        }
        source.rest = 1.0f - alpha;
        return source;
    }
    // A call hands five vectors over in memory: 7 % of blend's instructions on x86-64-v3.
    [[gnu::always_inline]] void write(uint32_t* block, const Source& source, uint32_t lanes) const {
        const U32x16 stored = load<U32x16>(block);
        I32x16 channel[4];
        for (uint32_t c = 0; c < 4; ++c) {
            const I32x16 destination = asInt(stored >> (8 * c) & 255u);
            const bool keeps = kKeepsAlpha && c == 3;
            const F32x16 below = kOver ? toFloat(destination) * source.rest : toFloat(destination);
            channel[c] = keeps ? destination : roundToInt(source.scaled[c] + below);
        }
        storeElements(block, packBytes(channel) | alpha_, lanes);
    }
    /// Pictures are opaque at most places, and not there at most others: such blocks are not blended.
    [[gnu::always_inline]] void merge(uint32_t* block, const ColorBlock& color, uint32_t lanes) const {
        if constexpr (kForm != FinishForm::Additive) {
            // One lane, covered or not, tells whether it is worth asking all of them: not from the least number above
            // 0 to the greatest below 1.
            const uint32_t first = __builtin_bit_cast(uint32_t, static_cast<float>(color.channel[3][0]));
            const bool isBetween = first - 1 < 0x3F800000u - 1;
            if (!isBetween && mergeSharp(block, color, lanes)) return;
        }
        write(block, prepare(color), lanes);
    }
    static bool isOpaque(const ColorBlock& color) { return kOver && !kKeepsAlpha && color.channel[3][0] >= 1.0f; }

private:
    /// Blocks each of whose pixels is opaque or not there; false: this is none, and nothing was done.
    [[gnu::always_inline]] bool mergeSharp(uint32_t* block, const ColorBlock& color, uint32_t lanes) const {
        const F32x16 alpha = color.channel[3];
        if constexpr (kOver) {
            const uint32_t opaque = toBits(alpha >= 1.0f);
            if ((lanes & ~opaque) == 0) return writeOpaque(block, color, lanes), true;
        }
        // A format without alpha has one written all the same.
        if (alpha_ != 0) return false;
        Mask16 seen = alpha > 0.0f;
        if constexpr (!kAlphaHides)
            for (int c = 0; c < 3; ++c) seen |= color.channel[c] > 0.0f;
        lanes &= toBits(seen);
        if (lanes == 0) return true;
        if constexpr (!kOver) return false;
        if ((lanes & ~toBits(alpha >= 1.0f)) != 0) return false;
        return writeOpaque(block, color, lanes), true;
    }
    /// What is left of over with an alpha of 1.
    void writeOpaque(uint32_t* block, const ColorBlock& color, uint32_t lanes) const {
        U32x16 element = OpaqueFinish::elements(color, splat(kKeepsAlpha ? 0 : 255));
        if (kKeepsAlpha) element |= (load<U32x16>(block) & 0xFF000000u) | alpha_;
        storeElements(block, element, lanes);
    }

    uint32_t alpha_;
};

/// Channels of FinishForm::Factors in memory, and of FinishForm::Rgb10A2.
class ByteChannels {
public:
    explicit ByteChannels(const TargetKey& key) : alpha_(missingAlpha(key)) {}
    static float scale(int) { return 255.0f; }
    static I32x16 channel(U32x16 elements, uint32_t c) { return asInt(elements >> (8 * c) & 255u); }
    /// Out of range where packing brings it back.
    static I32x16 quantized(F32x16 value, int) { return roundToInt(value); }
    [[nodiscard]] U32x16 elements(const I32x16 (&channel)[4]) const { return packBytes(channel) | alpha_; }

private:
    uint32_t alpha_;
};
class TenBitChannels {
public:
    explicit TenBitChannels(const TargetKey& key) : dither_(key.dither) {}
    static float scale(int c) { return c == 3 ? 3.0f : 1023.0f; }
    static I32x16 channel(U32x16 elements, uint32_t c) {
        return asInt(c == 3 ? elements >> 30u : elements >> (10 * c) & 1023u);
    }
    [[nodiscard]] I32x16 quantized(F32x16 value, int c) const {
        const F32x16 within = clamp(value, 0.0f, scale(c));
        if (c == 3 && dither_) return truncToInt(minPs(floor(within + kDitherThreshold), splat(scale(c))));
        return truncToInt(roundEven(within));
    }
    static U32x16 elements(const I32x16 (&channel)[4]) {
        return asUint(channel[0]) | asUint(channel[1]) << 10u | asUint(channel[2]) << 20u | asUint(channel[3]) << 30u;
    }

private:
    bool dither_;
};

/// A factor that is of constants and the source's alpha, times what its side has for a sign in the equation, is
/// base + alpha * the source's alpha. One of the two is 0, or base is 1 and alpha -1, so that this is rounded as
/// blendFactor() is.
struct FactorTerms {
    float base[4] = {}, alpha[4] = {};

    void set(int channel, BlendFactor factor, const PixelValues& values, float sign) {
        const auto put = [&](float one, float constant, int from, float ofAlpha) {
            const float color = values.blendColor[from], number = color > 1 ? 1.0f : color > 0 ? color : 0.0f;
            base[channel] = sign * (one + constant * number), alpha[channel] = sign * ofAlpha;
        };
        switch (factor) {
            case BlendFactor::One:
                return put(1, 0, 0, 0);
            case BlendFactor::SrcAlpha:
                return put(0, 0, 0, 1);
            case BlendFactor::OneMinusSrcAlpha:
                return put(1, 0, 0, -1);
            case BlendFactor::ConstantColor:
                return put(0, 1, channel, 0);
            case BlendFactor::OneMinusConstantColor:
                return put(1, -1, channel, 0);
            case BlendFactor::ConstantAlpha:
                return put(0, 1, 3, 0);
            case BlendFactor::OneMinusConstantAlpha:
                return put(1, -1, 3, 0);
            default:  // Zero; isOfAlpha() (pixel_forms.cpp) lets no other one through
                return put(0, 0, 0, 0);
        }
    }
};

/// FinishForm::Factors and FinishForm::Rgb10A2.
template <class Channels>
class FactorsFinish {
public:
    struct Source {
        F32x16 scaled[4], rest[4];
    };
    FactorsFinish(const TargetKey& key, const PixelValues& values) : channels_(key) {
        for (int c = 0; c < 4; ++c) {
            const int part = c == 3 ? 1 : 0;
            const BlendEquation equation = key.equation[part];
            source_.set(c, key.blend ? key.source[part] : BlendFactor::One, values,
                        equation == BlendEquation::ReverseSubtract ? -1.0f : 1.0f);
            destination_.set(c, key.blend ? key.destination[part] : BlendFactor::Zero, values,
                             equation == BlendEquation::Subtract ? -1.0f : 1.0f);
            usesAlpha_ |= source_.alpha[c] != 0 || destination_.alpha[c] != 0;
        }
    }

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        const F32x16 alpha = clamp(color.channel[3], 0.0f, 1.0f);
        Source source;
        for (int c = 0; c < 4; ++c) {
            source.scaled[c] = scaled(color, alpha, c, usesAlpha_);
            source.rest[c] = factor(destination_, alpha, c, usesAlpha_);
        }
        return source;
    }
    void write(uint32_t* block, const Source& source, uint32_t lanes) const {
        writeSums(block, lanes, [&](int c) { return Sum{source.scaled[c], source.rest[c]}; });
    }
    /// Channel by channel: eight vectors at a time are more than the registers of most hosts hold.
    [[gnu::always_inline]] void merge(uint32_t* block, const ColorBlock& color, uint32_t lanes) const {
        return usesAlpha_ ? mergeBy<true>(block, color, lanes) : mergeBy<false>(block, color, lanes);
    }
    static bool isOpaque(const ColorBlock&) { return false; }

private:
    struct Sum {
        F32x16 scaled, rest;
    };

    [[gnu::always_inline]] static F32x16 factor(const FactorTerms& terms, F32x16 alpha, int c, bool usesAlpha) {
        const F32x16 base = splat(terms.base[c]);
        return usesAlpha ? base + alpha * terms.alpha[c] : base;
    }
    [[gnu::always_inline]] F32x16 scaled(const ColorBlock& color, F32x16 alpha, int c, bool usesAlpha) const {
        const F32x16 value = c == 3 ? alpha : clamp(color.channel[c], 0.0f, 1.0f);
        return value * Channels::scale(c) * factor(source_, alpha, c, usesAlpha);
    }
    template <class SumOf>
    [[gnu::always_inline]] void writeSums(uint32_t* block, uint32_t lanes, const SumOf& sumOf) const {
        const U32x16 stored = load<U32x16>(block);
        I32x16 channel[4];
        for (int c = 0; c < 4; ++c) {
            const Sum sum = sumOf(c);
            const F32x16 below = toFloat(Channels::channel(stored, static_cast<uint32_t>(c))) * sum.rest;
            channel[c] = channels_.quantized(sum.scaled + below, c);
        }
        storeElements(block, channels_.elements(channel), lanes);
    }
    template <bool kUsesAlpha>
    [[gnu::always_inline]] void mergeBy(uint32_t* block, const ColorBlock& color, uint32_t lanes) const {
        const F32x16 alpha = clamp(color.channel[3], 0.0f, 1.0f);
        writeSums(block, lanes, [&](int c) __attribute__((always_inline)) {
            return Sum{scaled(color, alpha, c, kUsesAlpha), factor(destination_, alpha, c, kUsesAlpha)};
        });
    }

    Channels channels_;
    FactorTerms source_, destination_;
    bool usesAlpha_ = false;
};

/// FinishForm::Rgb565: the stages, folded.
class Rgb565Finish {
public:
    using Source = U32x16;
    Rgb565Finish(const TargetKey& key, const PixelValues& values) : values_(values), dither_(key.dither) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        return dither_ ? finishedElements<kKey<true>>(values_, nullptr, color)
                       : finishedElements<kKey<false>>(values_, nullptr, color);
    }
    void write(uint32_t* block, Source source, uint32_t lanes) const { storeElements(block, source, lanes); }
    void merge(uint32_t* block, const ColorBlock& color, uint32_t lanes) const { write(block, prepare(color), lanes); }
    static bool isOpaque(const ColorBlock&) { return false; }

private:
    template <bool kDither>
    static constexpr TargetKey kKey = {
        .layout = {.present = true, .channels = 7, .bits = {5, 6, 5, 8}, .scale = {31, 63, 31, 255}},
        .dither = kDither};
    const PixelValues& values_;
    bool dither_;
};

/// Calls use.template operator()<F>() with the class F of a form; false: FinishForm::General has none.
template <class Use>
bool withFinish(FinishForm form, const Use& use) {
    switch (form) {
        case FinishForm::Opaque:
            use.template operator()<OpaqueFinish>();
            return true;
        case FinishForm::AlphaBlend:
            use.template operator()<BlendFinish<FinishForm::AlphaBlend>>();
            return true;
        case FinishForm::AlphaBlendKeep:
            use.template operator()<BlendFinish<FinishForm::AlphaBlendKeep>>();
            return true;
        case FinishForm::AlphaBlendOver:
            use.template operator()<BlendFinish<FinishForm::AlphaBlendOver>>();
            return true;
        case FinishForm::Premultiplied:
            use.template operator()<BlendFinish<FinishForm::Premultiplied>>();
            return true;
        case FinishForm::Additive:
            use.template operator()<BlendFinish<FinishForm::Additive>>();
            return true;
        case FinishForm::AlphaAdditive:
            use.template operator()<BlendFinish<FinishForm::AlphaAdditive>>();
            return true;
        case FinishForm::Factors:
            use.template operator()<FactorsFinish<ByteChannels>>();
            return true;
        case FinishForm::Rgb565:
            use.template operator()<Rgb565Finish>();
            return true;
        case FinishForm::Rgb10A2:
            use.template operator()<FactorsFinish<TenBitChannels>>();
            return true;
        case FinishForm::General:
            return false;
    }
    return false;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
