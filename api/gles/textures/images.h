// Images of textures: specified, changed, copied from the framebuffer, made smaller. Arguments have been validated.
#pragma once

#include "api/gles/pixels/formats.h"
#include "api/gles/textures/validation.h"

namespace tessera::gles {

void texImage2D(Context& c, GLenum target, const validate::ImageSize& size, const InternalFormat& internal,
                const PixelTransfer& transfer, const void* pixels);
void texSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, const PixelTransfer& transfer,
                   const void* pixels);
void copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size, GLint x,
                    GLint y);
void copyTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, GLint x, GLint y);
void compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const validate::ImageSize& size,
                          const void* data);
void compressedTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub,
                             const texture::BlockFormat& format, const void* data);
/// The same from pixels, which are compressed first.
void encodeTexImage2D(Context& c, GLenum target, const texture::BlockFormat& format, const validate::ImageSize& size,
                      const PixelTransfer& transfer, const void* pixels);
void encodeTexSubImage2D(Context& c, GLenum target, const validate::SubImage& sub, const texture::BlockFormat& format,
                         const PixelTransfer& transfer, const void* pixels);
/// `internalformat` is a sized or a compressed one.
void texStorage2D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height);
void generateMipmap(Context& c, GLenum target);
/// Records a copy from the framebuffer; the part of the rectangle outside it stays as it is.
void recordCopy(Context& c, texture::ImagePtr to, Rect rect, GLint x, GLint y);

}  // namespace tessera::gles
