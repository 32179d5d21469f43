// Resolve against plain integer and double arithmetic, pixel by pixel.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "texture/transfer/transfer.h"

using namespace tessera::texture;

namespace {

uint32_t wordOf(const Image& image, int sample, int x, int y) {
    uint32_t word;
    std::memcpy(&word, image.sampleBlock(sample, x / 4, y / 4) + (y % 4 * 4 + x % 4) * 4, 4);
    return word;
}
void setWord(Image& image, int sample, int x, int y, uint32_t word) {
    std::memcpy(image.sampleBlock(sample, x / 4, y / 4) + (y % 4 * 4 + x % 4) * 4, &word, 4);
}
float* floatsOf(Image& image, int sample, int x, int y) {
    return reinterpret_cast<float*>(image.sampleBlock(sample, x / 4, y / 4) + (y % 4 * 4 + x % 4) * 16);
}

void randomize(Image& image, std::mt19937& random) {
    for (int sample = 0; sample < image.samples(); ++sample) {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                setWord(image, sample, x, y, quantize(image.format(), static_cast<uint32_t>(random())));
            }
        }
    }
}

/// round(c * 255 / (2^n - 1)) of the mean of n-bit values, halves up.
uint32_t expectedChannel(const uint32_t (&bytes)[4], int bits) {
    const int largest = (1 << bits) - 1;
    int sum = 0;
    for (uint32_t byte : bytes) sum += static_cast<int>(std::lround(byte * largest / 255.0));
    const int mean = static_cast<int>(std::floor(sum / 4.0 + 0.5));
    return static_cast<uint32_t>(std::lround(mean * 255.0 / largest));
}

uint32_t expectedWord(const Image& image, int x, int y) {
    const FormatInfo& info = formatInfo(image.format());
    const uint8_t bits[4] = {info.red, info.green, info.blue, info.alpha};
    uint32_t word = 0;
    for (int c = 0; c < 4; ++c) {
        uint32_t bytes[4];
        for (int i = 0; i < 4; ++i) bytes[i] = wordOf(image, i, x, y) >> (8 * c) & 0xFF;
        word |= expectedChannel(bytes, bits[c] == 0 ? 8 : bits[c]) << (8 * c);
    }
    return word;
}

constexpr PixelFormat kColorFormats[] = {PixelFormat::Rgba8,  PixelFormat::Rgb8,   PixelFormat::Rgba4,
                                         PixelFormat::Rgb5A1, PixelFormat::Rgb565, PixelFormat::Bgra8,
                                         PixelFormat::R8,     PixelFormat::Rg8};

}  // namespace

TEST_CASE("a multisample image is one ordinary plane for each sample") {
    Image image(PixelFormat::Rgba8, 10, 7, kMaxSamples);
    CHECK(image.samples() == 4);
    CHECK(image.planeBytes() == 3 * 2 * 64);
    CHECK(image.byteCount() == 4 * 3 * 2 * 64);
    CHECK(image.sampleBlock(0, 1, 1) == image.block(1, 1));
    CHECK(image.sampleBlock(3, 2, 1) + 64 == image.block(0, 0) + image.byteCount());
    fill(image, {1, 1, 5, 4}, 0x11223344, 0xFF0000FF);
    for (int sample = 0; sample < 4; ++sample) {
        CHECK(wordOf(image, sample, 1, 1) == 0x11000044);
        CHECK(wordOf(image, sample, 5, 4) == 0x11000044);
        CHECK(wordOf(image, sample, 6, 4) == 0);
    }
}

TEST_CASE("a resolved colour is the mean of the stored values, halves up, at every precision") {
    std::mt19937 random(1);
    for (PixelFormat format : kColorFormats) {
        Image image(format, 61, 33, kMaxSamples), result(format, 61, 33);
        randomize(image, random);
        resolve(image, result);
        int wrong = 0;
        for (int y = 0; y < 33; ++y) {
            for (int x = 0; x < 61; ++x) wrong += result.texel32(x, y) != expectedWord(image, x, y);
        }
        CHECK_MESSAGE(wrong == 0, formatInfo(format).name);
    }
}

TEST_CASE("reading and copying a multisample image resolve it") {
    std::mt19937 random(2);
    for (PixelFormat format : kColorFormats) {
        Image image(format, 300, 9, kMaxSamples), resolved(format, 300, 9);
        randomize(image, random);
        resolve(image, resolved);
        for (ClientType type : {ClientType::U8, ClientType::F32}) {
            const size_t stride = 299 * 4 * (type == ClientType::U8 ? 1 : 4);
            std::vector<std::byte> direct(stride * 7), expected(stride * 7);
            readBack(image, {1, 2, 299, 7}, direct.data(), {ClientFormat::Rgba, type, stride});
            readBack(resolved, {1, 2, 299, 7}, expected.data(), {ClientFormat::Rgba, type, stride});
            CHECK(direct == expected);
        }
        Image copied(PixelFormat::Rgb565, 64, 8), reference(PixelFormat::Rgb565, 64, 8);
        copy(image, 3, 1, copied, {2, 1, 60, 6});
        copy(resolved, 3, 1, reference, {2, 1, 60, 6});
        CHECK(std::memcmp(copied.block(0, 0), reference.block(0, 0), copied.byteCount()) == 0);
        Image converted(PixelFormat::Rgb565, 300, 9);
        resolve(image, converted);
        Image expected(PixelFormat::Rgb565, 300, 9);
        copy(resolved, 0, 0, expected, {0, 0, 300, 9});
        CHECK(std::memcmp(converted.block(0, 0), expected.block(0, 0), expected.byteCount()) == 0);
    }
}

TEST_CASE("float samples average without overflow; a NaN is the quiet one") {
    Image image(PixelFormat::Rgba32F, 5, 3, kMaxSamples), result(PixelFormat::Rgba32F, 5, 3);
    std::mt19937 random(3);
    for (int sample = 0; sample < 4; ++sample) {
        for (int i = 0; i < 60; ++i) {
            floatsOf(image, sample, i / 4 % 5, i / 20)[i % 4] = static_cast<float>(random()) * 0x1p-20f - 1000;
        }
        floatsOf(image, sample, 0, 0)[0] = std::numeric_limits<float>::max();
        floatsOf(image, sample, 0, 0)[1] = sample % 2 ? HUGE_VALF : -HUGE_VALF;
    }
    resolve(image, result);
    const float *corner = floatsOf(result, 0, 0, 0), *middle = floatsOf(result, 0, 3, 2);
    CHECK(corner[0] == std::numeric_limits<float>::max());
    uint32_t bits;
    std::memcpy(&bits, &corner[1], 4);
    CHECK(bits == 0x7fc00000);
    for (int c = 0; c < 4; ++c) {
        double sum = 0;
        for (int sample = 0; sample < 4; ++sample) sum += floatsOf(image, sample, 3, 2)[c];
        CHECK(middle[c] == doctest::Approx(sum / 4).epsilon(1e-6));
    }
    // Half floats go the same way and are rounded once more: 1, 1, 1 and the next half after 1 is a tie to even.
    Image half(PixelFormat::Rgba16F, 4, 4, kMaxSamples), halfResult(PixelFormat::Rgba16F, 4, 4);
    for (int sample = 0; sample < 4; ++sample) {
        const uint16_t red = sample < 2 ? 0x3C00 : 0x3C01, green = sample < 1 ? 0x3C00 : 0x3C01;
        std::memcpy(half.sampleBlock(sample, 0, 0), &red, 2);
        std::memcpy(half.sampleBlock(sample, 0, 0) + 2, &green, 2);
    }
    resolve(half, halfResult);
    uint16_t stored[2];
    std::memcpy(stored, halfResult.block(0, 0), 4);
    CHECK(stored[0] == 0x3C00);
    CHECK(stored[1] == 0x3C01);
}

TEST_CASE("depth and stencil resolve to the first sample") {
    Image image(PixelFormat::Depth24Stencil8, 6, 5, kMaxSamples), result(PixelFormat::Depth24Stencil8, 6, 5);
    for (int sample = 0; sample < 4; ++sample) setWord(image, sample, 5, 4, 0x12345600u * (sample + 1) + sample + 1);
    resolve(image, result);
    CHECK(result.texel32(5, 4) == 0x12345601u);
}

TEST_CASE("a resolve of rows does those rows, and nothing uploads or copies into samples") {
    std::mt19937 random(4);
    Image image(PixelFormat::Rgba8, 16, 16, kMaxSamples), result(PixelFormat::Rgba8, 16, 16);
    randomize(image, random);
    resolveRows(image, result, 1, 2);
    CHECK(result.texel32(0, 3) == 0);
    CHECK(result.texel32(0, 4) == expectedWord(image, 0, 4));
    CHECK(result.texel32(15, 11) == expectedWord(image, 15, 11));
    CHECK(result.texel32(0, 12) == 0);
    const std::vector<std::byte> before(image.block(0, 0), image.block(0, 0) + image.byteCount());
    const std::vector<std::byte> pixels(16 * 16 * 4, std::byte{7});
    upload(image, {0, 0, 16, 16}, pixels.data(), {ClientFormat::Rgba, ClientType::U8, 64});
    copy(result, 0, 0, image, {0, 0, 16, 16});
    CHECK(std::memcmp(before.data(), image.block(0, 0), before.size()) == 0);
}
