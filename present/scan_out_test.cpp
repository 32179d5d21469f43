#include "present/scan_out.h"

#include <doctest/doctest.h>

#include <cstring>
#include <vector>

using namespace tessera;

namespace {

uint32_t pattern(int x, int y) {
    return static_cast<uint32_t>(x * 7 + 1) | static_cast<uint32_t>(y * 5 + 2) << 8 | 0x40u << 16;
}

texture::Image makeImage(int width, int height) {
    texture::Image image(texture::PixelFormat::Rgba8, width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.setTexel32(x, y, pattern(x, y));
    return image;
}

}  // namespace

TEST_CASE("scan-out flips rows and orders channels") {
    constexpr int kWidth = 7, kHeight = 6;
    texture::Image image = makeImage(kWidth, kHeight);
    std::vector<uint32_t> window(kWidth * kHeight);
    present::scanOut(image, reinterpret_cast<std::byte*>(window.data()), kWidth * 4, kWidth, kHeight, {});
    for (int row = 0; row < kHeight; ++row) {
        for (int x = 0; x < kWidth; ++x) {
            uint32_t rgba = pattern(x, kHeight - 1 - row);
            uint32_t expected = 0xFF000000 | (rgba & 0xFF) << 16 | (rgba & 0xFF00) | rgba >> 16;
            CHECK(window[row * kWidth + x] == expected);
        }
    }
}

TEST_CASE("scan-out shows the overlap and leaves the rest alone") {
    texture::Image image = makeImage(5, 5);
    std::vector<uint32_t> window(8 * 3, 0xABCDABCD);
    present::scanOut(image, reinterpret_cast<std::byte*>(window.data()), 8 * 4, 8, 3, {});
    CHECK((window[0] >> 16 & 0xFF) == (pattern(0, 4) & 0xFF));
    CHECK((window[2 * 8 + 4] >> 8 & 0xFF) == (pattern(4, 2) >> 8 & 0xFF));
    CHECK(window[5] == 0xABCDABCD);
    CHECK(window[2 * 8 + 7] == 0xABCDABCD);
}

TEST_CASE("every rectangle of a frame goes to its place and nowhere else") {
    constexpr int kWidth = 19, kHeight = 11;
    constexpr size_t kPitch = 21;
    texture::Image image = makeImage(kWidth, kHeight);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) image.setTexel32(x, y, pattern(x, y) | static_cast<uint32_t>(x + y) << 24);
    present::PixelLayout opaque, translucent, narrow{11, 5, 0, 0, 5, 6, 5, 0, 0, 2};
    translucent.alphaBits = 8, translucent.alphaMask = 0;
    auto expectedPixel = [&](const present::PixelLayout& layout, uint32_t rgba) {
        uint32_t r = rgba & 0xFF, g = rgba >> 8 & 0xFF, b = rgba >> 16 & 0xFF;
        if (layout.bytes == 2) return (r >> 3) << 11 | (g >> 2) << 5 | b >> 3;
        return (layout.alphaBits == 8 ? rgba & 0xFF000000 : 0xFF000000) | r << 16 | g << 8 | b;
    };
    int wrong = 0;
    auto checkRect = [&](const present::PixelLayout& layout, const Rect& rect) {
        std::vector<std::byte> window(kPitch * 4 * kHeight, std::byte{0xCD});
        present::scanOut(image, window.data(), kPitch * 4, rect, layout);
        for (int row = 0; row < kHeight; ++row)
            for (int x = 0; x < static_cast<int>(kPitch); ++x) {
                bool inside = x >= rect.x && x < rect.x + rect.width && row >= rect.y && row < rect.y + rect.height;
                uint32_t untouched = layout.bytes == 2 ? 0xCDCD : 0xCDCDCDCD, got = 0;
                std::memcpy(
                    &got, window.data() + static_cast<size_t>(row) * kPitch * 4 + static_cast<size_t>(x) * layout.bytes,
                    layout.bytes);
                wrong += got != (inside ? expectedPixel(layout, image.texel32(x, kHeight - 1 - row)) : untouched);
            }
    };
    for (int x = 0; x < kWidth; ++x)
        for (int y = 0; y < kHeight; ++y)
            for (int width : {0, 1, 3, 4, 9, 16, kWidth - x})
                for (int height : {0, 1, 2, 5, kHeight - y})
                    for (const present::PixelLayout* layout : {&opaque, &translucent, &narrow})
                        if (x + width <= kWidth && y + height <= kHeight) checkRect(*layout, {x, y, width, height});
    CHECK(wrong == 0);
}
