// Texture data goes straight into an image that nothing recorded refers to: a fresh one, the texture's own when the GPU
// has no use of it, or one that replaces it when recorded draws still sample it and all of it is written. Everything
// else that touches an existing image is recorded, so that it happens between the draws it was called between.
#include "api/gles/transfer.h"

#include <algorithm>
#include <cstring>

#include "api/gles/pixels/packed_video.h"
#include "api/gles/textures/volume.h"

namespace tessera::gles {

ClientRows clientRows(const PixelTransfer& transfer, int width, const PixelStore& store) {
    const auto pixelBytes = static_cast<size_t>(transfer.pixelBytes);
    const auto alignment = static_cast<size_t>(store.alignment);
    size_t bytes = static_cast<size_t>(store.rowLength > 0 ? store.rowLength : width) * pixelBytes;
    size_t stride = (bytes + alignment - 1) & ~(alignment - 1);
    return {stride, static_cast<size_t>(store.skipRows) * stride + static_cast<size_t>(store.skipPixels) * pixelBytes};
}

namespace {

/// Large uploads are converted in bands of whole blocks, by the GPU's workers too when those are idle.
void uploadNow(texture::Image& image, texture::Rect rect, const PixelTransfer& transfer, const PixelStore& store,
               const void* pixels) {
    constexpr size_t kBandPixels = size_t{1} << 16;
    const ClientRows rows = clientRows(transfer, rect.width, store);
    const texture::ClientLayout layout = {transfer.clientFormat, transfer.clientType, rows.stride};
    const auto* client = static_cast<const std::byte*>(pixels) + rows.offset;
    const int start = rect.y & ~3, end = rect.y + rect.height;
    const int bandRows = static_cast<int>(std::max<size_t>(kBandPixels / static_cast<size_t>(rect.width), 1) + 3) & ~3;
    const auto bands = static_cast<size_t>((end - start + bandRows - 1) / bandRows);
    if (bands < 2) return texture::upload(image, rect, client, layout);
    Driver::instance().gpu().parallel(bands, [&](size_t band) {
        const int bottom = std::max(start + static_cast<int>(band) * bandRows, rect.y);
        const int top = std::min(start + (static_cast<int>(band) + 1) * bandRows, end);
        texture::upload(image, {rect.x, bottom, rect.width, top - bottom},
                        client + static_cast<size_t>(bottom - rect.y) * rows.stride, layout);
    });
}

/// A transfer's pixels as the texture room takes them: the client's, or what they were unpacked to.
struct ClientPixels {
    ClientPixels(const PixelTransfer& from, int width, int height, const PixelStore& unpack, const void* given)
        : transfer(from), store(unpack), pixels(given) {
        if (!isVideoFormat(from.format) || !given) return;
        unpacked = unpackVideo(from, width, height, unpack, given);
        transfer = *textureTransfer(GL_RGB, GL_UNSIGNED_BYTE);
        store = {.alignment = 1};
        pixels = unpacked.data();
    }
    PixelTransfer transfer;
    PixelStore store;
    const void* pixels;
    std::vector<std::byte> unpacked;
};

/// An upload of the whole image leaves nothing of what it held; uploads of depth may keep the stencil.
bool isOverwrittenBy(const texture::Image& image, texture::Rect rect) {
    return rect.x == 0 && rect.y == 0 && rect.width == image.width() && rect.height == image.height() &&
           image.samples() == 1 && image.element() != texture::Element::D24S8;
}

}  // namespace

void texImage2D(Context& c, GLenum target, const validate::ImageSize& size, const InternalFormat& internal,
                const PixelTransfer& transfer, const void* pixels) {
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    TextureLevel level{nullptr, internal.format, internal.type};
    if (size.width > 0 && size.height > 0) {
        if (pixels && texture::formatInfo(internal.storage).element == texture::Element::Rgba8) {
            c.recycler.retire(texture.level(face, size.level).image);
            level.image = c.recycler.image(internal.storage, size.width, size.height);
        } else {
            level.image = makeImage(internal.storage, size.width, size.height);
        }
        const ClientPixels client(transfer, size.width, size.height, c.state.unpack, pixels);
        if (pixels)
            uploadNow(*level.image, {0, 0, size.width, size.height}, client.transfer, client.store, client.pixels);
    }
    texture.setLevel(face, size.level, std::move(level));
}

void texSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, const PixelTransfer& transfer,
                   const void* pixels) {
    if (sub.width == 0 || sub.height == 0 || !pixels) return;
    c.resolveSamples();
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    const texture::Rect rect = {sub.x, sub.y, sub.width, sub.height};
    bool isIdle = texture.isIdle(face, sub.level);
    const TextureLevel& old = texture.level(face, sub.level);
    if (!isIdle && !old.isShared && isOverwrittenBy(*old.image, rect)) {
        TextureLevel level = old;
        c.recycler.retire(old.image);
        level.image = c.recycler.image(old.image->format(), rect.width, rect.height);
        texture.setLevel(face, sub.level, std::move(level));
        isIdle = true;
    }
    const texture::ImagePtr& image = texture.level(face, sub.level).image;
    const ClientPixels client(transfer, sub.width, sub.height, c.state.unpack, pixels);
    if (isIdle) return uploadNow(*image, rect, client.transfer, client.store, client.pixels);

    pipeline::Upload upload;
    upload.image = image;
    upload.rect = rect;
    const size_t rowBytes = static_cast<size_t>(sub.width) * static_cast<size_t>(client.transfer.pixelBytes);
    const ClientRows rows = clientRows(client.transfer, sub.width, client.store);
    upload.layout = {client.transfer.clientFormat, client.transfer.clientType, rowBytes};
    const size_t bytes = rowBytes * static_cast<size_t>(sub.height);
    std::shared_ptr<pipeline::Bytes> copy = c.recycler.bytes(bytes);
    const auto* from = static_cast<const std::byte*>(client.pixels) + rows.offset;
    for (size_t y = 0; y < static_cast<size_t>(sub.height); ++y)
        std::memcpy(copy->data() + y * rowBytes, from + y * rows.stride, rowBytes);
    upload.pixels = std::move(copy);
    c.recorder.record(std::move(upload), bytes);
}

void recordCopy(Context& c, texture::ImagePtr to, texture::Rect rect, GLint x, GLint y) {
    c.resolveSamples();
    // Clip here in 64 bits: the window coordinates are any integers. Pixels outside the framebuffer stay as they are.
    texture::ImagePtr from = c.readTarget().color[0];
    int64_t left = std::max<int64_t>(0, -static_cast<int64_t>(x));
    int64_t bottom = std::max<int64_t>(0, -static_cast<int64_t>(y));
    int64_t right = std::min<int64_t>(rect.width, static_cast<int64_t>(from->width()) - x);
    int64_t top = std::min<int64_t>(rect.height, static_cast<int64_t>(from->height()) - y);
    if (left >= right || bottom >= top) return;
    pipeline::CopyImage copy;
    copy.fromX = static_cast<int>(x + left);
    copy.fromY = static_cast<int>(y + bottom);
    copy.rect = {static_cast<int>(rect.x + left), static_cast<int>(rect.y + bottom), static_cast<int>(right - left),
                 static_cast<int>(top - bottom)};
    copy.from = std::move(from);
    copy.to = std::move(to);
    c.recorder.record(std::move(copy));
}

void copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size, GLint x,
                    GLint y) {
    const InternalFormat& internal = *copyFormat(internalformat, c.readTarget().color[0]->format());
    TextureLevel level{nullptr, internal.format, internal.type};
    if (size.width > 0 && size.height > 0) {
        level.image = makeImage(internal.storage, size.width, size.height);
        recordCopy(c, level.image, {0, 0, size.width, size.height}, x, y);
    }
    c.textureForImage(target).setLevel(faceOf(target), size.level, std::move(level));
}

void copyTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, GLint x, GLint y) {
    if (sub.width == 0 || sub.height == 0) return;
    texture::ImagePtr image = c.textureForImage(target).level(faceOf(target), sub.level).image;
    recordCopy(c, std::move(image), {sub.x, sub.y, sub.width, sub.height}, x, y);
}

void generateMipmap(Context& c, GLenum target) {
    c.resolveSamples();
    Texture& texture = **c.textureBinding(target);
    pipeline::GenerateMipmap command;
    for (int face = 0; face < texture.faceCount(); ++face) {
        TextureLevel level = texture.level(face, 0);
        const int width = level.image->width(), height = level.image->height(), depth = level.image->depth();
        std::vector<texture::ImagePtr>& chain = command.faces.emplace_back();
        chain.push_back(level.image);
        level.isShared = false;
        for (int i = 1; i < texture.usedLevelCount(); ++i) {
            const int levelWidth = std::max(width >> i, 1), levelHeight = std::max(height >> i, 1);
            const texture::PixelFormat format = level.image->format();
            c.recycler.retire(texture.level(face, i).image);
            // Levels of 32-bit colours are written whole.
            if (depth > 1) {
                level.image = makeVolume(format, levelWidth, levelHeight, std::max(depth >> i, 1));
            } else {
                level.image = texture::formatInfo(format).element == texture::Element::Rgba8
                                  ? c.recycler.image(format, levelWidth, levelHeight)
                                  : makeImage(format, levelWidth, levelHeight);
            }
            chain.push_back(level.image);
            texture.setLevel(face, i, level);
        }
    }
    c.recorder.record(std::move(command));
}

void texStorage2D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height) {
    Texture& texture = **c.textureBinding(target);
    const texture::BlockFormat* blocks = texture::blockFormat(internalformat);
    const InternalFormat internal = blocks ? InternalFormat{internalformat, internalformat, GL_NONE, blocks->storage}
                                           : *storageFormat(internalformat);
    for (int face = 0; face < texture.faceCount(); ++face) {
        for (int i = 0; i < texture::kMaxLevels; ++i) {
            TextureLevel level;
            if (i < levels) {
                level = {makeImage(internal.storage, std::max(width >> i, 1), std::max(height >> i, 1)),
                         internal.format, internal.type};
                level.isCompressed = blocks != nullptr;
            }
            texture.setLevel(face, i, std::move(level));
        }
    }
    texture.immutableLevels = levels;
}

void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height) {
    Renderbuffer& renderbuffer = *c.renderbuffer;
    texture::ImagePtr image;
    if (width > 0 && height > 0)
        image = makeImage(renderbufferFormat(internalformat), width, height, samples == 0 ? 1 : kMaxSamples);
    renderbuffer.internalformat = internalformat;
    renderbuffer.width = width;
    renderbuffer.height = height;
    renderbuffer.image = std::move(image);
}

void clear(Context& c, GLbitfield mask) {
    const State& state = c.state;
    c.prepareSamples((mask & GL_COLOR_BUFFER_BIT) && !state.scissorTest && colorMaskBits(state) == 0xF);
    pipeline::Clear clear;
    clear.target = c.drawTarget();
    clear.scissorTest = state.scissorTest;
    clear.scissor = {state.scissorBox[0], state.scissorBox[1], state.scissorBox[2], state.scissorBox[3]};
    clear.colorMask = colorMaskBits(state);
    clear.depthMask = state.depthMask;
    clear.stencilMask = static_cast<uint8_t>(state.stencilFront.writeMask);
    const bool anyColor = std::any_of(clear.target.color.begin(), clear.target.color.end(),
                                      [](const texture::ImagePtr& image) { return image != nullptr; });
    clear.clearColor = (mask & GL_COLOR_BUFFER_BIT) && anyColor && clear.colorMask != 0;
    clear.clearDepth = (mask & GL_DEPTH_BUFFER_BIT) && clear.target.depth && clear.depthMask;
    clear.clearStencil = (mask & GL_STENCIL_BUFFER_BIT) && clear.target.stencil && clear.stencilMask != 0;
    if (!clear.clearColor && !clear.clearDepth && !clear.clearStencil) return;
    std::copy_n(state.clearColor, 4, clear.color);
    clear.depth = state.clearDepth;
    clear.stencil = static_cast<uint8_t>(state.clearStencil);
    c.recorder.record(std::move(clear));
}

void blit(Context& c, const validate::BlitCall& call) {
    c.resolveSamples();
    c.prepareSamples(false);
    const pipeline::RenderTarget from = c.readTarget(), to = c.drawTarget();
    texture::Blit how{call.from, call.to, {0, 0, to.width, to.height}, call.filter == GL_LINEAR};
    if (c.state.scissorTest) {
        const GLint* box = c.state.scissorBox;
        how.within = {box[0], box[1], box[2], box[3]};
    }
    const auto record = [&](const texture::ImagePtr& source, const texture::ImagePtr& target, uint32_t writeMask) {
        if (!source || !target) return;
        how.writeMask = writeMask;
        c.recorder.record(pipeline::Blit{source, target, how});
    };
    if ((call.mask & GL_COLOR_BUFFER_BIT) != 0)
        for (const texture::ImagePtr& target : to.color) record(from.color[0], target, ~0u);
    const bool depth = (call.mask & GL_DEPTH_BUFFER_BIT) != 0, stencil = (call.mask & GL_STENCIL_BUFFER_BIT) != 0;
    const bool together = depth && stencil && from.depth == from.stencil && to.depth == to.stencil;
    if (together) return record(from.depth, to.depth, ~0u);
    if (depth) record(from.depth, to.depth, 0xFFFFFF00u);
    if (stencil) record(from.stencil, to.stencil, 0xFFu);
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
    if (!soleOwner(buffer.data)) buffer.data = std::make_shared<pipeline::Bytes>(*buffer.data);
    *pixels = buffer.data->data() + offset;
    *owner = buffer.data;
    return true;
}

uint64_t readPixels(Context& c, texture::Rect rect, const PixelTransfer& transfer, size_t limit, void* pixels) {
    const size_t bytes = clientBytes(transfer, rect.width, rect.height, c.state.pack);
    if (bytes > limit) {
        c.error(GL_INVALID_OPERATION);
        return 0;
    }
    std::shared_ptr<void> owner;
    if (!packTo(c, bytes, typeBytes(transfer.type), &pixels, &owner)) return 0;
    if (rect.width == 0 || rect.height == 0 || !pixels) return 0;
    c.resolveSamples();
    texture::ImagePtr image = c.readTarget().color[0];
    const ClientRows rows = clientRows(transfer, rect.width, c.state.pack);
    const texture::ClientLayout layout = {transfer.clientFormat, transfer.clientType, rows.stride};

    // Only the part inside the framebuffer is read; the rest of the client's memory is not touched.
    int64_t left = std::max<int64_t>(0, -static_cast<int64_t>(rect.x));
    int64_t bottom = std::max<int64_t>(0, -static_cast<int64_t>(rect.y));
    int64_t right = std::min<int64_t>(rect.width, static_cast<int64_t>(image->width()) - rect.x);
    int64_t top = std::min<int64_t>(rect.height, static_cast<int64_t>(image->height()) - rect.y);
    if (left >= right || bottom >= top) return 0;
    const bool isReversed = c.state.pack.reverseRows != 0;
    // In the client's memory; of reversed rows the first is the topmost.
    const int64_t firstRow = isReversed ? rect.height - top : bottom;
    auto* to = static_cast<std::byte*>(pixels) + rows.offset + static_cast<size_t>(firstRow) * layout.rowStride +
               static_cast<size_t>(left) * static_cast<size_t>(transfer.pixelBytes);
    texture::Rect inside = {static_cast<int>(rect.x + left), static_cast<int>(rect.y + bottom),
                            static_cast<int>(right - left), static_cast<int>(top - bottom)};
    c.recorder.record(pipeline::ReadBack{std::move(image), inside, layout, isReversed, to, std::move(owner)});
    return c.recorder.flush();
}

}  // namespace tessera::gles
