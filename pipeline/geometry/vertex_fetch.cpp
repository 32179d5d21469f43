// Vertex fetch: one loop over the lanes for each row of vertex_formats.h and each conversion, with every read checked
// against the size of the buffer.
#include "pipeline/geometry/vertex_fetch.h"

#include <cstring>

#include "base/check.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/vertex_formats.h"

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

template <class Format, VertexConversion kConversion>
void fetchLanes(const VertexAttribute& attribute, const VertexKey* keys, int count, isa::GroupRegister& out) {
    const int components = Format::kIsPacked ? 4 : attribute.components;
    const int bytes = Format::kIsPacked ? Format::kBytes : Format::kBytes * components;
    float value[4];
    for (int lane = 0; lane < count; ++lane) {
        // The vertices of an instance lie side by side, and have the same element.
        const bool isSame = lane != 0 && attribute.divisor != 0 && keys[lane].instance == keys[lane - 1].instance;
        for (int c = 0; isSame && c < 4; ++c) out.lane[c][lane] = value[c];
        if (isSame) continue;
        for (int c = 0; c < 4; ++c) value[c] = missingComponent(kConversion, c);
        if (const std::byte* from = elementAddress(attribute, keys[lane], bytes))
            for (int c = 0; c < components; ++c)
                value[c] = convertComponent<Format, kConversion>(Format::component(from, c), c);
        for (int c = 0; c < 4; ++c) out.lane[c][lane] = value[c];
    }
}

}  // namespace

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

int vertexElementBytes(VertexType type, int components) {
    return withVertexFormat(
        type, [&]<class Format>() { return Format::kIsPacked ? Format::kBytes : Format::kBytes * components; });
}

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
    withVertexFormat(attribute.type, [&]<class Format>() {
        switch (attribute.conversion) {
            case VertexConversion::Number:
                return fetchLanes<Format, VertexConversion::Number>(attribute, keys, count, out);
            case VertexConversion::Normalized:
                return fetchLanes<Format, VertexConversion::Normalized>(attribute, keys, count, out);
            case VertexConversion::NormalizedSymmetric:
                return fetchLanes<Format, VertexConversion::NormalizedSymmetric>(attribute, keys, count, out);
            case VertexConversion::Integer:
                return fetchLanes<Format, VertexConversion::Integer>(attribute, keys, count, out);
        }
    });
}

}  // namespace tessera::pipeline
