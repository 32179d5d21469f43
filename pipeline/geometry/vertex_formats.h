// How the elements of vertex arrays are stored, and what a register gets of each component: a row for each VertexType.
// A type without a row does not compile. vertex_fetch.cpp makes a loop over lanes of each row and each conversion,
// geometry_simd.cpp takes those rows in batches that say so.
//
// Integers become numbers as OpenGL ES 2.0.25, section 2.1.2, and 3.0.6, section 2.1.6, say; each is the exact value
// rounded once to single precision (32-bit normalised integers are rounded by way of double).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/enumeration.h"
#include "base/simd.h"
#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// How geometry_simd.cpp takes an element.
enum class FetchBatch : uint8_t {
    Words,     ///< components of 32 bits, as they are
    Integers,  ///< the same where they stay integers
    Narrow,    ///< integers of 8 or 16 bits
    OneByOne,  ///< it does not
};

/// Components of one C++ type, one behind the other; missing ones read 0, 0, 0, 1.
template <class T, FetchBatch kIn>
struct PlainFormat {
    using Stored = T;
    static constexpr bool kIsPacked = false;
    static constexpr int kBytes = sizeof(T);  ///< of a component
    static constexpr FetchBatch kBatch = kIn;
    static constexpr int bits(int) { return 8 * kBytes; }
    static T component(const std::byte* element, int c) {
        T stored;
        std::memcpy(&stored, element + c * sizeof stored, sizeof stored);
        return stored;
    }
};
template <class T>
using IntegerFormat = PlainFormat<T, sizeof(T) <= 2 ? FetchBatch::Narrow : FetchBatch::Integers>;

/// Integers of 10, 10, 10 and 2 bits in a word, the first in the lowest bits.
template <class T>
struct Packed1010102Format {
    using Stored = T;
    static constexpr bool kIsPacked = true;
    static constexpr int kBytes = 4;  ///< of an element
    static constexpr FetchBatch kBatch = FetchBatch::OneByOne;
    static constexpr int bits(int c) { return c == 3 ? 2 : 10; }
    static T component(const std::byte* element, int c) {
        uint32_t word;
        std::memcpy(&word, element, sizeof word);
        const int above = 32 - 10 * c - bits(c);
        return static_cast<T>(word << above) >> (32 - bits(c));
    }
};

/// Numbers that are no integers: their value, however it is asked for.
struct FloatFormat : PlainFormat<float, FetchBatch::Words> {
    static float value(float stored) { return stored; }
};
struct HalfFormat : PlainFormat<uint16_t, FetchBatch::OneByOne> {
    static float value(uint16_t half);
};
struct FixedFormat : PlainFormat<int32_t, FetchBatch::OneByOne> {
    static float value(int32_t stored) { return static_cast<float>(stored) * 0x1p-16f; }
};

template <VertexType kType>
struct VertexFormat;
template <>
struct VertexFormat<VertexType::I8> : IntegerFormat<int8_t> {};
template <>
struct VertexFormat<VertexType::U8> : IntegerFormat<uint8_t> {};
template <>
struct VertexFormat<VertexType::I16> : IntegerFormat<int16_t> {};
template <>
struct VertexFormat<VertexType::U16> : IntegerFormat<uint16_t> {};
template <>
struct VertexFormat<VertexType::I32> : IntegerFormat<int32_t> {};
template <>
struct VertexFormat<VertexType::U32> : IntegerFormat<uint32_t> {};
template <>
struct VertexFormat<VertexType::Fixed16_16> : FixedFormat {};
template <>
struct VertexFormat<VertexType::F32> : FloatFormat {};
template <>
struct VertexFormat<VertexType::F16> : HalfFormat {};
template <>
struct VertexFormat<VertexType::I2_10_10_10> : Packed1010102Format<int32_t> {};
template <>
struct VertexFormat<VertexType::U2_10_10_10> : Packed1010102Format<uint32_t> {};

template <class Format>
concept HasValues = requires(typename Format::Stored stored) { Format::value(stored); };

/// IEEE-754 half to single, exact for every value; NaN stays NaN.
constexpr float halfToFloat(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 0x1F;
    const uint32_t fraction = half & 0x3FF;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // denormal half, exact
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}
inline float HalfFormat::value(uint16_t half) { return halfToFloat(half); }

/// numerator / denominator of a normalised integer. Quotients of integers below 2^24 are rounded once in single
/// precision; wider ones need double.
struct NormalizedRange {
    double largest;  ///< denominator
    bool isSigned, isSymmetric;
    [[nodiscard]] constexpr double numerator(double stored) const {
        if (!isSigned) return stored;
        if (!isSymmetric) return 2 * stored + 1;
        return stored < -largest ? -largest : stored;
    }
};
constexpr NormalizedRange normalizedRange(bool isSigned, int bits, bool isSymmetric) {
    const double all = static_cast<double>((uint64_t{1} << bits) - 1);
    const double half = static_cast<double>((uint64_t{1} << (bits - 1)) - 1);
    return {isSigned && isSymmetric ? half : all, isSigned, isSymmetric};
}

/// What the register gets, as the bits of a float.
template <class Format, VertexConversion kConversion>
float convertComponent(typename Format::Stored stored, int c) {
    if constexpr (HasValues<Format>) {
        return Format::value(stored);
    } else if constexpr (kConversion == VertexConversion::Integer) {
        using Wide = std::conditional_t<std::is_signed_v<typename Format::Stored>, int32_t, uint32_t>;
        return std::bit_cast<float>(Wide{stored});
    } else if constexpr (kConversion == VertexConversion::Number) {
        return static_cast<float>(stored);
    } else {
        const NormalizedRange range = normalizedRange(std::is_signed_v<typename Format::Stored>, Format::bits(c),
                                                      kConversion == VertexConversion::NormalizedSymmetric);
        const double numerator = range.numerator(stored);
        if (Format::bits(c) <= 16) return static_cast<float>(numerator) / static_cast<float>(range.largest);
        return static_cast<float>(numerator / range.largest);
    }
}

/// What a component that is missing reads: w is one, as the register takes it.
constexpr float missingComponent(VertexConversion conversion, int c) {
    if (c != 3) return 0;
    return conversion == VertexConversion::Integer ? std::bit_cast<float>(uint32_t{1}) : 1.0f;
}

/// Calls use.template operator()<Format>() with the type's row.
template <size_t kFirst = 0, class Use>
decltype(auto) withVertexFormat(VertexType type, const Use& use) {
    if constexpr (kFirst + 1 < enumeratorCount<VertexType>()) {
        if (static_cast<size_t>(type) != kFirst) return withVertexFormat<kFirst + 1>(type, use);
    }
    return use.template operator()<VertexFormat<static_cast<VertexType>(kFirst)>>();
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
