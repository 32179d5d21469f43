// 3D textures (OES_texture_3D): their errors and their transfers, apart from those of 2D images.
#pragma once

#include "api/gles/context/validation.h"
#include "api/gles/pixels/formats.h"

namespace tessera::gles {

/// A box of texels: of a new image, or in an existing one.
struct VolumeSize {
    GLint level;
    GLsizei width, height, depth;
};
struct SubVolume {
    GLint level, x, y, z;
    GLsizei width, height, depth;
};

namespace validate {

[[nodiscard]] bool texImage3D(Context& c, GLenum target, GLenum internalformat, const VolumeSize& size, GLint border,
                              GLenum format, GLenum type);
[[nodiscard]] bool texSubImage3D(Context& c, GLenum target, const SubVolume& sub, GLenum format, GLenum type);
/// One slice, with depth 1.
[[nodiscard]] bool copyTexSubImage3D(Context& c, GLenum target, const SubVolume& sub);
/// There is no compressed format for 3D textures.
[[nodiscard]] bool compressedTexImage3D(Context& c, GLenum target, GLenum internalformat);
[[nodiscard]] bool compressedTexSubImage3D(Context& c, GLenum target, GLenum format);
[[nodiscard]] bool texStorage3D(Context& c, GLenum target, GLsizei levels, GLenum internalformat,
                                const VolumeSize& size);
[[nodiscard]] bool framebufferTexture3D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level, GLint z);

}  // namespace validate

/// makeImage() for volumes.
[[nodiscard]] texture::ImagePtr makeVolume(texture::PixelFormat format, int width, int height, int depth);

void texImage3D(Context& c, const VolumeSize& size, const InternalFormat& internal, const PixelTransfer& transfer,
                const void* pixels);
void texSubImage3D(Context& c, const SubVolume& sub, const PixelTransfer& transfer, const void* pixels);
void copyTexSubImage3D(Context& c, const SubVolume& sub, GLint x, GLint y);
void texStorage3D(Context& c, GLsizei levels, const InternalFormat& internal, const VolumeSize& size);

}  // namespace tessera::gles
