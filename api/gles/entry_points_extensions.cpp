// Entry points of the smaller extensions that add to framebuffers and textures.
#include <algorithm>

#include "api/gles/entry.h"
#include "api/gles/transfer.h"
#include "api/gles/validation.h"

using namespace tessera::gles;

namespace {

/// Of the framebuffer object that is bound; fragment colours beyond the list go nowhere.
void setDrawBuffers(Framebuffer& framebuffer, GLsizei n, const GLenum* list) {
    auto& buffers = framebuffer.drawBuffers;
    std::fill(std::copy_n(list, n, buffers.begin()), buffers.end(), GLenum{GL_NONE});
}

}  // namespace

extern "C" {

// EXT_draw_buffers, NV_draw_buffers, NV_read_buffer

void GL_APIENTRY glDrawBuffersEXT(GLsizei n, const GLenum* bufs) {
    enter([&](Context& c) {
        if (!validate::drawBuffers(c, n, bufs)) return;
        if (!c.framebuffer) {
            c.drawBuffer = bufs[0];
            return;
        }
        setDrawBuffers(*c.framebuffer, n, bufs);
    });
}

void GL_APIENTRY glDrawBuffersNV(GLsizei n, const GLenum* bufs) {
    enter([&](Context& c) {
        if (validate::drawBuffersInAnyOrder(c, n, bufs)) setDrawBuffers(*c.framebuffer, n, bufs);
    });
}

void GL_APIENTRY glReadBufferNV(GLenum mode) {
    enter([&](Context& c) {
        if (validate::readBuffer(c, mode)) (c.framebuffer ? c.framebuffer->readBuffer : c.readBuffer) = mode;
    });
}

// EXT_discard_framebuffer: contents that may be lost are kept, so that the picture is the same everywhere.

void GL_APIENTRY glDiscardFramebufferEXT(GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    enter([&](Context& c) { (void)validate::discardFramebuffer(c, target, numAttachments, attachments); });
}

// EXT_texture_storage

void GL_APIENTRY glTexStorage2DEXT(GLenum target, GLsizei levels, GLenum internalformat, GLsizei width,
                                   GLsizei height) {
    enter([&](Context& c) {
        if (validate::texStorage2D(c, target, levels, internalformat, width, height))
            texStorage2D(c, target, levels, internalformat, width, height);
    });
}

}  // extern "C"
