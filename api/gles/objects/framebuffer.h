// Renderbuffers and framebuffer objects (OpenGL ES 2.0.25, section 4.4).
#pragma once

#include <array>
#include <span>
#include <string>

#include "api/gles/objects/texture_object.h"
#include "api/gles/recorder.h"

namespace tessera::pipeline {
struct RenderTarget;
}  // namespace tessera::pipeline

namespace tessera::gles {

struct Renderbuffer {
    explicit Renderbuffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum internalformat = GL_RGBA4;
    GLsizei width = 0, height = 0;
    AttachableImage image;  ///< none while width or height is 0
    /// Of NV_ or ANGLE_framebuffer_multisample: its samples are resolved by blits alone, not by reads and copies as
    /// those of EXT_multisampled_render_to_texture are.
    bool needsBlit = false;
    [[nodiscard]] int samples() const { return image && image.samples() > 1 ? image.samples() : 0; }
};

/// What a clear is about to write in every pixel.
struct Overwritten {
    bool colors = false;  ///< of the draw buffers, all channels
    bool depth = false, stencil = false;
};

/// At most one of `texture` and `renderbuffer` is set.
struct Attachment {
    std::shared_ptr<Texture> texture;
    GLenum textarget = GL_NONE;
    GLint level = 0, z = 0;  ///< z: slice of a 3D texture, layer of an array
    std::shared_ptr<Renderbuffer> renderbuffer;

    GLsizei textureSamples = 0;  ///< of a texture drawn to with samples
    GLsizei views = 0;  ///< layers from z on that are drawn to together (OVR_multiview); 0: one, without a view
    GLint view = 0;     ///< of them, the one that image() is of

    /// GL's sample count: 0 without multisampling.
    [[nodiscard]] int samples() const { return renderbuffer ? renderbuffer->samples() : textureSamples; }
    /// What is drawn to. That of a texture with samples is there after prepareSamples().
    [[nodiscard]] const texture::ImagePtr& drawImage() const;
    [[nodiscard]] GLenum type() const { return texture ? GL_TEXTURE : renderbuffer ? GL_RENDERBUFFER : GL_NONE; }
    [[nodiscard]] GLuint name() const { return texture ? texture->name : renderbuffer ? renderbuffer->name : 0; }
    /// None when there is none, or not yet.
    [[nodiscard]] const AttachableImage& image() const { return image(view); }
    [[nodiscard]] const TextureLevel& textureLevel() const;  ///< of an attached texture
    void countWrite();                                       ///< TextureLevel::writes of an attached texture

    /// Before the texture is drawn to: its samples, if they do not already, come to hold what it holds, unless all of
    /// it is overwritten next.
    void prepareSamples(Recorder& recorder, bool isOverwritten);
    [[nodiscard]] bool hasUnresolvedSamples() const;
    void resolveSamples(Recorder& recorder);
    /// The texture keeps what it held before its samples were drawn to.
    void discardSamples() { unresolved_ = {}; }

private:
    [[nodiscard]] const AttachableImage& image(GLint ofView) const;

    using OfViews = std::array<texture::ImagePtr, kMaxViews>;
    OfViews multisample_;  ///< the samples
    OfViews unresolved_;   ///< the images that shall hold what they hold; null: none
    /// TextureLevel::writes when the texture had come to hold what the samples still hold: as long as nobody has
    /// written it since, they are drawn to as they are. 0: they hold something else.
    uint64_t resolvedAt_ = 0;
    /// image() of a slice or layer, or of each view: one and the same as long as the volume is.
    mutable std::array<AttachableImage, kMaxViews> slices_;
};

/// What reads and copies read. All images have the framebuffer's size or larger.
struct ReadBuffers {
    int width = 0, height = 0;  ///< readable area: the smallest attachment
    AttachableImage color, depth, stencil;

    [[nodiscard]] int samples() const;  ///< of a pixel: 1, or kMaxSamples when all images have them
};

class Framebuffer {
public:
    explicit Framebuffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    /// Where fragment colour i goes: a colour attachment that no other goes to (EXT_draw_buffers: attachment i), or
    /// GL_NONE.
    std::array<GLenum, kMaxDrawBuffers> drawBuffers{GL_COLOR_ATTACHMENT0};
    GLenum readBuffer = GL_COLOR_ATTACHMENT0;  ///< or GL_NONE (NV_read_buffer)

    /// Null for an enum that is no attachment point. GL_DEPTH_STENCIL_ATTACHMENT is two, of which this is depth's.
    [[nodiscard]] const Attachment* find(GLenum attachment) const;
    /// Whether depth and stencil have one image, or none.
    [[nodiscard]] bool sharesDepthStencil() const;
    void attach(const SamplesResolved& resolved, GLenum attachment, Attachment point);
    /// Detaches a deleted object from every point.
    void detach(const SamplesResolved& resolved, const Texture* texture);
    void detach(const Renderbuffer* renderbuffer);

    /// As the context's version has it (Context::isEs3): in OpenGL ES 3.0 the sizes may differ.
    [[nodiscard]] GLenum status(bool isEs3) const;
    /// How many layers draws and clears go to, one after the other.
    [[nodiscard]] int views() const { return views_; }
    void setView(int view);
    [[nodiscard]] bool needsBlit() const;  ///< Renderbuffer::needsBlit of any that has samples
    /// Of a complete framebuffer: GL's sample count.
    [[nodiscard]] int samples() const;
    /// What draws write, of a complete framebuffer: colour buffers that no draw buffer names are left out.
    [[nodiscard]] pipeline::RenderTarget drawTarget() const;
    /// What reads and copies read, of a complete framebuffer.
    [[nodiscard]] ReadBuffers readBuffers() const;

    /// Before all that is attached may be written: of textures drawn to with samples, and the others count as written.
    void prepareSamples(Recorder& recorder, const Overwritten& overwritten);
    /// Of those at these points, which are some: nobody wants what was drawn.
    void discardSamples(std::span<const GLenum> attachments);
    void resolveSamples(Recorder& recorder);
    /// Calls use(texture) for those with samples that are not resolved.
    template <class Use>
    void forEachUnresolved(const Use& use) const {
        forEachAttachment(*this, [&](const Attachment& point) {
            if (point.hasUnresolvedSamples()) use(point.texture);
        });
    }

private:
    template <class Self, class Visit>
    static void forEachAttachment(Self& self, const Visit& visit) {
        for (auto& point : self.color_) visit(point);
        visit(self.depth_);
        visit(self.stencil_);
    }
    void countViews();
    template <class Target>
    void setSize(Target& target) const;

    std::array<Attachment, kMaxColorAttachments> color_;
    Attachment depth_, stencil_;
    GLsizei views_ = 1;  ///< the most that an attachment has
};

}  // namespace tessera::gles
