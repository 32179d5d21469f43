// The table of compressed formats, and whole images from blocks.
#include "texture/codec/codec.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/check.h"
#include "texture/codec/internal.h"
#include "texture/codec/runs.h"

namespace tessera::texture {

// One copy of the functions for each SIMD level: texture/codec/codec_simd.cpp.
TESSERA_SIMD_COPIES(CodecFunctions levelCodecFunctions();)

CodecFunctions codecFunctions(SimdLevel level) { return TESSERA_SIMD_COPY(level, levelCodecFunctions)(); }

namespace {

using enum CodecFamily;
using enum PixelFormat;

// clang-format off
constexpr BlockFormat kFormats[] = {
    // GL      name                                       family w   h  bytes storage    decoder
    {0x83F0, "COMPRESSED_RGB_S3TC_DXT1",                   S3tc,  4,  4,  8, Rgb8,        decodeDxt1Rgb},
    {0x83F1, "COMPRESSED_RGBA_S3TC_DXT1",                  S3tc,  4,  4,  8, Rgba8,       decodeDxt1Rgba},
    {0x83F2, "COMPRESSED_RGBA_S3TC_DXT3",                  S3tc,  4,  4, 16, Rgba8,       decodeDxt3},
    {0x83F3, "COMPRESSED_RGBA_S3TC_DXT5",                  S3tc,  4,  4, 16, Rgba8,       decodeDxt5},
    {0x8C4C, "COMPRESSED_SRGB_S3TC_DXT1",                  S3tc,  4,  4,  8, Srgb8,       decodeDxt1Rgb},
    {0x8C4D, "COMPRESSED_SRGB_ALPHA_S3TC_DXT1",            S3tc,  4,  4,  8, Srgb8Alpha8, decodeDxt1Rgba},
    {0x8C4E, "COMPRESSED_SRGB_ALPHA_S3TC_DXT3",            S3tc,  4,  4, 16, Srgb8Alpha8, decodeDxt3},
    {0x8C4F, "COMPRESSED_SRGB_ALPHA_S3TC_DXT5",            S3tc,  4,  4, 16, Srgb8Alpha8, decodeDxt5},
    {0x8DBB, "COMPRESSED_RED_RGTC1",                       Rgtc,  4,  4,  8, R8,          decodeRgtc1},
    {0x8DBC, "COMPRESSED_SIGNED_RED_RGTC1",                Rgtc,  4,  4,  8, R16F,        decodeSignedRgtc1},
    {0x8DBD, "COMPRESSED_RED_GREEN_RGTC2",                 Rgtc,  4,  4, 16, Rg8,         decodeRgtc2},
    {0x8DBE, "COMPRESSED_SIGNED_RED_GREEN_RGTC2",          Rgtc,  4,  4, 16, Rg16F,       decodeSignedRgtc2},
    {0x8E8C, "COMPRESSED_RGBA_BPTC_UNORM",                 Bptc,  4,  4, 16, Rgba8,       decodeBptc},
    {0x8E8D, "COMPRESSED_SRGB_ALPHA_BPTC_UNORM",           Bptc,  4,  4, 16, Srgb8Alpha8, decodeBptc},
    {0x8E8E, "COMPRESSED_RGB_BPTC_SIGNED_FLOAT",           Bptc,  4,  4, 16, Rgb16F,      decodeSignedBptcFloat},
    {0x8E8F, "COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT",         Bptc,  4,  4, 16, Rgb16F,      decodeBptcFloat},
    {0x8D64, "ETC1_RGB8",                                  Etc1,  4,  4,  8, Rgb8,        decodeEtcRgb},
    {0x9270, "COMPRESSED_R11_EAC",                         Etc2,  4,  4,  8, R16F,        decodeEacR11},
    {0x9271, "COMPRESSED_SIGNED_R11_EAC",                  Etc2,  4,  4,  8, R16F,        decodeSignedEacR11},
    {0x9272, "COMPRESSED_RG11_EAC",                        Etc2,  4,  4, 16, Rg16F,       decodeEacRg11},
    {0x9273, "COMPRESSED_SIGNED_RG11_EAC",                 Etc2,  4,  4, 16, Rg16F,       decodeSignedEacRg11},
    {0x9274, "COMPRESSED_RGB8_ETC2",                       Etc2,  4,  4,  8, Rgb8,        decodeEtcRgb},
    {0x9275, "COMPRESSED_SRGB8_ETC2",                      Etc2,  4,  4,  8, Srgb8,       decodeEtcRgb},
    {0x9276, "COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2",   Etc2,  4,  4,  8, Rgba8,       decodeEtcRgbA1},
    {0x9277, "COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2",  Etc2,  4,  4,  8, Srgb8Alpha8, decodeEtcRgbA1},
    {0x9278, "COMPRESSED_RGBA8_ETC2_EAC",                  Etc2,  4,  4, 16, Rgba8,       decodeEtcRgba},
    {0x9279, "COMPRESSED_SRGB8_ALPHA8_ETC2_EAC",           Etc2,  4,  4, 16, Srgb8Alpha8, decodeEtcRgba},
    {0x93B0, "COMPRESSED_RGBA_ASTC_4x4",                   Astc,  4,  4, 16, Rgba8,       decodeAstc},
    {0x93B1, "COMPRESSED_RGBA_ASTC_5x4",                   Astc,  5,  4, 16, Rgba8,       decodeAstc},
    {0x93B2, "COMPRESSED_RGBA_ASTC_5x5",                   Astc,  5,  5, 16, Rgba8,       decodeAstc},
    {0x93B3, "COMPRESSED_RGBA_ASTC_6x5",                   Astc,  6,  5, 16, Rgba8,       decodeAstc},
    {0x93B4, "COMPRESSED_RGBA_ASTC_6x6",                   Astc,  6,  6, 16, Rgba8,       decodeAstc},
    {0x93B5, "COMPRESSED_RGBA_ASTC_8x5",                   Astc,  8,  5, 16, Rgba8,       decodeAstc},
    {0x93B6, "COMPRESSED_RGBA_ASTC_8x6",                   Astc,  8,  6, 16, Rgba8,       decodeAstc},
    {0x93B7, "COMPRESSED_RGBA_ASTC_8x8",                   Astc,  8,  8, 16, Rgba8,       decodeAstc},
    {0x93B8, "COMPRESSED_RGBA_ASTC_10x5",                  Astc, 10,  5, 16, Rgba8,       decodeAstc},
    {0x93B9, "COMPRESSED_RGBA_ASTC_10x6",                  Astc, 10,  6, 16, Rgba8,       decodeAstc},
    {0x93BA, "COMPRESSED_RGBA_ASTC_10x8",                  Astc, 10,  8, 16, Rgba8,       decodeAstc},
    {0x93BB, "COMPRESSED_RGBA_ASTC_10x10",                 Astc, 10, 10, 16, Rgba8,       decodeAstc},
    {0x93BC, "COMPRESSED_RGBA_ASTC_12x10",                 Astc, 12, 10, 16, Rgba8,       decodeAstc},
    {0x93BD, "COMPRESSED_RGBA_ASTC_12x12",                 Astc, 12, 12, 16, Rgba8,       decodeAstc},
    {0x93D0, "COMPRESSED_SRGB8_ALPHA8_ASTC_4x4",           Astc,  4,  4, 16, Srgb8Alpha8, decodeAstc},
    {0x93D1, "COMPRESSED_SRGB8_ALPHA8_ASTC_5x4",           Astc,  5,  4, 16, Srgb8Alpha8, decodeAstc},
    {0x93D2, "COMPRESSED_SRGB8_ALPHA8_ASTC_5x5",           Astc,  5,  5, 16, Srgb8Alpha8, decodeAstc},
    {0x93D3, "COMPRESSED_SRGB8_ALPHA8_ASTC_6x5",           Astc,  6,  5, 16, Srgb8Alpha8, decodeAstc},
    {0x93D4, "COMPRESSED_SRGB8_ALPHA8_ASTC_6x6",           Astc,  6,  6, 16, Srgb8Alpha8, decodeAstc},
    {0x93D5, "COMPRESSED_SRGB8_ALPHA8_ASTC_8x5",           Astc,  8,  5, 16, Srgb8Alpha8, decodeAstc},
    {0x93D6, "COMPRESSED_SRGB8_ALPHA8_ASTC_8x6",           Astc,  8,  6, 16, Srgb8Alpha8, decodeAstc},
    {0x93D7, "COMPRESSED_SRGB8_ALPHA8_ASTC_8x8",           Astc,  8,  8, 16, Srgb8Alpha8, decodeAstc},
    {0x93D8, "COMPRESSED_SRGB8_ALPHA8_ASTC_10x5",          Astc, 10,  5, 16, Srgb8Alpha8, decodeAstc},
    {0x93D9, "COMPRESSED_SRGB8_ALPHA8_ASTC_10x6",          Astc, 10,  6, 16, Srgb8Alpha8, decodeAstc},
    {0x93DA, "COMPRESSED_SRGB8_ALPHA8_ASTC_10x8",          Astc, 10,  8, 16, Srgb8Alpha8, decodeAstc},
    {0x93DB, "COMPRESSED_SRGB8_ALPHA8_ASTC_10x10",         Astc, 10, 10, 16, Srgb8Alpha8, decodeAstc},
    {0x93DC, "COMPRESSED_SRGB8_ALPHA8_ASTC_12x10",         Astc, 12, 10, 16, Srgb8Alpha8, decodeAstc},
    {0x93DD, "COMPRESSED_SRGB8_ALPHA8_ASTC_12x12",         Astc, 12, 12, 16, Srgb8Alpha8, decodeAstc},
};
// clang-format on

constexpr int kMaxElementBytes = 8;

int blocksAlong(int texels, int blockTexels) { return (texels + blockTexels - 1) / blockTexels; }

/// What decodes blocks that follow each other faster than one by one; null: nothing.
DecodeRun runDecoder(const BlockFormat& format) {
    static const CodecFunctions runs = codecFunctions(simdLevel());
    const struct {
        BlockFormat::Decode single;
        DecodeRun run;
    } decoders[] = {{decodeDxt1Rgb, runs.dxt1Rgb}, {decodeDxt1Rgba, runs.dxt1Rgba}, {decodeDxt3, runs.dxt3},
                    {decodeDxt5, runs.dxt5},       {decodeEtcRgb, runs.etcRgb},     {decodeEtcRgba, runs.etcRgba}};
    for (const auto& decoder : decoders) {
        if (decoder.single == format.decode) return decoder.run;
    }
    return nullptr;
}

/// Copies the texels of a decoded block that lie in the rectangle; (x, y) is the block's first texel in the image.
void place(const BlockFormat& format, const std::byte* elements, Image& image, Rect rect, int x, int y) {
    const auto elementSize = static_cast<size_t>(elementBytes(image.element()));
    const int right = std::min<int>(x + format.width, rect.x + rect.width);
    const int top = std::min<int>(y + format.height, rect.y + rect.height);
    for (int row = y; row < top; ++row) {
        const std::byte* from = elements + static_cast<size_t>(row - y) * format.width * elementSize;
        for (int column = x; column < right;) {
            // How many texels there are to the end of the image's block, or of the rectangle.
            const int count = std::min((column | 3) + 1, right) - column;
            std::byte* to =
                image.block(column >> 2, row >> 2) + static_cast<size_t>((row & 3) * 4 + (column & 3)) * elementSize;
            std::memcpy(to, from + static_cast<size_t>(column - x) * elementSize,
                        static_cast<size_t>(count) * elementSize);
            column += count;
        }
    }
}

}  // namespace

std::span<const BlockFormat> blockFormats() { return kFormats; }

const BlockFormat* blockFormat(uint32_t internalformat) {
    const auto* it = std::find_if(std::begin(kFormats), std::end(kFormats),
                                  [=](const BlockFormat& format) { return format.internalformat == internalformat; });
    return it == std::end(kFormats) ? nullptr : it;
}

size_t compressedBytes(const BlockFormat& format, int width, int height) {
    return static_cast<size_t>(blocksAlong(width, format.width)) * blocksAlong(height, format.height) * format.bytes;
}

void decodeBlock(const BlockFormat& format, const std::byte* block, std::byte* elements) {
    format.decode(format, block, elements);
}

void decode(const BlockFormat& format, const std::byte* blocks, Image& image, Rect rect) {
    CHECK(image.format() == format.storage);
    CHECK_LE(rect.x + rect.width, image.width());
    CHECK_LE(rect.y + rect.height, image.height());
    const int right = rect.x + rect.width, top = rect.y + rect.height;
    const bool isAligned = format.width == 4 && format.height == 4 && rect.x % 4 == 0 && rect.y % 4 == 0;
    const DecodeRun run = isAligned ? runDecoder(format) : nullptr;
    for (int y = rect.y; y < top; y += format.height) {
        int x = rect.x;
        if (run != nullptr && y + 4 <= top && rect.width >= 4) {
            const int whole = rect.width / 4;
            run(blocks, whole, image.block(x >> 2, y >> 2));
            blocks += static_cast<size_t>(whole) * format.bytes;
            x += whole * 4;
        }
        for (; x < right; x += format.width, blocks += format.bytes) {
            if (isAligned && x + 4 <= right && y + 4 <= top) {
                format.decode(format, blocks, image.block(x >> 2, y >> 2));
                continue;
            }
            alignas(64) std::byte elements[kMaxBlockTexels * kMaxElementBytes];
            format.decode(format, blocks, elements);
            place(format, elements, image, rect, x, y);
        }
    }
}

uint16_t halfOfFraction(int numerator, int denominator) {
    const float magnitude = static_cast<float>(std::abs(numerator)) / static_cast<float>(denominator);
    const auto bits = std::bit_cast<uint32_t>(magnitude);
    // Below 2^-14 adding 0.5 aligns the fraction to the half's last place; the hardware rounds.
    const uint32_t half = bits < 0x38800000u ? std::bit_cast<uint32_t>(magnitude + 0.5f) - 0x3F000000u
                                             : (bits - 0x38000000u + 0xFFFu + (bits >> 13 & 1)) >> 13;
    return static_cast<uint16_t>(half | (numerator < 0 ? 0x8000u : 0u));
}

void storeRedGreenHalves(const uint16_t* red, const uint16_t* green, std::byte* elements) {
    constexpr uint16_t kOne = 0x3C00;
    for (int i = 0; i < 16; ++i) {
        const uint16_t element[4] = {red[i], green[i], 0, kOne};
        std::memcpy(elements + 8 * i, element, sizeof element);
    }
}

}  // namespace tessera::texture
