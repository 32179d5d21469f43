// Levels of mipmaps against the mean over the exact footprint in double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/simd_levels.h"
#include "texture/convert.h"
#include "texture/testing/texels.h"
#include "texture/transfer/blocks.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::texture;

TEST_CASE("downsample is the box filter over the exact footprint, rounded to nearest") {
    std::mt19937 random(6);
    const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 22, 33, 64};
    for (int width : sizes) {
        for (int height : sizes) {
            if (width == 1 && height == 1) continue;
            Image from(PixelFormat::Rgba8, width, height);
            randomize(random, from);
            Image to(PixelFormat::Rgba8, std::max(1, width / 2), std::max(1, height / 2));
            downsample(from, to);
            const double stepX = static_cast<double>(width) / to.width(),
                         stepY = static_cast<double>(height) / to.height();
            auto overlap = [](double lo, double hi, int i) {
                return std::max(0.0, std::min(hi, i + 1.0) - std::max(lo, double(i)));
            };
            for (int y = 0; y < to.height(); ++y) {
                for (int x = 0; x < to.width(); ++x) {
                    for (int c = 0; c < 4; ++c) {
                        double sum = 0;
                        for (int j = 0; j < height; ++j) {
                            for (int i = 0; i < width; ++i) {
                                sum += overlap(x * stepX, (x + 1) * stepX, i) * overlap(y * stepY, (y + 1) * stepY, j) *
                                       (from.texel32(i, j) >> (8 * c) & 255);
                            }
                        }
                        const double exact = sum / (stepX * stepY);
                        // Exact halves round up; the tolerance covers the reference's own rounding.
                        const auto got = static_cast<double>(to.texel32(x, y) >> (8 * c) & 255);
                        REQUIRE(std::abs(got - exact) <= 0.5 + 1e-9);
                        if (std::abs(exact - std::floor(exact) - 0.5) < 1e-9) REQUIRE(got == std::floor(exact) + 1);
                    }
                }
            }
        }
    }
}

TEST_CASE("downsample keeps to the format, and handles depth and floats") {
    Image from(PixelFormat::Rgb565, 2, 1), to(PixelFormat::Rgb565, 1, 1);
    from.setTexel32(0, 0, quantize(PixelFormat::Rgb565, 0xFF000000));
    from.setTexel32(1, 0, quantize(PixelFormat::Rgb565, 0xFFFFFFFF));
    downsample(from, to);
    CHECK(to.texel32(0, 0) == quantize(PixelFormat::Rgb565, 0xFF808080));
    CHECK(to.texel32(0, 0) != 0xFF808080);

    Image depth(PixelFormat::Depth24, 3, 1), smallDepth(PixelFormat::Depth24, 1, 1);
    for (int x = 0; x < 3; ++x) depth.setTexel32(x, 0, static_cast<uint32_t>(100 + x * x) << 8);
    downsample(depth, smallDepth);
    CHECK((smallDepth.texel32(0, 0) >> 8) == 102);  // 305 / 3 = 101.67

    for (PixelFormat format : {PixelFormat::Rgba32F, PixelFormat::Rgba16F}) {
        Image floats(format, 600, 3), smaller(format, 300, 1);
        std::vector<float> client(600 * 3 * 4);
        for (size_t i = 0; i < client.size(); ++i) client[i] = static_cast<float>(i % 97);
        upload(floats, {0, 0, 600, 3}, reinterpret_cast<std::byte*>(client.data()),
               {ClientFormat::Rgba, ClientType::F32, 9600});
        downsample(floats, smaller);
        for (int x = 0; x < 300; ++x) {
            for (int c = 0; c < 4; ++c) {
                double sum = 0;
                for (int k = 0; k < 6; ++k) sum += client[(k / 2) * 2400 + (2 * x + k % 2) * 4 + c];
                REQUIRE(stored(smaller, x, 0)[c] == doctest::Approx(sum / 6).epsilon(1e-3));
            }
        }
    }
}

TEST_CASE("levels of codes that are not decoded are those of bytes, of planes and of volumes") {
    std::mt19937 random(9);
    constexpr std::pair<PixelFormat, PixelFormat> kFormats[] = {{PixelFormat::Srgb8Alpha8, PixelFormat::Rgba8},
                                                                {PixelFormat::Srgb8, PixelFormat::Rgb8},
                                                                {PixelFormat::Sr8, PixelFormat::R8},
                                                                {PixelFormat::Srg8, PixelFormat::Rg8}};
    for (const auto& [encoded, plain] : kFormats)
        for (const std::array<int, 3> size :
             {std::array{16, 8, 1}, std::array{5, 3, 1}, std::array{4, 6, 2}, std::array{3, 2, 5}}) {
            const auto half = [](int n) { return std::max(n / 2, 1); };
            const auto make = [&](PixelFormat format, bool isLevel) {
                return isLevel ? std::make_shared<Image>(format, half(size[0]), half(size[1]), 1, half(size[2]))
                               : std::make_shared<Image>(format, size[0], size[1], 1, size[2]);
            };
            const auto codes = make(encoded, false), bytes = make(plain, false);
            for (int z = 0; z < size[2]; ++z)
                for (int y = 0; y < size[1]; ++y)
                    for (int x = 0; x < size[0]; ++x) {
                        const uint32_t texel = quantize(plain, static_cast<uint32_t>(random()));
                        Image(codes, z).setTexel32(x, y, texel);
                        Image(bytes, z).setTexel32(x, y, texel);
                    }
            const auto codeLevel = make(encoded, true), byteLevel = make(plain, true);
            if (size[2] == 1) {
                downsample(*codes, *codeLevel, Averaged::AsCodes);
                downsample(*bytes, *byteLevel);
            } else {
                downsampleVolume(codes, codeLevel, Averaged::AsCodes);
                downsampleVolume(bytes, byteLevel);
            }
            CHECK(std::memcmp(codeLevel->block(0, 0), byteLevel->block(0, 0), byteLevel->byteCount()) == 0);
        }
}

TEST_CASE("levels of encoded colours are means of light, of planes and of volumes") {
    std::mt19937 random(8);
    for (const std::array<int, 3> size :
         {std::array{8, 4, 1}, std::array{5, 3, 1}, std::array{4, 6, 2}, std::array{3, 2, 5}}) {
        const auto half = [](int n) { return std::max(n / 2, 1); };
        const auto from = std::make_shared<Image>(PixelFormat::Srgb8Alpha8, size[0], size[1], 1, size[2]);
        const auto to =
            std::make_shared<Image>(PixelFormat::Srgb8Alpha8, half(size[0]), half(size[1]), 1, half(size[2]));
        for (int z = 0; z < size[2]; ++z) {
            Image slice(from, z);
            randomize(random, slice);
        }
        if (size[2] == 1)
            downsample(*from, *to);
        else
            downsampleVolume(from, to);
        const auto overlap = [](int n, int halfN, int i, int k) {
            const double step = static_cast<double>(n) / halfN;
            return std::max(0.0, std::min((i + 1) * step, k + 1.0) - std::max(i * step, static_cast<double>(k))) / step;
        };
        const auto linear = [](double code) {
            const double v = code / 255;
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        for (int z = 0; z < to->depth(); ++z)
            for (int y = 0; y < to->height(); ++y)
                for (int x = 0; x < to->width(); ++x)
                    for (int c = 0; c < 4; ++c) {
                        double mean = 0;
                        for (int k = 0; k < size[2]; ++k)
                            for (int j = 0; j < size[1]; ++j)
                                for (int i = 0; i < size[0]; ++i) {
                                    const double code = Image(from, k).texel32(i, j) >> (8 * c) & 255;
                                    mean += overlap(size[0], to->width(), x, i) * overlap(size[1], to->height(), y, j) *
                                            overlap(size[2], to->depth(), z, k) * (c == 3 ? code : linear(code));
                                }
                        const double got = Image(to, z).texel32(x, y) >> (8 * c) & 255;
                        if (c == 3)
                            CHECK(std::abs(got - mean) <= 0.5 + 1e-9);
                        else
                            CHECK((linear(got - 0.5) <= mean + 1e-6 && mean <= linear(got + 0.5) + 1e-6));
                    }
    }
}

TEST_CASE("rows of a level are downsampled alike at every SIMD level") {
    std::mt19937 random(47);
    for (int size : {2, 6, 8, 30, 64}) {
        const int height = 2 * (1 + static_cast<int>(random() % 20));
        Image from(PixelFormat::Rgba8, size, height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < size; ++x) from.setTexel32(x, y, static_cast<uint32_t>(random()));
        for (const SimdLevel level : simdLevels()) {
            Image to(PixelFormat::Rgba8, size / 2, height / 2);
            const BlockDownsample down = {from.block(0, 0),  to.block(0, 0),  from.blocksWide(),
                                          from.blocksHigh(), to.blocksWide(), to.format()};
            for (int row = 0; row < to.blocksHigh(); ++row) transferFunctions(level).downsample(down, row, 1);
            int wrong = 0;
            for (int y = 0; y < to.height(); ++y)
                for (int x = 0; x < to.width(); ++x)
                    for (int channel = 0; channel < 32; channel += 8) {
                        uint32_t sum = 2;
                        for (int i = 0; i < 4; ++i) sum += from.texel32(2 * x + i % 2, 2 * y + i / 2) >> channel & 0xFF;
                        wrong += (to.texel32(x, y) >> channel & 0xFF) != sum / 4;
                    }
            CHECK(wrong == 0);
        }
    }
}
