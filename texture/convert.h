// Conversions between channel precisions, as formulas over one value or sixteen.
//
// An n-bit unsigned channel c means c / (2^n - 1) (OpenGL ES 2.0.25, section 2.1.2). Images keep it expanded to
// eight bits as round(c * 255 / (2^n - 1)). For 1, 2, 4 and 8 bits this is the familiar bit replication; for 5
// and 6 bits replication is off by one for some values (5 bits: 3, 7, 24, 28), so the exact rounding is used.
// reduceN(expandN(c)) == c for every c.
#pragma once

#include <cstdint>

#include "base/simd.h"
#include "texture/image.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// U is uint32_t or U32x16. The multipliers are the smallest with exact results over the whole input range.
template <class U>
inline U expand1(U c) {
    return c * 255u;
}
template <class U>
inline U expand4(U c) {
    return c * 17u;
}
template <class U>
inline U expand5(U c) {
    return (c * 527u + 23u) >> 6u;
}
template <class U>
inline U expand6(U c) {
    return (c * 259u + 33u) >> 6u;
}

/// round(c * (2^n - 1) / 255)
template <class U>
inline U reduce1(U c) {
    return c >> 7u;
}
template <class U>
inline U reduce4(U c) {
    return (c * 15u + 135u) >> 8u;
}
template <class U>
inline U reduce5(U c) {
    return (c * 249u + 1014u) >> 11u;
}
template <class U>
inline U reduce6(U c) {
    return (c * 253u + 505u) >> 10u;
}

template <class U>
struct Channels {
    U red, green, blue, alpha;
};
template <class U>
inline Channels<U> unpack8888(U rgba8) {
    return {rgba8 & 0xFFu, (rgba8 >> 8u) & 0xFFu, (rgba8 >> 16u) & 0xFFu, rgba8 >> 24u};
}
template <class U>
inline U pack8888(U red, U green, U blue, U alpha) {
    return red | (green << 8u) | (blue << 16u) | (alpha << 24u);
}

/// Swaps red and blue.
template <class U>
inline U swapRedBlue(U rgba8) {
    return (rgba8 & 0xFF00FF00u) | ((rgba8 & 0xFFu) << 16u) | ((rgba8 >> 16u) & 0xFFu);
}

// A format that is not named here does not compile.
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wswitch"
/// An RGBA8 element as an image of the format holds it: quantised and expanded again, missing colours 0,
/// missing alpha 255, luminance (taken from red) in all three colours.
template <class U>
inline U conform(PixelFormat format, U rgba8) {
    switch (format) {
        case PixelFormat::Rgb8:
        case PixelFormat::Srgb8:
            return rgba8 | 0xFF000000u;
        case PixelFormat::R8:
        case PixelFormat::Sr8:
            return (rgba8 & 0xFFu) | 0xFF000000u;
        case PixelFormat::Rg8:
        case PixelFormat::Srg8:
            return (rgba8 & 0xFFFFu) | 0xFF000000u;
        case PixelFormat::Alpha8:
            return rgba8 & 0xFF000000u;
        case PixelFormat::Luminance8:
            return ((rgba8 & 0xFFu) * 0x010101u) | 0xFF000000u;
        case PixelFormat::LuminanceAlpha8:
            return ((rgba8 & 0xFFu) * 0x010101u) | (rgba8 & 0xFF000000u);
        case PixelFormat::Rgb565: {
            Channels<U> c = unpack8888(rgba8);
            return pack8888(expand5(reduce5(c.red)), expand6(reduce6(c.green)), expand5(reduce5(c.blue)), U{} + 255u);
        }
        case PixelFormat::Rgb5A1: {
            Channels<U> c = unpack8888(rgba8);
            return pack8888(expand5(reduce5(c.red)), expand5(reduce5(c.green)), expand5(reduce5(c.blue)),
                            expand1(reduce1(c.alpha)));
        }
        case PixelFormat::Rgba4: {
            Channels<U> c = unpack8888(rgba8);
            return pack8888(expand4(reduce4(c.red)), expand4(reduce4(c.green)), expand4(reduce4(c.blue)),
                            expand4(reduce4(c.alpha)));
        }
        case PixelFormat::Rgba8:
        case PixelFormat::Bgra8:
        case PixelFormat::Srgb8Alpha8:
        // Of other elements than RGBA8.
        case PixelFormat::None:
        case PixelFormat::Depth16:
        case PixelFormat::Depth24:
        case PixelFormat::Depth24Stencil8:
        case PixelFormat::Stencil8:
        case PixelFormat::Rgba16F:
        case PixelFormat::Rgb16F:
        case PixelFormat::Alpha16F:
        case PixelFormat::Luminance16F:
        case PixelFormat::LuminanceAlpha16F:
        case PixelFormat::Rgba32F:
        case PixelFormat::Rgb32F:
        case PixelFormat::Alpha32F:
        case PixelFormat::Luminance32F:
        case PixelFormat::LuminanceAlpha32F:
        case PixelFormat::R16F:
        case PixelFormat::Rg16F:
        case PixelFormat::R32F:
        case PixelFormat::Rg32F:
        case PixelFormat::R8Snorm:
        case PixelFormat::Rg8Snorm:
        case PixelFormat::Rgb8Snorm:
        case PixelFormat::Rgba8Snorm:
        case PixelFormat::R8Uint:
        case PixelFormat::Rg8Uint:
        case PixelFormat::Rgb8Uint:
        case PixelFormat::Rgba8Uint:
        case PixelFormat::R8Sint:
        case PixelFormat::Rg8Sint:
        case PixelFormat::Rgb8Sint:
        case PixelFormat::Rgba8Sint:
        case PixelFormat::R16Uint:
        case PixelFormat::Rg16Uint:
        case PixelFormat::Rgb16Uint:
        case PixelFormat::Rgba16Uint:
        case PixelFormat::R16Sint:
        case PixelFormat::Rg16Sint:
        case PixelFormat::Rgb16Sint:
        case PixelFormat::Rgba16Sint:
        case PixelFormat::R32Uint:
        case PixelFormat::Rg32Uint:
        case PixelFormat::Rgb32Uint:
        case PixelFormat::Rgba32Uint:
        case PixelFormat::R32Sint:
        case PixelFormat::Rg32Sint:
        case PixelFormat::Rgb32Sint:
        case PixelFormat::Rgba32Sint:
        case PixelFormat::Rgb10A2:
        case PixelFormat::Rgb10A2Uint:
        case PixelFormat::R11G11B10F:
        case PixelFormat::Rgb9E5:
        case PixelFormat::Depth32F:
        case PixelFormat::Depth32FStencil8:
        case PixelFormat::R16:
        case PixelFormat::Rg16:
        case PixelFormat::Rgb16:
        case PixelFormat::Rgba16:
        case PixelFormat::R16Snorm:
        case PixelFormat::Rg16Snorm:
        case PixelFormat::Rgb16Snorm:
        case PixelFormat::Rgba16Snorm:
            return rgba8;
    }
    return rgba8;
}
#pragma clang diagnostic pop

#if defined(__F16C__)
/// The host's own conversions are exact, and round to nearest even: what they make of a NaN alone is theirs.
using Halves = _Float16 __attribute__((ext_vector_type(16)));
using HalfBits = uint16_t __attribute__((ext_vector_type(16)));
#endif

/// Half to single precision, exact; each lane holds a half in its low 16 bits. A NaN keeps its bits.
inline F32x16 halfToFloat(U32x16 half) {
    U32x16 magnitude = (half & 0x7FFFu) << 13u;
#if defined(__F16C__)
    const auto halves = __builtin_bit_cast(Halves, __builtin_convertvector(half, HalfBits));
    const U32x16 number = asUint(__builtin_convertvector(halves, F32x16));
    const U32x16 nan = magnitude | 0x7F800000u | (half & 0x8000u) << 16u;
    return asFloat(select(magnitude > 0x0F800000u, nan, number));
#else
    // Scaling by 2^112 moves the exponent bias from 15 to 127 and normalises denormals on the way.
    U32x16 finite = asUint(asFloat(magnitude) * 0x1p112f);
    U32x16 special = magnitude | 0x7F800000u;
    U32x16 bits = select(magnitude >= 0x0F800000u, special, finite);
    return asFloat(bits | ((half & 0x8000u) << 16u));
#endif
}

/// Single to half precision, round to nearest even; NaN gives the quiet NaN 0x7E00.
inline U32x16 floatToHalf(F32x16 value) {
    U32x16 bits = asUint(value);
    U32x16 magnitude = bits & 0x7FFFFFFFu;
#if defined(__F16C__)
    const auto halves = __builtin_bit_cast(HalfBits, __builtin_convertvector(value, Halves));
    return select(magnitude > 0x7F800000u, U32x16{} + 0x7E00u, __builtin_convertvector(halves, U32x16));
#else
    U32x16 normal = (magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13u) & 1u)) >> 13u;
    // Below 2^-14 adding 0.5 aligns the fraction to the half's last place; the hardware rounds.
    U32x16 small = asUint(asFloat(magnitude) + 0.5f) - 0x3F000000u;
    U32x16 half = select(magnitude < 0x38800000u, small, normal);
    half = select(magnitude >= 0x47800000u, U32x16{} + 0x7C00u, half);
    U32x16 sign = (bits >> 16u) & 0x8000u;
    return select(magnitude > 0x7F800000u, U32x16{} + 0x7E00u, half | sign);
#endif
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
