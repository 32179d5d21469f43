// What becomes of one pixel of a primitive, for a probe (pipeline/probe/pixel_probe.h): its coverage and its tests, by
// the functions that the tiles use.
#pragma once

#include "pipeline/geometry/primitive.h"
#include "pipeline/probe/pixel_probe.h"

namespace tessera::pipeline {

struct TileDraw;

/// Samples of the pixel that the primitive covers, as bits; sample masks applied.
[[nodiscard]] uint32_t coveredSamples(const SetupPrimitive& primitive, const PixelBounds& tile, const TileDraw& draw,
                                      int samples, int x, int y);
/// Tests of the covered samples as they find the buffers. `shaderDepth`: what the program wrote, or null.
void describeTests(const SetupPrimitive& primitive, int x, int y, uint32_t covered, const float* shaderDepth,
                   PixelEvent& event);

}  // namespace tessera::pipeline
