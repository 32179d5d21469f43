// BC6H and BC7 for the tests to compare with, texel by texel: where each bit of a BC6H block belongs is the
// specification's tables of single bits, where a texel's index is, its formula.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "texture/testing/codec_reference.h"

namespace tessera::texture::reference {

namespace {

// Subsets of the sixteen texels, row by row.
constexpr const char* kTwo[64] = {
    "0011001100110011", "0001000100010001", "0111011101110111", "0001001100110111", "0000000100010011",
    "0011011101111111", "0001001101111111", "0000000100110111", "0000000000010011", "0011011111111111",
    "0000000101111111", "0000000000010111", "0001011111111111", "0000000011111111", "0000111111111111",
    "0000000000001111", "0000100011101111", "0111000100000000", "0000000010001110", "0111001100010000",
    "0011000100000000", "0000100011001110", "0000000010001100", "0111001100110001", "0011000100010000",
    "0000100010001100", "0110011001100110", "0011011001101100", "0001011111101000", "0000111111110000",
    "0111000110001110", "0011100110011100", "0101010101010101", "0000111100001111", "0101101001011010",
    "0011001111001100", "0011110000111100", "0101010110101010", "0110100101101001", "0101101010100101",
    "0111001111001110", "0001001111001000", "0011001001001100", "0011101111011100", "0110100110010110",
    "0011110011000011", "0110011010011001", "0000011001100000", "0100111001000000", "0010011100100000",
    "0000001001110010", "0000010011100100", "0110110010010011", "0011011011001001", "0110001110011100",
    "0011100111000110", "0110110011001001", "0110001100111001", "0111111010000001", "0001100011100111",
    "0000111100110011", "0011001111110000", "0010001011101110", "0100010001110111",
};
constexpr const char* kThree[64] = {
    "0011001102212222", "0001001122112221", "0000200122112211", "0222002200110111", "0000000011221122",
    "0011001100220022", "0022002211111111", "0011001122112211", "0000000011112222", "0000111111112222",
    "0000111122222222", "0012001200120012", "0112011201120112", "0122012201220122", "0011011211221222",
    "0011200122002220", "0001001101121122", "0111001120012200", "0000112211221122", "0022002200221111",
    "0111011102220222", "0001000122212221", "0000001101220122", "0000110022102210", "0122012200110000",
    "0012001211222222", "0110122112210110", "0000011012211221", "0022110211020022", "0110011020022222",
    "0011012201220011", "0000200022112221", "0000000211221222", "0222002200120011", "0011001200220222",
    "0120012001200120", "0000111122220000", "0120120120120120", "0120201212010120", "0011220011220011",
    "0011112222000011", "0101010122222222", "0000000021212121", "0022112200221122", "0022001100220011",
    "0220122102201221", "0101222222220101", "0000212121212121", "0101010101012222", "0222011102220111",
    "0002111200021112", "0000211221122112", "0222011101110222", "0002111211120002", "0110011001102222",
    "0000000021122112", "0110011022222222", "0022001100110022", "0022112211220022", "0000000000002112",
    "0002000100020001", "0222122202221222", "0101222222222222", "0111201122012220",
};
constexpr int kAnchorTwo[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 2,  8, 2,  2, 8,
    8,  15, 2,  8,  2,  2,  8,  8,  2,  2,  15, 15, 6,  8,  2,  8,  15, 15, 2, 8,  2, 2,
    2,  15, 15, 6,  6,  2,  6,  8,  15, 15, 2,  2,  15, 15, 15, 15, 15, 2,  2, 15,
};
constexpr int kAnchorThree2[64] = {
    3, 3,  15, 15, 8, 3,  15, 15, 8,  8, 6,  6, 6,  5,  3,  3,  3, 3,  8, 15, 3, 3, 6, 10, 5, 8,  8, 6,  8,  5,  15, 15,
    8, 15, 3,  5,  6, 10, 8,  15, 15, 3, 15, 5, 15, 15, 15, 15, 3, 15, 5, 5,  5, 8, 5, 10, 5, 10, 8, 13, 15, 12, 3,  3,
};
constexpr int kAnchorThree3[64] = {
    15, 8, 8, 3,  15, 15, 3,  8,  15, 15, 15, 15, 15, 15, 15, 8,  15, 8,  15, 3,  15, 8,
    15, 8, 3, 15, 6,  10, 15, 15, 10, 8,  15, 3,  15, 10, 10, 8,  9,  10, 6,  15, 8,  15,
    3,  6, 6, 8,  15, 3,  15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3,  15, 15, 8,
};
constexpr int kWeights[5][16] = {{},
                                 {},
                                 {0, 21, 43, 64},
                                 {0, 9, 18, 27, 37, 46, 55, 64},
                                 {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};

int bit(const unsigned char* block, int at) { return block[at / 8] >> (at % 8) & 1; }
int number(const unsigned char* block, int at, int count) {
    int value = 0;
    for (int i = 0; i < count; ++i) value |= bit(block, at + i) << i;
    return value;
}

int subset(int subsets, int partition, int texel) {
    if (subsets == 1) return 0;
    return (subsets == 2 ? kTwo : kThree)[partition][texel] - '0';
}

/// The index of a texel, of `bits` bits, in indices that begin at bit `first` (the formula of "index offset").
int index(const unsigned char* block, int first, int bits, int subsets, int partition, int texel) {
    if (texel == 0) return number(block, first, bits - 1);
    int before = 1;  // anchors
    bool isAnchor = false;
    const auto anchor = [&](int at) {
        before += texel > at;
        isAnchor |= texel == at;
    };
    if (subsets == 2) anchor(kAnchorTwo[partition]);
    if (subsets == 3) {
        anchor(kAnchorThree2[partition]);
        anchor(kAnchorThree3[partition]);
    }
    return number(block, first + bits * texel - before, bits - isAnchor);
}

int between(int a, int b, int weight) { return ((64 - weight) * a + weight * b + 32) >> 6; }

// What each bit of a block is, by mode: channel (p: the partition), endpoint, bit (hexadecimal).
struct Mode {
    int number;
    bool isTransformed;
    int bits, delta[3];
    const char* places;
};
// clang-format off
constexpr Mode kModes[] = {
    {0, true, 10, {5, 5, 5},
     "------g24b24b34r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r14g34g20g21g22g23g10g11g12g13g14b30g30g31g32g33b10b11b12b13b14b31b20b21b22b23r20r21r22"
     "r23r24b32r30r31r32r33r34b33p00p01p02p03p04"},
    {1, true, 7, {6, 6, 6},
     "------g25g34g35r00r01r02r03r04r05r06b30b31b24g00g01g02g03g04g05g06b25b32g24b00b01b02b03b04b05b06b33b35"
     "b34r10r11r12r13r14r15g20g21g22g23g10g11g12g13g14g15g30g31g32g33b10b11b12b13b14b15b20b21b22b23r20r21r22"
     "r23r24r25r30r31r32r33r34r35p00p01p02p03p04"},
    {2, true, 11, {5, 4, 4},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r14r0ag20g21g22g23g10g11g12g13g0ab30g30g31g32g33b10b11b12b13b0ab31b20b21b22b23r20r21r22"
     "r23r24b32r30r31r32r33r34b33p00p01p02p03p04"},
    {6, true, 11, {4, 5, 4},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r0ag34g20g21g22g23g10g11g12g13g14g0ag30g31g32g33b10b11b12b13b0ab31b20b21b22b23r20r21r22"
     "r23b30b32r30r31r32r33g24b33p00p01p02p03p04"},
    {10, true, 11, {4, 4, 5},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r0ab24g20g21g22g23g10g11g12g13g0ab30g30g31g32g33b10b11b12b13b14b0ab20b21b22b23r20r21r22"
     "r23b31b32r30r31r32r33b34b33p00p01p02p03p04"},
    {14, true, 9, {5, 5, 5},
     "---------------r00r01r02r03r04r05r06r07r08b24g00g01g02g03g04g05g06g07g08g24b00b01b02b03b04b05b06b07b08"
     "b34r10r11r12r13r14g34g20g21g22g23g10g11g12g13g14b30g30g31g32g33b10b11b12b13b14b31b20b21b22b23r20r21r22"
     "r23r24b32r30r31r32r33r34b33p00p01p02p03p04"},
    {18, true, 8, {6, 5, 5},
     "---------------r00r01r02r03r04r05r06r07g34b24g00g01g02g03g04g05g06g07b32g24b00b01b02b03b04b05b06b07b33"
     "b34r10r11r12r13r14r15g20g21g22g23g10g11g12g13g14b30g30g31g32g33b10b11b12b13b14b31b20b21b22b23r20r21r22"
     "r23r24r25r30r31r32r33r34r35p00p01p02p03p04"},
    {22, true, 8, {5, 6, 5},
     "---------------r00r01r02r03r04r05r06r07b30b24g00g01g02g03g04g05g06g07g25g24b00b01b02b03b04b05b06b07g35"
     "b34r10r11r12r13r14g34g20g21g22g23g10g11g12g13g14g15g30g31g32g33b10b11b12b13b14b31b20b21b22b23r20r21r22"
     "r23r24b32r30r31r32r33r34b33p00p01p02p03p04"},
    {26, true, 8, {5, 5, 6},
     "---------------r00r01r02r03r04r05r06r07b31b24g00g01g02g03g04g05g06g07b25g24b00b01b02b03b04b05b06b07b35"
     "b34r10r11r12r13r14g34g20g21g22g23g10g11g12g13g14b30g30g31g32g33b10b11b12b13b14b15b20b21b22b23r20r21r22"
     "r23r24b32r30r31r32r33r34b33p00p01p02p03p04"},
    {30, false, 6, {6, 6, 6},
     "---------------r00r01r02r03r04r05g34b30b31b24g00g01g02g03g04g05g25b25b32g24b00b01b02b03b04b05g35b33b35"
     "b34r10r11r12r13r14r15g20g21g22g23g10g11g12g13g14g15g30g31g32g33b10b11b12b13b14b15b20b21b22b23r20r21r22"
     "r23r24r25r30r31r32r33r34r35p00p01p02p03p04"},
    {3, false, 10, {10, 10, 10},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r14r15r16r17r18r19g10g11g12g13g14g15g16g17g18g19b10b11b12b13b14b15b16b17b18b19---------"
     "------------------------------------------"},
    {7, true, 11, {9, 9, 9},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r14r15r16r17r18r0ag10g11g12g13g14g15g16g17g18g0ab10b11b12b13b14b15b16b17b18b0a---------"
     "------------------------------------------"},
    {11, true, 12, {8, 8, 8},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r14r15r16r17r0br0ag10g11g12g13g14g15g16g17g0bg0ab10b11b12b13b14b15b16b17b0bb0a---------"
     "------------------------------------------"},
    {15, true, 16, {4, 4, 4},
     "---------------r00r01r02r03r04r05r06r07r08r09g00g01g02g03g04g05g06g07g08g09b00b01b02b03b04b05b06b07b08"
     "b09r10r11r12r13r0fr0er0dr0cr0br0ag10g11g12g13g0fg0eg0dg0cg0bg0ab10b11b12b13b0fb0eb0db0cb0bb0a---------"
     "------------------------------------------"},
};
// clang-format on

}  // namespace

Texel decodeBptcTexel(const unsigned char* block, int x, int y) {
    const int texel = 4 * y + x;
    int mode = 0;
    while (mode < 8 && bit(block, mode) == 0) ++mode;
    if (mode == 8) return {0, 0, 0, 0};
    //                          0  1  2  3  4  5  6  7
    constexpr int kSubsets[] = {3, 2, 3, 2, 1, 1, 1, 2}, kPartition[] = {4, 6, 6, 6, 0, 0, 0, 6},
                  kColor[] = {4, 6, 5, 7, 5, 7, 7, 5}, kAlpha[] = {0, 0, 0, 0, 6, 8, 7, 5},
                  kIndex[] = {3, 3, 2, 2, 2, 2, 4, 2}, kIndex2[] = {0, 0, 0, 0, 3, 2, 0, 0};
    const bool hasRotation = mode == 4 || mode == 5, hasSelection = mode == 4;
    const bool hasOwnLow = mode == 0 || mode == 3 || mode == 6 || mode == 7, hasSharedLow = mode == 1;
    const int subsets = kSubsets[mode], ends = 2 * subsets;
    int at = mode + 1;
    const int partition = number(block, at, kPartition[mode]);
    at += kPartition[mode];
    const int rotation = hasRotation ? number(block, at, 2) : 0;
    at += 2 * hasRotation;
    const bool isSelected = hasSelection && bit(block, at) != 0;
    at += hasSelection;
    const int alphaAt = at + 3 * ends * kColor[mode], lowAt = alphaAt + ends * kAlpha[mode];
    const int indexAt = lowAt + (hasOwnLow ? ends : hasSharedLow ? subsets : 0);
    const int index2At = indexAt + 16 * kIndex[mode] - subsets;
    const int first = 2 * subset(subsets, partition, texel);
    const auto endpoint = [&](int c, int e) {
        const int bits = c < 3 ? kColor[mode] : kAlpha[mode];
        if (bits == 0) return 255;
        std::string text;  // from the highest bit on
        const int begin = c < 3 ? at + (c * ends + e) * bits : alphaAt + e * bits;
        for (int i = bits - 1; i >= 0; --i) text += static_cast<char>('0' + bit(block, begin + i));
        if (hasOwnLow) text += static_cast<char>('0' + bit(block, lowAt + e));
        if (hasSharedLow) text += static_cast<char>('0' + bit(block, lowAt + e / 2));
        return std::stoi((text + text).substr(0, 8), nullptr, 2);
    };
    const int one = index(block, indexAt, kIndex[mode], subsets, partition, texel);
    const int two = kIndex2[mode] == 0 ? 0 : index(block, index2At, kIndex2[mode], subsets, partition, texel);
    Texel result{};
    for (int c = 0; c < 4; ++c) {
        const bool isSecond = c < 3 ? isSelected : kIndex2[mode] != 0 && !isSelected;
        const int weight = isSecond ? kWeights[kIndex2[mode]][two] : kWeights[kIndex[mode]][one];
        result[static_cast<size_t>(c)] = between(endpoint(c, first), endpoint(c, first + 1), weight) / 255.0;
    }
    if (rotation != 0) std::swap(result[static_cast<size_t>(rotation - 1)], result[3]);
    return result;
}

Texel decodeBptcFloatTexel(const unsigned char* block, int x, int y, bool isSigned) {
    const int texel = 4 * y + x;
    const int low = number(block, 0, 2), wanted = low < 2 ? low : number(block, 0, 5);
    const Mode* mode =
        std::find_if(std::begin(kModes), std::end(kModes), [&](const Mode& m) { return m.number == wanted; });
    if (mode == std::end(kModes)) return {0, 0, 0, 1};
    int values[4][3] = {}, partition = 0;
    const int subsets = mode->places[3 * 77] == 'p' ? 2 : 1;
    for (int i = 0; i < 82; ++i) {
        const char* place = mode->places + 3 * i;
        const int which = place[2] <= '9' ? place[2] - '0' : place[2] - 'a' + 10;
        if (place[0] == '-') continue;
        if (place[0] == 'p')
            partition |= bit(block, i) << which;
        else
            values[place[1] - '0'][place[0] == 'r' ? 0 : place[0] == 'g' ? 1 : 2] |= bit(block, i) << which;
    }
    const int indexBits = subsets == 2 ? 3 : 4;
    const int weight = kWeights[indexBits][index(block, subsets == 2 ? 82 : 65, indexBits, subsets, partition, texel)];
    const int first = 2 * subset(subsets, partition, texel);
    const auto extended = [](int value, int bits) { return value >= 1 << (bits - 1) ? value - (1 << bits) : value; };
    Texel result{0, 0, 0, 1};
    for (int c = 0; c < 3; ++c) {
        const auto endpoint = [&](int e) {
            const int size = 1 << mode->bits;
            int value = values[e][c];
            if (mode->isTransformed && e != 0)
                value = ((values[0][c] + extended(value, mode->delta[c])) % size + size) % size;
            if (!isSigned) {
                if (mode->bits >= 15 || value == 0) return value;
                return value == size - 1 ? 0xFFFF : (value * 32768 + 16384) / (size / 2);
            }
            value = extended(value, mode->bits);
            if (mode->bits >= 16 || value == 0) return value;
            const int magnitude = std::abs(value);
            const int whole = magnitude >= size / 2 - 1 ? 0x7FFF : (magnitude * 32768 + 16384) / (size / 2);
            return value < 0 ? -whole : whole;
        };
        const int mixed = between(endpoint(first), endpoint(first + 1), weight);
        const int pattern = std::abs(mixed) * 31 / (isSigned ? 32 : 64);  // a half's, without its sign
        const int exponent = pattern >> 10, mantissa = pattern & 1023;
        const double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
        result[static_cast<size_t>(c)] = mixed < 0 ? -value : value;
    }
    return result;
}

}  // namespace tessera::texture::reference
