// Sixteen pixels of a colour buffer: from memory to numbers, and back.
//
// Numbers are in units of the buffer's last place: a channel of n bits has scale 2^n - 1, its stored value is an exact
// integer 0..scale. Float buffers have scale 1.
#pragma once

#include "base/simd.h"
#include "pipeline/pixel/pixel_key.h"
#include "texture/element_lanes.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Red, green, blue, alpha of sixteen pixels.
using ColorBlock = texture::Texels;

/// Integers in memory, 0..scale.
constexpr bool isNormalized(const ColorLayout& layout) { return texture::isNormalized(layout.element); }
/// Integers in memory, too, but numbers from -1 to 1 in arithmetic: their scale is 1.
constexpr bool isSignedNormalized(const ColorLayout& layout) { return texture::isSignedNormalized(layout.element); }
/// Red, green and blue are stored encoded; arithmetic on them is on their light, 0..255.
constexpr bool isSrgb(const ColorLayout& layout) { return texture::isSrgb(layout.element); }

/// A block of 32-bit elements.
inline uint32_t* elements(std::byte* block) { return reinterpret_cast<uint32_t*>(block); }
inline const uint32_t* elements(const std::byte* block) { return reinterpret_cast<const uint32_t*>(block); }

/// Stored channels in units of 1/scale; missing ones read the largest value (alpha 1).
inline ColorBlock loadColor(const ColorLayout& layout, const std::byte* block) {
    ColorBlock color;
    const bool isOfBytes = texture::holdsBytes(layout.element);
    if (!isOfBytes) texture::elementFunctions(layout.element).load(block, color);
    for (int channel = 0; channel < 4; ++channel) {
        F32x16& value = color.channel[channel];
        if ((layout.channels >> channel & 1) == 0) {
            value = splat(layout.scale[channel]);
        } else if (isOfBytes) {
            // The top n bits of an expanded n-bit value are the value.
            const U32x16 byte = load<U32x16>(elements(block)) >> static_cast<uint32_t>(8 * channel) & 255u;
            value = isSrgb(layout) && channel < 3
                        ? texture::srgbToLinear(byte)
                        : toFloat(asInt(byte >> static_cast<uint32_t>(8 - layout.bits[channel])));
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

/// storeColor() of elements that are not bytes.
inline void storeNumbers(const ColorLayout& layout, std::byte* block, const ColorBlock& color, Mask16 coverage,
                         uint8_t channels) {
    ColorBlock numbers;
    for (int channel = 0; channel < 4; ++channel) {
        F32x16 value = color.channel[channel];
        if (!texture::isInteger(layout.element)) value = select(value == value, value, asFloat(splat(0x7fc00000)));
        const bool exists = (layout.channels >> channel & 1) != 0;
        numbers.channel[channel] = exists ? value : asFloat(splat(texture::missingBits(layout.element, channel)));
    }
    const auto written = channels | static_cast<uint8_t>(~layout.channels);
    texture::elementFunctions(layout.element).store(block, numbers, toBits(coverage), static_cast<uint32_t>(written));
}

/// Writes those channels in the lanes of `coverage`. Normalised layouts: `color` holds integers 0..scale; integer ones:
/// the integers' bits. A channel that the format lacks is always written, with its constant.
inline void storeColor(const ColorLayout& layout, std::byte* block, const ColorBlock& color, Mask16 coverage,
                       uint8_t channels) {
    if (!texture::holdsBytes(layout.element)) return storeNumbers(layout, block, color, coverage, channels);
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
