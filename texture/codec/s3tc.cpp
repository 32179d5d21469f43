// S3TC (BC1, BC2, BC3) and RGTC (BC4, BC5): Khronos Data Format specification 1.3, sections 18 and 19.
//
// The specification's values are fractions; they are rounded once: to the nearest 8-bit code, halves up, or for signed
// formats to the nearest half-precision float. Endpoints that are not interpolated come out as an uncompressed 5:6:5 or
// 8-bit texel of the same value does.
#include "texture/codec/internal.h"

#include <cstring>

namespace tessera::texture {

namespace {

/// Red, green, blue and nothing: 0..31, 0..63, 0..31.
using Color565 = uint32_t __attribute__((ext_vector_type(4)));
Color565 unpack565(uint32_t packed) { return {packed >> 11, packed >> 5 & 63, packed & 31, 0}; }

/// 255 / (sum * top) with sixteen fractional bits, upwards: enough for the nearest code of each fraction, which
/// codec_test.cpp tries for all of them.
constexpr uint32_t codeScale(uint32_t sum, uint32_t top) { return (255 * 65536 + sum * top - 1) / (sum * top); }

/// (weightA * a + weightB * b) / (weightA + weightB), opaque.
template <uint32_t weightA, uint32_t weightB>
uint32_t mix(Color565 a, Color565 b) {
    using Codes = uint8_t __attribute__((ext_vector_type(4)));
    constexpr uint32_t kSum = weightA + weightB;
    constexpr Color565 kScale = {codeScale(kSum, 31), codeScale(kSum, 63), codeScale(kSum, 31), 0};
    const Color565 codes = ((a * weightA + b * weightB) * kScale + 32768u) >> 16u;
    return __builtin_bit_cast(uint32_t, __builtin_convertvector(codes, Codes)) | 0xFF000000u;
}

/// Blocks of BC1 with color0 <= color1 have another palette, but not inside BC2 and BC3.
enum class Palette { FourColors, PunchThroughBlack, PunchThroughTransparent };

void decodeColors(const std::byte* block, Palette palette, uint32_t* texels) {
    const uint32_t packed0 = loadLittle<uint16_t>(block), packed1 = loadLittle<uint16_t>(block + 2);
    const Color565 color0 = unpack565(packed0), color1 = unpack565(packed1);
    uint32_t colors[4] = {mix<1, 0>(color0, color1), mix<0, 1>(color0, color1)};
    if (packed0 > packed1 || palette == Palette::FourColors) {
        colors[2] = mix<2, 1>(color0, color1);
        colors[3] = mix<1, 2>(color0, color1);
    } else {
        colors[2] = mix<1, 1>(color0, color1);
        colors[3] = palette == Palette::PunchThroughBlack ? 0xFF000000u : 0;
    }
    constexpr U32x16 kLow = {1u << 0,  1u << 2,  1u << 4,  1u << 6,  1u << 8,  1u << 10, 1u << 12, 1u << 14,
                             1u << 16, 1u << 18, 1u << 20, 1u << 22, 1u << 24, 1u << 26, 1u << 28, 1u << 30};
    const U32x16 codes = splat(loadLittle<uint32_t>(block + 4));
    store(texels, chooseOf4(colors, (codes & kLow) != 0u, (codes & kLow * 2u) != 0u));
}

/// The eight values of a BC3 alpha or a BC4 block as fractions over kCommon, whose factors are all the divisors.
constexpr int kCommon = 35;
struct Fractions {
    int value[8];  ///< endpoint value * kCommon
};
Fractions fractions(int first, int second, bool isEightStep, int lowest, int highest) {
    Fractions f{{first * kCommon, second * kCommon}};
    const int steps = isEightStep ? 7 : 5;
    const int scale = isEightStep ? kCommon / 7 : kCommon / 5;
    for (int i = 1; i < steps; ++i) f.value[i + 1] = (first * (steps - i) + second * i) * scale;
    if (!isEightStep) {
        f.value[6] = lowest * kCommon;
        f.value[7] = highest * kCommon;
    }
    return f;
}

/// Three-bit codes of the sixteen texels.
uint64_t loadCodes(const std::byte* block) { return loadLittle<uint64_t>(block) >> 16; }

/// One unsigned channel: sixteen 8-bit values.
void decodeChannel(const std::byte* block, uint32_t* values) {
    const int first = static_cast<int>(block[0]), second = static_cast<int>(block[1]);
    const Fractions f = fractions(first, second, first > second, 0, 255);
    uint32_t palette[8];
    for (int i = 0; i < 8; ++i) palette[i] = static_cast<uint32_t>(f.value[i] * 2 + kCommon) / (2 * kCommon);
    const uint64_t codes = loadCodes(block);
    for (int i = 0; i < 16; ++i) values[i] = palette[codes >> 3 * i & 7];
}

/// One signed channel: sixteen halves. The endpoints are compared as they stand; -128 means what -127 means.
void decodeSignedChannel(const std::byte* block, uint16_t* halves) {
    const auto first = static_cast<int8_t>(block[0]), second = static_cast<int8_t>(block[1]);
    const Fractions f =
        fractions(first < -127 ? -127 : first, second < -127 ? -127 : second, first > second, -127, 127);
    uint16_t palette[8];
    for (int i = 0; i < 8; ++i) palette[i] = halfOfFraction(f.value[i], 127 * kCommon);
    const uint64_t codes = loadCodes(block);
    for (int i = 0; i < 16; ++i) halves[i] = palette[codes >> 3 * i & 7];
}

}  // namespace

void decodeDxt1Rgb(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t texels[16];
    decodeColors(block, Palette::PunchThroughBlack, texels);
    std::memcpy(elements, texels, sizeof texels);
}

void decodeDxt1Rgba(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t texels[16];
    decodeColors(block, Palette::PunchThroughTransparent, texels);
    std::memcpy(elements, texels, sizeof texels);
}

void decodeDxt3(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t texels[16];
    decodeColors(block + 8, Palette::FourColors, texels);
    const auto alpha = loadLittle<uint64_t>(block);
    for (int i = 0; i < 16; ++i) {
        texels[i] = (texels[i] & 0x00FFFFFFu) | static_cast<uint32_t>(alpha >> 4 * i & 15) * 17 << 24;
    }
    std::memcpy(elements, texels, sizeof texels);
}

void decodeDxt5(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t texels[16], alpha[16];
    decodeColors(block + 8, Palette::FourColors, texels);
    decodeChannel(block, alpha);
    for (int i = 0; i < 16; ++i) texels[i] = (texels[i] & 0x00FFFFFFu) | alpha[i] << 24;
    std::memcpy(elements, texels, sizeof texels);
}

void decodeRgtc1(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t red[16];
    decodeChannel(block, red);
    for (uint32_t& texel : red) texel |= 0xFF000000u;
    std::memcpy(elements, red, sizeof red);
}

void decodeRgtc2(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t red[16], green[16];
    decodeChannel(block, red);
    decodeChannel(block + 8, green);
    for (int i = 0; i < 16; ++i) red[i] |= green[i] << 8 | 0xFF000000u;
    std::memcpy(elements, red, sizeof red);
}

void decodeSignedRgtc1(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint16_t red[16];
    const uint16_t none[16] = {};
    decodeSignedChannel(block, red);
    storeRedGreenHalves(red, none, elements);
}

void decodeSignedRgtc2(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint16_t red[16], green[16];
    decodeSignedChannel(block, red);
    decodeSignedChannel(block + 8, green);
    storeRedGreenHalves(red, green, elements);
}

}  // namespace tessera::texture
