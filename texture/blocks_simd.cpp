// Sixteen pixels of each of four rows at a time: converted to RGBA8 words, they are the rows of four blocks, and a
// transposition of 128-bit quarters makes them blocks.
#include "texture/blocks.h"

#include "texture/convert.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

using U8x16 = uint8_t __attribute__((ext_vector_type(16)));
using U8x64 = uint8_t __attribute__((ext_vector_type(64)));
using U16x16 = uint16_t __attribute__((ext_vector_type(16)));
using U32x8 = uint32_t __attribute__((ext_vector_type(8)));

template <class Vector>
Vector loadVector(const std::byte* p) {
    Vector v;
    __builtin_memcpy(&v, p, sizeof v);
    return v;
}
U32x16 widen(U16x16 x) { return __builtin_convertvector(x, U32x16); }
U32x16 loadU8(const std::byte* p) { return __builtin_convertvector(loadVector<U8x16>(p), U32x16); }
U32x16 loadU16(const std::byte* p) { return widen(loadVector<U16x16>(p)); }

// --- Client layouts: sixteen pixels to words --------------------------------------------------------------------

struct Rgba8 {
    static constexpr int kBytes = 4;
    static U32x16 words(const std::byte* p) { return loadVector<U32x16>(p); }
};
struct Bgra8 {
    static constexpr int kBytes = 4;
    static U32x16 words(const std::byte* p) { return swapRedBlue(loadVector<U32x16>(p)); }
};
struct Rgb8 {
    static constexpr int kBytes = 3;
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
};
struct Luminance8 {
    static constexpr int kBytes = 1;
    static U32x16 words(const std::byte* p) {
        const U32x16 c = loadU8(p);
        return c | c << 8u | c << 16u | 0xFF000000u;
    }
};
struct LuminanceAlpha8 {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const U32x16 pair = loadU16(p), c = pair & 0xFFu;
        return c | c << 8u | pair << 16u;
    }
};
struct Alpha8 {
    static constexpr int kBytes = 1;
    static U32x16 words(const std::byte* p) { return loadU8(p) << 24u; }
};
struct Red8 {
    static constexpr int kBytes = 1;
    static U32x16 words(const std::byte* p) { return loadU8(p) | 0xFF000000u; }
};
struct Rg8 {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) { return loadU16(p) | 0xFF000000u; }
};

/// Channels of 16 bits each, of which the low eight are used, to words. The multiplications of convert.h's expand5 and
/// expand6 stay below 2^16, so sixteen-bit lanes are enough.
U32x16 pack(U16x16 red, U16x16 green, U16x16 blue, U16x16 alpha) {
    return widen(red | green << 8) | widen(blue | alpha << 8) << 16u;
}
U16x16 five(U16x16 c) { return (c * 527 + 23) >> 6; }
U16x16 six(U16x16 c) { return (c * 259 + 33) >> 6; }
U16x16 four(U16x16 c) { return c * 17; }
U16x16 one(U16x16 c) { return c * 255; }

struct Packed565 {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const auto c = loadVector<U16x16>(p);
        return pack(five(c >> 11), six(c >> 5 & 63), five(c & 31), U16x16(255));
    }
};
struct Packed4444 {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const auto c = loadVector<U16x16>(p);
        return pack(four(c >> 12), four(c >> 8 & 15), four(c >> 4 & 15), four(c & 15));
    }
};
struct Packed5551 {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const auto c = loadVector<U16x16>(p);
        return pack(five(c >> 11), five(c >> 6 & 31), five(c >> 1 & 31), one(c & 1));
    }
};
struct Packed4444Rev {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const auto c = loadVector<U16x16>(p);
        return pack(four(c >> 8 & 15), four(c >> 4 & 15), four(c & 15), four(c >> 12));
    }
};
struct Packed1555Rev {
    static constexpr int kBytes = 2;
    static U32x16 words(const std::byte* p) {
        const auto c = loadVector<U16x16>(p);
        return pack(five(c >> 10 & 31), five(c >> 5 & 31), five(c & 31), one(c >> 15));
    }
};

// --- Upload -----------------------------------------------------------------------------------------------------

/// Row r of four blocks side by side in rows[r] to the blocks.
void storeBlocks(const U32x16 (&rows)[4], std::byte* to, int count) {
    const U32x16 low01 =
        __builtin_shufflevector(rows[0], rows[1], 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const U32x16 low23 =
        __builtin_shufflevector(rows[2], rows[3], 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const U32x16 high01 =
        __builtin_shufflevector(rows[0], rows[1], 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    const U32x16 high23 =
        __builtin_shufflevector(rows[2], rows[3], 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    const auto first = [](U32x16 a, U32x16 b) {
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
    };
    const auto second = [](U32x16 a, U32x16 b) {
        return __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    };
    auto* words = reinterpret_cast<uint32_t*>(to);
    store(words, first(low01, low23));
    if (count > 1) store(words + 16, second(low01, low23));
    if (count > 2) store(words + 32, first(high01, high23));
    if (count > 3) store(words + 48, second(high01, high23));
}

template <class Layout, bool kConform>
void uploadAs(const BlockUpload& upload) {
    for (int by = 0; by < upload.blocksHigh; ++by) {
        const std::byte* client = upload.client + static_cast<size_t>(by) * kBlockSize * upload.layout.rowStride;
        std::byte* to = upload.blocks + static_cast<size_t>(by) * upload.blockRowBytes;
        const auto convert = [&](const std::byte* p) {
            const U32x16 words = Layout::words(p);
            return kConform ? conform(upload.format, words) : words;
        };
        int bx = 0;
        for (; bx + 4 <= upload.blocksWide; bx += 4, client += 16 * Layout::kBytes, to += 4 * 64) {
            U32x16 rows[4];
            for (int r = 0; r < 4; ++r) rows[r] = convert(client + r * upload.layout.rowStride);
            storeBlocks(rows, to, 4);
        }
        if (bx == upload.blocksWide) continue;
        const int left = upload.blocksWide - bx;
        U32x16 rows[4];
        for (int r = 0; r < 4; ++r) {
            std::byte tail[16 * Layout::kBytes] = {};  // client memory may end where the pixels end
            __builtin_memcpy(tail, client + r * upload.layout.rowStride,
                             static_cast<size_t>(left) * kBlockSize * Layout::kBytes);
            rows[r] = convert(tail);
        }
        storeBlocks(rows, to, left);
    }
}

template <class Layout>
void upload(const BlockUpload& upload, PixelFormat exact) {
    return upload.format == exact ? uploadAs<Layout, false>(upload) : uploadAs<Layout, true>(upload);
}

/// By layout, with the format that holds its pixels as they are.
void upload(const BlockUpload& blocks) {
    switch (blocks.layout.type) {
        case ClientType::U16_565:
            return upload<Packed565>(blocks, PixelFormat::Rgb565);
        case ClientType::U16_4444:
            return upload<Packed4444>(blocks, PixelFormat::Rgba4);
        case ClientType::U16_5551:
            return upload<Packed5551>(blocks, PixelFormat::Rgb5A1);
        case ClientType::U16_4444Rev:
            return upload<Packed4444Rev>(blocks, PixelFormat::Rgba4);
        case ClientType::U16_1555Rev:
            return upload<Packed1555Rev>(blocks, PixelFormat::Rgb5A1);
        default:
            break;
    }
    switch (blocks.layout.format) {
        case ClientFormat::Rgba:
            return upload<Rgba8>(blocks, PixelFormat::Rgba8);
        case ClientFormat::Bgra:
            return upload<Bgra8>(blocks, PixelFormat::Bgra8);
        case ClientFormat::Rgb:
            return upload<Rgb8>(blocks, PixelFormat::Rgb8);
        case ClientFormat::Luminance:
            return upload<Luminance8>(blocks, PixelFormat::Luminance8);
        case ClientFormat::LuminanceAlpha:
            return upload<LuminanceAlpha8>(blocks, PixelFormat::LuminanceAlpha8);
        case ClientFormat::Alpha:
            return upload<Alpha8>(blocks, PixelFormat::Alpha8);
        case ClientFormat::Red:
            return upload<Red8>(blocks, PixelFormat::R8);
        case ClientFormat::Rg:
            return upload<Rg8>(blocks, PixelFormat::Rg8);
        case ClientFormat::Depth:
        case ClientFormat::DepthStencil:
            return;
    }
}

// --- Downsampling -----------------------------------------------------------------------------------------------

/// Sums of the 2x2 quads of two blocks side by side, for two channels of a word at once.
U32x8 quadSums(U32x16 left, U32x16 right) {
    return __builtin_shufflevector(left, right, 0, 2, 16, 18, 8, 10, 24, 26) +
           __builtin_shufflevector(left, right, 1, 3, 17, 19, 9, 11, 25, 27) +
           __builtin_shufflevector(left, right, 4, 6, 20, 22, 12, 14, 28, 30) +
           __builtin_shufflevector(left, right, 5, 7, 21, 23, 13, 15, 29, 31);
}

U32x8 halveRow(U32x16 left, U32x16 right) {
    constexpr uint32_t kLow = 0x00FF00FF, kTwo = 0x00020002;
    const U32x8 redBlue = quadSums(left & kLow, right & kLow);
    const U32x8 greenAlpha = quadSums((left >> 8u) & kLow, (right >> 8u) & kLow);
    return (((redBlue + kTwo) >> 2u) & kLow) | ((((greenAlpha + kTwo) >> 2u) & kLow) << 8u);
}

/// Four blocks make one. Blocks past the edge are read as the last one; what they make is padding.
void downsample(const BlockDownsample& level, int firstRow, int rows) {
    const auto block = [&](int bx, int by) {
        const int x = bx < level.fromWide ? bx : level.fromWide - 1, y = by < level.fromHigh ? by : level.fromHigh - 1;
        const std::byte* from = level.from + (static_cast<size_t>(y) * level.fromWide + x) * 64;
        return loadVector<U32x16>(from);
    };
    for (int by = firstRow; by < firstRow + rows; ++by) {
        std::byte* to = level.to + static_cast<size_t>(by) * level.toWide * 64;
        for (int bx = 0; bx < level.toWide; ++bx, to += 64) {
            const U32x8 bottom = halveRow(block(2 * bx, 2 * by), block(2 * bx + 1, 2 * by));
            const U32x8 top = halveRow(block(2 * bx, 2 * by + 1), block(2 * bx + 1, 2 * by + 1));
            const U32x16 made =
                __builtin_shufflevector(bottom, top, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            store(reinterpret_cast<uint32_t*>(to), conform(level.format, made));
        }
    }
}

}  // namespace

BlockKernels levelBlockKernels();
BlockKernels levelBlockKernels() { return {upload, downsample}; }

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
