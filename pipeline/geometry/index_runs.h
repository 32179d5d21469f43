// Primitive restart (OpenGL ES 3.0.6, section 2.8.3): the index of all ones ends a strip, fan, loop or list, and what
// follows begins another.
//
// The runs between such indices are found once for a draw, so that its primitives are numbered through all of them and
// chunks stay independent of each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

struct Draw;

/// Indices that make at least one primitive, without one of all ones among them.
struct IndexRun {
    uint32_t first = 0, count = 0;  ///< vertex numbers of the draw
    uint32_t firstPrimitive = 0;    ///< of an instance: primitives of the runs before
};

/// Whether an index can begin primitives anew.
[[nodiscard]] bool restarts(const Draw& draw);
/// The runs of a draw that restarts().
[[nodiscard]] std::vector<IndexRun> indexRuns(const Draw& draw);
/// Primitives that an instance of the draw has; `runs` are its own if it restarts().
[[nodiscard]] uint32_t primitivesPerInstance(const Draw& draw, std::span<const IndexRun> runs);
/// Over all instances; it looks for the runs itself.
[[nodiscard]] uint64_t drawnPrimitives(const Draw& draw);
/// The run with that primitive of an instance.
[[nodiscard]] const IndexRun& runOf(std::span<const IndexRun> runs, uint32_t primitive);
/// Primitive `number` of an instance as primitiveCorners() tells it, through all runs.
void drawCorners(const Draw& draw, std::span<const IndexRun> runs, uint32_t number, uint32_t corners[3]);

}  // namespace tessera::pipeline
