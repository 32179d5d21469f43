// Test support: texels as they are stored, in double precision, and images of any words.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

#include "texture/image.h"

namespace tessera::texture {

using Color = std::array<double, 4>;

template <class T>
T at(const std::byte* p, int index = 0) {
    T value;
    std::memcpy(&value, p + static_cast<size_t>(index) * sizeof(T), sizeof(T));
    return value;
}

inline double referenceHalf(uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) value = fraction == 0 ? INFINITY : NAN;
    return half & 0x8000 ? -value : value;
}

/// One texel of a colour image as stored, in units of 1 for floats and 1/255 for bytes.
inline Color stored(const Image& image, int x, int y) {
    const std::byte* element =
        image.block(x / 4, y / 4) + ((y % 4) * 4 + x % 4) * static_cast<size_t>(elementBytes(image.element()));
    Color c{};
    for (int i = 0; i < 4; ++i) {
        switch (image.element()) {
            case Element::Rgba32F:
                c[i] = at<float>(element, i);
                break;
            case Element::Rgba16F:
                c[i] = referenceHalf(at<uint16_t>(element, i));
                break;
            default:
                c[i] = at<uint8_t>(element, i);
        }
    }
    return c;
}

/// Every word of the first sample, those of texels beyond the edges too.
inline void randomize(std::mt19937& random, Image& image) {
    for (size_t i = 0; i < image.byteCount() / 4; ++i) image.block32(0, 0)[i] = static_cast<uint32_t>(random());
}

}  // namespace tessera::texture
