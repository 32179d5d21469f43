// Texture data goes straight into an image that nothing recorded refers to: a fresh one, the texture's own when the GPU
// has no use of it, or one that replaces it when recorded draws still sample it and all of it is written. Everything
// else that touches an existing image is recorded, so that it happens between the draws it was called between.
#include "api/gles/textures/images.h"

#include <algorithm>
#include <cstring>

#include "api/gles/pixels/packed_video.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/textures/volume.h"

namespace tessera::gles {

namespace {

/// Large uploads are converted in bands of whole blocks, by the GPU's workers too when those are idle.
void uploadNow(texture::Image& image, Rect rect, const PixelTransfer& transfer, const PixelStore& store,
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
bool isOverwrittenBy(const texture::Image& image, Rect rect) {
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
    const Rect rect = {sub.x, sub.y, sub.width, sub.height};
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

void recordCopy(Context& c, texture::ImagePtr to, Rect rect, GLint x, GLint y) {
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

}  // namespace tessera::gles
