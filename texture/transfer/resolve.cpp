// Resolve: from the samples of a pixel to one value (OpenGL ES 2.0.25, section 3.2; EXT_multisampled_render_to_texture
// leaves the function to the implementation). The box filter, rounded once for each channel; transfer.h has the rule.
#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "texture/convert.h"
#include "texture/srgb.h"
#include "texture/transfer/rows.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

namespace {

static_assert(kMaxSamples == 4);

U32x16 expand(U32x16 c, int bits) {
    switch (bits) {
        case 1:
            return expand1(c);
        case 4:
            return expand4(c);
        case 5:
            return expand5(c);
        case 6:
            return expand6(c);
        default:
            return c;
    }
}

/// Whether every channel of a 32-bit colour format is kept at eight bits.
bool isByteFormat(const FormatInfo& info) {
    const auto isByte = [](uint8_t bits) { return bits == 0 || bits == 8; };
    return isByte(info.red) && isByte(info.green) && isByte(info.blue) && isByte(info.alpha);
}

/// Two channels of a word at a time.
U32x16 meanBytes(const U32x16 (&sample)[kMaxSamples]) {
    constexpr uint32_t kLow = 0x00FF00FF, kTwo = 0x00020002;
    U32x16 redBlue = splat(kTwo), greenAlpha = splat(kTwo);
    for (const U32x16& one : sample) {
        redBlue += one & kLow;
        greenAlpha += one >> 8u & kLow;
    }
    return (redBlue >> 2u & kLow) | (greenAlpha >> 2u & kLow) << 8u;
}

/// Channels of fewer bits: the top n bits of an expanded n-bit value are the value.
U32x16 meanPacked(const FormatInfo& info, const U32x16 (&sample)[kMaxSamples]) {
    const uint8_t bits[4] = {info.red, info.green, info.blue, info.alpha};
    U32x16 result = splat(0u);
    for (int channel = 0; channel < 4; ++channel) {
        const auto shift = static_cast<uint32_t>(8 * channel);
        const int kept = bits[channel] == 0 ? 8 : bits[channel];
        U32x16 sum = splat(2u);
        for (const U32x16& one : sample) sum += (one >> shift & 0xFFu) >> static_cast<uint32_t>(8 - kept);
        result |= expand(sum >> 2u, kept) << shift;
    }
    return result;
}

/// Encoded colours are averaged as light.
U32x16 meanSrgb(const U32x16 (&sample)[kMaxSamples]) {
    U32x16 result = meanBytes(sample) & 0xFF000000u;
    for (uint32_t shift = 0; shift < 24; shift += 8) {
        F32x16 light[kMaxSamples];
        for (int i = 0; i < kMaxSamples; ++i) light[i] = srgbToLinear(sample[i] >> shift & 0xFFu);
        result |= linearToSrgb(((light[0] + light[1]) + (light[2] + light[3])) * 0.25f) << shift;
    }
    return result;
}

/// Whether meanWords() is for them.
bool hasMeanOfWords(Element element) {
    return holdsBytes(element) || (isDepth(element) && elementInfo(element).words == 1);
}
U32x16 meanWords(const FormatInfo& info, const U32x16 (&sample)[kMaxSamples]) {
    if (isDepth(info.element)) return sample[0];
    if (info.srgb()) return meanSrgb(sample);
    return isByteFormat(info) ? meanBytes(sample) : meanPacked(info, sample);
}

/// A quarter of a float is exact but at the very bottom, so the sum of four large ones stays finite.
F32x16 meanFloats(const F32x16 (&sample)[kMaxSamples]) {
    const F32x16 mean = (sample[0] * 0.25f + sample[1] * 0.25f) + (sample[2] * 0.25f + sample[3] * 0.25f);
    return select(mean == mean, mean, asFloat(splat(0x7fc00000)));
}

/// Resolves images of one format with 32-bit elements, block by block.
void resolveBlockRow(const Image& from, Image& to, int by) {
    const FormatInfo& info = formatInfo(from.format());
    for (int bx = 0; bx < std::min(from.blocksWide(), to.blocksWide()); ++bx) {
        U32x16 sample[kMaxSamples];
        for (int i = 0; i < kMaxSamples; ++i) {
            sample[i] = load<U32x16>(reinterpret_cast<const uint32_t*>(from.sampleBlock(i, bx, by)));
        }
        store(to.block32(bx, by), meanWords(info, sample));
    }
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
    const int lastRow = std::min({firstRow + rows, from.blocksHigh(), to.blocksHigh()});
    const int width = std::min(from.width(), to.width()), height = std::min(from.height(), to.height());
    const bool sameSize = from.width() == to.width() && from.height() == to.height();
    const bool byBlocks = from.samples() == kMaxSamples && to.samples() == 1 && from.format() == to.format() &&
                          hasMeanOfWords(from.element()) && sameSize;
    for (int by = std::max(firstRow, 0); by < lastRow; ++by) {
        if (byBlocks) {
            resolveBlockRow(from, to, by);
        } else {
            const int y = by * kBlockSize;
            copy(from, 0, y, to, {0, y, width, std::min(kBlockSize, height - y)});
        }
    }
}

void resolve(const Image& from, Image& to) { resolveRows(from, to, 0, from.blocksHigh()); }

}  // namespace tessera::texture
