// Elements at every SIMD level against formulas in double precision that are written apart from the rows: what their
// bits mean, and which bits a number becomes. Fields of up to sixteen bits are gone through whole.
#include "texture/element.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/process/env.h"
#include "texture/srgb.h"
#include "texture/testing/element_levels.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

using Random = std::mt19937;

enum class Meaning { Units, Light, Signed, Float, Shared, Unsigned, Integer, Depth };

/// What an element is, once more: meaning, words, and bits of the channels that there are, from `start` on.
struct Model {
    Element element;
    Meaning meaning;
    int words;
    std::array<int, 4> bits;
    int start = 0;
};
constexpr Model kModels[] = {
    {Element::Rgba8, Meaning::Units, 1, {8, 8, 8, 8}},
    {Element::D24S8, Meaning::Depth, 1, {24}, 8},
    {Element::Rgba16F, Meaning::Float, 2, {16, 16, 16, 16}},
    {Element::Rgba32F, Meaning::Float, 4, {32, 32, 32, 32}},
    {Element::Srgb8, Meaning::Light, 1, {8, 8, 8, 8}},
    {Element::Rgba8Snorm, Meaning::Signed, 1, {8, 8, 8, 8}},
    {Element::Rgba8Uint, Meaning::Unsigned, 1, {8, 8, 8, 8}},
    {Element::Rgba8Sint, Meaning::Integer, 1, {8, 8, 8, 8}},
    {Element::Rg16Uint, Meaning::Unsigned, 1, {16, 16}},
    {Element::Rg16Sint, Meaning::Integer, 1, {16, 16}},
    {Element::Rgba16Uint, Meaning::Unsigned, 2, {16, 16, 16, 16}},
    {Element::Rgba16Sint, Meaning::Integer, 2, {16, 16, 16, 16}},
    {Element::R32Uint, Meaning::Unsigned, 1, {32}},
    {Element::R32Sint, Meaning::Integer, 1, {32}},
    {Element::Rg32Uint, Meaning::Unsigned, 2, {32, 32}},
    {Element::Rg32Sint, Meaning::Integer, 2, {32, 32}},
    {Element::Rgba32Uint, Meaning::Unsigned, 4, {32, 32, 32, 32}},
    {Element::Rgba32Sint, Meaning::Integer, 4, {32, 32, 32, 32}},
    {Element::Rgb10A2, Meaning::Units, 1, {10, 10, 10, 2}},
    {Element::Rgb10A2Uint, Meaning::Unsigned, 1, {10, 10, 10, 2}},
    {Element::R11G11B10F, Meaning::Float, 1, {11, 11, 10}},
    {Element::Rgb9E5, Meaning::Shared, 1, {9, 9, 9}},
    {Element::D32F, Meaning::Depth, 1, {32}},
    {Element::D32FS8, Meaning::Depth, 2, {32}},
    {Element::Rg16, Meaning::Units, 1, {16, 16}},
    {Element::Rgba16, Meaning::Units, 2, {16, 16, 16, 16}},
    {Element::Rg16Snorm, Meaning::Signed, 1, {16, 16}},
    {Element::Rgba16Snorm, Meaning::Signed, 2, {16, 16, 16, 16}},
};
static_assert(std::size(kModels) == std::size(kElements));

/// Sixteen elements.
struct alignas(64) Block {
    std::array<uint32_t, 64> word{};
    std::byte* bytes() { return reinterpret_cast<std::byte*>(word.data()); }
};

/// Where channel c of an element is.
struct Place {
    int word, shift, bits;
};
Place placeOf(const Model& model, int c) {
    int at = model.start;
    for (int i = 0; i < c; ++i) at += model.bits[static_cast<size_t>(i)];
    return {at / 32, at % 32, model.bits[static_cast<size_t>(c)]};
}
uint32_t maskOf(const Place& place) { return place.bits == 0 ? 0 : static_cast<uint32_t>((1ull << place.bits) - 1); }
uint32_t bitsAt(const Model& model, const Block& block, int lane, int c) {
    const Place place = placeOf(model, c);
    return block.word[static_cast<size_t>(lane * model.words + place.word)] >> place.shift & maskOf(place);
}

/// IEEE-754 with a sign if there is room for one.
double floatValue(uint32_t bits, int width) {
    const int exponentBits = width == 32 ? 8 : 5, signBits = width < 16 ? 0 : 1;
    const int fractionBits = width - exponentBits - signBits, bias = (1 << (exponentBits - 1)) - 1;
    const int exponent = static_cast<int>(bits >> fractionBits) & ((1 << exponentBits) - 1);
    const double fraction = bits & ((1u << fractionBits) - 1);
    double value = 0;
    if (exponent == (1 << exponentBits) - 1)
        value = fraction == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        value = std::ldexp(fraction, 1 - bias - fractionBits);
    else
        value = std::ldexp(fraction + std::ldexp(1.0, fractionBits), exponent - bias - fractionBits);
    return signBits != 0 && (bits >> (width - 1) & 1) != 0 ? -value : value;
}

int64_t signedValue(uint32_t bits, int width) {
    const int64_t value = bits;
    return value >= int64_t{1} << (width - 1) ? value - (int64_t{1} << width) : value;
}

/// What loading should give of a channel, as bits: a single that is nearest to the exact value, or an integer.
uint32_t expectedLoad(const Model& model, const Block& block, int lane, int c) {
    const auto single = [](double value) {
        return std::isnan(value) ? 0x7FC00000u : std::bit_cast<uint32_t>(static_cast<float>(value));
    };
    const bool isInteger = model.meaning == Meaning::Unsigned || model.meaning == Meaning::Integer;
    if (model.meaning == Meaning::Depth && c == 3) return single(1);
    if (model.meaning == Meaning::Depth) c = 0;
    const int width = model.bits[static_cast<size_t>(c)];
    if (width == 0) return c != 3 ? 0 : isInteger ? 1 : single(1);
    const uint32_t bits = bitsAt(model, block, lane, c);
    switch (model.meaning) {
        case Meaning::Units:
            return single(bits);
        case Meaning::Light:
            return single(c == 3 ? bits : static_cast<double>(kLinearOfSrgb[bits]));
        case Meaning::Signed:
            return single(std::max(static_cast<double>(signedValue(bits, width)) / ((1 << (width - 1)) - 1), -1.0));
        case Meaning::Float:
            return width == 32 ? bits : single(floatValue(bits, width));
        case Meaning::Shared:
            return single(std::ldexp(bits, static_cast<int>(block.word[static_cast<size_t>(lane)] >> 27) - 24));
        case Meaning::Unsigned:
            return bits;
        case Meaning::Integer:
            return static_cast<uint32_t>(signedValue(bits, width));
        case Meaning::Depth:
            return width == 32 ? bits : single(bits / 16777215.0);
    }
    return 0;
}

bool isNan(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

/// Those that are no number are one.
bool areAlike(uint32_t a, uint32_t b, bool areFloats) { return a == b || (areFloats && isNan(a) && isNan(b)); }

int wrongLoads(const Model& model, Block& block) {
    const bool areFloats = model.meaning != Meaning::Unsigned && model.meaning != Meaning::Integer;
    PlainNumbers expected;
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < 16; ++lane) expected.channel[c][lane] = expectedLoad(model, block, lane, c);
    int wrong = 0;
    for (const SimdLevel level : simdLevels()) {
        PlainNumbers numbers;
        plainLoad(level)(model.element, block.bytes(), numbers);
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < 16; ++lane)
                wrong += !areAlike(numbers.channel[c][lane], expected.channel[c][lane], areFloats);
    }
    return wrong;
}

// --- Encoders ---

double roundEven(double x) { return std::nearbyint(x); }

/// The bits of the value nearest to `value`, ties to even, in a format of which every code is looked at.
class Nearest {
public:
    explicit Nearest(int width) {
        const uint32_t codes = 1u << (width < 16 ? width : width - 1);
        for (uint32_t code = 0; code < codes; ++code)
            if (const double value = floatValue(code, width); std::isfinite(value)) values_.push_back(value);
    }
    /// Of a positive finite value up to the largest and half a step.
    [[nodiscard]] uint32_t codeOf(double value) const {
        const auto above = std::lower_bound(values_.begin(), values_.end(), value);
        if (above == values_.end()) return static_cast<uint32_t>(values_.size() - 1);
        const auto code = static_cast<uint32_t>(above - values_.begin());
        if (*above == value || code == 0) return code;
        const double up = *above - value, down = value - values_[code - 1];
        if (up == down) return code % 2 == 0 ? code : code - 1;
        return up < down ? code : code - 1;
    }
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] double largest() const { return values_.back(); }

private:
    std::vector<double> values_;
};

/// What a float becomes in a channel of `width` bits.
uint32_t expectedFloat(float value, int width, const Nearest& nearest) {
    if (width == 16) {
        if (std::isnan(value)) return 0x7E00;
        const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
        // Half a step above the largest number is infinite.
        return sign | (std::abs(value) >= 65520.0f ? 0x7C00 : nearest.codeOf(std::abs(static_cast<double>(value))));
    }
    const uint32_t infinity = 31u << (width - 5);
    if (std::isnan(value)) return infinity | 1u << (width - 6);
    if (!(value > 0)) return 0;
    if (std::isinf(value)) return infinity;
    return nearest.codeOf(std::min(static_cast<double>(value), nearest.largest()));
}

uint32_t expectedShared(const std::array<float, 3>& color) {
    std::array<double, 3> c{};
    for (size_t i = 0; i < 3; ++i) c[i] = color[i] > 0 ? std::min(static_cast<double>(color[i]), 65408.0) : 0.0;
    const double largest = std::max({c[0], c[1], c[2]});
    int exponent = (largest > 0 ? std::max(-16, std::ilogb(largest)) : -16) + 16;
    if (roundEven(largest / std::ldexp(1, exponent - 24)) == 512) ++exponent;
    uint32_t word = static_cast<uint32_t>(exponent) << 27;
    for (size_t i = 0; i < 3; ++i)
        word |= static_cast<uint32_t>(roundEven(c[i] / std::ldexp(1, exponent - 24))) << 9 * i;
    return word;
}

/// Stores one number in all channels of as many lanes as there are numbers, at every level; how many channels are not
/// what `expected(number, channel's width)` says.
template <class Expected>
int wrongStores(const Model& model, const std::vector<float>& numbers, const Expected& expected) {
    int wrong = 0;
    for (size_t first = 0; first < numbers.size(); first += 16) {
        PlainNumbers lanes;
        for (size_t lane = 0; lane < 16; ++lane)
            for (auto& channel : lanes.channel)
                channel[lane] = std::bit_cast<uint32_t>(numbers[std::min(first + lane, numbers.size() - 1)]);
        for (const SimdLevel level : simdLevels()) {
            PlainNumbers units = lanes;
            plainUnits(level)(model.element, units);
            Block block;
            plainStore(level)(model.element, block.bytes(), units, 0xFFFF, 0xF);
            for (int lane = 0; lane < 16; ++lane)
                for (int c = 0; c < 4; ++c)
                    if (const int width = model.bits[static_cast<size_t>(c)]; width != 0)
                        wrong += bitsAt(model, block, lane, c) !=
                                 expected(std::bit_cast<float>(lanes.channel[c][lane]), width);
        }
    }
    return wrong;
}

const Model& modelOf(Element element) { return kModels[static_cast<size_t>(element)]; }

/// Values, those halfway between neighbours, and those beside these; of both signs, with what is no ordinary number.
std::vector<float> testedFloats(const std::vector<double>& values) {
    std::vector<float> floats = {0.0f,   -0.0f,   NAN,      -NAN,       INFINITY, -INFINITY, 1e30f,   -1e30f,
                                 1e-40f, -1e-40f, 65408.0f, 65519.996f, 65520.0f, 65535.0f,  65536.0f};
    const auto add = [&](double value) {
        const auto single = static_cast<float>(value);
        for (const float one : {std::nextafter(single, 0.0f), single, std::nextafter(single, INFINITY)})
            floats.push_back(one), floats.push_back(-one);
    };
    for (size_t i = 0; i < values.size(); ++i) {
        add(values[i]);
        if (i + 1 < values.size()) add((values[i] + values[i + 1]) / 2);
    }
    return floats;
}

}  // namespace

TEST_CASE("an element's numbers are what its bits mean") {
    Random random(1);
    for (const Model& model : kModels) {
        CAPTURE(elementInfo(model.element).name);
        CHECK(elementBytes(model.element) == 4 * model.words);
        int wrong = 0;
        Block block;
        // Of fields of up to sixteen bits every value is in every field.
        for (uint32_t first = 0; first < 0x10000; first += 16) {
            for (size_t i = 0; i < block.word.size(); ++i) {
                const uint32_t value = first + static_cast<uint32_t>(i) / static_cast<uint32_t>(model.words) % 16;
                uint32_t word = value | value << 16;
                if (model.bits[0] == 11) word = value << 21 | (value & 0x7FF) << 11 | (value & 0x7FF);
                if (model.bits[0] == 10) word = (value & 3) << 30 | (value & 0x3FF) * 0x00100401u;
                block.word[i] = first < 0x8000 || model.words > 1 || model.bits[0] >= 10 ? word : random();
            }
            wrong += wrongLoads(model, block);
        }
        for (int round = 0; round < 500; ++round) {
            for (uint32_t& word : block.word) word = random();
            wrong += wrongLoads(model, block);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("elements are gathered as they are loaded") {
    Random random(2);
    for (const Model& model : kModels) {
        std::vector<uint32_t> words(64 * static_cast<size_t>(model.words));
        for (uint32_t& word : words) word = random();
        int32_t offset[16];
        Block block;
        for (int lane = 0; lane < 16; ++lane) {
            offset[lane] = static_cast<int32_t>(random() % 64);
            std::copy_n(words.begin() + offset[lane] * model.words, model.words,
                        block.word.begin() + lane * model.words);
        }
        for (const SimdLevel level : simdLevels()) {
            PlainNumbers loaded, gathered;
            plainLoad(level)(model.element, block.bytes(), loaded);
            plainGather(level)(model.element, words.data(), offset, gathered);
            CHECK(std::memcmp(&loaded, &gathered, sizeof loaded) == 0);
        }
    }
}

TEST_CASE("a store writes its channels in its lanes, and no other bit") {
    Random random(3);
    for (const Model& model : kModels) {
        CAPTURE(elementInfo(model.element).name);
        int wrong = 0;
        for (int round = 0; round < 200; ++round) {
            Block source, before, whole;
            for (uint32_t& word : source.word) word = random();
            for (uint32_t& word : before.word) word = random();
            PlainNumbers numbers;
            plainLoad(kLeastSimdLevel)(model.element, source.bytes(), numbers);
            plainStore(kLeastSimdLevel)(model.element, whole.bytes(), numbers, 0xFFFF, 0xF);
            const uint32_t lanes = random() & 0xFFFF, channels = random() & 0xF;
            Block expected = before;
            for (size_t lane = 0; lane < 16; ++lane)
                for (int c = 0; c < 4; ++c) {
                    const Place place = placeOf(model, c);
                    const bool isWritten = (lanes >> lane & 1) != 0 && (channels >> c & 1) != 0;
                    const size_t at = lane * static_cast<size_t>(model.words) + static_cast<size_t>(place.word);
                    const uint32_t mask = isWritten ? maskOf(place) << place.shift : 0;
                    if (mask != 0) expected.word[at] = (expected.word[at] & ~mask) | (whole.word[at] & mask);
                }
            if (model.meaning == Meaning::Shared)  // whole elements
                for (size_t lane = 0; lane < 16; ++lane)
                    expected.word[lane] = (lanes >> lane & 1) != 0 ? whole.word[lane] : before.word[lane];
            for (const SimdLevel level : simdLevels()) {
                Block block = before;
                plainStore(level)(model.element, block.bytes(), numbers, lanes, channels);
                wrong += block.word != expected.word;
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("what is stored of what was loaded is the same, or means the same") {
    Random random(4);
    for (const Model& model : kModels) {
        CAPTURE(elementInfo(model.element).name);
        int wrong = 0;
        for (int round = 0; round < 500; ++round) {
            Block block;
            for (uint32_t& word : block.word) word = random();
            PlainNumbers numbers, again;
            plainLoad(kLeastSimdLevel)(model.element, block.bytes(), numbers);
            plainStore(kLeastSimdLevel)(model.element, block.bytes(), numbers, 0xFFFF, 0xF);
            plainLoad(kLeastSimdLevel)(model.element, block.bytes(), again);
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < 16; ++lane)
                    wrong +=
                        !areAlike(numbers.channel[c][lane], again.channel[c][lane], model.meaning == Meaning::Float);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("floats of 16, 11 and 10 bits are the nearest, ties to even") {
    for (const Element element : {Element::Rgba16F, Element::R11G11B10F}) {
        CAPTURE(elementInfo(element).name);
        std::vector<Nearest> of;
        for (const int width : {10, 11, 16}) of.emplace_back(width);
        const auto nearest = [&](int width) -> const Nearest& { return of[width == 10 ? 0 : width == 11 ? 1 : 2]; };
        const auto expected = [&](float number, int width) { return expectedFloat(number, width, nearest(width)); };
        std::vector<float> numbers;
        for (const int bits : element == Element::Rgba16F ? std::vector{16} : std::vector{11, 10})
            for (const float number : testedFloats(nearest(bits).values())) numbers.push_back(number);
        CHECK(wrongStores(modelOf(element), numbers, expected) == 0);
    }
}

TEST_CASE("floats without sign: negatives are 0, what is too large the largest, infinity and NaN stay") {
    const Nearest eleven(11), ten(10);
    CHECK(eleven.largest() == 65024);
    CHECK(ten.largest() == 64512);
    const auto expected = [](float number, int width) -> uint32_t {
        if (std::isnan(number)) return width == 11 ? 0x7E0 : 0x3F0;
        if (number == INFINITY) return width == 11 ? 0x7C0 : 0x3E0;
        return number < 0 ? 0 : width == 11 ? 0x7BF : 0x3DF;
    };
    CHECK(wrongStores(modelOf(Element::R11G11B10F), {NAN, INFINITY, -INFINITY, -1, 65025, 65536, 1e38f, -1e-30f},
                      expected) == 0);
}

TEST_CASE("a shared exponent is the least that holds the largest channel; all are the nearest, ties to even") {
    Random random(5);
    const auto uniform = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
    const float wild[] = {0, -0.0f, NAN, INFINITY, -INFINITY, -1, 65408, 65409, 65536, 1e30f, 1e-30f, 1e-45f, 511.5f};
    int wrong = 0;
    const auto test = [&](const std::vector<std::array<float, 3>>& colors) {
        for (size_t first = 0; first < colors.size(); first += 16) {
            PlainNumbers lanes;
            for (size_t lane = 0; lane < 16; ++lane)
                for (size_t c = 0; c < 3; ++c)
                    lanes.channel[c][lane] =
                        std::bit_cast<uint32_t>(colors[std::min(first + lane, colors.size() - 1)][c]);
            for (const SimdLevel level : simdLevels()) {
                Block block;
                plainStore(level)(Element::Rgb9E5, block.bytes(), lanes, 0xFFFF, 0xF);
                for (size_t lane = 0; lane < 16; ++lane)
                    wrong += block.word[lane] != expectedShared(colors[std::min(first + lane, colors.size() - 1)]);
            }
        }
    };
    std::vector<std::array<float, 3>> colors;
    // Every number of nine bits under every exponent, those halfway between two, and those beside these.
    for (int exponent = 0; exponent < 32; ++exponent)
        for (int twice = 0; twice < 1024; ++twice) {
            const auto value = static_cast<float>(std::ldexp(twice, exponent - 25));
            for (const float one : {std::nextafter(value, 0.0f), value, std::nextafter(value, INFINITY)})
                colors.push_back({one, value / 2, value * uniform()});
        }
    for (int i = 0; i < 20000; ++i) {
        std::array<float, 3> color{};
        for (float& channel : color)
            channel = random() % 8 == 0 ? wild[random() % std::size(wild)]
                                        : std::ldexp(uniform(), static_cast<int>(random() % 48) - 28);
        colors.push_back(color);
    }
    test(colors);
    CHECK(wrong == 0);
}

TEST_CASE("normalised numbers are clamped and rounded to the nearest, ties to even; NaN is 0") {
    std::vector<double> signedValues, unsignedValues;
    for (int i = 0; i <= 127; ++i) signedValues.push_back(i / 127.0);
    for (int i = 0; i <= 32767; i += 31) signedValues.push_back(i / 32767.0);
    for (int i = 0; i <= 1023; ++i) unsignedValues.push_back(i / 1023.0);
    for (int i = 0; i <= 65535; i += 31) unsignedValues.push_back(i / 65535.0);
    const auto product = [](float number, double most) {
        return static_cast<double>(static_cast<float>(number * most));
    };
    const auto expectedSigned = [&](float number, int width) {
        const double within = std::isnan(number) ? 0 : std::clamp(static_cast<double>(number), -1.0, 1.0);
        const double code = roundEven(product(static_cast<float>(within), (1 << (width - 1)) - 1));
        return static_cast<uint32_t>(static_cast<int>(code)) & ((1u << width) - 1);
    };
    for (const Element element : {Element::Rgba8Snorm, Element::Rg16Snorm, Element::Rgba16Snorm})
        CHECK(wrongStores(modelOf(element), testedFloats(signedValues), expectedSigned) == 0);
    const auto expectedUnsigned = [&](float number, int width) {
        const double within = number > 0 ? std::min(static_cast<double>(number), 1.0) : 0;
        return static_cast<uint32_t>(roundEven(product(static_cast<float>(within), (1 << width) - 1)));
    };
    for (const Element element : {Element::Rgb10A2, Element::Rg16, Element::Rgba16})
        CHECK(wrongStores(modelOf(element), testedFloats(unsignedValues), expectedUnsigned) == 0);
}

TEST_CASE("integers keep to their range") {
    Random random(6);
    std::vector<float> numbers;
    for (const uint32_t bits :
         {0u,          1u,          2u,          3u,          4u,          127u,       128u,   255u,
          256u,        1023u,       1024u,       32767u,      32768u,      65535u,     65536u, 0x7FFFFFFFu,
          0x80000000u, 0xFFFFFFFFu, 0xFFFFFF80u, 0xFFFFFF7Fu, 0xFFFF8000u, 0xFFFF7FFFu})
        numbers.push_back(std::bit_cast<float>(bits));
    // As a NaN of a float's bits would become another one, there are those, too.
    for (int i = 0; i < 3000; ++i)
        numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(random()) >> random() % 32));
    for (int i = 0; i < 1000; ++i)
        numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(static_cast<int32_t>(random()) >> random() % 32)));
    for (const Model& model : kModels) {
        CAPTURE(elementInfo(model.element).name);
        if (model.meaning != Meaning::Unsigned && model.meaning != Meaning::Integer) continue;
        const bool isSigned = model.meaning == Meaning::Integer;
        CHECK(wrongStores(model, numbers, [&](float number, int width) {
                  const auto bits = std::bit_cast<uint32_t>(number);
                  const int64_t value = isSigned ? int64_t{static_cast<int32_t>(bits)} : int64_t{bits};
                  const int64_t low = isSigned ? -(int64_t{1} << (width - 1)) : 0;
                  const int64_t high = (int64_t{1} << (isSigned ? width - 1 : width)) - 1;
                  const auto mask = static_cast<uint32_t>((uint64_t{1} << width) - 1);
                  return static_cast<uint32_t>(std::clamp(value, low, high)) & mask;
              }) == 0);
    }
}
