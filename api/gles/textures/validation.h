// Errors of textures and their images. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool activeTexture(Context& c, GLenum texture);
[[nodiscard]] bool bindTexture(Context& c, GLenum target, GLuint name);
[[nodiscard]] bool textureTarget(Context& c, GLenum target);  ///< one that can be bound
[[nodiscard]] bool cropRect(Context& c, GLenum target);       ///< OES_draw_texture: OpenGL ES 1.1 alone
/// A parameter that sampler objects have, too, with its value as an enum and as a number. `target` of a sampler object:
/// GL_NONE.
[[nodiscard]] bool samplingParameter(Context& c, GLenum target, GLenum pname, GLenum value, GLfloat number);
[[nodiscard]] bool textureLevelParameter(Context& c, GLint value);  ///< GL_TEXTURE_BASE_LEVEL, GL_TEXTURE_MAX_LEVEL
[[nodiscard]] bool swizzle(Context& c, GLenum value);
[[nodiscard]] bool sampler(Context& c, GLuint name);  ///< a name of glGenSamplers
[[nodiscard]] bool bindSampler(Context& c, GLuint unit, GLuint name);
[[nodiscard]] bool getSamplerParameter(Context& c, GLuint name, bool isKnown);
[[nodiscard]] bool getTexParameter(Context& c, GLenum target, bool isKnown);
/// Of a new image; those of two dimensions have depth 1.
struct ImageSize {
    GLint level;
    GLsizei width, height, depth = 1;
};
[[nodiscard]] bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border,
                              GLenum format, GLenum type);
/// A box of texels in an existing image.
struct SubImage {
    GLint level, x, y;
    GLsizei width, height;
    GLint z = 0;
    GLsizei depth = 1;
};
[[nodiscard]] bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type);
[[nodiscard]] bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                  GLint border);
[[nodiscard]] bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub);
/// Of glTexStorage2DEXT and glTexStorage3DEXT, which take targets of that many dimensions.
[[nodiscard]] bool texStorage(Context& c, GLenum target, int dimensions, GLsizei levels, GLenum internalformat,
                              const ImageSize& size);
[[nodiscard]] bool texImage3D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border,
                              GLenum format, GLenum type);
[[nodiscard]] bool texSubImage3D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type);
/// One slice, with depth 1.
[[nodiscard]] bool copyTexSubImage3D(Context& c, GLenum target, const SubImage& sub);
/// There is no compressed format for 3D textures, and arrays are OpenGL ES 3.0's.
[[nodiscard]] bool compressedTexImage3D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                        GLint border, GLsizei bytes);
[[nodiscard]] bool compressedTexSubImage3D(Context& c, GLenum target, const SubImage& sub, GLenum format,
                                           GLsizei bytes);
/// A paletted format's level is zero or less: 1 - level is how many levels there are.
[[nodiscard]] bool compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                        GLint border, GLsizei bytes);
[[nodiscard]] bool compressedTexSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format,
                                           GLsizei bytes);
[[nodiscard]] bool canGenerateMipmap(Context& c, GLenum target);  ///< no error when not
[[nodiscard]] bool generateMipmap(Context& c, GLenum target);

}  // namespace tessera::gles::validate
