// Sixteen pixels of a colour buffer: from memory to numbers, and back.
//
// Numbers are in units of the buffer's last place: a channel of n bits has scale 2^n - 1, its stored value is an exact
// integer 0..scale. Float buffers have scale 1.
#pragma once

#include "base/simd.h"
#include "pipeline/pixel/pixel_key.h"
#include "texture/convert.h"
#include "texture/srgb.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Red, green, blue, alpha of sixteen pixels.
struct ColorBlock {
    F32x16 channel[4];
};

/// Integers in memory, 0..scale.
constexpr bool isNormalized(const ColorLayout& layout) { return layout.element == texture::Element::Rgba8; }

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
                       uint8_t channels) {
    const bool isHalf = layout.element == texture::Element::Rgba16F;
    for (int channel = 0; channel < 4; ++channel) {
        const bool exists = (layout.channels >> channel & 1) != 0;
        if (exists && (channels >> channel & 1) == 0) continue;
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

/// Writes those channels in the lanes of `coverage`. Normalised layouts: `color` holds integers 0..scale.
/// A channel that the format lacks is always written, with its constant.
inline void storeColor(const ColorLayout& layout, std::byte* block, const ColorBlock& color, Mask16 coverage,
                       uint8_t channels) {
    if (!isNormalized(layout)) {
        storeFloat(layout, block, color, toBits(coverage), channels);
        return;
    }
    uint32_t bytes = 0;
    const uint8_t written = channels | static_cast<uint8_t>(~layout.channels);
    for (int channel = 0; channel < 4; ++channel) {
        if ((written >> channel & 1) != 0) bytes |= 255u << (8 * channel);
    }
    const U32x16 mask = asUint(coverage) & bytes;
    store(elements(block), (load<U32x16>(elements(block)) & ~mask) | (packRgba8(layout, color) & mask));
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
