#include "pipeline/geometry/stream_out_chunk.h"

#include <cstring>

#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::pipeline {

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
    const size_t width = stage.outputsOfGroup();
    const isa::GroupRegister* const outputs = scratch.registers.outputs.data();
    for (const StreamOutPart& part : layout.parts) {
        const uint32_t stride = layout.stride[part.buffer];
        const size_t bytes = sizeof(float) * part.components;
        const bool isWritten = stage.writes(part.output);
        for (int c = 0; c < corners; ++c) {
            const uint32_t* const vertex = collector.corner(c);
            std::byte* at = to[part.buffer] +
                            (first * static_cast<uint64_t>(corners) + static_cast<uint64_t>(c)) * stride + part.offset;
            for (uint32_t i = 0; i < count; ++i, at += size_t{stride} * static_cast<size_t>(corners)) {
                float value[4] = {};
                if (isWritten) {
                    const uint32_t group = vertex[i] / isa::kGroupSize, lane = vertex[i] % isa::kGroupSize;
                    const isa::GroupRegister& output = outputs[group * width + part.output];
                    for (size_t k = 0; k < part.components; ++k) value[k] = output.lane[part.component + k][lane];
                }
                std::memcpy(at, value, bytes);
            }
        }
    }
    return result;
}

}  // namespace tessera::pipeline
