#include "texture/codec/stored.h"

#include <doctest/doctest.h>

#include "texture/codec/codec.h"
#include "texture/codec/yuv.h"

using namespace tessera::texture;

TEST_CASE("what sixteen texels take in memory, as formats are stored") {
    constexpr uint32_t kDxt1 = 0x83F0, kDxt5 = 0x83F3, kEtc1 = 0x8D64, kPalette4 = 0x8B90, kPalette8 = 0x8B95;
    CHECK(storedBlock(kDxt1, PixelFormat::Rgb8) == StoredBlock{4, 4, 8});
    CHECK(storedBlock(kDxt5, PixelFormat::Rgba8) == StoredBlock{4, 4, 16});
    CHECK(storedBlock(kEtc1, PixelFormat::Rgb8) == StoredBlock{4, 4, 8});
    CHECK(storedBlock(kPalette4, PixelFormat::Rgb8) == StoredBlock{4, 4, 8});
    CHECK(storedBlock(kPalette8, PixelFormat::Rgb8) == StoredBlock{4, 4, 16});
    CHECK(storedBlock(fourcc("YUYV"), PixelFormat::Rgb8) == StoredBlock{4, 4, 32});
    CHECK(storedBlock(fourcc("YV12"), PixelFormat::Rgb8) == StoredBlock{4, 4, 24});
    CHECK(storedBlock(fourcc("NV12"), PixelFormat::Rgb8) == StoredBlock{4, 4, 24});
    for (const BlockFormat& format : blockFormats())
        CHECK(storedBlock(format.internalformat, format.storage) ==
              StoredBlock{format.width, format.height, format.bytes});
    CHECK_FALSE(storedBlock(kDxt1, PixelFormat::Rgba16F));
    CHECK_FALSE(storedBlock(1, PixelFormat::Rgb8));
}

TEST_CASE("bytes of a texel that is stored as it is") {
    CHECK(storedTexelBytes(PixelFormat::Rgba8) == 4);
    CHECK(storedTexelBytes(PixelFormat::Rgb8) == 4);  // three bytes are addressed as four
    CHECK(storedTexelBytes(PixelFormat::Rgb565) == 2);
    CHECK(storedTexelBytes(PixelFormat::Rgb5A1) == 2);
    CHECK(storedTexelBytes(PixelFormat::Luminance8) == 1);
    CHECK(storedTexelBytes(PixelFormat::LuminanceAlpha8) == 2);
    CHECK(storedTexelBytes(PixelFormat::Depth16) == 2);
    CHECK(storedTexelBytes(PixelFormat::R16F) == 2);
    CHECK(storedTexelBytes(PixelFormat::Rgb9E5) == 4);
    CHECK(storedTexelBytes(PixelFormat::Rgba32F) == 16);
    // Nothing takes more than the element that the driver keeps it in.
    for (int i = 1; i < kPixelFormats; ++i) {
        const auto format = static_cast<PixelFormat>(i);
        CAPTURE(formatInfo(format).name);
        CHECK(storedTexelBytes(format) <= elementBytes(formatInfo(format).element));
    }
}
