// ASTC, the LDR profile: 2D blocks of all sizes, linear and sRGB. Khronos Data Format specification 1.3, section 23,
// whose names are used; its formulas make the tables below when this file is compiled.
//
// A block says in this order how its weights are stored (block mode), how many partitions share its texels, how the
// endpoint colours of each are encoded, and then holds the colours, growing upwards, and the weights, growing downwards
// from bit 127. Both are integer sequences whose range is any of kRanges. What cannot be decoded is opaque magenta.
//
// The specification's interpolated colours C have 16 bits; linear ones become the nearest 8-bit code, sRGB ones keep
// the upper 8 bits, as the specification says.
#include "texture/codec/internal.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tessera::texture {

namespace {

constexpr uint32_t kErrorColor = 0xFFFF00FFu;
constexpr int kBlockBits = 128;

/// The block as a number: bit 0 is the lowest of the first byte.
struct Bits128 {
    uint64_t low = 0, high = 0;

    /// `count` bits, at most 32, from bit `start` on; bits past 127 are zero.
    [[nodiscard]] uint32_t get(int start, int count) const {
        const uint64_t word = start >= 64  ? high >> (start - 64)
                              : start == 0 ? low
                                           : low >> start | high << (64 - start);
        return static_cast<uint32_t>(word & ((uint64_t{1} << count) - 1));
    }
    /// Bits start .. start + count - 1, moved to bit 0, and zeros; 0 < count < 128.
    [[nodiscard]] Bits128 slice(int start, int count) const {
        Bits128 s = *this;
        if (start >= 64) s = {s.high, 0}, start -= 64;
        if (start > 0) s = {s.low >> start | s.high << (64 - start), s.high >> start};
        if (count >= 64) return {s.low, s.high & ((uint64_t{1} << (count - 64)) - 1)};
        return {s.low & ((uint64_t{1} << count) - 1), 0};
    }
    [[nodiscard]] Bits128 reversed() const { return {__builtin_bitreverse64(high), __builtin_bitreverse64(low)}; }
};

// --- Integer sequences (23.12) ---

/// Values 0 .. 2^bits - 1, or three or five times as many: a trit or quint is the upper part of each value.
struct Range {
    uint8_t trits, quints, bits;
    [[nodiscard]] constexpr int size() const { return (1 + 2 * trits + 4 * quints) << bits; }
};
constexpr Range kRanges[] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {0, 0, 3}, {0, 1, 1},
                             {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, {1, 0, 3}, {0, 0, 5}, {0, 1, 3}, {1, 0, 4},
                             {0, 0, 6}, {0, 1, 4}, {1, 0, 5}, {0, 0, 7}, {0, 1, 5}, {1, 0, 6}, {0, 0, 8}};
constexpr int kRangeCount = std::size(kRanges);
constexpr int kWeightRanges = 12;   ///< the first ones; weights have at most 32 values
constexpr int kSmallestColors = 4;  ///< the first range colours may have: 0..5
constexpr int kMaxWeights = 64, kMaxColors = 18;

constexpr int sequenceBits(const Range& range, int count) {
    return (count * 8 * range.trits + 4) / 5 + (count * 7 * range.quints + 2) / 3 + count * range.bits;
}

using Trits = std::array<uint8_t, 5>;
constexpr Trits tritsOf(unsigned t) {
    Trits trits{};
    unsigned c = 0;
    if ((t >> 2 & 7) == 7) {
        c = (t >> 5) << 2 | (t & 3);
        trits[4] = trits[3] = 2;
    } else {
        c = t & 31;
        const bool isTwo = (t >> 5 & 3) == 3;
        trits[4] = static_cast<uint8_t>(isTwo ? 2 : t >> 7);
        trits[3] = static_cast<uint8_t>(isTwo ? t >> 7 : t >> 5 & 3);
    }
    if ((c & 3) == 3) {
        trits[2] = 2;
        trits[1] = static_cast<uint8_t>(c >> 4);
        trits[0] = static_cast<uint8_t>((c >> 3 & 1) << 1 | (c >> 2 & ~(c >> 3) & 1));
    } else if ((c >> 2 & 3) == 3) {
        trits[2] = trits[1] = 2;
        trits[0] = static_cast<uint8_t>(c & 3);
    } else {
        trits[2] = static_cast<uint8_t>(c >> 4);
        trits[1] = static_cast<uint8_t>(c >> 2 & 3);
        trits[0] = static_cast<uint8_t>((c >> 1 & 1) << 1 | (c & ~(c >> 1) & 1));
    }
    return trits;
}

using Quints = std::array<uint8_t, 3>;
constexpr Quints quintsOf(unsigned q) {
    if ((q >> 1 & 3) == 3 && (q >> 5) == 0) {
        const unsigned top = q & 1;
        return {4, 4, static_cast<uint8_t>(top << 2 | (q >> 4 & ~top & 1) << 1 | (q >> 3 & ~top & 1))};
    }
    Quints quints{};
    unsigned c = q & 31;
    quints[2] = static_cast<uint8_t>(q >> 5);
    if ((q >> 1 & 3) == 3) {
        quints[2] = 4;
        c = (q >> 3 & 3) << 3 | (~(q >> 5) & 3) << 1 | (q & 1);
    }
    if ((c & 7) == 5) {
        quints[1] = 4;
        quints[0] = static_cast<uint8_t>(c >> 3);
    } else {
        quints[1] = static_cast<uint8_t>(c >> 3);
        quints[0] = static_cast<uint8_t>(c & 7);
    }
    return quints;
}

template <class Values, size_t n>
constexpr auto tabulate(Values (*valuesOf)(unsigned)) {
    std::array<Values, n> table{};
    for (unsigned i = 0; i < n; ++i) table[i] = valuesOf(i);
    return table;
}
constexpr auto kTrits = tabulate<Trits, 256>(tritsOf);
constexpr auto kQuints = tabulate<Quints, 128>(quintsOf);

/// Reads fields one after the other.
class Reader {
public:
    explicit Reader(const Bits128& bits) : bits_(bits) {}
    uint32_t next(int count) {
        const uint32_t value = position_ < kBlockBits ? bits_.get(position_, count) : 0;
        position_ += count;
        return value;
    }

private:
    Bits128 bits_;
    int position_ = 0;
};

/// `count` values of the sequence that `stream`, which ends with it, holds. `values` has room for four more.
void decodeSequence(const Bits128& stream, const Range& range, int count, uint8_t* values) {
    Reader reader(stream);
    const int n = range.bits;
    if (range.trits != 0) {
        for (int i = 0; i < count; i += 5) {
            uint32_t m[5], packed = 0;
            m[0] = reader.next(n), packed |= reader.next(2);
            m[1] = reader.next(n), packed |= reader.next(2) << 2;
            m[2] = reader.next(n), packed |= reader.next(1) << 4;
            m[3] = reader.next(n), packed |= reader.next(2) << 5;
            m[4] = reader.next(n), packed |= reader.next(1) << 7;
            for (int k = 0; k < 5; ++k) values[i + k] = static_cast<uint8_t>(kTrits[packed][k] << n | m[k]);
        }
    } else if (range.quints != 0) {
        for (int i = 0; i < count; i += 3) {
            uint32_t m[3], packed = 0;
            m[0] = reader.next(n), packed |= reader.next(3);
            m[1] = reader.next(n), packed |= reader.next(2) << 3;
            m[2] = reader.next(n), packed |= reader.next(2) << 5;
            for (int k = 0; k < 3; ++k) values[i + k] = static_cast<uint8_t>(kQuints[packed][k] << n | m[k]);
        }
    } else {
        for (int i = 0; i < count; ++i) values[i] = static_cast<uint8_t>(reader.next(n));
    }
}

// --- Unquantization (23.13, 23.17) ---

/// One row of the specification's tables: where the bits of a value go in B (a is its lowest bit), and C.
struct Unquantization {
    std::string_view b;
    unsigned c;
};
constexpr Unquantization kColorTrits[] = {{"000000000", 204}, {"b000b0bb0", 93}, {"cb000cbcb", 44},
                                          {"dcb000dcb", 22},  {"edcb000ed", 11}, {"fedcb000f", 5}};
constexpr Unquantization kColorQuints[] = {
    {"000000000", 113}, {"b0000bb00", 54}, {"cb0000cbc", 26}, {"dcb0000dc", 13}, {"edcb0000e", 6}};
constexpr Unquantization kWeightTrits[] = {{"0000000", 50}, {"b000b0b", 23}, {"cb000cb", 11}};
constexpr Unquantization kWeightQuints[] = {{"0000000", 28}, {"b0000b0", 13}};

/// The value of a range with a trit or quint and bits, two bits narrower than B.
constexpr unsigned unquantize(const Unquantization& row, const Range& range, unsigned value) {
    const unsigned width = row.b.size();
    unsigned b = 0;
    for (char letter : row.b) b = b << 1 | (letter == '0' ? 0 : value >> (letter - 'a') & 1);
    const unsigned a = (value & 1) != 0 ? (1u << width) - 1 : 0;
    const unsigned sum = ((value >> range.bits) * row.c + b) ^ a;
    return (a & 1u << (width - 2)) | sum >> 2;
}

/// `bits` bits repeated from the top to fill `width`.
constexpr unsigned replicate(unsigned value, int bits, int width) {
    unsigned result = 0;
    for (int i = 0; i < width; ++i) result = result << 1 | (value >> (bits - 1 - i % bits) & 1);
    return result;
}

constexpr auto colorTable() {
    std::array<std::array<uint8_t, 256>, kRangeCount> table{};
    for (int r = kSmallestColors; r < kRangeCount; ++r) {
        const Range& range = kRanges[r];
        for (int v = 0; v < range.size(); ++v) {
            const unsigned value = range.trits != 0    ? unquantize(kColorTrits[range.bits - 1], range, v)
                                   : range.quints != 0 ? unquantize(kColorQuints[range.bits - 1], range, v)
                                                       : replicate(v, range.bits, 8);
            table[r][v] = static_cast<uint8_t>(value);
        }
    }
    return table;
}
constexpr auto kColors = colorTable();

constexpr auto weightTable() {
    constexpr unsigned kThree[] = {0, 32, 63}, kFive[] = {0, 16, 32, 47, 63};
    std::array<std::array<uint8_t, 32>, kWeightRanges> table{};
    for (int r = 0; r < kWeightRanges; ++r) {
        const Range& range = kRanges[r];
        for (int v = 0; v < range.size(); ++v) {
            unsigned value = 0;
            if (range.trits != 0) {
                value = range.bits == 0 ? kThree[v] : unquantize(kWeightTrits[range.bits - 1], range, v);
            } else if (range.quints != 0) {
                value = range.bits == 0 ? kFive[v] : unquantize(kWeightQuints[range.bits - 1], range, v);
            } else {
                value = replicate(v, range.bits, 6);
            }
            table[r][v] = static_cast<uint8_t>(value > 32 ? value + 1 : value);
        }
    }
    return table;
}
constexpr auto kWeights = weightTable();

// --- Block mode (23.10) ---

struct WeightGrid {
    int width = 0, height = 0;  ///< 0: a reserved mode
    int range = 0;              ///< of kRanges
    bool isDual = false;        ///< two planes of weights
    [[nodiscard]] int count() const { return width * height * (isDual ? 2 : 1); }
};

WeightGrid weightGrid(int mode) {
    const int a = mode >> 5 & 3, b = mode >> 7 & 3;
    WeightGrid grid;
    bool isPrecise = (mode >> 9 & 1) != 0;
    grid.isDual = (mode >> 10 & 1) != 0;
    auto setSize = [&](int width, int height) { grid.width = width, grid.height = height; };
    int range = mode >> 4 & 1;
    if ((mode & 3) != 0) {
        range |= (mode & 3) << 1;
        switch (mode >> 2 & 3) {
            case 0:
                setSize(b + 4, a + 2);
                break;
            case 1:
                setSize(b + 8, a + 2);
                break;
            case 2:
                setSize(a + 2, b + 8);
                break;
            default:
                (b & 2) != 0 ? setSize((b & 1) + 2, a + 2) : setSize(a + 2, (b & 1) + 6);
        }
    } else {
        range |= (mode >> 2 & 3) << 1;
        if ((mode & 15) == 0) return {};
        switch (b) {
            case 0:
                setSize(12, a + 2);
                break;
            case 1:
                setSize(a + 2, 12);
                break;
            case 2:
                setSize(a + 6, (mode >> 9 & 3) + 6);
                isPrecise = grid.isDual = false;
                break;
            default:
                if (a > 1) return {};
                a == 0 ? setSize(6, 10) : setSize(10, 6);
        }
    }
    grid.range = range - 2 + (isPrecise ? 6 : 0);
    return grid;
}

// --- Endpoints (23.14) ---

struct Endpoints {
    int color[2][4];
    bool isError;  ///< an HDR mode
};

void transferBit(int& a, int& b) {
    b = b >> 1 | (a & 0x80);
    a = a >> 1 & 0x3F;
    if ((a & 0x20) != 0) a -= 0x40;
}

void setColor(int (&color)[4], int red, int green, int blue, int alpha) {
    color[0] = std::clamp(red, 0, 255), color[1] = std::clamp(green, 0, 255);
    color[2] = std::clamp(blue, 0, 255), color[3] = std::clamp(alpha, 0, 255);
}
void setContracted(int (&color)[4], int red, int green, int blue, int alpha) {
    setColor(color, (red + blue) >> 1, (green + blue) >> 1, blue, alpha);
}

/// Modes 8 and 12: both colours as they are.
void setDirect(Endpoints& e, const int* v, int alpha0, int alpha1) {
    if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
        setColor(e.color[0], v[0], v[2], v[4], alpha0);
        setColor(e.color[1], v[1], v[3], v[5], alpha1);
    } else {
        setContracted(e.color[0], v[1], v[3], v[5], alpha1);
        setContracted(e.color[1], v[0], v[2], v[4], alpha0);
    }
}

/// Modes 9 and 13: a colour and the way to the other; bits have been transferred.
void setOffset(Endpoints& e, const int* v, int alpha0, int alpha1) {
    if (v[1] + v[3] + v[5] >= 0) {
        setColor(e.color[0], v[0], v[2], v[4], alpha0);
        setColor(e.color[1], v[0] + v[1], v[2] + v[3], v[4] + v[5], alpha1);
    } else {
        setContracted(e.color[0], v[0] + v[1], v[2] + v[3], v[4] + v[5], alpha1);
        setContracted(e.color[1], v[0], v[2], v[4], alpha0);
    }
}

/// Modes 6 and 10: a colour and what the other is scaled by.
void setScaled(Endpoints& e, const int* v, int alpha0, int alpha1) {
    setColor(e.color[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, alpha0);
    setColor(e.color[1], v[0], v[1], v[2], alpha1);
}

Endpoints endpointsOf(int mode, const uint8_t* values) {
    int v[8];
    const int count = (mode / 4 + 1) * 2;
    for (int i = 0; i < count; ++i) v[i] = values[i];
    auto transferBits = [&] {
        for (int i = 0; i < count; i += 2) transferBit(v[i + 1], v[i]);
    };
    Endpoints e{};
    switch (mode) {
        case 0:
            setColor(e.color[0], v[0], v[0], v[0], 255);
            setColor(e.color[1], v[1], v[1], v[1], 255);
            break;
        case 1: {
            const int first = v[0] >> 2 | (v[1] & 0xC0), second = first + (v[1] & 0x3F);
            setColor(e.color[0], first, first, first, 255);
            setColor(e.color[1], second, second, second, 255);
            break;
        }
        case 4:
            setColor(e.color[0], v[0], v[0], v[0], v[2]);
            setColor(e.color[1], v[1], v[1], v[1], v[3]);
            break;
        case 5:
            transferBits();
            setColor(e.color[0], v[0], v[0], v[0], v[2]);
            setColor(e.color[1], v[0] + v[1], v[0] + v[1], v[0] + v[1], v[2] + v[3]);
            break;
        case 6:
            setScaled(e, v, 255, 255);
            break;
        case 8:
            setDirect(e, v, 255, 255);
            break;
        case 9:
            transferBits();
            setOffset(e, v, 255, 255);
            break;
        case 10:
            setScaled(e, v, v[4], v[5]);
            break;
        case 12:
            setDirect(e, v, v[6], v[7]);
            break;
        case 13:
            transferBits();
            setOffset(e, v, v[6], v[6] + v[7]);
            break;
        default:
            e.isError = true;
    }
    return e;
}

// --- Partitions (23.21) ---

class Partitions {
public:
    Partitions(int count, int index, int blockTexels) : count_(count), shift_(blockTexels < 31 ? 1 : 0) {
        if (count == 1) return;
        const auto seed = static_cast<uint32_t>(index + (count - 1) * 1024);
        random_ = hash(seed);
        auto square = [&](int bit) {
            const auto nibble = static_cast<uint32_t>(std::rotr(random_, bit)) & 15;
            return nibble * nibble;
        };
        const int byThree = count == 3 ? 6 : 5, byBit = (seed & 2) != 0 ? 4 : 5;
        const int shifts[2] = {(seed & 1) != 0 ? byBit : byThree, (seed & 1) != 0 ? byThree : byBit};
        for (int i = 0; i < 8; ++i) step_[i / 2][i % 2] = square(4 * i) >> shifts[i % 2];
    }

    /// The partition of texel (x, y).
    [[nodiscard]] int at(int x, int y) const {
        if (count_ == 1) return 0;
        uint32_t sum[4] = {};
        for (int i = 0; i < count_; ++i) {
            const uint32_t start = random_ >> (14 - 4 * i);
            sum[i] = (step_[i][0] * (x << shift_) + step_[i][1] * (y << shift_) + start) & 63;
        }
        int best = 0;
        for (int i = 1; i < count_; ++i) best = sum[i] > sum[best] ? i : best;
        return best;
    }

private:
    static uint32_t hash(uint32_t p) {
        p ^= p >> 15, p -= p << 17, p += p << 7, p += p << 4, p ^= p >> 5;
        p += p << 16, p ^= p >> 7, p ^= p >> 3, p ^= p << 6, p ^= p >> 17;
        return p;
    }

    int count_, shift_;
    uint32_t random_ = 0;
    uint32_t step_[4][2] = {};  ///< of each partition's sum, for a step in x and in y
};

// --- The block ---

/// Everything that texels are made from.
struct Block {
    WeightGrid grid;
    int partitionCount = 1, partitionIndex = 0;
    int secondPlane = -1;  ///< the channel that has weights of its own
    Endpoints endpoints[4] = {};
    /// Each plane in rows of grid.width, and as much more as infill may ask for with no weight.
    uint8_t weights[2][kMaxWeights + 16] = {};
};

/// Endpoint modes of all partitions. `extra` is the part of the field below the weights.
void readModes(const Bits128& bits, int partitionCount, uint32_t extra, int* modes) {
    const uint32_t selector = bits.get(23, 2), field = bits.get(25, 4) | extra << 4;
    for (int i = 0; i < partitionCount; ++i) {
        if (partitionCount == 1) {
            modes[i] = static_cast<int>(bits.get(13, 4));
        } else if (selector == 0) {
            modes[i] = static_cast<int>(field & 15);
        } else {
            const uint32_t modeClass = selector - 1 + (field >> i & 1);
            modes[i] = static_cast<int>(modeClass << 2 | (field >> (partitionCount + 2 * i) & 3));
        }
    }
}

/// False for an illegal encoding.
bool parse(const Bits128& bits, const BlockFormat& format, Block& block) {
    WeightGrid& grid = block.grid;
    grid = weightGrid(static_cast<int>(bits.get(0, 11)));
    if (grid.width == 0 || grid.width > format.width || grid.height > format.height) return false;
    const int weightCount = grid.count();
    if (weightCount > kMaxWeights) return false;
    const int weightBits = sequenceBits(kRanges[grid.range], weightCount);
    if (weightBits < 24 || weightBits > 96) return false;

    const int partitionCount = static_cast<int>(bits.get(11, 2)) + 1;
    if (grid.isDual && partitionCount == 4) return false;
    block.partitionCount = partitionCount;
    block.partitionIndex = static_cast<int>(bits.get(13, 10));
    int end = kBlockBits - weightBits;  // of what is below the weights
    uint32_t extra = 0;
    if (partitionCount > 1 && bits.get(23, 2) != 0) {
        const int extraBits = 3 * partitionCount - 4;
        end -= extraBits;
        extra = bits.get(end, extraBits);
    }
    int modes[4];
    readModes(bits, partitionCount, extra, modes);
    if (grid.isDual) {
        end -= 2;
        block.secondPlane = static_cast<int>(bits.get(end, 2));
    }

    int colorCount = 0;
    for (int i = 0; i < partitionCount; ++i) colorCount += (modes[i] / 4 + 1) * 2;
    const int colorStart = partitionCount == 1 ? 17 : 29;
    const int colorBits = end - colorStart;
    if (colorCount > kMaxColors || colorBits < (13 * colorCount + 4) / 5) return false;
    int range = kRangeCount - 1;
    while (sequenceBits(kRanges[range], colorCount) > colorBits) --range;
    uint8_t values[kMaxColors + 4];
    decodeSequence(bits.slice(colorStart, sequenceBits(kRanges[range], colorCount)), kRanges[range], colorCount,
                   values);
    for (int i = 0; i < colorCount; ++i) values[i] = kColors[range][values[i]];
    const uint8_t* next = values;
    for (int i = 0; i < partitionCount; ++i) {
        block.endpoints[i] = endpointsOf(modes[i], next);
        next += (modes[i] / 4 + 1) * 2;
    }

    uint8_t weights[kMaxWeights + 4];
    decodeSequence(bits.reversed().slice(0, weightBits), kRanges[grid.range], weightCount, weights);
    const int planes = grid.isDual ? 2 : 1;
    for (int i = 0; i < weightCount; ++i) block.weights[i % planes][i / planes] = kWeights[grid.range][weights[i]];
    return true;
}

/// Where a texel's row or column lies in the weight grid: between two lines, in sixteenths.
struct GridPosition {
    int line, fraction;
};
void gridPositions(int blockSize, int gridSize, GridPosition* positions) {
    const int scale = (1024 + blockSize / 2) / (blockSize - 1);
    for (int i = 0; i < blockSize; ++i) {
        const int place = (scale * i * (gridSize - 1) + 32) >> 6;
        positions[i] = {place >> 4, place & 15};
    }
}

int infill(const uint8_t* weights, int gridWidth, const GridPosition& x, const GridPosition& y) {
    const uint8_t* corner = weights + y.line * gridWidth + x.line;
    const int w11 = (x.fraction * y.fraction + 8) >> 4;
    const int w10 = y.fraction - w11, w01 = x.fraction - w11, w00 = 16 - x.fraction - y.fraction + w11;
    return (corner[0] * w00 + corner[1] * w01 + corner[gridWidth] * w10 + corner[gridWidth + 1] * w11 + 8) >> 4;
}

/// C / 65535 as the nearest 8-bit code.
uint32_t toCode(uint32_t c) { return (c * 255 + 32895) >> 16; }

using Channels16 = uint16_t __attribute__((ext_vector_type(4)));
using Channels8 = uint8_t __attribute__((ext_vector_type(4)));

/// The endpoints of a partition, ready for its texels.
struct Line {
    Channels16 start, change;  ///< 64 times the first colour and half a code; the way to the second, modulo 2^16
    bool isError;
};
Line lineOf(const Endpoints& e) {
    Line line{{}, {}, e.isError};
    for (int i = 0; i < 4; ++i) {
        line.start[i] = static_cast<uint16_t>(e.color[0][i] * 64 + 32);
        line.change[i] = static_cast<uint16_t>(e.color[1][i] - e.color[0][i]);
    }
    return line;
}

/// With m = C0 * (64 - i) + C1 * i for eight-bit endpoints, the nearest code to the linear C and the upper byte of the
/// sRGB C both are (m + 32) >> 6: for all m from 0 to 255 * 64, as can be tried.
uint32_t interpolate(const Line& line, Channels16 weight) {
    const Channels8 codes = __builtin_convertvector((line.start + line.change * weight) >> 6, Channels8);
    return __builtin_bit_cast(uint32_t, codes);
}

/// A block of one colour; magenta when it is none.
uint32_t voidExtentColor(const Bits128& bits, bool isSrgb) {
    const uint32_t minS = bits.get(12, 13), maxS = bits.get(25, 13), minT = bits.get(38, 13), maxT = bits.get(51, 13);
    const bool hasNoExtent = (minS & maxS & minT & maxT) == 0x1FFF;
    if (bits.get(9, 1) != 0 || bits.get(10, 2) != 3 || (!hasNoExtent && (minS >= maxS || minT >= maxT)))
        return kErrorColor;
    uint32_t texel = 0;
    for (int i = 0; i < 4; ++i) {
        const uint32_t c = bits.get(64 + 16 * i, 16);
        texel |= (isSrgb ? c >> 8 : toCode(c)) << 8 * i;
    }
    return texel;
}

void decodeTexels(const Block& block, const BlockFormat& format, uint32_t* texels) {
    GridPosition columns[12], rows[12];
    gridPositions(format.width, block.grid.width, columns);
    gridPositions(format.height, block.grid.height, rows);
    const Partitions partitions(block.partitionCount, block.partitionIndex, format.width * format.height);
    Line lines[4];
    for (int i = 0; i < block.partitionCount; ++i) lines[i] = lineOf(block.endpoints[i]);
    Channels16 isSecond{};
    if (block.grid.isDual) isSecond[block.secondPlane] = 0xFFFF;
    for (int y = 0; y < format.height; ++y) {
        for (int x = 0; x < format.width; ++x) {
            const Line& line = lines[partitions.at(x, y)];
            Channels16 weight = static_cast<uint16_t>(infill(block.weights[0], block.grid.width, columns[x], rows[y]));
            if (block.grid.isDual) {
                const Channels16 other =
                    static_cast<uint16_t>(infill(block.weights[1], block.grid.width, columns[x], rows[y]));
                weight = (weight & ~isSecond) | (other & isSecond);
            }
            *texels++ = line.isError ? kErrorColor : interpolate(line, weight);
        }
    }
}

}  // namespace

void decodeAstc(const BlockFormat& format, const std::byte* bytes, std::byte* elements) {
    const Bits128 bits = {loadLittle<uint64_t>(bytes), loadLittle<uint64_t>(bytes + 8)};
    uint32_t texels[kMaxBlockTexels];
    const int count = format.width * format.height;
    Block block;
    if (bits.get(0, 9) == 0x1FC) {
        std::fill_n(texels, count, voidExtentColor(bits, format.isSrgb()));
    } else if (parse(bits, format, block)) {
        decodeTexels(block, format, texels);
    } else {
        std::fill_n(texels, count, kErrorColor);
    }
    std::memcpy(elements, texels, static_cast<size_t>(count) * 4);
}

}  // namespace tessera::texture
