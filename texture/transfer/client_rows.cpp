// Client layouts to rows and back, sixteen pixels at a time.
#include "texture/transfer/rows.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "texture/convert.h"
#include "texture/element_lanes.h"
#include "texture/transfer/layouts.h"
#include "texture/transfer/row_numbers.h"

// A layout that is not named here does not compile.
#pragma clang diagnostic error "-Wswitch"

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

/// A depth is none outside 0..1, also where it is stored as a float (OpenGL ES 3.0, section 3.8.3).
float clampedDepth(float depth) { return depth > 0 ? std::min(depth, 1.0f) : 0.0f; }
uint32_t depthFromFloat(float depth) {
    return static_cast<uint32_t>(static_cast<double>(clampedDepth(depth)) * static_cast<double>(kMax24) + 0.5);
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
        case ClientFormat::RedInteger:
            return 1;
        case ClientFormat::LuminanceAlpha:
        case ClientFormat::Rg:
        case ClientFormat::RgInteger:
            return 2;
        case ClientFormat::Rgb:
        case ClientFormat::RgbInteger:
            return 3;
        case ClientFormat::Rgba:
        case ClientFormat::Bgra:
        case ClientFormat::RgbaInteger:
            return 4;
        case ClientFormat::Depth:
        case ClientFormat::DepthStencil:
        case ClientFormat::Stencil:
            return 0;
    }
    return 0;
}

bool isIntegerFormat(ClientFormat format) {
    return format == ClientFormat::RedInteger || format == ClientFormat::RgInteger ||
           format == ClientFormat::RgbInteger || format == ClientFormat::RgbaInteger;
}

using Components = NumberRow;  // used flat: `componentCount` values for each pixel, tightly packed

/// `one`: what a missing alpha is.
void spread(ClientFormat format, const float* component, float one, NumberRow& row, int count) {
    for (int i = 0; i < count; ++i) {
        float* to = row.pixel[i];
        switch (format) {
            case ClientFormat::Alpha:
                to[0] = to[1] = to[2] = 0, to[3] = component[i];
                break;
            case ClientFormat::Luminance:
                to[0] = to[1] = to[2] = component[i], to[3] = one;
                break;
            case ClientFormat::LuminanceAlpha:
                to[0] = to[1] = to[2] = component[2 * i], to[3] = component[2 * i + 1];
                break;
            case ClientFormat::Rgb:
            case ClientFormat::RgbInteger:
                std::copy_n(component + 3 * i, 3, to), to[3] = one;
                break;
            case ClientFormat::Red:
            case ClientFormat::RedInteger:
                to[0] = component[i], to[1] = to[2] = 0, to[3] = one;
                break;
            case ClientFormat::Rg:
            case ClientFormat::RgInteger:
                std::copy_n(component + 2 * i, 2, to), to[2] = 0, to[3] = one;
                break;
            case ClientFormat::Rgba:
            case ClientFormat::RgbaInteger:
                std::copy_n(component + 4 * i, 4, to);
                break;
            case ClientFormat::Bgra:
            case ClientFormat::Depth:
            case ClientFormat::DepthStencil:
            case ClientFormat::Stencil:
                UNREACHABLE("client format without numbers");
        }
    }
}

void collect(ClientFormat format, const NumberRow& row, float* component, int count) {
    for (int i = 0; i < count; ++i) {
        const float* from = row.pixel[i];
        switch (format) {
            case ClientFormat::Alpha:
                component[i] = from[3];
                break;
            case ClientFormat::Luminance:
            case ClientFormat::Red:
            case ClientFormat::RedInteger:
                component[i] = from[0];
                break;
            case ClientFormat::Rg:
            case ClientFormat::RgInteger:
                std::copy_n(from, 2, component + 2 * i);
                break;
            case ClientFormat::LuminanceAlpha:
                component[2 * i] = from[0], component[2 * i + 1] = from[3];
                break;
            case ClientFormat::Rgb:
            case ClientFormat::RgbInteger:
                std::copy_n(from, 3, component + 3 * i);
                break;
            case ClientFormat::Rgba:
            case ClientFormat::RgbaInteger:
                std::copy_n(from, 4, component + 4 * i);
                break;
            case ClientFormat::Bgra:
            case ClientFormat::Depth:
            case ClientFormat::DepthStencil:
            case ClientFormat::Stencil:
                UNREACHABLE("client format without numbers");
        }
    }
}

/// The element that a pixel of a packed client type is; null for types that are no element of ours.
const ElementInfo* packedElement(ClientLayout layout) {
    switch (layout.type) {
        case ClientType::U2_10_10_10Rev:
            return &elementInfo(isIntegerFormat(layout.format) ? Element::Rgb10A2Uint : Element::Rgb10A2);
        case ClientType::U10F_11F_11FRev:
            return &elementInfo(Element::R11G11B10F);
        case ClientType::U5_9_9_9Rev:
            return &elementInfo(Element::Rgb9E5);
        case ClientType::U8:
        case ClientType::U16_565:
        case ClientType::U16_4444:
        case ClientType::U16_5551:
        case ClientType::U16:
        case ClientType::U32:
        case ClientType::U24_8:
        case ClientType::F16:
        case ClientType::F32:
        case ClientType::U16_4444Rev:
        case ClientType::U16_1555Rev:
        case ClientType::I8:
        case ClientType::I16:
        case ClientType::I32:
        case ClientType::F32_U24_8Rev:
            return nullptr;
    }
    return nullptr;
}

}  // namespace

int clientPixelBytes(ClientFormat format, ClientType type) {
    const int components = componentCount(format);
    const bool isInteger = isIntegerFormat(format);
    const int channels = format == ClientFormat::Bgra || isInteger ? 0 : components;  ///< that may be more than bytes
    switch (type) {
        case ClientType::U8:
            return format == ClientFormat::Stencil ? 1 : components;
        case ClientType::I8:
            return isInteger ? components : channels;
        case ClientType::U16_565:
            return format == ClientFormat::Rgb ? 2 : 0;
        case ClientType::U16_4444:
        case ClientType::U16_5551:
            return format == ClientFormat::Rgba ? 2 : 0;
        case ClientType::U16_4444Rev:
        case ClientType::U16_1555Rev:
            return format == ClientFormat::Bgra ? 2 : 0;
        case ClientType::U16:
            return format == ClientFormat::Depth ? 2 : isInteger ? 2 * components : 2 * channels;
        case ClientType::U32:
            return format == ClientFormat::Depth ? 4 : isInteger ? 4 * components : 0;
        case ClientType::I16:
            return isInteger ? 2 * components : 2 * channels;
        case ClientType::I32:
            return isInteger ? 4 * components : 0;
        case ClientType::U24_8:
            return format == ClientFormat::DepthStencil ? 4 : 0;
        case ClientType::F32_U24_8Rev:
            return format == ClientFormat::DepthStencil ? 8 : 0;
        case ClientType::F16:
            return channels * 2;
        case ClientType::F32:
            return format == ClientFormat::Depth ? 4 : channels * 4;
        case ClientType::U2_10_10_10Rev:
            return format == ClientFormat::Rgba || format == ClientFormat::RgbaInteger ? 4 : 0;
        case ClientType::U10F_11F_11FRev:
        case ClientType::U5_9_9_9Rev:
            return format == ClientFormat::Rgb ? 4 : 0;
    }
    return 0;
}

Carrier carrierOf(ClientFormat format, ClientType type) {
    if (clientPixelBytes(format, type) == 0) return Carrier::Invalid;
    if (format == ClientFormat::Depth || format == ClientFormat::DepthStencil || format == ClientFormat::Stencil)
        return Carrier::Depth;
    if (isIntegerFormat(format)) return Carrier::Integers;
    switch (type) {
        case ClientType::F16:
        case ClientType::F32:
        case ClientType::I8:
        case ClientType::U16:
        case ClientType::I16:
        case ClientType::U2_10_10_10Rev:
        case ClientType::U10F_11F_11FRev:
        case ClientType::U5_9_9_9Rev:
            return Carrier::Floats;
        case ClientType::U8:
        case ClientType::U16_565:
        case ClientType::U16_4444:
        case ClientType::U16_5551:
        case ClientType::U16_4444Rev:
        case ClientType::U16_1555Rev:
            return Carrier::Words;
        case ClientType::U32:
        case ClientType::U24_8:
        case ClientType::I32:
        case ClientType::F32_U24_8Rev:
            return Carrier::Invalid;
    }
    return Carrier::Invalid;
}

bool isSigned(ClientType type) { return type == ClientType::I8 || type == ClientType::I16 || type == ClientType::I32; }

void loadWords(ClientLayout layout, const std::byte* client, WordRow& row, int count) {
    const auto load = [&]<class Layout>() { loadRun<Layout::kBytes>(client, row, count, Layout::words); };
    if (!withLayout(layout, load)) UNREACHABLE("client layout that is no colour word");
}

void storeWords(ClientLayout layout, const WordRow& row, std::byte* client, int count) {
    const auto store = [&]<class Layout>() { storeRun<Layout::kBytes>(row, client, count, Layout::pixels); };
    if (!withLayout(layout, store)) UNREACHABLE("client layout that is no colour word");
}

namespace {

/// A depth in single precision with a stencil, as clients have it.
struct DepthAndStencil {
    float depth;
    uint32_t stencil;
};

}  // namespace

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
        case ClientType::F32_U24_8Rev:
            return loadDepthAs<DepthAndStencil>(client, row, count, [](DepthAndStencil d) {
                return depthFromFloat(d.depth) << 8 | (d.stencil & 0xFF);
            });
        default:
            UNREACHABLE("client type that is no depth");
    }
}

void storeDepth(ClientLayout layout, const WordRow& row, std::byte* client, int count) {
    const auto toFloat = [](uint32_t d) { return static_cast<float>(d >> 8) / static_cast<float>(kMax24); };
    switch (layout.type) {
        case ClientType::U8:
            return storeDepthAs<uint8_t>(row, client, count, [](uint32_t d) { return static_cast<uint8_t>(d); });
        case ClientType::U16:
            return storeDepthAs<uint16_t>(row, client, count,
                                          [](uint32_t d) { return rescale(d >> 8, kMax24, kMax16); });
        case ClientType::U32:
            return storeDepthAs<uint32_t>(row, client, count,
                                          [](uint32_t d) { return rescale(d >> 8, kMax24, kMax32); });
        case ClientType::U24_8:
            return storeDepthAs<uint32_t>(row, client, count, [](uint32_t d) { return d; });
        case ClientType::F32:
            return storeDepthAs<float>(row, client, count, toFloat);
        case ClientType::F32_U24_8Rev:
            return storeDepthAs<DepthAndStencil>(row, client, count,
                                                 [&](uint32_t d) { return DepthAndStencil{toFloat(d), d & 0xFF}; });
        default:
            UNREACHABLE("client type that is no depth");
    }
}

void loadDepthFloats(ClientLayout layout, const std::byte* client, NumberRow& row, int count) {
    const bool isFloat = layout.type == ClientType::F32, hasBoth = layout.type == ClientType::F32_U24_8Rev;
    WordRow words;
    if (!isFloat && !hasBoth) loadDepth(layout, client, words, count);
    for (int i = 0; i < count; ++i) {
        DepthAndStencil pixel{};
        if (hasBoth) {
            std::memcpy(&pixel, client + static_cast<size_t>(i) * sizeof pixel, sizeof pixel);
        } else if (isFloat) {
            std::memcpy(&pixel.depth, client + static_cast<size_t>(i) * sizeof(float), sizeof(float));
        } else {
            pixel = {static_cast<float>(words.pixel[i] >> 8) / static_cast<float>(kMax24), words.pixel[i] & 0xFF};
        }
        row.pixel[i][0] = clampedDepth(pixel.depth), row.pixel[i][1] = std::bit_cast<float>(pixel.stencil & 0xFF);
    }
}

void storeDepthFloats(ClientLayout layout, const NumberRow& row, std::byte* client, int count) {
    WordRow words;
    for (int i = 0; i < count; ++i) {
        const DepthAndStencil pixel = {row.pixel[i][0], std::bit_cast<uint32_t>(row.pixel[i][1])};
        if (layout.type == ClientType::F32_U24_8Rev)
            std::memcpy(client + static_cast<size_t>(i) * sizeof pixel, &pixel, sizeof pixel);
        else if (layout.type == ClientType::F32)
            std::memcpy(client + static_cast<size_t>(i) * sizeof(float), &pixel.depth, sizeof(float));
        else
            words.pixel[i] = depthFromFloat(pixel.depth) << 8 | pixel.stencil;
    }
    if (layout.type != ClientType::F32_U24_8Rev && layout.type != ClientType::F32)
        storeDepth(layout, words, client, count);
}

namespace {

void loadPacked(const ElementInfo& element, const std::byte* client, NumberRow& row, int count) {
    ElementRow elements;
    std::memcpy(elements.bytes, client, static_cast<size_t>(count) * 4);
    elementsToNumbers(element.element, elements, row, count);
}
void storePacked(const ElementInfo& element, const NumberRow& row, std::byte* client, int count) {
    ElementRow elements;
    numbersToElements(element.element, row, elements, count, 0xF);
    std::memcpy(client, elements.bytes, static_cast<size_t>(count) * 4);
}

/// Components of client memory, one behind the other.
template <class T, class Convert>
void loadComponents(const std::byte* client, float* component, int values, Convert convert) {
    for (int i = 0; i < values; ++i) {
        T value;
        std::memcpy(&value, client + static_cast<size_t>(i) * sizeof(T), sizeof(T));
        component[i] = convert(value);
    }
}
template <class T, class Convert>
void storeComponents(const float* component, std::byte* client, int values, Convert convert) {
    for (int i = 0; i < values; ++i) {
        const T value = convert(component[i]);
        std::memcpy(client + static_cast<size_t>(i) * sizeof(T), &value, sizeof(T));
    }
}

/// The part of 1 that a normalised component is, and the component that is nearest to a part (docs/sampling.md).
template <class T>
float fractionOf(T component) {
    return std::max(static_cast<float>(component) / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
}
template <class T>
T nearestOf(float fraction) {
    constexpr float kLeast = std::is_signed_v<T> ? -1.0f : 0.0f;
    const float within = fraction == fraction ? std::clamp(fraction, kLeast, 1.0f) : 0.0f;
    return static_cast<T>(__builtin_roundevenf(within * static_cast<float>(std::numeric_limits<T>::max())));
}

/// Calls use.operator()<T>() with the type of a component of integers.
template <class Use>
void withIntegerType(ClientType type, const Use& use) {
    switch (type) {
        case ClientType::U8:
            return use.template operator()<uint8_t>();
        case ClientType::U16:
            return use.template operator()<uint16_t>();
        case ClientType::U32:
            return use.template operator()<uint32_t>();
        case ClientType::I8:
            return use.template operator()<int8_t>();
        case ClientType::I16:
            return use.template operator()<int16_t>();
        case ClientType::I32:
            return use.template operator()<int32_t>();
        case ClientType::U16_565:
        case ClientType::U16_4444:
        case ClientType::U16_5551:
        case ClientType::U24_8:
        case ClientType::F16:
        case ClientType::F32:
        case ClientType::U16_4444Rev:
        case ClientType::U16_1555Rev:
        case ClientType::U2_10_10_10Rev:
        case ClientType::U10F_11F_11FRev:
        case ClientType::U5_9_9_9Rev:
        case ClientType::F32_U24_8Rev:
            UNREACHABLE("client type that is no integer");
    }
}

}  // namespace

void loadFloats(ClientLayout layout, const std::byte* client, NumberRow& row, int count) {
    if (carrierOf(layout.format, layout.type) == Carrier::Words) {
        WordRow words;
        loadWords(layout, client, words, count);
        return wordsToFloats(words, row, count);
    }
    if (const ElementInfo* element = packedElement(layout)) return loadPacked(*element, client, row, count);
    Components components;
    float* component = components.pixel[0];
    const int values = count * componentCount(layout.format);
    if (layout.type == ClientType::F32) {
        std::memcpy(component, client, static_cast<size_t>(values) * 4);
    } else if (layout.type == ClientType::I8) {
        loadComponents<int8_t>(client, component, values, fractionOf<int8_t>);
    } else if (layout.type == ClientType::I16) {
        loadComponents<int16_t>(client, component, values, fractionOf<int16_t>);
    } else if (layout.type == ClientType::U16) {
        loadComponents<uint16_t>(client, component, values, fractionOf<uint16_t>);
    } else {
        CHECK(layout.type == ClientType::F16);
        HalfRow halves;
        std::memcpy(halves.half, client, static_cast<size_t>(values) * 2);
        halvesToFloats(halves.half, component, values);
    }
    spread(layout.format, component, 1, row, count);
}

void storeFloats(ClientLayout layout, const NumberRow& row, std::byte* client, int count) {
    if (carrierOf(layout.format, layout.type) == Carrier::Words) {
        WordRow words;
        floatsToWords(row, words, count);
        return storeWords(layout, words, client, count);
    }
    if (const ElementInfo* element = packedElement(layout)) return storePacked(*element, row, client, count);
    Components components;
    float* component = components.pixel[0];
    collect(layout.format, row, component, count);
    const int values = count * componentCount(layout.format);
    if (layout.type == ClientType::F32) {
        std::memcpy(client, component, static_cast<size_t>(values) * 4);
    } else if (layout.type == ClientType::I8) {
        storeComponents<int8_t>(component, client, values, nearestOf<int8_t>);
    } else if (layout.type == ClientType::I16) {
        storeComponents<int16_t>(component, client, values, nearestOf<int16_t>);
    } else if (layout.type == ClientType::U16) {
        storeComponents<uint16_t>(component, client, values, nearestOf<uint16_t>);
    } else {
        CHECK(layout.type == ClientType::F16);
        HalfRow halves;
        floatsToHalves(component, halves.half, values);
        std::memcpy(client, halves.half, static_cast<size_t>(values) * 2);
    }
}

void loadIntegers(ClientLayout layout, const std::byte* client, NumberRow& row, int count) {
    if (const ElementInfo* element = packedElement(layout)) return loadPacked(*element, client, row, count);
    Components components;
    float* component = components.pixel[0];
    withIntegerType(layout.type, [&]<class T>() {
        loadComponents<T>(client, component, count * componentCount(layout.format), [](T value) {
            return std::bit_cast<float>(static_cast<int32_t>(value));  // extended as the type says
        });
    });
    spread(layout.format, component, std::bit_cast<float>(1), row, count);
}

void storeIntegers(ClientLayout layout, const NumberRow& row, std::byte* client, int count) {
    if (const ElementInfo* element = packedElement(layout)) return storePacked(*element, row, client, count);
    Components components;
    float* component = components.pixel[0];
    collect(layout.format, row, component, count);
    withIntegerType(layout.type, [&]<class T>() {
        using Wide = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
        storeComponents<T>(component, client, count * componentCount(layout.format), [](float number) {
            return static_cast<T>(std::clamp(std::bit_cast<Wide>(number), Wide{std::numeric_limits<T>::min()},
                                             Wide{std::numeric_limits<T>::max()}));
        });
    });
}

}  // namespace tessera::texture
