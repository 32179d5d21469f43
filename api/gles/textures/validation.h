// Errors of textures and their images. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

/// A level that an image of two dimensions can have.
[[nodiscard]] inline bool isImageLevel(GLint level) { return level >= 0 && level < texture::kMaxLevels; }
[[nodiscard]] bool activeTexture(Context& c, GLenum texture);
[[nodiscard]] bool bindTexture(Context& c, GLenum target, GLuint name);
[[nodiscard]] bool textureTarget(Context& c, GLenum target);  ///< one that can be bound
[[nodiscard]] bool cropRect(Context& c, GLenum target);       ///< OES_draw_texture: OpenGL ES 1.1 alone
[[nodiscard]] bool texParameter(Context& c, GLenum target, GLenum pname, GLenum value);
[[nodiscard]] bool maxLevel(Context& c, GLenum target, GLint value);
[[nodiscard]] bool maxAnisotropy(Context& c, GLenum target, GLfloat value);
[[nodiscard]] bool borderColor(Context& c, GLenum target);
[[nodiscard]] bool getTexParameter(Context& c, GLenum target, GLenum pname);
struct ImageSize {
    GLint level;
    GLsizei width, height;
};
[[nodiscard]] bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border,
                              GLenum format, GLenum type);
struct SubImage {
    GLint level, x, y;
    GLsizei width, height;
};
[[nodiscard]] bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type);
[[nodiscard]] bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                  GLint border);
[[nodiscard]] bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub);
[[nodiscard]] bool texStorage2D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                                GLsizei height);
/// A paletted format's level is zero or less: 1 - level is how many levels there are.
[[nodiscard]] bool compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size,
                                        GLint border, GLsizei bytes);
[[nodiscard]] bool compressedTexSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format,
                                           GLsizei bytes);
[[nodiscard]] bool canGenerateMipmap(Context& c, GLenum target);  ///< no error when not
[[nodiscard]] bool generateMipmap(Context& c, GLenum target);

}  // namespace tessera::gles::validate
