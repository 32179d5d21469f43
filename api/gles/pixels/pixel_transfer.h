// Where the pixels of a transfer lie, in client memory or in a pixel buffer, and reading them back. Arguments have been
// validated.
#pragma once

#include "api/gles/context/context.h"
#include "api/gles/formats.h"

namespace tessera::gles {

/// What a transfer takes. Images of three dimensions alone have a height between them and images to skip.
struct TransferSize {
    int width, height;
    int depth = 0;  ///< 0: of two dimensions
    [[nodiscard]] int images() const { return depth == 0 ? 1 : depth; }
};

/// Where the pixels of a transfer lie (section 3.6.2). 64-bit: sizes and parameters are the application's.
struct ClientRows {
    size_t stride, offset;  ///< bytes from one row to the next, and to the first pixel
    size_t imageStride;     ///< bytes from one image to the next
};
[[nodiscard]] ClientRows clientRows(const PixelTransfer& transfer, const TransferSize& size, const PixelStore& store);

/// Bytes of client memory that a transfer spans, from the pointer the application gives; more than any memory has when
/// the parameters say so.
[[nodiscard]] size_t clientBytes(const PixelTransfer& transfer, const TransferSize& size, const PixelStore& store);
/// Where the `bytes` bytes lie that a command unpacks: with a pixel unpack buffer bound, `*pixels` is an offset into it
/// and becomes an address. False, with the error, when the buffer does not have them, is mapped, or the offset is no
/// multiple of `unit`.
[[nodiscard]] bool unpackFrom(Context& c, size_t bytes, size_t unit, const void** pixels);
/// The same of images' pixels, as the unpack parameters lay them out.
[[nodiscard]] bool unpackPixels(Context& c, const PixelTransfer& transfer, const TransferSize& size,
                                const void** pixels);
/// What glReadPixels reads of the framebuffer in that format, depth and stencil by theirs (NV_read_depth_stencil).
/// None: there is no such buffer, or not both in one image.
[[nodiscard]] AttachableImage readImage(const Context& c, GLenum format);
/// Of glReadPixels and its like, validated but for the memory, which has `limit` bytes. Records the read back, or with
/// a pixel pack buffer the packing into it; returns the serial number to wait for before the pixels are in client
/// memory, 0 when nothing goes there.
[[nodiscard]] uint64_t readPixels(Context& c, Rect rect, const PixelTransfer& transfer, size_t limit, void* pixels);

}  // namespace tessera::gles
