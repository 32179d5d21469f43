// What becomes of a primitive before it has pixels: viewport, scissor, culling, polygon offset.
#pragma once

#include <cstdint>

#include "base/rectangle.h"

namespace tessera::pipeline {

enum class CullFace : uint8_t { None, Front, Back, Both };

struct RasterState {
    float viewport[4] = {};  ///< x, y, width, height in window pixels, y up
    float depthNear = 0, depthFar = 1;
    bool clipUpperLeft = false;      ///< y of clip coordinates counts downwards
    bool clipDepthFromZero = false;  ///< z of clip coordinates is 0..w within the view volume, not -w..w
    bool depthClamp = false;         ///< nothing is clipped at near and far: PixelState::depthClamp
    uint8_t clipDistances = 0;       ///< bit i: the vertex program's clip distance i is looked at (Program::distances)
    bool scissorTest = false;
    Rect scissor;
    CullFace cull = CullFace::None;
    bool frontIsClockwise = false;
    bool polygonOffset = false;
    bool discard = false;  ///< draws have no pixels: their vertices are for stream-out alone
    float offsetFactor = 0, offsetUnits = 0;
    float offsetClamp = 0;  ///< bound of the offset on its side of 0; 0 and NaN: none
    float lineWidth = 1;
};

}  // namespace tessera::pipeline
