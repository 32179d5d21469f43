// Mipmap levels by box filter.
//
// An axis of even size averages pairs. An axis of odd size n = 2m + 1 has m outputs, each covering n / m texels:
// output i takes texels 2i, 2i + 1, 2i + 2 with the exact weights (m - i, m, i + 1) / n (E. Guthe, P. Heckbert,
// "Non-Power-of-Two Mipmapping", NVIDIA 2005). An axis of size 1 stays. Eight-bit channels are summed in integers
// and rounded once; the even by even case is (sum + 2) >> 2. The result is then quantised to the format. Other colours
// are summed as floats, encoded ones as light; of integers there is no mean.
#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/simd.h"
#include "texture/convert.h"
#include "texture/transfer/blocks.h"
#include "texture/transfer/light_sum.h"
#include "texture/transfer/rows.h"
#include "texture/transfer/transfer.h"

// A kind of numbers that is not named here does not compile.
#pragma clang diagnostic error "-Wswitch"

namespace tessera::texture {

namespace {

/// Up to three texels of one axis that make an output, with integer weights summing to Axis::total.
struct Taps {
    int first, count;
    uint32_t weight[3];
};
struct Axis {
    uint32_t total;
    std::vector<Taps> taps;
};

Axis makeAxis(int fromSize, int toSize) {
    Axis axis;
    axis.taps.reserve(static_cast<size_t>(toSize));
    const auto half = static_cast<uint32_t>(fromSize / 2);
    axis.total = fromSize == 1 ? 1 : fromSize % 2 == 0 ? 2 : static_cast<uint32_t>(fromSize);
    for (int i = 0; i < toSize; ++i) {
        if (fromSize == 1) {
            axis.taps.push_back({0, 1, {1, 0, 0}});
        } else if (fromSize % 2 == 0) {
            axis.taps.push_back({2 * i, 2, {1, 1, 0}});
        } else {
            const auto index = static_cast<uint32_t>(i);
            axis.taps.push_back({2 * i, 3, {half - index, half, index + 1}});
        }
    }
    return axis;
}

template <class Use>
void forEachTap(const Taps& across, const Taps& up, Use use) {
    for (int j = 0; j < up.count; ++j) {
        for (int i = 0; i < across.count; ++i) {
            use(across.first + i, up.first + j, uint64_t{across.weight[i]} * up.weight[j]);
        }
    }
}

void downsampleWords(const Image& from, Image& to, const Axis& across, const Axis& up) {
    const uint64_t total = uint64_t{across.total} * up.total;
    for (int y = 0; y < to.height(); ++y) {
        for (int x = 0; x < to.width(); ++x) {
            uint64_t sum[4] = {};
            forEachTap(across.taps[x], up.taps[y], [&](int fromX, int fromY, uint64_t weight) {
                const uint32_t texel = from.texel32(fromX, fromY);
                for (int c = 0; c < 4; ++c) sum[c] += weight * (texel >> (8 * c) & 0xFF);
            });
            uint32_t word = 0;
            for (int c = 0; c < 4; ++c) word |= static_cast<uint32_t>((sum[c] + total / 2) / total) << (8 * c);
            to.setTexel32(x, y, conform(to.format(), word));
        }
    }
}

void downsampleLight(const Image& from, Image& to, const Axis& across, const Axis& up) {
    for (int y = 0; y < to.height(); ++y)
        for (int x = 0; x < to.width(); ++x) {
            LightSum sum;
            forEachTap(across.taps[x], up.taps[y],
                       [&](int fromX, int fromY, uint64_t weight) { sum.add(from.texel32(fromX, fromY), weight); });
            to.setTexel32(x, y, conform(to.format(), sum.mean(uint64_t{across.total} * up.total)));
        }
}

void downsampleDepth(const Image& from, Image& to, const Axis& across, const Axis& up) {
    const uint64_t total = uint64_t{across.total} * up.total;
    WordRow run;
    for (int y = 0; y < to.height(); ++y) {
        for (int x = 0; x < to.width(); ++x) {
            uint64_t sum = 0;
            forEachTap(across.taps[x], up.taps[y], [&](int fromX, int fromY, uint64_t weight) {
                sum += weight * (from.texel32(fromX, fromY) >> 8);
            });
            run.pixel[x % kRowPixels] = static_cast<uint32_t>((sum + total / 2) / total) << 8;
            if ((x + 1) % kRowPixels == 0 || x + 1 == to.width()) {
                const int count = x % kRowPixels + 1;
                conformDepth(to.format(), run, count);
                writeImageWords(to, x + 1 - count, y, run, count);
            }
        }
    }
}

/// One row of a float image, four floats for each pixel.
void loadNumberRow(const Image& image, int y, std::vector<float>& pixels) {
    NumberRow run;
    for (int x = 0; x < image.width(); x += kRowPixels) {
        const int count = std::min(kRowPixels, image.width() - x);
        readImageNumbers(image, x, y, run, count);
        std::copy_n(run.pixel[0], count * 4, pixels.data() + x * 4);
    }
}

void downsampleFloats(const Image& from, Image& to, const Axis& across, const Axis& up) {
    const double scale = 1.0 / (static_cast<double>(across.total) * up.total);
    std::vector<float> rows[3];
    for (auto& row : rows) row.resize(static_cast<size_t>(from.width()) * 4);
    NumberRow run;
    for (int y = 0; y < to.height(); ++y) {
        const Taps& taps = up.taps[y];
        for (int j = 0; j < taps.count; ++j) loadNumberRow(from, taps.first + j, rows[j]);
        for (int x = 0; x < to.width(); ++x) {
            double sum[4] = {};
            forEachTap(across.taps[x], taps, [&](int fromX, int fromY, uint64_t weight) {
                const float* texel = rows[fromY - taps.first].data() + fromX * 4;
                for (int c = 0; c < 4; ++c) sum[c] += static_cast<double>(weight) * texel[c];
            });
            float* result = run.pixel[x % kRowPixels];
            for (int c = 0; c < 4; ++c) result[c] = static_cast<float>(sum[c] * scale);
            if ((x + 1) % kRowPixels == 0 || x + 1 == to.width()) {
                const int count = x % kRowPixels + 1;
                writeImageNumbers(to, x + 1 - count, y, run, count);
            }
        }
    }
}

/// The first of the texels that make one.
void takeFirst(const Image& from, Image& to) {
    NumberRow run, all;
    for (int y = 0; y < to.height(); ++y) {
        for (int x = 0; x < to.width(); x += kRowPixels / 2) {
            const int count = std::min(kRowPixels / 2, to.width() - x);
            readImageNumbers(from, 2 * x, std::min(2 * y, from.height() - 1), all,
                             std::min(2 * count, from.width() - 2 * x));
            for (int i = 0; i < count; ++i) std::copy_n(all.pixel[2 * i], 4, run.pixel[i]);
            writeImageNumbers(to, x, y, run, count);
        }
    }
}

int halved(int size) { return size == 1 ? 1 : size / 2; }

/// Colours of eight bits whose integers are averaged.
bool areBytes(const Image& image, Averaged how) {
    return image.element() == Element::Rgba8 || (isSrgb(image.element()) && how == Averaged::AsCodes);
}

}  // namespace

bool downsamplesByBlocks(const Image& from, Averaged how) {
    return areBytes(from, how) && from.width() % 2 == 0 && from.height() % 2 == 0;
}

void downsampleRows(const Image& from, Image& to, int firstRow, int rows, Averaged how) {
    CHECK(downsamplesByBlocks(from, how));
    CHECK_EQ(to.width(), halved(from.width()));
    CHECK_EQ(to.height(), halved(from.height()));
    CHECK(from.element() == to.element());
    const BlockDownsample level = {from.block(0, 0),  to.block(0, 0),  from.blocksWide(),
                                   from.blocksHigh(), to.blocksWide(), to.format()};
    transferFunctions().downsample(level, firstRow, std::min(rows, to.blocksHigh() - firstRow));
}

void downsample(const Image& from, Image& to, Averaged how) {
    CHECK_EQ(to.width(), halved(from.width()));
    CHECK_EQ(to.height(), halved(from.height()));
    CHECK(from.element() == to.element());
    if (downsamplesByBlocks(from, how)) return downsampleRows(from, to, 0, to.blocksHigh(), how);
    const Axis across = makeAxis(from.width(), to.width());
    const Axis up = makeAxis(from.height(), to.height());
    if (areBytes(from, how)) return downsampleWords(from, to, across, up);
    switch (elementInfo(from.element()).number) {
        case Number::Depth:
            return downsampleDepth(from, to, across, up);
        case Number::Srgb:
            return downsampleLight(from, to, across, up);
        case Number::Unorm:
        case Number::Snorm:
        case Number::Float:
        case Number::SharedExponent:
        case Number::DepthFloat:
            return downsampleFloats(from, to, across, up);
        case Number::Uint:
        case Number::Sint:
            return takeFirst(from, to);
    }
}

}  // namespace tessera::texture
