// BPTC (BC6H and BC7): Khronos Data Format specification 1.3, section 20, whose results are integers: codes of 8 bits,
// and the bits of halves.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "texture/codec/internal.h"

namespace tessera::texture {

namespace {

/// The bits of a block, the lowest first.
class Bits {
public:
    explicit Bits(const std::byte* block) : rest_(loadLittle<unsigned __int128>(block)) {}
    int take(int count) {
        const int value = static_cast<int>(rest_) & ((1 << count) - 1);
        rest_ >>= count;
        return value;
    }

private:
    unsigned __int128 rest_;
};

// Partitions. The texel of a subset whose index has a bit less, which is 0, is its anchor; texel 0 is the first's.

/// Subsets of two: a bit for each texel, the lowest for texel 0.
constexpr std::array<uint16_t, 64> kTwoSubsets = {
    0xCCCC, 0x8888, 0xEEEE, 0xECC8, 0xC880, 0xFEEC, 0xFEC8, 0xEC80, 0xC800, 0xFFEC, 0xFE80, 0xE800, 0xFFE8,
    0xFF00, 0xFFF0, 0xF000, 0xF710, 0x008E, 0x7100, 0x08CE, 0x008C, 0x7310, 0x3100, 0x8CCE, 0x088C, 0x3110,
    0x6666, 0x366C, 0x17E8, 0x0FF0, 0x718E, 0x399C, 0xAAAA, 0xF0F0, 0x5A5A, 0x33CC, 0x3C3C, 0x55AA, 0x9696,
    0xA55A, 0x73CE, 0x13C8, 0x324C, 0x3BDC, 0x6996, 0xC33C, 0x9966, 0x0660, 0x0272, 0x04E4, 0x4E40, 0x2720,
    0xC936, 0x936C, 0x39C6, 0x639C, 0x9336, 0x9CC6, 0x817E, 0xE718, 0xCCF0, 0x0FCC, 0x7744, 0xEE22,
};
/// Of three: two bits for each.
constexpr std::array<uint32_t, 64> kThreeSubsets = {
    0xAA685050, 0x6A5A5040, 0x5A5A4200, 0x5450A0A8, 0xA5A50000, 0xA0A05050, 0x5555A0A0, 0x5A5A5050,
    0xAA550000, 0xAA555500, 0xAAAA5500, 0x90909090, 0x94949494, 0xA4A4A4A4, 0xA9A59450, 0x2A0A4250,
    0xA5945040, 0x0A425054, 0xA5A5A500, 0x55A0A0A0, 0xA8A85454, 0x6A6A4040, 0xA4A45000, 0x1A1A0500,
    0x0050A4A4, 0xAAA59090, 0x14696914, 0x69691400, 0xA08585A0, 0xAA821414, 0x50A4A450, 0x6A5A0200,
    0xA9A58000, 0x5090A0A8, 0xA8A09050, 0x24242424, 0x00AA5500, 0x24924924, 0x24499224, 0x50A50A50,
    0x500AA550, 0xAAAA4444, 0x66660000, 0xA5A0A5A0, 0x50A050A0, 0x69286928, 0x44AAAA44, 0x66666600,
    0xAA444444, 0x54A854A8, 0x95809580, 0x96969600, 0xA85454A8, 0x80959580, 0xAA141414, 0x96960000,
    0xAAAA1414, 0xA05050A0, 0xA0A5A5A0, 0x96000000, 0x40804080, 0xA9A8A9A8, 0xAAAAAA44, 0x2A4A5254,
};
constexpr std::array<uint8_t, 64> kAnchorsOfTwo = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};
constexpr std::array<uint8_t, 64> kSecondAnchorsOfThree = {
    3, 3,  15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3, 3,  8, 15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
};
constexpr std::array<uint8_t, 64> kThirdAnchorsOfThree = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
};

struct Partition {
    int subsets, pattern;
    [[nodiscard]] int subset(int texel) const {
        const auto row = static_cast<size_t>(pattern);
        if (subsets == 1) return 0;
        return static_cast<int>(subsets == 2 ? kTwoSubsets[row] >> texel & 1u : kThreeSubsets[row] >> 2 * texel & 3u);
    }
    [[nodiscard]] bool isAnchor(int texel) const {
        const auto row = static_cast<size_t>(pattern);
        if (texel == 0 || subsets == 1) return texel == 0;
        if (subsets == 2) return texel == kAnchorsOfTwo[row];
        return texel == kSecondAnchorsOfThree[row] || texel == kThirdAnchorsOfThree[row];
    }
};

/// Sixteen indices; `bits` 0: there are none.
using Indices = std::array<int, 16>;
Indices takeIndices(Bits& block, const Partition& partition, int bits) {
    Indices indices{};
    for (int texel = 0; bits != 0 && texel < 16; ++texel)
        indices[static_cast<size_t>(texel)] = block.take(bits - partition.isAnchor(texel));
    return indices;
}

/// Between two endpoints, in 64ths: the weights of the specification's table.
int interpolate(int first, int second, int index, int bits) {
    const int weight = bits == 2   ? index * 21 + (index >> 1)
                       : bits == 3 ? index * 9 + (index >> 2)
                                   : (index << 2) + (index >> 2) + (index >> 1 & 1);
    return ((64 - weight) * first + weight * second + 32) >> 6;
}

// --- BC7 ---

struct Bc7Mode {
    uint8_t subsets, partitionBits, rotationBits, selectionBits, colorBits, alphaBits;
    uint8_t lowBits;  ///< of endpoints: one for each of them or for each subset
    uint8_t indexBits, secondIndexBits;
};
// clang-format off
constexpr Bc7Mode kBc7Modes[8] = {
    {3, 4, 0, 0, 4, 0, 6, 3, 0},
    {2, 6, 0, 0, 6, 0, 2, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 4, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 2, 4, 0},
    {2, 6, 0, 0, 5, 5, 4, 2, 0},
};
// clang-format on

// --- BC6H ---

/// Where a bit of the block belongs: channel 0..2 of endpoint 0..3, and which bit of it.
struct Place {
    uint8_t endpoint, channel, bit;
};
struct Places {
    std::array<Place, 75> at{};
    size_t count = 0;
};
/// Of the specification's words: "g2:3-0" are the bits 0, 1, 2 and 3 of green of endpoint 2 in the order in which they
/// lie in the block, "g0:10-11" the bits 11 and 10.
consteval Places places(std::string_view text) {
    Places all;
    const auto number = [&] {
        uint8_t value = 0;
        for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
            value = static_cast<uint8_t>(value * 10 + (text[0] - '0'));
        return value;
    };
    while (!text.empty()) {
        const auto channel = static_cast<uint8_t>(std::string_view("rgb").find(text[0]));
        text.remove_prefix(1);
        const uint8_t endpoint = number();
        text.remove_prefix(1);
        const uint8_t high = number();
        uint8_t low = high;
        if (!text.empty() && text[0] == '-') {
            text.remove_prefix(1);
            low = number();
        }
        if (!text.empty()) text.remove_prefix(1);
        for (uint8_t bit = low;; bit = static_cast<uint8_t>(low <= high ? bit + 1 : bit - 1)) {
            all.at[all.count++] = {endpoint, channel, bit};
            if (bit == high) break;
        }
    }
    return all;
}

struct Bc6hMode {
    uint8_t number, subsets;
    bool isTransformed;    ///< endpoints but the first are differences to it
    uint8_t bits;          ///< of the first endpoint's channels
    uint8_t otherBits[3];  ///< of the others', by channel
    Places places;
};
// clang-format off
constexpr Bc6hMode kBc6hModes[] = {
    {0, 2, true, 10, {5, 5, 5},
     places("g2:4 b2:4 b3:4 r0:9-0 g0:9-0 b0:9-0 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 "
            "b3:1 b2:3-0 r2:4-0 b3:2 r3:4-0 b3:3")},
    {1, 2, true, 7, {6, 6, 6},
     places("g2:5 g3:4 g3:5 r0:6-0 b3:0 b3:1 b2:4 g0:6-0 b2:5 b3:2 g2:4 b0:6-0 b3:3 b3:5 b3:4 "
            "r1:5-0 g2:3-0 g1:5-0 g3:3-0 b1:5-0 b2:3-0 r2:5-0 r3:5-0")},
    {2, 2, true, 11, {5, 4, 4},
     places("r0:9-0 g0:9-0 b0:9-0 r1:4-0 r0:10 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:3-0 b0:10 b3:1 "
            "b2:3-0 r2:4-0 b3:2 r3:4-0 b3:3")},
    {6, 2, true, 11, {4, 5, 4},
     places("r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10 g3:4 g2:3-0 g1:4-0 g0:10 g3:3-0 b1:3-0 b0:10 b3:1 "
            "b2:3-0 r2:3-0 b3:0 b3:2 r3:3-0 g2:4 b3:3")},
    {10, 2, true, 11, {4, 4, 5},
     places("r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10 b2:4 g2:3-0 g1:3-0 g0:10 b3:0 g3:3-0 b1:4-0 b0:10 "
            "b2:3-0 r2:3-0 b3:1 b3:2 r3:3-0 b3:4 b3:3")},
    {14, 2, true, 9, {5, 5, 5},
     places("r0:8-0 b2:4 g0:8-0 g2:4 b0:8-0 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 g3:3-0 b1:4-0 "
            "b3:1 b2:3-0 r2:4-0 b3:2 r3:4-0 b3:3")},
    {18, 2, true, 8, {6, 5, 5},
     places("r0:7-0 g3:4 b2:4 g0:7-0 b3:2 g2:4 b0:7-0 b3:3 b3:4 r1:5-0 g2:3-0 g1:4-0 b3:0 g3:3-0 "
            "b1:4-0 b3:1 b2:3-0 r2:5-0 r3:5-0")},
    {22, 2, true, 8, {5, 6, 5},
     places("r0:7-0 b3:0 b2:4 g0:7-0 g2:5 g2:4 b0:7-0 g3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:5-0 g3:3-0 "
            "b1:4-0 b3:1 b2:3-0 r2:4-0 b3:2 r3:4-0 b3:3")},
    {26, 2, true, 8, {5, 5, 6},
     places("r0:7-0 b3:1 b2:4 g0:7-0 b2:5 g2:4 b0:7-0 b3:5 b3:4 r1:4-0 g3:4 g2:3-0 g1:4-0 b3:0 "
            "g3:3-0 b1:5-0 b2:3-0 r2:4-0 b3:2 r3:4-0 b3:3")},
    {30, 2, false, 6, {6, 6, 6},
     places("r0:5-0 g3:4 b3:0 b3:1 b2:4 g0:5-0 g2:5 b2:5 b3:2 g2:4 b0:5-0 g3:5 b3:3 b3:5 b3:4 "
            "r1:5-0 g2:3-0 g1:5-0 g3:3-0 b1:5-0 b2:3-0 r2:5-0 r3:5-0")},
    {3, 1, false, 10, {10, 10, 10},
     places("r0:9-0 g0:9-0 b0:9-0 r1:9-0 g1:9-0 b1:9-0")},
    {7, 1, true, 11, {9, 9, 9},
     places("r0:9-0 g0:9-0 b0:9-0 r1:8-0 r0:10 g1:8-0 g0:10 b1:8-0 b0:10")},
    {11, 1, true, 12, {8, 8, 8},
     places("r0:9-0 g0:9-0 b0:9-0 r1:7-0 r0:10-11 g1:7-0 g0:10-11 b1:7-0 b0:10-11")},
    {15, 1, true, 16, {4, 4, 4},
     places("r0:9-0 g0:9-0 b0:9-0 r1:3-0 r0:10-15 g1:3-0 g0:10-15 b1:3-0 b0:10-15")},
};
// clang-format on

int signExtended(int value, int bits) {
    return static_cast<int>(static_cast<uint32_t>(value) << (32 - bits)) >> (32 - bits);
}

/// An endpoint's channel to sixteen bits.
int unquantized(int value, int bits, bool isSigned) {
    if (!isSigned) {
        if (bits >= 15 || value == 0) return value;
        return value == (1 << bits) - 1 ? 0xFFFF : ((value << 15) + 0x4000) >> (bits - 1);
    }
    if (bits >= 16 || value == 0) return value;
    const int magnitude = std::abs(value);
    const int unsignedResult = magnitude >= (1 << (bits - 1)) - 1 ? 0x7FFF : ((magnitude << 15) + 0x4000) >> (bits - 1);
    return value < 0 ? -unsignedResult : unsignedResult;
}

/// The bits of the half that an interpolated number stands for.
uint16_t halfBits(int value, bool isSigned) {
    if (!isSigned) return static_cast<uint16_t>(value * 31 >> 6);
    return static_cast<uint16_t>(value < 0 ? (-value * 31 >> 5) | 0x8000 : value * 31 >> 5);
}

void decodeBc6h(const std::byte* block, bool isSigned, std::byte* elements) {
    constexpr uint16_t kOne = 0x3C00;
    uint16_t halves[16][4];
    for (auto& texel : halves) {
        std::fill_n(texel, 3, uint16_t{0});
        texel[3] = kOne;
    }
    Bits bits(block);
    int number = bits.take(2);
    if (number >= 2) number |= bits.take(3) << 2;
    const Bc6hMode* mode = std::ranges::find(kBc6hModes, number, &Bc6hMode::number);
    if (mode != std::end(kBc6hModes)) {
        int endpoints[4][3] = {};
        for (size_t i = 0; i < mode->places.count; ++i) {
            const Place& place = mode->places.at[i];
            endpoints[place.endpoint][place.channel] |= bits.take(1) << place.bit;
        }
        const Partition partition = {mode->subsets, mode->subsets == 2 ? bits.take(5) : 0};
        for (int e = 0; e < 2 * mode->subsets; ++e) {
            for (int c = 0; c < 3; ++c) {
                int& value = endpoints[e][c];
                if (e != 0 && mode->isTransformed)
                    value = (endpoints[0][c] + signExtended(value, mode->otherBits[c])) & ((1 << mode->bits) - 1);
                if (isSigned) value = signExtended(value, mode->bits);
            }
        }
        for (auto& endpoint : endpoints)
            for (int& value : endpoint) value = unquantized(value, mode->bits, isSigned);
        const int indexBits = mode->subsets == 2 ? 3 : 4;
        const Indices indices = takeIndices(bits, partition, indexBits);
        for (int texel = 0; texel < 16; ++texel) {
            const int first = 2 * partition.subset(texel);
            for (int c = 0; c < 3; ++c)
                halves[texel][c] = halfBits(interpolate(endpoints[first][c], endpoints[first + 1][c],
                                                        indices[static_cast<size_t>(texel)], indexBits),
                                            isSigned);
        }
    }
    std::memcpy(elements, halves, sizeof halves);
}

}  // namespace

void decodeBptc(const BlockFormat&, const std::byte* block, std::byte* elements) {
    uint8_t texels[16][4] = {};
    const int number = std::countr_zero(static_cast<uint8_t>(block[0]));
    if (number < 8) {  // else it is none: black without alpha
        const Bc7Mode& mode = kBc7Modes[number];
        Bits bits(block);
        bits.take(number + 1);
        const Partition partition = {mode.subsets, bits.take(mode.partitionBits)};
        const int rotation = bits.take(mode.rotationBits);
        const bool isSwapped = bits.take(mode.selectionBits) != 0;
        const int endpointCount = 2 * mode.subsets;
        int endpoints[6][4];
        for (int c = 0; c < 4; ++c)
            for (int e = 0; e < endpointCount; ++e)
                endpoints[e][c] = bits.take(c < 3 ? mode.colorBits : mode.alphaBits);
        int lowBits[6] = {};
        for (int i = 0; i < mode.lowBits; ++i) lowBits[i] = bits.take(1);
        for (int e = 0; e < endpointCount; ++e) {
            for (int c = 0; c < 4; ++c) {
                int count = c < 3 ? mode.colorBits : mode.alphaBits;
                int& value = endpoints[e][c];
                if (count == 0) {
                    value = 255;
                    continue;
                }
                if (mode.lowBits != 0) {
                    value = value << 1 | lowBits[mode.lowBits == endpointCount ? e : e / 2];
                    ++count;
                }
                value <<= 8 - count;
                value |= value >> count;
            }
        }
        const Indices first = takeIndices(bits, partition, mode.indexBits);
        const Indices second = takeIndices(bits, partition, mode.secondIndexBits);
        const bool hasSecond = mode.secondIndexBits != 0;
        for (size_t texel = 0; texel < 16; ++texel) {
            const int subset = partition.subset(static_cast<int>(texel));
            const auto channel = [&](int c, bool fromSecond) {
                return static_cast<uint8_t>(interpolate(endpoints[2 * subset][c], endpoints[2 * subset + 1][c],
                                                        fromSecond ? second[texel] : first[texel],
                                                        fromSecond ? mode.secondIndexBits : mode.indexBits));
            };
            for (int c = 0; c < 3; ++c) texels[texel][c] = channel(c, isSwapped);
            texels[texel][3] = channel(3, hasSecond && !isSwapped);
            if (rotation != 0) std::swap(texels[texel][rotation - 1], texels[texel][3]);
        }
    }
    std::memcpy(elements, texels, sizeof texels);
}

void decodeBptcFloat(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeBc6h(block, false, elements);
}
void decodeSignedBptcFloat(const BlockFormat&, const std::byte* block, std::byte* elements) {
    decodeBc6h(block, true, elements);
}

}  // namespace tessera::texture
