// The mean of a pixel's samples as elements of 32 bits: the box filter, rounded once for each channel (transfer.h has
// the rule, resolve.cpp what it follows). Compiled for each SIMD level.
#pragma once

#include "base/simd.h"
#include "texture/convert.h"
#include "texture/srgb.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

static_assert(kMaxSamples == 4);

inline U32x16 expand(U32x16 c, int bits) {
    switch (bits) {
        case 1:
            return expand1(c);
        case 4:
            return expand4(c);
        case 5:
            return expand5(c);
        case 6:
            return expand6(c);
        default:
            return c;
    }
}

/// Whether every channel of a 32-bit colour format is kept at eight bits.
inline bool isByteFormat(const FormatInfo& info) {
    const auto isByte = [](uint8_t bits) { return bits == 0 || bits == 8; };
    return isByte(info.red) && isByte(info.green) && isByte(info.blue) && isByte(info.alpha);
}

/// Two channels of a word at a time, each in sixteen bits.
inline U32x16 meanBytes(const U32x16 (&sample)[kMaxSamples]) {
    using Halves = uint16_t __attribute__((ext_vector_type(32)));
    const Halves low = Halves{} + uint16_t{0xFF}, two = Halves{} + uint16_t{2};
    Halves redBlue = two, greenAlpha = two;
    for (const U32x16& one : sample) {
        const auto halves = __builtin_bit_cast(Halves, one);
        redBlue += halves & low;
        greenAlpha += halves >> 8;
    }
    return __builtin_bit_cast(U32x16, (redBlue >> 2) | (greenAlpha >> 2) << 8);
}

/// Channels of fewer bits: the top n bits of an expanded n-bit value are the value.
inline U32x16 meanPacked(const FormatInfo& info, const U32x16 (&sample)[kMaxSamples]) {
    const uint8_t bits[4] = {info.red, info.green, info.blue, info.alpha};
    U32x16 result = splat(0u);
    for (int channel = 0; channel < 4; ++channel) {
        const auto shift = static_cast<uint32_t>(8 * channel);
        const int kept = bits[channel] == 0 ? 8 : bits[channel];
        U32x16 sum = splat(2u);
        for (const U32x16& one : sample) sum += (one >> shift & 0xFFu) >> static_cast<uint32_t>(8 - kept);
        result |= expand(sum >> 2u, kept) << shift;
    }
    return result;
}

/// Encoded colours are averaged as light.
inline U32x16 meanSrgb(const U32x16 (&sample)[kMaxSamples]) {
    U32x16 result = meanBytes(sample) & 0xFF000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        F32x16 light[kMaxSamples];
        for (int i = 0; i < kMaxSamples; ++i) light[i] = srgbToLinear(sample[i] >> shift & 0xFFu);
        result |= linearToSrgb(((light[0] + light[1]) + (light[2] + light[3])) * 0.25f) << shift;
    }
    return result;
}

/// Of colours that are bytes, or depth in one word, of which the first sample stands for all.
inline U32x16 meanWords(const FormatInfo& info, const U32x16 (&sample)[kMaxSamples]) {
    if (isDepth(info.element)) return sample[0];
    if (info.srgb()) return meanSrgb(sample);
    return isByteFormat(info) ? meanBytes(sample) : meanPacked(info, sample);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
