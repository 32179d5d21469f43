// ASTC as the specification's text tells it, for one texel: the block mode by matching rows of its table, ranges by
// trying all of them, sequences bit by bit into lists.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "texture/testing/codec_reference.h"

namespace tessera::texture::reference {

namespace {

using Bits = std::vector<int>;  // bit 0 first

int number(const Bits& bits, int first, int count) {
    int value = 0;
    for (int i = count - 1; i >= 0; --i) {
        const int at = first + i;
        value = value * 2 + (at < static_cast<int>(bits.size()) ? bits[static_cast<size_t>(at)] : 0);
    }
    return value;
}

struct Range {
    int values, trits, quints, bits;
};
const Range kRanges[] = {{2, 0, 0, 1},   {3, 1, 0, 0},   {4, 0, 0, 2},  {5, 0, 1, 0},  {6, 1, 0, 1},  {8, 0, 0, 3},
                         {10, 0, 1, 1},  {12, 1, 0, 2},  {16, 0, 0, 4}, {20, 0, 1, 2}, {24, 1, 0, 3}, {32, 0, 0, 5},
                         {40, 0, 1, 3},  {48, 1, 0, 4},  {64, 0, 0, 6}, {80, 0, 1, 4}, {96, 1, 0, 5}, {128, 0, 0, 7},
                         {160, 0, 1, 5}, {192, 1, 0, 6}, {256, 0, 0, 8}};
Range rangeOf(int values) {
    return *std::find_if(std::begin(kRanges), std::end(kRanges), [=](const Range& r) { return r.values == values; });
}

int lengthOf(const Range& r, int count) {
    return static_cast<int>(std::ceil(count * 8 * r.trits / 5.0) + std::ceil(count * 7 * r.quints / 3.0)) +
           count * r.bits;
}

/// Rows of the block mode table from bit 10 to bit 0: D and P, w and h of the size, r, q, p bits 2, 1, 0 of the range.
struct ModeRow {
    const char* pattern;
    int width, height;  ///< added to w and h
};
const ModeRow kModeRows[] = {
    {"DPwwhhp00rq", 4, 2},  {"DPwwhhp01rq", 8, 2},  {"DPhhwwp10rq", 2, 8},  {"DP0hwwp11rq", 2, 6},
    {"DP1whhp11rq", 2, 2},  {"DP00hhprq00", 12, 2}, {"DP01wwprq00", 2, 12}, {"DP1100prq00", 6, 10},
    {"DP1101prq00", 10, 6}, {"hh10wwprq00", 6, 6},
};
struct Mode {
    int width, height, range, isDual;
};
std::optional<Mode> modeOf(int bits) {
    for (const ModeRow& row : kModeRows) {
        int field[128] = {};
        bool matches = true;
        for (int i = 0; i < 11; ++i) {
            const char letter = row.pattern[i];
            const int bit = bits >> (10 - i) & 1;
            if (letter == '0' || letter == '1') {
                matches = matches && bit == letter - '0';
            } else {
                field[static_cast<int>(letter)] = field[static_cast<int>(letter)] * 2 + bit;
            }
        }
        const int rho = field['r'] * 4 + field['q'] * 2 + field['p'];
        if (!matches || rho < 2) continue;
        constexpr int kLow[] = {2, 3, 4, 5, 6, 8}, kHigh[] = {10, 12, 16, 20, 24, 32};
        return Mode{field['w'] + row.width, field['h'] + row.height, field['P'] != 0 ? kHigh[rho - 2] : kLow[rho - 2],
                    field['D']};
    }
    return std::nullopt;
}

struct Value {
    int top, low;  ///< trit or quint, and the bits
};

std::vector<Value> sequence(const Bits& bits, const Range& r, int count) {
    std::vector<Value> values;
    int at = 0;
    auto take = [&](int n) {
        const int value = number(bits, at, n);
        at += n;
        return value;
    };
    while (static_cast<int>(values.size()) < count) {
        if (r.trits != 0) {
            const int m0 = take(r.bits);
            int t = take(2);
            const int m1 = take(r.bits);
            t += take(2) * 4;
            const int m2 = take(r.bits);
            t += take(1) * 16;
            const int m3 = take(r.bits);
            t += take(2) * 32;
            const int m4 = take(r.bits);
            t += take(1) * 128;
            auto bit = [&](int i) { return t >> i & 1; };
            int c[5], t0, t1, t2, t3, t4;
            if (bit(4) && bit(3) && bit(2)) {
                c[4] = bit(7), c[3] = bit(6), c[2] = bit(5), c[1] = bit(1), c[0] = bit(0);
                t4 = t3 = 2;
            } else {
                for (int i = 0; i < 5; ++i) c[i] = bit(i);
                if (bit(6) && bit(5)) {
                    t4 = 2, t3 = bit(7);
                } else {
                    t4 = bit(7), t3 = bit(6) * 2 + bit(5);
                }
            }
            if (c[1] && c[0]) {
                t2 = 2, t1 = c[4], t0 = c[3] * 2 + (c[2] && !c[3]);
            } else if (c[3] && c[2]) {
                t2 = 2, t1 = 2, t0 = c[1] * 2 + c[0];
            } else {
                t2 = c[4], t1 = c[3] * 2 + c[2], t0 = c[1] * 2 + (c[0] && !c[1]);
            }
            for (Value v : {Value{t0, m0}, Value{t1, m1}, Value{t2, m2}, Value{t3, m3}, Value{t4, m4}})
                values.push_back(v);
        } else if (r.quints != 0) {
            const int m0 = take(r.bits);
            int q = take(3);
            const int m1 = take(r.bits);
            q += take(2) * 8;
            const int m2 = take(r.bits);
            q += take(2) * 32;
            auto bit = [&](int i) { return q >> i & 1; };
            int q0, q1, q2;
            if (bit(2) && bit(1) && !bit(6) && !bit(5)) {
                q2 = bit(0) * 4 + (bit(4) && !bit(0)) * 2 + (bit(3) && !bit(0));
                q1 = q0 = 4;
            } else {
                int c;
                if (bit(2) && bit(1)) {
                    q2 = 4;
                    c = bit(4) * 16 + bit(3) * 8 + !bit(6) * 4 + !bit(5) * 2 + bit(0);
                } else {
                    q2 = bit(6) * 2 + bit(5);
                    c = q % 32;
                }
                q1 = c % 8 == 5 ? 4 : c / 8;
                q0 = c % 8 == 5 ? c / 8 : c % 8;
            }
            for (Value v : {Value{q0, m0}, Value{q1, m1}, Value{q2, m2}}) values.push_back(v);
        } else {
            values.push_back({0, take(r.bits)});
        }
    }
    values.resize(static_cast<size_t>(count));
    return values;
}

/// The formula with A, B and C, all of `width` bits; `layout` spells B.
int scramble(Value v, const std::string& layout, int c, int keep) {
    int b = 0, a = 0;
    for (char letter : layout) {
        b = b * 2 + (letter == '0' ? 0 : v.low >> (letter - 'a') & 1);
        a = a * 2 + (v.low & 1);
    }
    const int unq = (v.top * c + b) ^ a;
    return (a & keep) | unq >> 2;
}

int repeatBits(int value, int bits, int width) {
    std::string text, all;
    for (int i = bits - 1; i >= 0; --i) text += (value >> i & 1) != 0 ? '1' : '0';
    while (static_cast<int>(all.size()) < width) all += text;
    return std::stoi(all.substr(0, static_cast<size_t>(width)), nullptr, 2);
}

int colorOf(Value v, int range) {
    switch (range) {
        case 6:
            return scramble(v, "000000000", 204, 0x80);
        case 10:
            return scramble(v, "000000000", 113, 0x80);
        case 12:
            return scramble(v, "b000b0bb0", 93, 0x80);
        case 20:
            return scramble(v, "b0000bb00", 54, 0x80);
        case 24:
            return scramble(v, "cb000cbcb", 44, 0x80);
        case 40:
            return scramble(v, "cb0000cbc", 26, 0x80);
        case 48:
            return scramble(v, "dcb000dcb", 22, 0x80);
        case 80:
            return scramble(v, "dcb0000dc", 13, 0x80);
        case 96:
            return scramble(v, "edcb000ed", 11, 0x80);
        case 160:
            return scramble(v, "edcb0000e", 6, 0x80);
        case 192:
            return scramble(v, "fedcb000f", 5, 0x80);
        default:
            return repeatBits(v.low, rangeOf(range).bits, 8);
    }
}

int weightOf(Value v, int range) {
    constexpr int kThree[] = {0, 32, 63}, kFive[] = {0, 16, 32, 47, 63};
    int unq = 0;
    switch (range) {
        case 3:
            unq = kThree[v.top];
            break;
        case 5:
            unq = kFive[v.top];
            break;
        case 6:
            unq = scramble(v, "0000000", 50, 0x20);
            break;
        case 10:
            unq = scramble(v, "0000000", 28, 0x20);
            break;
        case 12:
            unq = scramble(v, "b000b0b", 23, 0x20);
            break;
        case 20:
            unq = scramble(v, "b0000b0", 13, 0x20);
            break;
        case 24:
            unq = scramble(v, "cb000cb", 11, 0x20);
            break;
        default:
            unq = repeatBits(v.low, rangeOf(range).bits, 6);
    }
    return unq > 32 ? unq + 1 : unq;
}

using Rgba = std::array<int, 4>;
int clamp255(int v) { return std::clamp(v, 0, 255); }
void bitTransferSigned(int& a, int& b) {
    b = b / 2 + (a >= 128 ? 128 : 0);
    a = a / 2 % 64;
    if (a >= 32) a -= 64;
}
Rgba blueContract(Rgba c) { return {(c[0] + c[2]) >> 1, (c[1] + c[2]) >> 1, c[2], c[3]}; }
Rgba clampColor(Rgba c) { return {clamp255(c[0]), clamp255(c[1]), clamp255(c[2]), clamp255(c[3])}; }

/// False for HDR modes.
bool endpoints(int cem, std::vector<int> v, Rgba& e0, Rgba& e1) {
    v.resize(8);
    const bool hasAlpha = cem == 12 || cem == 13;
    if (cem == 5 || cem == 9 || cem == 13)
        for (size_t i = 0; i < 8; i += 2) bitTransferSigned(v[i + 1], v[i]);
    switch (cem) {
        case 0:
            e0 = {v[0], v[0], v[0], 255}, e1 = {v[1], v[1], v[1], 255};
            return true;
        case 1: {
            const int l0 = v[0] / 4 + v[1] / 64 * 64, l1 = std::min(l0 + v[1] % 64, 255);
            e0 = {l0, l0, l0, 255}, e1 = {l1, l1, l1, 255};
            return true;
        }
        case 4:
            e0 = {v[0], v[0], v[0], v[2]}, e1 = {v[1], v[1], v[1], v[3]};
            return true;
        case 5:
            e0 = clampColor({v[0], v[0], v[0], v[2]});
            e1 = clampColor({v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]});
            return true;
        case 6:
        case 10:
            e0 = {v[0] * v[3] / 256, v[1] * v[3] / 256, v[2] * v[3] / 256, cem == 10 ? v[4] : 255};
            e1 = {v[0], v[1], v[2], cem == 10 ? v[5] : 255};
            return true;
        case 8:
        case 12:
            e0 = {v[0], v[2], v[4], hasAlpha ? v[6] : 255}, e1 = {v[1], v[3], v[5], hasAlpha ? v[7] : 255};
            if (v[1] + v[3] + v[5] < v[0] + v[2] + v[4]) {
                std::swap(e0, e1);
                e0 = blueContract(e0), e1 = blueContract(e1);
            }
            return true;
        case 9:
        case 13:
            e0 = {v[0], v[2], v[4], hasAlpha ? v[6] : 255};
            e1 = {v[0] + v[1], v[2] + v[3], v[4] + v[5], hasAlpha ? v[6] + v[7] : 255};
            if (v[1] + v[3] + v[5] < 0) {
                std::swap(e0, e1);
                e0 = blueContract(e0), e1 = blueContract(e1);
            }
            e0 = clampColor(e0), e1 = clampColor(e1);
            return true;
        default:
            return false;
    }
}

unsigned hash52(unsigned p) {
    p ^= p >> 15;
    p -= p << 17;
    p += p << 7;
    p += p << 4;
    p ^= p >> 5;
    p += p << 16;
    p ^= p >> 7;
    p ^= p >> 3;
    p ^= p << 6;
    p ^= p >> 17;
    return p;
}

int selectPartition(int seed, int x, int y, int count, bool isSmall) {
    if (isSmall) x *= 2, y *= 2;
    seed += (count - 1) * 1024;
    const unsigned rnum = hash52(static_cast<unsigned>(seed));
    unsigned s[9];
    for (int i = 1; i <= 8; ++i) s[i] = (rnum >> (4 * (i - 1)) & 15) * (rnum >> (4 * (i - 1)) & 15);
    int sh1, sh2;
    if (seed % 2 == 1) {
        sh1 = (seed & 2) != 0 ? 4 : 5;
        sh2 = count == 3 ? 6 : 5;
    } else {
        sh1 = count == 3 ? 6 : 5;
        sh2 = (seed & 2) != 0 ? 4 : 5;
    }
    for (int i = 1; i <= 8; ++i) s[i] >>= i % 2 == 1 ? sh1 : sh2;
    const auto ux = static_cast<unsigned>(x), uy = static_cast<unsigned>(y);
    const unsigned a = (s[1] * ux + s[2] * uy + (rnum >> 14)) % 64;
    const unsigned b = (s[3] * ux + s[4] * uy + (rnum >> 10)) % 64;
    const unsigned c = count < 3 ? 0 : (s[5] * ux + s[6] * uy + (rnum >> 6)) % 64;
    const unsigned d = count < 4 ? 0 : (s[7] * ux + s[8] * uy + (rnum >> 2)) % 64;
    if (a >= b && a >= c && a >= d) return 0;
    if (b >= c && b >= d) return 1;
    return c >= d ? 2 : 3;
}

/// A block's second life as lists.
struct Parsed {
    Mode mode;
    int partitions, index, ccs;
    std::vector<int> weights, modes;
    std::vector<std::vector<int>> colors;  ///< of each partition
};

std::optional<Parsed> parse(const Bits& bits, const BlockFormat& format) {
    const std::optional<Mode> mode = modeOf(number(bits, 0, 11));
    if (!mode || mode->width > format.width || mode->height > format.height) return std::nullopt;
    const int planes = mode->isDual + 1, weightCount = mode->width * mode->height * planes;
    const Range weightRange = rangeOf(mode->range);
    const int weightBits = lengthOf(weightRange, weightCount);
    if (weightCount > 64 || weightBits > 96 || weightBits < 24) return std::nullopt;
    Parsed p{*mode, number(bits, 11, 2) + 1, number(bits, 13, 10), -1, {}, {}, {}};
    if (p.partitions == 4 && mode->isDual != 0) return std::nullopt;

    int config = 17, below = 128 - weightBits;
    if (p.partitions == 1) {
        p.modes = {number(bits, 13, 4)};
    } else {
        config = 29;
        const int selector = number(bits, 23, 2);
        // C and M of all partitions, lowest first: partly below the weights.
        Bits field(bits.begin() + 25, bits.begin() + 29);
        if (selector != 0) {
            const int extra = 3 * p.partitions - 4;
            below -= extra;
            field.insert(field.end(), bits.begin() + below, bits.begin() + below + extra);
        }
        for (int i = 0; i < p.partitions; ++i) {
            if (selector == 0) {
                p.modes.push_back(number(field, 0, 4));
            } else {
                const int base = selector - 1 + number(field, i, 1);
                p.modes.push_back(4 * base + number(field, p.partitions + 2 * i, 2));
            }
        }
    }
    if (mode->isDual != 0) {
        below -= 2;
        p.ccs = number(bits, below, 2);
    }
    int colorCount = 0;
    for (int m : p.modes) colorCount += 2 * (m / 4) + 2;
    const int remaining = below - config;
    if (colorCount > 18 || remaining < std::ceil(13 * colorCount / 5.0)) return std::nullopt;
    Range colorRange = kRanges[0];
    for (const Range& r : kRanges)
        if (lengthOf(r, colorCount) <= remaining) colorRange = r;

    Bits colorBits(bits.begin() + config, bits.begin() + config + lengthOf(colorRange, colorCount));
    std::vector<Value> values = sequence(colorBits, colorRange, colorCount);
    size_t next = 0;
    for (int m : p.modes) {
        std::vector<int> own;
        for (int i = 0; i < 2 * (m / 4) + 2; ++i) own.push_back(colorOf(values[next++], colorRange.values));
        p.colors.push_back(own);
    }
    Bits weightStream(bits.rbegin(), bits.rbegin() + weightBits);
    for (Value v : sequence(weightStream, weightRange, weightCount)) p.weights.push_back(weightOf(v, mode->range));
    return p;
}

int effectiveWeight(const Parsed& p, const BlockFormat& format, int x, int y, int plane) {
    const int planes = p.mode.isDual + 1;
    auto weight = [&](int n) {
        const auto at = static_cast<size_t>(n * planes + plane);
        return at < p.weights.size() ? p.weights[at] : 0;
    };
    const int ds = (1024 + format.width / 2) / (format.width - 1),
              dt = (1024 + format.height / 2) / (format.height - 1);
    const int gs = (ds * x * (p.mode.width - 1) + 32) / 64, gt = (dt * y * (p.mode.height - 1) + 32) / 64;
    const int js = gs / 16, fs = gs % 16, jt = gt / 16, ft = gt % 16;
    const int v0 = js + jt * p.mode.width;
    const int w11 = (fs * ft + 8) / 16, w10 = ft - w11, w01 = fs - w11, w00 = 16 - fs - ft + w11;
    return (weight(v0) * w00 + weight(v0 + 1) * w01 + weight(v0 + p.mode.width) * w10 +
            weight(v0 + p.mode.width + 1) * w11 + 8) /
           16;
}

/// C of 16 bits as the value of the channel.
double finish(int c, bool isSrgb) { return isSrgb ? c / 256 / 255.0 : c / 65535.0; }

}  // namespace

Texel decodeAstcTexel(const BlockFormat& format, const unsigned char* block, int x, int y, bool* isLegal) {
    constexpr Texel kError = {1, 0, 1, 1};
    Bits bits;
    for (int i = 0; i < 128; ++i) bits.push_back(block[i / 8] >> (i % 8) & 1);
    *isLegal = false;
    const bool isSrgb = format.isSrgb();
    if (number(bits, 0, 9) == 0x1FC) {
        const int s0 = number(bits, 12, 13), s1 = number(bits, 25, 13), t0 = number(bits, 38, 13),
                  t1 = number(bits, 51, 13);
        const bool allOnes = s0 == 8191 && s1 == 8191 && t0 == 8191 && t1 == 8191;
        if (number(bits, 9, 3) != 6 || (!allOnes && (s0 >= s1 || t0 >= t1))) return kError;
        *isLegal = true;
        Texel t{};
        for (int i = 0; i < 4; ++i) t[static_cast<size_t>(i)] = finish(number(bits, 64 + 16 * i, 16), isSrgb);
        return t;
    }
    const std::optional<Parsed> p = parse(bits, format);
    if (!p) return kError;
    *isLegal = true;
    const int partition =
        p->partitions == 1 ? 0 : selectPartition(p->index, x, y, p->partitions, format.width * format.height < 31);
    Rgba e0{}, e1{};
    if (!endpoints(p->modes[static_cast<size_t>(partition)], p->colors[static_cast<size_t>(partition)], e0, e1))
        return kError;
    Texel t{};
    for (int i = 0; i < 4; ++i) {
        const auto at = static_cast<size_t>(i);
        const int w = effectiveWeight(*p, format, x, y, i == p->ccs ? 1 : 0);
        const int c0 = e0[at] * 256 + (isSrgb ? 128 : e0[at]), c1 = e1[at] * 256 + (isSrgb ? 128 : e1[at]);
        t[at] = finish((c0 * (64 - w) + c1 * w + 32) / 64, isSrgb);
    }
    return t;
}

}  // namespace tessera::texture::reference
