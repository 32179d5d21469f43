// Blits: pixels of one image into another, scaled, mirrored and converted (NV_framebuffer_blit; OpenGL ES 3.0, section
// 4.3.3).
#pragma once

#include "texture/transfer/transfer.h"

namespace tessera::texture {

/// A rectangle by two corners, in any order: what is at (x0, y0) of one image goes to (x0, y0) of the other.
struct Corners {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

struct Blit {
    Corners from, to;
    Rect within;               ///< pixels outside keep their value
    bool linear = false;       ///< between four pixels, of colours that are scaled; else the nearest
    uint32_t writeMask = ~0u;  ///< the bits of depth (the upper 24) and stencil that are written
    bool asCodes = false;      ///< sRGB is neither decoded nor encoded: its codes are numbers
};

/// The centre of a pixel of `to` is mapped to `from`, exactly. It takes the pixel that it falls on, or the mean of the
/// four around it with weights rounded to 1/256, those at the edge standing in for what is beyond; where it falls on
/// none, the pixel keeps its value. sRGB is decoded before and encoded after, unless both are and no mean is taken.
/// From a multisample image to another, sample by sample, to an ordinary one resolved, from one to all samples.
/// Only rows firstRow .. firstRow + rows - 1 of `to` are written. Depth and stencil formats are the same.
void blit(const ImagePtr& from, const ImagePtr& to, const Blit& how, int firstRow, int rows);

}  // namespace tessera::texture
