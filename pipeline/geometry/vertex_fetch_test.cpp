// Every conversion against the formula in long double, rounded once.
#include "pipeline/geometry/vertex_fetch.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "pipeline/commands.h"

using namespace tessera;
using namespace tessera::pipeline;

namespace {

using Conversion = VertexConversion;

template <class Value>
BufferPtr bufferOf(const std::vector<Value>& values) {
    return std::make_shared<Buffer>(std::as_bytes(std::span(values)));
}

float fetchOne(const VertexAttribute& attribute, uint32_t element, int component = 0, uint32_t instance = 0) {
    isa::GroupRegister out = {};
    VertexKey key{element, instance};
    fetchAttribute(attribute, &key, 1, out);
    return out.lane[component][0];
}

/// Fetches all values as one-component elements and compares with reference(value).
template <class Value, class Reference>
void checkAll(const std::vector<Value>& values, VertexType type, VertexConversion conversion, Reference reference) {
    VertexAttribute attribute;
    attribute.data = bufferOf(values);
    attribute.stride = sizeof(Value);
    attribute.type = type;
    attribute.components = 1;
    attribute.conversion = conversion;
    int wrong = 0;
    for (uint32_t first = 0; first < values.size(); first += isa::kGroupSize) {
        const int count = static_cast<int>(std::min<size_t>(isa::kGroupSize, values.size() - first));
        VertexKey keys[isa::kGroupSize];
        for (int i = 0; i < count; ++i) keys[i] = {first + i, 0};
        isa::GroupRegister out = {};
        fetchAttribute(attribute, keys, count, out);
        for (int i = 0; i < count; ++i) {
            const float expected = reference(values[first + i]);
            wrong += std::memcmp(&out.lane[0][i], &expected, sizeof expected) != 0;
            const uint32_t one = std::bit_cast<uint32_t>(out.lane[3][i]);
            wrong += out.lane[1][i] != 0 || out.lane[2][i] != 0;
            wrong += one != (conversion == Conversion::Integer ? 1u : std::bit_cast<uint32_t>(1.0f));
        }
    }
    CHECK(wrong == 0);
}

template <class Value>
std::vector<Value> everyValue() {
    std::vector<Value> values;
    for (int64_t v = std::numeric_limits<Value>::min(); v <= std::numeric_limits<Value>::max(); ++v)
        values.push_back(static_cast<Value>(v));
    return values;
}

template <class Value>
std::vector<Value> someValues() {
    std::mt19937 random(7);
    std::vector<Value> values = {0, 1, std::numeric_limits<Value>::min(), std::numeric_limits<Value>::max()};
    for (int i = 0; i < 20000; ++i) values.push_back(static_cast<Value>(random()) >> (random() % 31));
    return values;
}

template <class Value>
float plain(Value v) {
    return static_cast<float>(static_cast<long double>(v));
}

/// Section 2.1.2: c / (2^b - 1) and (2c + 1) / (2^b - 1).
template <class Value>
float normalised(Value v) {
    const long double range = std::numeric_limits<std::make_unsigned_t<Value>>::max();
    return static_cast<float>((std::is_signed_v<Value> ? 2.0L * v + 1 : 1.0L * v) / range);
}

/// OpenGL ES 3.0.6, section 2.1.6: c / (2^b - 1) and max(c / (2^(b - 1) - 1), -1).
template <class Value>
float symmetric(Value v) {
    return std::max(static_cast<float>(1.0L * v / std::numeric_limits<Value>::max()), -1.0f);
}

/// The bits of the integer.
template <class Value>
float kept(Value v) {
    if constexpr (std::is_signed_v<Value>) return std::bit_cast<float>(int32_t{v});
    return std::bit_cast<float>(static_cast<uint32_t>(v));
}

}  // namespace

TEST_CASE("integer attributes convert as the specification says, plain and normalised") {
    checkAll(everyValue<int8_t>(), VertexType::I8, Conversion::Number, plain<int8_t>);
    checkAll(everyValue<uint8_t>(), VertexType::U8, Conversion::Number, plain<uint8_t>);
    checkAll(everyValue<int16_t>(), VertexType::I16, Conversion::Number, plain<int16_t>);
    checkAll(everyValue<uint16_t>(), VertexType::U16, Conversion::Number, plain<uint16_t>);
    checkAll(someValues<int32_t>(), VertexType::I32, Conversion::Number, plain<int32_t>);
    checkAll(someValues<uint32_t>(), VertexType::U32, Conversion::Number, plain<uint32_t>);
    checkAll(everyValue<int8_t>(), VertexType::I8, Conversion::Normalized, normalised<int8_t>);
    checkAll(everyValue<uint8_t>(), VertexType::U8, Conversion::Normalized, normalised<uint8_t>);
    checkAll(everyValue<int16_t>(), VertexType::I16, Conversion::Normalized, normalised<int16_t>);
    checkAll(everyValue<uint16_t>(), VertexType::U16, Conversion::Normalized, normalised<uint16_t>);
    checkAll(someValues<uint32_t>(), VertexType::U32, Conversion::Normalized, normalised<uint32_t>);
    checkAll(someValues<int32_t>(), VertexType::I32, Conversion::Normalized, normalised<int32_t>);
}

TEST_CASE("signed normalised integers have a zero where that is asked for, and unsigned ones are what they were") {
    checkAll(everyValue<int8_t>(), VertexType::I8, Conversion::NormalizedSymmetric, symmetric<int8_t>);
    checkAll(everyValue<uint8_t>(), VertexType::U8, Conversion::NormalizedSymmetric, symmetric<uint8_t>);
    checkAll(everyValue<int16_t>(), VertexType::I16, Conversion::NormalizedSymmetric, symmetric<int16_t>);
    checkAll(everyValue<uint16_t>(), VertexType::U16, Conversion::NormalizedSymmetric, symmetric<uint16_t>);
    checkAll(someValues<int32_t>(), VertexType::I32, Conversion::NormalizedSymmetric, symmetric<int32_t>);
    checkAll(someValues<uint32_t>(), VertexType::U32, Conversion::NormalizedSymmetric, symmetric<uint32_t>);
}

TEST_CASE("integers that stay integers keep their bits, and what is missing is the integers 0, 0, 0, 1") {
    checkAll(everyValue<int8_t>(), VertexType::I8, Conversion::Integer, kept<int8_t>);
    checkAll(everyValue<uint8_t>(), VertexType::U8, Conversion::Integer, kept<uint8_t>);
    checkAll(everyValue<int16_t>(), VertexType::I16, Conversion::Integer, kept<int16_t>);
    checkAll(everyValue<uint16_t>(), VertexType::U16, Conversion::Integer, kept<uint16_t>);
    checkAll(someValues<int32_t>(), VertexType::I32, Conversion::Integer, kept<int32_t>);
    checkAll(someValues<uint32_t>(), VertexType::U32, Conversion::Integer, kept<uint32_t>);
    // Constants too, such as look like a signalling NaN.
    VertexAttribute constant;
    constant.constant[1] = std::bit_cast<float>(0xFFA00001u);
    CHECK(std::bit_cast<uint32_t>(fetchOne(constant, 0, 1)) == 0xFFA00001u);
}

TEST_CASE("10, 10, 10 and 2 bits of a word, signed and unsigned, in every conversion") {
    std::mt19937 random(3);
    const std::vector<uint32_t> words = [&] {
        std::vector<uint32_t> some = {0, ~0u, 0x80000000u, 0x7FFFFFFFu, 0x20080200u, 0xDFF7FDFFu};
        while (some.size() < 3000) some.push_back(static_cast<uint32_t>(random()));
        return some;
    }();
    for (const bool isSigned : {false, true})
        for (const Conversion conversion :
             {Conversion::Number, Conversion::Normalized, Conversion::NormalizedSymmetric, Conversion::Integer}) {
            VertexAttribute attribute;
            attribute.data = bufferOf(words);
            attribute.stride = 4;
            attribute.type = isSigned ? VertexType::I2_10_10_10 : VertexType::U2_10_10_10;
            attribute.conversion = conversion;
            int wrong = 0;
            for (uint32_t i = 0; i < words.size(); ++i)
                for (int c = 0; c < 4; ++c) {
                    const int bits = c == 3 ? 2 : 10;
                    const long double all = (1 << bits) - 1, half = (1 << (bits - 1)) - 1;
                    int64_t value = words[i] / (1u << (10 * c)) % (1u << bits);
                    if (isSigned && value > half) value -= 1 << bits;
                    long double expected = static_cast<long double>(value);
                    if (conversion == Conversion::Normalized) expected = (isSigned ? 2 * expected + 1 : expected) / all;
                    if (conversion == Conversion::NormalizedSymmetric)
                        expected = isSigned ? std::max(expected / half, -1.0L) : expected / all;
                    const float number = conversion == Conversion::Integer
                                             ? std::bit_cast<float>(static_cast<int32_t>(value))
                                             : static_cast<float>(expected);
                    const float got = fetchOne(attribute, i, c);
                    wrong += std::memcmp(&got, &number, sizeof got) != 0;
                }
            CHECK(wrong == 0);
        }
}

TEST_CASE("an element's size is that of its components, of a packed one four bytes") {
    CHECK(vertexElementBytes(VertexType::I8, 3) == 3);
    CHECK(vertexElementBytes(VertexType::F16, 3) == 6);
    CHECK(vertexElementBytes(VertexType::Fixed16_16, 2) == 8);
    CHECK(vertexElementBytes(VertexType::U2_10_10_10, 4) == 4);
}

TEST_CASE("the ends of the normalised ranges are exact") {
    CHECK(normalised<uint8_t>(255) == 1.0f);
    VertexAttribute attribute;
    attribute.data = bufferOf<int8_t>({127, -128});
    attribute.type = VertexType::I8;
    attribute.components = 1;
    attribute.stride = 1;
    attribute.conversion = Conversion::Normalized;
    CHECK(fetchOne(attribute, 0) == 1.0f);
    CHECK(fetchOne(attribute, 1) == -1.0f);
}

TEST_CASE("fixed point, floats and halves") {
    checkAll(someValues<int32_t>(), VertexType::Fixed16_16, Conversion::Number,
             [](int32_t v) { return static_cast<float>(v / 65536.0L); });
    checkAll(std::vector<float>{0, -0.0f, 1.5f, 1e-42f, 3e38f, INFINITY}, VertexType::F32, Conversion::Number,
             [](float v) { return v; });
    checkAll(everyValue<uint16_t>(), VertexType::F16, Conversion::Number, [](uint16_t h) {
        const int exponent = h >> 10 & 31, fraction = h & 1023;
        float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
        if (exponent == 31) {
            const uint32_t bits = 0x7F800000u | static_cast<uint32_t>(fraction) << 13;
            std::memcpy(&magnitude, &bits, sizeof bits);
        }
        return std::copysign(magnitude, h & 0x8000 ? -1.0f : 1.0f);
    });
}

TEST_CASE("missing components read 0, 0, 0, 1 and constants read themselves") {
    VertexAttribute attribute;
    attribute.data = bufferOf<float>({5, 6, 7, 8, 9, 10});
    attribute.components = 2;
    attribute.stride = 8;
    CHECK(fetchOne(attribute, 1, 0) == 7);
    CHECK(fetchOne(attribute, 1, 1) == 8);
    CHECK(fetchOne(attribute, 1, 2) == 0);
    CHECK(fetchOne(attribute, 1, 3) == 1);
    VertexAttribute constant;
    constant.constant[2] = 42;
    CHECK(fetchOne(constant, 77, 2) == 42);
}

TEST_CASE("elements that are not wholly inside the buffer read 0, 0, 0, 1") {
    VertexAttribute attribute;
    attribute.data = bufferOf<float>({1, 2, 3, 4, 5, 6, 7});
    attribute.components = 4;
    attribute.stride = 12;
    CHECK(fetchOne(attribute, 1, 0) == 4);
    CHECK(fetchOne(attribute, 2, 0) == 0);  // bytes 24..39 of 28
    CHECK(fetchOne(attribute, 2, 3) == 1);
    CHECK(fetchOne(attribute, 0xFFFFFFFF, 3) == 1);
    attribute.offset = -12;
    CHECK(fetchOne(attribute, 0, 3) == 1);
    CHECK(fetchOne(attribute, 1, 0) == 1);  // a client copy that starts at element 1
    attribute.offset = std::numeric_limits<int64_t>::max();
    CHECK(fetchOne(attribute, 3, 3) == 1);
    attribute.offset = std::numeric_limits<int64_t>::min();
    attribute.stride = 0xFFFFFFFF;
    CHECK(fetchOne(attribute, 0xFFFFFFFF, 3) == 1);
}

TEST_CASE("a divisor steps by instance") {
    VertexAttribute attribute;
    attribute.data = bufferOf<float>({1, 2, 3});
    attribute.components = 1;
    attribute.stride = 4;
    attribute.divisor = 2;
    CHECK(fetchOne(attribute, 9, 0, 1) == 1);
    CHECK(fetchOne(attribute, 9, 0, 5) == 3);
}

TEST_CASE("indices of every type; outside the buffer they read 0") {
    Draw draw;
    draw.first = 100;
    CHECK(vertexElement(draw, 5) == 105);
    draw.first = 0;
    draw.indices = bufferOf<uint8_t>({0x01, 0x02, 0x03, 0x84, 0x05, 0x06, 0x07, 0x88});
    draw.indexType = IndexType::U8;
    CHECK(vertexElement(draw, 3) == 0x84);
    CHECK(vertexElement(draw, 8) == 0);
    draw.indexType = IndexType::U16;
    CHECK(vertexElement(draw, 1) == 0x8403);
    draw.indexOffset = 2;
    CHECK(vertexElement(draw, 2) == 0x8807);
    CHECK(vertexElement(draw, 3) == 0);
    draw.indexType = IndexType::U32;
    draw.indexOffset = 4;
    CHECK(vertexElement(draw, 0) == 0x88070605);
    CHECK(vertexElement(draw, 0xFFFFFFFF) == 0);
    draw.indexOffset = ~uint64_t{0};
    CHECK(vertexElement(draw, 1) == 0);
    draw.indices = nullptr;
    CHECK(vertexElement(draw, 0) == 0);
}

TEST_CASE("a base vertex is added to indices, modulo 2^32") {
    Draw draw;
    draw.indices = bufferOf<uint8_t>({0xFE, 0xFF, 0xFF, 0xFF});
    draw.baseVertex = 3;
    draw.indexType = IndexType::U8;
    CHECK(vertexElement(draw, 0) == 0x101);
    CHECK(vertexElement(draw, 4) == 3);  // outside the buffer
    draw.indexType = IndexType::U16;
    CHECK(vertexElement(draw, 1) == 0x10002);
    draw.indexType = IndexType::U32;
    CHECK(vertexElement(draw, 0) == 1);
    draw.baseVertex = -2;
    CHECK(vertexElement(draw, 0) == 0xFFFFFFFC);
    draw.indexType = IndexType::None;  // vertices without indices have none
    CHECK(vertexElement(draw, 7) == 7);
}
