// Client layouts to rows and back, sixteen pixels at a time, and rows in and out of blocks.
#include "texture/transfer/rows.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "texture/convert.h"
#include "texture/transfer/layouts.h"

namespace tessera::texture {

namespace {

/// Converts `count` pixels with `convert`, which reads sixteen pixels of client memory. The last, partial run is
/// moved to a local copy first: client memory ends where the pixels end.
template <int kPixelBytes, class Convert>
void loadRun(const std::byte* client, WordRow& row, int count, Convert convert) {
    int i = 0;
    for (; i + 16 <= count; i += 16) store(row.pixel + i, convert(client + static_cast<size_t>(i) * kPixelBytes));
    if (i < count) {
        std::byte tail[16 * kPixelBytes] = {};
        std::memcpy(tail, client + static_cast<size_t>(i) * kPixelBytes, static_cast<size_t>(count - i) * kPixelBytes);
        store(row.pixel + i, convert(tail));
    }
}

/// The reverse: `convert` returns a vector of sixteen client pixels.
template <int kPixelBytes, class Convert>
void storeRun(const WordRow& row, std::byte* client, int count, Convert convert) {
    for (int i = 0; i < count; i += 16) {
        auto pixels = convert(load<U32x16>(row.pixel + i));
        static_assert(sizeof pixels >= 16 * kPixelBytes);
        std::byte* to = client + static_cast<size_t>(i) * kPixelBytes;
        if (i + 16 <= count) {
            std::memcpy(to, &pixels, 16 * kPixelBytes);
        } else {
            std::memcpy(to, &pixels, static_cast<size_t>(count - i) * kPixelBytes);
        }
    }
}

// Depth between 16, 24 and 32 bits: rounded to nearest, round(d * (2^m - 1) / (2^n - 1)), but for 16 to 24 bits,
// where the upper byte is repeated below as the pixel engine does: drawn and uploaded depths must compare equal.
constexpr uint64_t kMax16 = 0xFFFF, kMax24 = 0xFFFFFF, kMax32 = 0xFFFFFFFF;
constexpr uint32_t rescale(uint64_t value, uint64_t fromMax, uint64_t toMax) {
    return static_cast<uint32_t>((value * toMax + fromMax / 2) / fromMax);
}
constexpr uint32_t depthFrom16(uint32_t depth) { return depth << 8 | depth >> 8; }
uint32_t depthFromFloat(float depth) {
    double clamped = depth > 0 ? std::min(static_cast<double>(depth), 1.0) : 0.0;
    return static_cast<uint32_t>(clamped * static_cast<double>(kMax24) + 0.5);
}

template <class T, class Convert>
void loadDepthAs(const std::byte* client, WordRow& row, int count, Convert convert) {
    for (int i = 0; i < count; ++i) {
        T value;
        std::memcpy(&value, client + static_cast<size_t>(i) * sizeof(T), sizeof(T));
        row.pixel[i] = convert(value);
    }
}
template <class T, class Convert>
void storeDepthAs(const WordRow& row, std::byte* client, int count, Convert convert) {
    for (int i = 0; i < count; ++i) {
        T value = convert(row.pixel[i]);
        std::memcpy(client + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
    }
}

int componentCount(ClientFormat format) {
    switch (format) {
        case ClientFormat::Alpha:
        case ClientFormat::Luminance:
        case ClientFormat::Red:
            return 1;
        case ClientFormat::LuminanceAlpha:
        case ClientFormat::Rg:
            return 2;
        case ClientFormat::Rgb:
            return 3;
        case ClientFormat::Rgba:
        case ClientFormat::Bgra:
            return 4;
        case ClientFormat::Depth:
        case ClientFormat::DepthStencil:
            return 0;
    }
    return 0;
}

using Components = FloatRow;  // used flat: `componentCount` values for each pixel, tightly packed

void spread(ClientFormat format, const float* component, FloatRow& row, int count) {
    for (int i = 0; i < count; ++i) {
        float* to = row.pixel[i];
        switch (format) {
            case ClientFormat::Alpha:
                to[0] = to[1] = to[2] = 0, to[3] = component[i];
                break;
            case ClientFormat::Luminance:
                to[0] = to[1] = to[2] = component[i], to[3] = 1;
                break;
            case ClientFormat::LuminanceAlpha:
                to[0] = to[1] = to[2] = component[2 * i], to[3] = component[2 * i + 1];
                break;
            case ClientFormat::Rgb:
                std::copy_n(component + 3 * i, 3, to), to[3] = 1;
                break;
            case ClientFormat::Red:
                to[0] = component[i], to[1] = to[2] = 0, to[3] = 1;
                break;
            case ClientFormat::Rg:
                std::copy_n(component + 2 * i, 2, to), to[2] = 0, to[3] = 1;
                break;
            default:
                std::copy_n(component + 4 * i, 4, to);
        }
    }
}

void collect(ClientFormat format, const FloatRow& row, float* component, int count) {
    for (int i = 0; i < count; ++i) {
        const float* from = row.pixel[i];
        switch (format) {
            case ClientFormat::Alpha:
                component[i] = from[3];
                break;
            case ClientFormat::Luminance:
            case ClientFormat::Red:
                component[i] = from[0];
                break;
            case ClientFormat::Rg:
                std::copy_n(from, 2, component + 2 * i);
                break;
            case ClientFormat::LuminanceAlpha:
                component[2 * i] = from[0], component[2 * i + 1] = from[3];
                break;
            case ClientFormat::Rgb:
                std::copy_n(from, 3, component + 3 * i);
                break;
            default:
                std::copy_n(from, 4, component + 4 * i);
        }
    }
}

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

struct alignas(64) HalfRow {
    uint16_t half[kRowPixels * 4] = {};
};
void halvesToFloats(const uint16_t* halves, float* floats, int count) {
    for (int i = 0; i < count; i += 16) {
        store(floats + i, halfToFloat(__builtin_convertvector(load<U16x16>(halves + i), U32x16)));
    }
}
void floatsToHalves(const float* floats, uint16_t* halves, int count) {
    for (int i = 0; i < count; i += 16) store(halves + i, toU16(floatToHalf(load<F32x16>(floats + i))));
}

}  // namespace

int clientPixelBytes(ClientFormat format, ClientType type) {
    const int components = componentCount(format);
    switch (type) {
        case ClientType::U8:
            return components;
        case ClientType::U16_565:
            return format == ClientFormat::Rgb ? 2 : 0;
        case ClientType::U16_4444:
        case ClientType::U16_5551:
            return format == ClientFormat::Rgba ? 2 : 0;
        case ClientType::U16_4444Rev:
        case ClientType::U16_1555Rev:
            return format == ClientFormat::Bgra ? 2 : 0;
        case ClientType::U16:
            return format == ClientFormat::Depth ? 2 : 0;
        case ClientType::U32:
            return format == ClientFormat::Depth ? 4 : 0;
        case ClientType::U24_8:
            return format == ClientFormat::DepthStencil ? 4 : 0;
        case ClientType::F16:
            return format == ClientFormat::Bgra ? 0 : components * 2;
        case ClientType::F32:
            if (format == ClientFormat::Depth) return 4;
            return format == ClientFormat::Bgra ? 0 : components * 4;
    }
    return 0;
}

Carrier carrierOf(ClientFormat format, ClientType type) {
    if (clientPixelBytes(format, type) == 0) return Carrier::Invalid;
    if (format == ClientFormat::Depth || format == ClientFormat::DepthStencil) return Carrier::Depth;
    return type == ClientType::F16 || type == ClientType::F32 ? Carrier::Floats : Carrier::Words;
}

void loadWords(ClientLayout layout, const std::byte* client, WordRow& row, int count) {
    const auto load = [&]<class Layout>() { loadRun<Layout::kBytes>(client, row, count, Layout::words); };
    if (!withLayout(layout, load)) UNREACHABLE("client layout that is no colour word");
}

void storeWords(ClientLayout layout, const WordRow& row, std::byte* client, int count) {
    const auto store = [&]<class Layout>() { storeRun<Layout::kBytes>(row, client, count, Layout::pixels); };
    if (!withLayout(layout, store)) UNREACHABLE("client layout that is no colour word");
}

void loadDepth(ClientLayout layout, const std::byte* client, WordRow& row, int count) {
    switch (layout.type) {
        case ClientType::U16:
            return loadDepthAs<uint16_t>(client, row, count, [](uint16_t d) { return depthFrom16(d) << 8; });
        case ClientType::U32:
            return loadDepthAs<uint32_t>(client, row, count,
                                         [](uint32_t d) { return rescale(d, kMax32, kMax24) << 8; });
        case ClientType::U24_8:
            return loadDepthAs<uint32_t>(client, row, count, [](uint32_t d) { return d; });
        case ClientType::F32:
            return loadDepthAs<float>(client, row, count, [](float d) { return depthFromFloat(d) << 8; });
        default:
            UNREACHABLE("client type that is no depth");
    }
}

void storeDepth(ClientLayout layout, const WordRow& row, std::byte* client, int count) {
    switch (layout.type) {
        case ClientType::U16:
            return storeDepthAs<uint16_t>(row, client, count,
                                          [](uint32_t d) { return rescale(d >> 8, kMax24, kMax16); });
        case ClientType::U32:
            return storeDepthAs<uint32_t>(row, client, count,
                                          [](uint32_t d) { return rescale(d >> 8, kMax24, kMax32); });
        case ClientType::U24_8:
            return storeDepthAs<uint32_t>(row, client, count, [](uint32_t d) { return d; });
        case ClientType::F32:
            return storeDepthAs<float>(
                row, client, count, [](uint32_t d) { return static_cast<float>(d >> 8) / static_cast<float>(kMax24); });
        default:
            UNREACHABLE("client type that is no depth");
    }
}

void loadFloats(ClientLayout layout, const std::byte* client, FloatRow& row, int count) {
    if (carrierOf(layout.format, layout.type) == Carrier::Words) {
        WordRow words;
        loadWords(layout, client, words, count);
        return wordsToFloats(words, row, count);
    }
    Components components;
    float* component = components.pixel[0];
    const int values = count * componentCount(layout.format);
    if (layout.type == ClientType::F32) {
        std::memcpy(component, client, static_cast<size_t>(values) * 4);
    } else {
        HalfRow halves;
        std::memcpy(halves.half, client, static_cast<size_t>(values) * 2);
        halvesToFloats(halves.half, component, values);
    }
    spread(layout.format, component, row, count);
}

void storeFloats(ClientLayout layout, const FloatRow& row, std::byte* client, int count) {
    if (carrierOf(layout.format, layout.type) == Carrier::Words) {
        WordRow words;
        floatsToWords(row, words, count);
        return storeWords(layout, words, client, count);
    }
    Components components;
    float* component = components.pixel[0];
    collect(layout.format, row, component, count);
    const int values = count * componentCount(layout.format);
    if (layout.type == ClientType::F32) {
        std::memcpy(client, component, static_cast<size_t>(values) * 4);
    } else {
        HalfRow halves;
        floatsToHalves(component, halves.half, values);
        std::memcpy(client, halves.half, static_cast<size_t>(values) * 2);
    }
}

void wordsToFloats(const WordRow& words, FloatRow& floats, int count) {
    for (int i = 0; i < count; ++i) {
        for (int c = 0; c < 4; ++c) floats.pixel[i][c] = static_cast<float>(words.pixel[i] >> (8 * c) & 0xFF) / 255.0f;
    }
}

void floatsToWords(const FloatRow& floats, WordRow& words, int count) {
    for (int i = 0; i < count; ++i) {
        uint32_t word = 0;
        for (int c = 0; c < 4; ++c) {
            float value = floats.pixel[i][c];
            value = value > 0 ? std::min(value, 1.0f) : 0.0f;
            word |= static_cast<uint32_t>(value * 255.0f + 0.5f) << (8 * c);
        }
        words.pixel[i] = word;
    }
}

void depthToFloats(const WordRow& words, FloatRow& floats, int count) {
    for (int i = 0; i < count; ++i) {
        const float depth = static_cast<float>(words.pixel[i] >> 8) / static_cast<float>(kMax24);
        floats.pixel[i][0] = floats.pixel[i][1] = floats.pixel[i][2] = depth;
        floats.pixel[i][3] = 1;
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

void conformFloats(PixelFormat format, FloatRow& row, int count) {
    const FormatInfo& info = formatInfo(format);
    for (int i = 0; i < count; ++i) {
        float* pixel = row.pixel[i];
        if (info.luminance != 0) {
            pixel[1] = pixel[2] = pixel[0];
        } else {
            if (info.red == 0) pixel[0] = 0;
            if (info.green == 0) pixel[1] = 0;
            if (info.blue == 0) pixel[2] = 0;
        }
        if (info.alpha == 0) pixel[3] = 1;
    }
}

void readSampleWords(const Image& image, int sample, int x, int y, WordRow& row, int count) {
    gatherRow<4>(image, sample, x, y, row.pixel, count);
}

void readSampleFloats(const Image& image, int sample, int x, int y, FloatRow& row, int count) {
    if (image.element() == Element::Rgba32F) return gatherRow<16>(image, sample, x, y, row.pixel, count);
    CHECK(image.element() == Element::Rgba16F);
    HalfRow halves;
    gatherRow<8>(image, sample, x, y, halves.half, count);
    halvesToFloats(halves.half, row.pixel[0], count * 4);
}

void readImageWords(const Image& image, int x, int y, WordRow& row, int count) {
    if (image.samples() != 1) return resolveWordRow(image, x, y, row, count);
    readSampleWords(image, 0, x, y, row, count);
}

void writeImageWords(Image& image, int x, int y, const WordRow& row, int count) {
    scatterRow<4>(image, x, y, row.pixel, count);
}

void readImageRaw(const Image& image, int x, int y, std::byte* client, int count) {
    gatherRow<4>(image, 0, x, y, client, count);
}

void writeImageRaw(Image& image, int x, int y, const std::byte* client, int count) {
    scatterRow<4>(image, x, y, client, count);
}

void readImageFloats(const Image& image, int x, int y, FloatRow& row, int count) {
    switch (image.element()) {
        case Element::Rgba8:
        case Element::D24S8: {
            WordRow words;
            readImageWords(image, x, y, words, count);
            image.element() == Element::Rgba8 ? wordsToFloats(words, row, count) : depthToFloats(words, row, count);
            return;
        }
        case Element::Rgba16F:
        case Element::Rgba32F:
            if (image.samples() != 1) return resolveFloatRow(image, x, y, row, count);
            return readSampleFloats(image, 0, x, y, row, count);
    }
}

void writeImageFloats(Image& image, int x, int y, const FloatRow& row, int count) {
    if (image.element() == Element::Rgba32F) return scatterRow<16>(image, x, y, row.pixel, count);
    CHECK(image.element() == Element::Rgba16F);
    HalfRow halves;
    floatsToHalves(row.pixel[0], halves.half, count * 4);
    scatterRow<8>(image, x, y, halves.half, count);
}

}  // namespace tessera::texture
