#include "api/gles/objects/framebuffer.h"

#include <algorithm>
#include <utility>

#include "pipeline/commands.h"

namespace tessera::gles {

namespace {

enum class Point { Color, Depth, Stencil };

bool isRenderableAs(bool isEs3, Point point, const Attachment& attachment) {
    const AttachableImage& image = attachment.image();
    if (!image) return false;
    const texture::FormatInfo& info = texture::formatInfo(image.format());
    if (!isRenderable(isEs3, image.format())) return false;
    if (attachment.texture) {
        const TextureLevel& level = attachment.textureLevel();
        if (level.isCompressed || isVideoFormat(level.format)) return false;
        if (isEs3 && !attachment.texture->isAttachable(attachment.level)) return false;
    }
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

const AttachableImage& Attachment::image(GLint ofView) const {
    static const AttachableImage kNone;
    if (!texture) return renderbuffer ? renderbuffer->image : kNone;
    const AttachableImage& image = textureLevel().image;
    if (textarget != GL_TEXTURE_3D && textarget != GL_TEXTURE_2D_ARRAY) return image;
    if (!image || z + std::max(views, 1) > image.depth()) return kNone;
    AttachableImage& slice = slices_[static_cast<size_t>(ofView)];
    if (!slice || &slice.image_->whole() != image.image_.get())
        slice = std::make_shared<texture::Image>(image.image_, z + ofView);
    return slice;
}

const texture::ImagePtr& Attachment::drawImage() const {
    return textureSamples != 0 ? multisample_[static_cast<size_t>(view)] : image().image_;
}

const TextureLevel& Attachment::textureLevel() const { return texture->level(faceOf(textarget), level); }

void Attachment::countWrite() { texture->countWrite(faceOf(textarget), level); }

void Attachment::prepareSamples(Recorder& recorder, bool isOverwritten) {
    if (textureSamples == 0 || !image()) return;
    const auto count = static_cast<size_t>(std::max(views, 1));
    const auto holder = [&](size_t ofView) -> const texture::ImagePtr& {
        return image(static_cast<GLint>(ofView)).image_;
    };
    bool isReady = true;
    for (size_t i = 0; i < count; ++i) isReady &= unresolved_[i] == holder(i);
    if (isReady) return;
    resolveSamples(recorder);  // of images that others have taken the place of
    const bool stay = std::exchange(resolvedAt_, 0) == textureLevel().writes;
    for (size_t i = 0; i < count; ++i) {
        const texture::ImagePtr& to = unresolved_[i] = holder(i);
        if (stay) continue;
        texture::ImagePtr& samples = multisample_[i];
        const bool fits = samples && samples->format() == to->format() && samples->width() == to->width() &&
                          samples->height() == to->height();
        if (!fits) samples = makeImage(recorder, to->format(), to->width(), to->height(), kMaxSamples);
        if (!isOverwritten) recorder.record(pipeline::FillSamples{to, samples});
    }
}

void Attachment::resolveSamples(Recorder& recorder) {
    bool isOfTexture = false;
    for (size_t i = 0; i < unresolved_.size(); ++i) {
        if (!unresolved_[i]) continue;
        recorder.record(pipeline::Resolve{multisample_[i], unresolved_[i]});
        isOfTexture |= unresolved_[i] == image(static_cast<GLint>(i)).image_;
        unresolved_[i] = nullptr;
    }
    if (!isOfTexture) return;
    countWrite();  // for others that have samples beside the texture
    resolvedAt_ = textureLevel().writes;
}

bool Attachment::hasUnresolvedSamples() const {
    return std::ranges::any_of(unresolved_, [](const texture::ImagePtr& one) { return one != nullptr; });
}

const Attachment* Framebuffer::find(GLenum attachment) const {
    if (attachment >= GL_COLOR_ATTACHMENT0 && attachment < GL_COLOR_ATTACHMENT0 + kMaxColorAttachments)
        return &color_[attachment - GL_COLOR_ATTACHMENT0];
    switch (attachment) {
        case GL_DEPTH_ATTACHMENT:
        case GL_DEPTH_STENCIL_ATTACHMENT:
            return &depth_;
        case GL_STENCIL_ATTACHMENT:
            return &stencil_;
    }
    return nullptr;
}

void Framebuffer::attach(const SamplesResolved&, GLenum attachment, Attachment point) {
    if (attachment == GL_DEPTH_STENCIL_ATTACHMENT) stencil_ = point;
    *const_cast<Attachment*>(std::as_const(*this).find(attachment)) = std::move(point);
    countViews();
}

bool Framebuffer::sharesDepthStencil() const {
    return depth_.texture == stencil_.texture && depth_.renderbuffer == stencil_.renderbuffer &&
           depth_.textarget == stencil_.textarget && depth_.level == stencil_.level && depth_.z == stencil_.z &&
           depth_.views == stencil_.views;
}

void Framebuffer::detach(const SamplesResolved&, const Texture* texture) {
    forEachAttachment(*this, [&](Attachment& point) {
        if (point.texture.get() == texture) point = {};
    });
    countViews();
}

void Framebuffer::detach(const Renderbuffer* renderbuffer) {
    forEachAttachment(*this, [&](Attachment& point) {
        if (point.renderbuffer.get() == renderbuffer) point = {};
    });
}

namespace {

/// Whether depth and stencil, as far as the image has them, are among those that are named.
bool areAllOf(const Attachment& point, bool depth, bool stencil) {
    if (!point.image()) return false;
    const texture::FormatInfo& info = texture::formatInfo(point.image().format());
    return (depth || info.depth == 0) && (stencil || info.stencil == 0);
}

}  // namespace

/// The size that all attachments have; those not drawn to count as well.
template <class Target>
void Framebuffer::setSize(Target& target) const {
    bool any = false;
    forEachAttachment(*this, [&](const Attachment& point) {
        const AttachableImage& image = point.image();
        if (!image) return;
        target.width = any ? std::min(target.width, image.width()) : image.width();
        target.height = any ? std::min(target.height, image.height()) : image.height();
        any = true;
    });
}

void Framebuffer::prepareSamples(Recorder& recorder, const Overwritten& overwritten) {
    struct {
        int width = 0, height = 0;
    } drawn;
    if (overwritten.colors || overwritten.depth || overwritten.stencil) setSize(drawn);
    // Of attachments of several sizes only what all have is drawn to, and so cleared.
    const auto reachesAll = [&](const Attachment& point) {
        return point.image() && point.image().width() <= drawn.width && point.image().height() <= drawn.height;
    };
    forEachAttachment(*this, [](Attachment& point) {
        if (point.texture && point.textureSamples == 0) point.countWrite();
    });
    for (size_t i = 0; i < color_.size(); ++i) {
        if (color_[i].textureSamples == 0) continue;
        const auto isDrawn = [&] {
            return std::ranges::find(drawBuffers, GL_COLOR_ATTACHMENT0 + i) != drawBuffers.end();
        };
        color_[i].prepareSamples(recorder, overwritten.colors && isDrawn() && reachesAll(color_[i]));
    }
    const auto prepare = [&](Attachment& point) {
        if (point.textureSamples == 0) return;
        point.prepareSamples(recorder, reachesAll(point) && areAllOf(point, overwritten.depth, overwritten.stencil));
    };
    prepare(depth_);
    if (stencil_.textureSamples != 0 && !sharesDepthStencil()) prepare(stencil_);
}

void Framebuffer::discardSamples(std::span<const GLenum> attachments) {
    const auto isNamed = [&](GLenum one) { return std::ranges::find(attachments, one) != attachments.end(); };
    for (size_t i = 0; i < color_.size(); ++i)
        if (isNamed(static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + i))) color_[i].discardSamples();
    const bool both = isNamed(GL_DEPTH_STENCIL_ATTACHMENT);
    const bool depth = both || isNamed(GL_DEPTH_ATTACHMENT), stencil = both || isNamed(GL_STENCIL_ATTACHMENT);
    for (Attachment* point : {&depth_, &stencil_})
        if (areAllOf(*point, depth, stencil)) point->discardSamples();
}

void Framebuffer::resolveSamples(Recorder& recorder) {
    forEachAttachment(*this, [&](Attachment& point) { point.resolveSamples(recorder); });
}

GLenum Framebuffer::status(bool isEs3) const {
    bool any = false, renderable = true, sameSize = true, sameSamples = true, sameViews = true;
    int width = 0, height = 0, samples = 0;
    auto check = [&](Point kind, const Attachment& point) {
        if (point.type() == GL_NONE) return;
        if (!isRenderableAs(isEs3, kind, point)) {
            renderable = false;
            return;
        }
        const AttachableImage& image = point.image();
        if (any && (image.width() != width || image.height() != height)) sameSize = false;
        if (any && point.samples() != samples) sameSamples = false;
        sameViews &= std::max(point.views, 1) == views();
        width = image.width();
        height = image.height();
        samples = point.samples();
        any = true;
    };
    for (const Attachment& point : color_) check(Point::Color, point);
    check(Point::Depth, depth_);
    check(Point::Stencil, stencil_);
    if (!renderable) return GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
    if (!any) return GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    if (!sameSize && !isEs3) return GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
    const bool hasBoth = depth_.type() != GL_NONE && stencil_.type() != GL_NONE;
    if (isEs3 && hasBoth && !sharesDepthStencil()) return GL_FRAMEBUFFER_UNSUPPORTED;
    if (!sameViews) return GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR;
    return sameSamples ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT;
}

void Framebuffer::countViews() {
    views_ = 1;
    forEachAttachment(*this, [&](const Attachment& point) { views_ = std::max(views_, point.views); });
}

void Framebuffer::setView(int view) {
    forEachAttachment(*this, [&](Attachment& point) { point.view = std::min(view, std::max(point.views, 1) - 1); });
}

bool Framebuffer::needsBlit() const {
    const auto needs = [](const Attachment& point) {
        return point.renderbuffer && point.renderbuffer->needsBlit && point.renderbuffer->samples() != 0;
    };
    return std::any_of(color_.begin(), color_.end(), needs) || needs(depth_) || needs(stencil_);
}

int Framebuffer::samples() const {
    for (const Attachment& point : color_)
        if (point.type() != GL_NONE) return point.samples();
    return depth_.type() != GL_NONE ? depth_.samples() : stencil_.samples();
}

pipeline::RenderTarget Framebuffer::drawTarget() const {
    pipeline::RenderTarget out;
    for (size_t i = 0; i < kMaxDrawBuffers; ++i)
        if (drawBuffers[i] != GL_NONE) out.color[i] = color_[drawBuffers[i] - GL_COLOR_ATTACHMENT0].drawImage();
    out.depth = depth_.drawImage();
    out.stencil = sharesDepthStencil() ? out.depth : stencil_.drawImage();
    setSize(out);
    return out;
}

ReadBuffers Framebuffer::readBuffers() const {
    ReadBuffers out;
    if (readBuffer != GL_NONE) out.color = color_[readBuffer - GL_COLOR_ATTACHMENT0].image();
    out.depth = depth_.image();
    out.stencil = stencil_.image();
    setSize(out);
    return out;
}

int ReadBuffers::samples() const {
    bool any = false, all = true;
    for (const AttachableImage* image : {&color, &depth, &stencil}) {
        if (!*image) continue;
        any = true;
        all = all && image->samples() == kMaxSamples;
    }
    return any && all ? kMaxSamples : 1;
}

}  // namespace tessera::gles
