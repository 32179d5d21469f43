// Vertex fetch (OpenGL ES 2.0.25, sections 2.1.2 and 2.8): one loop over the lanes for each storage type, with every
// read checked against the size of the buffer.
#include "pipeline/geometry/vertex_fetch.h"

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"
#include "pipeline/commands.h"

namespace tessera::pipeline {
namespace {

/// First byte of the element, or null where it is not wholly inside the attribute's bytes.
const std::byte* elementAddress(const VertexAttribute& attribute, VertexKey key, int bytes) {
    int64_t element = attribute.divisor == 0 ? key.element : key.instance / attribute.divisor;
    int64_t position = 0, end = 0;
    if (__builtin_mul_overflow(element, static_cast<int64_t>(attribute.stride), &position)) return nullptr;
    if (__builtin_add_overflow(position, attribute.offset, &position)) return nullptr;
    if (__builtin_add_overflow(position, static_cast<int64_t>(bytes), &end)) return nullptr;
    if (position < 0 || end > static_cast<int64_t>(attribute.data->size())) return nullptr;
    return attribute.data->data() + position;
}

template <class Stored, class Convert>
void fetchLanes(const VertexAttribute& attribute, const VertexKey* keys, int count, isa::GroupRegister& out,
                Convert convert) {
    const int components = attribute.components;
    const int bytes = components * static_cast<int>(sizeof(Stored));
    for (int lane = 0; lane < count; ++lane) {
        float value[4] = {0, 0, 0, 1};
        if (const std::byte* from = elementAddress(attribute, keys[lane], bytes)) {
            Stored stored[4];
            std::memcpy(stored, from, bytes);
            for (int c = 0; c < components; ++c) value[c] = convert(stored[c]);
        }
        for (int c = 0; c < 4; ++c) out.lane[c][lane] = value[c];
    }
}

/// Quotients of integers below 2^24 are rounded once in single precision; wider ones need double.
template <class Stored>
float normalize(Stored value) {
    constexpr double kMax = std::is_signed_v<Stored> ? 2.0 * std::numeric_limits<Stored>::max() + 1
                                                     : 1.0 * std::numeric_limits<Stored>::max();
    const double numerator = std::is_signed_v<Stored> ? 2.0 * value + 1 : 1.0 * value;
    if constexpr (sizeof(Stored) <= 2) return static_cast<float>(numerator) / static_cast<float>(kMax);
    return static_cast<float>(numerator / kMax);
}

template <class Stored>
void fetchIntegers(const VertexAttribute& attribute, const VertexKey* keys, int count, isa::GroupRegister& out) {
    if (attribute.normalized)
        fetchLanes<Stored>(attribute, keys, count, out, normalize<Stored>);
    else
        fetchLanes<Stored>(attribute, keys, count, out, [](Stored v) { return static_cast<float>(v); });
}

}  // namespace

float halfToFloat(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16;
    const uint32_t exponent = half >> 10 & 0x1F;
    const uint32_t fraction = half & 0x3FF;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000 | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // denormal half, exact
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

namespace {

uint32_t indexAt(const Draw& draw, uint32_t ordinal) {
    const uint32_t bytes = draw.indexType == IndexType::U8 ? 1 : draw.indexType == IndexType::U16 ? 2 : 4;
    if (!draw.indices) return 0;
    uint64_t position = 0, end = 0;
    if (__builtin_add_overflow(draw.indexOffset, uint64_t{ordinal} * bytes, &position)) return 0;
    if (__builtin_add_overflow(position, uint64_t{bytes}, &end) || end > draw.indices->size()) return 0;
    const std::byte* from = draw.indices->data() + position;
    if (bytes == 1) return std::to_integer<uint32_t>(*from);
    uint16_t narrow = 0;
    uint32_t wide = 0;
    if (bytes == 2) {
        std::memcpy(&narrow, from, sizeof narrow);
        return narrow;
    }
    std::memcpy(&wide, from, sizeof wide);
    return wide;
}

}  // namespace

uint32_t vertexElement(const Draw& draw, uint32_t ordinal) {
    if (draw.indexType == IndexType::None) return draw.first + ordinal;
    return indexAt(draw, ordinal) + static_cast<uint32_t>(draw.baseVertex);
}

void fetchAttribute(const VertexAttribute& attribute, const VertexKey* keys, int count, isa::GroupRegister& out) {
    CHECK_LE(count, isa::kGroupSize);
    if (!attribute.data) {
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < count; ++lane) out.lane[c][lane] = attribute.constant[c];
        return;
    }
    CHECK_LE(1, attribute.components);
    CHECK_LE(attribute.components, 4);
    switch (attribute.type) {
        case VertexType::I8:
            return fetchIntegers<int8_t>(attribute, keys, count, out);
        case VertexType::U8:
            return fetchIntegers<uint8_t>(attribute, keys, count, out);
        case VertexType::I16:
            return fetchIntegers<int16_t>(attribute, keys, count, out);
        case VertexType::U16:
            return fetchIntegers<uint16_t>(attribute, keys, count, out);
        case VertexType::I32:
            return fetchIntegers<int32_t>(attribute, keys, count, out);
        case VertexType::U32:
            return fetchIntegers<uint32_t>(attribute, keys, count, out);
        case VertexType::Fixed16_16:
            return fetchLanes<int32_t>(attribute, keys, count, out,
                                       [](int32_t v) { return static_cast<float>(v) * 0x1p-16f; });
        case VertexType::F32:
            return fetchLanes<float>(attribute, keys, count, out, [](float v) { return v; });
        case VertexType::F16:
            return fetchLanes<uint16_t>(attribute, keys, count, out, halfToFloat);
    }
}

}  // namespace tessera::pipeline
