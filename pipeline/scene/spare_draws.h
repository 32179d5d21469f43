// Draws of scenes that are over, emptied but with their memory, for scenes to come: allocating them anew costs a
// quarter of a small draw call.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline {

/// Keeps the memory.
void empty(PrimitiveChunk& chunk);

class SpareDraws {
public:
    [[nodiscard]] PrimitiveChunk chunk();
    /// With one chunk.
    [[nodiscard]] std::unique_ptr<RasterDraw> draw();
    /// A draw whose scene is over, as far as there is room.
    void keep(std::unique_ptr<RasterDraw> draw);

private:
    std::vector<PrimitiveChunk> chunks_;  ///< empty
    size_t chunkBytes_ = 0;
    std::vector<std::unique_ptr<RasterDraw>> draws_;  ///< each with up to one chunk, which is to be emptied
};

}  // namespace tessera::pipeline
