#include "api/gles/framebuffers/framebuffer.h"

#include <algorithm>

namespace tessera::gles {

namespace {

enum class Point { Color, Depth, Stencil };

bool isRenderableAs(Point point, const Attachment& attachment) {
    texture::ImagePtr image = attachment.image();
    if (!image) return false;
    const texture::FormatInfo& info = texture::formatInfo(image->format());
    if (!info.renderable) return false;
    if (attachment.texture) {
        const TextureLevel& level = attachment.textureLevel();
        if (level.isCompressed || isVideoFormat(level.format)) return false;
    }
    switch (point) {
        case Point::Color:
            if (info.depth != 0 || info.stencil != 0) return false;
            // Of single precision, ES 2.0 has extensions for one and two channels only (EXT_texture_rg).
            return info.element != texture::Element::Rgba32F || info.blue == 0;
        case Point::Depth:
            return info.depth != 0;
        case Point::Stencil:
            return info.stencil != 0;
    }
    return false;
}

}  // namespace

texture::ImagePtr Attachment::image() const {
    if (!texture) return renderbuffer ? renderbuffer->image : nullptr;
    const texture::ImagePtr& image = textureLevel().image;
    if (textarget != GL_TEXTURE_3D_OES) return image;
    if (!image || z >= image->depth()) return nullptr;
    if (!slice_ || &slice_->whole() != image.get()) slice_ = std::make_shared<texture::Image>(image, z);
    return slice_;
}

const TextureLevel& Attachment::textureLevel() const { return texture->level(faceOf(textarget), level); }

Attachment* Framebuffer::find(GLenum attachment) {
    if (attachment >= GL_COLOR_ATTACHMENT0 && attachment < GL_COLOR_ATTACHMENT0 + kMaxColorAttachments)
        return &color[attachment - GL_COLOR_ATTACHMENT0];
    switch (attachment) {
        case GL_DEPTH_ATTACHMENT:
            return &depth;
        case GL_STENCIL_ATTACHMENT:
            return &stencil;
    }
    return nullptr;
}

template <class Visit>
void Framebuffer::forEachAttachment(Visit&& visit) {
    for (Attachment& point : color) visit(point);
    visit(depth);
    visit(stencil);
}

void Framebuffer::detach(const Texture* texture) {
    forEachAttachment([&](Attachment& point) {
        if (point.texture.get() == texture) point = {};
    });
}

void Framebuffer::detach(const Renderbuffer* renderbuffer) {
    forEachAttachment([&](Attachment& point) {
        if (point.renderbuffer.get() == renderbuffer) point = {};
    });
}

GLenum Framebuffer::status() const {
    bool any = false, renderable = true, sameSize = true, sameSamples = true;
    int width = 0, height = 0, samples = 0;
    auto check = [&](Point kind, const Attachment& point) {
        if (point.type() == GL_NONE) return;
        if (!isRenderableAs(kind, point)) {
            renderable = false;
            return;
        }
        texture::ImagePtr image = point.image();
        if (any && (image->width() != width || image->height() != height)) sameSize = false;
        if (any && point.samples() != samples) sameSamples = false;
        width = image->width();
        height = image->height();
        samples = point.samples();
        any = true;
    };
    for (const Attachment& point : color) check(Point::Color, point);
    check(Point::Depth, depth);
    check(Point::Stencil, stencil);
    if (!renderable) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    if (!any) return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    if (!sameSize) return GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
    return sameSamples ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT;
}

bool Framebuffer::needsBlit() const {
    const auto needs = [](const Attachment& point) {
        return point.renderbuffer && point.renderbuffer->needsBlit && point.renderbuffer->samples() != 0;
    };
    return std::any_of(color.begin(), color.end(), needs) || needs(depth) || needs(stencil);
}

/// All attachments of a complete framebuffer have one size; those not drawn to count as well.
void Framebuffer::setSize(pipeline::RenderTarget& target) const {
    auto take = [&](const Attachment& point) {
        texture::ImagePtr image = point.image();
        if (!image) return;
        target.width = image->width();
        target.height = image->height();
    };
    for (const Attachment& point : color) take(point);
    take(depth);
    take(stencil);
}

pipeline::RenderTarget Framebuffer::drawTarget() const {
    pipeline::RenderTarget out;
    for (size_t i = 0; i < kMaxDrawBuffers; ++i)
        if (drawBuffers[i] != GL_NONE) out.color[i] = color[drawBuffers[i] - GL_COLOR_ATTACHMENT0].drawImage();
    out.depth = depth.image();
    out.stencil = stencil.image();
    setSize(out);
    return out;
}

pipeline::RenderTarget Framebuffer::readTarget() const {
    pipeline::RenderTarget out;
    if (readBuffer != GL_NONE) out.color[0] = color[readBuffer - GL_COLOR_ATTACHMENT0].image();
    out.depth = depth.image();
    out.stencil = stencil.image();
    setSize(out);
    return out;
}

}  // namespace tessera::gles
