// Transfers against a scalar reference that decodes client memory pixel by pixel in double precision.
#include "texture/transfer/transfer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "texture/convert.h"
#include "texture/testing/texels.h"
#include "texture/transfer/blocks.h"

using namespace tessera;
using namespace tessera::texture;

namespace {

using Bytes = std::vector<std::byte>;

struct Pair {
    ClientFormat format;
    ClientType type;
    PixelFormat image;  ///< the format such an upload makes
};
constexpr Pair kColorPairs[] = {
    {ClientFormat::Rgba, ClientType::U8, PixelFormat::Rgba8},
    {ClientFormat::Rgb, ClientType::U8, PixelFormat::Rgb8},
    {ClientFormat::Bgra, ClientType::U8, PixelFormat::Bgra8},
    {ClientFormat::Alpha, ClientType::U8, PixelFormat::Alpha8},
    {ClientFormat::Luminance, ClientType::U8, PixelFormat::Luminance8},
    {ClientFormat::LuminanceAlpha, ClientType::U8, PixelFormat::LuminanceAlpha8},
    {ClientFormat::Rgb, ClientType::U16_565, PixelFormat::Rgb565},
    {ClientFormat::Rgba, ClientType::U16_4444, PixelFormat::Rgba4},
    {ClientFormat::Rgba, ClientType::U16_5551, PixelFormat::Rgb5A1},
    {ClientFormat::Bgra, ClientType::U16_4444Rev, PixelFormat::Rgba4},
    {ClientFormat::Bgra, ClientType::U16_1555Rev, PixelFormat::Rgb5A1},
    {ClientFormat::Rgba, ClientType::F32, PixelFormat::Rgba32F},
    {ClientFormat::Rgb, ClientType::F32, PixelFormat::Rgb32F},
    {ClientFormat::Alpha, ClientType::F32, PixelFormat::Alpha32F},
    {ClientFormat::Luminance, ClientType::F32, PixelFormat::Luminance32F},
    {ClientFormat::LuminanceAlpha, ClientType::F32, PixelFormat::LuminanceAlpha32F},
    {ClientFormat::Rgba, ClientType::F16, PixelFormat::Rgba16F},
    {ClientFormat::Rgb, ClientType::F16, PixelFormat::Rgb16F},
    {ClientFormat::Alpha, ClientType::F16, PixelFormat::Alpha16F},
    {ClientFormat::Luminance, ClientType::F16, PixelFormat::Luminance16F},
    {ClientFormat::LuminanceAlpha, ClientType::F16, PixelFormat::LuminanceAlpha16F},
    {ClientFormat::Red, ClientType::U8, PixelFormat::R8},
    {ClientFormat::Rg, ClientType::U8, PixelFormat::Rg8},
    {ClientFormat::Red, ClientType::F16, PixelFormat::R16F},
    {ClientFormat::Rg, ClientType::F16, PixelFormat::Rg16F},
    {ClientFormat::Red, ClientType::F32, PixelFormat::R32F},
    {ClientFormat::Rg, ClientType::F32, PixelFormat::Rg32F},
};

/// The client's components in order, then what they mean.
Color decode(ClientFormat format, ClientType type, const std::byte* p) {
    auto field = [&](int shift, int bits) {
        return (at<uint16_t>(p) >> shift & ((1 << bits) - 1)) / double((1 << bits) - 1);
    };
    switch (type) {
        case ClientType::U16_565:
            return {field(11, 5), field(5, 6), field(0, 5), 1};
        case ClientType::U16_4444:
            return {field(12, 4), field(8, 4), field(4, 4), field(0, 4)};
        case ClientType::U16_5551:
            return {field(11, 5), field(6, 5), field(1, 5), field(0, 1)};
        case ClientType::U16_4444Rev:  // bytes B G R A from the lowest bits
            return {field(8, 4), field(4, 4), field(0, 4), field(12, 4)};
        case ClientType::U16_1555Rev:
            return {field(10, 5), field(5, 5), field(0, 5), field(15, 1)};
        default:
            break;
    }
    auto component = [&](int i) -> double {
        if (type == ClientType::F32) return at<float>(p, i);
        if (type == ClientType::F16) return referenceHalf(at<uint16_t>(p, i));
        return at<uint8_t>(p, i) / 255.0;
    };
    switch (format) {
        case ClientFormat::Alpha:
            return {0, 0, 0, component(0)};
        case ClientFormat::Luminance:
            return {component(0), component(0), component(0), 1};
        case ClientFormat::LuminanceAlpha:
            return {component(0), component(0), component(0), component(1)};
        case ClientFormat::Rgb:
            return {component(0), component(1), component(2), 1};
        case ClientFormat::Bgra:
            return {component(2), component(1), component(0), component(3)};
        case ClientFormat::Red:
            return {component(0), 0, 0, 1};
        case ClientFormat::Rg:
            return {component(0), component(1), 0, 1};
        default:
            return {component(0), component(1), component(2), component(3)};
    }
}

bool isFloatType(ClientType type) { return type == ClientType::F16 || type == ClientType::F32; }

/// Random client memory; floats are finite, some outside 0..1.
Bytes randomClient(std::mt19937& random, size_t bytes, ClientType type) {
    Bytes client(bytes);
    for (auto& b : client) b = static_cast<std::byte>(random());
    if (type == ClientType::F32) {
        for (size_t i = 0; i + 4 <= bytes; i += 4) {
            const float value = static_cast<float>(random() % 4096) / 2048.0f - 0.5f;
            std::memcpy(client.data() + i, &value, 4);
        }
    } else if (type == ClientType::F16) {
        for (size_t i = 0; i + 2 <= bytes; i += 2) {
            auto half = at<uint16_t>(client.data() + i);
            if ((half & 0x7C00) == 0x7C00) half ^= 0x4000;
            std::memcpy(client.data() + i, &half, 2);
        }
    }
    return client;
}

Rect randomRect(std::mt19937& random, const Image& image) {
    Rect rect;
    rect.x = static_cast<int>(random() % image.width());
    rect.y = static_cast<int>(random() % image.height());
    rect.width = 1 + static_cast<int>(random() % (image.width() - rect.x));
    rect.height = 1 + static_cast<int>(random() % (image.height() - rect.y));
    return rect;
}

bool inside(Rect r, int x, int y) { return x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height; }

}  // namespace

TEST_CASE("expansion and reduction round to nearest, and reduction undoes expansion") {
    for (uint32_t c = 0; c < 64; ++c) {
        if (c < 2) CHECK(expand1(c) == c * 255);
        if (c < 16) CHECK(expand4(c) == static_cast<uint32_t>(std::floor(c * 255.0 / 15 + 0.5)));
        if (c < 32) CHECK(expand5(c) == static_cast<uint32_t>(std::floor(c * 255.0 / 31 + 0.5)));
        CHECK(expand6(c) == static_cast<uint32_t>(std::floor(c * 255.0 / 63 + 0.5)));
        if (c < 2) CHECK(reduce1(expand1(c)) == c);
        if (c < 16) CHECK(reduce4(expand4(c)) == c);
        if (c < 32) CHECK(reduce5(expand5(c)) == c);
        CHECK(reduce6(expand6(c)) == c);
    }
    for (uint32_t c = 0; c < 256; ++c) {
        CHECK(reduce1(c) == static_cast<uint32_t>(std::floor(c / 255.0 + 0.5)));
        CHECK(reduce4(c) == static_cast<uint32_t>(std::floor(c * 15 / 255.0 + 0.5)));
        CHECK(reduce5(c) == static_cast<uint32_t>(std::floor(c * 31 / 255.0 + 0.5)));
        CHECK(reduce6(c) == static_cast<uint32_t>(std::floor(c * 63 / 255.0 + 0.5)));
    }
}

TEST_CASE("halves convert exactly, floats round to the nearest half") {
    for (uint32_t first = 0; first < 65536; first += 16) {
        U32x16 halves = asUint(kLaneX + kLaneY * 4) + first;
        const F32x16 floats = halfToFloat(halves);
        const U32x16 back = floatToHalf(floats);
        for (int i = 0; i < 16; ++i) {
            const auto half = static_cast<uint16_t>(first + i);
            const double expected = referenceHalf(half);
            if (std::isnan(expected)) {
                REQUIRE(std::isnan(floats[i]));
                REQUIRE(back[i] == 0x7E00);
            } else {
                REQUIRE(floats[i] == expected);
                REQUIRE(std::signbit(floats[i]) == std::signbit(expected));
                REQUIRE(back[i] == half);
            }
        }
    }
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        // Between two neighbouring halves: below, at and above the middle.
        const auto half = static_cast<uint16_t>(random() % 0x7BFF);
        const double low = referenceHalf(half), high = referenceHalf(half + 1);
        const auto middle = static_cast<float>((low + high) / 2);
        const uint32_t even = half % 2 == 0 ? half : half + 1;
        REQUIRE(floatToHalf(splat(middle))[0] == even);
        REQUIRE(floatToHalf(splat(std::nextafter(middle, 0.0f)))[0] == half);
        REQUIRE(floatToHalf(splat(std::nextafter(middle, 1e9f)))[0] == half + 1u);
    }
    CHECK(floatToHalf(splat(65519.996f))[0] == 0x7BFF);
    CHECK(floatToHalf(splat(65520.0f))[0] == 0x7C00);
    CHECK(floatToHalf(splat(-1e30f))[0] == 0xFC00);
}

TEST_CASE("upload writes every pixel of the rectangle and nothing else, for every pair and stride") {
    std::mt19937 random(2);
    for (const Pair& pair : kColorPairs) {
        CAPTURE(static_cast<int>(pair.format));
        CAPTURE(static_cast<int>(pair.type));
        const int pixelBytes = clientPixelBytes(pair.format, pair.type);
        REQUIRE(pixelBytes > 0);
        for (int round = 0; round < 12; ++round) {
            Image image(pair.image, round == 0 ? 301 : 1 + static_cast<int>(random() % 40),
                        1 + static_cast<int>(random() % 20));
            const Rect rect = round == 0 ? Rect{0, 0, image.width(), image.height()} : randomRect(random, image);
            const size_t stride = static_cast<size_t>(rect.width) * pixelBytes + random() % 9;
            // Exactly as long as the pixels: reading beyond the last one is caught by the address sanitizer.
            const Bytes client = randomClient(
                random, stride * (rect.height - 1) + static_cast<size_t>(rect.width) * pixelBytes, pair.type);
            Bytes aligned = client;
            if (isFloatType(pair.type)) {  // the stride may break the alignment of the random floats: make rows anew
                for (int y = 0; y < rect.height; ++y) {
                    const Bytes row = randomClient(random, static_cast<size_t>(rect.width) * pixelBytes, pair.type);
                    std::copy(row.begin(), row.end(), aligned.begin() + static_cast<ptrdiff_t>(y * stride));
                }
            }
            upload(image, rect, aligned.data(), {pair.format, pair.type, stride});
            bool same = true;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    Color expected{};
                    if (inside(rect, x, y)) {
                        expected = decode(
                            pair.format, pair.type,
                            aligned.data() + (y - rect.y) * stride + static_cast<size_t>(x - rect.x) * pixelBytes);
                        if (!isFloatType(pair.type)) {
                            for (double& c : expected) c = std::floor(c * 255 + 0.5);
                        }
                    }
                    same = same && stored(image, x, y) == expected;
                }
            }
            CHECK(same);
            Bytes back(aligned.size(), std::byte{0x5A});
            readBack(image, rect, back.data(), {pair.format, pair.type, stride});
            bool roundTrip = true;
            for (int y = 0; y < rect.height; ++y) {
                const size_t row = y * stride, end = row + static_cast<size_t>(rect.width) * pixelBytes;
                for (size_t i = row; i < end; ++i) roundTrip = roundTrip && back[i] == aligned[i];
                for (size_t i = end; i < row + stride && i < back.size(); ++i)
                    roundTrip = roundTrip && back[i] == std::byte{0x5A};
            }
            CHECK(roundTrip);
        }
    }
}

TEST_CASE("all 65536 values of the packed types expand to the nearest byte and come back") {
    for (const Pair& pair : kColorPairs) {
        if (isFloatType(pair.type) || pair.type == ClientType::U8) continue;
        Image image(pair.image, 256, 256);
        Bytes client(65536 * 2), back(65536 * 2);
        for (uint32_t i = 0; i < 65536; ++i) std::memcpy(client.data() + i * 2, &i, 2);
        upload(image, {0, 0, 256, 256}, client.data(), {pair.format, pair.type, 512});
        bool same = true;
        for (int i = 0; i < 65536; ++i) {
            const Color c = decode(pair.format, pair.type, client.data() + i * 2);
            for (int k = 0; k < 4; ++k) {
                same = same && (image.texel32(i % 256, i / 256) >> (8 * k) & 255) == std::floor(c[k] * 255 + 0.5);
            }
        }
        CHECK(same);
        readBack(image, {0, 0, 256, 256}, back.data(), {pair.format, pair.type, 512});
        CHECK(client == back);
    }
}

TEST_CASE("an upload of another precision is quantised to the image's format") {
    Image image(PixelFormat::Rgb565, 1, 1);
    const uint8_t client[4] = {100, 101, 102, 103};
    upload(image, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(client), {ClientFormat::Rgba, ClientType::U8, 4});
    auto nearest = [](int c, int max) {
        return static_cast<uint32_t>(std::floor(std::floor(c * max / 255.0 + 0.5) * 255.0 / max + 0.5));
    };
    const uint32_t expected = nearest(100, 31) | nearest(101, 63) << 8 | nearest(102, 31) << 16 | 0xFF000000u;
    CHECK(image.texel32(0, 0) == expected);

    Image floats(PixelFormat::LuminanceAlpha32F, 1, 1);
    upload(floats, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(client), {ClientFormat::Rgba, ClientType::U8, 4});
    CHECK(stored(floats, 0, 0) == Color{100 / 255.0f, 100 / 255.0f, 100 / 255.0f, 103 / 255.0f});

    Image bytes(PixelFormat::Rgba8, 1, 1);
    const float wild[4] = {NAN, -3, 1e30f, 0.5f};
    upload(bytes, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(wild), {ClientFormat::Rgba, ClientType::F32, 16});
    CHECK(bytes.texel32(0, 0) == 0x80FF0000u);
}

TEST_CASE("depth converts to the nearest value and stencil is kept unless given") {
    Image image(PixelFormat::Depth24Stencil8, 16, 16);
    std::mt19937 random(3);
    std::vector<uint32_t> packed(256), words(256), readWords(256);
    for (auto& p : packed) p = random();
    upload(image, {0, 0, 16, 16}, reinterpret_cast<std::byte*>(packed.data()),
           {ClientFormat::DepthStencil, ClientType::U24_8, 64});
    for (int i = 0; i < 256; ++i) REQUIRE(image.texel32(i % 16, i / 16) == packed[i]);

    for (auto& w : words) w = random();
    words[0] = 0, words[1] = ~0u;
    upload(image, {0, 0, 16, 16}, reinterpret_cast<std::byte*>(words.data()),
           {ClientFormat::Depth, ClientType::U32, 64});
    for (int i = 0; i < 256; ++i) {
        const uint32_t element = image.texel32(i % 16, i / 16);
        REQUIRE((element & 0xFF) == (packed[i] & 0xFF));
        REQUIRE((element >> 8) == static_cast<uint32_t>(std::floor(words[i] / 4294967295.0 * 16777215.0 + 0.5)));
    }
    std::vector<float> depths(256);
    readBack(image, {0, 0, 16, 16}, reinterpret_cast<std::byte*>(depths.data()),
             {ClientFormat::Depth, ClientType::F32, 64});
    for (int i = 0; i < 256; ++i) {
        REQUIRE(depths[i] == doctest::Approx((image.texel32(i % 16, i / 16) >> 8) / 16777215.0).epsilon(1e-7));
    }

    Image all(PixelFormat::Depth16, 256, 256);
    std::vector<uint16_t> shorts(65536), back(65536);
    for (int i = 0; i < 65536; ++i) shorts[i] = static_cast<uint16_t>(i);
    upload(all, {0, 0, 256, 256}, reinterpret_cast<std::byte*>(shorts.data()),
           {ClientFormat::Depth, ClientType::U16, 512});
    bool nearest = true;  // within one 24-bit step of exact; the ends exact
    for (int i = 0; i < 65536; ++i) {
        const double depth = all.texel32(i % 256, i / 256) >> 8;
        nearest = nearest && std::abs(depth - i / 65535.0 * 16777215.0) < 1;
    }
    CHECK((all.texel32(0, 0) >> 8) == 0);
    CHECK((all.texel32(255, 255) >> 8) == 0xFFFFFF);
    CHECK(nearest);
    readBack(all, {0, 0, 256, 256}, reinterpret_cast<std::byte*>(back.data()),
             {ClientFormat::Depth, ClientType::U16, 512});
    CHECK(back == shorts);

    // More precision than the image has is rounded to its own: the value can be written again as 16 bits.
    Image one(PixelFormat::Depth16, 1, 1), again(PixelFormat::Depth16, 1, 1);
    const float third = 1.0f / 3;
    uint16_t read = 0;
    upload(one, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(&third), {ClientFormat::Depth, ClientType::F32, 4});
    readBack(one, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(&read), {ClientFormat::Depth, ClientType::U16, 2});
    upload(again, {0, 0, 1, 1}, reinterpret_cast<const std::byte*>(&read), {ClientFormat::Depth, ClientType::U16, 2});
    CHECK(read == 21845);
    CHECK(one.texel32(0, 0) == again.texel32(0, 0));
}

TEST_CASE("pairs that mean nothing have no size and do nothing") {
    CHECK(clientPixelBytes(ClientFormat::Rgb, ClientType::U16_4444) == 0);
    CHECK(clientPixelBytes(ClientFormat::Depth, ClientType::U8) == 0);
    CHECK(clientPixelBytes(ClientFormat::Bgra, ClientType::U16) == 0);
    CHECK(clientPixelBytes(ClientFormat::DepthStencil, ClientType::U24_8) == 4);
    Image color(PixelFormat::Rgba8, 4, 4), depth(PixelFormat::Depth24, 4, 4);
    Bytes client(256, std::byte{0x11});
    upload(color, {0, 0, 4, 4}, client.data(), {ClientFormat::Rgb, ClientType::U16_4444, 16});
    upload(color, {0, 0, 4, 4}, client.data(), {ClientFormat::Depth, ClientType::U32, 16});
    upload(depth, {0, 0, 4, 4}, client.data(), {ClientFormat::Rgba, ClientType::U8, 16});
    CHECK(color.texel32(0, 0) == 0);
    CHECK(depth.texel32(0, 0) == 0);
    readBack(color, {0, 0, 4, 4}, client.data(), {ClientFormat::Depth, ClientType::U32, 16});
    CHECK(client[0] == std::byte{0x11});
}

TEST_CASE("read back leaves pixels outside the image alone") {
    Image image(PixelFormat::Rgba8, 5, 3);
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 5; ++x) image.setTexel32(x, y, static_cast<uint32_t>(1000 + y * 10 + x));
    }
    for (const Rect rect : {Rect{-2, -1, 9, 6}, Rect{3, 1, 8, 1}, Rect{-8, 0, 4, 2}, Rect{7, 7, 2, 2},
                            Rect{-2147483647, -2147483647, 3, 3}, Rect{2147483647, 2147483647, 3, 3}}) {
        std::vector<uint32_t> client(static_cast<size_t>(rect.width) * rect.height, 0xABABABAB);
        readBack(image, rect, reinterpret_cast<std::byte*>(client.data()),
                 {ClientFormat::Rgba, ClientType::U8, static_cast<size_t>(rect.width) * 4});
        for (int y = 0; y < rect.height; ++y) {
            for (int x = 0; x < rect.width; ++x) {
                const int64_t ix = int64_t{rect.x} + x, iy = int64_t{rect.y} + y;
                const bool exists = ix >= 0 && ix < 5 && iy >= 0 && iy < 3;
                CHECK(client[y * rect.width + x] ==
                      (exists ? static_cast<uint32_t>(1000 + iy * 10 + ix) : 0xABABABABu));
            }
        }
    }
}

TEST_CASE("read back of a format without alpha gives 1, of a depth image luminance") {
    Image image(PixelFormat::Rgb8, 1, 1);
    image.setTexel32(0, 0, 0x00030201);
    uint8_t rgba[4];
    readBack(image, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(rgba), {ClientFormat::Rgba, ClientType::U8, 4});
    CHECK(rgba[0] == 1);
    CHECK(rgba[2] == 3);
    CHECK(rgba[3] == 255);
    Image depth(PixelFormat::Depth24Stencil8, 1, 1);
    depth.setTexel32(0, 0, 0x80000012);
    readBack(depth, {0, 0, 1, 1}, reinterpret_cast<std::byte*>(rgba), {ClientFormat::Rgba, ClientType::U8, 4});
    CHECK(rgba[0] == 128);
    CHECK(rgba[1] == 128);
    CHECK(rgba[3] == 255);
}

TEST_CASE("depth is read back as the nearest value of the client's type") {
    constexpr int kSize = 64;
    constexpr double kMost = 0xFFFFFF;
    Image image(PixelFormat::Depth24Stencil8, kSize, kSize);
    std::mt19937 random(8);
    for (int i = 0; i < kSize * kSize; ++i) image.setTexel32(i % kSize, i / kSize, random());
    image.setTexel32(0, 0, 0x000000FF), image.setTexel32(1, 0, 0xFFFFFF00), image.setTexel32(2, 0, 0x00000100);
    const auto check = [&](ClientType type, auto wanted) {
        using Value = decltype(wanted(0.0));
        std::vector<Value> read(kSize * kSize);
        readBack(image, {0, 0, kSize, kSize}, reinterpret_cast<std::byte*>(read.data()),
                 {ClientFormat::Depth, type, kSize * sizeof(Value)});
        for (int i = 0; i < kSize * kSize; ++i)
            REQUIRE(read[i] == wanted((image.texel32(i % kSize, i / kSize) >> 8) / kMost));
    };
    check(ClientType::U16, [](double depth) { return static_cast<uint16_t>(std::floor(depth * 65535.0 + 0.5)); });
    check(ClientType::U32, [](double depth) { return static_cast<uint32_t>(std::floor(depth * 4294967295.0 + 0.5)); });
    check(ClientType::F32, [](double depth) { return static_cast<float>(depth); });
}

TEST_CASE("copy within one image is as if the source had been saved first") {
    std::mt19937 random(4);
    for (int round = 0; round < 300; ++round) {
        const bool wide = round % 10 == 0;
        Image image(PixelFormat::Rgba8, wide ? 700 : 23, 17);
        randomize(random, image);
        const int width = image.width(), height = image.height();
        std::vector<uint32_t> before(static_cast<size_t>(width) * height);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) before[y * width + x] = image.texel32(x, y);
        }
        auto pick = [&](int size) { return static_cast<int>(random() % (size + 8)) - 4; };
        const int fromX = wide ? 3 : pick(width), fromY = wide ? 5 : pick(height);
        const Rect rect = wide ? Rect{fromX + static_cast<int>(random() % 3) - 1, 5, 690, 9}
                               : Rect{pick(width), pick(height), 1 + static_cast<int>(random() % 20),
                                      1 + static_cast<int>(random() % 20)};
        copy(image, fromX, fromY, image, rect);
        bool same = true;
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int sx = fromX + x - rect.x, sy = fromY + y - rect.y;
                const bool written = inside(rect, x, y) && sx >= 0 && sx < width && sy >= 0 && sy < height;
                same = same && image.texel32(x, y) == before[written ? sy * width + sx : y * width + x];
            }
        }
        CHECK(same);
    }
}

TEST_CASE("copy drops what the destination lacks; luminance takes red") {
    Image from(PixelFormat::Rgba8, 1, 1);
    from.setTexel32(0, 0, 0x80563412);
    auto copied = [&](PixelFormat format) {
        Image to(format, 1, 1);
        copy(from, 0, 0, to, {0, 0, 1, 1});
        return to.texel32(0, 0);
    };
    CHECK(copied(PixelFormat::Rgb8) == 0xFF563412);
    CHECK(copied(PixelFormat::Alpha8) == 0x80000000);
    CHECK(copied(PixelFormat::Luminance8) == 0xFF121212);
    CHECK(copied(PixelFormat::LuminanceAlpha8) == 0x80121212);
    CHECK(copied(PixelFormat::Rgb565) == quantize(PixelFormat::Rgb565, 0x80563412));
    Image depth(PixelFormat::Depth24, 1, 1);
    copy(from, 0, 0, depth, {0, 0, 1, 1});
    CHECK(depth.texel32(0, 0) == 0);
    copy(from, 2147483647, -2147483647, from, {-2147483647, 2147483647, 2147483647, 2147483647});
    CHECK(from.texel32(0, 0) == 0x80563412);
}

namespace {

/// Of 32-bit elements: bytes of all kinds, depth, and one that is neither.
constexpr PixelFormat kWordFormats[] = {PixelFormat::Rgba8,           PixelFormat::Rgb8,       PixelFormat::Rgba4,
                                        PixelFormat::Rgb565,          PixelFormat::R8,         PixelFormat::Alpha8,
                                        PixelFormat::Bgra8,           PixelFormat::Luminance8, PixelFormat::Rgb5A1,
                                        PixelFormat::Srgb8Alpha8,     PixelFormat::Depth16,    PixelFormat::Depth24,
                                        PixelFormat::Depth24Stencil8, PixelFormat::Rgb10A2};
PixelFormat anyWordFormat(std::mt19937& random) { return kWordFormats[random() % std::size(kWordFormats)]; }

/// With samples that hold anything that the format can.
Image anyImage(std::mt19937& random, PixelFormat format, int width, int height, int samples) {
    Image image(format, width, height, samples);
    for (int sample = 0; sample < samples; ++sample)
        for (int i = 0; i < image.blocksWide() * image.blocksHigh() * 16; ++i) {
            auto word = static_cast<uint32_t>(random());
            if (holdsBytes(image.element())) word = conform(format, word);
            if (format == PixelFormat::Depth16) word = ((word & 0xFFFFu) << 8 | (word & 0xFFFFu) >> 8) << 8;
            std::memcpy(image.sampleBlock(sample, 0, 0) + size_t{4} * static_cast<size_t>(i), &word, 4);
        }
    return image;
}

bool sameTexels(const Image& a, const Image& b) {
    int wrong = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) wrong += a.texel32(x, y) != b.texel32(x, y);
    return wrong == 0;
}

}  // namespace

TEST_CASE("a copy of any rectangle is as that of its pixels one by one, of samples too") {
    std::mt19937 random(61);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    int wrong = 0, moved = 0;
    for (int round = 0; round < 2000; ++round) {
        const PixelFormat format = anyWordFormat(random);
        const Image from = anyImage(random, format, 1 + below(40), 1 + below(20), below(2) == 0 ? 1 : kMaxSamples);
        const PixelFormat other = below(2) == 0 ? format : anyWordFormat(random);
        const Image before = anyImage(random, other, 1 + below(40), 1 + below(20), 1);
        const int step = below(3) == 0 ? 1 : 4;  // mostly blocks stay blocks
        const Rect rect = {below(30) - 4, below(20) - 4, 1 + below(40), 1 + below(24)};
        const int fromX = rect.x + step * (below(5) - 2), fromY = rect.y + step * (below(5) - 2);
        Image copied(other, before.width(), before.height()), expected(other, before.width(), before.height());
        copy(before, 0, 0, copied, {0, 0, before.width(), before.height()});
        copy(before, 0, 0, expected, {0, 0, before.width(), before.height()});
        copy(from, fromX, fromY, copied, rect);
        for (int y = 0; y < rect.height; ++y)
            for (int x = 0; x < rect.width; ++x)
                copy(from, fromX + x, fromY + y, expected, {rect.x + x, rect.y + y, 1, 1});
        wrong += !sameTexels(copied, expected);
        moved += !sameTexels(copied, before);
    }
    CHECK(wrong == 0);
    CHECK(moved > 300);
}

TEST_CASE("whole blocks are copied alike at every SIMD level, of samples and into other formats") {
    std::mt19937 random(67);
    for (const PixelFormat format : kWordFormats) {
        for (const PixelFormat other : kWordFormats) {
            const bool sameKind = holdsBytes(formatInfo(format).element) && holdsBytes(formatInfo(other).element);
            if (format != other && !sameKind) continue;
            for (const int samples : {1, kMaxSamples}) {
                if (samples != 1 && format == PixelFormat::Rgb10A2) continue;  // goes by numbers
                const Image from = anyImage(random, format, 20, 12, samples);
                Image expected(other, 20, 12);
                for (int y = 0; y < 12; ++y)
                    for (int x = 0; x < 20; ++x) copy(from, x, y, expected, {x, y, 1, 1});
                for (const SimdLevel level : simdLevels()) {
                    Image to(other, 20, 12);
                    BlockCopy blocks;
                    blocks.from = from.block(0, 0), blocks.to = to.block(0, 0);
                    blocks.fromRowBytes = blocks.toRowBytes = size_t{5} * 64;
                    blocks.sampleBytes = samples == 1 ? 0 : from.planeBytes();
                    blocks.blocksWide = 5, blocks.blocksHigh = 3;
                    blocks.fromFormat = format, blocks.toFormat = other;
                    transferFunctions(level).copy(blocks);
                    CHECK(sameTexels(to, expected));
                }
            }
        }
    }
}

TEST_CASE("fill writes the masked bits of the rectangle, clipped to the image") {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        Image image(round % 2 ? PixelFormat::Depth24Stencil8 : PixelFormat::Rgba8, 1 + static_cast<int>(random() % 30),
                    1 + static_cast<int>(random() % 30));
        randomize(random, image);
        Image before(image.format(), image.width(), image.height());
        std::memcpy(before.block(0, 0), image.block(0, 0), image.byteCount());
        const Rect rect{static_cast<int>(random() % 36) - 4, static_cast<int>(random() % 36) - 4,
                        static_cast<int>(random() % 36), static_cast<int>(random() % 36)};
        const uint32_t value = random(), mask = round % 3 ? static_cast<uint32_t>(random()) : ~0u;
        fill(image, rect, value, mask);
        bool same = true;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const uint32_t old = before.texel32(x, y);
                same = same && image.texel32(x, y) == (inside(rect, x, y) ? (old & ~mask) | (value & mask) : old);
            }
        }
        CHECK(same);
    }
}

TEST_CASE("stencil is read back alone") {
    for (const PixelFormat format :
         {PixelFormat::Depth24Stencil8, PixelFormat::Depth32FStencil8, PixelFormat::Stencil8, PixelFormat::Depth24}) {
        Image image(format, 5, 3);
        std::vector<uint32_t> pixels(15);
        for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = 0xABCDEF00u | static_cast<uint32_t>(17 * i + 3);
        upload(image, {0, 0, 5, 3}, reinterpret_cast<std::byte*>(pixels.data()),
               {ClientFormat::DepthStencil, ClientType::U24_8, 20});
        std::vector<uint8_t> stencil(15, 0xEE);
        const ClientLayout layout = {ClientFormat::Stencil, ClientType::U8, 5};
        readBack(image, {0, 0, 5, 3}, reinterpret_cast<std::byte*>(stencil.data()), layout);
        for (size_t i = 0; i < stencil.size(); ++i) CHECK(stencil[i] == (pixels[i] & 0xFF));
        // Nothing is uploaded so.
        const std::vector<uint8_t> before = stencil, zeros(15);
        upload(image, {0, 0, 5, 3}, reinterpret_cast<const std::byte*>(zeros.data()), layout);
        readBack(image, {0, 0, 5, 3}, reinterpret_cast<std::byte*>(stencil.data()), layout);
        CHECK(stencil == before);
    }
    CHECK(clientPixelBytes(ClientFormat::Stencil, ClientType::U8) == 1);
    CHECK(clientPixelBytes(ClientFormat::Stencil, ClientType::U16) == 0);
}

namespace {

/// Random pictures of whole blocks, in every client format and many of images.
struct WholeBlocks {
    PixelFormat format;
    int wide, high;  ///< in blocks
    ClientLayout layout;
    size_t pixelBytes, clientBytes;  ///< of a pixel, of all: no byte beyond the last pixel
};
/// Calls `wrong(level, blocks, random)` for each; how often it said so. Several hundred are tried.
template <class Wrong>
int wrongBlocks(unsigned seed, const Wrong& wrong) {
    std::mt19937 random(seed);
    int found = 0, runs = 0;
    for (const SimdLevel level : simdLevels()) {
        for (const Pair& pair : kColorPairs) {
            if (pair.type == ClientType::F16 || pair.type == ClientType::F32) continue;
            for (int round = 0; round < 24; ++round) {
                WholeBlocks blocks{};
                blocks.format = round % 2 != 0 ? kColorPairs[random() % std::size(kColorPairs)].image : pair.image;
                blocks.wide = 1 + static_cast<int>(random() % 9), blocks.high = 1 + static_cast<int>(random() % 2);
                if (Image(blocks.format, 4, 4).element() != Element::Rgba8) continue;
                blocks.pixelBytes = static_cast<size_t>(clientPixelBytes(pair.format, pair.type));
                const size_t rowBytes = blocks.wide * 4 * blocks.pixelBytes, stride = rowBytes + random() % 5;
                blocks.layout = {pair.format, pair.type, stride};
                blocks.clientBytes = stride * (blocks.high * 4 - 1) + rowBytes;
                found += wrong(level, blocks, random) ? 1 : 0;
                ++runs;
            }
        }
    }
    CHECK(runs > 150);
    return found;
}

}  // namespace

TEST_CASE("whole blocks are uploaded as pixels one by one, at every SIMD level, into any format") {
    const auto wrong = wrongBlocks(41, [](SimdLevel level, const WholeBlocks& blocks, std::mt19937& random) {
        Image image(blocks.format, blocks.wide * 4, blocks.high * 4);
        Image expected(blocks.format, blocks.wide * 4, blocks.high * 4);
        // Exactly as long as the pixels: reading on would be seen by the address sanitizer.
        Bytes client(blocks.clientBytes);
        for (std::byte& byte : client) byte = static_cast<std::byte>(random());
        for (int y = 0; y < blocks.high * 4; ++y)
            for (int x = 0; x < blocks.wide * 4; ++x)
                upload(expected, {x, y, 1, 1}, client.data() + y * blocks.layout.rowStride + x * blocks.pixelBytes,
                       blocks.layout);
        BlockUpload all;
        all.client = client.data();
        all.layout = blocks.layout;
        all.blocks = image.block(0, 0);
        all.blockRowBytes = static_cast<size_t>(blocks.wide) * 64;
        all.blocksWide = blocks.wide, all.blocksHigh = blocks.high;
        all.format = blocks.format;
        transferFunctions(level).upload(all);
        return std::memcmp(image.block(0, 0), expected.block(0, 0), image.byteCount()) != 0;
    });
    CHECK(wrong == 0);
}

TEST_CASE("whole blocks are read back as pixels one by one, at every SIMD level, from any format") {
    const auto wrong = wrongBlocks(53, [](SimdLevel level, const WholeBlocks& blocks, std::mt19937& random) {
        Image image(blocks.format, blocks.wide * 4, blocks.high * 4);
        for (int i = 0; i < blocks.wide * blocks.high * 16; ++i)
            image.block32(0, 0)[i] = static_cast<uint32_t>(random());
        Bytes client(blocks.clientBytes, std::byte{0x5A}), expected = client;
        for (int y = 0; y < blocks.high * 4; ++y)
            for (int x = 0; x < blocks.wide * 4; ++x)
                readBack(image, {x, y, 1, 1}, expected.data() + y * blocks.layout.rowStride + x * blocks.pixelBytes,
                         blocks.layout);
        BlockReadBack all;
        all.blocks = std::as_const(image).block(0, 0);
        all.blockRowBytes = static_cast<size_t>(blocks.wide) * 64;
        all.blocksWide = blocks.wide, all.blocksHigh = blocks.high;
        all.format = blocks.format;
        all.client = client.data();
        all.layout = blocks.layout;
        transferFunctions(level).readBack(all);
        return client != expected;
    });
    CHECK(wrong == 0);
}

TEST_CASE("any rectangle is read back as pixels one by one") {
    std::mt19937 random(59);
    int wrong = 0;
    for (int round = 0; round < 300; ++round) {
        const Pair& pair = kColorPairs[random() % std::size(kColorPairs)];
        const int width = 1 + static_cast<int>(random() % 70), height = 1 + static_cast<int>(random() % 20);
        Image image(pair.image, width, height);
        for (size_t i = 0; i < image.byteCount(); ++i) image.block(0, 0)[i] = static_cast<std::byte>(random() % 0x70);
        Rect rect;
        rect.x = static_cast<int>(random() % width), rect.y = static_cast<int>(random() % height);
        rect.width = 1 + static_cast<int>(random() % (width - rect.x));
        rect.height = 1 + static_cast<int>(random() % (height - rect.y));
        const auto pixelBytes = static_cast<size_t>(clientPixelBytes(pair.format, pair.type));
        const size_t stride = rect.width * pixelBytes;
        const ClientLayout layout = {pair.format, pair.type, stride};
        Bytes client(stride * rect.height), expected = client;
        readBack(image, rect, client.data(), layout);
        for (int y = 0; y < rect.height; ++y)
            for (int x = 0; x < rect.width; ++x)
                readBack(image, {rect.x + x, rect.y + y, 1, 1}, expected.data() + y * stride + x * pixelBytes, layout);
        wrong += client != expected;
    }
    CHECK(wrong == 0);
}

TEST_CASE("an upload of any rectangle writes its pixels and no others") {
    std::mt19937 random(43);
    int wrong = 0;
    for (int round = 0; round < 300; ++round) {
        const Pair& pair = kColorPairs[random() % std::size(kColorPairs)];
        const int width = 1 + static_cast<int>(random() % 70), height = 1 + static_cast<int>(random() % 20);
        Image image(pair.image, width, height), expected(pair.image, width, height);
        Rect rect;
        rect.x = static_cast<int>(random() % width), rect.y = static_cast<int>(random() % height);
        rect.width = 1 + static_cast<int>(random() % (width - rect.x));
        rect.height = 1 + static_cast<int>(random() % (height - rect.y));
        const auto pixelBytes = static_cast<size_t>(clientPixelBytes(pair.format, pair.type));
        const size_t stride = rect.width * pixelBytes;
        Bytes client(stride * rect.height);
        for (std::byte& byte : client) byte = static_cast<std::byte>(random() % 0x70);  // no NaN among the floats
        const ClientLayout layout = {pair.format, pair.type, stride};
        upload(image, rect, client.data(), layout);
        for (int y = 0; y < rect.height; ++y)
            for (int x = 0; x < rect.width; ++x)
                upload(expected, {rect.x + x, rect.y + y, 1, 1}, client.data() + y * stride + x * pixelBytes, layout);
        wrong += std::memcmp(image.block(0, 0), expected.block(0, 0), image.byteCount()) != 0;
    }
    CHECK(wrong == 0);
}
