// Errors of renderbuffers, framebuffers and what they hold. See context/validation.h.
#pragma once

#include <initializer_list>

#include "api/gles/context/validation.h"
#include "texture/transfer/blit.h"

namespace tessera::gles::validate {

[[nodiscard]] bool completeFramebuffer(Context& c);
/// The read framebuffer is complete, and reads need no blit before.
[[nodiscard]] bool readableFramebuffer(Context& c);

[[nodiscard]] bool attachmentPoint(Context& c, GLenum attachment);
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
[[nodiscard]] bool framebufferTextureMultiview(Context& c, GLenum target, GLenum attachment, GLuint texture,
                                               GLint level, GLint baseView, GLsizei views);
[[nodiscard]] bool framebufferTextureMultisampleMultiview(Context& c, GLenum target, GLenum attachment, GLuint texture,
                                                          GLint level, GLsizei samples, GLint baseView, GLsizei views);
[[nodiscard]] bool framebufferTextureLayer(Context& c, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                           GLint layer);
/// What glGetFramebufferAttachmentParameteriv is asked about: an attachment point, or a buffer of the default
/// framebuffer.
struct AttachedImage {
    GLenum type = GL_NONE;                   ///< GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE
    const Attachment* attachment = nullptr;  ///< null: of the default framebuffer
    texture::FormatInfo bits{};              ///< of the image; no bits while there is none
    bool isStencil = false;
};
/// What it tells, and of what.
struct AttachmentParameter {
    /// Objects: also where there is none, in OpenGL ES 3.0, but not of the default framebuffer.
    enum class Of { Anything, Objects, Images, Textures };
    GLenum name;
    int64_t (*read)(const AttachedImage& image);
    Of of = Of::Images;
    bool isEs3 = false;  ///< not of OpenGL ES 2.0
};
/// `parameter`: null when there is none of the name.
[[nodiscard]] bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment,
                                            const AttachmentParameter* parameter);
[[nodiscard]] bool drawBuffers(Context& c, GLsizei n, const GLenum* buffers);
/// NV_draw_buffers: of framebuffer objects only, any attachment for any colour.
[[nodiscard]] bool drawBuffersInAnyOrder(Context& c, GLsizei n, const GLenum* buffers);
[[nodiscard]] bool readBuffer(Context& c, GLenum mode);
[[nodiscard]] bool discardFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments);
[[nodiscard]] bool invalidateSubFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments,
                                            GLsizei width, GLsizei height);
struct BlitCall {
    texture::Corners from, to;
    GLbitfield mask;
    GLenum filter;
};
[[nodiscard]] bool blitFramebuffer(Context& c, const BlitCall& call);
/// ANGLE_framebuffer_blit: neither scaled, mirrored nor converted.
[[nodiscard]] bool blitFramebufferUnchanged(Context& c, const BlitCall& call);
[[nodiscard]] bool clear(Context& c, GLbitfield mask);
/// `cleared`: the buffers that the call takes.
[[nodiscard]] bool clearBuffer(Context& c, GLenum buffer, GLint drawBuffer, std::initializer_list<GLenum> cleared);

}  // namespace tessera::gles::validate
