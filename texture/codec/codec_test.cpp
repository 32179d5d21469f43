// Every compressed format against the reference decoders, on random blocks and on those that reach each mode; images of
// all sizes and rectangles from blocks; paletted images.
#include "texture/codec/codec.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "texture/codec/paletted.h"
#include "texture/codec/runs.h"
#include "texture/testing/codec_reference.h"

using namespace tessera::texture;

namespace {

using Block = std::array<unsigned char, 16>;
using Random = std::mt19937_64;

Block randomBlock(Random& random) {
    Block block;
    for (unsigned char& byte : block) byte = static_cast<unsigned char>(random());
    return block;
}

void setBits(Block& block, int first, int count, unsigned value) {
    for (int i = 0; i < count; ++i) {
        const auto at = static_cast<size_t>((first + i) / 8);
        const int bit = (first + i) % 8;
        block[at] = static_cast<unsigned char>((block[at] & ~(1 << bit)) | (value >> i & 1) << bit);
    }
}

/// Most random ASTC blocks are illegal. These have a weight grid of few bits, and endpoint modes that are mostly LDR.
Block likelyAstcBlock(Random& random) {
    Block block = randomBlock(random);
    const auto dice = random() % 16;
    if (dice == 0) return block;
    if (dice == 1) {
        setBits(block, 0, 12, 0xDFC);  // one colour
        if (random() % 2 == 0) {
            for (int i = 0; i < 4; ++i) setBits(block, 12 + 13 * i, 13, 0x1FFF);
        }
        return block;
    }
    setBits(block, 11, 2, static_cast<unsigned>(random() % 8 < 4 ? 0 : random() % 4));
    if (dice < 12) setBits(block, 9, 2, static_cast<unsigned>(random() % 3));
    if (dice < 10) setBits(block, 7, 2, 0);
    return block;
}

const std::byte* bytesOf(const Block& block) { return reinterpret_cast<const std::byte*>(block.data()); }

double fromHalf(uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double magnitude = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Distance between the half's value and its neighbours.
double halfStep(double value) {
    int exponent = 0;
    std::frexp(std::abs(value), &exponent);
    return std::ldexp(1, std::max(exponent, -13) - 11);
}

/// The stored texel is the nearest to the reference's; halves are rounded up.
bool agrees(const BlockFormat& format, const std::byte* elements, int texel, const reference::Texel& expected) {
    if (holdsBytes(formatInfo(format.storage).element)) {
        for (int c = 0; c < 4; ++c) {
            const auto code = static_cast<int>(elements[4 * texel + c]);
            // Ties are found in spite of the reference's own rounding.
            if (code != static_cast<int>(std::floor(expected[static_cast<size_t>(c)] * 255 + 0.5 + 1e-9))) return false;
        }
        return true;
    }
    for (int c = 0; c < 4; ++c) {
        uint16_t half;
        std::memcpy(&half, elements + 8 * texel + 2 * c, 2);
        const double value = expected[static_cast<size_t>(c)];
        if (std::abs(fromHalf(half) - value) > halfStep(value) / 2 * 1.0000001) return false;
    }
    return true;
}

int wrongTexels(const BlockFormat& format, const Block& block) {
    alignas(64) std::byte elements[kMaxBlockTexels * 8];
    decodeBlock(format, bytesOf(block), elements);
    int wrong = 0;
    for (int y = 0; y < format.height; ++y) {
        for (int x = 0; x < format.width; ++x)
            wrong +=
                !agrees(format, elements, y * format.width + x, reference::decodeTexel(format, block.data(), x, y));
    }
    return wrong;
}

}  // namespace

TEST_CASE("the table of compressed formats is consistent") {
    std::set<uint32_t> enums;
    std::set<std::string> names;
    for (const BlockFormat& format : blockFormats()) {
        enums.insert(format.internalformat);
        names.insert(format.name);
        CHECK(blockFormat(format.internalformat) == &format);
        CHECK(format.width * format.height <= kMaxBlockTexels);
        CHECK((format.bytes == 8 || format.bytes == 16));
    }
    for (const PalettedFormat& format : palettedFormats()) {
        enums.insert(format.internalformat);
        names.insert(format.name);
        CHECK(palettedFormat(format.internalformat) == &format);
        CHECK(clientPixelBytes(format.entryFormat, format.entryType) > 0);
    }
    CHECK(enums.size() == blockFormats().size() + palettedFormats().size());
    CHECK(names.size() == enums.size());
    CHECK(blockFormat(0x8B90) == nullptr);
    CHECK(palettedFormat(0x83F0) == nullptr);
}

TEST_CASE("runs of blocks give what their blocks give one by one, at every level") {
    const struct {
        const char* name;
        DecodeRun CodecFunctions::* run;
    } formats[] = {{"COMPRESSED_RGB_S3TC_DXT1", &CodecFunctions::dxt1Rgb},
                   {"COMPRESSED_RGBA_S3TC_DXT1", &CodecFunctions::dxt1Rgba},
                   {"COMPRESSED_RGBA_S3TC_DXT3", &CodecFunctions::dxt3},
                   {"COMPRESSED_RGBA_S3TC_DXT5", &CodecFunctions::dxt5},
                   {"ETC1_RGB8", &CodecFunctions::etcRgb},
                   {"COMPRESSED_RGBA8_ETC2_EAC", &CodecFunctions::etcRgba}};
    constexpr int kBlocks = 3000;
    for (const auto& tested : formats) {
        CAPTURE(tested.name);
        const auto all = blockFormats();
        const BlockFormat& format = *std::find_if(
            all.begin(), all.end(), [&](const BlockFormat& one) { return one.name == std::string(tested.name); });
        Random random(7);
        std::vector<std::byte> blocks(static_cast<size_t>(kBlocks) * format.bytes);
        for (std::byte& byte : blocks) byte = static_cast<std::byte>(random());
        for (size_t i = 0; i < blocks.size(); i += 7 * format.bytes) {  // equal endpoints
            std::copy_n(&blocks[i], 2, &blocks[i + 2]);
            blocks[i + 1] = blocks[i];
        }
        std::vector<std::byte> expected(kBlocks * 64);
        for (size_t i = 0; i < kBlocks; ++i) decodeBlock(format, &blocks[i * format.bytes], &expected[i * 64]);
        for (const tessera::SimdLevel level : tessera::simdLevels()) {
            CAPTURE(tessera::simdLevelName(level));
            const DecodeRun run = codecFunctions(level).*tested.run;
            for (const int count : {1, 15, 16, 17, 47, kBlocks}) {
                std::vector<std::byte> elements(static_cast<size_t>(count) * 64 + 64, std::byte{0x5A});
                run(blocks.data(), count, elements.data());
                CHECK(std::equal(elements.begin(), elements.end() - 64, expected.begin()));
                CHECK(
                    std::all_of(elements.end() - 64, elements.end(), [](std::byte b) { return b == std::byte{0x5A}; }));
            }
        }
    }
}

TEST_CASE("10,000 random blocks of each format are what the specification's formulas give") {
    Random random(5);
    for (const BlockFormat& format : blockFormats()) {
        CAPTURE(format.name);
        int wrong = 0;
        const bool isAstc = format.family == CodecFamily::Astc;
        for (int i = 0; i < 10000; ++i)
            wrong += wrongTexels(format, isAstc ? likelyAstcBlock(random) : randomBlock(random));
        CHECK(wrong == 0);
    }
}

TEST_CASE("the random ASTC blocks are legal often enough, in all endpoint modes and partition counts") {
    Random random(5);
    const BlockFormat& format = *blockFormat(0x93B4);
    int legal = 0, partitions[4] = {}, dual = 0;
    std::set<unsigned> modes;
    for (int i = 0; i < 10000; ++i) {
        const Block block = likelyAstcBlock(random);
        bool isLegal = false;
        (void)reference::decodeAstcTexel(format, block.data(), 0, 0, &isLegal);
        if (!isLegal || ((block[0] | (block[1] & 1) << 8) == 0x1FC)) continue;
        ++legal;
        ++partitions[block[1] >> 3 & 3];
        dual += block[1] >> 2 & 1;
        if ((block[1] >> 3 & 3) == 0) modes.insert(static_cast<unsigned>(block[1] >> 5 | (block[2] & 1) << 3));
    }
    CHECK(legal > 1500);
    for (int count : partitions) CHECK(count > 20);
    CHECK(dual > 100);
    CHECK(modes.size() == 16);
}

TEST_CASE("ETC2: base colours at every overflow, and T, H and planar blocks with every index") {
    Random random(9);
    for (uint32_t name : {0x8D64u, 0x9274u, 0x9276u, 0x9278u}) {
        const BlockFormat& format = *blockFormat(name);
        CAPTURE(format.name);
        int wrong = 0;
        for (int high = 0; high < 256; ++high) {
            for (int channel = 0; channel < 3; ++channel) {
                Block block = randomBlock(random);
                const size_t color = format.bytes == 16 ? 8 : 0;
                block[color] = block[color + 1] = block[color + 2] = 0x40;  // 8 and 0: no overflow
                block[color + static_cast<size_t>(channel)] = static_cast<unsigned char>(high);
                block[color + 3] = static_cast<unsigned char>(block[color + 3] | 2);
                wrong += wrongTexels(format, block);
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("S3TC and RGTC: all pairs of one channel's endpoints with all codes") {
    int wrong = 0;
    for (int first = 0; first < 64; ++first) {
        for (int second = 0; second < 64; ++second) {
            Block block{};
            auto put = [&](size_t at, int green) {
                const int color = green / 2 << 11 | green << 5 | green / 2;
                block[at] = block[at + 8] = static_cast<unsigned char>(color);
                block[at + 1] = block[at + 9] = static_cast<unsigned char>(color >> 8);
            };
            put(0, first);
            put(2, second);
            for (size_t i = 4; i < 8; ++i) block[i] = block[i + 8] = 0xE4;
            for (uint32_t name : {0x83F0u, 0x83F1u, 0x83F3u}) wrong += wrongTexels(*blockFormat(name), block);
        }
    }
    CHECK(wrong == 0);
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            Block block{};
            block[0] = block[9] = static_cast<unsigned char>(first);
            block[1] = block[8] = static_cast<unsigned char>(second);
            const unsigned char codes[6] = {0x88, 0xC6, 0xFA, 0x88, 0xC6, 0xFA};  // 0..7 twice
            std::memcpy(&block[2], codes, 6);
            std::memcpy(&block[10], codes, 6);
            wrong += wrongTexels(*blockFormat(0x8DBD), block) + wrongTexels(*blockFormat(0x8DBE), block);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("EAC: every base, multiplier and table") {
    int wrong = 0;
    for (int base = 0; base < 256; ++base) {
        for (int low = 0; low < 256; ++low) {
            Block block{};
            block[0] = static_cast<unsigned char>(base), block[1] = static_cast<unsigned char>(low);
            const unsigned char codes[6] = {0x05, 0x39, 0x77, 0x05, 0x39, 0x77};  // 0..7 twice
            std::memcpy(&block[2], codes, 6);
            for (uint32_t name : {0x9270u, 0x9271u}) wrong += wrongTexels(*blockFormat(name), block);
            if (low % 16 == base % 16) wrong += wrongTexels(*blockFormat(0x9278), block);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("ASTC: all block modes") {
    Random random(11);
    for (uint32_t name : {0x93B0u, 0x93B7u, 0x93DDu}) {
        const BlockFormat& format = *blockFormat(name);
        int wrong = 0;
        for (unsigned mode = 0; mode < 2048; ++mode) {
            Block block = randomBlock(random);
            setBits(block, 0, 11, mode);
            setBits(block, 11, 2, 0);
            wrong += wrongTexels(format, block);
        }
        CAPTURE(format.name);
        CHECK(wrong == 0);
    }
}

TEST_CASE("images of all sizes and rectangles are their blocks' texels") {
    Random random(3);
    for (uint32_t name : {0x83F3u, 0x9272u, 0x93B0u, 0x93B1u, 0x93B6u, 0x93BDu}) {
        const BlockFormat& format = *blockFormat(name);
        CAPTURE(format.name);
        const int imageWidth = 4 * format.width + 3, imageHeight = 3 * format.height + 1;
        for (int i = 0; i < 40; ++i) {
            Image image(format.storage, imageWidth, imageHeight);
            const int x = static_cast<int>(random() % 4) * format.width,
                      y = static_cast<int>(random() % 3) * format.height;
            const int width = 1 + static_cast<int>(random() % static_cast<unsigned>(imageWidth - x));
            const int height = 1 + static_cast<int>(random() % static_cast<unsigned>(imageHeight - y));
            const size_t size = compressedBytes(format, width, height);
            const int across = (width + format.width - 1) / format.width;
            REQUIRE(size ==
                    static_cast<size_t>(across * ((height + format.height - 1) / format.height)) * format.bytes);
            std::vector<std::byte> data(size);
            for (std::byte& byte : data) byte = static_cast<std::byte>(random());
            decode(format, data.data(), image, {x, y, width, height});
            const auto elementSize = static_cast<size_t>(elementBytes(image.element()));
            int wrong = 0;
            for (int row = 0; row < imageHeight; ++row) {
                for (int column = 0; column < imageWidth; ++column) {
                    const std::byte* texel =
                        image.block(column / 4, row / 4) + static_cast<size_t>(row % 4 * 4 + column % 4) * elementSize;
                    std::byte expected[kMaxBlockTexels * 8] = {};
                    size_t at = 0;
                    const int inX = column - x, inY = row - y;
                    if (inX >= 0 && inX < width && inY >= 0 && inY < height) {
                        const int block = inY / format.height * across + inX / format.width;
                        decodeBlock(format, data.data() + static_cast<size_t>(block) * format.bytes, expected);
                        at = static_cast<size_t>(inY % format.height * format.width + inX % format.width);
                    }
                    wrong += std::memcmp(texel, expected + at * elementSize, elementSize) != 0;
                }
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("paletted images: every entry, both index sizes, odd levels") {
    Random random(4);
    for (const PalettedFormat& format : palettedFormats()) {
        CAPTURE(format.name);
        const int width = 37, height = 11, levels = 6, entries = 1 << format.indexBits;
        const int entryBytes = clientPixelBytes(format.entryFormat, format.entryType);
        size_t expectedBytes = static_cast<size_t>(entries * entryBytes);
        for (int level = 0; level < levels; ++level) {
            const int texels = std::max(width >> level, 1) * std::max(height >> level, 1);
            expectedBytes += static_cast<size_t>(format.indexBits == 8 ? texels : (texels + 1) / 2);
        }
        CHECK(palettedBytes(format, width, height, levels) == expectedBytes);
        std::vector<std::byte> data(expectedBytes);
        for (std::byte& byte : data) byte = static_cast<std::byte>(random());
        size_t start = static_cast<size_t>(entries * entryBytes);
        for (int level = 0; level < levels; ++level) {
            Image image(format.storage, std::max(width >> level, 1), std::max(height >> level, 1));
            decodePaletted(format, data.data(), width, height, level, image);
            const int texels = image.width() * image.height();
            int wrong = 0;
            for (int i = 0; i < texels; ++i) {
                const auto byte =
                    static_cast<int>(data[start + static_cast<size_t>(format.indexBits == 8 ? i : i / 2)]);
                const int index = format.indexBits == 8 ? byte : i % 2 == 0 ? byte / 16 : byte % 16;
                uint32_t entry = 0;
                std::memcpy(&entry, &data[static_cast<size_t>(index * entryBytes)], static_cast<size_t>(entryBytes));
                auto bits = [&](int low, int count) {
                    const uint32_t top = (1u << count) - 1;
                    return static_cast<uint32_t>(std::floor((entry >> low & top) * 255.0 / top + 0.5));
                };
                uint32_t expected = 0;
                switch (format.entryType) {
                    case ClientType::U16_565:
                        expected = bits(11, 5) | bits(5, 6) << 8 | bits(0, 5) << 16 | 0xFF000000u;
                        break;
                    case ClientType::U16_4444:
                        expected = bits(12, 4) | bits(8, 4) << 8 | bits(4, 4) << 16 | bits(0, 4) << 24;
                        break;
                    case ClientType::U16_5551:
                        expected = bits(11, 5) | bits(6, 5) << 8 | bits(1, 5) << 16 | bits(0, 1) << 24;
                        break;
                    default:
                        expected = entryBytes == 3 ? entry | 0xFF000000u : entry;
                }
                wrong += image.texel32(i % image.width(), i / image.width()) != expected;
            }
            CHECK(wrong == 0);
            start += static_cast<size_t>(format.indexBits == 8 ? texels : (texels + 1) / 2);
        }
    }
}
