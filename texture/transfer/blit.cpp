// A blit goes row by row: which pixels of the source a column or a row needs is the same for all of the other
// direction, so both are worked out once, in whole numbers.
#include "texture/transfer/blit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/simd.h"
#include "texture/srgb.h"
#include "texture/transfer/rows.h"

namespace tessera::texture {

namespace {

/// Positions of one direction of the source for consecutive pixels of the destination.
struct Axis {
    int first = 0;  ///< of the destination
    struct Source {
        int nearest;      ///< -1: outside the source
        int low, high;    ///< between which a mean is taken
        float highShare;  ///< k / 256
    };
    std::vector<Source> sources;
    [[nodiscard]] int end() const { return first + static_cast<int>(sources.size()); }
    [[nodiscard]] const Source& of(int pixel) const { return sources[static_cast<size_t>(pixel - first)]; }
};

template <class Whole>
Whole floorDivide(Whole a, Whole b) {  // b > 0
    return a / b - (a % b < 0 ? 1 : 0);
}

/// One direction of a blit: pixels begin .. end - 1 of the destination are written; `size` pixels has the source.
struct Extent {
    Extent(int from0, int from1, int to0, int to1, int64_t begin, int64_t end, int size)
        : from0(to0 < to1 ? from0 : from1),
          from1(to0 < to1 ? from1 : from0),
          to0(std::min(to0, to1)),
          to1(std::max(to0, to1)),
          begin(std::max(begin, this->to0)),
          end(std::min(end, this->to1)),
          size(size) {}
    int64_t from0, from1, to0, to1, begin, end;
    int size;
    [[nodiscard]] bool isEmpty() const { return begin >= end; }
    [[nodiscard]] bool isShift() const { return from1 - from0 == to1 - to0; }  ///< neither scaled nor mirrored
};

/// `Whole`: wide enough for products of three lengths.
template <class Whole>
Axis mapped(const Extent& along) {
    Axis axis;
    axis.first = static_cast<int>(along.begin);
    axis.sources.resize(static_cast<size_t>(along.end - along.begin));
    Axis::Source* next = axis.sources.data();
    const Whole width = along.from1 - along.from0, whole = Whole{along.to1 - along.to0} * 2;
    for (int64_t at = along.begin; at < along.end; ++at) {
        // The centre, 2 (at - to0) + 1 half pixels from to0, scaled.
        const Whole halves = (Whole{at - along.to0} * 2 + 1) * width;
        const auto nearest = along.from0 + static_cast<int64_t>(floorDivide(halves, whole));
        const auto fixed =
            along.from0 * 256 + static_cast<int64_t>(floorDivide<Whole>(halves * 512 + whole, whole * 2)) - 128;
        *next++ = {nearest >= 0 && nearest < along.size ? static_cast<int>(nearest) : -1,
                   static_cast<int>(std::clamp<int64_t>(fixed >> 8, 0, along.size - 1)),
                   static_cast<int>(std::clamp<int64_t>((fixed >> 8) + 1, 0, along.size - 1)),
                   static_cast<float>(fixed & 255) / 256.0f};
    }
    return axis;
}

Axis mapped(const Extent& along) {
    constexpr int64_t kShort = 1 << 24;
    const bool isShort =
        along.from1 - along.from0 < kShort && along.from0 - along.from1 < kShort && along.to1 - along.to0 < kShort;
    return isShort ? mapped<int64_t>(along) : mapped<__int128>(along);
}

/// Calls use(x, count) for each run of pixels begin .. end - 1.
template <class Use>
void forEachRun(int begin, int end, Use use) {
    for (int x = begin; x < end; x += kRowPixels) use(x, std::min(kRowPixels, end - x));
}

constexpr uint32_t kDepthBits = 0xFFFFFF00;  ///< of Blit::writeMask

using Color = std::array<float, 4>;

/// Colours as light, or as codes.
void readColors(const Image& image, bool asCodes, int y, std::vector<Color>& row) {
    row.resize(static_cast<size_t>(image.width()));
    const bool srgb = isSrgb(image.element()) && !asCodes;
    forEachRun(0, image.width(), [&](int x, int count) {
        NumberRow floats;
        readImageNumbers(image, x, y, floats, count);
        if (srgb) {
            WordRow words;
            readImageWords(image, x, y, words, count);
            for (int i = 0; i < count; ++i)
                for (uint32_t channel = 0; channel < 3; ++channel)
                    floats.pixel[i][channel] = kLinearOfSrgb[words.pixel[i] >> (8 * channel) & 0xFF] / 255.0f;
        }
        std::memcpy(row.data() + x, floats.pixel, static_cast<size_t>(count) * sizeof(Color));
    });
}

void writeColors(Image& image, bool asCodes, int x, int y, NumberRow& numbers, int count) {
    if (!isSrgb(image.element()) || asCodes) return writeImageNumbers(image, x, y, numbers, count);
    WordRow words;
    floatsToWords(numbers, words, count);
    for (int i = 0; i < count; ++i) {
        F32x16 light{};
        for (int channel = 0; channel < 3; ++channel) light[channel] = numbers.pixel[i][channel] * 255.0f;
        const U32x16 code = linearToSrgb(light);
        words.pixel[i] = (words.pixel[i] & 0xFF000000u) | code[0] | code[1] << 8 | code[2] << 16;
    }
    conformWords(image.format(), words, count);
    writeImageWords(image, x, y, words, count);
}

/// Calls write(x, count) for each run of columns that have a source.
template <class Write>
void forEachCovered(const Axis& columns, Write write) {
    const auto isCovered = [&](int x) { return columns.of(x).nearest >= 0; };
    for (int x = columns.first; x < columns.end();) {
        int stop = x;
        while (stop < columns.end() && isCovered(stop)) ++stop;
        forEachRun(x, stop, write);
        x = std::max(stop, x + 1);
    }
}

/// Where no share of the second is taken it may be anything.
Color mix(const Color& a, const Color& b, float share) {
    if (share == 0) return a;
    const auto low = std::bit_cast<F32x4>(a), high = std::bit_cast<F32x4>(b);
    return std::bit_cast<Color>(low + (high - low) * share);
}

/// Colours of a row of the source at the columns of the destination.
struct ColumnRow {
    int source = -1;            ///< the row; -1: none yet
    std::vector<Color> colors;  ///< and three more, so that four can be read from each
};

/// Colours of any format, as numbers: along rows, once for each row of the source, then from row to row.
void blitColors(const Image& from, Image& to, const Axis& columns, const Axis& rows, bool linear, bool asCodes) {
    std::vector<Color> source;
    ColumnRow low, high;
    const auto need = [&](int row, ColumnRow& made) {
        if (made.source == row) return;
        readColors(from, asCodes, row, source);
        const Color* const first = source.data();
        made.colors.resize(columns.sources.size() + 3);
        Color* next = made.colors.data();
        for (const Axis::Source& column : columns.sources)
            *next++ = linear ? mix(first[column.low], first[column.high], column.highShare)
                             : first[std::max(column.nearest, 0)];
        made.source = row;
    };
    for (int y = rows.first; y < rows.end(); ++y) {
        const Axis::Source& row = rows.of(y);
        if (row.nearest < 0) continue;
        if (linear && high.source == row.low) std::swap(low, high);
        need(linear ? row.low : row.nearest, low);
        const bool mixes = linear && row.highShare != 0;
        if (mixes) need(row.high, high);
        forEachCovered(columns, [&](int x, int count) {
            NumberRow floats;
            const auto at = static_cast<size_t>(x - columns.first);
            for (int i = 0; i < count; i += 4) {
                const size_t four = at + static_cast<size_t>(i);
                const auto a = load<F32x16>(low.colors[four].data());
                const F32x16 mixed = mixes ? a + (load<F32x16>(high.colors[four].data()) - a) * row.highShare : a;
                store(floats.pixel[i], mixed);
            }
            writeColors(to, asCodes, x, y, floats, count);
        });
    }
}

/// Unfiltered: read(x, row, count) takes texels of a row of the source, whole rows one after the other, and
/// write(x, y, count) puts the nearest ones into a row of the destination.
template <class Read, class Write>
void forEachNearest(const Image& from, const Axis& columns, const Axis& rows, const Read& read, const Write& write) {
    for (int y = rows.first; y < rows.end(); ++y) {
        const int row = rows.of(y).nearest;
        if (row < 0) continue;
        forEachRun(0, from.width(), [&](int x, int count) { read(x, row, count); });
        forEachCovered(columns, [&](int x, int count) { write(x, y, count); });
    }
}

/// Words: depth and stencil, and colours that need no arithmetic.
void blitWords(const Image& from, Image& to, const Axis& columns, const Axis& rows, uint32_t written) {
    // A float is written or not.
    const uint32_t writeMask = !isFloat(to.element()) ? written : (written & kDepthBits) != 0 ? ~0u : 0;
    std::vector<uint32_t> source(static_cast<size_t>(from.width()));
    const auto read = [&](int x, int row, int count) {
        WordRow words;
        readImageWords(from, x, row, words, count);
        std::copy_n(words.pixel, count, source.begin() + x);
    };
    const auto write = [&](int x, int y, int count) {
        WordRow words;
        for (int i = 0; i < count; ++i) words.pixel[i] = source[static_cast<size_t>(columns.of(x + i).nearest)];
        if (holdsBytes(to.element())) {
            conformWords(to.format(), words, count);
        } else if (writeMask != ~0u) {
            WordRow old;
            readImageWords(to, x, y, old, count);
            for (int i = 0; i < count; ++i) words.pixel[i] = (words.pixel[i] & writeMask) | (old.pixel[i] & ~writeMask);
        }
        writeImageWords(to, x, y, words, count);
    };
    forEachNearest(from, columns, rows, read, write);
}

/// Depth and stencil that are words of their own.
void blitPairs(const Image& from, Image& to, const Axis& columns, const Axis& rows, uint32_t written) {
    const bool writes[2] = {(written & kDepthBits) != 0, (written & ~kDepthBits) != 0};
    std::vector<std::array<float, 2>> source(static_cast<size_t>(from.width()));
    const auto read = [&](int x, int row, int count) {
        NumberRow pairs;
        readDepthFloats(from, x, row, pairs, count);
        for (int i = 0; i < count; ++i) std::copy_n(pairs.pixel[i], 2, source[static_cast<size_t>(x + i)].begin());
    };
    const auto write = [&](int x, int y, int count) {
        NumberRow pairs;
        readDepthFloats(to, x, y, pairs, count);
        for (int i = 0; i < count; ++i)
            for (size_t part = 0; part < 2; ++part)
                if (writes[part]) pairs.pixel[i][part] = source[static_cast<size_t>(columns.of(x + i).nearest)][part];
        writeDepthFloats(to, x, y, pairs, count, true);
    };
    forEachNearest(from, columns, rows, read, write);
}

void blitPlane(const Image& from, Image& to, const Blit& how, int firstRow, int rowCount) {
    const Rect& within = how.within;
    const int64_t right = std::min(int64_t{within.x} + within.width, int64_t{to.width()});
    const int64_t top =
        std::min({int64_t{within.y} + within.height, int64_t{to.height()}, int64_t{firstRow} + rowCount});
    const Extent x(how.from.x0, how.from.x1, how.to.x0, how.to.x1, std::max(within.x, 0), right, from.width());
    const Extent y(how.from.y0, how.from.y1, how.to.y0, how.to.y1, std::max({within.y, firstRow, 0}), top,
                   from.height());
    if (x.isEmpty() || y.isEmpty()) return;
    const bool shifts = x.isShift() && y.isShift(),
               linear = how.linear && !shifts && elementInfo(from.element()).isFiltered;
    const bool recodes = isSrgb(from.element()) != isSrgb(to.element()) && !how.asCodes;
    if (shifts && !recodes && how.writeMask == ~0u) {
        const int64_t fromX = x.begin + x.from0 - x.to0, fromY = y.begin + y.from0 - y.to0;
        const bool isNear = std::abs(fromX) <= kMaxTextureSize && std::abs(fromY) <= kMaxTextureSize;
        if (!isNear) return;
        return copy(from, static_cast<int>(fromX), static_cast<int>(fromY), to,
                    {static_cast<int>(x.begin), static_cast<int>(y.begin), static_cast<int>(x.end - x.begin),
                     static_cast<int>(y.end - y.begin)});
    }
    if (!canConvert(from, to)) return;
    if (isDepth(to.element()) && elementInfo(to.element()).words == 2)
        return blitPairs(from, to, mapped(x), mapped(y), how.writeMask);
    if (convertsByWords(from, to) && !linear && !recodes)
        return blitWords(from, to, mapped(x), mapped(y), how.writeMask);
    blitColors(from, to, mapped(x), mapped(y), linear, how.asCodes);
}

}  // namespace

void blit(const ImagePtr& from, const ImagePtr& to, const Blit& how, int firstRow, int rows) {
    if (to->samples() == 1) return blitPlane(*from, *to, how, firstRow, rows);
    for (int sample = 0; sample < to->samples(); ++sample) {
        Image plane(to, sample);
        if (from->samples() == 1) {
            blitPlane(*from, plane, how, firstRow, rows);
        } else {
            blitPlane(Image(from, sample), plane, how, firstRow, rows);
        }
    }
}

}  // namespace tessera::texture
