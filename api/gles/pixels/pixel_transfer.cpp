#include "api/gles/pixels/pixel_transfer.h"

#include <algorithm>

#include "api/gles/pixels/client_memory.h"
#include "pipeline/commands.h"

namespace tessera::gles {

namespace {

/// Rows of memory that an image has.
int imageRows(const TransferSize& size, const PixelStore& store) {
    return size.depth != 0 && store.imageHeight > 0 ? store.imageHeight : size.height;
}

}  // namespace

ClientRows clientRows(const PixelTransfer& transfer, const TransferSize& size, const PixelStore& store) {
    const auto pixelBytes = static_cast<size_t>(transfer.pixelBytes);
    const auto alignment = static_cast<size_t>(store.alignment);
    const size_t bytes = static_cast<size_t>(store.rowLength > 0 ? store.rowLength : size.width) * pixelBytes;
    const size_t stride = (bytes + alignment - 1) & ~(alignment - 1);
    const size_t imageStride = stride * static_cast<size_t>(imageRows(size, store));
    const size_t skipped = size.depth != 0 ? static_cast<size_t>(store.skipImages) * imageStride : 0;
    return {stride,
            skipped + static_cast<size_t>(store.skipRows) * stride + static_cast<size_t>(store.skipPixels) * pixelBytes,
            imageStride};
}

size_t clientBytes(const PixelTransfer& transfer, const TransferSize& size, const PixelStore& store) {
    if (size.width == 0 || size.height == 0 || size.images() == 0) return 0;
    // Rows can be so long, and so many be skipped, that their product exceeds 64 bits.
    const __int128 stride = static_cast<__int128>(clientRows(transfer, size, store).stride);
    const __int128 images = (size.depth != 0 ? int64_t{store.skipImages} : 0) + int64_t{size.images()} - 1;
    const __int128 bytes = images * imageRows(size, store) * stride +
                           (int64_t{store.skipRows} + size.height - 1) * stride +
                           (int64_t{store.skipPixels} + size.width) * transfer.pixelBytes;
    return static_cast<size_t>(std::min<__int128>(bytes, PTRDIFF_MAX));
}

namespace {

/// Whether a transfer can use bytes of the buffer as client memory; else false, with the error. One that needs none
/// still wants it not mapped.
bool hasPixels(Context& c, const Buffer& buffer, uintptr_t offset, size_t bytes, size_t unit) {
    const size_t size = buffer.data->size();
    const bool fits = bytes == 0 || (offset <= size && bytes <= size - offset && offset % unit == 0);
    return (!buffer.mapping && fits) || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool unpackFrom(Context& c, size_t bytes, size_t unit, const void** pixels) {
    if (!c.unpackBuffer) return true;
    const auto offset = reinterpret_cast<uintptr_t>(*pixels);
    if (!hasPixels(c, *c.unpackBuffer, offset, bytes, unit)) return false;
    if (bytes == 0) return true;
    c.unpackBuffer->awaitContents();
    *pixels = c.unpackBuffer->data->data() + offset;
    return true;
}

bool unpackPixels(Context& c, const PixelTransfer& transfer, const TransferSize& size, const void** pixels) {
    return unpackFrom(c, clientBytes(transfer, size, c.state.unpack), typeBytes(transfer.type), pixels);
}

AttachableImage readImage(const Context& c, GLenum format) {
    const ReadBuffers from = c.readBuffers();
    switch (format) {
        case GL_DEPTH_COMPONENT:
            return from.depth;
        case GL_STENCIL_INDEX_OES:
            return from.stencil;
        case GL_DEPTH_STENCIL_OES: {
            const bool areOne = from.stencil && (!c.readFramebuffer() || c.readFramebuffer()->sharesDepthStencil());
            return areOne ? from.depth : AttachableImage();
        }
        default:
            return from.color;
    }
}

uint64_t readPixels(Context& c, Rect rect, const PixelTransfer& transfer, size_t limit, void* pixels) {
    const TransferSize size{rect.width, rect.height};
    const size_t bytes = clientBytes(transfer, size, c.state.pack);
    if (bytes > limit) {
        c.error(GL_INVALID_OPERATION);
        return 0;
    }
    const auto address = reinterpret_cast<uintptr_t>(pixels);  // with a pack buffer an offset
    if (c.packBuffer ? !hasPixels(c, *c.packBuffer, address, bytes, typeBytes(transfer.type)) : !pixels) return 0;
    if (bytes == 0) return 0;
    const SamplesResolved resolved(c);
    texture::ImagePtr image = readImage(c, transfer.format).contents(resolved);
    const ClientRows rows = clientRows(transfer, size, c.state.pack);
    const texture::ClientLayout layout = {transfer.clientFormat, transfer.clientType, rows.stride};

    // Only the part inside the framebuffer is read; the rest of the client's memory is not touched.
    int64_t left = std::max<int64_t>(0, -static_cast<int64_t>(rect.x));
    int64_t bottom = std::max<int64_t>(0, -static_cast<int64_t>(rect.y));
    int64_t right = std::min<int64_t>(rect.width, static_cast<int64_t>(image->width()) - rect.x);
    int64_t top = std::min<int64_t>(rect.height, static_cast<int64_t>(image->height()) - rect.y);
    if (left >= right || bottom >= top) return 0;
    const bool isReversed = c.state.pack.reverseRows != 0;
    // Rows are counted in the client's memory, where the topmost row is the first one if rows are reversed.
    const int64_t firstRow = isReversed ? rect.height - top : bottom;
    const size_t first = rows.offset + static_cast<size_t>(firstRow) * layout.rowStride +
                         static_cast<size_t>(left) * static_cast<size_t>(transfer.pixelBytes);
    Rect inside = {static_cast<int>(rect.x + left), static_cast<int>(rect.y + bottom), static_cast<int>(right - left),
                   static_cast<int>(top - bottom)};
    const ClientSpan span = {static_cast<size_t>(inside.width) * static_cast<size_t>(transfer.pixelBytes),
                             static_cast<size_t>(inside.height), layout.rowStride};
    if (c.packBuffer) {
        Buffer& buffer = *c.packBuffer;
        c.recorder.record(
            pipeline::PackPixels{std::move(image), inside, layout, isReversed, buffer.data, address + first});
        buffer.written = c.recorder.flush(resolved);
        return 0;
    }
    auto* const to = static_cast<std::byte*>(pixels) + first;
    touchForWriting(to, span);
    c.recorder.record(pipeline::ReadBack{std::move(image), inside, layout, isReversed, to});
    return c.recorder.flush(resolved, c.whenAwaited());
}

}  // namespace tessera::gles
