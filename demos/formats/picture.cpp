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

/// One colour for each block, differential mode without a difference. Where the block has clear pixels it is not
/// opaque, and index 2 is for those.
void addPunchthroughColors(Bytes& bytes, const std::vector<Color>& block) {
    const Color mean = meanOf(block);
    int clear = 0;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            if (block[static_cast<size_t>(y * 4 + x)].a < 128) clear |= 1 << (x * 4 + y);
    for (const int channel : {mean.r, mean.g, mean.b}) bytes.push_back(static_cast<uint8_t>(reduced(channel, 5) << 3));
    bytes.push_back(clear == 0 ? 2 : 0);
    bytes.insert(bytes.end(), {static_cast<uint8_t>(clear >> 8), static_cast<uint8_t>(clear), 0, 0});
}

/// Eleven bits or eight of alpha: the base alone.
void addEacBlock(Bytes& bytes, int base) {
    bytes.insert(bytes.end(), {static_cast<uint8_t>(base), 0, 0, 0, 0, 0, 0, 0});
}

int channelOf(const Color& c, char letter) {
    return letter == 'r' ? c.r : letter == 'b' ? c.b : letter == 'a' ? c.a : c.g;
}

struct Video {
    uint8_t y, cb, cr;
};
/// BT.601, limited range, in 8-bit fixed point.
Video videoOf(int r, int g, int b) {
    return {static_cast<uint8_t>(16 + (66 * r + 129 * g + 25 * b + 128) / 256),
            static_cast<uint8_t>((-38 * r - 74 * g + 112 * b + 128 * 256 + 128) / 256),
            static_cast<uint8_t>((112 * r - 94 * g - 18 * b + 128 * 256 + 128) / 256)};
}
Video videoOf(const Color& c) { return videoOf(c.r, c.g, c.b); }

template <class Add>
Bytes eachPairOfPixels(Add add) {
    Bytes bytes;
    for (size_t i = 0; i < picture().size(); i += 2) {
        const Color &a = picture()[i], &b = picture()[i + 1];
        add(bytes, videoOf(a).y, videoOf(b).y, videoOf((a.r + b.r) / 2, (a.g + b.g) / 2, (a.b + b.b) / 2));
    }
    return bytes;
}

void addEntry(Bytes& bytes, Entry entry, const Color& c) {
    switch (entry) {
        case Entry::Rgb8:
            bytes.insert(bytes.end(), {c.r, c.g, c.b});
            break;
        case Entry::Rgba8:
            bytes.insert(bytes.end(), {c.r, c.g, c.b, c.a});
            break;
        case Entry::Rgb565:
            add16(bytes, pack565(c));
            break;
        case Entry::Rgba4444:
            add16(bytes, reduced(c.r, 4) << 12 | reduced(c.g, 4) << 8 | reduced(c.b, 4) << 4 | reduced(c.a, 4));
            break;
        case Entry::Rgba5551:
            add16(bytes, reduced(c.r, 5) << 11 | reduced(c.g, 5) << 6 | reduced(c.b, 5) << 1 | reduced(c.a, 1));
            break;
    }
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

Bytes bytesOf(const char* channels) {
    return eachPixel([channels](Bytes& out, const Color& c) {
        for (const char* letter = channels; *letter != 0; ++letter)
            out.push_back(static_cast<uint8_t>(channelOf(c, *letter)));
    });
}
Bytes floatsOf(const char* channels) {
    return eachPixel([channels](Bytes& out, const Color& c) {
        for (const char* letter = channels; *letter != 0; ++letter) {
            const float value = static_cast<float>(channelOf(c, *letter)) / 255;
            uint8_t bytes[4];
            std::memcpy(bytes, &value, 4);
            out.insert(out.end(), bytes, bytes + 4);
        }
    });
}
Bytes halvesOf(const char* channels) {
    return eachPixel([channels](Bytes& out, const Color& c) {
        for (const char* letter = channels; *letter != 0; ++letter) {
            // Channels as k / 256, which a half holds exactly.
            int exponent = 15 - 8, fraction = channelOf(c, *letter);
            if (fraction == 0) {
                add16(out, 0);
                continue;
            }
            while (fraction >= 2 << (exponent - 7)) ++exponent;
            add16(out, exponent << 10 | ((fraction << (17 - exponent)) & 0x3FF));
        }
    });
}
Bytes rgb565() {
    return eachPixel([](Bytes& out, const Color& c) { addEntry(out, Entry::Rgb565, c); });
}
Bytes rgba4444() {
    return eachPixel([](Bytes& out, const Color& c) { addEntry(out, Entry::Rgba4444, c); });
}
Bytes rgba5551() {
    return eachPixel([](Bytes& out, const Color& c) { addEntry(out, Entry::Rgba5551, c); });
}
Bytes argb4444() {
    return eachPixel([](Bytes& out, const Color& c) {
        add16(out, reduced(c.a, 4) << 12 | reduced(c.r, 4) << 8 | reduced(c.g, 4) << 4 | reduced(c.b, 4));
    });
}
Bytes argb1555() {
    return eachPixel([](Bytes& out, const Color& c) {
        add16(out, reduced(c.a, 1) << 15 | reduced(c.r, 5) << 10 | reduced(c.g, 5) << 5 | reduced(c.b, 5));
    });
}
Bytes depth16() {
    return eachPixel([](Bytes& out, const Color& c) { add16(out, c.g * 257); });
}
Bytes depth32() {
    return eachPixel([](Bytes& out, const Color& c) { out.insert(out.end(), {0, c.g, c.g, c.g}); });
}
Bytes yuyv() {
    return eachPairOfPixels([](Bytes& out, uint8_t first, uint8_t second, const Video& both) {
        out.insert(out.end(), {first, both.cb, second, both.cr});
    });
}
Bytes uyvy() {
    return eachPairOfPixels([](Bytes& out, uint8_t first, uint8_t second, const Video& both) {
        out.insert(out.end(), {both.cb, first, both.cr, second});
    });
}
Bytes planes(bool isBlueFirst, bool isPaired) {
    Bytes bytes, first, second;
    for (const Color& c : picture()) bytes.push_back(videoOf(c).y);
    for (size_t y = 0; y < kSize; y += 2)
        for (size_t x = 0; x < kSize; x += 2) {
            int sum[3] = {};
            for (const size_t at : {y * kSize + x, y * kSize + x + 1, (y + 1) * kSize + x, (y + 1) * kSize + x + 1})
                sum[0] += picture()[at].r, sum[1] += picture()[at].g, sum[2] += picture()[at].b;
            const Video mean = videoOf(sum[0] / 4, sum[1] / 4, sum[2] / 4);
            first.push_back(isBlueFirst ? mean.cb : mean.cr);
            (isPaired ? first : second).push_back(isBlueFirst ? mean.cr : mean.cb);
        }
    bytes.insert(bytes.end(), first.begin(), first.end());
    bytes.insert(bytes.end(), second.begin(), second.end());
    return bytes;
}

Bytes dxt1() { return eachBlock(4, addDxtColors); }
Bytes dxt1Alpha() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        if (std::all_of(block.begin(), block.end(), [](const Color& c) { return c.a >= 128; })) {
            addDxtColors(out, block);
            return;
        }
        // The first colour is not larger than the second: code 3 is clear.
        const int mean = pack565(meanOf(block));
        add16(out, mean);
        add16(out, mean);
        uint32_t codes = 0;
        for (size_t i = 0; i < 16; ++i) codes |= (block[i].a < 128 ? 3u : 0u) << 2 * i;
        for (int i = 0; i < 4; ++i) out.push_back(static_cast<uint8_t>(codes >> 8 * i));
    });
}
Bytes dxt3() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        for (size_t i = 0; i < 16; i += 2)
            out.push_back(static_cast<uint8_t>(reduced(block[i].a, 4) | reduced(block[i + 1].a, 4) << 4));
        addDxtColors(out, block);
    });
}
Bytes dxt5() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        addRgtcBlock(out, block, [](const Color& c) { return c.a; });
        addDxtColors(out, block);
    });
}
Bytes rgtc(const char* channels, bool isSigned) {
    return eachBlock(4, [=](Bytes& out, const std::vector<Color>& block) {
        for (const char* letter = channels; *letter != 0; ++letter)
            addRgtcBlock(out, block, [=](const Color& c) { return channelOf(c, *letter) / (isSigned ? 2 : 1); });
    });
}
Bytes eac(const char* channels, bool isSigned) {
    return eachBlock(4, [=](Bytes& out, const std::vector<Color>& block) {
        for (const char* letter = channels; *letter != 0; ++letter)
            addEacBlock(out, channelOf(meanOf(block), *letter) / (isSigned ? 2 : 1));
    });
}
Bytes etc1() { return eachBlock(4, addEtcColors); }
Bytes etc2Punchthrough() { return eachBlock(4, addPunchthroughColors); }
Bytes etc2Rgba() {
    return eachBlock(4, [](Bytes& out, const std::vector<Color>& block) {
        addEacBlock(out, meanOf(block).a);
        addEtcColors(out, block);
    });
}
Bytes astc(int blockWidth, int blockHeight) {
    Bytes bytes;
    for (int top = 0; top < kSize; top += blockHeight)
        for (int left = 0; left < kSize; left += blockWidth) {
            int sum[4] = {}, count = 0;
            for (int y = top; y < std::min(top + blockHeight, kSize); ++y)
                for (int x = left; x < std::min(left + blockWidth, kSize); ++x, ++count) {
                    const Color& c = picture()[static_cast<size_t>(y * kSize + x)];
                    sum[0] += c.r, sum[1] += c.g, sum[2] += c.b, sum[3] += c.a;
                }
            // A void extent of unknown bounds: one colour of 16 bits a channel.
            bytes.insert(bytes.end(), {0xFC, 0xFD, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
            for (const int channel : sum) add16(bytes, (channel + count / 2) / count * 257);
        }
    return bytes;
}
Bytes paletted(int indexBits, Entry entry) {
    // Steps of red, green, blue: 6 x 6 x 6, or 2 x 4 x 2.
    const bool isLarge = indexBits == 8;
    const int most[3] = {isLarge ? 5 : 1, isLarge ? 5 : 3, isLarge ? 5 : 1};
    const auto step = [](int channel, int steps) { return (channel * steps + 127) / 255; };
    const auto level = [](int place, int steps) { return static_cast<uint8_t>(std::min(place, steps) * 255 / steps); };
    Bytes bytes;
    for (int i = 0; i < 1 << indexBits; ++i)
        addEntry(bytes, entry,
                 {level(i / ((most[1] + 1) * (most[2] + 1)), most[0]),
                  level(i / (most[2] + 1) % (most[1] + 1), most[1]), level(i % (most[2] + 1), most[2]), 255});
    uint8_t before = 0;
    for (size_t i = 0; i < picture().size(); ++i) {
        const Color& c = picture()[i];
        const int index =
            (step(c.r, most[0]) * (most[1] + 1) + step(c.g, most[1])) * (most[2] + 1) + step(c.b, most[2]);
        if (isLarge)
            bytes.push_back(static_cast<uint8_t>(index));
        else if (i % 2 == 1)
            bytes.push_back(static_cast<uint8_t>(before << 4 | index));
        before = static_cast<uint8_t>(index);
    }
    return bytes;
}

}  // namespace formats
