// Vertex fetch: vertex attributes in memory to shader input registers.
//
// Conversions follow the OpenGL ES 2.0.25 specification, section 2.8 (table 2.4 for the types) and section 2.1.2:
// unsigned normalised c / (2^b - 1), signed normalised (2c + 1) / (2^b - 1), everything else its plain value; half
// floats follow OES_vertex_half_float. Each is the exact value rounded once to single precision (32-bit normalised
// integers are rounded by way of double).
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

/// IEEE-754 half to single, exact for every value; NaN stays NaN.
[[nodiscard]] float halfToFloat(uint16_t half);

}  // namespace tessera::pipeline
