// APPLE_rgb_422 and MESA_ycbcr_texture: pairs of texels packed as two luminances and two colour differences.
//
// The pixels of a transfer become RGB bytes first and go the way of those. APPLE_rgb_422 stores what it is given: red
// is Cr, green Y, blue Cb, and both texels of a pair have both differences. MESA_ycbcr_texture leaves the conversion to
// us: it is BT.601's for limited range, as texture/codec/yuv.h defines it.
#pragma once

#include <cstddef>
#include <vector>

#include "api/gles/formats.h"
#include "api/gles/objects/state.h"

namespace tessera::gles {

/// Rows of width * 3 bytes without gaps; `transfer` is of a video format, width is even.
[[nodiscard]] std::vector<std::byte> unpackVideo(const PixelTransfer& transfer, int width, int height,
                                                 const PixelStore& store, const void* pixels);

}  // namespace tessera::gles
