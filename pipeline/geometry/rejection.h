// What is rejected of a batch of triangles. Internal; compiled for each SIMD level.
#pragma once

#include "base/simd.h"
#include "pipeline/geometry/geometry_functions.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// GeometryFunctions::cull.
uint32_t cull(const SetupState& state, const VertexArrays& arrays, const TriangleCorners& triangles, uint32_t* list,
              uint64_t* coverage);

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
