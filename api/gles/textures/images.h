// Images of textures: specified, changed, copied from the framebuffer, made smaller. An image of a 3D texture or of an
// array is a volume (texture/image.h), whose slices or layers are images themselves. Arguments have been validated.
#pragma once

#include "api/gles/formats.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/textures/validation.h"

namespace tessera::gles {

/// makeImage() for any depth.
[[nodiscard]] texture::ImagePtr makeVolume(Recorder& recorder, texture::PixelFormat format, int width, int height,
                                           int depth);

/// A slice of a volume, or a layer. An image of depth 1 is its own slice.
[[nodiscard]] texture::ImagePtr sliceOf(const texture::ImagePtr& volume, int z);
/// Of an image of the target.
[[nodiscard]] TransferSize transferSize(GLenum target, int width, int height, int depth);

void texImage(Context& c, GLenum target, const validate::ImageSize& size, const InternalFormat& internal,
              const PixelTransfer& transfer, const void* pixels);
void texSubImage(Context& c, GLenum target, const validate::SubImage& sub, const PixelTransfer& transfer,
                 const void* pixels);
void copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size, GLint x,
                    GLint y);
void copyTexSubImage(Context& c, GLenum target, const validate::SubImage& sub, GLint x, GLint y);
void compressedTexImage(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size,
                        const void* data);
void compressedTexSubImage(Context& c, GLenum target, const validate::SubImage& sub, const texture::BlockFormat& format,
                           const void* data);
/// The same from pixels, which are compressed first.
void encodeTexImage2D(Context& c, GLenum target, const texture::BlockFormat& format, const validate::ImageSize& size,
                      const PixelTransfer& transfer, const void* pixels);
void encodeTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, const texture::BlockFormat& format,
                         const PixelTransfer& transfer, const void* pixels);
/// `internalformat` is a sized or a compressed one.
void texStorage(Context& c, GLenum target, GLsizei levels, GLenum internalformat, const validate::ImageSize& size);
void generateMipmap(Context& c, GLenum target);

}  // namespace tessera::gles
