// What of a vertex program computes positions. Vertices whose triangles are outside of the view need no more: while a
// chunk's vertices are all outside for the same reason, the vertex stage runs this part alone.
#pragma once

#include <memory>

#include "shader-core/isa/core.h"

namespace tessera::analysis {

/// The instructions of a vertex program that its position depends on, as a program of its own, with the same registers.
/// Null where that is not known, as of programs with loops or branches, and where it would save little.
[[nodiscard]] std::shared_ptr<const isa::Program> positionsOf(const isa::Program& vertex);

}  // namespace tessera::analysis
