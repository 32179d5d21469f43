#include "present/scan_out.h"

#include <algorithm>
#include <cstring>

namespace tessera::present {

namespace {

/// The layout of almost every display: 0xAARRGGBB.
bool isBgra8(const PixelLayout& layout) {
    return layout.bytes == 4 && layout.redShift == 16 && layout.greenShift == 8 && layout.blueShift == 0 &&
           layout.redBits == 8 && layout.greenBits == 8 && layout.blueBits == 8 &&
           (layout.alphaBits == 0 || (layout.alphaBits == 8 && layout.alphaShift == 24));
}

uint32_t pack(uint32_t rgba, const PixelLayout& layout) {
    uint32_t out = (rgba & 0xFF) >> (8 - layout.redBits) << layout.redShift |
                   (rgba >> 8 & 0xFF) >> (8 - layout.greenBits) << layout.greenShift |
                   (rgba >> 16 & 0xFF) >> (8 - layout.blueBits) << layout.blueShift;
    if (layout.alphaBits > 0) out |= (rgba >> 24) >> (8 - layout.alphaBits) << layout.alphaShift;
    return out | layout.alphaMask;
}

/// A channel of `bits` bits as 8: repeated from the top, so that all ones become 255.
uint32_t expand(uint32_t pixel, unsigned shift, unsigned bits) {
    uint32_t value = pixel >> shift & ((1u << bits) - 1), out = 0;
    for (int place = 8 - static_cast<int>(bits); place > -8; place -= static_cast<int>(bits))
        out |= place >= 0 ? value << place : value >> -place;
    return out;
}

uint32_t unpack(uint32_t pixel, const PixelLayout& layout) {
    uint32_t alpha = layout.alphaBits > 0 ? expand(pixel, layout.alphaShift, layout.alphaBits) : 0xFF;
    return expand(pixel, layout.redShift, layout.redBits) | expand(pixel, layout.greenShift, layout.greenBits) << 8 |
           expand(pixel, layout.blueShift, layout.blueBits) << 16 | alpha << 24;
}

/// Visits the pieces of rows that lie in one block: (texels in the block, first native column, count, native row).
template <class Blocks, class Visit>
void forEachPiece(Blocks& image, Rect rect, Visit&& visit) {
    for (int row = rect.y; row < rect.y + rect.height; ++row) {
        int y = image.height() - 1 - row;
        for (int x = rect.x; x < rect.x + rect.width;) {
            int count = std::min(4 - (x & 3), rect.x + rect.width - x);
            visit(image.block32(x >> 2, y >> 2) + (y & 3) * 4 + (x & 3), x, count, row);
            x += count;
        }
    }
}

// --- The usual layout: a row of a block is one vector ---

using Bytes16 = uint8_t __attribute__((vector_size(16)));
using Words4 = uint32_t __attribute__((vector_size(16)));

/// 0xAABBGGRR to 0xAARRGGBB, with the bits of `keep` and those of `always`.
Words4 toBgra(Words4 rgba, uint32_t keep, uint32_t always) {
    auto bytes = reinterpret_cast<Bytes16>(rgba);
    auto swapped = __builtin_shufflevector(bytes, bytes, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15);
    return (reinterpret_cast<Words4>(swapped) & keep) | always;
}

/// `count` blocks side by side: `Rows` rows of each from row `first` on go to `out`, the last of them on top.
template <int Rows>
void bgraBlocks(const uint32_t* block, int count, int first, std::byte* out, size_t pitch, uint32_t keep,
                uint32_t always) {
    for (int i = 0; i < count; ++i, block += 16, out += 16)
        for (int row = 0; row < Rows; ++row) {
            Words4 texels;
            std::memcpy(&texels, block + (first + Rows - 1 - row) * 4, sizeof texels);
            texels = toBgra(texels, keep, always);
            std::memcpy(out + static_cast<size_t>(row) * pitch, &texels, sizeof texels);
        }
}

/// A rectangle whose columns are those of whole blocks.
void scanOutBgra(const texture::Image& image, std::byte* pixels, size_t pitch, Rect rect, uint32_t keep,
                 uint32_t always) {
    for (int row = rect.y, end = rect.y + rect.height; row < end;) {
        // Going down the window goes down the image: from this row of the block to its first.
        int y = image.height() - 1 - row, rows = std::min((y & 3) + 1, end - row);
        const uint32_t* block = image.block32(rect.x >> 2, y >> 2);
        std::byte* out = pixels + static_cast<size_t>(row) * pitch + static_cast<size_t>(rect.x) * 4;
        if (rows == 4)
            bgraBlocks<4>(block, rect.width >> 2, 0, out, pitch, keep, always);
        else
            for (int i = 0; i < rows; ++i)
                bgraBlocks<1>(block, rect.width >> 2, (y & 3) - i, out + static_cast<size_t>(i) * pitch, pitch, keep,
                              always);
        row += rows;
    }
}

}  // namespace

Rect overlap(const texture::Image& image, int width, int height) {
    return {0, 0, std::min(width, image.width()), std::min(height, image.height())};
}

Rect overlap(const texture::Image& image, int width, int height, Rect damage) {
    Rect all = overlap(image, width, height);
    auto clip = [](int64_t from, int64_t size, int limit, int& start, int& count) {
        int64_t low = std::clamp<int64_t>(from, 0, limit);
        int64_t high = std::clamp<int64_t>(from + std::max<int64_t>(size, 0), low, limit);
        start = static_cast<int>(low);
        count = static_cast<int>(high - low);
    };
    Rect out;
    clip(damage.x, damage.width, all.width, out.x, out.width);
    clip(static_cast<int64_t>(image.height()) - damage.y - damage.height, damage.height, all.height, out.y, out.height);
    return out;
}

void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, Rect rect, const PixelLayout& layout) {
    auto pieces = [&](Rect part) {
        forEachPiece(image, part, [&](const uint32_t* texels, int x, int count, int row) {
            std::byte* out = pixels + static_cast<size_t>(row) * pitch + static_cast<size_t>(x) * layout.bytes;
            for (int i = 0; i < count; ++i, out += layout.bytes) {
                uint32_t packed = pack(texels[i], layout);
                std::memcpy(out, &packed, layout.bytes);
            }
        });
    };
    int end = rect.x + rect.width, first = std::min((rect.x + 3) & ~3, end), last = std::max(end & ~3, first);
    if (!isBgra8(layout) || first == last) return pieces(rect);
    uint32_t keep = layout.alphaBits > 0 ? 0xFFFFFFFF : 0x00FFFFFF;
    scanOutBgra(image, pixels, pitch, {first, rect.y, last - first, rect.height}, keep, layout.alphaMask);
    pieces({rect.x, rect.y, first - rect.x, rect.height});
    pieces({last, rect.y, end - last, rect.height});
}

void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, int width, int height,
             const PixelLayout& layout) {
    scanOut(image, pixels, pitch, overlap(image, width, height), layout);
}

void scanIn(texture::Image& image, const std::byte* pixels, size_t pitch, Rect rect, const PixelLayout& layout) {
    forEachPiece(image, rect, [&](uint32_t* texels, int x, int count, int row) {
        const std::byte* in = pixels + static_cast<size_t>(row) * pitch + static_cast<size_t>(x) * layout.bytes;
        for (int i = 0; i < count; ++i, in += layout.bytes) {
            uint32_t packed = 0;
            std::memcpy(&packed, in, layout.bytes);
            texels[i] = unpack(packed, layout);
        }
    });
}

}  // namespace tessera::present
