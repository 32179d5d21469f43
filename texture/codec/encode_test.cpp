#include "texture/codec/encode.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace tessera::texture;

namespace {

int code(uint32_t texel, int c) { return static_cast<int>(texel >> 8 * c & 255); }

void roundTrip(const BlockFormat& format, const uint32_t (&texels)[16], uint32_t (&back)[16]) {
    std::byte block[16];
    encodeS3tc(format, texels, block);
    decodeBlock(format, block, reinterpret_cast<std::byte*>(back));
}

const BlockFormat& dxt1() { return *blockFormat(0x83F0); }
const BlockFormat& dxt1Alpha() { return *blockFormat(0x83F1); }
const BlockFormat& dxt3() { return *blockFormat(0x83F2); }
const BlockFormat& dxt5() { return *blockFormat(0x83F3); }

}  // namespace

TEST_CASE("blocks of one colour become the nearest 5:6:5 colour in every format") {
    std::mt19937 random(1);
    for (int n = 0; n < 500; ++n) {
        uint32_t texels[16], back[16];
        std::fill_n(texels, 16, static_cast<uint32_t>(random()) | 0xFF000000u);
        for (const BlockFormat& format : blockFormats()) {
            if (format.family != CodecFamily::S3tc) continue;
            roundTrip(format, texels, back);
            for (int c = 0; c < 3; ++c) {
                const double top = c == 1 ? 63 : 31, nearest = std::floor(code(texels[0], c) * top / 255 + 0.5);
                CHECK(code(back[7], c) == std::floor(nearest * 255 / top + 0.5));
            }
            CHECK(std::equal(back, back + 16, std::vector<uint32_t>(16, back[0]).begin()));
            CHECK(code(back[0], 3) == 255);
        }
    }
}

TEST_CASE("DXT1 with alpha: below one half transparent black, opaque from there on") {
    std::mt19937 random(2);
    for (int n = 0; n < 500; ++n) {
        uint32_t texels[16], back[16];
        for (uint32_t& texel : texels) texel = static_cast<uint32_t>(random());
        if (n == 0) std::fill_n(texels, 16, 0x7F123456u);
        roundTrip(dxt1Alpha(), texels, back);
        for (int i = 0; i < 16; ++i) {
            CHECK(code(back[i], 3) == (code(texels[i], 3) >= 128 ? 255 : 0));
            if (code(texels[i], 3) < 128) CHECK(back[i] == 0);
        }
    }
}

TEST_CASE("alpha: DXT3 to sixteen, DXT5 to an eighth of the block's range") {
    std::mt19937 random(3);
    for (int n = 0; n < 500; ++n) {
        uint32_t texels[16], back[16];
        const auto range = static_cast<uint32_t>(1 + random() % 256);
        for (uint32_t& texel : texels) texel = static_cast<uint32_t>(random() % range) << 24;
        roundTrip(dxt3(), texels, back);
        for (int i = 0; i < 16; ++i) CHECK(std::abs(code(back[i], 3) - code(texels[i], 3)) <= 8);
        roundTrip(dxt5(), texels, back);
        int lowest = 255, highest = 0;
        for (uint32_t texel : texels)
            lowest = std::min(lowest, code(texel, 3)), highest = std::max(highest, code(texel, 3));
        for (int i = 0; i < 16; ++i)
            CHECK(std::abs(code(back[i], 3) - code(texels[i], 3)) <= (highest - lowest) / 14.0 + 1);
    }
}

TEST_CASE("colours on a line in any direction keep within a sixth of its length; random ones within the box") {
    std::mt19937 random(4);
    double worst = 0;
    for (int n = 0; n < 2000; ++n) {
        int from[3], to[3];
        for (int c = 0; c < 3; ++c)
            from[c] = static_cast<int>(random() % 256), to[c] = static_cast<int>(random() % 256);
        uint32_t texels[16], back[16];
        for (int i = 0; i < 16; ++i) {
            texels[i] = 0xFF000000u;
            for (int c = 0; c < 3; ++c)
                texels[i] |= static_cast<uint32_t>(from[c] + (to[c] - from[c]) * i / 15) << 8 * c;
        }
        for (const BlockFormat* format : {&dxt1(), &dxt5()}) {
            roundTrip(*format, texels, back);
            for (int i = 0; i < 16; ++i) {
                for (int c = 0; c < 3; ++c) {
                    const double room = std::abs(to[c] - from[c]) / 6.0;
                    worst = std::max(worst, std::abs(code(back[i], c) - code(texels[i], c)) - room);
                }
            }
        }
    }
    CHECK(worst < 10);  // a step of 5 bits, and the choice by the sum over the channels
}

TEST_CASE("an image's edge blocks repeat its last texels") {
    Image image(PixelFormat::Rgba8, 5, 3);
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 5; ++x) image.setTexel32(x, y, x == 4 ? 0xFFFFFFFFu : 0xFF000000u);
    std::vector<std::byte> blocks(compressedBytes(dxt1(), 5, 3));
    REQUIRE(blocks.size() == 16);
    encodeS3tc(dxt1(), image, blocks.data());
    uint32_t texels[16];
    for (int block = 0; block < 2; ++block) {
        decodeBlock(dxt1(), blocks.data() + 8 * block, reinterpret_cast<std::byte*>(texels));
        for (uint32_t texel : texels) CHECK(texel == (block == 1 ? 0xFFFFFFFFu : 0xFF000000u));
    }
}
