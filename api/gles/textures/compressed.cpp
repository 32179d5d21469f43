// Compressed images are decoded when they are specified (docs/adr/0008): the sampler, the cache and both
// tiers see ordinary images. What images.cpp says about recorded draws holds here too.
#include <algorithm>
#include <cstring>

#include "api/gles/pixels/client_memory.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/textures/images.h"
#include "pipeline/commands.h"
#include "texture/codec/encode.h"

namespace tessera::gles {

namespace {

/// Large images are decoded in bands of whole blocks, by the GPU's workers too when those are idle.
void decodeNow(const texture::BlockFormat& format, const std::byte* data, texture::Image& image, Rect rect) {
    constexpr int kBandTexels = 1 << 14;
    const int bandRows = std::max(kBandTexels / rect.width / format.height, 1) * format.height;
    const auto bands = static_cast<size_t>((rect.height + bandRows - 1) / bandRows);
    auto decodeBand = [&](size_t band) {
        const int start = static_cast<int>(band) * bandRows, rows = std::min(bandRows, rect.height - start);
        texture::decode(format, data + texture::compressedBytes(format, rect.width, start), image,
                        {rect.x, rect.y + start, rect.width, rows});
    };
    if (bands < 2) return decodeBand(0);
    touchForReading(data, {texture::compressedBytes(format, rect.width, rect.height), 1, 0});
    Driver::instance().gpu().parallel(bands, decodeBand);
}

/// The same of each slice or layer of a box.
void decodeNow(const texture::BlockFormat& format, const std::byte* data, const texture::ImagePtr& image,
               const validate::SubImage& box) {
    const size_t bytes = texture::compressedBytes(format, box.width, box.height);
    for (int z = 0; z < box.depth; ++z)
        decodeNow(format, data + static_cast<size_t>(z) * bytes, *sliceOf(image, box.z + z),
                  {box.x, box.y, box.width, box.height});
}

bool isEightBit(texture::PixelFormat storage) { return texture::holdsBytes(texture::formatInfo(storage).element); }

/// An image that is about to be written as a whole, in place of the level's.
texture::ImagePtr replaceImage(Context& c, const SamplesResolved& resolved, const TextureLevel& old,
                               texture::PixelFormat storage, int width, int height, int depth) {
    c.recycler.retire(old.image.contents(resolved));
    return isEightBit(storage) && depth == 1 ? c.recycler.image(storage, width, height)
                                             : makeVolume(c.recorder, storage, width, height, depth);
}

void palettedTexImage2D(Context& c, GLenum target, const texture::PalettedFormat& format,
                        const validate::ImageSize& size, const std::byte* data) {
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    for (int i = 0; i <= -size.level; ++i) {
        TextureLevel level({}, format.internalformat, GL_NONE);
        level.isCompressed = true;
        if (size.width > 0 && size.height > 0) {
            const int width = std::max(size.width >> i, 1), height = std::max(size.height >> i, 1);
            const texture::ImagePtr image = makeImage(c.recorder, format.storage, width, height);
            if (data) texture::decodePaletted(format, data, size.width, size.height, i, *image);
            level.image = image;
        }
        texture.setLevel(face, i, std::move(level));
    }
}

}  // namespace

namespace {

/// The client's pixels as blocks.
std::vector<std::byte> encode(const texture::BlockFormat& format, int width, int height, const PixelTransfer& transfer,
                              const PixelStore& store, const void* pixels) {
    const ClientRows rows = clientRows(transfer, {width, height}, store);
    texture::Image image(texture::PixelFormat::Rgba8, width, height);
    texture::upload(image, {0, 0, width, height}, static_cast<const std::byte*>(pixels) + rows.offset,
                    {transfer.clientFormat, transfer.clientType, rows.stride});
    std::vector<std::byte> blocks(texture::compressedBytes(format, width, height));
    texture::encodeS3tc(format, image, blocks.data());
    return blocks;
}

}  // namespace

void encodeTexImage2D(Context& c, GLenum target, const texture::BlockFormat& format, const validate::ImageSize& size,
                      const PixelTransfer& transfer, const void* pixels) {
    if (!pixels || size.width == 0 || size.height == 0)
        return compressedTexImage(c, target, format.internalformat, size, nullptr);
    const auto blocks = encode(format, size.width, size.height, transfer, c.state.unpack, pixels);
    compressedTexImage(c, target, format.internalformat, size, blocks.data());
}

void encodeTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, const texture::BlockFormat& format,
                         const PixelTransfer& transfer, const void* pixels) {
    if (!pixels || sub.width == 0 || sub.height == 0) return;
    const auto blocks = encode(format, sub.width, sub.height, transfer, c.state.unpack, pixels);
    compressedTexSubImage(c, target, sub, format, blocks.data());
}

void compressedTexImage(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size,
                        const void* data) {
    const auto* bytes = static_cast<const std::byte*>(data);
    if (const texture::PalettedFormat* paletted = texture::palettedFormat(internalformat))
        return palettedTexImage2D(c, target, *paletted, size, bytes);
    const texture::BlockFormat& format = *texture::blockFormat(internalformat);
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    TextureLevel level({}, internalformat, GL_NONE);
    level.isCompressed = true;
    if (size.width > 0 && size.height > 0 && size.depth > 0) {
        const texture::ImagePtr image =
            bytes ? replaceImage(c, SamplesResolved(c), texture.level(face, size.level), format.storage, size.width,
                                 size.height, size.depth)
                  : makeVolume(c.recorder, format.storage, size.width, size.height, size.depth);
        if (bytes) decodeNow(format, bytes, image, {0, 0, 0, size.width, size.height, 0, size.depth});
        level.image = image;
    }
    texture.setLevel(face, size.level, std::move(level));
}

void compressedTexSubImage(Context& c, GLenum target, const validate::SubImage& sub, const texture::BlockFormat& format,
                           const void* data) {
    if (sub.width == 0 || sub.height == 0 || sub.depth == 0 || !data) return;
    const SamplesResolved resolved(c);
    const auto* bytes = static_cast<const std::byte*>(data);
    Texture& texture = c.textureForImage(target);
    const int face = faceOf(target);
    const TextureLevel& old = texture.level(face, sub.level);
    const texture::ImagePtr& image = old.image.contents(resolved);
    if (texture.isIdle(face, sub.level)) return decodeNow(format, bytes, image, sub);
    const bool isWhole =
        sub.width == old.image.width() && sub.height == old.image.height() && sub.depth == old.image.depth();
    if (!old.isShared && isWhole) {
        TextureLevel level = old;
        const texture::ImagePtr fresh =
            replaceImage(c, resolved, old, format.storage, sub.width, sub.height, sub.depth);
        decodeNow(format, bytes, fresh, sub);
        level.image = fresh;
        return texture.setLevel(face, sub.level, std::move(level));
    }
    const size_t size = texture::compressedBytes(format, sub.width, sub.height);
    for (int z = 0; z < sub.depth; ++z) {
        pipeline::BufferPtr copy = c.recycler.staging(size);
        std::memcpy(copy->data(), bytes + static_cast<size_t>(z) * size, size);
        c.recorder.record(
            pipeline::Decode{
                sliceOf(image, sub.z + z), {sub.x, sub.y, sub.width, sub.height}, &format, std::move(copy)},
            size);
    }
}

}  // namespace tessera::gles
