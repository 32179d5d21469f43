// Vertex fetch: vertex attributes in memory to shader input registers.
//
// Types and conversions are the rows of vertex_formats.h, after OpenGL ES 2.0.25, sections 2.8 (table 2.4) and 2.1.2,
// and 3.0.6, sections 2.8 and 2.1.6; half floats follow OES_vertex_half_float.
#pragma once

#include "pipeline/vertex_data.h"
#include "shader-core/isa/executor.h"

namespace tessera::pipeline {

struct Draw;

/// The array element that vertex number `ordinal` (0 .. draw.count - 1) of the draw names, with its base vertex added;
/// an index outside the index buffer reads 0.
[[nodiscard]] uint32_t vertexElement(const Draw& draw, uint32_t ordinal);

/// Fills lanes 0 .. count - 1 (count <= isa::kGroupSize) of `out`. An element that is not wholly inside the
/// attribute's bytes reads (0, 0, 0, 1).
void fetchAttribute(const VertexAttribute& attribute, const VertexKey* keys, int count, isa::GroupRegister& out);

}  // namespace tessera::pipeline
