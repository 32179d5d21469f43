// Short forms of the pixel engine for the states that programs mostly draw in. Each gives the bytes of the general form
// (pixel_ops.h, pixel_color.h), which is the definition; raster_blocks_test.cpp and pixel_test.cpp compare them.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "pipeline/pixel/pixel_color.h"
#include "pipeline/pixel/pixel_ops.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// quantizeDepth() in single precision. With S = 2^n - 1, below 2^23 the sum z * S + 2^23 has a last place of 1, so
/// that its one rounding is the rounding to an integer, ties to even; from 2^23 on the product itself has. The sum's
/// bits less those of 2^23 are the integer.
template <int kBits>
I32x16 quantizeDepthFast(F32x16 z) {
#ifdef TESSERA_HAS_FMA
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

/// The smaller of one and x; a NaN stays one.
inline F32x16 atMostOne(F32x16 x) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(F32x16, _mm512_min_ps(_mm512_set1_ps(1.0f), __builtin_bit_cast(__m512, x)));
#else
    return minPs(splat(1.0f), x);
#endif
}

/// To nearest, ties to even. Out of range and NaN: some negative number.
inline I32x16 roundToInt(F32x16 x) {
#if defined(__AVX512F__)
    return __builtin_bit_cast(I32x16, _mm512_cvtps_epi32(__builtin_bit_cast(__m512, x)));
#else
    return truncToInt(roundEven(clamp(x, -1.0f, 256.0f)));
#endif
}

/// Four channels, integers below 256 or negative, which counts as 0, to elements.
inline U32x16 packBytes(const I32x16 (&channel)[4]) {
#if defined(__AVX512BW__)
    const auto vector = [&](int c) { return __builtin_bit_cast(__m512i, channel[c]); };
    const __m512i redGreen = _mm512_packs_epi32(vector(0), vector(1));
    const __m512i blueAlpha = _mm512_packs_epi32(vector(2), vector(3));
    // Each row of the block: four bytes of red, of green, of blue, of alpha.
    const __m512i planes = _mm512_packus_epi16(redGreen, blueAlpha);
    const __m512i order = _mm512_broadcast_i32x4(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
    return __builtin_bit_cast(U32x16, _mm512_shuffle_epi8(planes, order));
#else
    U32x16 element = splat(0u);
    for (int c = 0; c < 4; ++c) element |= asUint(max(channel[c], splat(0))) << static_cast<uint32_t>(8 * c);
    return element;
#endif
}

/// Elements of a normalised block through the lanes.
inline void storeElements(uint32_t* block, U32x16 element, uint32_t lanes) {
    if (lanes == 0xFFFF) return store(block, element);
    store(block, select(fromBits(lanes), element, load<U32x16>(block)));
}

inline uint32_t missingAlpha(const TargetKey& key) { return (key.layout.channels & 8) != 0 ? 0u : 0xFF000000u; }

// The ends of the pipeline. prepare(): all that the program's colour alone decides; write(): the rest.

/// FinishKind::Opaque.
class OpaqueFinish {
public:
    using Source = U32x16;
    OpaqueFinish(const TargetKey& key, const PixelValues&) : alpha_(missingAlpha(key)) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        I32x16 channel[4];
        for (int c = 0; c < 4; ++c) {
            // A NaN stays one up to the conversion, which makes it negative.
            channel[c] = roundToInt(atMostOne(color.channel[c]) * 255.0f);
        }
        return packBytes(channel) | alpha_;
    }
    void write(uint32_t* block, Source source, uint32_t lanes) const { storeElements(block, source, lanes); }

private:
    uint32_t alpha_;
};

/// FinishKind::AlphaBlend and its kin: s * a + d * (1 - a), in units of 1/255. Sums cannot pass 255 by half a unit.
template <FinishKind kKind>
class AlphaFinish {
public:
    struct Source {
        F32x16 scaled[4], rest;
    };
    AlphaFinish(const TargetKey& key, const PixelValues&) : alpha_(missingAlpha(key)) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        const F32x16 alpha = clamp(color.channel[3], 0.0f, 1.0f);
        Source source;
        for (int c = 0; c < 3; ++c) source.scaled[c] = clamp(color.channel[c], 0.0f, 1.0f) * 255.0f * alpha;
        source.scaled[3] = kKind == FinishKind::AlphaBlend ? alpha * 255.0f * alpha : alpha * 255.0f;
        source.rest = 1.0f - alpha;
        return source;
    }
    void write(uint32_t* block, const Source& source, uint32_t lanes) const {
        const U32x16 stored = load<U32x16>(block);
        I32x16 channel[4];
        for (uint32_t c = 0; c < 4; ++c) {
            const I32x16 destination = asInt(stored >> (8 * c) & 255u);
            const bool keeps = kKind == FinishKind::AlphaBlendKeep && c == 3;
            channel[c] = keeps ? destination : roundToInt(source.scaled[c] + toFloat(destination) * source.rest);
        }
        storeElements(block, packBytes(channel) | alpha_, lanes);
    }

private:
    uint32_t alpha_;
};

/// Other blends of an eight-bit target with the same factors for colour and alpha: the general form, folded.
template <BlendFactor kSource, BlendFactor kDestination>
class FixedBlend {
public:
    using Source = ColorBlock;
    FixedBlend(const TargetKey& key, const PixelValues& values) : values_(values), alpha_(missingAlpha(key)) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const { return color; }
    void write(uint32_t* block, const Source& source, uint32_t lanes) const {
        constexpr TargetKey kKey = {.layout = {.present = true},
                                    .blend = true,
                                    .source = {kSource, kSource},
                                    .destination = {kDestination, kDestination}};
        const auto* bytes = reinterpret_cast<const std::byte*>(block);
        storeElements(block, packRgba8(kKey.layout, finishColor(kKey, values_, bytes, source)) | alpha_, lanes);
    }

private:
    const PixelValues& values_;
    uint32_t alpha_;
};

/// FinishKind::Rgb565: the general form, folded.
class Rgb565Finish {
public:
    using Source = U32x16;
    Rgb565Finish(const TargetKey& key, const PixelValues& values) : values_(values), dither_(key.dither) {}

    [[nodiscard]] Source prepare(const ColorBlock& color) const {
        return dither_ ? elementsOf<true>(color) : elementsOf<false>(color);
    }
    void write(uint32_t* block, Source source, uint32_t lanes) const { storeElements(block, source, lanes); }

private:
    template <bool kDither>
    [[nodiscard]] U32x16 elementsOf(const ColorBlock& color) const {
        constexpr TargetKey kKey = {
            .layout = {.present = true, .channels = 7, .bits = {5, 6, 5, 8}, .scale = {31, 63, 31, 255}},
            .dither = kDither};
        return packRgba8(kKey.layout, finishColor(kKey, values_, nullptr, color));
    }

    const PixelValues& values_;
    bool dither_;
};

/// Calls use.template operator()<F>() with the class F of a kind; false: FinishKind::Generic has none.
template <class Use>
bool withFinish(FinishKind kind, const Use& use) {
    switch (kind) {
        case FinishKind::Opaque:
            use.template operator()<OpaqueFinish>();
            return true;
        case FinishKind::AlphaBlend:
            use.template operator()<AlphaFinish<FinishKind::AlphaBlend>>();
            return true;
        case FinishKind::AlphaBlendKeep:
            use.template operator()<AlphaFinish<FinishKind::AlphaBlendKeep>>();
            return true;
        case FinishKind::AlphaBlendOver:
            use.template operator()<AlphaFinish<FinishKind::AlphaBlendOver>>();
            return true;
        case FinishKind::Premultiplied:
            use.template operator()<FixedBlend<BlendFactor::One, BlendFactor::OneMinusSrcAlpha>>();
            return true;
        case FinishKind::Additive:
            use.template operator()<FixedBlend<BlendFactor::One, BlendFactor::One>>();
            return true;
        case FinishKind::AlphaAdditive:
            use.template operator()<FixedBlend<BlendFactor::SrcAlpha, BlendFactor::One>>();
            return true;
        case FinishKind::Rgb565:
            use.template operator()<Rgb565Finish>();
            return true;
        case FinishKind::Generic:
            return false;
    }
    return false;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
