#include "texture/testing/codec_reference.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace tessera::texture::reference {

namespace {

// --- S3TC and RGTC: fractions in double ---

unsigned bitsOf(const unsigned char* bytes, int first, int count) {
    unsigned value = 0;
    for (int i = 0; i < count; ++i) value |= ((bytes[(first + i) / 8] >> ((first + i) % 8)) & 1u) << i;
    return value;
}

struct Rgb {
    double r, g, b;
};
Rgb rgb565(const unsigned char* two) {
    const unsigned c = two[0] + 256u * two[1];
    return {(c / 2048) / 31.0, (c / 32 % 64) / 63.0, (c % 32) / 31.0};
}

Texel s3tcColor(const unsigned char* block, int x, int y, bool alwaysFour, bool transparentBlack) {
    const unsigned color0 = block[0] + 256u * block[1], color1 = block[2] + 256u * block[3];
    const Rgb a = rgb565(block), b = rgb565(block + 2);
    const unsigned code = bitsOf(block + 4, 2 * (4 * y + x), 2);
    double wa = 0, wb = 0, alpha = 1;
    if (code == 0) wa = 1;
    if (code == 1) wb = 1;
    if (color0 > color1 || alwaysFour) {
        if (code == 2) wa = 2, wb = 1;
        if (code == 3) wa = 1, wb = 2;
    } else {
        if (code == 2) wa = wb = 1;
        if (code == 3 && transparentBlack) alpha = 0;
    }
    const double sum = std::max(wa + wb, 1.0);
    return {(wa * a.r + wb * b.r) / sum, (wa * a.g + wb * b.g) / sum, (wa * a.b + wb * b.b) / sum, alpha};
}

double channel(const unsigned char* block, int x, int y, bool isSigned) {
    double red0 = block[0], red1 = block[1], lowest = 0;
    const unsigned code = bitsOf(block + 2, 3 * (4 * y + x), 3);
    if (isSigned) {
        red0 = static_cast<signed char>(block[0]), red1 = static_cast<signed char>(block[1]);
        lowest = -1;
    }
    const bool isSeven = red0 > red1;
    auto unit = [&](double v) { return isSigned ? std::max(v / 127, -1.0) : v / 255; };
    if (code == 0) return unit(red0);
    if (code == 1) return unit(red1);
    if (isSeven) return ((8 - code) * unit(red0) + (code - 1) * unit(red1)) / 7;
    if (code == 6) return lowest;
    if (code == 7) return 1;
    return ((6 - code) * unit(red0) + (code - 1) * unit(red1)) / 5;
}

// --- ETC: the block as a text of bits, most significant first ---

class BitText {
public:
    explicit BitText(const unsigned char* bytes) {
        for (int i = 0; i < 64; ++i) text_ += ((bytes[i / 8] >> (7 - i % 8)) & 1) != 0 ? '1' : '0';
    }
    /// The number that the bits numbered high .. low spell.
    [[nodiscard]] int number(int high, int low) const {
        return static_cast<int>(
            std::stoul(text_.substr(static_cast<size_t>(63 - high), static_cast<size_t>(high - low + 1)), nullptr, 2));
    }
    /// Several fields behind each other.
    [[nodiscard]] int joined(std::initializer_list<std::pair<int, int>> fields) const {
        int value = 0;
        for (auto [high, low] : fields) value = value * (1 << (high - low + 1)) + number(high, low);
        return value;
    }

private:
    std::string text_;
};

/// `bits` bits extended to eight by repeating them from the top.
int extend(int value, int bits) {
    std::string text;
    for (int i = bits - 1; i >= 0; --i) text += (value >> i & 1) != 0 ? '1' : '0';
    return static_cast<int>(std::stoul((text + text).substr(0, 8), nullptr, 2));
}

constexpr int kIntensity[8][4] = {{-8, -2, 2, 8},     {-17, -5, 5, 17},   {-29, -9, 9, 29},     {-42, -13, 13, 42},
                                  {-60, -18, 18, 60}, {-80, -24, 24, 80}, {-106, -33, 33, 106}, {-183, -47, 47, 183}};
constexpr int kDistance[8] = {3, 6, 11, 16, 23, 32, 41, 64};
constexpr int kEac[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

using Color = std::array<int, 3>;
Texel texelOf(Color c, int offset, bool isTransparent) {
    if (isTransparent) return {0, 0, 0, 0};
    Texel t{0, 0, 0, 1};
    for (size_t i = 0; i < 3; ++i) t[i] = std::clamp(c[i] + offset, 0, 255) / 255.0;
    return t;
}

int signed3(int value) { return value >= 4 ? value - 8 : value; }

Texel etcColor(const unsigned char* bytes, int x, int y, bool hasPunchThrough) {
    const BitText b(bytes);
    const int number = 4 * x + y;
    const int msb = b.number(16 + number, 16 + number), lsb = b.number(number, number), index = 2 * msb + lsb;
    const bool bit33 = b.number(33, 33) == 1, flip = b.number(32, 32) == 1;
    const bool isOpaque = !hasPunchThrough || bit33, isTransparent = !isOpaque && msb == 1 && lsb == 0;
    const bool isSecond = flip ? y >= 2 : x >= 2;
    Color base{};
    if (!hasPunchThrough && !bit33) {
        for (int i = 0; i < 3; ++i) {
            const int high = 63 - 8 * i - (isSecond ? 4 : 0);
            base[static_cast<size_t>(i)] = extend(b.number(high, high - 3), 4);
        }
    } else {
        Color five{}, sum{};
        for (int i = 0; i < 3; ++i) {
            five[static_cast<size_t>(i)] = b.number(63 - 8 * i, 59 - 8 * i);
            sum[static_cast<size_t>(i)] = five[static_cast<size_t>(i)] + signed3(b.number(58 - 8 * i, 56 - 8 * i));
        }
        auto overflows = [&](size_t i) { return sum[i] < 0 || sum[i] > 31; };
        if (overflows(0)) {
            const Color one{extend(b.joined({{60, 59}, {57, 56}}), 4), extend(b.number(55, 52), 4),
                            extend(b.number(51, 48), 4)};
            const Color two{extend(b.number(47, 44), 4), extend(b.number(43, 40), 4), extend(b.number(39, 36), 4)};
            const int d = kDistance[b.joined({{35, 34}, {32, 32}})];
            if (index == 0) return texelOf(one, 0, false);
            return texelOf(two, index == 1 ? d : index == 2 ? 0 : -d, isTransparent);
        }
        if (overflows(1)) {
            const Color one{extend(b.number(62, 59), 4), extend(b.joined({{58, 56}, {52, 52}}), 4),
                            extend(b.joined({{51, 51}, {49, 47}}), 4)};
            const Color two{extend(b.number(46, 43), 4), extend(b.number(42, 39), 4), extend(b.number(38, 35), 4)};
            const int low = one >= two ? 1 : 0;  // lexicographic, as of (R << 16) + (G << 8) + B
            const int d = kDistance[b.joined({{34, 34}, {32, 32}}) * 2 + low];
            return texelOf(index < 2 ? one : two, lsb == 0 ? d : -d, isTransparent);
        }
        if (overflows(2)) {
            const Color o{extend(b.number(62, 57), 6), extend(b.joined({{56, 56}, {54, 49}}), 7),
                          extend(b.joined({{48, 48}, {44, 43}, {41, 39}}), 6)};
            const Color h{extend(b.joined({{38, 34}, {32, 32}}), 6), extend(b.number(31, 25), 7),
                          extend(b.number(24, 19), 6)};
            const Color v{extend(b.number(18, 13), 6), extend(b.number(12, 6), 7), extend(b.number(5, 0), 6)};
            Texel t{0, 0, 0, 1};
            for (size_t i = 0; i < 3; ++i) {
                const double value = x * (h[i] - o[i]) / 4.0 + y * (v[i] - o[i]) / 4.0 + o[i];
                t[i] = std::clamp(std::floor(value + 0.5), 0.0, 255.0) / 255;
            }
            return t;
        }
        for (size_t i = 0; i < 3; ++i) base[i] = extend(isSecond ? sum[i] : five[i], 5);
    }
    const int* table = kIntensity[isSecond ? b.number(36, 34) : b.number(39, 37)];
    const int row = msb == 1 ? (lsb == 1 ? 0 : 1) : (lsb == 0 ? 2 : 3);
    const bool isSmall = row == 1 || row == 2;
    return texelOf(base, isSmall && !isOpaque ? 0 : table[row], isTransparent);
}

int eacModifier(const BitText& b, int x, int y) {
    const int high = 47 - 3 * (4 * x + y);
    return kEac[b.number(51, 48)][b.number(high, high - 2)];
}

double eacAlpha(const unsigned char* bytes, int x, int y) {
    const BitText b(bytes);
    return std::clamp(b.number(63, 56) + eacModifier(b, x, y) * b.number(55, 52), 0, 255) / 255.0;
}

double eacEleven(const unsigned char* bytes, int x, int y, bool isSigned) {
    const BitText b(bytes);
    const int multiplier = b.number(55, 52);
    const int step = multiplier > 0 ? eacModifier(b, x, y) * multiplier * 8 : eacModifier(b, x, y);
    if (!isSigned) return std::clamp(b.number(63, 56) * 8 + 4 + step, 0, 2047) / 2047.0;
    int base = b.number(63, 56);
    if (base >= 128) base -= 256;
    if (base == -128) base = -127;
    return std::clamp(base * 8 + step, -1023, 1023) / 1023.0;
}

}  // namespace

Texel decodeTexel(const BlockFormat& format, const unsigned char* block, int x, int y) {
    const unsigned char* second = block + 8;
    Texel t{0, 0, 0, 1};
    switch (format.internalformat) {
        case 0x83F0:
        case 0x8C4C:
            return s3tcColor(block, x, y, false, false);
        case 0x83F1:
        case 0x8C4D:
            return s3tcColor(block, x, y, false, true);
        case 0x83F2:
        case 0x8C4E:
            t = s3tcColor(second, x, y, true, false);
            t[3] = bitsOf(block, 4 * (4 * y + x), 4) / 15.0;
            return t;
        case 0x83F3:
        case 0x8C4F:
            t = s3tcColor(second, x, y, true, false);
            t[3] = channel(block, x, y, false);
            return t;
        case 0x8DBB:
        case 0x8DBC:
            return {channel(block, x, y, format.internalformat == 0x8DBC), 0, 0, 1};
        case 0x8DBD:
        case 0x8DBE:
            return {channel(block, x, y, format.internalformat == 0x8DBE),
                    channel(second, x, y, format.internalformat == 0x8DBE), 0, 1};
        case 0x8E8C:
        case 0x8E8D:
            return decodeBptcTexel(block, x, y);
        case 0x8E8E:
        case 0x8E8F:
            return decodeBptcFloatTexel(block, x, y, format.internalformat == 0x8E8E);
        case 0x8D64:
        case 0x9274:
        case 0x9275:
            return etcColor(block, x, y, false);
        case 0x9270:
        case 0x9271:
            return {eacEleven(block, x, y, format.internalformat == 0x9271), 0, 0, 1};
        case 0x9272:
        case 0x9273:
            return {eacEleven(block, x, y, format.internalformat == 0x9273),
                    eacEleven(second, x, y, format.internalformat == 0x9273), 0, 1};
        case 0x9276:
        case 0x9277:
            return etcColor(block, x, y, true);
        case 0x9278:
        case 0x9279:
            t = etcColor(second, x, y, false);
            t[3] = eacAlpha(block, x, y);
            return t;
        default: {
            bool isLegal = false;
            return decodeAstcTexel(format, block, x, y, &isLegal);
        }
    }
}

}  // namespace tessera::texture::reference
