// A chunk of a draw's primitives through the vertex program into the buffers of a stream-out (stream_out.h). Where a
// primitive goes follows from its number, so chunks are independent of each other.
#pragma once

#include <array>

#include "pipeline/geometry/geometry.h"
#include "pipeline/stream_out.h"

namespace tessera::pipeline {

/// Where vertex 0 of the draw goes in each of the buffers that have a stride; there is room for all that is written.
using StreamOutMemory = std::array<std::byte*, kMaxStreamOutBuffers>;

/// Writes primitives first .. first + count - 1, count <= kChunkPrimitives. Unless it returns Shaded, nothing is
/// written.
[[nodiscard]] VertexStage::Result streamOutChunk(const DrawGeometry& geometry, uint64_t first, uint32_t count,
                                                 const StreamOutLayout& layout, const StreamOutMemory& to,
                                                 GeometryScratch& scratch, ChunkGeometry& out);

}  // namespace tessera::pipeline
