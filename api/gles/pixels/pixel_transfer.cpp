#include "api/gles/pixels/pixel_transfer.h"

#include <algorithm>

#include "api/gles/pixels/client_memory.h"
#include "pipeline/commands.h"

namespace tessera::gles {

ClientRows clientRows(const PixelTransfer& transfer, int width, const PixelStore& store) {
    const auto pixelBytes = static_cast<size_t>(transfer.pixelBytes);
    const auto alignment = static_cast<size_t>(store.alignment);
    size_t bytes = static_cast<size_t>(store.rowLength > 0 ? store.rowLength : width) * pixelBytes;
    size_t stride = (bytes + alignment - 1) & ~(alignment - 1);
    return {stride, static_cast<size_t>(store.skipRows) * stride + static_cast<size_t>(store.skipPixels) * pixelBytes};
}

size_t clientBytes(const PixelTransfer& transfer, int width, int height, const PixelStore& store) {
    if (width == 0 || height == 0) return 0;
    // Rows can be so long, and so many be skipped, that their product exceeds 64 bits.
    const __int128 stride = static_cast<__int128>(clientRows(transfer, width, store).stride);
    const __int128 bytes =
        (int64_t{store.skipRows} + height - 1) * stride + (int64_t{store.skipPixels} + width) * transfer.pixelBytes;
    return static_cast<size_t>(std::min<__int128>(bytes, PTRDIFF_MAX));
}

namespace {

/// The bytes of a buffer that a transfer uses as client memory; null, with the error, when it cannot.
std::byte* pixelBytes(Context& c, Buffer& buffer, uintptr_t offset, size_t bytes, size_t unit) {
    const size_t size = buffer.data->size();
    const bool fits = offset <= size && bytes <= size - offset;
    if (!buffer.mapping && fits && offset % unit == 0) return buffer.data->data() + offset;
    c.error(GL_INVALID_OPERATION);
    return nullptr;
}

}  // namespace

bool unpackFrom(Context& c, size_t bytes, size_t unit, const void** pixels) {
    if (!c.unpackBuffer || bytes == 0) return true;
    *pixels = pixelBytes(c, *c.unpackBuffer, reinterpret_cast<uintptr_t>(*pixels), bytes, unit);
    return *pixels != nullptr;
}

bool unpackPixels(Context& c, const PixelTransfer& transfer, int width, int height, const void** pixels) {
    return unpackFrom(c, clientBytes(transfer, width, height, c.state.unpack), typeBytes(transfer.type), pixels);
}

bool packTo(Context& c, size_t bytes, size_t unit, void** pixels, std::shared_ptr<void>* owner) {
    if (!c.packBuffer || bytes == 0) return true;
    Buffer& buffer = *c.packBuffer;
    const auto offset = reinterpret_cast<uintptr_t>(*pixels);
    if (!pixelBytes(c, buffer, offset, bytes, unit)) return false;
    buffer.makeOwn(c.recorder);
    *pixels = buffer.data->data() + offset;
    *owner = buffer.data;
    return true;
}

uint64_t readPixels(Context& c, Rect rect, const PixelTransfer& transfer, size_t limit, void* pixels) {
    const size_t bytes = clientBytes(transfer, rect.width, rect.height, c.state.pack);
    if (bytes > limit) {
        c.error(GL_INVALID_OPERATION);
        return 0;
    }
    std::shared_ptr<void> owner;
    if (!packTo(c, bytes, typeBytes(transfer.type), &pixels, &owner)) return 0;
    if (rect.width == 0 || rect.height == 0 || !pixels) return 0;
    const SamplesResolved resolved(c);
    texture::ImagePtr image = c.readBuffers().color.contents(resolved);
    const ClientRows rows = clientRows(transfer, rect.width, c.state.pack);
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
    auto* to = static_cast<std::byte*>(pixels) + rows.offset + static_cast<size_t>(firstRow) * layout.rowStride +
               static_cast<size_t>(left) * static_cast<size_t>(transfer.pixelBytes);
    Rect inside = {static_cast<int>(rect.x + left), static_cast<int>(rect.y + bottom), static_cast<int>(right - left),
                   static_cast<int>(top - bottom)};
    const ClientSpan span = {static_cast<size_t>(inside.width) * static_cast<size_t>(transfer.pixelBytes),
                             static_cast<size_t>(inside.height), layout.rowStride};
    if (!owner) touchForWriting(to, span);
    c.recorder.record(pipeline::ReadBack{std::move(image), inside, layout, isReversed, to, std::move(owner)});
    return c.recorder.flush(resolved);
}

}  // namespace tessera::gles
