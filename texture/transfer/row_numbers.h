// What both halves of rows (rows.h) make numbers of: depths of other widths, elements and halves that lie one behind
// the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture/convert.h"
#include "texture/element_lanes.h"
#include "texture/transfer/layouts.h"
#include "texture/transfer/rows.h"

namespace tessera::texture {

// Depth between 16, 24 and 32 bits: rounded to nearest, round(d * (2^m - 1) / (2^n - 1)), but for 16 to 24 bits,
// where the upper byte is repeated below as the pixel engine does: drawn and uploaded depths must compare equal.
inline constexpr uint64_t kMax16 = 0xFFFF, kMax24 = 0xFFFFFF, kMax32 = 0xFFFFFFFF;
constexpr uint32_t rescale(uint64_t value, uint64_t fromMax, uint64_t toMax) {
    return static_cast<uint32_t>((value * toMax + fromMax / 2) / fromMax);
}
constexpr uint32_t depthFrom16(uint32_t depth) { return depth << 8 | depth >> 8; }

/// Sixteen pixels of a row.
inline Texels texelsOf(const float (*pixel)[4]) {
    Texels texels;
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < kBlockLanes; ++lane) texels.channel[c][lane] = pixel[lane][c];
    return texels;
}
inline void storePixels(const Texels& texels, float (*pixel)[4]) {
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < kBlockLanes; ++lane) pixel[lane][c] = texels.channel[c][lane];
}

/// A run of elements, one behind the other.
struct alignas(64) ElementRow {
    std::byte bytes[kRowPixels * 16] = {};
};
/// Their numbers, as floats where they are normalised.
inline void elementsToNumbers(Element element, const ElementRow& elements, NumberRow& row, int count) {
    const ElementFunctions& functions = elementFunctions(element);
    const int bytes = elementBytes(element);
    for (int i = 0; i < count; i += kBlockLanes) {
        Texels numbers;
        functions.load(elements.bytes + i * bytes, numbers);
        storePixels(ofUnits(element, numbers), row.pixel + i);
    }
}
/// `channels` of the elements.
inline void numbersToElements(Element element, const NumberRow& row, ElementRow& elements, int count,
                              uint32_t channels) {
    const ElementFunctions& functions = elementFunctions(element);
    const int bytes = elementBytes(element);
    for (int i = 0; i < count; i += kBlockLanes)
        functions.store(elements.bytes + i * bytes, inUnits(element, texelsOf(row.pixel + i)), 0xFFFF, channels);
}

struct alignas(64) HalfRow {
    uint16_t half[kRowPixels * 4] = {};
};
inline void halvesToFloats(const uint16_t* halves, float* floats, int count) {
    for (int i = 0; i < count; i += 16) {
        store(floats + i, halfToFloat(__builtin_convertvector(load<U16x16>(halves + i), U32x16)));
    }
}
inline void floatsToHalves(const float* floats, uint16_t* halves, int count) {
    for (int i = 0; i < count; i += 16) store(halves + i, toU16(floatToHalf(load<F32x16>(floats + i))));
}

}  // namespace tessera::texture
