// Blits against the rule written down pixel by pixel in double precision.
#include "texture/transfer/blit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "texture/transfer/rows.h"

using namespace tessera;
using namespace tessera::texture;

namespace {

ImagePtr makeImage(PixelFormat format, int width, int height, int samples = 1) {
    return std::make_shared<Image>(format, width, height, samples);
}

void randomize(Image& image, std::mt19937& random) {
    for (int sample = 0; sample < image.samples(); ++sample)
        for (int by = 0; by < image.blocksHigh(); ++by)
            for (int bx = 0; bx < image.blocksWide(); ++bx) {
                auto* block = reinterpret_cast<uint32_t*>(image.sampleBlock(sample, bx, by));
                std::generate_n(block, 16, [&] { return random() | 0xFF000000u; });
            }
}

/// The four channels, 0..1, as glReadPixels gives them.
std::array<float, 4> colorAt(const Image& image, int x, int y) {
    std::array<float, 4> color{};
    readBack(image, {x, y, 1, 1}, reinterpret_cast<std::byte*>(color.data()),
             {ClientFormat::Rgba, ClientType::F32, 16});
    return color;
}

/// Where the centre of a pixel falls in the source.
double mapped(int at, int from0, int from1, int to0, int to1) {
    return from0 + (at + 0.5 - to0) * (static_cast<double>(from1) - from0) / (static_cast<double>(to1) - to0);
}

bool isBetween(int at, int a, int b) { return at >= std::min(a, b) && at < std::max(a, b); }

/// Position rounded to 1/256 of a pixel, as the two pixels around it and the weight of the second.
struct Pair {
    int first, second;
    double weight;
    Pair(double at, int size) {
        const auto fixed = static_cast<int>(std::floor(at * 256 + 0.5)) - 128;
        weight = (fixed & 255) / 256.0;
        first = std::clamp(fixed >> 8, 0, size - 1);
        second = std::clamp((fixed >> 8) + 1, 0, size - 1);
    }
};

}  // namespace

TEST_CASE("blits scale and mirror, each pixel by its centre, within the images and the clip") {
    std::mt19937 random(11);
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int round = 0; round < 200; ++round) {
        const ImagePtr from = makeImage(PixelFormat::Rgba8, pick(1, 40), pick(1, 40));
        const ImagePtr to = makeImage(PixelFormat::Rgba8, pick(1, 40), pick(1, 40));
        randomize(*from, random);
        randomize(*to, random);
        const auto corners = [&] { return Corners{pick(-9, 50), pick(-9, 50), pick(-9, 50), pick(-9, 50)}; };
        Blit how{corners(), corners(), {pick(-5, 9), pick(-5, 9), pick(0, 50), pick(0, 50)}, round % 2 != 0};
        if (round % 5 == 0) how.to = how.from;
        std::vector<uint32_t> before;
        for (int y = 0; y < to->height(); ++y)
            for (int x = 0; x < to->width(); ++x) before.push_back(to->texel32(x, y));
        blit(from, to, how, 0, 17);
        blit(from, to, how, 17, 100);
        size_t wrong = 0;
        for (int y = 0; y < to->height(); ++y)
            for (int x = 0; x < to->width(); ++x) {
                const uint32_t old = before[static_cast<size_t>(y * to->width() + x)], now = to->texel32(x, y);
                const bool isInside = isBetween(x, how.to.x0, how.to.x1) && isBetween(y, how.to.y0, how.to.y1) &&
                                      isBetween(x, how.within.x, how.within.x + how.within.width) &&
                                      isBetween(y, how.within.y, how.within.y + how.within.height);
                const double u = mapped(x, how.from.x0, how.from.x1, how.to.x0, how.to.x1);
                const double v = mapped(y, how.from.y0, how.from.y1, how.to.y0, how.to.y1);
                if (!isInside || !(u >= 0 && u < from->width() && v >= 0 && v < from->height())) {
                    wrong += now != old;
                    continue;
                }
                if (!how.linear) {
                    wrong += now != from->texel32(static_cast<int>(u), static_cast<int>(v));
                    continue;
                }
                const Pair s(u, from->width()), t(v, from->height());
                for (uint32_t shift = 0; shift < 32; shift += 8) {
                    const auto texel = [&](int i, int j) {
                        return static_cast<double>(from->texel32(i, j) >> shift & 255);
                    };
                    const double low = texel(s.first, t.first) * (1 - s.weight) + texel(s.second, t.first) * s.weight;
                    const double high =
                        texel(s.first, t.second) * (1 - s.weight) + texel(s.second, t.second) * s.weight;
                    const double mean = low * (1 - t.weight) + high * t.weight;
                    wrong += std::abs(mean - (now >> shift & 255)) > 0.5 + 1e-4;
                }
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("blits between formats convert as copies do, and sRGB as light") {
    std::mt19937 random(5);
    const ImagePtr from = makeImage(PixelFormat::Rgba8, 16, 4);
    randomize(*from, random);
    const Blit whole{{0, 0, 16, 4}, {0, 0, 16, 4}, {0, 0, 16, 4}};
    const ImagePtr small = makeImage(PixelFormat::Rgb565, 16, 4), floats = makeImage(PixelFormat::Rgba16F, 16, 4);
    blit(from, small, whole, 0, 4);
    blit(from, floats, whole, 0, 4);
    const ImagePtr srgb = makeImage(PixelFormat::Srgb8Alpha8, 16, 4), back = makeImage(PixelFormat::Rgba8, 16, 4);
    blit(from, srgb, whole, 0, 4);
    blit(srgb, back, whole, 0, 4);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 16; ++x) {
            CHECK(small->texel32(x, y) == quantize(PixelFormat::Rgb565, from->texel32(x, y)));
            const auto color = colorAt(*from, x, y), half = colorAt(*floats, x, y), code = colorAt(*srgb, x, y);
            for (size_t channel = 0; channel < 4; ++channel) CHECK(std::abs(color[channel] - half[channel]) < 0.0005f);
            for (size_t channel = 0; channel < 3; ++channel) {
                const double light = static_cast<double>(color[channel]);
                const double encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
                CHECK(std::abs(encoded - static_cast<double>(code[channel])) < 0.51 / 255);
                // Dark codes lie further apart than light in bytes.
                CHECK(std::abs(colorAt(*back, x, y)[channel] - color[channel]) < 1.01f / 255);
            }
        }
    // The mean of black and white, as light, is not that of their codes.
    const ImagePtr two = makeImage(PixelFormat::Srgb8Alpha8, 2, 1), one = makeImage(PixelFormat::Srgb8Alpha8, 1, 1);
    two->setTexel32(0, 0, 0xFF000000u);
    two->setTexel32(1, 0, 0xFFFFFFFFu);
    blit(two, one, {{0, 0, 2, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}, true}, 0, 1);
    CHECK(one->texel32(0, 0) == 0xFFBCBCBCu);
}

TEST_CASE("depth and stencil are blitted apart") {
    std::mt19937 random(6);
    const ImagePtr from = makeImage(PixelFormat::Depth24Stencil8, 8, 8),
                   to = makeImage(PixelFormat::Depth24Stencil8, 8, 8);
    randomize(*from, random);
    fill(*to, {0, 0, 8, 8}, 0x123456A5u, ~0u);
    blit(from, to, {{0, 0, 8, 8}, {0, 0, 8, 8}, {0, 0, 8, 8}, false, 0xFFFFFF00u}, 0, 8);
    for (int i = 0; i < 8; ++i) CHECK(to->texel32(i, 7 - i) == ((from->texel32(i, 7 - i) & 0xFFFFFF00u) | 0xA5u));
    blit(from, to, {{8, 0, 0, 8}, {0, 0, 8, 8}, {0, 0, 8, 8}, false, 0xFFu}, 0, 8);
    for (int i = 0; i < 8; ++i)
        CHECK(to->texel32(i, 2) == ((from->texel32(i, 2) & 0xFFFFFF00u) | (from->texel32(7 - i, 2) & 0xFFu)));
}

TEST_CASE("so are a depth in single precision and the stencil beside it, from samples the first") {
    std::mt19937 random(8);
    const auto wordAt = [](const Image& image, int x, int y, int word) {
        return reinterpret_cast<const uint32_t*>(image.block(x >> 2, y >> 2))[((y & 3) * 4 + (x & 3)) * 2 + word];
    };
    for (const int samples : {1, kMaxSamples}) {
        const ImagePtr from = makeImage(PixelFormat::Depth32FStencil8, 8, 8, samples);
        for (size_t i = 0; i < from->byteCount() / 4; ++i)
            reinterpret_cast<uint32_t*>(from->block(0, 0))[i] = random() & (i % 2 == 0 ? 0x3F7FFFFFu : 0xFFu);
        const ImagePtr to = makeImage(PixelFormat::Depth32FStencil8, 8, 8);
        const auto wrongAt = [&](uint32_t written) {
            const ImagePtr old = makeImage(PixelFormat::Depth32FStencil8, 8, 8);
            std::copy_n(to->block(0, 0), to->byteCount(), old->block(0, 0));
            blit(from, to, {{8, 0, 0, 4}, {0, 0, 8, 8}, {2, 0, 6, 8}, false, written}, 0, 8);
            int wrong = 0;
            for (int y = 0; y < 8; ++y)
                for (int x = 0; x < 8; ++x)
                    for (int word = 0; word < 2; ++word) {
                        const bool isWritten = x >= 2 && (written & (word == 0 ? 0xFFFFFF00u : 0xFFu)) != 0;
                        const uint32_t expected =
                            isWritten ? wordAt(*from, 7 - x, y / 2, word) : wordAt(*old, x, y, word);
                        wrong += wordAt(*to, x, y, word) != expected;
                    }
            return wrong;
        };
        CHECK(wrongAt(0xFFu) == 0);
        CHECK(wrongAt(0xFFFFFF00u) == 0);
        for (size_t i = 0; i < to->byteCount(); ++i) to->block(0, 0)[i] = std::byte{0};
        CHECK(wrongAt(~0u) == 0);
    }
}

TEST_CASE("blits of multisample images: to one sample, to all, sample by sample") {
    std::mt19937 random(7);
    const ImagePtr from = makeImage(PixelFormat::Rgba8, 9, 6, kMaxSamples), flat = makeImage(PixelFormat::Rgba8, 9, 6);
    const ImagePtr to = makeImage(PixelFormat::Rgba8, 9, 6, kMaxSamples);
    randomize(*from, random);
    const auto sampleAt = [](const Image& image, int sample, int x, int y) {
        return reinterpret_cast<const uint32_t*>(image.sampleBlock(sample, x >> 2, y >> 2))[(y & 3) * 4 + (x & 3)];
    };
    const Blit whole{{0, 0, 9, 6}, {0, 0, 9, 6}, {0, 0, 9, 6}};
    blit(from, flat, whole, 0, 6);
    blit(from, to, whole, 0, 6);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 9; ++x) {
            for (uint32_t shift = 0; shift < 32; shift += 8) {
                uint32_t sum = 2;
                for (int i = 0; i < kMaxSamples; ++i) sum += sampleAt(*from, i, x, y) >> shift & 255;
                CHECK((flat->texel32(x, y) >> shift & 255) == sum / 4);
            }
            for (int i = 0; i < kMaxSamples; ++i) CHECK(sampleAt(*to, i, x, y) == sampleAt(*from, i, x, y));
        }
    blit(flat, to, whole, 0, 6);
    for (int i = 0; i < kMaxSamples; ++i) CHECK(sampleAt(*to, i, 8, 5) == flat->texel32(8, 5));
}

TEST_CASE("blits with corners at the ends of the integers end, and do what is asked of the part that exists") {
    constexpr int kLeast = INT32_MIN, kMost = INT32_MAX;
    const ImagePtr from = makeImage(PixelFormat::Rgba8, 4, 4), to = makeImage(PixelFormat::Rgba8, 4, 4);
    fill(*from, {0, 0, 4, 4}, 0xFF00FF00u, ~0u);
    const tessera::Rect all{0, 0, 4, 4};
    blit(from, to, {{kLeast, kLeast, kMost, kMost}, {kLeast, kLeast, kMost, kMost}, all}, 0, 4);
    CHECK(to->texel32(3, 3) == 0xFF00FF00u);
    fill(*to, all, 0, ~0u);
    blit(from, to, {{0, 0, 4, 4}, {kLeast, kLeast, kMost, kMost}, all, true}, 0, 4);
    CHECK(to->texel32(0, 0) == 0xFF00FF00u);
    fill(*to, all, 0, ~0u);
    blit(from, to, {{kLeast, 0, kMost, 4}, {0, 0, 4, 4}, all}, 0, 4);
    CHECK(to->texel32(0, 0) == 0u);
    CHECK(to->texel32(2, 0) == 0u);
    blit(from, to, {{kMost, kMost, kLeast, kLeast}, {kLeast, kMost, kMost, kLeast}, {kLeast, kLeast, kMost, kMost}}, 0,
         4);
}
