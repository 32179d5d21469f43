// The diagonal of the bounding box as the line that colours lie on: J. M. P. van Waveren, "Real-Time DXT Compression"
// (2006), with the diagonal chosen by the colours' covariance and the box made smaller by a sixteenth, since the two
// colours between the ends are a third of the way in. Codes are those of the palette that the decoder makes.
#include "texture/codec/encode.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace tessera::texture {

namespace {

int channel(uint32_t texel, int c) { return static_cast<int>(texel >> 8 * c & 255); }

uint16_t pack565(const int (&color)[3]) {
    auto reduce = [](int code, int top) { return static_cast<uint32_t>((code * top + 127) / 255); };
    return static_cast<uint16_t>(reduce(color[0], 31) << 11 | reduce(color[1], 63) << 5 | reduce(color[2], 31));
}

/// Ends of the line for the texels in `used`, as 5:6:5 colours.
struct Ends {
    uint16_t high, low;
};
Ends fitLine(const uint32_t (&texels)[16], uint32_t used) {
    int lowest[3] = {255, 255, 255}, highest[3] = {0, 0, 0};
    for (int i = 0; i < 16; ++i) {
        if ((used >> i & 1) == 0) continue;
        for (int c = 0; c < 3; ++c) {
            lowest[c] = std::min(lowest[c], channel(texels[i], c));
            highest[c] = std::max(highest[c], channel(texels[i], c));
        }
    }
    int longest = 0;
    for (int c = 1; c < 3; ++c)
        if (highest[c] - lowest[c] > highest[longest] - lowest[longest]) longest = c;
    for (int c = 0; c < 3; ++c) {
        int covariance = 0;  // with the longest side, both from the middle of the box
        for (int i = 0; i < 16; ++i) {
            if ((used >> i & 1) == 0) continue;
            covariance += (2 * channel(texels[i], c) - lowest[c] - highest[c]) *
                          (2 * channel(texels[i], longest) - lowest[longest] - highest[longest]);
        }
        const int inset = (highest[c] - lowest[c]) / 16;
        lowest[c] += inset, highest[c] -= inset;
        if (covariance < 0) std::swap(lowest[c], highest[c]);
    }
    return {pack565(highest), pack565(lowest)};
}

template <class Word>
void storeLittle(std::byte* to, Word word) {
    std::memcpy(to, &word, sizeof word);
}

/// Colours of codes 0 to 3 of a block with these ends, as the format decodes them.
void paletteOf(const BlockFormat& format, uint16_t first, uint16_t second, uint32_t (&palette)[4]) {
    std::byte block[16] = {};
    std::byte* colors = block + format.bytes - 8;
    storeLittle(colors, first);
    storeLittle(colors + 2, second);
    storeLittle(colors + 4, uint32_t{0xE4});
    uint32_t texels[16];
    decodeBlock(format, block, reinterpret_cast<std::byte*>(texels));
    std::copy_n(texels, 4, palette);
}

uint32_t nearestColor(const uint32_t (&palette)[4], int count, uint32_t texel) {
    uint32_t best = 0;
    int bestError = INT32_MAX;
    for (int code = 0; code < count; ++code) {
        int error = 0;
        for (int c = 0; c < 3; ++c) {
            const int difference = channel(palette[code], c) - channel(texel, c);
            error += difference * difference;
        }
        if (error < bestError) bestError = error, best = static_cast<uint32_t>(code);
    }
    return best;
}

void encodeColors(const BlockFormat& format, const uint32_t (&texels)[16], bool hasTransparency, std::byte* block) {
    uint32_t opaque = 0xFFFF;
    if (hasTransparency) {
        opaque = 0;
        for (int i = 0; i < 16; ++i) opaque |= static_cast<uint32_t>(channel(texels[i], 3) >= 128) << i;
    }
    Ends ends = opaque != 0 ? fitLine(texels, opaque) : Ends{0, 0};
    // Which end is first says whether the block has four colours, or three and transparency.
    const bool isPunched = opaque != 0xFFFF;
    if (isPunched != (ends.high <= ends.low)) std::swap(ends.high, ends.low);
    uint32_t palette[4];
    paletteOf(format, ends.high, ends.low, palette);
    const int count = ends.high > ends.low || format.bytes == 16 ? 4 : 3;
    uint32_t codes = 0;
    for (int i = 0; i < 16; ++i) {
        const uint32_t code = (opaque >> i & 1) != 0 ? nearestColor(palette, count, texels[i]) : 3;
        codes |= code << 2 * i;
    }
    storeLittle(block, ends.high);
    storeLittle(block + 2, ends.low);
    storeLittle(block + 4, codes);
}

/// Eight values between the largest and the smallest.
void encodeAlpha(const uint32_t (&texels)[16], std::byte* block) {
    int lowest = 255, highest = 0;
    for (uint32_t texel : texels) {
        lowest = std::min(lowest, channel(texel, 3));
        highest = std::max(highest, channel(texel, 3));
    }
    uint64_t codes = 0;
    for (int i = 0; i < 16 && highest > lowest; ++i) {
        // Sevenths of the way down, to nearest: 0 is code 0, 7 is code 1, the others follow.
        const int range = highest - lowest;
        const int steps = ((highest - channel(texels[i], 3)) * 14 + range) / (2 * range);
        const int code = steps == 0 ? 0 : steps == 7 ? 1 : steps + 1;
        codes |= static_cast<uint64_t>(code) << 3 * i;
    }
    storeLittle(block, codes << 16 | static_cast<uint64_t>(lowest) << 8 | static_cast<uint64_t>(highest));
}

void encodeAlphaCodes(const uint32_t (&texels)[16], std::byte* block) {
    uint64_t codes = 0;
    for (int i = 0; i < 16; ++i) codes |= static_cast<uint64_t>((channel(texels[i], 3) * 15 + 127) / 255) << 4 * i;
    storeLittle(block, codes);
}

}  // namespace

void encodeS3tc(const BlockFormat& format, const uint32_t (&texels)[16], std::byte* block) {
    CHECK(format.family == CodecFamily::S3tc);
    switch (format.internalformat) {
        case 0x83F0:
        case 0x8C4C:
            return encodeColors(format, texels, false, block);
        case 0x83F1:
        case 0x8C4D:
            return encodeColors(format, texels, true, block);
        case 0x83F2:
        case 0x8C4E:
            encodeAlphaCodes(texels, block);
            return encodeColors(format, texels, false, block + 8);
        default:
            encodeAlpha(texels, block);
            return encodeColors(format, texels, false, block + 8);
    }
}

void encodeS3tc(const BlockFormat& format, const Image& image, std::byte* blocks) {
    CHECK(holdsBytes(image.element()));
    for (int y = 0; y < image.height(); y += 4) {
        for (int x = 0; x < image.width(); x += 4, blocks += format.bytes) {
            uint32_t texels[16];
            for (int i = 0; i < 16; ++i)
                texels[i] =
                    image.texel32(std::min(x + i % 4, image.width() - 1), std::min(y + i / 4, image.height() - 1));
            encodeS3tc(format, texels, blocks);
        }
    }
}

}  // namespace tessera::texture
