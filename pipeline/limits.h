// Sizes that the whole pipeline is made for.
#pragma once

namespace tessera::pipeline {

inline constexpr int kTileSize = 64;          ///< pixels along one side of a bin
inline constexpr int kSubPixelBits = 8;       ///< fixed-point fraction of window coordinates
inline constexpr int kMaxRenderSize = 16384;  ///< of targets and viewports, along one side
inline constexpr int kMaxColorTargets = 8;
inline constexpr int kMaxDistances = 8;  ///< clip and cull distances of a vertex, together

}  // namespace tessera::pipeline
