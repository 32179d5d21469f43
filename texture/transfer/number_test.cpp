// Transfers of images whose elements are no bytes: integers, signed and shared fractions, packed floats, depth in
// single precision. What an element holds of a number is in texture/element_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "texture/testing/element_levels.h"
#include "texture/transfer/blit.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

using Random = std::mt19937;
using Bytes = std::vector<std::byte>;

struct Pair {
    PixelFormat image;
    ClientFormat format;
    ClientType type;
    int channels;
};
constexpr Pair kIntegers[] = {
    {PixelFormat::R8Uint, ClientFormat::RedInteger, ClientType::U8, 1},
    {PixelFormat::Rg8Uint, ClientFormat::RgInteger, ClientType::U8, 2},
    {PixelFormat::Rgb8Uint, ClientFormat::RgbInteger, ClientType::U8, 3},
    {PixelFormat::Rgba8Uint, ClientFormat::RgbaInteger, ClientType::U8, 4},
    {PixelFormat::R8Sint, ClientFormat::RedInteger, ClientType::I8, 1},
    {PixelFormat::Rg8Sint, ClientFormat::RgInteger, ClientType::I8, 2},
    {PixelFormat::Rgb8Sint, ClientFormat::RgbInteger, ClientType::I8, 3},
    {PixelFormat::Rgba8Sint, ClientFormat::RgbaInteger, ClientType::I8, 4},
    {PixelFormat::R16Uint, ClientFormat::RedInteger, ClientType::U16, 1},
    {PixelFormat::Rg16Uint, ClientFormat::RgInteger, ClientType::U16, 2},
    {PixelFormat::Rgb16Uint, ClientFormat::RgbInteger, ClientType::U16, 3},
    {PixelFormat::Rgba16Uint, ClientFormat::RgbaInteger, ClientType::U16, 4},
    {PixelFormat::R16Sint, ClientFormat::RedInteger, ClientType::I16, 1},
    {PixelFormat::Rg16Sint, ClientFormat::RgInteger, ClientType::I16, 2},
    {PixelFormat::Rgb16Sint, ClientFormat::RgbInteger, ClientType::I16, 3},
    {PixelFormat::Rgba16Sint, ClientFormat::RgbaInteger, ClientType::I16, 4},
    {PixelFormat::R32Uint, ClientFormat::RedInteger, ClientType::U32, 1},
    {PixelFormat::Rg32Uint, ClientFormat::RgInteger, ClientType::U32, 2},
    {PixelFormat::Rgb32Uint, ClientFormat::RgbInteger, ClientType::U32, 3},
    {PixelFormat::Rgba32Uint, ClientFormat::RgbaInteger, ClientType::U32, 4},
    {PixelFormat::R32Sint, ClientFormat::RedInteger, ClientType::I32, 1},
    {PixelFormat::Rg32Sint, ClientFormat::RgInteger, ClientType::I32, 2},
    {PixelFormat::Rgb32Sint, ClientFormat::RgbInteger, ClientType::I32, 3},
    {PixelFormat::Rgba32Sint, ClientFormat::RgbaInteger, ClientType::I32, 4},
    {PixelFormat::Rgb10A2Uint, ClientFormat::RgbaInteger, ClientType::U2_10_10_10Rev, 4},
};
/// Colours whose client pixels come back as they went in.
constexpr Pair kColors[] = {
    {PixelFormat::R8Snorm, ClientFormat::Red, ClientType::I8, 1},
    {PixelFormat::Rg8Snorm, ClientFormat::Rg, ClientType::I8, 2},
    {PixelFormat::Rgb8Snorm, ClientFormat::Rgb, ClientType::I8, 3},
    {PixelFormat::Rgba8Snorm, ClientFormat::Rgba, ClientType::I8, 4},
    {PixelFormat::Rgb10A2, ClientFormat::Rgba, ClientType::U2_10_10_10Rev, 4},
    {PixelFormat::R11G11B10F, ClientFormat::Rgb, ClientType::U10F_11F_11FRev, 3},
    {PixelFormat::Rgb9E5, ClientFormat::Rgb, ClientType::U5_9_9_9Rev, 3},
    {PixelFormat::R16, ClientFormat::Red, ClientType::U16, 1},
    {PixelFormat::Rg16, ClientFormat::Rg, ClientType::U16, 2},
    {PixelFormat::Rgb16, ClientFormat::Rgb, ClientType::U16, 3},
    {PixelFormat::Rgba16, ClientFormat::Rgba, ClientType::U16, 4},
    {PixelFormat::R16Snorm, ClientFormat::Red, ClientType::I16, 1},
    {PixelFormat::Rg16Snorm, ClientFormat::Rg, ClientType::I16, 2},
    {PixelFormat::Rgb16Snorm, ClientFormat::Rgb, ClientType::I16, 3},
    {PixelFormat::Rgba16Snorm, ClientFormat::Rgba, ClientType::I16, 4},
};

size_t pixelBytes(const Pair& pair) { return static_cast<size_t>(clientPixelBytes(pair.format, pair.type)); }

bool isInside(Rect rect, int x, int y) {
    return x >= rect.x && x < rect.x + rect.width && y >= rect.y && y < rect.y + rect.height;
}
Rect randomRect(Random& random, const Image& image) {
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    Rect rect{below(image.width()), below(image.height()), 1, 1};
    rect.width += below(image.width() - rect.x), rect.height += below(image.height() - rect.y);
    return rect;
}
Bytes randomBytes(Random& random, size_t count) {
    Bytes bytes(count);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    return bytes;
}
const std::byte* elementAt(const Image& image, int x, int y) {
    return image.block(x / 4, y / 4) + (y % 4 * 4 + x % 4) * static_cast<size_t>(elementBytes(image.element()));
}

/// The channels of a texel, as they are loaded.
std::array<uint32_t, 4> numbersAt(const Image& image, int x, int y) {
    alignas(64) std::array<std::byte, 256> block{};
    std::memcpy(block.data(), elementAt(image, x, y), static_cast<size_t>(elementBytes(image.element())));
    PlainNumbers numbers;
    plainLoad(kLeastSimdLevel)(image.element(), block.data(), numbers);
    return {numbers.channel[0][0], numbers.channel[1][0], numbers.channel[2][0], numbers.channel[3][0]};
}

/// An image of `format` with those floats, RGBA, by way of its element alone.
Image imageOf(PixelFormat format, int width, int height, const std::vector<float>& rgba) {
    Image image(format, width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            PlainNumbers numbers;
            for (size_t c = 0; c < 4; ++c)
                numbers.channel[c][0] = std::bit_cast<uint32_t>(rgba[(static_cast<size_t>(y) * width + x) * 4 + c]);
            plainUnits(kLeastSimdLevel)(image.element(), numbers);
            alignas(64) std::array<std::byte, 256> block{};
            plainStore(kLeastSimdLevel)(image.element(), block.data(), numbers, 1, 0xF);
            std::memcpy(const_cast<std::byte*>(elementAt(image, x, y)), block.data(),
                        static_cast<size_t>(elementBytes(image.element())));
        }
    return image;
}
bool areSame(const Image& a, const Image& b) {
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            if (std::memcmp(elementAt(a, x, y), elementAt(b, x, y), static_cast<size_t>(elementBytes(a.element()))) !=
                0)
                return false;
    return true;
}

/// Finite floats of both signs, large and small, some of them halfway between two codes of 11 or 10 bits.
std::vector<float> randomFloats(Random& random, size_t count) {
    std::vector<float> floats(count);
    for (float& one : floats) {
        one = std::ldexp(static_cast<float>(random() % 4096) - 64.0f, static_cast<int>(random() % 24) - 20);
        if (random() % 2 == 0) one = static_cast<float>(random() % 4096) / 4095.0f;
    }
    return floats;
}
void uploadFloats(Image& image, const std::vector<float>& rgba) {
    upload(image, {0, 0, image.width(), image.height()}, reinterpret_cast<const std::byte*>(rgba.data()),
           {ClientFormat::Rgba, ClientType::F32, static_cast<size_t>(image.width()) * 16});
}
constexpr PixelFormat kNumberFormats[] = {PixelFormat::Rgba8Snorm, PixelFormat::Rgb10A2,   PixelFormat::R11G11B10F,
                                          PixelFormat::Rgb9E5,     PixelFormat::Rgba16F,   PixelFormat::Rg16,
                                          PixelFormat::Rgba16,     PixelFormat::Rg16Snorm, PixelFormat::Rgba16Snorm};

template <class T>
T at(const Bytes& bytes, size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}
/// Component `i` of a pixel of integers.
int64_t integerAt(const Pair& pair, const Bytes& client, size_t pixel, int i) {
    const auto component = static_cast<size_t>(i);
    switch (pair.type) {
        case ClientType::U8:
            return at<uint8_t>(client, pixel + component);
        case ClientType::I8:
            return at<int8_t>(client, pixel + component);
        case ClientType::U16:
            return at<uint16_t>(client, pixel + 2 * component);
        case ClientType::I16:
            return at<int16_t>(client, pixel + 2 * component);
        case ClientType::U32:
            return at<uint32_t>(client, pixel + 4 * component);
        case ClientType::I32:
            return at<int32_t>(client, pixel + 4 * component);
        default:
            return at<uint32_t>(client, pixel) >> (10 * i) & (i == 3 ? 3 : 1023);
    }
}

}  // namespace

TEST_CASE("integers are uploaded and read as they are, in the rectangle alone; a missing one is 0, alpha 1") {
    Random random(1);
    for (const Pair& pair : kIntegers) {
        CAPTURE(formatInfo(pair.image).name);
        REQUIRE(pixelBytes(pair) != 0);
        for (int round = 0; round < 30; ++round) {
            Image image(pair.image, 1 + static_cast<int>(random() % 300), 1 + static_cast<int>(random() % 9));
            const Rect rect = randomRect(random, image);
            const size_t stride = static_cast<size_t>(rect.width) * pixelBytes(pair) + random() % 5;
            const Bytes client = randomBytes(random, stride * static_cast<size_t>(rect.height));
            upload(image, rect, client.data(), {pair.format, pair.type, stride});
            int wrong = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const std::array<uint32_t, 4> numbers = numbersAt(image, x, y);
                    const size_t pixel =
                        static_cast<size_t>(y - rect.y) * stride + static_cast<size_t>(x - rect.x) * pixelBytes(pair);
                    for (int c = 0; c < 4; ++c) {
                        if (!isInside(rect, x, y)) {
                            const uint32_t untouched = missingBits(image.element(), c);
                            const bool isThere = elementInfo(image.element()).channel[static_cast<size_t>(c)].bits != 0;
                            wrong += numbers[static_cast<size_t>(c)] != (isThere ? 0 : untouched);
                        } else if (c < pair.channels) {
                            wrong += numbers[static_cast<size_t>(c)] !=
                                     static_cast<uint32_t>(integerAt(pair, client, pixel, c));
                        } else {
                            wrong += numbers[static_cast<size_t>(c)] != (c == 3 ? 1 : 0);
                        }
                    }
                }
            CHECK(wrong == 0);
            Bytes read(client.size(), std::byte{0x55});
            readBack(image, rect, read.data(), {pair.format, pair.type, stride});
            for (int y = 0; y < rect.height; ++y)
                CHECK(std::memcmp(read.data() + static_cast<size_t>(y) * stride,
                                  client.data() + static_cast<size_t>(y) * stride,
                                  static_cast<size_t>(rect.width) * pixelBytes(pair)) == 0);
        }
    }
}

TEST_CASE("integers that are read keep to the range of the client's type, and have all channels") {
    const std::array<int32_t, 4> values = {-70000, 70000, 5, -3};
    Image image(PixelFormat::Rgba32Sint, 1, 1);
    upload(image, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(values.data()),
           {ClientFormat::RgbaInteger, ClientType::I32, 16});
    std::array<int16_t, 4> narrow{};
    readBack(image, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(narrow.data()),
             {ClientFormat::RgbaInteger, ClientType::I16, 8});
    CHECK(narrow == std::array<int16_t, 4>{-32768, 32767, 5, -3});
    Image red(PixelFormat::R16Uint, 1, 1);
    const uint16_t seven = 7;
    upload(red, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(&seven),
           {ClientFormat::RedInteger, ClientType::U16, 2});
    std::array<uint32_t, 4> all{};
    readBack(red, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(all.data()),
             {ClientFormat::RgbaInteger, ClientType::U32, 16});
    CHECK(all == std::array<uint32_t, 4>{7, 0, 0, 1});
}

TEST_CASE("floats that are read as fractions keep to the ends of the client's type; what is no number is 0") {
    const std::array<float, 4> values = {2, -3, 0.5f, std::numeric_limits<float>::quiet_NaN()};
    Image image(PixelFormat::Rgba32F, 1, 1);
    upload(image, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(values.data()),
           {ClientFormat::Rgba, ClientType::F32, 16});
    const auto read = [&]<class T>(ClientType type, std::array<T, 4> expected) {
        std::array<T, 4> got{};
        readBack(image, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(got.data()), {ClientFormat::Rgba, type, sizeof got});
        CHECK(got == expected);
    };
    read(ClientType::I8, std::array<int8_t, 4>{127, -127, 64, 0});
    read(ClientType::I16, std::array<int16_t, 4>{32767, -32767, 16384, 0});
    read(ClientType::U8, std::array<uint8_t, 4>{255, 0, 128, 0});
    read(ClientType::U16, std::array<uint16_t, 4>{65535, 0, 32768, 0});
    // So do signed ones of the client type's size.
    Image wide(PixelFormat::Rg16Snorm, 1, 1);
    const std::array<int16_t, 2> ends = {32767, -32767};
    upload(wide, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(ends.data()), {ClientFormat::Rg, ClientType::I16, 4});
    std::array<uint16_t, 2> got{};
    readBack(wide, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(got.data()), {ClientFormat::Rg, ClientType::U16, 4});
    CHECK(got == std::array<uint16_t, 2>{65535, 0});
}

TEST_CASE("kinds of numbers do not mix") {
    const std::array<std::byte, 16> ones = {std::byte{1}, std::byte{1}, std::byte{1}, std::byte{1}};
    Image integers(PixelFormat::Rgba8Uint, 1, 1), signedOnes(PixelFormat::Rgba8Sint, 1, 1);
    Image colors(PixelFormat::Rgba8, 1, 1), depth(PixelFormat::Depth32F, 1, 1);
    const Rect one = {0, 0, 1, 1};
    upload(integers, one, ones.data(), {ClientFormat::Rgba, ClientType::U8, 4});
    upload(integers, one, ones.data(), {ClientFormat::RgbaInteger, ClientType::I8, 4});
    upload(colors, one, ones.data(), {ClientFormat::RgbaInteger, ClientType::U8, 4});
    upload(depth, one, ones.data(), {ClientFormat::RgbaInteger, ClientType::U8, 4});
    upload(depth, one, ones.data(), {ClientFormat::Red, ClientType::F32, 4});
    CHECK(integers.texel32(0, 0) == 0);
    CHECK(colors.texel32(0, 0) == 0);
    CHECK(depth.texel32(0, 0) == 0);
    upload(integers, one, ones.data(), {ClientFormat::RgbaInteger, ClientType::U8, 4});
    CHECK(integers.texel32(0, 0) == 0x01010101);
    copy(integers, 0, 0, signedOnes, one);
    copy(integers, 0, 0, colors, one);
    copy(integers, 0, 0, depth, one);
    Blit scaled;
    scaled.from = {0, 0, 1, 1}, scaled.to = {0, 0, 2, 2}, scaled.within = one;
    const auto shared = [](const Image& image) {
        auto same = std::make_shared<Image>(image.format(), 1, 1);
        same->setTexel32(0, 0, image.texel32(0, 0));
        return same;
    };
    const ImagePtr target = shared(signedOnes);
    blit(shared(integers), target, scaled, 0, 1);
    CHECK(target->texel32(0, 0) == 0);
    CHECK(signedOnes.texel32(0, 0) == 0);
    CHECK(colors.texel32(0, 0) == 0);
    CHECK(depth.texel32(0, 0) == 0);
    std::array<std::byte, 4> read{};
    readBack(integers, one, read.data(), {ClientFormat::Rgba, ClientType::U8, 4});
    readBack(integers, one, read.data(), {ClientFormat::RgbaInteger, ClientType::I8, 4});
    readBack(colors, one, read.data(), {ClientFormat::RgbaInteger, ClientType::U8, 4});
    CHECK(read == std::array<std::byte, 4>{});
}

TEST_CASE("packed and signed colours come back as they went in") {
    Random random(2);
    for (const Pair& pair : kColors) {
        CAPTURE(formatInfo(pair.image).name);
        for (int round = 0; round < 30; ++round) {
            Image image(pair.image, 1 + static_cast<int>(random() % 300), 1 + static_cast<int>(random() % 9));
            const Rect rect = randomRect(random, image);
            const size_t stride = static_cast<size_t>(rect.width) * pixelBytes(pair);
            Bytes client = randomBytes(random, stride * static_cast<size_t>(rect.height));
            if (pair.type == ClientType::I8)  // -128 is -127
                for (std::byte& one : client)
                    if (one == std::byte{0x80}) one = std::byte{0x81};
            if (pair.type == ClientType::I16)  // -32768 is -32767
                for (size_t i = 0; i + 1 < client.size(); i += 2)
                    if (at<int16_t>(client, i) == std::numeric_limits<int16_t>::min()) client[i] = std::byte{1};
            upload(image, rect, client.data(), {pair.format, pair.type, stride});
            Bytes read(client.size());
            readBack(image, rect, read.data(), {pair.format, pair.type, stride});
            CHECK(read == client);
            int wrong = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (!isInside(rect, x, y)) {
                        const std::byte* const element = elementAt(image, x, y);
                        wrong += std::any_of(element, element + elementBytes(image.element()),
                                             [](std::byte one) { return one != std::byte{}; });
                    }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("floats become the same bits by an upload, a copy and a blit, and those of the element") {
    Random random(3);
    constexpr int kWidth = 301, kHeight = 3;
    for (const PixelFormat format : kNumberFormats) {
        CAPTURE(formatInfo(format).name);
        const std::vector<float> floats = randomFloats(random, size_t{kWidth} * kHeight * 4);
        const Image expected = imageOf(format, kWidth, kHeight, floats);
        Image uploaded(format, kWidth, kHeight), copied(format, kWidth, kHeight);
        uploadFloats(uploaded, floats);
        CHECK(areSame(uploaded, expected));
        const auto source = std::make_shared<Image>(PixelFormat::Rgba32F, kWidth, kHeight);
        uploadFloats(*source, floats);
        copy(*source, 0, 0, copied, {0, 0, kWidth, kHeight});
        CHECK(areSame(copied, expected));
        // Mirrored, and mirrored again.
        Blit mirrored;
        mirrored.from = {0, 0, kWidth, kHeight}, mirrored.to = {kWidth, 0, 0, kHeight};
        mirrored.within = {0, 0, kWidth, kHeight};
        const auto wide = std::make_shared<Image>(PixelFormat::Rgba32F, kWidth, kHeight);
        const auto blitted = std::make_shared<Image>(format, kWidth, kHeight);
        blit(source, wide, mirrored, 0, kHeight);
        blit(wide, blitted, mirrored, 0, kHeight);
        CHECK(areSame(*blitted, expected));
        // And from its own kind.
        const auto again = std::make_shared<Image>(format, kWidth, kHeight);
        const auto twice = std::make_shared<Image>(format, kWidth, kHeight);
        blit(blitted, again, mirrored, 0, kHeight);
        blit(again, twice, mirrored, 0, kHeight);
        CHECK(areSame(*twice, expected));
    }
}

TEST_CASE("blits of integers take the nearest, whatever the filter") {
    const auto from = std::make_shared<Image>(PixelFormat::R32Sint, 4, 1);
    const auto to = std::make_shared<Image>(PixelFormat::R32Sint, 8, 1);
    for (int x = 0; x < 4; ++x) from->setTexel32(x, 0, static_cast<uint32_t>(-100 * x));
    Blit wider;
    wider.from = {0, 0, 4, 1}, wider.to = {0, 0, 8, 1}, wider.within = {0, 0, 8, 1}, wider.linear = true;
    blit(from, to, wider, 0, 1);
    for (int x = 0; x < 8; ++x) CHECK(static_cast<int32_t>(to->texel32(x, 0)) == -100 * (x / 2));
    // Channels that the target's format lacks are 0, alpha 1, though the elements are the same.
    const auto all = std::make_shared<Image>(PixelFormat::Rgba8Uint, 2, 1),
               red = std::make_shared<Image>(PixelFormat::R8Uint, 4, 1);
    all->setTexel32(0, 0, 0x04030201), all->setTexel32(1, 0, 0x08070605);
    wider.from = {0, 0, 2, 1}, wider.to = {0, 0, 4, 1};
    blit(all, red, wider, 0, 1);
    CHECK(red->texel32(0, 0) == 0x01000001);
    CHECK(red->texel32(3, 0) == 0x01000005);
}

TEST_CASE("levels of numbers are the mean of floats, of integers the first texel") {
    Random random(4);
    for (const PixelFormat format : kNumberFormats) {
        CAPTURE(formatInfo(format).name);
        const std::vector<float> floats = randomFloats(random, size_t{6} * 2 * 4);
        const Image from = imageOf(format, 6, 2, floats);
        Image to(format, 3, 1);
        downsample(from, to);
        const auto source = std::make_shared<Image>(format, 6, 2, 1, 2),
                   smaller = std::make_shared<Image>(format, 3, 1);
        for (int z = 0; z < 2; ++z) {
            Image slice(source, z);
            copy(from, 0, 0, slice, {0, 0, 6, 2});
        }
        downsampleVolume(source, smaller);
        std::vector<float> values(6 * 2 * 4);
        readBack(from, {0, 0, 6, 2}, reinterpret_cast<std::byte*>(values.data()),
                 {ClientFormat::Rgba, ClientType::F32, 6 * 16});
        std::vector<float> means(3 * 4);
        for (size_t x = 0; x < 3; ++x)
            for (size_t c = 0; c < 4; ++c) {
                double sum = 0;
                for (const size_t pixel : {2 * x, 2 * x + 1, 6 + 2 * x, 7 + 2 * x}) sum += values[pixel * 4 + c];
                means[x * 4 + c] = static_cast<float>(sum / 4);
            }
        const Image expected = imageOf(format, 3, 1, means);
        CHECK(areSame(to, expected));
        CHECK(areSame(*smaller, expected));
    }
    for (const PixelFormat format : {PixelFormat::Rgba8Uint, PixelFormat::Rg16Sint, PixelFormat::R32Uint}) {
        const auto from = std::make_shared<Image>(format, 7, 3, 1, 3), to = std::make_shared<Image>(format, 3, 1);
        for (int z = 0; z < 3; ++z) {
            Image slice(from, z);
            for (int y = 0; y < 3; ++y)
                for (int x = 0; x < 7; ++x) slice.setTexel32(x, y, random());
        }
        const Image lowest(from, 0);
        Image plane(format, 3, 1);
        downsample(lowest, plane);
        downsampleVolume(from, to);
        for (int x = 0; x < 3; ++x) {
            CHECK(plane.texel32(x, 0) == lowest.texel32(2 * x, 0));
            CHECK(to->texel32(x, 0) == lowest.texel32(2 * x, 0));
        }
    }
}

TEST_CASE("samples of numbers are resolved: integers take the first, normalised ones the mean, halves up") {
    Image tens(PixelFormat::Rgb10A2, 1, 1, kMaxSamples), mean(PixelFormat::Rgb10A2, 1, 1);
    const std::array<uint32_t, 4> reds = {1, 2, 1023, 0}, alphas = {3, 3, 2, 2};
    for (int i = 0; i < kMaxSamples; ++i) {
        const uint32_t word = reds[static_cast<size_t>(i)] | alphas[static_cast<size_t>(i)] << 30;
        std::memcpy(tens.sampleBlock(i, 0, 0), &word, 4);
    }
    resolve(tens, mean);
    CHECK(mean.texel32(0, 0) == (257u | 3u << 30));  // (1026 + 2) / 4, (10 + 2) / 4
    Image integers(PixelFormat::R32Uint, 1, 1, kMaxSamples), first(PixelFormat::R32Uint, 1, 1);
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t word = 0xFFFF0000u + i;
        std::memcpy(integers.sampleBlock(static_cast<int>(i), 0, 0), &word, 4);
    }
    resolve(integers, first);
    CHECK(first.texel32(0, 0) == 0xFFFF0000u);
}

TEST_CASE("depth of single precision is clamped to 0..1 and not rounded, stencil kept unless given") {
    struct DepthAndStencil {
        float depth;
        uint32_t stencil;
        bool operator==(const DepthAndStencil&) const = default;
    };
    const Rect both = {0, 0, 2, 1};
    Image image(PixelFormat::Depth32FStencil8, 2, 1), other(PixelFormat::Depth32FStencil8, 2, 1);
    const std::array<DepthAndStencil, 2> pixels = {{{0.1f, 0x12}, {1.5f, 0xAB}}};
    upload(image, both, reinterpret_cast<const std::byte*>(pixels.data()),
           {ClientFormat::DepthStencil, ClientType::F32_U24_8Rev, 16});
    copy(image, 0, 0, other, both);
    std::array<DepthAndStencil, 2> read{};
    readBack(other, both, reinterpret_cast<std::byte*>(read.data()),
             {ClientFormat::DepthStencil, ClientType::F32_U24_8Rev, 16});
    CHECK(read == std::array<DepthAndStencil, 2>{{{0.1f, 0x12}, {1.0f, 0xAB}}});
    const std::array<float, 2> depths = {-1.0f, 0.3f};
    upload(image, both, reinterpret_cast<const std::byte*>(depths.data()), {ClientFormat::Depth, ClientType::F32, 8});
    readBack(image, both, reinterpret_cast<std::byte*>(read.data()),
             {ClientFormat::DepthStencil, ClientType::F32_U24_8Rev, 16});
    CHECK(read == std::array<DepthAndStencil, 2>{{{0.0f, 0x12}, {0.3f, 0xAB}}});
    std::array<uint32_t, 2> words{};
    readBack(image, both, reinterpret_cast<std::byte*>(words.data()),
             {ClientFormat::DepthStencil, ClientType::U24_8, 8});
    CHECK(words[0] == 0x12);
    CHECK(words[1] == ((static_cast<uint32_t>(0.3f * 16777215.0 + 0.5)) << 8 | 0xAB));
    // A fixed-point image takes what it can hold.
    Image fixed(PixelFormat::Depth24Stencil8, 2, 1);
    upload(fixed, both, reinterpret_cast<const std::byte*>(pixels.data()),
           {ClientFormat::DepthStencil, ClientType::F32_U24_8Rev, 16});
    CHECK(fixed.texel32(0, 0) == (static_cast<uint32_t>(static_cast<double>(0.1f) * 16777215.0 + 0.5) << 8 | 0x12));
    CHECK(fixed.texel32(1, 0) == 0xFFFFFFABu);
    // Depth as luminance.
    std::array<float, 4> color{};
    readBack(image, {1, 0, 1, 1}, reinterpret_cast<std::byte*>(color.data()),
             {ClientFormat::Rgba, ClientType::F32, 16});
    CHECK(color == std::array<float, 4>{0.3f, 0.3f, 0.3f, 1});
}

TEST_CASE("a new image has what its format lacks: alpha 1, as a number of its kind") {
    for (const Pair& pair : kIntegers) {
        Image image(pair.image, 5, 5);
        fillMissing(image);
        CHECK(numbersAt(image, 4, 4) == std::array<uint32_t, 4>{0, 0, 0, pair.channels == 4 ? 0u : 1u});
    }
    Image floats(PixelFormat::Rgb16F, 5, 5), bytes(PixelFormat::Rgb8, 5, 5), depth(PixelFormat::Depth24, 5, 5);
    fillMissing(floats), fillMissing(bytes), fillMissing(depth);
    CHECK(numbersAt(floats, 4, 4)[3] == 0x3F800000);
    CHECK(bytes.texel32(4, 4) == 0xFF000000);
    CHECK(depth.texel32(4, 4) == 0);
}
