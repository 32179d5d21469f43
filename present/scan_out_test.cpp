#include "present/scan_out.h"

#include <doctest/doctest.h>

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
