// Texture data goes straight into an image that nothing recorded refers to: a fresh one, the texture's own when the GPU
// has no use of it, or one that replaces it when recorded draws still sample it and all of it is written. Everything
// else that touches an existing image is recorded, so that it happens between the draws it was called between.
#include "api/gles/textures/images.h"

#include <algorithm>
#include <cstring>

#include "api/gles/pixels/client_memory.h"
#include "api/gles/pixels/packed_video.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "pipeline/commands.h"

namespace tessera::gles {

namespace {

/// A transfer's pixels as the texture room takes them: the client's, or what they were unpacked to. Images follow each
/// other as rows do.
class ClientPixels {
public:
    ClientPixels(bool isEs3, PixelTransfer transfer, const TransferSize& size, PixelStore store, const void* pixels) {
        if (isVideoFormat(transfer.format) && pixels) {
            unpacked_ = unpackVideo(transfer, size.width, size.height, store, pixels);
            transfer = *textureTransfer(isEs3, GL_RGB, GL_UNSIGNED_BYTE);
            store = {.alignment = 1};
            pixels = unpacked_.data();
        }
        const ClientRows rows = clientRows(transfer, size, store);
        layout = {transfer.clientFormat, transfer.clientType, rows.stride};
        rowBytes = static_cast<size_t>(size.width) * static_cast<size_t>(transfer.pixelBytes);
        first_ = static_cast<const std::byte*>(pixels) + rows.offset;
        imageBytes_ = rows.imageStride;
    }
    /// Before other threads read them.
    void touch(int height, int depth) const {
        for (int z = 0; z < depth; ++z)
            touchForReading(image(z), {rowBytes, static_cast<size_t>(height), layout.rowStride});
    }
    [[nodiscard]] const std::byte* image(int z) const { return first_ + static_cast<size_t>(z) * imageBytes_; }

    texture::ClientLayout layout;
    size_t rowBytes;  ///< without what lies between rows

private:
    const std::byte* first_;
    size_t imageBytes_;
    std::vector<std::byte> unpacked_;
};

/// Large images are converted in bands of whole blocks, by the GPU's workers too when those are idle.
void uploadInBands(texture::Image& image, Rect rect, const ClientPixels& client) {
    constexpr size_t kBandPixels = size_t{1} << 16;
    const int start = rect.y & ~3, end = rect.y + rect.height;
    const int bandRows = static_cast<int>(std::max<size_t>(kBandPixels / static_cast<size_t>(rect.width), 1) + 3) & ~3;
    const auto bands = static_cast<size_t>((end - start + bandRows - 1) / bandRows);
    if (bands < 2) return texture::upload(image, rect, client.image(0), client.layout);
    client.touch(rect.height, 1);
    Driver::instance().gpu().parallel(bands, [&](size_t band) {
        const int bottom = std::max(start + static_cast<int>(band) * bandRows, rect.y);
        const int top = std::min(start + (static_cast<int>(band) + 1) * bandRows, end);
        texture::upload(image, {rect.x, bottom, rect.width, top - bottom},
                        client.image(0) + static_cast<size_t>(bottom - rect.y) * client.layout.rowStride,
                        client.layout);
    });
}

void uploadNow(const texture::ImagePtr& image, const validate::SubImage& sub, const ClientPixels& client) {
    const Rect rect = {sub.x, sub.y, sub.width, sub.height};
    if (image->depth() == 1) return uploadInBands(*image, rect, client);
    client.touch(sub.height, sub.depth);
    Driver::instance().gpu().parallel(static_cast<size_t>(sub.depth), [&](size_t i) {
        const int z = static_cast<int>(i);
        texture::upload(*sliceOf(image, sub.z + z), rect, client.image(z), client.layout);
    });
}

/// An upload of the whole image leaves nothing of what it held; uploads of depth may keep the stencil.
bool isOverwrittenBy(const texture::Image& image, Rect rect) {
    return rect.x == 0 && rect.y == 0 && rect.width == image.width() && rect.height == image.height() &&
           image.depth() == 1 && image.samples() == 1 && !texture::isDepth(image.element());
}

/// Records a copy from the framebuffer; the part of the rectangle outside it stays as it is.
void recordCopy(Context& c, const SamplesResolved& resolved, texture::ImagePtr to, Rect rect, GLint x, GLint y) {
    // Clip here in 64 bits: the window coordinates are any integers. Pixels outside the framebuffer stay as they are.
    texture::ImagePtr from = c.readBuffers().color.contents(resolved);
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

}  // namespace

texture::ImagePtr sliceOf(const texture::ImagePtr& volume, int z) {
    return volume->depth() == 1 ? volume : std::make_shared<texture::Image>(volume, z);
}

TransferSize transferSize(GLenum target, int width, int height, int depth) {
    return {width, height, target == GL_TEXTURE_3D || target == GL_TEXTURE_2D_ARRAY ? depth : 0};
}

texture::ImagePtr makeVolume(Recorder& recorder, texture::PixelFormat format, int width, int height, int depth) {
    if (depth == 1) return makeImage(recorder, format, width, height);
    auto volume = std::make_shared<texture::Image>(format, width, height, 1, depth);
    recorder.allocated(volume->byteCount());
    const texture::ImagePtr first = makeImage(recorder, format, width, height);
    if (texture::formatInfo(format).alpha == 0)
        for (int z = 0; z < depth; ++z)
            std::memcpy(sliceOf(volume, z)->block(0, 0), first->block(0, 0), volume->planeBytes());
    return volume;
}

void texImage(Context& c, GLenum target, const validate::ImageSize& size, const InternalFormat& internal,
              const PixelTransfer& transfer, const void* pixels) {
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    TextureLevel level({}, internal);
    if (size.width > 0 && size.height > 0 && size.depth > 0) {
        const bool isWritten = pixels && texture::holdsBytes(texture::formatInfo(internal.storage).element);
        texture::ImagePtr image;
        if (isWritten && size.depth == 1) {
            c.recycler.retire(texture.level(face, size.level).image.contents(SamplesResolved(c)));
            image = c.recycler.image(internal.storage, size.width, size.height);
        } else {
            image = makeVolume(c.recorder, internal.storage, size.width, size.height, size.depth);
        }
        if (pixels)
            uploadNow(image, {size.level, 0, 0, size.width, size.height, 0, size.depth},
                      ClientPixels(c.isEs3(), transfer, transferSize(target, size.width, size.height, size.depth),
                                   c.state.unpack, pixels));
        level.image = std::move(image);
    }
    texture.setLevel(face, size.level, std::move(level));
}

void texSubImage(Context& c, GLenum target, const validate::SubImage& sub, const PixelTransfer& transfer,
                 const void* pixels) {
    if (sub.width == 0 || sub.height == 0 || sub.depth == 0 || !pixels) return;
    const SamplesResolved resolved(c);
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    const Rect rect = {sub.x, sub.y, sub.width, sub.height};
    bool isIdle = texture.isIdle(face, sub.level);
    const TextureLevel& old = texture.level(face, sub.level);
    if (!isIdle && !old.isShared && isOverwrittenBy(*old.image.contents(resolved), rect)) {
        TextureLevel level = old;
        c.recycler.retire(old.image.contents(resolved));
        level.image = c.recycler.image(old.image.format(), rect.width, rect.height);
        texture.setLevel(face, sub.level, std::move(level));
        isIdle = true;
    }
    const texture::ImagePtr& image = texture.level(face, sub.level).image.contents(resolved);
    const ClientPixels client(c.isEs3(), transfer, transferSize(target, sub.width, sub.height, sub.depth),
                              c.state.unpack, pixels);
    texture.countWrite(face, sub.level);
    if (isIdle) return uploadNow(image, sub, client);

    const size_t bytes = client.rowBytes * static_cast<size_t>(sub.height);
    for (int z = 0; z < sub.depth; ++z) {
        pipeline::Upload upload;
        upload.image = sliceOf(image, sub.z + z);
        upload.rect = rect;
        upload.layout = client.layout;
        upload.layout.rowStride = client.rowBytes;
        pipeline::BufferPtr copy = c.recycler.staging(bytes);
        for (size_t y = 0; y < static_cast<size_t>(sub.height); ++y)
            std::memcpy(copy->data() + y * client.rowBytes, client.image(z) + y * client.layout.rowStride,
                        client.rowBytes);
        upload.pixels = std::move(copy);
        c.recorder.record(std::move(upload), bytes);
    }
}

void copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size, GLint x,
                    GLint y) {
    const InternalFormat& internal = *copyFormat(c.isEs3(), internalformat, c.readBuffers().color.format());
    TextureLevel level({}, internal);
    if (size.width > 0 && size.height > 0) {
        const texture::ImagePtr image = makeImage(c.recorder, internal.storage, size.width, size.height);
        recordCopy(c, SamplesResolved(c), image, {0, 0, size.width, size.height}, x, y);
        level.image = image;
    }
    c.textureForImage(target).setLevel(faceOf(target), size.level, std::move(level));
}

void copyTexSubImage(Context& c, GLenum target, const validate::SubImage& sub, GLint x, GLint y) {
    if (sub.width == 0 || sub.height == 0) return;
    const SamplesResolved resolved(c);
    Texture& texture = c.textureForImage(target);
    const AttachableImage& image = texture.level(faceOf(target), sub.level).image;
    texture.countWrite(faceOf(target), sub.level);
    recordCopy(c, resolved, sliceOf(image.contents(resolved), sub.z), {sub.x, sub.y, sub.width, sub.height}, x, y);
}

void generateMipmap(Context& c, GLenum target) {
    const SamplesResolved resolved(c);
    Texture& texture = **c.textureBinding(target);
    const int first = texture.firstLevel();
    pipeline::GenerateMipmap command;
    command.asCodes =
        texture.sampling.srgbDecode == GL_SKIP_DECODE_EXT && texture::formatInfo(texture.base(0).image.format()).srgb();
    for (int face = 0; face < texture.faceCount(); ++face) {
        TextureLevel level = texture.base(face);
        const int width = level.image.width(), height = level.image.height(), depth = level.image.depth();
        const texture::PixelFormat format = level.image.format();
        const bool isVolume = target == GL_TEXTURE_3D;
        std::vector<texture::ImagePtr> chain{level.image.contents(resolved)};
        level.isShared = false;
        for (int i = 1; i < texture.usedLevelCount(); ++i) {
            const int levelWidth = std::max(width >> i, 1), levelHeight = std::max(height >> i, 1);
            c.recycler.retire(texture.level(face, first + i).image.contents(resolved));
            texture::ImagePtr image;
            // Levels of 32-bit colours are written whole.
            if (depth > 1) {
                image =
                    makeVolume(c.recorder, format, levelWidth, levelHeight, isVolume ? std::max(depth >> i, 1) : depth);
            } else {
                image = texture::holdsBytes(texture::formatInfo(format).element)
                            ? c.recycler.image(format, levelWidth, levelHeight)
                            : makeImage(c.recorder, format, levelWidth, levelHeight);
            }
            chain.push_back(image);
            level.image = std::move(image);
            texture.setLevel(face, first + i, level);
        }
        if (isVolume || depth == 1) {
            command.faces.push_back(std::move(chain));
            continue;
        }
        for (int layer = 0; layer < depth; ++layer) {  // each has levels of its own
            std::vector<texture::ImagePtr>& levels = command.faces.emplace_back();
            for (const texture::ImagePtr& image : chain) levels.push_back(sliceOf(image, layer));
        }
    }
    c.recorder.record(std::move(command));
}

void texStorage(Context& c, GLenum target, GLsizei levels, GLenum internalformat, const validate::ImageSize& size) {
    Texture& texture = **c.textureBinding(target);
    const texture::BlockFormat* blocks = texture::blockFormat(internalformat);
    const InternalFormat internal = blocks ? InternalFormat{internalformat, internalformat, GL_NONE, blocks->storage}
                                           : *storageFormat(c.isEs3(), internalformat);
    for (int face = 0; face < texture.faceCount(); ++face) {
        for (int i = 0; i < texture::kMaxLevels; ++i) {
            TextureLevel level;
            if (i < levels) {
                const int depth = target == GL_TEXTURE_3D ? std::max(size.depth >> i, 1) : size.depth;
                level = TextureLevel(makeVolume(c.recorder, internal.storage, std::max(size.width >> i, 1),
                                                std::max(size.height >> i, 1), depth),
                                     internal);
                level.isCompressed = blocks != nullptr;
            }
            texture.setLevel(face, i, std::move(level));
        }
    }
    texture.immutableLevels = levels;
    texture.invalidateViews();
}

}  // namespace tessera::gles
