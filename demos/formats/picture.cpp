#include "demos/formats/picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace formats {

namespace {

uint8_t byteOf(float x) { return static_cast<uint8_t>(std::lround(std::clamp(x, 0.0f, 1.0f) * 255)); }

Color colorAt(int x, int y) {
    // Whole numbers and square roots only: the same picture on every machine.
    const float u = (static_cast<float>(x) + 0.5f) / kSize, v = (static_cast<float>(y) + 0.5f) / kSize;
    const float radius = std::sqrt((u - 0.5f) * (u - 0.5f) + (v - 0.5f) * (v - 0.5f));
    const auto hue = [&](float shift) {
        const float place = u + shift - std::floor(u + shift);
        return std::abs(place * 6 - 3) - 1;
    };
    const float light = radius > 0.3f && radius < 0.4f ? 1.0f : 0.25f + 0.6f * v;
    const float wash = radius > 0.3f && radius < 0.4f ? 0.7f : 0.0f;
    const auto channel = [&](float shift) {
        const float pure = std::clamp(hue(shift), 0.0f, 1.0f);
        return byteOf((pure + (1 - pure) * wash) * light);
    };
    return {channel(0), channel(2.0f / 3), channel(1.0f / 3), byteOf(radius < 0.2f ? radius * 5 : 1)};
}

template <class Add>
Bytes eachPixel(Add add) {
    Bytes bytes;
    for (const Color& color : picture()) add(bytes, color);
    return bytes;
}

void add16(Bytes& bytes, int value) {
    bytes.push_back(static_cast<uint8_t>(value & 0xFF));
    bytes.push_back(static_cast<uint8_t>(value >> 8));
}
int reduced(int channel, int bits) { return (channel * ((1 << bits) - 1) + 127) / 255; }
int pack565(const Color& c) { return reduced(c.r, 5) << 11 | reduced(c.g, 6) << 5 | reduced(c.b, 5); }

/// Calls add(bytes, block) for the pixels of each block of `side` x `side`, rows of blocks from the bottom.
template <class Add>
Bytes eachBlock(int side, Add add) {
    Bytes bytes;
    std::vector<Color> block;
    for (int by = 0; by < kSize; by += side)
        for (int bx = 0; bx < kSize; bx += side) {
            block.clear();
            for (int y = 0; y < side; ++y)
                for (int x = 0; x < side; ++x)
                    block.push_back(picture()[static_cast<size_t>((by + y) * kSize + bx + x)]);
            add(bytes, block);
        }
    return bytes;
}

int lightOf(const Color& c) { return c.r * 2 + c.g * 3 + c.b; }
Color meanOf(const std::vector<Color>& block, int firstColumn = 0, int columns = 0) {
    const int side = block.size() == 16 ? 4 : 8;
    if (columns == 0) columns = side;
    int sum[4] = {}, count = 0;
    for (int y = 0; y < side; ++y)
        for (int x = firstColumn; x < firstColumn + columns; ++x, ++count) {
            const Color& c = block[static_cast<size_t>(y * side + x)];
            sum[0] += c.r, sum[1] += c.g, sum[2] += c.b, sum[3] += c.a;
        }
    const auto mean = [&](int s) { return static_cast<uint8_t>((s + count / 2) / count); };
    return {mean(sum[0]), mean(sum[1]), mean(sum[2]), mean(sum[3])};
}

void addDxtColors(Bytes& bytes, const std::vector<Color>& block) {
    const auto darker = [](const Color& a, const Color& b) { return lightOf(a) < lightOf(b); };
    const Color dark = *std::min_element(block.begin(), block.end(), darker);
    const Color bright = *std::max_element(block.begin(), block.end(), darker);
    int first = pack565(bright), second = pack565(dark);
    const bool swapped = first < second;
    if (swapped) std::swap(first, second);
    add16(bytes, first);
    add16(bytes, second);
    // Codes from the first colour to the second: 0, 2, 3, 1.
    constexpr uint32_t kCodes[] = {0, 2, 3, 1};
    uint32_t indices = 0;
    const int low = lightOf(dark), range = std::max(lightOf(bright) - low, 1);
    for (size_t i = 0; i < 16; ++i) {
        int step = 3 - ((lightOf(block[i]) - low) * 3 + range / 2) / range;
        if (swapped) step = 3 - step;
        if (first != second) indices |= kCodes[step] << 2 * i;
    }
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(indices >> 8 * i));
}

/// Eight values from the largest to the smallest: codes 0, 2 to 7, 1.
template <class Channel>
void addRgtcBlock(Bytes& bytes, const std::vector<Color>& block, Channel channel) {
    int low = 255, high = 0;
    for (const Color& c : block) low = std::min<int>(low, channel(c)), high = std::max<int>(high, channel(c));
    bytes.push_back(static_cast<uint8_t>(high));
    bytes.push_back(static_cast<uint8_t>(low));
    constexpr uint64_t kCodes[] = {0, 2, 3, 4, 5, 6, 7, 1};
    uint64_t indices = 0;
    const int range = std::max(high - low, 1);
    for (size_t i = 0; i < 16 && high != low; ++i)
        indices |= kCodes[7 - ((channel(block[i]) - low) * 7 + range / 2) / range] << 3 * i;
    for (int i = 0; i < 6; ++i) bytes.push_back(static_cast<uint8_t>(indices >> 8 * i));
}

/// Individual mode, halves side by side, the smallest modifiers: each half nearly one colour of 4 bits a channel.
void addEtcColors(Bytes& bytes, const std::vector<Color>& block) {
    const Color left = meanOf(block, 0, 2), right = meanOf(block, 2, 2);
    const auto pair = [](int a, int b) { return static_cast<uint8_t>(reduced(a, 4) << 4 | reduced(b, 4)); };
    const uint8_t bytesOfBlock[8] = {
        pair(left.r, right.r), pair(left.g, right.g), pair(left.b, right.b), 0, 0, 0, 0, 0};
    bytes.insert(bytes.end(), bytesOfBlock, bytesOfBlock + 8);
}

}  // namespace

const std::array<Color, kSize * kSize>& picture() {
    static const auto kPicture = [] {
        std::array<Color, kSize * kSize> colors{};
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) colors[static_cast<size_t>(y * kSize + x)] = colorAt(x, y);
        return colors;
    }();
    return kPicture;
}

Bytes rgba8() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {c.r, c.g, c.b, c.a}); });
}
Bytes bgra8() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {c.b, c.g, c.r, c.a}); });
}
Bytes rgb8() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {c.r, c.g, c.b}); });
}
Bytes rg8() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {c.r, c.g}); });
}
Bytes red8() {
    return eachPixel([](Bytes& out, const Color& c) { out.push_back(c.r); });
}
Bytes alpha8() {
    return eachPixel([](Bytes& out, const Color& c) { out.push_back(c.a); });
}
Bytes luminanceAlpha8() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {c.g, c.a}); });
}
Bytes rgb565() {
    return eachPixel([](Bytes& out, const Color& c) { add16(out, pack565(c)); });
}
Bytes rgba4444() {
    return eachPixel([](Bytes& out, const Color& c) {
        add16(out, reduced(c.r, 4) << 12 | reduced(c.g, 4) << 8 | reduced(c.b, 4) << 4 | reduced(c.a, 4));
    });
}
Bytes rgba5551() {
    return eachPixel([](Bytes& out, const Color& c) {
        add16(out, reduced(c.r, 5) << 11 | reduced(c.g, 5) << 6 | reduced(c.b, 5) << 1 | reduced(c.a, 1));
    });
}
Bytes rgbFloats() {
    return eachPixel([](Bytes& out, const Color& c) {
        for (const uint8_t channel : {c.r, c.g, c.b}) {
            const float value = static_cast<float>(channel) / 255;
            uint8_t bytes[4];
            std::memcpy(bytes, &value, 4);
            out.insert(out.end(), bytes, bytes + 4);
        }
    });
}
Bytes rgbHalves() {
    return eachPixel([](Bytes& out, const Color& c) {
        for (const uint8_t channel : {c.r, c.g, c.b}) {
            // Channels as k / 256, which a half holds exactly.
            int exponent = 15 - 8, fraction = channel;
            if (fraction == 0) {
                add16(out, 0);
                continue;
            }
            while (fraction >= 2 << (exponent - 7)) ++exponent;
            add16(out, exponent << 10 | ((fraction << (17 - exponent)) & 0x3FF));
        }
    });
}
Bytes depth16() {
    return eachPixel([](Bytes& out, const Color& c) { add16(out, c.g * 257); });
}
Bytes yuyv() {
    Bytes bytes;
    for (size_t i = 0; i < picture().size(); i += 2) {
        const Color &a = picture()[i], &b = picture()[i + 1];
        const auto luma = [](const Color& c) {
            return static_cast<uint8_t>(16 + (66 * c.r + 129 * c.g + 25 * c.b + 128) / 256);
        };
        const int r = (a.r + b.r) / 2, g = (a.g + b.g) / 2, blue = (a.b + b.b) / 2;
        const auto u = static_cast<uint8_t>((-38 * r - 74 * g + 112 * blue + 128 * 256 + 128) / 256);
        const auto v = static_cast<uint8_t>((112 * r - 94 * g - 18 * blue + 128 * 256 + 128) / 256);
        bytes.insert(bytes.end(), {luma(a), u, luma(b), v});
    }
    return bytes;
}

Bytes dxt1() { return eachBlock(4, addDxtColors); }
Bytes dxt5() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        addRgtcBlock(out, block, [](const Color& c) { return c.a; });
        addDxtColors(out, block);
    });
}
Bytes rgtc1() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        addRgtcBlock(out, block, [](const Color& c) { return c.r; });
    });
}
Bytes etc1() { return eachBlock(4, addEtcColors); }
Bytes etc2Rgba() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        // Alpha: the mean, multiplier 0, so that all indices give the base.
        const uint8_t alpha[8] = {meanOf(block).a, 0, 0, 0, 0, 0, 0, 0};
        out.insert(out.end(), alpha, alpha + 8);
        addEtcColors(out, block);
    });
}
Bytes astc8x8() {
    return eachBlock(8, [](Bytes& out, const std::vector<Color>& block) {
        // A void extent of unknown bounds: one colour of 16 bits a channel.
        out.insert(out.end(), {0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
        const Color c = meanOf(block);
        for (const int channel : {c.r, c.g, c.b, c.a}) add16(out, channel * 257);
    });
}
Bytes palette8() {
    Bytes bytes;
    for (int i = 0; i < 256; ++i)
        for (const int step : {i / 36 % 6, i / 6 % 6, i % 6})
            bytes.push_back(static_cast<uint8_t>(i < 216 ? step * 51 : 0));
    for (const Color& c : picture()) {
        const auto step = [](int channel) { return (channel + 25) / 51; };
        bytes.push_back(static_cast<uint8_t>(step(c.r) * 36 + step(c.g) * 6 + step(c.b)));
    }
    return bytes;
}

}  // namespace formats
