// Smooth bodies for the demos' scenes.
#pragma once

#include <cstdint>

#include "demos/drawing/mesh.h"

namespace demos {

/// A sphere of radius 1: `segments` around, half as many from pole to pole. The texture goes once around.
[[nodiscard]] MeshData sphereMesh(int segments);

/// A ring in the xy plane: radius 1 to the middle of its tube.
[[nodiscard]] MeshData torusMesh(float tube, int segments);

/// A square in the xz plane, from -half to half, seen from above; the texture `repeats` times each way.
[[nodiscard]] MeshData planeMesh(float half, float repeats);

/// A cube as cubeMesh(), its edges and corners rounded by so much. Each face is as many triangles, kRoundedFace.
[[nodiscard]] MeshData roundedCubeMesh(float radius);
inline constexpr uint32_t kRoundedFace = 162;

}  // namespace demos
