// The pixel engine's colours: blending, dithering, quantisation and packing of a 4x4 block (OpenGL ES 2.0.25,
// sections 4.1.6 to 4.1.8 and 4.2.2).
//
// Arithmetic is in units of the buffer's last place: a channel of n bits has scale 2^n - 1, its stored value d is
// an exact integer 0..scale, a source colour s (clamped to 0..1) becomes s * scale. Blending s*S + d*D in these
// units needs no conversion of the destination and rounds to the stored value directly: to nearest, ties to even.
// Float buffers have scale 1, no clamp and no rounding but their own.
#pragma once

#include "base/simd.h"
#include "pipeline/pixel/pixel_key.h"
#include "pipeline/samples.h"
#include "texture/convert.h"
#include "texture/srgb.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Red, green, blue, alpha of sixteen pixels.
struct ColorBlock {
    F32x16 channel[4];
};

/// What a program writes for a target.
struct SourceColors {
    SourceColors(const ColorBlock& only) : first(only) {}
    SourceColors(const ColorBlock& one, const ColorBlock& other) : first(one), second(other) {}
    ColorBlock first, second;  ///< the second one with TargetKey::dualSource
};

inline bool isNormalized(const ColorLayout& layout) { return layout.element == texture::Element::Rgba8; }

// Memory

/// A block of 32-bit elements.
inline uint32_t* elements(std::byte* block) { return reinterpret_cast<uint32_t*>(block); }
inline const uint32_t* elements(const std::byte* block) { return reinterpret_cast<const uint32_t*>(block); }

/// Stored channels in units of 1/scale; missing ones read the largest value (alpha 1).
inline ColorBlock loadColor(const ColorLayout& layout, const std::byte* block) {
    ColorBlock color;
    for (int channel = 0; channel < 4; ++channel) {
        F32x16& value = color.channel[channel];
        if ((layout.channels >> channel & 1) == 0) {
            value = splat(layout.scale[channel]);
            continue;
        }
        switch (layout.element) {
            case texture::Element::Rgba16F: {
                alignas(64) uint32_t half[kBlockLanes];
                for (int lane = 0; lane < kBlockLanes; ++lane) {
                    uint16_t stored;
                    std::memcpy(&stored, block + (lane * 4 + channel) * sizeof stored, sizeof stored);
                    half[lane] = stored;
                }
                value = texture::halfToFloat(load<U32x16>(half));
                break;
            }
            case texture::Element::Rgba32F: {
                alignas(64) float stored[kBlockLanes];
                for (int lane = 0; lane < kBlockLanes; ++lane) {
                    std::memcpy(&stored[lane], block + (lane * 4 + channel) * sizeof(float), sizeof(float));
                }
                value = load<F32x16>(stored);
                break;
            }
            default: {
                // The top n bits of an expanded n-bit value are the value.
                const U32x16 byte = load<U32x16>(elements(block)) >> static_cast<uint32_t>(8 * channel) & 255u;
                value = layout.srgb && channel < 3
                            ? texture::srgbToLinear(byte)
                            : toFloat(asInt(byte >> static_cast<uint32_t>(8 - layout.bits[channel])));
            }
        }
    }
    return color;
}

/// Integers 0..scale to an element, each channel expanded to eight bits; a missing alpha is 255, missing colours 0.
inline U32x16 packRgba8(const ColorLayout& layout, const ColorBlock& color) {
    U32x16 element = splat(0u);
    for (int channel = 0; channel < 4; ++channel) {
        U32x16 byte = splat(channel == 3 ? 255u : 0u);
        if ((layout.channels >> channel & 1) != 0) {
            F32x16 value = color.channel[channel];
            if (layout.bits[channel] != 8) value = roundEven(value * (255.0f / layout.scale[channel]));
            byte = asUint(truncToInt(value));
        }
        element |= byte << static_cast<uint32_t>(8 * channel);
    }
    return element;
}

inline void storeFloat(const ColorLayout& layout, std::byte* block, const ColorBlock& color, uint32_t lanes,
                       uint8_t colorMask) {
    const bool isHalf = layout.element == texture::Element::Rgba16F;
    for (int channel = 0; channel < 4; ++channel) {
        const bool exists = (layout.channels >> channel & 1) != 0;
        if (exists && (colorMask >> channel & 1) == 0) continue;
        F32x16 value = exists ? color.channel[channel] : splat(channel == 3 ? 1.0f : 0.0f);
        value = select(value == value, value, asFloat(splat(0x7fc00000)));
        alignas(64) uint32_t bits[kBlockLanes];
        store(bits, isHalf ? texture::floatToHalf(value) : asUint(value));
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left), place = lane * 4 + channel;
            if (isHalf) {
                const uint16_t half = static_cast<uint16_t>(bits[lane]);
                std::memcpy(block + place * sizeof half, &half, sizeof half);
            } else {
                std::memcpy(block + place * sizeof(float), &bits[lane], sizeof(float));
            }
        }
    }
}

/// Writes the lanes of `coverage` through the colour mask. Normalised layouts: `color` holds integers 0..scale.
/// A channel that the format lacks is always written, with its constant.
inline void storeColor(const ColorLayout& layout, std::byte* block, const ColorBlock& color, Mask16 coverage,
                       uint8_t colorMask) {
    if (!isNormalized(layout)) {
        storeFloat(layout, block, color, toBits(coverage), colorMask);
        return;
    }
    uint32_t bytes = 0;
    const uint8_t written = colorMask | static_cast<uint8_t>(~layout.channels);
    for (int channel = 0; channel < 4; ++channel) {
        if ((written >> channel & 1) != 0) bytes |= 255u << (8 * channel);
    }
    const U32x16 mask = asUint(coverage) & bytes;
    store(elements(block), (load<U32x16>(elements(block)) & ~mask) | (packRgba8(layout, color) & mask));
}

// Blending

/// What a blend reads. Sources, constant and destination fraction are 0..1 for normalised layouts.
struct BlendInput {
    ColorBlock source, second, destinationFraction;
    float constant[4];
};

inline F32x16 blendFactor(BlendFactor factor, const BlendInput& in, int channel) {
    const F32x16 one = splat(1.0f);
    switch (factor) {
        case BlendFactor::Zero:
            return splat(0.0f);
        case BlendFactor::One:
            return one;
        case BlendFactor::SrcColor:
            return in.source.channel[channel];
        case BlendFactor::OneMinusSrcColor:
            return one - in.source.channel[channel];
        case BlendFactor::DstColor:
            return in.destinationFraction.channel[channel];
        case BlendFactor::OneMinusDstColor:
            return one - in.destinationFraction.channel[channel];
        case BlendFactor::SrcAlpha:
            return in.source.channel[3];
        case BlendFactor::OneMinusSrcAlpha:
            return one - in.source.channel[3];
        case BlendFactor::DstAlpha:
            return in.destinationFraction.channel[3];
        case BlendFactor::OneMinusDstAlpha:
            return one - in.destinationFraction.channel[3];
        case BlendFactor::ConstantColor:
            return splat(in.constant[channel]);
        case BlendFactor::OneMinusConstantColor:
            return splat(1.0f - in.constant[channel]);
        case BlendFactor::ConstantAlpha:
            return splat(in.constant[3]);
        case BlendFactor::OneMinusConstantAlpha:
            return splat(1.0f - in.constant[3]);
        case BlendFactor::SrcAlphaSaturate:
            return channel == 3 ? one : minPs(in.source.channel[3], one - in.destinationFraction.channel[3]);
        case BlendFactor::Src1Color:
            return in.second.channel[channel];
        case BlendFactor::OneMinusSrc1Color:
            return one - in.second.channel[channel];
        case BlendFactor::Src1Alpha:
            return in.second.channel[3];
        case BlendFactor::OneMinusSrc1Alpha:
            return one - in.second.channel[3];
    }
    return one;
}

inline bool usesDestination(BlendFactor factor) {
    return factor == BlendFactor::DstColor || factor == BlendFactor::OneMinusDstColor ||
           factor == BlendFactor::DstAlpha || factor == BlendFactor::OneMinusDstAlpha ||
           factor == BlendFactor::SrcAlphaSaturate;
}

/// One channel; `source` and `destination` in units of 1/scale. Minimum and maximum ignore the factors.
inline F32x16 blendChannel(const TargetKey& key, const BlendInput& in, F32x16 source, F32x16 destination, int channel) {
    const int part = channel == 3 ? 1 : 0;
    const BlendEquation equation = key.equation[part];
    if (equation == BlendEquation::Min) return minPs(source, destination);
    if (equation == BlendEquation::Max) return maxPs(source, destination);
    source *= blendFactor(key.source[part], in, channel);
    destination *= blendFactor(key.destination[part], in, channel);
    if (equation == BlendEquation::Subtract) return source - destination;
    if (equation == BlendEquation::ReverseSubtract) return destination - source;
    return source + destination;
}

/// Colours of programs are clamped for normalised layouts.
inline ColorBlock clamped(const ColorLayout& layout, ColorBlock color) {
    if (isNormalized(layout)) {
        for (F32x16& channel : color.channel) channel = clamp(channel, 0.0f, 1.0f);
    }
    return color;
}

/// Blends the first of `sources` over what is stored; the result is in units of 1/scale, unclamped.
inline ColorBlock blend(const TargetKey& key, const PixelValues& values, const SourceColors& sources,
                        const std::byte* block) {
    const ColorLayout& layout = key.layout;
    BlendInput in;
    in.source = clamped(layout, sources.first);
    if (key.dualSource) in.second = clamped(layout, sources.second);
    for (int channel = 0; channel < 4; ++channel) {
        const float constant = values.blendColor[channel];
        in.constant[channel] = isNormalized(layout) ? clamp(splat(constant), 0.0f, 1.0f)[0] : constant;
    }
    const ColorBlock destination = loadColor(layout, block);
    in.destinationFraction = destination;
    if (isNormalized(layout) && (usesDestination(key.source[0]) || usesDestination(key.source[1]) ||
                                 usesDestination(key.destination[0]) || usesDestination(key.destination[1]))) {
        for (int channel = 0; channel < 4; ++channel) {
            in.destinationFraction.channel[channel] = destination.channel[channel] / layout.scale[channel];
        }
    }
    ColorBlock result;
    for (int channel = 0; channel < 4; ++channel) {
        result.channel[channel] = blendChannel(key, in, in.source.channel[channel] * layout.scale[channel],
                                               destination.channel[channel], channel);
    }
    return result;
}

// Quantisation

/// Ordered dither thresholds of a 4x4 block (B. E. Bayer, 1973), (index + 1/2) / 16, by pixel position. A value
/// that the format holds exactly stays as it is.
inline constexpr F32x16 kDitherThreshold = {
    0.5f / 16, 8.5f / 16,  2.5f / 16, 10.5f / 16, 12.5f / 16, 4.5f / 16, 14.5f / 16, 6.5f / 16,
    3.5f / 16, 11.5f / 16, 1.5f / 16, 9.5f / 16,  15.5f / 16, 7.5f / 16, 13.5f / 16, 5.5f / 16,
};

/// Pixels of a block whose sample is covered when a fraction of the samples is to be (samples.h); NaN covers none.
inline Mask16 fractionCovers(F32x16 fraction, int sample) {
    const F32x16 count = floor(clamp(fraction, 0.0f, 1.0f) * static_cast<float>(kSamples) + kDitherThreshold);
    return count > static_cast<float>(kSampleRank[sample]);
}

/// Units of 1/scale to the integers 0..scale: to nearest, ties to even; with dithering, channels of fewer than
/// eight bits round up where the fraction exceeds the pixel's threshold. NaN gives 0. Light of sRGB layouts is encoded.
inline ColorBlock quantizeColor(const ColorLayout& layout, const ColorBlock& color, bool dither) {
    ColorBlock result;
    for (int channel = 0; channel < 4; ++channel) {
        if (layout.srgb && channel < 3) {
            result.channel[channel] = toFloat(asInt(texture::linearToSrgb(color.channel[channel])));
            continue;
        }
        const float scale = layout.scale[channel];
        const F32x16 value = clamp(color.channel[channel], 0.0f, scale);
        const bool ordered = dither && layout.bits[channel] < 8;
        result.channel[channel] = ordered ? minPs(floor(value + kDitherThreshold), splat(scale)) : roundEven(value);
    }
    return result;
}

/// Source and stored integers combined bit by bit (OpenGL ES 1.1.12, section 4.1.9).
inline ColorBlock combineBits(LogicOp operation, const ColorLayout& layout, const ColorBlock& source,
                              const std::byte* block) {
    const ColorBlock stored = loadColor(layout, block);
    const auto isSet = [&](int bit) { return splat((static_cast<int>(operation) >> bit & 1) != 0 ? ~0u : 0u); };
    ColorBlock result;
    for (int channel = 0; channel < 4; ++channel) {
        const U32x16 s = asUint(truncToInt(source.channel[channel])), d = asUint(truncToInt(stored.channel[channel]));
        const U32x16 bits = (s & d & isSet(0)) | (s & ~d & isSet(1)) | (~s & d & isSet(2)) | (~s & ~d & isSet(3));
        result.channel[channel] = toFloat(asInt(bits & static_cast<uint32_t>(layout.scale[channel])));
    }
    return result;
}

/// A block of program outputs blended over what is stored in `block` and quantised, ready for storeColor().
inline ColorBlock finishColor(const TargetKey& key, const PixelValues& values, const std::byte* block,
                              const SourceColors& sources) {
    const ColorLayout& layout = key.layout;
    ColorBlock result;
    if (key.blend) {
        result = blend(key, values, sources, block);
    } else {
        result = clamped(layout, sources.first);
        for (int channel = 0; channel < 4; ++channel) {
            result.channel[channel] *= layout.scale[channel];
        }
    }
    if (!isNormalized(layout)) return result;
    result = quantizeColor(layout, result, key.dither);
    return key.logicOp == LogicOp::Copy ? result : combineBits(key.logicOp, layout, result, block);
}

/// The end of the pipeline: a block of program outputs is blended, quantised and written.
inline void writeColor(const TargetKey& key, const PixelValues& values, std::byte* block, const SourceColors& sources,
                       Mask16 coverage) {
    storeColor(key.layout, block, finishColor(key, values, block, sources), coverage, key.writeMask);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
