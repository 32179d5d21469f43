// The state of a draw as plain data, put together of what other stages know a part of. Enumerations are the pipeline's
// own (no GL headers here).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "pipeline/pixel_state.h"
#include "pipeline/program.h"
#include "pipeline/raster_state.h"
#include "pipeline/render_target.h"
#include "pipeline/texture_binding.h"
#include "pipeline/vertex_data.h"
#include "shader-core/isa/core.h"

namespace tessera::pipeline {

/// What draw calls seldom change from one to the next: those that follow each other share it. Immutable once a recorded
/// command refers to it.
struct DrawState {
    std::shared_ptr<const Program> program;
    RenderTarget target;
    RasterState raster;
    PixelState pixel;
    std::array<VertexAttribute, isa::kMaxAttributes> attributes;  ///< by v register
    PerStage<std::vector<TextureBinding>> textures;               ///< by texture unit of the stage's program
};

}  // namespace tessera::pipeline
