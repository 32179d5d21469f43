// Transfers between client memory and images: upload with format conversion, read back, copies, mipmaps, resolve.
//
// A multisample image (Image::samples) can be read, resolved on the way, filled and resolved; nothing else writes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/rectangle.h"
#include "texture/image.h"
#include "texture/texture.h"

namespace tessera::texture {

/// Layout of a pixel in client memory: the (format, type) pairs of glTexImage2D and glReadPixels.
enum class ClientFormat : uint8_t {
    Alpha,
    Rgb,
    Rgba,
    Luminance,
    LuminanceAlpha,
    Bgra,
    Depth,
    DepthStencil,
    Red,
    Rg,
    RedInteger,
    RgInteger,
    RgbInteger,
    RgbaInteger,
    Stencil  ///< read back alone
};
enum class ClientType : uint8_t {
    U8,
    U16_565,
    U16_4444,
    U16_5551,
    U16,
    U32,
    U24_8,
    F16,
    F32,
    U16_4444Rev,
    U16_1555Rev,
    I8,
    I16,
    I32,
    U2_10_10_10Rev,
    U10F_11F_11FRev,
    U5_9_9_9Rev,
    F32_U24_8Rev
};

struct ClientLayout {
    ClientFormat format = ClientFormat::Rgba;
    ClientType type = ClientType::U8;
    size_t rowStride = 0;  ///< bytes from one row to the next, alignment applied
};
/// Bytes of one pixel; 0 when the pair is not valid.
[[nodiscard]] int clientPixelBytes(ClientFormat format, ClientType type);

/// Writes `rect` of `image` from `pixels` (row 0 first). The rectangle lies inside the image. Colours become colours of
/// any kind, integers those of the same sign, depth becomes depth; else nothing is written.
void upload(Image& image, Rect rect, const std::byte* pixels, ClientLayout layout);

/// Reads `rect` of `image` into `pixels`; pixels of the rectangle outside the image are left alone.
/// Conversion to fewer bits rounds to nearest, integers keep to the range of the client's; missing alpha reads 1. Depth
/// can be read as luminance.
void readBack(const Image& image, Rect rect, std::byte* pixels, ClientLayout layout);

/// Copies a rectangle of a colour image into an image of another format (glCopyTexSubImage2D): missing
/// channels are dropped, luminance takes red. Source pixels outside `from` leave the destination alone. Depth goes to
/// depth of the same element and to colours, integers to integers of the same sign.
void copy(const Image& from, int fromX, int fromY, Image& to, Rect rect);

/// What encoded colours are averaged as.
enum class Averaged : uint8_t { AsLight, AsCodes };
/// One level from the one above it: 2x2 box filter; for odd sizes the polyphase box of the exact footprint.
/// Rounds to nearest in 8 bits; of integers it is the first texel.
void downsample(const Image& from, Image& to, Averaged how = Averaged::AsLight);
/// The same of volumes of colours, along three axes.
void downsampleVolume(const ImagePtr& from, const ImagePtr& to, Averaged how = Averaged::AsLight);
/// Rows of 4x4 blocks of the smaller image alone, where that can be: both sizes even, 32-bit colours that are none of
/// light.
[[nodiscard]] bool downsamplesByBlocks(const Image& from, Averaged how);
void downsampleRows(const Image& from, Image& to, int firstRow, int rows, Averaged how);

/// Makes the single-sample image `to` of the multisample image `from`, over the size both have. A colour is the mean
/// of the samples: for normalised formats the four stored n-bit integers, added, plus two, divided by four (to nearest,
/// halves up); for floats and signed ones (a/4 + b/4) + (c/4 + d/4), each addition rounded to single, the result to the
/// element.
/// Depth, stencil and integers are those of sample 0. When the formats differ the result is converted as by copy().
/// resolveRows does only rows firstRow .. firstRow + rows - 1 of 4x4 blocks.
void resolve(const Image& from, Image& to);
void resolveRows(const Image& from, Image& to, int firstRow, int rows);

/// Fills the rectangle with one element value (32-bit images), only the bits in `writeMask`; every sample.
void fill(Image& image, Rect rect, uint32_t value, uint32_t writeMask);

/// Gives the channels that the element of a new image has and its format lacks what they always have: alpha 1.
void fillMissing(Image& image);

/// Quantises an RGBA8 element to the precision of the format (Rgb565: 5, 6, 5 bits; alpha 255), expanded again.
[[nodiscard]] uint32_t quantize(PixelFormat format, uint32_t rgba8);

}  // namespace tessera::texture
