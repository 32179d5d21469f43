#include "api/gles/framebuffer.h"

#include <algorithm>

namespace tessera::gles {

namespace {

enum class Point { Color, Depth, Stencil };

bool isRenderableAs(Point point, const Attachment& attachment) {
    texture::ImagePtr image = attachment.image();
    if (!image) return false;
    const texture::FormatInfo& info = texture::formatInfo(image->format());
    if (!info.renderable) return false;
    switch (point) {
        case Point::Color:
            return info.depth == 0 && info.stencil == 0;
        case Point::Depth:
            return info.depth != 0;
        case Point::Stencil:
            return info.stencil != 0;
    }
    return false;
}

}  // namespace

texture::ImagePtr Attachment::image() const {
    if (texture) return texture->level(faceOf(textarget), level).image;
    return renderbuffer ? renderbuffer->image : nullptr;
}

Attachment* Framebuffer::find(GLenum attachment) {
    switch (attachment) {
        case GL_COLOR_ATTACHMENT0:
            return &color;
        case GL_DEPTH_ATTACHMENT:
            return &depth;
        case GL_STENCIL_ATTACHMENT:
            return &stencil;
    }
    return nullptr;
}

void Framebuffer::detach(const Texture* texture) {
    for (Attachment* point : {&color, &depth, &stencil})
        if (point->texture.get() == texture) *point = {};
}

void Framebuffer::detach(const Renderbuffer* renderbuffer) {
    for (Attachment* point : {&color, &depth, &stencil})
        if (point->renderbuffer.get() == renderbuffer) *point = {};
}

GLenum Framebuffer::status() const {
    constexpr Point kPoints[] = {Point::Color, Point::Depth, Point::Stencil};
    const Attachment* attachments[] = {&color, &depth, &stencil};
    bool any = false, sameSize = true;
    int width = 0, height = 0;
    for (int i = 0; i < 3; ++i) {
        if (attachments[i]->type() == GL_NONE) continue;
        if (!isRenderableAs(kPoints[i], *attachments[i])) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
        texture::ImagePtr image = attachments[i]->image();
        if (any && (image->width() != width || image->height() != height)) sameSize = false;
        width = image->width();
        height = image->height();
        any = true;
    }
    if (!any) return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    return sameSize ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
}

pipeline::RenderTarget Framebuffer::target() const {
    pipeline::RenderTarget out;
    out.color[0] = color.image();
    out.depth = depth.image();
    out.stencil = stencil.image();
    for (const texture::ImagePtr& image : {out.color[0], out.depth, out.stencil}) {
        if (!image) continue;
        out.width = image->width();
        out.height = image->height();
    }
    return out;
}

}  // namespace tessera::gles
