// Primitive assembly: which vertices make up primitive number p (OpenGL ES 2.0.25, section 2.7). A pure function of
// the primitive's number, so chunks of a strip, fan or loop can be assembled independently and in parallel.
#pragma once

#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

/// Vertices of one primitive: 1 for points, 2 for lines, 3 for triangles.
[[nodiscard]] int cornerCount(Primitive primitive);

/// Primitives that `vertexCount` vertices make; incomplete ones at the end are dropped.
[[nodiscard]] uint32_t primitiveCount(Primitive primitive, uint32_t vertexCount);

/// Vertex numbers (0 .. vertexCount - 1) of primitive `number`, with the winding that GL gives it: the odd triangles
/// of a strip swap their first two vertices.
void primitiveCorners(Primitive primitive, uint32_t number, uint32_t vertexCount, uint32_t corners[3]);

}  // namespace tessera::pipeline
