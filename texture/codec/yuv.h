// Pictures of video: luminance and two colour differences, packed or in planes, as RGB.
//
// The conversion is that of the standard, exact and then rounded once: with Kr, Kb of BT.601 (0.299, 0.114) or BT.709
// (0.2126, 0.0722), Kg = 1 - Kr - Kb, and
//
//     limited range   y = (Y - 16) / 219   b = (Cb - 128) / 224   r = (Cr - 128) / 224
//     full range      y = Y / 255          b = (Cb - 128) / 255   r = (Cr - 128) / 255
//
//     red = y + 2 (1 - Kr) r    blue = y + 2 (1 - Kb) b    green = (y - Kr red - Kb blue) / Kg
//
// each colour is clamped to 0..1 and becomes the nearest 8-bit code, halves up. A colour difference that several texels
// share is the same for all of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "texture/image.h"

namespace tessera::texture {

enum class YuvStandard : uint8_t { Bt601, Bt709 };
enum class YuvRange : uint8_t { Limited, Full };

/// RGBA8 with alpha 255. Codes are 0..255.
[[nodiscard]] uint32_t yuvToRgb(YuvStandard standard, YuvRange range, int y, int cb, int cr);

/// The code of a layout's name of four letters, the first in the lowest byte.
constexpr uint32_t fourcc(const char (&name)[5]) {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i) code |= static_cast<uint32_t>(static_cast<unsigned char>(name[i])) << 8 * i;
    return code;
}

/// Where a component lies: texel (s, t) at byte `offset + (s >> shiftX) * step` of row `t >> shiftY` of the plane.
struct YuvComponent {
    uint8_t plane, offset, step, shiftX, shiftY;
};
struct YuvFormat {
    uint32_t fourcc;
    const char* name;
    uint8_t planes;
    YuvComponent y, cb, cr;
};
/// YUYV, UYVY, NV12, NV21, YU12 (I420) and YV12.
[[nodiscard]] std::span<const YuvFormat> yuvFormats();
/// Null when there is none of that name.
[[nodiscard]] const YuvFormat* yuvFormat(uint32_t fourcc);

struct YuvPlaneSize {
    size_t rowBytes;
    int rows;
};
/// What is read of a plane; rows may lie further apart.
[[nodiscard]] YuvPlaneSize yuvPlaneSize(const YuvFormat& format, int plane, int width, int height);

struct YuvPlane {
    const std::byte* data = nullptr;
    size_t pitch = 0;  ///< bytes from one row to the next
};
using YuvPlanes = std::array<YuvPlane, 3>;

/// Fills an image of format Rgb8; its size is that of the picture.
void decodeYuv(const YuvFormat& format, YuvStandard standard, YuvRange range, const YuvPlanes& planes, Image& image);

}  // namespace tessera::texture
