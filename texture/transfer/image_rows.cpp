// Rows in and out of 4x4 blocks, and what the pixels of a row become in an image of a format.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/simd.h"
#include "texture/convert.h"
#include "texture/transfer/row_numbers.h"
#include "texture/transfer/rows.h"

namespace tessera::texture {

namespace {

/// The channels of four pixels.
using Bytes = uint8_t __attribute__((ext_vector_type(16)));

/// Calls use(block bytes of the element, index in the run, elements) for each part of the run within a block row.
template <int kBytes, class ImageType, class Use>
void forEachBlockRun(ImageType& image, int sample, int x, int y, int count, Use use) {
    auto at = [&](int column) {
        return image.sampleBlock(sample, column >> 2, y >> 2) +
               static_cast<size_t>((y & 3) * 4 + (column & 3)) * kBytes;
    };
    int done = 0;
    if ((x & 3) != 0) {
        done = std::min(count, 4 - (x & 3));
        use(at(x), 0, done);
    }
    for (; done + 4 <= count; done += 4) use(at(x + done), done, 4);
    if (done < count) use(at(x + done), done, count - done);
}

template <int kBytes>
void gatherRow(const Image& image, int sample, int x, int y, void* row, int count) {
    auto* to = static_cast<std::byte*>(row);
    forEachBlockRun<kBytes>(image, sample, x, y, count, [&](const std::byte* from, int index, int elements) {
        if (elements == 4) {
            std::memcpy(to + index * kBytes, from, 4 * kBytes);
        } else {
            std::memcpy(to + index * kBytes, from, static_cast<size_t>(elements) * kBytes);
        }
    });
}
template <int kBytes>
void scatterRow(Image& image, int x, int y, const void* row, int count) {
    const auto* from = static_cast<const std::byte*>(row);
    forEachBlockRun<kBytes>(image, 0, x, y, count, [&](std::byte* to, int index, int elements) {
        if (elements == 4) {
            std::memcpy(to, from + index * kBytes, 4 * kBytes);
        } else {
            std::memcpy(to, from + index * kBytes, static_cast<size_t>(elements) * kBytes);
        }
    });
}

}  // namespace

// Four pixels at a time: what is beyond the count is still of the row.

void wordsToFloats(const WordRow& words, NumberRow& floats, int count) {
    for (int i = 0; i < count; i += 4) {
        Bytes bytes;
        std::memcpy(&bytes, words.pixel + i, sizeof bytes);
        store(floats.pixel[i], __builtin_convertvector(bytes, F32x16) / 255.0f);
    }
}

void floatsToWords(const NumberRow& floats, WordRow& words, int count) {
    for (int i = 0; i < count; i += 4) {
        const F32x16 unit = clamp(load<F32x16>(floats.pixel[i]), 0.0f, 1.0f);
        const auto bytes = __builtin_convertvector(truncToInt(unit * 255.0f + 0.5f), Bytes);
        std::memcpy(words.pixel + i, &bytes, sizeof bytes);
    }
}

void conformWords(PixelFormat format, WordRow& row, int count) {
    if (format == PixelFormat::Rgba8 || format == PixelFormat::Bgra8) return;
    for (int i = 0; i < count; i += 16) store(row.pixel + i, conform(format, load<U32x16>(row.pixel + i)));
}

void conformDepth(PixelFormat format, WordRow& row, int count) {
    if (format != PixelFormat::Depth16) return;
    for (int i = 0; i < count; ++i) {
        row.pixel[i] = depthFrom16(rescale(row.pixel[i] >> 8, kMax24, kMax16)) << 8 | (row.pixel[i] & 0xFF);
    }
}

void conformNumbers(PixelFormat format, NumberRow& row, int count) {
    const FormatInfo& info = formatInfo(format);
    const auto one = std::bit_cast<float>(missingBits(info.element, 3));
    for (int i = 0; i < count; ++i) {
        float* pixel = row.pixel[i];
        if (info.luminance != 0) {
            pixel[1] = pixel[2] = pixel[0];
        } else {
            if (info.red == 0) pixel[0] = 0;
            if (info.green == 0) pixel[1] = 0;
            if (info.blue == 0) pixel[2] = 0;
        }
        if (info.alpha == 0) pixel[3] = one;
    }
}

bool canConvert(const Image& from, const Image& to) {
    if (isDepth(to.element())) return from.element() == to.element();
    if (!isInteger(from.element()) && !isInteger(to.element())) return true;
    return elementInfo(from.element()).number == elementInfo(to.element()).number;
}

bool convertsByWords(const Image& from, const Image& to) {
    if (holdsBytes(from.element()) && holdsBytes(to.element())) return true;
    if (from.element() != to.element() || elementInfo(to.element()).words != 1) return false;
    return isDepth(to.element()) || (from.format() == to.format() && from.samples() == 1);
}

void readSampleWords(const Image& image, int sample, int x, int y, WordRow& row, int count) {
    gatherRow<4>(image, sample, x, y, row.pixel, count);
}

namespace {

/// Four numbers of single precision, which are the pixels of a row.
bool isRowPixel(Element element) {
    const ElementInfo& row = elementInfo(element);
    return row.words == 4 && row.channel[3].bits == 32;
}

void gatherElements(const Image& image, int sample, int x, int y, void* elements, int count) {
    switch (elementInfo(image.element()).words) {
        case 1:
            return gatherRow<4>(image, sample, x, y, elements, count);
        case 2:
            return gatherRow<8>(image, sample, x, y, elements, count);
        default:
            return gatherRow<16>(image, sample, x, y, elements, count);
    }
}
void scatterElements(Image& image, int x, int y, const void* elements, int count) {
    switch (elementInfo(image.element()).words) {
        case 1:
            return scatterRow<4>(image, x, y, elements, count);
        case 2:
            return scatterRow<8>(image, x, y, elements, count);
        default:
            return scatterRow<16>(image, x, y, elements, count);
    }
}

}  // namespace

void readSampleNumbers(const Image& image, int sample, int x, int y, NumberRow& row, int count) {
    const Element element = image.element();
    if (isRowPixel(element)) return gatherRow<16>(image, sample, x, y, row.pixel, count);
    if (element == Element::Rgba16F) {  // halves in the order of a row's floats
        HalfRow halves;
        gatherRow<8>(image, sample, x, y, halves.half, count);
        return halvesToFloats(halves.half, row.pixel[0], count * 4);
    }
    ElementRow elements;
    gatherElements(image, sample, x, y, elements.bytes, count);
    elementsToNumbers(element, elements, row, count);
}

void readImageWords(const Image& image, int x, int y, WordRow& row, int count) {
    if (image.samples() != 1) return resolveWordRow(image, x, y, row, count);
    readSampleWords(image, 0, x, y, row, count);
}

void writeImageWords(Image& image, int x, int y, const WordRow& row, int count) {
    scatterRow<4>(image, x, y, row.pixel, count);
}

void readImageRaw(const Image& image, int x, int y, std::byte* client, int count) {
    gatherElements(image, 0, x, y, client, count);
}

void writeImageRaw(Image& image, int x, int y, const std::byte* client, int count) {
    scatterElements(image, x, y, client, count);
}

void readImageNumbers(const Image& image, int x, int y, NumberRow& row, int count) {
    if (holdsBytes(image.element())) {
        WordRow words;
        readImageWords(image, x, y, words, count);
        return wordsToFloats(words, row, count);
    }
    if (image.samples() != 1) return resolveNumberRow(image, x, y, row, count);
    readSampleNumbers(image, 0, x, y, row, count);
}

void writeImageNumbers(Image& image, int x, int y, NumberRow& row, int count) {
    const Element element = image.element();
    if (holdsBytes(element)) {
        WordRow words;
        floatsToWords(row, words, count);
        conformWords(image.format(), words, count);
        return writeImageWords(image, x, y, words, count);
    }
    ElementRow elements;
    if (isDepth(element))
        gatherElements(image, 0, x, y, elements.bytes, count);  // for the stencil
    else
        conformNumbers(image.format(), row, count);
    if (isRowPixel(element)) return scatterRow<16>(image, x, y, row.pixel, count);
    if (element == Element::Rgba16F) {
        HalfRow halves;
        floatsToHalves(row.pixel[0], halves.half, count * 4);
        return scatterRow<8>(image, x, y, halves.half, count);
    }
    numbersToElements(element, row, elements, count, 0xF);
    scatterElements(image, x, y, elements.bytes, count);
}

namespace {

int stencilWord(Element element) { return elementInfo(element).stencil.word; }
bool hasStencil(Element element) { return elementInfo(element).stencil.bits != 0; }

}  // namespace

void readDepthFloats(const Image& image, int x, int y, NumberRow& row, int count) {
    const Element element = image.element();
    const int words = elementInfo(element).words;
    ElementRow elements;
    gatherElements(image, 0, x, y, elements.bytes, count);
    const auto* word = reinterpret_cast<const uint32_t*>(elements.bytes);
    for (int i = 0; i < count; ++i) {
        row.pixel[i][0] = std::bit_cast<float>(word[i * words]);
        const uint32_t stencil = hasStencil(element) ? word[i * words + stencilWord(element)] & 0xFF : 0;
        row.pixel[i][1] = std::bit_cast<float>(stencil);
    }
}

void writeDepthFloats(Image& image, int x, int y, const NumberRow& row, int count, bool withStencil) {
    const Element element = image.element();
    const int words = elementInfo(element).words;
    ElementRow elements;
    gatherElements(image, 0, x, y, elements.bytes, count);
    auto* word = reinterpret_cast<uint32_t*>(elements.bytes);
    for (int i = 0; i < count; ++i) {
        word[i * words] = std::bit_cast<uint32_t>(row.pixel[i][0]);
        if (withStencil && hasStencil(element))
            word[i * words + stencilWord(element)] = std::bit_cast<uint32_t>(row.pixel[i][1]);
    }
    scatterElements(image, x, y, elements.bytes, count);
}

}  // namespace tessera::texture
