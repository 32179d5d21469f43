// Resolve: from the samples of a pixel to one value (OpenGL ES 2.0.25, section 3.2; EXT_multisampled_render_to_texture
// leaves the function to the implementation). The box filter, rounded once for each channel; transfer.h has the rule.
#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "texture/transfer/rows.h"
#include "texture/transfer/sample_mean.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

namespace {

/// A quarter of a float is exact but at the very bottom, so the sum of four large ones stays finite.
F32x16 meanFloats(const F32x16 (&sample)[kMaxSamples]) {
    const F32x16 mean = (sample[0] * 0.25f + sample[1] * 0.25f) + (sample[2] * 0.25f + sample[3] * 0.25f);
    return select(mean == mean, mean, asFloat(splat(0x7fc00000)));
}

}  // namespace

void resolveWordRow(const Image& image, int x, int y, WordRow& row, int count) {
    WordRow samples[kMaxSamples];
    for (int i = 0; i < kMaxSamples; ++i) readSampleWords(image, i, x, y, samples[i], count);
    for (int i = 0; i < count; i += 16) {
        U32x16 sample[kMaxSamples];
        for (int j = 0; j < kMaxSamples; ++j) sample[j] = load<U32x16>(samples[j].pixel + i);
        store(row.pixel + i, meanWords(formatInfo(image.format()), sample));
    }
}

namespace {

/// Of a channel of normalised colours that are not bytes: as meanPacked(), with one division more.
float meanUnits(float unit, const NumberRow (&samples)[kMaxSamples], int pixel, int channel) {
    uint32_t sum = 2;
    for (const NumberRow& one : samples) sum += static_cast<uint32_t>(one.pixel[pixel][channel] * unit + 0.5f);
    return static_cast<float>(sum >> 2) / unit;
}

void meanNumbers(Element element, const NumberRow (&samples)[kMaxSamples], NumberRow& row, int count) {
    if (isNormalized(element)) {
        for (int i = 0; i < count; ++i)
            for (int c = 0; c < 4; ++c) row.pixel[i][c] = meanUnits(unitOf(element, c), samples, i, c);
        return;
    }
    for (int i = 0; i < count; i += 4) {  // four pixels of four channels
        F32x16 sample[kMaxSamples];
        for (int j = 0; j < kMaxSamples; ++j) std::memcpy(&sample[j], samples[j].pixel[i], sizeof sample[j]);
        const F32x16 mean = meanFloats(sample);
        std::memcpy(row.pixel[i], &mean, sizeof mean);
    }
}

}  // namespace

void resolveNumberRow(const Image& image, int x, int y, NumberRow& row, int count) {
    const Element element = image.element();
    if (isDepth(element) || isInteger(element)) return readSampleNumbers(image, 0, x, y, row, count);
    NumberRow samples[kMaxSamples];
    for (int i = 0; i < kMaxSamples; ++i) readSampleNumbers(image, i, x, y, samples[i], count);
    meanNumbers(element, samples, row, count);
}

void resolveRows(const Image& from, Image& to, int firstRow, int rows) {
    const int first = std::max(firstRow, 0), last = std::min({firstRow + rows, from.blocksHigh(), to.blocksHigh()});
    if (first >= last) return;
    const int y = first * kBlockSize, top = std::min({last * kBlockSize, from.height(), to.height()});
    copy(from, 0, y, to, {0, y, std::min(from.width(), to.width()), top - y});
}

void resolve(const Image& from, Image& to) { resolveRows(from, to, 0, from.blocksHigh()); }

}  // namespace tessera::texture
