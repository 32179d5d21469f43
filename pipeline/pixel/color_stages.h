// The colour stages of the pixel engine: what happens to a program's colours on their way into one sample of one target
// (OpenGL ES 2.0.25, sections 4.1.6 to 4.1.8 and 4.2.2; 1.1.12, section 4.1.9).
//
// Arithmetic is in the units of color_block.h: a source colour s (clamped to 0..1) becomes s * scale. Blending s*S +
// d*D in these units needs no conversion of the destination and rounds to the stored value directly: to nearest, ties
// to even. Float buffers have scale 1, no clamp and no rounding but their own.
#pragma once

#include "pipeline/pixel/advanced_blend.h"
#include "pipeline/pixel/color_block.h"
#include "pipeline/pixel/ordered_dither.h"
#include "pipeline/pixel/stage_list.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Sixteen pixels of one sample on their way into a target.
struct ColorLanes {
    const TargetKey& key;
    const PixelValues& values;
    ColorBlock color;                   ///< the program's; from Blend or ToUnits on in the target's units
    ColorBlock second;                  ///< with TargetKey::dualSource
    const std::byte* memory = nullptr;  ///< the target's block, with TargetKey::readsColor()
    ColorBlock stored;                  ///< what it holds, from LoadStored on
    uint8_t channels = 0xF;             ///< that will be written

    /// Colours are not initialised.
    ColorLanes(const TargetKey& target, const PixelValues& numbers) : key(target), values(numbers) {}
};

/// Brought to -1..1; what is no number to 0, as where it is stored.
inline F32x16 clampSigned(F32x16 value) { return clamp(select(value == value, value, splat(0.0f)), -1.0f, 1.0f); }

/// Colours of programs are clamped for normalised layouts; those with signs where they are blended, as storing clamps.
struct ClampSource {
    static constexpr bool isNeeded(const TargetKey& key) {
        return isNormalized(key.layout) || (key.blend && isSignedNormalized(key.layout));
    }
    static void run(ColorLanes& lanes) {
        clampAll(lanes.key.layout, lanes.color);
        if (lanes.key.dualSource) clampAll(lanes.key.layout, lanes.second);
    }

private:
    static void clampAll(const ColorLayout& layout, ColorBlock& color) {
        for (F32x16& channel : color.channel)
            channel = isSignedNormalized(layout) ? clampSigned(channel) : clamp(channel, 0.0f, 1.0f);
    }
};

struct LoadStored {
    static constexpr bool isNeeded(const TargetKey& key) { return key.readsColor(); }
    static void run(ColorLanes& lanes) { lanes.stored = loadColor(lanes.key.layout, lanes.memory); }
};

// Blending

/// What a blend reads. Sources, constant and destination fraction are 0..1 for normalised layouts, -1..1 for those with
/// signs (EXT_render_snorm).
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
    const auto factor = [&](BlendFactor one) {
        const F32x16 value = blendFactor(one, in, channel);
        return isSignedNormalized(key.layout) ? clampSigned(value) : value;  // 1 - c may be 2 there
    };
    source *= factor(key.source[part]);
    destination *= factor(key.destination[part]);
    if (equation == BlendEquation::Subtract) return source - destination;
    if (equation == BlendEquation::ReverseSubtract) return destination - source;
    return source + destination;
}

struct Blend {
    static constexpr bool isNeeded(const TargetKey& key) { return key.blend; }
    static void run(ColorLanes& lanes) {
        const TargetKey& key = lanes.key;
        const ColorLayout& layout = key.layout;
        if (isAdvanced(key.equation[0])) return runAdvanced(lanes);
        BlendInput in;
        in.source = lanes.color;
        if (key.dualSource) in.second = lanes.second;
        for (int channel = 0; channel < 4; ++channel) {
            const float constant = lanes.values.blendColor[channel];
            in.constant[channel] = isNormalized(layout)         ? clamp(splat(constant), 0.0f, 1.0f)[0]
                                   : isSignedNormalized(layout) ? clampSigned(splat(constant))[0]
                                                                : constant;
        }
        in.destinationFraction = lanes.stored;
        if (isNormalized(layout) && (usesDestination(key.source[0]) || usesDestination(key.source[1]) ||
                                     usesDestination(key.destination[0]) || usesDestination(key.destination[1]))) {
            for (int channel = 0; channel < 4; ++channel) {
                in.destinationFraction.channel[channel] = lanes.stored.channel[channel] / layout.scale[channel];
            }
        }
        for (int channel = 0; channel < 4; ++channel) {
            lanes.color.channel[channel] = blendChannel(key, in, in.source.channel[channel] * layout.scale[channel],
                                                        lanes.stored.channel[channel], channel);
        }
    }

private:
    static void runAdvanced(ColorLanes& lanes) {
        const ColorLayout& layout = lanes.key.layout;
        ColorBlock destination = lanes.stored;
        if (isNormalized(layout))
            for (int channel = 0; channel < 4; ++channel) destination.channel[channel] /= layout.scale[channel];
        lanes.color = advancedBlend(lanes.key.equation[0], lanes.color, destination);
        for (int channel = 0; channel < 4; ++channel) lanes.color.channel[channel] *= layout.scale[channel];
    }
};

/// What blending does besides.
struct ToUnits {
    static constexpr bool isNeeded(const TargetKey& key) { return !key.blend && isNormalized(key.layout); }
    static void run(ColorLanes& lanes) {
        for (int channel = 0; channel < 4; ++channel) lanes.color.channel[channel] *= lanes.key.layout.scale[channel];
    }
};

// Quantisation

/// Units of 1/scale to the integers 0..scale: to nearest, ties to even; with dithering, channels of fewer than
/// eight bits round up where the fraction exceeds the pixel's threshold. NaN gives 0. Light of sRGB layouts is encoded.
inline ColorBlock quantizeColor(const ColorLayout& layout, const ColorBlock& color, bool dither) {
    ColorBlock result;
    for (int channel = 0; channel < 4; ++channel) {
        if (isSrgb(layout) && channel < 3) {
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

struct Quantize {
    static constexpr bool isNeeded(const TargetKey& key) { return isNormalized(key.layout); }
    static void run(ColorLanes& lanes) { lanes.color = quantizeColor(lanes.key.layout, lanes.color, lanes.key.dither); }
};

/// The logic operation: source and stored integers combined bit by bit.
struct CombineBits {
    static constexpr bool isNeeded(const TargetKey& key) { return key.logicOp != LogicOp::Copy; }
    static void run(ColorLanes& lanes) {
        const auto isSet = [&](int bit) {
            return splat((static_cast<int>(lanes.key.logicOp) >> bit & 1) != 0 ? ~0u : 0u);
        };
        for (int channel = 0; channel < 4; ++channel) {
            F32x16& color = lanes.color.channel[channel];
            const U32x16 s = asUint(truncToInt(color)), d = asUint(truncToInt(lanes.stored.channel[channel]));
            const U32x16 bits = (s & d & isSet(0)) | (s & ~d & isSet(1)) | (~s & d & isSet(2)) | (~s & ~d & isSet(3));
            color = toFloat(asInt(bits & static_cast<uint32_t>(lanes.key.layout.scale[channel])));
        }
    }
};

struct MaskChannels {
    static constexpr bool isNeeded(const TargetKey& key) {
        return (key.writeMask & key.layout.channels) != key.layout.channels;
    }
    static void run(ColorLanes& lanes) { lanes.channels = lanes.key.writeMask; }
};

/// All stages that a program's colours go through before storeColor() writes them.
using ColorStages = StageList<ClampSource, LoadStored, Blend, ToUnits, Quantize, CombineBits, MaskChannels>;

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
