// Mipmap levels of volumes: the box filter of downsample.cpp along three axes. Integers are summed whole and rounded
// once, halves up; floats and light are summed in double, in the order x, y, z. Of integers it is the first texel.
#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"
#include "texture/convert.h"
#include "texture/transfer/light_sum.h"
#include "texture/transfer/rows.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

namespace {

/// The texels of an axis of size `from` that make output i: their first, their integer weights, the weights' sum.
struct Taps {
    int first = 0, count = 1;
    std::array<uint32_t, 3> weight{1, 0, 0};
    uint32_t total = 1;
};
Taps tapsOf(int from, int i) {
    if (from == 1) return {};
    if (from % 2 == 0) return {2 * i, 2, {1, 1, 0}, 2};
    const auto half = static_cast<uint32_t>(from / 2), index = static_cast<uint32_t>(i);
    return {2 * i, 3, {half - index, half, index + 1}, static_cast<uint32_t>(from)};
}

template <class Use>
void forEachTap(const Taps& x, const Taps& y, const Taps& z, Use use) {
    for (int k = 0; k < z.count; ++k)
        for (int j = 0; j < y.count; ++j)
            for (int i = 0; i < x.count; ++i)
                use(x.first + i, y.first + j, z.first + k, uint64_t{x.weight[i]} * y.weight[j] * z.weight[k]);
}

void downsampleWords(const std::vector<Image>& from, Image& to, const Taps& z) {
    for (int y = 0; y < to.height(); ++y) {
        const Taps up = tapsOf(from[0].height(), y);
        for (int x = 0; x < to.width(); ++x) {
            const Taps across = tapsOf(from[0].width(), x);
            const uint64_t total = uint64_t{across.total} * up.total * z.total;
            uint64_t sum[4] = {};
            forEachTap(across, up, z, [&](int fromX, int fromY, int fromZ, uint64_t weight) {
                const uint32_t texel = from[static_cast<size_t>(fromZ)].texel32(fromX, fromY);
                for (int c = 0; c < 4; ++c) sum[c] += weight * (texel >> (8 * c) & 0xFF);
            });
            uint32_t word = 0;
            for (int c = 0; c < 4; ++c) word |= static_cast<uint32_t>((sum[c] + total / 2) / total) << (8 * c);
            to.setTexel32(x, y, conform(to.format(), word));
        }
    }
}

void downsampleLight(const std::vector<Image>& from, Image& to, const Taps& z) {
    for (int y = 0; y < to.height(); ++y) {
        const Taps up = tapsOf(from[0].height(), y);
        for (int x = 0; x < to.width(); ++x) {
            const Taps across = tapsOf(from[0].width(), x);
            LightSum sum;
            forEachTap(across, up, z, [&](int fromX, int fromY, int fromZ, uint64_t weight) {
                sum.add(from[static_cast<size_t>(fromZ)].texel32(fromX, fromY), weight);
            });
            to.setTexel32(x, y, conform(to.format(), sum.mean(uint64_t{across.total} * up.total * z.total)));
        }
    }
}

using Floats = std::vector<float>;  ///< of a slice, four for each texel

/// Calls use(x, y, count) for each run of a row.
template <class Use>
void forEachRun(const Image& slice, Use use) {
    for (int y = 0; y < slice.height(); ++y)
        for (int x = 0; x < slice.width(); x += kRowPixels) use(x, y, std::min(kRowPixels, slice.width() - x));
}

Floats floatsOf(const Image& slice) {
    Floats texels;
    texels.reserve(static_cast<size_t>(slice.width()) * slice.height() * 4);
    forEachRun(slice, [&](int x, int y, int count) {
        NumberRow run;
        readImageNumbers(slice, x, y, run, count);
        texels.insert(texels.end(), run.pixel[0], run.pixel[0] + static_cast<ptrdiff_t>(count) * 4);
    });
    return texels;
}
void writeFloats(Image& slice, const Floats& texels) {
    const float* next = texels.data();
    forEachRun(slice, [&](int x, int y, int count) {
        NumberRow run;
        std::copy_n(next, count * 4, run.pixel[0]);
        next += static_cast<ptrdiff_t>(count) * 4;
        writeImageNumbers(slice, x, y, run, count);
    });
}

void downsampleFloats(const std::vector<Image>& from, Image& to, const Taps& z) {
    std::vector<Floats> slices;
    for (int i = 0; i < z.count; ++i) slices.push_back(floatsOf(from[static_cast<size_t>(z.first + i)]));
    const int fromWidth = from[0].width();
    Floats result;
    for (int y = 0; y < to.height(); ++y) {
        const Taps up = tapsOf(from[0].height(), y);
        for (int x = 0; x < to.width(); ++x) {
            const Taps across = tapsOf(fromWidth, x);
            const double scale = 1.0 / (static_cast<double>(across.total) * up.total * z.total);
            const auto texelOf = [&](int fromX, int fromY, int fromZ) {
                return &slices[static_cast<size_t>(fromZ - z.first)]
                              [(static_cast<size_t>(fromY) * fromWidth + fromX) * 4];
            };
            if (isInteger(to.element())) {
                const float* texel = texelOf(across.first, up.first, z.first);
                result.insert(result.end(), texel, texel + 4);
                continue;
            }
            double sum[4] = {};
            forEachTap(across, up, z, [&](int fromX, int fromY, int fromZ, uint64_t weight) {
                const float* texel = texelOf(fromX, fromY, fromZ);
                for (size_t c = 0; c < 4; ++c) sum[c] += static_cast<double>(weight) * texel[c];
            });
            for (const double channel : sum) result.push_back(static_cast<float>(channel * scale));
        }
    }
    writeFloats(to, result);
}

std::vector<Image> slicesOf(const ImagePtr& volume) {
    std::vector<Image> slices;
    for (int z = 0; z < volume->depth(); ++z) slices.emplace_back(volume, z);
    return slices;
}

}  // namespace

void downsampleVolume(const ImagePtr& from, const ImagePtr& to, Averaged how) {
    const auto halved = [](int size) { return std::max(size / 2, 1); };
    CHECK_EQ(to->width(), halved(from->width()));
    CHECK_EQ(to->height(), halved(from->height()));
    CHECK_EQ(to->depth(), halved(from->depth()));
    CHECK(from->element() == to->element() && !isDepth(from->element()));
    const std::vector<Image> slices = slicesOf(from);
    std::vector<Image> results = slicesOf(to);
    for (int z = 0; z < to->depth(); ++z) {
        const Taps taps = tapsOf(from->depth(), z);
        if (isSrgb(from->element()) && how == Averaged::AsLight)
            downsampleLight(slices, results[static_cast<size_t>(z)], taps);
        else if (holdsBytes(from->element()))
            downsampleWords(slices, results[static_cast<size_t>(z)], taps);
        else
            downsampleFloats(slices, results[static_cast<size_t>(z)], taps);
    }
}

}  // namespace tessera::texture
