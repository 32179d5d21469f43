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
void forEachPiece(Blocks& image, NativeRect rect, Visit&& visit) {
    for (int row = rect.y; row < rect.y + rect.height; ++row) {
        int y = image.height() - 1 - row;
        for (int x = rect.x; x < rect.x + rect.width;) {
            int count = std::min(4 - (x & 3), rect.x + rect.width - x);
            visit(image.block32(x >> 2, y >> 2) + (y & 3) * 4 + (x & 3), x, count, row);
            x += count;
        }
    }
}

}  // namespace

NativeRect overlap(const texture::Image& image, int width, int height) {
    return {0, 0, std::min(width, image.width()), std::min(height, image.height())};
}

NativeRect overlap(const texture::Image& image, int width, int height, Damage damage) {
    NativeRect all = overlap(image, width, height);
    auto clip = [](int64_t from, int64_t size, int limit, int& start, int& count) {
        int64_t low = std::clamp<int64_t>(from, 0, limit);
        int64_t high = std::clamp<int64_t>(from + std::max<int64_t>(size, 0), low, limit);
        start = static_cast<int>(low);
        count = static_cast<int>(high - low);
    };
    NativeRect out;
    clip(damage.x, damage.width, all.width, out.x, out.width);
    clip(static_cast<int64_t>(image.height()) - damage.y - damage.height, damage.height, all.height, out.y, out.height);
    return out;
}

void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, NativeRect rect, const PixelLayout& layout) {
    if (isBgra8(layout)) {
        uint32_t keep = layout.alphaBits > 0 ? 0xFF00FF00 : 0x0000FF00, always = layout.alphaMask;
        forEachPiece(image, rect, [&](const uint32_t* texels, int x, int count, int row) {
            uint32_t packed[4];
            for (int i = 0; i < count; ++i)
                packed[i] = (texels[i] & keep) | (texels[i] & 0xFF) << 16 | (texels[i] >> 16 & 0xFF) | always;
            std::memcpy(pixels + static_cast<size_t>(row) * pitch + static_cast<size_t>(x) * 4, packed,
                        sizeof(uint32_t) * static_cast<size_t>(count));
        });
        return;
    }
    forEachPiece(image, rect, [&](const uint32_t* texels, int x, int count, int row) {
        std::byte* out = pixels + static_cast<size_t>(row) * pitch + static_cast<size_t>(x) * layout.bytes;
        for (int i = 0; i < count; ++i, out += layout.bytes) {
            uint32_t packed = pack(texels[i], layout);
            std::memcpy(out, &packed, layout.bytes);
        }
    });
}

void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, int width, int height,
             const PixelLayout& layout) {
    scanOut(image, pixels, pitch, overlap(image, width, height), layout);
}

void scanIn(texture::Image& image, const std::byte* pixels, size_t pitch, NativeRect rect, const PixelLayout& layout) {
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
