// Elements: what one pixel of an image is in memory. An element is a row of the table below, and what code asks of an
// element is a question of its row. How its numbers are read and written follows from the row, too (element_lanes.h):
// loading, storing and gathering sixteen, transfers, clears and filters have no cases for elements of their own, but
// where a common one has code for itself alone.
//
// An enumerator without a row, a row without a column and a kind of number that somebody does not know do not compile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "base/enumeration.h"

namespace tessera::texture {

/// What one element of an image holds. An element is one word of 32 bits, two or four: a block of sixteen starts at a
/// cache line whatever it holds.
enum class Element : uint8_t {
    Rgba8,  ///< formats of up to eight bits a channel are kept expanded in it
    D24S8,
    Rgba16F,
    Rgba32F,
    Srgb8,  ///< Rgba8 whose colours are codes of srgb.h
    Rgba8Snorm,
    Rgba8Uint,
    Rgba8Sint,
    Rg16Uint,
    Rg16Sint,
    Rgba16Uint,
    Rgba16Sint,
    R32Uint,
    R32Sint,
    Rg32Uint,
    Rg32Sint,
    Rgba32Uint,
    Rgba32Sint,
    Rgb10A2,
    Rgb10A2Uint,
    R11G11B10F,
    Rgb9E5,
    D32F,
    D32FS8,
    Rg16,
    Rgba16,
    Rg16Snorm,
    Rgba16Snorm,
};

/// What the bits of a channel mean.
enum class Number : uint8_t {
    Unorm,           ///< c / (2^n - 1)
    Srgb,            ///< the same, but that colours are encoded
    Snorm,           ///< c / (2^(n-1) - 1), at least -1
    Float,           ///< of 32 or 16 bits; of 11 or 10: 16 bits without the sign and the last bits of the fraction
    SharedExponent,  ///< c * 2^(e - 24); e is in the bits behind the last channel
    Uint,
    Sint,
    Depth,       ///< c / (2^n - 1), a depth
    DepthFloat,  ///< a depth in single precision
};

/// Where some bits of an element are.
struct Field {
    uint8_t word = 0, shift = 0, bits = 0;  ///< no bits: it is not there
    [[nodiscard]] constexpr uint32_t mask() const { return bits == 0 ? 0 : ~0u >> (32 - bits) << shift; }
};
using Fields = std::array<Field, 4>;

struct ElementInfo {
    Element element;
    const char* name;  ///< as documentation has it
    Number number;
    Fields channel;   ///< red, green, blue, alpha, of which a missing colour is 0 and alpha 1; a depth is the first
    Field stencil;    ///< in word 0, or in one of its own
    bool isFiltered;  ///< by linear filters; if not, they take the nearest texel
    bool isBlended;   ///< when it is drawn to; if not, what is drawn replaces it
    int words;

    consteval ElementInfo(Element which, const char* text, Number kind, Fields fields, Field stencilBits, bool filtered,
                          bool blended)
        : element(which),
          name(text),
          number(kind),
          channel(fields),
          stencil(stencilBits),
          isFiltered(filtered),
          isBlended(blended),
          words(1) {
        for (const Field& field : fields) words = std::max(words, field.word + 1);
        words = std::max(words, stencilBits.word + 1);
    }
};

/// Channels one behind the other, from the lowest bit on.
consteval Fields packed(int red, int green = 0, int blue = 0, int alpha = 0) {
    Fields fields;
    int at = 0;
    const std::array<int, 4> bits = {red, green, blue, alpha};
    for (size_t i = 0; i < fields.size(); ++i) {
        fields[i] = {static_cast<uint8_t>(at / 32), static_cast<uint8_t>(at % 32), static_cast<uint8_t>(bits[i])};
        if (bits[i] == 0) fields[i] = {};
        at += bits[i];
    }
    return fields;
}
inline constexpr Field kNoStencil;

// clang-format off
inline constexpr ElementInfo kElements[] = {
    // element            name                   number                  channels                  stencil     filtered, blended
    {Element::Rgba8,       "RGBA8",               Number::Unorm,          packed(8, 8, 8, 8),       kNoStencil, true,  true},
    {Element::D24S8,       "D24S8",               Number::Depth,          {Field{0, 8, 24}},        {0, 0, 8},  true,  false},
    {Element::Rgba16F,     "four halves",         Number::Float,          packed(16, 16, 16, 16),   kNoStencil, true,  true},
    {Element::Rgba32F,     "four floats",         Number::Float,          packed(32, 32, 32, 32),   kNoStencil, true,  true},
    {Element::Srgb8,       "RGBA8",               Number::Srgb,           packed(8, 8, 8, 8),       kNoStencil, true,  true},
    {Element::Rgba8Snorm,  "RGBA8, signed",       Number::Snorm,          packed(8, 8, 8, 8),       kNoStencil, true,  true},
    {Element::Rgba8Uint,   "four uint8",          Number::Uint,           packed(8, 8, 8, 8),       kNoStencil, false, false},
    {Element::Rgba8Sint,   "four int8",           Number::Sint,           packed(8, 8, 8, 8),       kNoStencil, false, false},
    {Element::Rg16Uint,    "two uint16",          Number::Uint,           packed(16, 16),           kNoStencil, false, false},
    {Element::Rg16Sint,    "two int16",           Number::Sint,           packed(16, 16),           kNoStencil, false, false},
    {Element::Rgba16Uint,  "four uint16",         Number::Uint,           packed(16, 16, 16, 16),   kNoStencil, false, false},
    {Element::Rgba16Sint,  "four int16",          Number::Sint,           packed(16, 16, 16, 16),   kNoStencil, false, false},
    {Element::R32Uint,     "a uint32",            Number::Uint,           packed(32),               kNoStencil, false, false},
    {Element::R32Sint,     "an int32",            Number::Sint,           packed(32),               kNoStencil, false, false},
    {Element::Rg32Uint,    "two uint32",          Number::Uint,           packed(32, 32),           kNoStencil, false, false},
    {Element::Rg32Sint,    "two int32",           Number::Sint,           packed(32, 32),           kNoStencil, false, false},
    {Element::Rgba32Uint,  "four uint32",         Number::Uint,           packed(32, 32, 32, 32),   kNoStencil, false, false},
    {Element::Rgba32Sint,  "four int32",          Number::Sint,           packed(32, 32, 32, 32),   kNoStencil, false, false},
    {Element::Rgb10A2,     "RGB10_A2",            Number::Unorm,          packed(10, 10, 10, 2),    kNoStencil, true,  true},
    {Element::Rgb10A2Uint, "RGB10_A2, integers",  Number::Uint,           packed(10, 10, 10, 2),    kNoStencil, false, false},
    {Element::R11G11B10F,  "R11G11B10, floats",   Number::Float,          packed(11, 11, 10),       kNoStencil, true,  true},
    {Element::Rgb9E5,      "RGB9_E5",             Number::SharedExponent, packed(9, 9, 9),          kNoStencil, true,  false},
    {Element::D32F,        "a float",             Number::DepthFloat,     packed(32),               kNoStencil, true,  false},
    {Element::D32FS8,      "a float, S8 X24",     Number::DepthFloat,     packed(32),               {1, 0, 8},  true,  false},
    {Element::Rg16,        "RG16",                Number::Unorm,          packed(16, 16),           kNoStencil, true,  true},
    {Element::Rgba16,      "RGBA16",              Number::Unorm,          packed(16, 16, 16, 16),   kNoStencil, true,  true},
    {Element::Rg16Snorm,   "RG16, signed",        Number::Snorm,          packed(16, 16),           kNoStencil, true,  true},
    {Element::Rgba16Snorm, "RGBA16, signed",      Number::Snorm,          packed(16, 16, 16, 16),   kNoStencil, true,  true},
};
// clang-format on

consteval bool everyElementHasItsRow() {
    for (size_t i = 0; i < std::size(kElements); ++i)
        if (kElements[i].element != static_cast<Element>(i)) return false;
    return std::size(kElements) == enumeratorCount<Element>();
}
static_assert(everyElementHasItsRow(), "rows have the order of the enumerators");
static_assert(std::all_of(std::begin(kElements), std::end(kElements),
                          [](const ElementInfo& row) { return row.words == 1 || row.words == 2 || row.words == 4; }));

static_assert(std::all_of(std::begin(kElements), std::end(kElements),
                          [](const ElementInfo& row) {
                              return row.number != Number::Float ||
                                     std::all_of(row.channel.begin(), row.channel.end(), [](const Field& field) {
                                         return field.bits == 0 || field.bits == 10 || field.bits == 11 ||
                                                field.bits == 16 || field.bits == 32;
                                     });
                          }),
              "other floats have no conversion in element_lanes.h");

// --- Questions of a row ---

[[nodiscard]] constexpr const ElementInfo& elementInfo(Element element) {
    return kElements[static_cast<size_t>(element)];
}
[[nodiscard]] constexpr int elementBytes(Element element) { return 4 * elementInfo(element).words; }

/// Colours that are words of four bytes, which code of its own is for in most places; encoded ones are.
[[nodiscard]] constexpr bool holdsBytes(Element element) {
    return element == Element::Rgba8 || element == Element::Srgb8;
}
[[nodiscard]] constexpr bool isSrgb(Element element) { return elementInfo(element).number == Number::Srgb; }
[[nodiscard]] constexpr bool isDepth(Element element) {
    const Number number = elementInfo(element).number;
    return number == Number::Depth || number == Number::DepthFloat;
}
/// Its numbers are integers: lanes hold their bits, not floats.
[[nodiscard]] constexpr bool isInteger(Element element) {
    const Number number = elementInfo(element).number;
    return number == Number::Uint || number == Number::Sint;
}
/// Its numbers may be infinite, or none.
[[nodiscard]] constexpr bool isFloat(Element element) {
    const Number number = elementInfo(element).number;
    return number == Number::Float || number == Number::DepthFloat;
}
/// Its colours are floats; in single precision.
[[nodiscard]] constexpr bool holdsFloats(Element element) { return elementInfo(element).number == Number::Float; }
[[nodiscard]] constexpr bool isSingle(Element element) {
    return holdsFloats(element) && elementInfo(element).channel[0].bits == 32;
}
/// Colours are integers in memory that stand for -1 to 1.
[[nodiscard]] constexpr bool isSignedNormalized(Element element) {
    return elementInfo(element).number == Number::Snorm;
}
/// Colours are integers in memory that count parts of 1.
[[nodiscard]] constexpr bool isNormalized(Element element) {
    const Number number = elementInfo(element).number;
    return number == Number::Unorm || number == Number::Srgb;
}
/// What 1 is in the units of a channel: of normalised elements its largest integer, of others 1.
[[nodiscard]] constexpr float unitOf(Element element, int channel) {
    const Field& field = elementInfo(element).channel[static_cast<size_t>(channel)];
    return isNormalized(element) && field.bits != 0 ? static_cast<float>((1u << field.bits) - 1) : 1.0f;
}
/// What a channel is, in lanes, that is not there: 0, and 1 of alpha.
[[nodiscard]] constexpr uint32_t missingBits(Element element, int channel) {
    if (channel != 3) return 0;
    return isInteger(element) ? 1 : 0x3F800000;
}

}  // namespace tessera::texture
