// Entry points of 3D textures (OES_texture_3D, EXT_texture_storage).
#include "api/gles/entry.h"
#include "api/gles/textures/volume.h"
#include "api/gles/transfer.h"

using namespace tessera::gles;

extern "C" {

void GL_APIENTRY glTexImage3DOES(GLenum target, GLint level, GLenum internalformat, GLsizei width, GLsizei height,
                                 GLsizei depth, GLint border, GLenum format, GLenum type, const void* pixels) {
    enter([&](Context& c) {
        const VolumeSize size{level, width, height, depth};
        if (!validate::texImage3D(c, target, internalformat, size, border, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(format, type);
        if (!unpackPixels(c, transfer, width, height * depth, &pixels)) return;
        c.resolveSamples();
        texImage3D(c, size, *textureFormat(internalformat, transfer), transfer, pixels);
    });
}

void GL_APIENTRY glTexSubImage3DOES(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                    GLsizei width, GLsizei height, GLsizei depth, GLenum format, GLenum type,
                                    const void* pixels) {
    enter([&](Context& c) {
        const SubVolume sub{level, xoffset, yoffset, zoffset, width, height, depth};
        if (!validate::texSubImage3D(c, target, sub, format, type)) return;
        const PixelTransfer& transfer = *textureTransfer(format, type);
        if (unpackPixels(c, transfer, width, height * depth, &pixels)) texSubImage3D(c, sub, transfer, pixels);
    });
}

void GL_APIENTRY glCopyTexSubImage3DOES(GLenum target, GLint level, GLint xoffset, GLint yoffset, GLint zoffset,
                                        GLint x, GLint y, GLsizei width, GLsizei height) {
    enter([&](Context& c) {
        const SubVolume sub{level, xoffset, yoffset, zoffset, width, height, 1};
        if (validate::copyTexSubImage3D(c, target, sub)) copyTexSubImage3D(c, sub, x, y);
    });
}

void GL_APIENTRY glCompressedTexImage3DOES(GLenum target, GLint, GLenum internalformat, GLsizei, GLsizei, GLsizei,
                                           GLint, GLsizei, const void*) {
    enter([&](Context& c) { (void)validate::compressedTexImage3D(c, target, internalformat); });
}

void GL_APIENTRY glCompressedTexSubImage3DOES(GLenum target, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei,
                                              GLenum format, GLsizei, const void*) {
    enter([&](Context& c) { (void)validate::compressedTexSubImage3D(c, target, format); });
}

void GL_APIENTRY glFramebufferTexture3DOES(GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                           GLint level, GLint zoffset) {
    enter([&](Context& c) {
        if (!validate::framebufferTexture3D(c, target, attachment, textarget, texture, level, zoffset)) return;
        Attachment point;
        point.texture = c.group().textures.find(texture);
        if (point.texture) {
            point.textarget = textarget;
            point.level = level;
            point.z = zoffset;
        }
        c.resolveSamples();
        *c.framebufferBinding(target)->find(attachment) = std::move(point);
    });
}

void GL_APIENTRY glTexStorage3DEXT(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height,
                                   GLsizei depth) {
    enter([&](Context& c) {
        const VolumeSize size{0, width, height, depth};
        if (validate::texStorage3D(c, target, levels, internalformat, size))
            texStorage3D(c, levels, *storageFormat(internalformat), size);
    });
}

}  // extern "C"
