// Where a frame's lookups miss the modelled texture caches: by texel of each texture, and by pixel of each target.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "inspect/frame/frame_model.h"
#include "pipeline/probe/texture_probe.h"
#include "tools/inspector/report/frame_costs.h"

namespace tessera::tools {

struct TextureMisses {
    struct Counts {
        int width = 0, height = 0;
        std::vector<uint32_t> misses;  ///< rows from the bottom
    };
    /// By number of the image in the stream, and slice: how often the line was missed that a texel is in.
    std::map<std::pair<uint32_t, int>, Counts> textures;
    /// By number of the image that is drawn to: lines missed by the lookups of a pixel.
    std::map<uint32_t, Counts> targets;
    pipeline::TextureCacheCounters all;
};

/// Executes the frame on one thread of the interpreter, and listens to its texture units.
[[nodiscard]] TextureMisses missesOf(inspect::FrameModel& model, size_t frame);

/// Of the first image that an action draws to, by all draws of the frame; nothing where none looks up textures.
[[nodiscard]] HeatMap missesOfTarget(const TextureMisses& misses, const inspect::FrameModel& model, size_t action);
/// Of a level of a texture.
[[nodiscard]] HeatMap missesOfTexture(const TextureMisses& misses, const inspect::FrameModel& model,
                                      const texture::Image& image, int slice);

}  // namespace tessera::tools
