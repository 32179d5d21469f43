// Entry points of texture images.
#include "api/gles/context/entry.h"
#include "api/gles/pixels/pixel_transfer.h"
#include "api/gles/textures/images.h"

using namespace tessera::gles;

namespace {

/// OpenGL ES 1.1, section 3.7.8: a change of a level 0 may make the other levels anew.
void imageChanged(Context& c, GLenum target, GLint level) {
    if (level == 0 && c.textureForImage(target).generateMipmap && validate::canGenerateMipmap(c, bindTargetOf(target)))
        generateMipmap(c, bindTargetOf(target));
}

}  // namespace

extern "C" {

void GL_APIENTRY glTexImage2D(GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                              GLint border, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (!validate::texImage2D(c, target, internalformat, size, border, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(c.isEs3(), format, type);
        if (!unpackPixels(c, transfer, {width, height}, &pixels)) return;
        if (const auto* encoded = encodedFormat(static_cast<GLenum>(internalformat)))
            return encodeTexImage2D(c, target, *encoded, size, transfer, pixels);
        texImage(c, target, size, *textureFormat(c.isEs3(), static_cast<GLenum>(internalformat), transfer), transfer,
                 pixels);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                 GLsizei height, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (!validate::texSubImage2D(c, target, sub, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(c.isEs3(), format, type);
        if (!unpackPixels(c, transfer, {width, height}, &pixels)) return;
        const TextureLevel& old = c.textureForImage(target).level(faceOf(target), level);
        if (const auto* encoded = old.isCompressed ? encodedFormat(old.format) : nullptr)
            return encodeTexSubImage2D(c, target, sub, *encoded, transfer, pixels);
        texSubImage(c, target, sub, transfer, pixels);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCopyTexImage2D(GLenum target, GLint level, GLenum internalformat, GLint x, GLint y, GLsizei width,
                                  GLsizei height, GLint border) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (!validate::copyTexImage2D(c, target, internalformat, size, border)) return;
        copyTexImage2D(c, target, internalformat, size, x, y);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCopyTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint x, GLint y,
                                     GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (!validate::copyTexSubImage2D(c, target, sub)) return;
        copyTexSubImage(c, target, sub, x, y);
        imageChanged(c, target, level);
    });
}

void GL_APIENTRY glCompressedTexImage2D(GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                        GLsizei height, GLint border, GLsizei imageSize, const void* data) {
    enter([&](Context& c) {
        validate::ImageSize size{level, width, height};
        if (validate::compressedTexImage2D(c, target, internalformat, size, border, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexImage(c, target, internalformat, size, data);
    });
}

void GL_APIENTRY glCompressedTexSubImage2D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLsizei width,
                                           GLsizei height, GLenum format, GLsizei imageSize, const void* data) {
    enter([&](Context& c) {
        validate::SubImage sub{level, xoffset, yoffset, width, height};
        if (validate::compressedTexSubImage2D(c, target, sub, format, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexSubImage(c, target, sub, *tessera::texture::blockFormat(format), data);
    });
}

void GL_APIENTRY glGenerateMipmap(GLenum target) {
    enter([&](Context& c) {
        if (validate::generateMipmap(c, target)) generateMipmap(c, target);
    });
}

// OES_texture_3D

void GL_APIENTRY glTexImage3D(GLenum target, GLint level, GLint internalformat, GLsizei width, GLsizei height,
                              GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        const validate::ImageSize size{level, width, height, depth};
        if (!validate::texImage3D(c, target, static_cast<GLenum>(internalformat), size, border, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(c.isEs3(), format, type);
        if (!unpackPixels(c, transfer, transferSize(target, width, height, depth), &pixels)) return;
        texImage(c, target, size, *textureFormat(c.isEs3(), static_cast<GLenum>(internalformat), transfer), transfer,
                 pixels);
    });
}
void GL_APIENTRY glTexImage3DOES(GLenum target, GLint level, GLenum internalformat, GLsizei width, GLsizei height,
                                 GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) {
    glTexImage3D(target, level, static_cast<GLint>(internalformat), width, height, depth, border, format, type, pixels);
}

void GL_APIENTRY glTexSubImage3D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLsizei width,
                                 GLsizei height, GLsizei depth, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        const validate::SubImage sub{level, xoffset, yoffset, width, height, zoffset, depth};
        if (!validate::texSubImage3D(c, target, sub, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(c.isEs3(), format, type);
        if (unpackPixels(c, transfer, transferSize(target, width, height, depth), &pixels))
            texSubImage(c, target, sub, transfer, pixels);
    });
}
void GL_APIENTRY glTexSubImage3DOES(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                    GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                                    const void* pixels) {
    glTexSubImage3D(target, level, xoffset, yoffset, zoffset, width, height, depth, format, type, pixels);
}

void GL_APIENTRY glCopyTexSubImage3D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset, GLint x,
                                     GLint y, GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        const validate::SubImage sub{level, xoffset, yoffset, width, height, zoffset};
        if (validate::copyTexSubImage3D(c, target, sub)) copyTexSubImage(c, target, sub, x, y);
    });
}
void GL_APIENTRY glCopyTexSubImage3DOES(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                        GLint x, GLint y, GLsizei width, GLsizei height) {
    glCopyTexSubImage3D(target, level, xoffset, yoffset, zoffset, x, y, width, height);
}

void GL_APIENTRY glCompressedTexImage3D(GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                        GLsizei height, GLsizei depth, GLint border, GLsizei imageSize,
                                        const void* data) {
    enter([&](Context& c) {
        const validate::ImageSize size{level, width, height, depth};
        if (validate::compressedTexImage3D(c, target, internalformat, size, border, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexImage(c, target, internalformat, size, data);
    });
}
void GL_APIENTRY glCompressedTexImage3DOES(GLenum target, GLint level, GLenum internalformat, GLsizei width,
                                           GLsizei height, GLsizei depth, GLint border, GLsizei imageSize,
                                           const void* data) {
    glCompressedTexImage3D(target, level, internalformat, width, height, depth, border, imageSize, data);
}

void GL_APIENTRY glCompressedTexSubImage3D(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                           GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                                           GLsizei imageSize, const void* data) {
    enter([&](Context& c) {
        const validate::SubImage sub{level, xoffset, yoffset, width, height, zoffset, depth};
        if (validate::compressedTexSubImage3D(c, target, sub, format, imageSize) &&
            unpackFrom(c, static_cast<size_t>(imageSize), 1, &data))
            compressedTexSubImage(c, target, sub, *tessera::texture::blockFormat(format), data);
    });
}
void GL_APIENTRY glCompressedTexSubImage3DOES(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                              GLsizei width, GLsizei height, GLsizei depth, GLenum format,
                                              GLsizei imageSize, const void* data) {
    glCompressedTexSubImage3D(target, level, xoffset, yoffset, zoffset, width, height, depth, format, imageSize, data);
}

// EXT_texture_storage

void GL_APIENTRY glTexStorage2D(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        const validate::ImageSize size{0, width, height};
        if (validate::texStorage(c, target, 2, levels, internalformat, size))
            texStorage(c, target, levels, internalformat, size);
    });
}
void GL_APIENTRY glTexStorage2DEXT(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                                   GLsizei height) {
    glTexStorage2D(target, levels, internalformat, width, height);
}

void GL_APIENTRY glTexStorage3D(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height,
                                GLsizei depth) {
    enter([&](Context& c) {
        const validate::ImageSize size{0, width, height, depth};
        if (validate::texStorage(c, target, 3, levels, internalformat, size))
            texStorage(c, target, levels, internalformat, size);
    });
}
void GL_APIENTRY glTexStorage3DEXT(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height,
                                   GLsizei depth) {
    glTexStorage3D(target, levels, internalformat, width, height, depth);
}

}  // extern "C"
