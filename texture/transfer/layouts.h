// Client pixel layouts that become RGBA8 words: reading sixteen pixels and writing them, once for runs of pixels
// (client_rows.cpp) and for whole blocks (blocks_simd.cpp). Layouts of floats and of depth are in client_rows.cpp.
//
// A layout has
//     kBytes          of a pixel
//     kFormat         the image format that holds its pixels as they are
//     words(from)     sixteen pixels, which may be unaligned, as words
//     pixels(words)   and back: their kBytes * 16 bytes in front
// and one of 16-bit fields also channels(pixels), for any vector of at least 16-bit lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture/convert.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

using U8x16 = uint8_t __attribute__((ext_vector_type(16)));
using U8x64 = uint8_t __attribute__((ext_vector_type(64)));
using U16x16 = uint16_t __attribute__((ext_vector_type(16)));
using U16x32 = uint16_t __attribute__((ext_vector_type(32)));

template <class Vector>
inline Vector loadVector(const std::byte* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
inline U32x16 loadU8(const std::byte* p) { return __builtin_convertvector(loadVector<U8x16>(p), U32x16); }
inline U32x16 loadU16(const std::byte* p) { return __builtin_convertvector(loadVector<U16x16>(p), U32x16); }
inline U8x16 toU8(U32x16 x) { return __builtin_convertvector(x, U8x16); }
inline U16x16 toU16(U32x16 x) { return __builtin_convertvector(x, U16x16); }

namespace layouts {

// --- Bytes ---

struct Rgba8 {
    static constexpr int kBytes = 4;
    static constexpr PixelFormat kFormat = PixelFormat::Rgba8;
    static U32x16 words(const std::byte* p) { return loadVector<U32x16>(p); }
    static U32x16 pixels(U32x16 words) { return words; }
};

struct Bgra8 {
    static constexpr int kBytes = 4;
    static constexpr PixelFormat kFormat = PixelFormat::Bgra8;
    static U32x16 words(const std::byte* p) { return swapRedBlue(loadVector<U32x16>(p)); }
    static U32x16 pixels(U32x16 words) { return swapRedBlue(words); }
};

struct Rgb8 {
    static constexpr int kBytes = 3;
    static constexpr PixelFormat kFormat = PixelFormat::Rgb8;
    static U32x16 words(const std::byte* p) {
        const auto a = loadVector<U8x16>(p), b = loadVector<U8x16>(p + 16), c = loadVector<U8x16>(p + 32);
        const auto spread = [](U8x16 rgb) {
            return __builtin_shufflevector(rgb, rgb, 0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1);
        };
        const U8x16 part[4] = {
            spread(a),
            spread(__builtin_shufflevector(a, b, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, -1, -1, -1, -1)),
            spread(__builtin_shufflevector(b, c, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, -1, -1, -1, -1)),
            spread(__builtin_shufflevector(c, c, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1))};
        U32x16 words;
        __builtin_memcpy(&words, part, sizeof words);
        return words | 0xFF000000u;
    }
    static U8x64 pixels(U32x16 words) {
        auto bytes = __builtin_bit_cast(U8x64, words);
        return __builtin_shufflevector(bytes, bytes, 0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20, 21, 22, 24,
                                       25, 26, 28, 29, 30, 32, 33, 34, 36, 37, 38, 40, 41, 42, 44, 45, 46, 48, 49, 50,
                                       52, 53, 54, 56, 57, 58, 60, 61, 62, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                       -1, -1, -1, -1, -1);
    }
};

struct Luminance8 {
    static constexpr int kBytes = 1;
    static constexpr PixelFormat kFormat = PixelFormat::Luminance8;
    static U32x16 words(const std::byte* p) {
        const U32x16 c = loadU8(p);
        return c | c << 8u | c << 16u | 0xFF000000u;
    }
    static U8x16 pixels(U32x16 words) { return toU8(words & 0xFFu); }
};

struct LuminanceAlpha8 {
    static constexpr int kBytes = 2;
    static constexpr PixelFormat kFormat = PixelFormat::LuminanceAlpha8;
    static U32x16 words(const std::byte* p) {
        const U32x16 pair = loadU16(p), c = pair & 0xFFu;
        return c | c << 8u | pair << 16u;
    }
    static U16x16 pixels(U32x16 words) { return toU16((words & 0xFFu) | ((words >> 24u) << 8u)); }
};

struct Alpha8 {
    static constexpr int kBytes = 1;
    static constexpr PixelFormat kFormat = PixelFormat::Alpha8;
    static U32x16 words(const std::byte* p) { return loadU8(p) << 24u; }
    static U8x16 pixels(U32x16 words) { return toU8(words >> 24u); }
};

struct Red8 {
    static constexpr int kBytes = 1;
    static constexpr PixelFormat kFormat = PixelFormat::R8;
    static U32x16 words(const std::byte* p) { return loadU8(p) | 0xFF000000u; }
    static U8x16 pixels(U32x16 words) { return toU8(words & 0xFFu); }
};

struct Rg8 {
    static constexpr int kBytes = 2;
    static constexpr PixelFormat kFormat = PixelFormat::Rg8;
    static U32x16 words(const std::byte* p) { return loadU16(p) | 0xFF000000u; }
    static U16x16 pixels(U32x16 words) { return toU16(words & 0xFFFFu); }
};

// --- Fields of 16 bits: OpenGL ES 2.0.25, table 3.6; the reversed ones EXT_read_format_bgra ---

/// `Fields` has channels() and pixels() of channels.
template <class Fields, PixelFormat kExact>
struct Packed : Fields {
    static constexpr int kBytes = 2;
    static constexpr PixelFormat kFormat = kExact;
    static U32x16 words(const std::byte* p) {
        const Channels<U32x16> c = Fields::channels(loadU16(p));
        return pack8888(c.red, c.green, c.blue, c.alpha);
    }
    static U16x16 pixels(U32x16 words) { return toU16(Fields::fields(unpack8888(words))); }
};

struct Fields565 {
    template <class U>
    static Channels<U> channels(U c) {
        return {expand5<U>(c >> 11), expand6<U>(c >> 5 & 63), expand5<U>(c & 31), U(255)};
    }
    static U32x16 fields(const Channels<U32x16>& c) {
        return (reduce5(c.red) << 11u) | (reduce6(c.green) << 5u) | reduce5(c.blue);
    }
};
struct Fields4444 {
    template <class U>
    static Channels<U> channels(U c) {
        return {expand4<U>(c >> 12), expand4<U>(c >> 8 & 15), expand4<U>(c >> 4 & 15), expand4<U>(c & 15)};
    }
    static U32x16 fields(const Channels<U32x16>& c) {
        return (reduce4(c.red) << 12u) | (reduce4(c.green) << 8u) | (reduce4(c.blue) << 4u) | reduce4(c.alpha);
    }
};
struct Fields5551 {
    template <class U>
    static Channels<U> channels(U c) {
        return {expand5<U>(c >> 11), expand5<U>(c >> 6 & 31), expand5<U>(c >> 1 & 31), expand1<U>(c & 1)};
    }
    static U32x16 fields(const Channels<U32x16>& c) {
        return (reduce5(c.red) << 11u) | (reduce5(c.green) << 6u) | (reduce5(c.blue) << 1u) | reduce1(c.alpha);
    }
};
struct Fields4444Rev {
    template <class U>
    static Channels<U> channels(U c) {
        return {expand4<U>(c >> 8 & 15), expand4<U>(c >> 4 & 15), expand4<U>(c & 15), expand4<U>(c >> 12)};
    }
    static U32x16 fields(const Channels<U32x16>& c) {
        return (reduce4(c.alpha) << 12u) | (reduce4(c.red) << 8u) | (reduce4(c.green) << 4u) | reduce4(c.blue);
    }
};
struct Fields1555Rev {
    template <class U>
    static Channels<U> channels(U c) {
        return {expand5<U>(c >> 10 & 31), expand5<U>(c >> 5 & 31), expand5<U>(c & 31), expand1<U>(c >> 15)};
    }
    static U32x16 fields(const Channels<U32x16>& c) {
        return (reduce1(c.alpha) << 15u) | (reduce5(c.red) << 10u) | (reduce5(c.green) << 5u) | reduce5(c.blue);
    }
};

}  // namespace layouts

/// Calls use.operator()<Layout>() for the layout; false, without a call, for one that is not of words.
template <class Use>
inline bool withLayout(ClientLayout layout, const Use& use) {
    using namespace layouts;
    switch (layout.type) {
        case ClientType::U8:
            break;
        case ClientType::U16_565:
            return use.template operator()<Packed<Fields565, PixelFormat::Rgb565>>(), true;
        case ClientType::U16_4444:
            return use.template operator()<Packed<Fields4444, PixelFormat::Rgba4>>(), true;
        case ClientType::U16_5551:
            return use.template operator()<Packed<Fields5551, PixelFormat::Rgb5A1>>(), true;
        case ClientType::U16_4444Rev:
            return use.template operator()<Packed<Fields4444Rev, PixelFormat::Rgba4>>(), true;
        case ClientType::U16_1555Rev:
            return use.template operator()<Packed<Fields1555Rev, PixelFormat::Rgb5A1>>(), true;
        default:
            return false;
    }
    switch (layout.format) {
        case ClientFormat::Rgba:
            return use.template operator()<Rgba8>(), true;
        case ClientFormat::Bgra:
            return use.template operator()<Bgra8>(), true;
        case ClientFormat::Rgb:
            return use.template operator()<Rgb8>(), true;
        case ClientFormat::Luminance:
            return use.template operator()<Luminance8>(), true;
        case ClientFormat::LuminanceAlpha:
            return use.template operator()<LuminanceAlpha8>(), true;
        case ClientFormat::Alpha:
            return use.template operator()<Alpha8>(), true;
        case ClientFormat::Red:
            return use.template operator()<Red8>(), true;
        case ClientFormat::Rg:
            return use.template operator()<Rg8>(), true;
        case ClientFormat::Depth:
        case ClientFormat::DepthStencil:
        case ClientFormat::Stencil:
        case ClientFormat::RedInteger:
        case ClientFormat::RgInteger:
        case ClientFormat::RgbInteger:
        case ClientFormat::RgbaInteger:
            break;
    }
    return false;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
