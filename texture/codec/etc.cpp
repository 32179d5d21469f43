// ETC1, ETC2 and EAC: Khronos Data Format specification 1.3, sections 21 and 22. Results are the specification's to the
// bit; the eleven-bit channels are rounded to the nearest half-precision float, which tells all of their codes apart.
//
// A block is one 64-bit number, most significant byte first, so that bit positions are those of the specification's
// tables. Texels are numbered down the columns: number 4x + y.
//
// ETC1 is the part of ETC2 that uses two of its five modes. Blocks that ETC1 leaves undefined decode as ETC2 does.
#include "texture/codec/internal.h"

#include <algorithm>

#include "texture/codec/runs.h"

namespace tessera::texture {

namespace {

constexpr int kDistances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

/// Bits high..low of the block.
constexpr int field(uint64_t block, int high, int low) {
    return static_cast<int>(block >> low & ((uint64_t{1} << (high - low + 1)) - 1));
}
constexpr int signedField3(uint64_t block, int low) { return (field(block, low + 2, low) ^ 4) - 4; }

/// Red, green, blue and anything: codes before they are clamped.
using Color = int16_t __attribute__((ext_vector_type(4)));
Color color(int red, int green, int blue) {
    return Color{static_cast<int16_t>(red), static_cast<int16_t>(green), static_cast<int16_t>(blue), 0};
}
Color shifted(Color c, int offset) { return c + static_cast<int16_t>(offset); }
Color extend4(int red, int green, int blue) { return color(red, green, blue) * static_cast<int16_t>(17); }
constexpr int extend5(int c) { return c << 3 | c >> 2; }
constexpr int extend6(int c) { return c << 2 | c >> 4; }
constexpr int extend7(int c) { return c << 1 | c >> 6; }
Color extend5(int red, int green, int blue) { return color(extend5(red), extend5(green), extend5(blue)); }

uint32_t clampCode(int value) { return static_cast<uint32_t>(std::clamp(value, 0, 255)); }
uint32_t opaque(Color c) {
    using Codes = uint8_t __attribute__((ext_vector_type(4)));
    c = __builtin_elementwise_min(__builtin_elementwise_max(c, Color(0)), Color(255));
    return __builtin_bit_cast(uint32_t, __builtin_convertvector(c, Codes)) | 0xFF000000u;
}

/// A mask of texels, row by row: of each the bit that the block has at `first` plus the texel's number.
Mask16 texelBits(uint64_t block, int first) {
    constexpr U32x16 kBit = {1u << 0, 1u << 4, 1u << 8,  1u << 12, 1u << 1, 1u << 5, 1u << 9,  1u << 13,
                             1u << 2, 1u << 6, 1u << 10, 1u << 14, 1u << 3, 1u << 7, 1u << 11, 1u << 15};
    return (splat(static_cast<uint32_t>(block >> first)) & kBit) != 0u;
}

/// Each texel's colour by its two-bit index.
U32x16 choose(uint64_t block, const uint32_t (&palette)[4]) {
    return chooseOf4(palette, texelBits(block, 0), texelBits(block, 16));
}

/// Individual and differential mode: half a block each has a base colour and a table of modifiers. In blocks that are
/// not opaque the small modifiers are zero and index 2 is transparent.
void decodeHalves(uint64_t block, const Color (&base)[2], bool isOpaque, uint32_t* texels) {
    constexpr Mask16 kRight = {0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1, 0, 0, -1, -1};
    constexpr Mask16 kLower = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    const bool flip = field(block, 32, 32) != 0;
    U32x16 colors[2];
    for (int half = 0; half < 2; ++half) {
        const int* modifier = kEtcModifiers[half == 0 ? field(block, 39, 37) : field(block, 36, 34)];
        const int small = isOpaque ? modifier[0] : 0;
        const uint32_t palette[4] = {opaque(shifted(base[half], small)), opaque(shifted(base[half], modifier[1])),
                                     isOpaque ? opaque(shifted(base[half], -small)) : 0,
                                     opaque(shifted(base[half], -modifier[1]))};
        colors[half] = choose(block, palette);
    }
    store(texels, select(flip ? kLower : kRight, colors[1], colors[0]));
}

/// The four paint colours of T and H mode.
void paint(uint64_t block, const Color (&colors)[4], bool isOpaque, uint32_t* texels) {
    uint32_t palette[4];
    for (int i = 0; i < 4; ++i) palette[i] = opaque(colors[i]);
    if (!isOpaque) palette[2] = 0;
    store(texels, choose(block, palette));
}

void decodeT(uint64_t block, bool isOpaque, uint32_t* texels) {
    const Color first =
        extend4(field(block, 60, 59) << 2 | field(block, 57, 56), field(block, 55, 52), field(block, 51, 48));
    const Color second = extend4(field(block, 47, 44), field(block, 43, 40), field(block, 39, 36));
    const int distance = kDistances[field(block, 35, 34) << 1 | field(block, 32, 32)];
    paint(block, {first, shifted(second, distance), second, shifted(second, -distance)}, isOpaque, texels);
}

void decodeH(uint64_t block, bool isOpaque, uint32_t* texels) {
    const Color first = extend4(field(block, 62, 59), field(block, 58, 56) << 1 | field(block, 52, 52),
                                field(block, 51, 51) << 3 | field(block, 49, 47));
    const Color second = extend4(field(block, 46, 43), field(block, 42, 39), field(block, 38, 35));
    auto value = [](Color c) { return c.x << 16 | c.y << 8 | c.z; };
    const int lowest = value(first) >= value(second) ? 1 : 0;
    const int distance = kDistances[field(block, 34, 34) << 2 | field(block, 32, 32) << 1 | lowest];
    paint(block,
          {shifted(first, distance), shifted(first, -distance), shifted(second, distance), shifted(second, -distance)},
          isOpaque, texels);
}

void decodePlanar(uint64_t block, uint32_t* texels) {
    const Color origin = color(extend6(field(block, 62, 57)), extend7(field(block, 56, 56) << 6 | field(block, 54, 49)),
                               extend6(field(block, 48, 48) << 5 | field(block, 44, 43) << 3 | field(block, 41, 39)));
    const Color across = color(extend6(field(block, 38, 34) << 1 | field(block, 32, 32)), extend7(field(block, 31, 25)),
                               extend6(field(block, 24, 19)));
    const Color down = color(extend6(field(block, 18, 13)), extend7(field(block, 12, 6)), extend6(field(block, 5, 0)));
    const Color start = origin * static_cast<int16_t>(4) + static_cast<int16_t>(2);
    for (int16_t y = 0; y < 4; ++y) {
        for (int16_t x = 0; x < 4; ++x)
            texels[4 * y + x] =
                opaque((start + (across - origin) * x + (down - origin) * y) >> static_cast<int16_t>(2));
    }
}

bool isOutside(int fiveBits) { return fiveBits < 0 || fiveBits > 31; }

/// All blocks with base colour and difference: the four modes that overflow tells apart.
void decodeDifferential(uint64_t block, bool isOpaque, uint32_t* texels) {
    const int red = field(block, 63, 59), green = field(block, 55, 51), blue = field(block, 47, 43);
    const int red2 = red + signedField3(block, 56), green2 = green + signedField3(block, 48);
    const int blue2 = blue + signedField3(block, 40);
    if (isOutside(red2)) return decodeT(block, isOpaque, texels);
    if (isOutside(green2)) return decodeH(block, isOpaque, texels);
    if (isOutside(blue2)) return decodePlanar(block, texels);
    decodeHalves(block, {extend5(red, green, blue), extend5(red2, green2, blue2)}, isOpaque, texels);
}

/// EAC: writes palette[i] for texels that choose modifier i.
template <class Value>
void spreadEac(uint64_t block, const Value (&palette)[8], Value* values) {
    for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 4; ++x) {
            const int low = 45 - 3 * (4 * x + y);
            values[4 * y + x] = palette[field(block, low + 2, low)];
        }
    }
}

/// Eleven bits: what modifiers are added to, and the range of results, the largest of which means 1.
struct ElevenBits {
    int base, lowest, highest;
};
void decodeEleven(uint64_t block, const ElevenBits& range, uint16_t* halves) {
    const int multiplier = field(block, 55, 52);
    uint16_t palette[8];
    for (int i = 0; i < 8; ++i) {
        const int modifier = kEacModifiers[field(block, 51, 48)][i];
        const int value = range.base + (multiplier == 0 ? modifier : modifier * multiplier * 8);
        palette[i] = halfOfFraction(std::clamp(value, range.lowest, range.highest), range.highest);
    }
    spreadEac(block, palette, halves);
}

void decodeUnsigned(const std::byte* bytes, uint16_t* halves) {
    const uint64_t block = loadBig64(bytes);
    decodeEleven(block, {field(block, 63, 56) * 8 + 4, 0, 2047}, halves);
}

/// A base of -128 means -127.
void decodeSigned(const std::byte* bytes, uint16_t* halves) {
    const uint64_t block = loadBig64(bytes);
    decodeEleven(block, {std::max<int>(static_cast<int8_t>(field(block, 63, 56)), -127) * 8, -1023, 1023}, halves);
}

using DecodeChannel = void (*)(const std::byte* bytes, uint16_t* halves);

void decodeRed(DecodeChannel channel, const std::byte* block, std::byte* elements) {
    uint16_t red[16];
    const uint16_t none[16] = {};
    channel(block, red);
    storeRedGreenHalves(red, none, elements);
}
void decodeRedGreen(DecodeChannel channel, const std::byte* block, std::byte* elements) {
    uint16_t red[16], green[16];
    channel(block, red);
    channel(block + 8, green);
    storeRedGreenHalves(red, green, elements);
}

}  // namespace

void decodeEtcColors(const std::byte* bytes, uint32_t* texels) {
    const uint64_t block = loadBig64(bytes);
    if (field(block, 33, 33) != 0) return decodeDifferential(block, true, texels);
    decodeHalves(block,
                 {extend4(field(block, 63, 60), field(block, 55, 52), field(block, 47, 44)),
                  extend4(field(block, 59, 56), field(block, 51, 48), field(block, 43, 40))},
                 true, texels);
}

void decodeEtcRgb(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint32_t texels[16];
    decodeEtcColors(block, texels);
    std::memcpy(elements, texels, sizeof texels);
}

void decodeEtcRgbA1(const BlockFormat&, const std::byte* bytes, std::byte* elements) {
    uint32_t texels[16];
    const uint64_t block = loadBig64(bytes);
    decodeDifferential(block, field(block, 33, 33) != 0, texels);
    std::memcpy(elements, texels, sizeof texels);
}

void decodeEtcRgba(const BlockFormat&, const std::byte* bytes, std::byte* elements) {
    uint32_t texels[16];
    decodeEtcColors(bytes + 8, texels);
    const uint64_t block = loadBig64(bytes);
    uint32_t palette[8], alpha[16];
    for (int i = 0; i < 8; ++i) {
        const int modifier = kEacModifiers[field(block, 51, 48)][i];
        palette[i] = clampCode(field(block, 63, 56) + modifier * field(block, 55, 52));
    }
    spreadEac(block, palette, alpha);
    for (int i = 0; i < 16; ++i) texels[i] = (texels[i] & 0x00FFFFFFu) | alpha[i] << 24;
    std::memcpy(elements, texels, sizeof texels);
}

void decodeEacR11(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeRed(decodeUnsigned, block, elements);
}
void decodeEacRg11(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeRedGreen(decodeUnsigned, block, elements);
}
void decodeSignedEacR11(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeRed(decodeSigned, block, elements);
}
void decodeSignedEacRg11(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeRedGreen(decodeSigned, block, elements);
}

}  // namespace tessera::texture
