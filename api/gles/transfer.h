// Pixels in and out: texture images, copies, mipmaps, read back, clears. Arguments have been validated.
#pragma once

#include "api/gles/validation.h"

namespace tessera::gles {

/// Where the pixels of a transfer lie (section 3.6.2). 64-bit: widths and parameters are the application's.
struct ClientRows {
    size_t stride, offset;  ///< bytes from one row to the next, and to the first pixel
};
[[nodiscard]] ClientRows clientRows(const PixelTransfer& transfer, int width, const PixelStore& store);

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
/// Any number of samples but 0 gives kMaxSamples.
void renderbufferStorage(Context& c, GLsizei samples, GLenum internalformat, GLsizei width, GLsizei height);

/// Records a copy from the framebuffer; the part of the rectangle outside it stays as it is.
void recordCopy(Context& c, texture::ImagePtr to, texture::Rect rect, GLint x, GLint y);

void clear(Context& c, GLbitfield mask);
void blit(Context& c, const validate::BlitCall& call);

/// Bytes of client memory that a transfer spans, from the pointer the application gives; more than any memory has when
/// the parameters say so.
[[nodiscard]] size_t clientBytes(const PixelTransfer& transfer, int width, int height, const PixelStore& store);
/// Where the `bytes` bytes lie that a command unpacks: with a pixel unpack buffer bound, `*pixels` is an offset into it
/// and becomes an address. False, with the error, when the buffer does not have them, is mapped, or the offset is no
/// multiple of `unit`.
[[nodiscard]] bool unpackFrom(Context& c, size_t bytes, size_t unit, const void** pixels);
/// The same of an image's pixels, as the unpack parameters lay them out.
[[nodiscard]] bool unpackPixels(Context& c, const PixelTransfer& transfer, int width, int height, const void** pixels);
/// The same of the pixel pack buffer, which may be written in `*owner` from then on.
[[nodiscard]] bool packTo(Context& c, size_t bytes, size_t unit, void** pixels, std::shared_ptr<void>* owner);
/// Of glReadPixels and its like, validated but for the memory, which has `limit` bytes. Records the read back; returns
/// the serial number after which the pixels are there, 0 when there is nothing to read.
[[nodiscard]] uint64_t readPixels(Context& c, texture::Rect rect, const PixelTransfer& transfer, size_t limit,
                                  void* pixels);

}  // namespace tessera::gles
