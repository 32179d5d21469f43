// Errors of renderbuffers, framebuffers and what they hold. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"
#include "texture/transfer/blit.h"

namespace tessera::gles::validate {

[[nodiscard]] bool completeFramebuffer(Context& c);
/// The read framebuffer is complete, and reads need no blit before.
[[nodiscard]] bool readableFramebuffer(Context& c);

[[nodiscard]] bool isAttachmentPoint(const Context& c, GLenum attachment);
[[nodiscard]] bool framebufferTarget(Context& c, GLenum target);
[[nodiscard]] bool renderbufferTarget(Context& c, GLenum target);
[[nodiscard]] bool renderbufferStorage(Context& c, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                                       GLsizei height);
[[nodiscard]] bool getRenderbufferParameter(Context& c, GLenum target, bool isKnown);
[[nodiscard]] bool framebufferRenderbuffer(Context& c, GLenum target, GLenum attachment, GLenum renderbufferTarget,
                                           GLuint renderbuffer);
[[nodiscard]] bool framebufferTexture2D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level);
[[nodiscard]] bool framebufferTexture2DMultisample(Context& c, GLenum target, GLenum attachment, GLenum textarget,
                                                   GLuint texture, GLint level, GLsizei samples);
[[nodiscard]] bool framebufferTexture3D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                        GLint level, GLint z);
/// What glGetFramebufferAttachmentParameteriv tells, and of what.
struct AttachmentParameter {
    enum class Of { Anything, Images, Textures };
    GLenum name;
    int64_t (*read)(const Attachment& point);
    Of of = Of::Images;
};
/// `parameter`: null when there is none of the name.
[[nodiscard]] bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment,
                                            const AttachmentParameter* parameter);
[[nodiscard]] bool drawBuffers(Context& c, GLsizei n, const GLenum* buffers);
/// NV_draw_buffers: of framebuffer objects only, any attachment for any colour.
[[nodiscard]] bool drawBuffersInAnyOrder(Context& c, GLsizei n, const GLenum* buffers);
[[nodiscard]] bool readBuffer(Context& c, GLenum mode);
[[nodiscard]] bool discardFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments);
struct BlitCall {
    texture::Corners from, to;
    GLbitfield mask;
    GLenum filter;
};
[[nodiscard]] bool blitFramebuffer(Context& c, const BlitCall& call);
/// ANGLE_framebuffer_blit: neither scaled, mirrored nor converted.
[[nodiscard]] bool blitFramebufferUnchanged(Context& c, const BlitCall& call);
[[nodiscard]] bool clear(Context& c, GLbitfield mask);

}  // namespace tessera::gles::validate
