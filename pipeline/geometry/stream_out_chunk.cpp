#include "pipeline/geometry/stream_out_chunk.h"

#include <cstring>

#include "base/simd.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::pipeline {

namespace {

/// Components of an output of a chunk's vertices, in lanes.
struct OutputLanes {
    const float* first;  ///< the first component of vertex 0; null: it is not written, and 0
    size_t groupFloats;  ///< from a group of vertices to the next
};

/// Four vertices whose lanes follow each other: a row for each of their components becomes one for each of them.
void transpose(const float* lanes, size_t components, float (&vertex)[4][4]) {
    F32x4 row[4] = {};
    for (size_t k = 0; k < components; ++k) std::memcpy(&row[k], lanes + k * isa::kGroupSize, sizeof row[k]);
    const F32x4 low01 = __builtin_shufflevector(row[0], row[1], 0, 4, 1, 5);
    const F32x4 low23 = __builtin_shufflevector(row[2], row[3], 0, 4, 1, 5);
    const F32x4 high01 = __builtin_shufflevector(row[0], row[1], 2, 6, 3, 7);
    const F32x4 high23 = __builtin_shufflevector(row[2], row[3], 2, 6, 3, 7);
    const F32x4 made[4] = {
        __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    std::memcpy(vertex, made, sizeof made);
}

/// Writes kComponents components of `count` vertices, by their numbers, `step` bytes from one to the next.
template <size_t kComponents>
void writeComponents(const OutputLanes& output, const uint32_t* vertex, uint32_t count, std::byte* to, size_t step) {
    constexpr size_t kBytes = sizeof(float) * kComponents;
    if (output.first == nullptr) {
        for (uint32_t i = 0; i < count; ++i) std::memset(to + i * step, 0, kBytes);
        return;
    }
    const auto lanesOf = [&](uint32_t number) {
        return output.first + number / isa::kGroupSize * output.groupFloats + number % isa::kGroupSize;
    };
    float value[4][4];
    uint32_t i = 0;
    while (i < count) {
        const uint32_t number = vertex[i];
        const bool areFour = number % 4 == 0 && i + 4 <= count && vertex[i + 1] == number + 1 &&
                             vertex[i + 2] == number + 2 && vertex[i + 3] == number + 3;
        if (areFour) {
            transpose(lanesOf(number), kComponents, value);
        } else {
            for (size_t k = 0; k < kComponents; ++k) value[0][k] = lanesOf(number)[k * isa::kGroupSize];
        }
        const uint32_t end = i + (areFour ? 4 : 1);
        for (uint32_t own = 0; i < end; ++i, ++own) std::memcpy(to + i * step, value[own], kBytes);
    }
}

/// By how many components there are, so that what is copied for a vertex has a size that is known.
constexpr decltype(&writeComponents<0>) kWrite[] = {writeComponents<0>, writeComponents<1>, writeComponents<2>,
                                                    writeComponents<3>, writeComponents<4>};

}  // namespace

VertexStage::Result streamOutChunk(const DrawGeometry& geometry, uint64_t first, uint32_t count,
                                   const StreamOutLayout& layout, const StreamOutMemory& to, GeometryScratch& scratch,
                                   ChunkGeometry& out) {
    VertexCollector& collector = scratch.collector;
    collector.collect(geometry.draw(), geometry.runs(), geometry.primitivesPerInstance(), first, count);
    const VertexStage& stage = geometry.vertexStage();
    out.vertices += collector.keys().size();
    const VertexStage::Result result =
        stage.outputs(collector.keys(), geometry.functions(), geometry.stop, scratch.registers, &out.instructions);
    if (result != VertexStage::Result::Shaded) return result;
    const int corners = cornerCount(geometry.draw().primitive);
    const size_t groupFloats = stage.outputsOfGroup() * (sizeof(isa::GroupRegister) / sizeof(float));
    const isa::GroupRegister* const outputs = scratch.registers.outputs.data();
    for (const StreamOutPart& part : layout.parts) {
        const uint32_t stride = layout.stride[part.buffer];
        const OutputLanes lanes = {stage.writes(part.output) ? outputs[part.output].lane[part.component] : nullptr,
                                   groupFloats};
        for (int c = 0; c < corners; ++c) {
            std::byte* const at = to[part.buffer] +
                                  (first * static_cast<uint64_t>(corners) + static_cast<uint64_t>(c)) * stride +
                                  part.offset;
            kWrite[part.components](lanes, collector.corner(c), count, at,
                                    size_t{stride} * static_cast<size_t>(corners));
        }
    }
    return result;
}

}  // namespace tessera::pipeline
