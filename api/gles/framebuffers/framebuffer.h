// Renderbuffers and framebuffer objects (OpenGL ES 2.0.25, section 4.4).
#pragma once

#include <array>
#include <string>

#include "api/gles/textures/texture_object.h"

namespace tessera::gles {

struct Renderbuffer {
    explicit Renderbuffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum internalformat = GL_RGBA4;
    GLsizei width = 0, height = 0;
    texture::ImagePtr image;  ///< null while width or height is 0
    /// Of NV_ or ANGLE_framebuffer_multisample: its samples are resolved by blits alone, not by reads and copies as
    /// those of EXT_multisampled_render_to_texture are.
    bool needsBlit = false;
    [[nodiscard]] int samples() const { return image && image->samples() > 1 ? image->samples() : 0; }
};

/// At most one of `texture` and `renderbuffer` is set.
struct Attachment {
    std::shared_ptr<Texture> texture;
    GLenum textarget = GL_NONE;
    GLint level = 0, z = 0;  ///< z: slice of a 3D texture
    std::shared_ptr<Renderbuffer> renderbuffer;

    /// A texture drawn to with samples (EXT_multisampled_render_to_texture): these are drawn to, and resolved into the
    /// texture before anything else may look at it. While `samplesAreCurrent` they hold what the texture shall hold.
    GLsizei textureSamples = 0;
    texture::ImagePtr multisample;
    bool samplesAreCurrent = false;

    /// GL's sample count: 0 without multisampling.
    [[nodiscard]] int samples() const { return renderbuffer ? renderbuffer->samples() : textureSamples; }
    /// What is drawn to.
    [[nodiscard]] texture::ImagePtr drawImage() const { return textureSamples != 0 ? multisample : image(); }
    [[nodiscard]] GLenum type() const { return texture ? GL_TEXTURE : renderbuffer ? GL_RENDERBUFFER : GL_NONE; }
    [[nodiscard]] GLuint name() const { return texture ? texture->name : renderbuffer ? renderbuffer->name : 0; }
    /// Null when there is none, or not yet.
    [[nodiscard]] texture::ImagePtr image() const;
    [[nodiscard]] const TextureLevel& textureLevel() const;  ///< of an attached texture

private:
    mutable texture::ImagePtr slice_;  ///< image() of a 3D texture: one and the same as long as the volume is
};

class Framebuffer {
public:
    explicit Framebuffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    std::array<Attachment, kMaxColorAttachments> color;
    Attachment depth, stencil;
    /// Where fragment colour i goes: a colour attachment that no other goes to (EXT_draw_buffers: attachment i), or
    /// GL_NONE.
    std::array<GLenum, kMaxDrawBuffers> drawBuffers{GL_COLOR_ATTACHMENT0};
    GLenum readBuffer = GL_COLOR_ATTACHMENT0;  ///< or GL_NONE (NV_read_buffer)

    /// Null for an enum that is no attachment point.
    [[nodiscard]] Attachment* find(GLenum attachment);
    /// Detaches a deleted object from every point.
    void detach(const Texture* texture);
    void detach(const Renderbuffer* renderbuffer);

    [[nodiscard]] GLenum status() const;
    [[nodiscard]] bool needsBlit() const;  ///< Renderbuffer::needsBlit of any that has samples
    /// What draws write, of a complete framebuffer: colour buffers that no draw buffer names are left out.
    [[nodiscard]] pipeline::RenderTarget drawTarget() const;
    /// What reads and copies read, as colour buffer 0: null when there is none.
    [[nodiscard]] pipeline::RenderTarget readTarget() const;

private:
    template <class Visit>
    void forEachAttachment(Visit&& visit);
    void setSize(pipeline::RenderTarget& target) const;
};

}  // namespace tessera::gles
