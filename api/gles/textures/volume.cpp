// OES_texture_3D. A level is a volume (texture/image.h); what is transferred goes slice by slice through the images of
// its slices, at once or recorded as 2D transfers are (images.cpp).
#include "api/gles/textures/volume.h"

#include <algorithm>
#include <cstring>

#include "api/gles/framebuffers/validation.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/textures/images.h"

namespace tessera::gles {

namespace validate {

namespace {

bool validLevel(GLint level) { return level >= 0 && level < mipLevelCount(texture::kMaxDepth, 1); }

bool volumeSize(Context& c, const VolumeSize& size, GLint border) {
    if (!validLevel(size.level)) return c.error(GL_INVALID_VALUE);
    const int limit = texture::kMaxDepth >> size.level;
    const auto fits = [&](GLsizei n) { return n >= 0 && n <= limit; };
    const bool valid = fits(size.width) && fits(size.height) && fits(size.depth) && border == 0;
    return valid || c.error(GL_INVALID_VALUE);
}

/// The box lies inside a defined level.
bool subVolume(Context& c, const SubVolume& sub) {
    if (!validLevel(sub.level)) return c.error(GL_INVALID_VALUE);
    if (std::min({sub.x, sub.y, sub.z, sub.width, sub.height, sub.depth}) < 0) return c.error(GL_INVALID_VALUE);
    const texture::ImagePtr& image = (*c.textureBinding(GL_TEXTURE_3D_OES))->level(0, sub.level).image;
    if (!image) return c.error(GL_INVALID_OPERATION);
    const auto inside = [](GLint start, GLsizei n, int size) { return start <= size && n <= size - start; };
    const bool valid = inside(sub.x, sub.width, image->width()) && inside(sub.y, sub.height, image->height()) &&
                       inside(sub.z, sub.depth, image->depth());
    return valid || c.error(GL_INVALID_VALUE);
}

// Khronos' conformance suite (KHR-GLES2.texture_3d) wants an image from pixels that OpenGL ES names, but not together
// or not here, to be a combination that is not valid: GL_INVALID_OPERATION. What names no pixels is GL_INVALID_ENUM.
bool isNamedFormat(GLenum format) {
    constexpr GLenum kRedInteger = 0x8D94, kRgInteger = 0x8228, kRgbInteger = 0x8D98, kRgbaInteger = 0x8D99;
    return isPixelFormat(format) || format == kRedInteger || format == kRgInteger || format == kRgbInteger ||
           format == kRgbaInteger;
}

bool isNamedType(GLenum type) {
    return isPixelType(type) || type == GL_BYTE || type == GL_SHORT || type == GL_INT ||
           type == GL_UNSIGNED_INT_2_10_10_10_REV_EXT || type == GL_UNSIGNED_INT_10F_11F_11F_REV_APPLE ||
           type == GL_UNSIGNED_INT_5_9_9_9_REV_APPLE;
}

/// What a framebuffer can have images of.
bool isImageTarget(GLenum target) {
    constexpr GLenum kTexture2DMultisample = 0x9100;
    return faceOf(target) >= 0 || target == GL_TEXTURE_3D_OES || target == kTexture2DMultisample;
}

/// Neither depth nor video has slices.
bool volumeFormat(Context& c, GLenum baseFormat) {
    return !(isDepthFormat(baseFormat) || isVideoFormat(baseFormat)) || c.error(GL_INVALID_OPERATION);
}

bool notImmutable(Context& c) {
    return (*c.textureBinding(GL_TEXTURE_3D_OES))->immutableLevels == 0 || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool texImage3D(Context& c, GLenum target, GLenum internalformat, const VolumeSize& size, GLint border, GLenum format,
                GLenum type) {
    if (target != GL_TEXTURE_3D_OES || !isNamedFormat(format) || !isNamedType(type)) return c.error(GL_INVALID_ENUM);
    if (!volumeSize(c, size, border)) return false;
    const PixelTransfer* transfer = textureTransfer(format, type);
    if (!transfer) return c.error(GL_INVALID_OPERATION);
    if (!isTextureFormat(internalformat)) return c.error(GL_INVALID_VALUE);
    if (!textureFormat(internalformat, *transfer)) return c.error(GL_INVALID_OPERATION);
    return volumeFormat(c, format) && notImmutable(c);
}

bool texSubImage3D(Context& c, GLenum target, const SubVolume& sub, GLenum format, GLenum type) {
    if (target != GL_TEXTURE_3D_OES || !isNamedFormat(format) || !isNamedType(type)) return c.error(GL_INVALID_ENUM);
    if (!subVolume(c, sub)) return false;
    const TextureLevel& level = (*c.textureBinding(target))->level(0, sub.level);
    const PixelTransfer* transfer = textureTransfer(format, type);
    const bool match = transfer && acceptsTransfer(level.format, level.image->format(), *transfer);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexSubImage3D(Context& c, GLenum target, const SubVolume& sub) {
    if (target != GL_TEXTURE_3D_OES) return c.error(GL_INVALID_ENUM);
    if (!subVolume(c, sub) || !readableFramebuffer(c)) return false;
    const GLenum format = (*c.textureBinding(target))->level(0, sub.level).format;
    return (neededChannels(format) & ~c.readChannels()) == 0 || c.error(GL_INVALID_OPERATION);
}

bool compressedTexImage3D(Context& c, GLenum target, GLenum internalformat) {
    const bool known = target == GL_TEXTURE_3D_OES && texture::blockFormat(internalformat) != nullptr;
    return c.error(known ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
}

bool compressedTexSubImage3D(Context& c, GLenum target, GLenum format) {
    return compressedTexImage3D(c, target, format);
}

bool texStorage3D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, const VolumeSize& size) {
    const InternalFormat* internal = storageFormat(internalformat);
    if (target != GL_TEXTURE_3D_OES || !internal) return c.error(GL_INVALID_ENUM);
    if (levels < 1 || size.width < 1 || size.height < 1 || size.depth < 1) return c.error(GL_INVALID_VALUE);
    if (levels > mipLevelCount(std::max(size.width, size.depth), size.height)) return c.error(GL_INVALID_OPERATION);
    if (!volumeSize(c, size, 0) || !volumeFormat(c, internal->format)) return false;
    if ((*c.textureBinding(target))->name == 0) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c);
}

bool framebufferTexture3D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level,
                          GLint z) {
    if (!framebufferTarget(c, target)) return false;
    if (!isAttachmentPoint(attachment)) return c.error(GL_INVALID_ENUM);
    if (texture == 0) return c.framebufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
    if (!isImageTarget(textarget)) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    // Images of the other targets have no slices: they are not compatible with a 3D texture, nor is this call with
    // them.
    const std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != GL_TEXTURE_3D_OES || textarget != GL_TEXTURE_3D_OES)
        return c.error(GL_INVALID_OPERATION);
    return (validLevel(level) && z >= 0 && z < texture::kMaxDepth) || c.error(GL_INVALID_VALUE);
}

}  // namespace validate

namespace {

texture::ImagePtr sliceOf(const texture::ImagePtr& volume, int z) {
    return std::make_shared<texture::Image>(volume, z);
}

/// The client's pixels of a box: images follow each other as rows do.
struct ClientSlices {
    ClientSlices(const PixelTransfer& transfer, int width, int height, const PixelStore& store, const void* pixels)
        : layout{transfer.clientFormat, transfer.clientType, clientRows(transfer, width, store).stride},
          first(static_cast<const std::byte*>(pixels) + clientRows(transfer, width, store).offset),
          sliceBytes(layout.rowStride * static_cast<size_t>(height)) {}
    texture::ClientLayout layout;
    const std::byte* first;
    size_t sliceBytes;
    [[nodiscard]] const std::byte* slice(int z) const { return first + static_cast<size_t>(z) * sliceBytes; }
};

void uploadNow(const texture::ImagePtr& volume, const SubVolume& sub, const ClientSlices& client) {
    Driver::instance().gpu().parallel(static_cast<size_t>(sub.depth), [&](size_t i) {
        const int z = static_cast<int>(i);
        texture::Image slice(volume, sub.z + z);
        texture::upload(slice, {sub.x, sub.y, sub.width, sub.height}, client.slice(z), client.layout);
    });
}

}  // namespace

texture::ImagePtr makeVolume(texture::PixelFormat format, int width, int height, int depth) {
    if (depth == 1) return makeImage(format, width, height);
    auto volume = std::make_shared<texture::Image>(format, width, height, 1, depth);
    const texture::ImagePtr first = makeImage(format, width, height);
    if (texture::formatInfo(format).alpha == 0)
        for (int z = 0; z < depth; ++z)
            std::memcpy(sliceOf(volume, z)->block(0, 0), first->block(0, 0), volume->planeBytes());
    return volume;
}

void texImage3D(Context& c, const VolumeSize& size, const InternalFormat& internal, const PixelTransfer& transfer,
                const void* pixels) {
    TextureLevel level{nullptr, internal.format, internal.type};
    if (size.width > 0 && size.height > 0 && size.depth > 0) {
        level.image = makeVolume(internal.storage, size.width, size.height, size.depth);
        if (pixels)
            uploadNow(level.image, {size.level, 0, 0, 0, size.width, size.height, size.depth},
                      ClientSlices(transfer, size.width, size.height, c.state.unpack, pixels));
    }
    (*c.textureBinding(GL_TEXTURE_3D_OES))->setLevel(0, size.level, std::move(level));
}

void texSubImage3D(Context& c, const SubVolume& sub, const PixelTransfer& transfer, const void* pixels) {
    if (sub.width == 0 || sub.height == 0 || sub.depth == 0 || !pixels) return;
    Texture& texture = **c.textureBinding(GL_TEXTURE_3D_OES);
    const texture::ImagePtr& volume = texture.level(0, sub.level).image;
    const ClientSlices client(transfer, sub.width, sub.height, c.state.unpack, pixels);
    if (texture.isIdle(0, sub.level)) return uploadNow(volume, sub, client);
    const size_t rowBytes = static_cast<size_t>(sub.width) * static_cast<size_t>(transfer.pixelBytes);
    for (int z = 0; z < sub.depth; ++z) {
        pipeline::Upload upload;
        upload.image = sliceOf(volume, sub.z + z);
        upload.rect = {sub.x, sub.y, sub.width, sub.height};
        upload.layout = client.layout;
        upload.layout.rowStride = rowBytes;
        auto copy = c.recycler.bytes(rowBytes * static_cast<size_t>(sub.height));
        for (size_t y = 0; y < static_cast<size_t>(sub.height); ++y)
            std::memcpy(copy->data() + y * rowBytes, client.slice(z) + y * client.layout.rowStride, rowBytes);
        const size_t bytes = copy->size();
        upload.pixels = std::move(copy);
        c.recorder.record(std::move(upload), bytes);
    }
}

void copyTexSubImage3D(Context& c, const SubVolume& sub, GLint x, GLint y) {
    if (sub.width == 0 || sub.height == 0) return;
    const texture::ImagePtr& volume = (*c.textureBinding(GL_TEXTURE_3D_OES))->level(0, sub.level).image;
    recordCopy(c, sliceOf(volume, sub.z), {sub.x, sub.y, sub.width, sub.height}, x, y);
}

void texStorage3D(Context& c, GLsizei levels, const InternalFormat& internal, const VolumeSize& size) {
    Texture& texture = **c.textureBinding(GL_TEXTURE_3D_OES);
    for (int i = 0; i < texture::kMaxLevels; ++i) {
        TextureLevel level;
        if (i < levels)
            level = {makeVolume(internal.storage, std::max(size.width >> i, 1), std::max(size.height >> i, 1),
                                std::max(size.depth >> i, 1)),
                     internal.format, internal.type};
        texture.setLevel(0, i, std::move(level));
    }
    texture.immutableLevels = levels;
}

}  // namespace tessera::gles
