// Entry points that choose, clear and copy the buffers of framebuffers.
#include <algorithm>

#include "api/gles/context/entry.h"
#include "api/gles/framebuffers/contents.h"

using namespace tessera::gles;

namespace {

/// Sets the draw buffers of the framebuffer object that is bound. Fragment colours beyond the list go nowhere.
void setDrawBuffers(Framebuffer& framebuffer, GLsizei n, const GLenum* list) {
    auto& buffers = framebuffer.drawBuffers;
    std::fill(std::copy_n(list, n, buffers.begin()), buffers.end(), GLenum{GL_NONE});
}

/// Contents that may be lost are kept, so that the picture is the same everywhere, unless keeping them takes work:
/// samples beside a texture are not resolved.
void discard(Context& c, GLenum target, GLsizei n, const GLenum* attachments) {
    if (Framebuffer* framebuffer = c.framebufferBinding(target).get(); framebuffer && attachments)
        framebuffer->discardSamples({attachments, static_cast<size_t>(n)});
}

}  // namespace

extern "C" {

// EXT_draw_buffers, NV_draw_buffers, NV_read_buffer

void GL_APIENTRY glDrawBuffers(GLsizei n, const GLenum* bufs) {
    enter([&](Context& c) {
        if (!validate::drawBuffers(c, n, bufs)) return;
        if (!c.framebuffer()) {
            c.drawBuffer = bufs[0];
            return;
        }
        setDrawBuffers(*c.framebuffer(), n, bufs);
    });
}
void GL_APIENTRY glDrawBuffersEXT(GLsizei n, const GLenum* bufs) { glDrawBuffers(n, bufs); }

void GL_APIENTRY glDrawBuffersNV(GLsizei n, const GLenum* bufs) {
    enter([&](Context& c) {
        if (validate::drawBuffersInAnyOrder(c, n, bufs)) setDrawBuffers(*c.framebuffer(), n, bufs);
    });
}

void GL_APIENTRY glReadBuffer(GLenum mode) {
    enter([&](Context& c) {
        if (validate::readBuffer(c, mode))
            (c.readFramebuffer() ? c.readFramebuffer()->readBuffer : c.readBuffer) = mode;
    });
}
void GL_APIENTRY glReadBufferNV(GLenum mode) { glReadBuffer(mode); }

// EXT_discard_framebuffer

void GL_APIENTRY glDiscardFramebufferEXT(GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    enter([&](Context& c) {
        if (validate::discardFramebuffer(c, target, numAttachments, attachments))
            discard(c, target, numAttachments, attachments);
    });
}

// EXT_shader_framebuffer_fetch_non_coherent: programs read what is before their fragment in any case.

void GL_APIENTRY glFramebufferFetchBarrierEXT(void) {
    enter([](Context&) {});
}

// NV_framebuffer_blit, ANGLE_framebuffer_blit

void GL_APIENTRY glBlitFramebuffer(GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                                   GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) {
    enter([&](Context& c) {
        const validate::BlitCall call{{srcX0, srcY0, srcX1, srcY1}, {dstX0, dstY0, dstX1, dstY1}, mask, filter};
        if (validate::blitFramebuffer(c, call) && !c.discardsRendering) blit(c, call);
    });
}
void GL_APIENTRY glBlitFramebufferNV(GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                                     GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) {
    glBlitFramebuffer(srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter);
}

void GL_APIENTRY glBlitFramebufferANGLE(GLint srcX0, GLint srcY0, GLint srcX1, GLint srcY1, GLint dstX0, GLint dstY0,
                                        GLint dstX1, GLint dstY1, GLbitfield mask, GLenum filter) {
    enter([&](Context& c) {
        const validate::BlitCall call{{srcX0, srcY0, srcX1, srcY1}, {dstX0, dstY0, dstX1, dstY1}, mask, filter};
        if (validate::blitFramebufferUnchanged(c, call) && !c.discardsRendering) blit(c, call);
    });
}

void GL_APIENTRY glClear(GLbitfield mask) {
    enter([&](Context& c) {
        if (validate::clear(c, mask) && !c.ignoresClears()) clear(c, mask);
    });
}

// OpenGL ES 3.0: one buffer, with numbers of its kind

void GL_APIENTRY glClearBufferfv(GLenum buffer, GLint drawbuffer, const GLfloat* value) {
    enterEs3([&](Context& c) {
        if (!validate::clearBuffer(c, buffer, drawbuffer, {GL_COLOR, GL_DEPTH}) || !value || c.ignoresClears()) return;
        if (buffer == GL_COLOR) return clearColorBuffer(c, drawbuffer, ColorKind::Real, value);
        clearDepthStencil(c, value, nullptr);
    });
}

void GL_APIENTRY glClearBufferiv(GLenum buffer, GLint drawbuffer, const GLint* value) {
    enterEs3([&](Context& c) {
        if (!validate::clearBuffer(c, buffer, drawbuffer, {GL_COLOR, GL_STENCIL}) || !value || c.ignoresClears())
            return;
        if (buffer == GL_COLOR) return clearColorBuffer(c, drawbuffer, ColorKind::Signed, value);
        clearDepthStencil(c, nullptr, value);
    });
}

void GL_APIENTRY glClearBufferuiv(GLenum buffer, GLint drawbuffer, const GLuint* value) {
    enterEs3([&](Context& c) {
        if (validate::clearBuffer(c, buffer, drawbuffer, {GL_COLOR}) && value && !c.ignoresClears())
            clearColorBuffer(c, drawbuffer, ColorKind::Unsigned, value);
    });
}

void GL_APIENTRY glClearBufferfi(GLenum buffer, GLint drawbuffer, GLfloat depth, GLint stencil) {
    enterEs3([&](Context& c) {
        if (validate::clearBuffer(c, buffer, drawbuffer, {GL_DEPTH_STENCIL}) && !c.ignoresClears())
            clearDepthStencil(c, &depth, &stencil);
    });
}

void GL_APIENTRY glInvalidateFramebuffer(GLenum target, GLsizei numAttachments, const GLenum* attachments) {
    enterEs3([&](Context& c) {
        if (validate::discardFramebuffer(c, target, numAttachments, attachments))
            discard(c, target, numAttachments, attachments);
    });
}

// Parts of attachments are kept.
void GL_APIENTRY glInvalidateSubFramebuffer(GLenum target, GLsizei numAttachments, const GLenum* attachments, GLint,
                                            GLint, GLsizei width, GLsizei height) {
    enterEs3([&](Context& c) {
        (void)validate::invalidateSubFramebuffer(c, target, numAttachments, attachments, width, height);
    });
}

}  // extern "C"
