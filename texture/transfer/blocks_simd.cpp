// Sixteen pixels of each of four rows at a time: converted to RGBA8 words, they are the rows of four blocks, and a
// transposition of 128-bit quarters makes them blocks.
#include "texture/transfer/blocks.h"

#include <type_traits>

#include "texture/convert.h"
#include "texture/transfer/layouts.h"
#include "texture/transfer/sample_mean.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

using U32x8 = uint32_t __attribute__((ext_vector_type(8)));

// --- Fields of 16 bits ---

// Thirty-two pixels at once, sixteen of each of two rows: the multiplications of convert.h's expand5 and expand6 stay
// below 2^16, so sixteen-bit lanes are enough.

/// Words of thirty-two pixels: `even` holds pixels 0 to 3 and 8 to 11 of the first row and of the second, `odd` the
/// others, which is what interleaving within 128 bits gives.
struct TwoRows {
    U32x16 even, odd;
};
template <class Layout>
TwoRows words(const std::byte* first, const std::byte* second) {
    U16x32 packed;
    const auto a = loadVector<U16x16>(first), b = loadVector<U16x16>(second);
    packed = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                     22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
    const Channels<U16x32> c = Layout::channels(packed);
    const U16x32 low = c.red | c.green << 8, high = c.blue | c.alpha << 8;
    const U16x32 even = __builtin_shufflevector(low, high, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43, 16,
                                                48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59);
    const U16x32 odd = __builtin_shufflevector(low, high, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47,
                                               20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63);
    return {__builtin_bit_cast(U32x16, even), __builtin_bit_cast(U32x16, odd)};
}

// --- Upload ---

/// Four blocks side by side.
struct Blocks {
    U32x16 block[4];
};

void storeBlocks(const Blocks& blocks, std::byte* to, int count) {
    for (int i = 0; i < count; ++i) store(reinterpret_cast<uint32_t*>(to) + 16 * i, blocks.block[i]);
}

/// Makes blocks of rows. It is a transposition, so that it makes rows of blocks as well.
Blocks blocksOf(const U32x16 (&rows)[4]) {
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
    return {{first(low01, low23), second(low01, low23), first(high01, high23), second(high01, high23)}};
}

/// Pixel layouts as blocks: sixteen pixels at each of four places.
template <class Layout>
struct Unpacked {
    static constexpr int kBytes = Layout::kBytes;
    static Blocks blocks(const std::byte* const (&row)[4]) {
        return blocksOf({Layout::words(row[0]), Layout::words(row[1]), Layout::words(row[2]), Layout::words(row[3])});
    }
};
template <class Layout>
struct PackedRows {
    static constexpr int kBytes = 2;
    static Blocks blocks(const std::byte* const (&row)[4]) {
        const TwoRows low = words<Layout>(row[0], row[1]), high = words<Layout>(row[2], row[3]);
        // Quarters 0 and 2 of `even` are the first block's first two rows, 1 and 3 the third's.
        const auto zeroTwo = [](U32x16 a, U32x16 b) {
            return __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
        };
        const auto oneThree = [](U32x16 a, U32x16 b) {
            return __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
        };
        return {{zeroTwo(low.even, high.even), zeroTwo(low.odd, high.odd), oneThree(low.even, high.even),
                 oneThree(low.odd, high.odd)}};
    }
};

template <class Layout, bool kConform>
void uploadAs(const BlockUpload& upload) {
    const size_t stride = upload.layout.rowStride;
    const auto convert = [&](const std::byte* const(&row)[4]) {
        Blocks blocks = Layout::blocks(row);
        if (kConform)
            for (U32x16& block : blocks.block) block = conform(upload.format, block);
        return blocks;
    };
    for (int by = 0; by < upload.blocksHigh; ++by) {
        const std::byte* client = upload.client + static_cast<size_t>(by) * kBlockSize * stride;
        std::byte* to = upload.blocks + static_cast<size_t>(by) * upload.blockRowBytes;
        int bx = 0;
        for (; bx + 4 <= upload.blocksWide; bx += 4, client += 16 * Layout::kBytes, to += 4 * 64)
            storeBlocks(convert({client, client + stride, client + 2 * stride, client + 3 * stride}), to, 4);
        if (bx == upload.blocksWide) continue;
        const int left = upload.blocksWide - bx;
        std::byte tail[4][16 * Layout::kBytes] = {};  // client memory may end where the pixels end
        for (int r = 0; r < 4; ++r)
            __builtin_memcpy(tail[r], client + r * stride, static_cast<size_t>(left) * kBlockSize * Layout::kBytes);
        storeBlocks(convert({tail[0], tail[1], tail[2], tail[3]}), to, left);
    }
}

template <class Layout>
void upload(const BlockUpload& upload, PixelFormat exact) {
    return upload.format == exact ? uploadAs<Layout, false>(upload) : uploadAs<Layout, true>(upload);
}

void upload(const BlockUpload& blocks) {
    withLayout(blocks.layout, [&]<class Layout>() {
        constexpr bool kHasFields = requires { Layout::channels(U16x32{}); };
        using Form = std::conditional_t<kHasFields, PackedRows<Layout>, Unpacked<Layout>>;
        upload<Form>(blocks, Layout::kFormat);
    });
}

// --- Reading back ---

template <class Layout, bool kConform>
void readBackAs(const BlockReadBack& read) {
    const size_t stride = read.layout.rowStride;
    constexpr size_t kRun = size_t{16} * Layout::kBytes;
    const auto rowsOf = [&](const std::byte* from, int count) {
        Blocks blocks{};
        for (int i = 0; i < count; ++i) {
            blocks.block[i] = loadVector<U32x16>(from + 64 * i);
            if (kConform) blocks.block[i] = conform(read.format, blocks.block[i]);
        }
        return blocksOf(blocks.block);
    };
    for (int by = 0; by < read.blocksHigh; ++by) {
        const std::byte* from = read.blocks + static_cast<size_t>(by) * read.blockRowBytes;
        std::byte* client = read.client + static_cast<size_t>(by) * kBlockSize * stride;
        int bx = 0;
        for (; bx + 4 <= read.blocksWide; bx += 4, client += kRun, from += 4 * 64) {
            const Blocks rows = rowsOf(from, 4);
            for (int r = 0; r < 4; ++r) {
                const auto pixels = Layout::pixels(rows.block[r]);
                __builtin_memcpy(client + r * stride, &pixels, kRun);
            }
        }
        if (bx == read.blocksWide) continue;
        const int left = read.blocksWide - bx;
        const Blocks rows = rowsOf(from, left);
        for (int r = 0; r < 4; ++r) {
            const auto pixels = Layout::pixels(rows.block[r]);
            __builtin_memcpy(client + r * stride, &pixels, static_cast<size_t>(left) * kBlockSize * Layout::kBytes);
        }
    }
}

void readBack(const BlockReadBack& read) {
    withLayout(read.layout, [&]<class Layout>() {
        const bool isExact = read.format == PixelFormat::Rgba8 || read.format == PixelFormat::Bgra8;
        isExact ? readBackAs<Layout, false>(read) : readBackAs<Layout, true>(read);
    });
}

// --- Copying ---

/// `blockAt(bytes)`: what becomes of the block there.
template <class BlockAt>
void copyBlocks(const BlockCopy& copy, const BlockAt& blockAt) {
    for (int by = 0; by < copy.blocksHigh; ++by) {
        const std::byte* from = copy.from + static_cast<size_t>(by) * copy.fromRowBytes;
        std::byte* to = copy.to + static_cast<size_t>(by) * copy.toRowBytes;
        for (int bx = 0; bx < copy.blocksWide; ++bx, from += 64, to += 64)
            store(reinterpret_cast<uint32_t*>(to), blockAt(from));
    }
}

template <class BlockAt>
void conformBlocks(const BlockCopy& copy, const BlockAt& blockAt) {
    if (copy.toFormat == copy.fromFormat || !holdsBytes(formatInfo(copy.toFormat).element))
        return copyBlocks(copy, blockAt);
    copyBlocks(copy, [&](const std::byte* from) { return conform(copy.toFormat, blockAt(from)); });
}

void copy(const BlockCopy& copy) {
    const FormatInfo& info = formatInfo(copy.fromFormat);
    if (copy.sampleBytes == 0 || isDepth(info.element))
        return conformBlocks(copy, [](const std::byte* from) { return loadVector<U32x16>(from); });
    const auto meanBy = [&](const auto& mean) {
        conformBlocks(copy, [&](const std::byte* from) {
            U32x16 sample[kMaxSamples];
            for (size_t i = 0; i < kMaxSamples; ++i) sample[i] = loadVector<U32x16>(from + i * copy.sampleBytes);
            return mean(sample);
        });
    };
    using Samples = const U32x16(&)[kMaxSamples];
    if (isByteFormat(info) && !info.srgb()) return meanBy([](Samples sample) { return meanBytes(sample); });
    meanBy([&](Samples sample) { return meanWords(info, sample); });
}

// --- Downsampling ---

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

TransferFunctions levelTransferFunctions();
TransferFunctions levelTransferFunctions() { return {upload, readBack, copy, downsample}; }

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
