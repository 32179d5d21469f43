// Errors of renderbuffers, framebuffers and what they hold.
#include "api/gles/framebuffers/validation.h"

#include <algorithm>

#include "pipeline/render_target.h"

namespace tessera::gles::validate {

bool completeFramebuffer(Context& c) {
    return c.framebufferStatus() == GL_FRAMEBUFFER_COMPLETE || c.error(GL_INVALID_FRAMEBUFFER_OPERATION);
}

namespace {

/// A framebuffer that is read from is complete, and has not several views (OVR_multiview).
bool hasOneView(Context& c) {
    const bool isOne = !c.readFramebuffer() || c.readFramebuffer()->views() == 1;
    return (isOne && c.readFramebufferStatus() == GL_FRAMEBUFFER_COMPLETE) || c.error(GL_INVALID_FRAMEBUFFER_OPERATION);
}

}  // namespace

bool readableFramebuffer(Context& c) {
    if (!hasOneView(c)) return false;
    return !c.readsNeedBlit() || c.error(GL_INVALID_OPERATION);
}

namespace {

bool isFramebufferTarget(GLenum target) {
    return target == GL_FRAMEBUFFER || target == GL_DRAW_FRAMEBUFFER_NV || target == GL_READ_FRAMEBUFFER_NV;
}

}  // namespace

bool framebufferTarget(Context& c, GLenum target) { return isFramebufferTarget(target) || c.error(GL_INVALID_ENUM); }
bool renderbufferTarget(Context& c, GLenum target) { return target == GL_RENDERBUFFER || c.error(GL_INVALID_ENUM); }

bool renderbufferStorage(Context& c, GLenum target, GLsizei samples, GLenum internalformat, GLsizei width,
                         GLsizei height) {
    if (!renderbufferTarget(c, target)) return false;
    const texture::PixelFormat storage = renderbufferFormat(c.isEs3(), internalformat);
    if (storage == texture::PixelFormat::None) return c.error(GL_INVALID_ENUM);
    if (width < 0 || height < 0 || width > kMaxRenderbufferSize || height > kMaxRenderbufferSize || samples < 0)
        return c.error(GL_INVALID_VALUE);
    if (samples > kMaxSamples) return c.error(c.isEs3() ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    const bool isInteger = texture::isInteger(texture::formatInfo(storage).element);
    if (isInteger && samples > 0) return c.error(GL_INVALID_OPERATION);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

bool getRenderbufferParameter(Context& c, GLenum target, bool isKnown) {
    if (!renderbufferTarget(c, target)) return false;
    if (!isKnown) return c.error(GL_INVALID_ENUM);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

namespace {

bool isColorAttachment(const Context& c, GLenum attachment) {
    return attachment >= GL_COLOR_ATTACHMENT0 &&
           attachment < GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(c.maxColorAttachments());
}

/// A name of a colour attachment, of which there may be fewer.
bool isColorAttachmentName(GLenum attachment) {
    return attachment >= GL_COLOR_ATTACHMENT0 && attachment <= GL_COLOR_ATTACHMENT31;
}

bool isAttachmentPoint(const Context& c, GLenum attachment) {
    return isColorAttachment(c, attachment) || attachment == GL_DEPTH_ATTACHMENT ||
           attachment == GL_STENCIL_ATTACHMENT || (attachment == GL_DEPTH_STENCIL_ATTACHMENT && c.isEs3());
}

}  // namespace

bool attachmentPoint(Context& c, GLenum attachment) {
    if (isAttachmentPoint(c, attachment)) return true;
    return c.error(c.isEs3() && isColorAttachmentName(attachment) ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
}

namespace {

/// What a framebuffer can have images of.
bool isImageTarget(GLenum target) {
    constexpr GLenum kTexture2DMultisample = 0x9100;
    return isFlatImageTarget(target) || target == GL_TEXTURE_3D || target == kTexture2DMultisample;
}

}  // namespace

bool framebufferRenderbuffer(Context& c, GLenum target, GLenum attachment, GLenum rbTarget, GLuint renderbuffer) {
    if (!framebufferTarget(c, target) || !attachmentPoint(c, attachment)) return false;
    // Detaching (name 0) ignores the renderbuffer target.
    if (rbTarget != GL_RENDERBUFFER && renderbuffer != 0) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    return renderbuffer == 0 || c.group().renderbuffers.find(renderbuffer) || c.error(GL_INVALID_OPERATION);
}

bool framebufferTexture2D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level) {
    if (!framebufferTarget(c, target) || !attachmentPoint(c, attachment)) return false;
    if (texture == 0) return c.framebufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
    if (!isFlatImageTarget(textarget)) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != bindTargetOf(textarget)) return c.error(GL_INVALID_OPERATION);
    if (!isImageLevel(textarget, level)) return c.error(GL_INVALID_VALUE);  // any level: OES_fbo_render_mipmap
    // S3TC's extensions want this said here; other compressed images make the framebuffer incomplete.
    const texture::BlockFormat* blocks = texture::blockFormat(object->level(faceOf(textarget), level).format);
    return !blocks || blocks->family != texture::CodecFamily::S3tc || c.error(GL_INVALID_OPERATION);
}

bool framebufferTexture3D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level,
                          GLint z) {
    if (!framebufferTarget(c, target) || !attachmentPoint(c, attachment)) return false;
    if (texture == 0) return c.framebufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
    if (!isImageTarget(textarget)) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    // Images of the other targets have no slices: they are not compatible with a 3D texture, nor is this call with
    // them.
    const std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != GL_TEXTURE_3D || textarget != GL_TEXTURE_3D) return c.error(GL_INVALID_OPERATION);
    return (isImageLevel(textarget, level) && z >= 0 && z < texture::kMaxDepth) || c.error(GL_INVALID_VALUE);
}

bool framebufferTexture2DMultisample(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                     GLint level, GLsizei samples) {
    if (!isFramebufferTarget(target)) return c.error(GL_INVALID_ENUM);
    if (samples < 0 || samples > kMaxSamples) return c.error(GL_INVALID_VALUE);
    return framebufferTexture2D(c, target, attachment, textarget, texture, level);
}

bool framebufferTextureLayer(Context& c, GLenum target, GLenum attachment, GLuint texture, GLint level, GLint layer) {
    if (!framebufferTarget(c, target) || !attachmentPoint(c, attachment)) return false;
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    if (texture == 0) return true;
    const std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || (object->target != GL_TEXTURE_3D && object->target != GL_TEXTURE_2D_ARRAY))
        return c.error(GL_INVALID_OPERATION);
    const int layers = object->target == GL_TEXTURE_3D ? texture::kMaxDepth : texture::kMaxLayers;
    return (isImageLevel(object->target, level) && layer >= 0 && layer < layers) || c.error(GL_INVALID_VALUE);
}

bool framebufferTextureMultiview(Context& c, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                 GLint baseView, GLsizei views) {
    if (!framebufferTarget(c, target) || !attachmentPoint(c, attachment)) return false;
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    if (texture == 0) return true;
    const std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != GL_TEXTURE_2D_ARRAY) return c.error(GL_INVALID_OPERATION);
    const bool valid = isImageLevel(object->target, level) && views >= 1 && views <= kMaxViews && baseView >= 0 &&
                       baseView <= texture::kMaxLayers - views;
    return valid || c.error(GL_INVALID_VALUE);
}

bool framebufferTextureMultisampleMultiview(Context& c, GLenum target, GLenum attachment, GLuint texture, GLint level,
                                            GLsizei samples, GLint baseView, GLsizei views) {
    if (!isFramebufferTarget(target)) return c.error(GL_INVALID_ENUM);
    if (samples < 0 || samples > kMaxSamples) return c.error(GL_INVALID_VALUE);
    return framebufferTextureMultiview(c, target, attachment, texture, level, baseView, views);
}

bool drawBuffers(Context& c, GLsizei n, const GLenum* buffers) {
    if (n < 0 || n > c.maxDrawBuffers()) return c.error(GL_INVALID_VALUE);
    if (n > 0 && !buffers) return c.error(GL_INVALID_VALUE);
    const auto isName = [](GLenum buffer) {
        return buffer == GL_NONE || buffer == GL_BACK || isColorAttachmentName(buffer);
    };
    if (c.isEs3() && !std::all_of(buffers, buffers + n, isName)) return c.error(GL_INVALID_ENUM);
    if (!c.framebuffer())
        return (n == 1 && (buffers[0] == GL_BACK || buffers[0] == GL_NONE)) || c.error(GL_INVALID_OPERATION);
    for (GLsizei i = 0; i < n; ++i) {
        bool own = buffers[i] == GL_NONE || buffers[i] == GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        if (!own) return c.error(GL_INVALID_OPERATION);
    }
    return true;
}

bool drawBuffersInAnyOrder(Context& c, GLsizei n, const GLenum* buffers) {
    if (n < 1 || n > c.maxDrawBuffers() || !buffers) return c.error(GL_INVALID_VALUE);
    if (!c.framebuffer()) return c.error(GL_INVALID_OPERATION);
    for (GLsizei i = 0; i < n; ++i) {
        if (buffers[i] == GL_NONE) continue;
        if (buffers[i] < GL_COLOR_ATTACHMENT0 || buffers[i] > GL_COLOR_ATTACHMENT15_NV) return c.error(GL_INVALID_ENUM);
        const bool isTwice = std::find(buffers, buffers + i, buffers[i]) != buffers + i;
        if (!isColorAttachment(c, buffers[i]) || isTwice) return c.error(GL_INVALID_OPERATION);
    }
    return true;
}

bool readBuffer(Context& c, GLenum mode) {
    // GL_FRONT belongs to NV_read_buffer_front.
    const bool isAttachment = c.isEs3() ? isColorAttachmentName(mode) : isColorAttachment(c, mode);
    if (mode != GL_BACK && mode != GL_NONE && !isAttachment) return c.error(GL_INVALID_ENUM);
    if (isAttachment && !isColorAttachment(c, mode)) return c.error(GL_INVALID_OPERATION);
    return mode == GL_NONE || isColorAttachment(c, mode) == (c.readFramebuffer() != nullptr) ||
           c.error(GL_INVALID_OPERATION);
}

bool discardFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments) {
    if (!framebufferTarget(c, target) || !count(c, n)) return false;
    for (GLsizei i = 0; i < n && attachments; ++i) {
        const GLenum one = attachments[i];
        if (c.framebufferBinding(target)) {
            if (!attachmentPoint(c, one)) return false;
        } else if (one < GL_COLOR_EXT || one > GL_STENCIL_EXT) {
            return c.error(GL_INVALID_ENUM);
        }
    }
    return true;
}

bool invalidateSubFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments, GLsizei width,
                              GLsizei height) {
    return discardFramebuffer(c, target, n, attachments) && size(c, width, height);
}

namespace {

bool isSameSize(const BlitCall& call) {
    const auto length = [](GLint a, GLint b) { return int64_t{b} - a; };
    return length(call.from.x0, call.from.x1) == length(call.to.x0, call.to.x1) &&
           length(call.from.y0, call.from.y1) == length(call.to.y0, call.to.y1);
}

bool sameColorFormats(const ReadBuffers& from, const pipeline::RenderTarget& to) {
    return !from.color || std::all_of(to.color.begin(), to.color.end(), [&](const texture::ImagePtr& image) {
        return !image || image->format() == from.color.format();
    });
}

bool isAllOf(const texture::Corners& corners, int width, int height) {
    return std::min(corners.x0, corners.x1) == 0 && std::max(corners.x0, corners.x1) == width &&
           std::min(corners.y0, corners.y1) == 0 && std::max(corners.y0, corners.y1) == height;
}

}  // namespace

bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment, const AttachmentParameter* parameter) {
    using Of = AttachmentParameter::Of;
    if (!framebufferTarget(c, target)) return false;
    const std::shared_ptr<Framebuffer>& framebuffer = c.framebufferBinding(target);
    const bool isKnown = parameter && (c.isEs3() || !parameter->isEs3);
    if (!framebuffer) {
        if (!c.isEs3()) return c.error(isAttachmentPoint(c, attachment) ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
        const bool isBuffer = attachment == GL_BACK || attachment == GL_DEPTH || attachment == GL_STENCIL;
        if (!isBuffer) return c.error(isAttachmentPoint(c, attachment) ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
        return (isKnown && parameter->of != Of::Textures && parameter->of != Of::Objects) || c.error(GL_INVALID_ENUM);
    }
    if (!attachmentPoint(c, attachment)) return false;
    if (!isKnown) return c.error(GL_INVALID_ENUM);
    const bool isBoth = attachment == GL_DEPTH_STENCIL_ATTACHMENT;
    if (isBoth && !framebuffer->sharesDepthStencil()) return c.error(GL_INVALID_OPERATION);
    if (isBoth && parameter->name == GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) return c.error(GL_INVALID_OPERATION);
    const GLenum type = framebuffer->find(attachment)->type();
    const bool isThere = parameter->of == Of::Anything || type == GL_TEXTURE ||
                         (parameter->of != Of::Textures && type != GL_NONE) ||
                         (c.isEs3() && parameter->of == Of::Objects);
    return isThere || c.error(c.isEs3() && type == GL_NONE ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
}

namespace {

/// What OpenGL ES 3.0 asks for besides: blits do not change the kind of numbers, mix no integers, do not write samples
/// and move none, and do not read what they write.
bool blitFramebufferEs3(Context& c, const BlitCall& call) {
    const ReadBuffers from = c.readBuffers();
    const pipeline::RenderTarget to = c.drawTarget();
    const bool hasColor = (call.mask & GL_COLOR_BUFFER_BIT) != 0 && from.color;
    const auto isSame = [](const AttachableImage& a, const texture::ImagePtr& b) {
        return a && b && a == AttachableImage(b);
    };
    if (c.drawSamples() != 0) return c.error(GL_INVALID_OPERATION);
    if (hasColor) {
        const ColorKind kind = colorKind(from.color.format());
        if (kind != ColorKind::Real && call.filter == GL_LINEAR) return c.error(GL_INVALID_OPERATION);
        for (const texture::ImagePtr& image : to.color)
            if (image && (colorKind(image->format()) != kind || isSame(from.color, image)))
                return c.error(GL_INVALID_OPERATION);
    }
    if ((call.mask & GL_DEPTH_BUFFER_BIT) != 0 && isSame(from.depth, to.depth)) return c.error(GL_INVALID_OPERATION);
    if ((call.mask & GL_STENCIL_BUFFER_BIT) != 0 && isSame(from.stencil, to.stencil))
        return c.error(GL_INVALID_OPERATION);
    if (c.readSamples() == 0) return true;
    const bool isInPlace = call.from.x0 == call.to.x0 && call.from.y0 == call.to.y0 && call.from.x1 == call.to.x1 &&
                           call.from.y1 == call.to.y1;
    return (isInPlace && (!hasColor || sameColorFormats(from, to))) || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool blitFramebuffer(Context& c, const BlitCall& call) {
    constexpr GLbitfield kDepthStencil = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if ((call.mask & ~(GL_COLOR_BUFFER_BIT | kDepthStencil)) != 0) return c.error(GL_INVALID_VALUE);
    if (call.filter != GL_NEAREST && call.filter != GL_LINEAR) return c.error(GL_INVALID_ENUM);
    if (!completeFramebuffer(c)) return false;
    if (!hasOneView(c)) return false;
    if ((call.mask & kDepthStencil) != 0 && call.filter != GL_NEAREST) return c.error(GL_INVALID_OPERATION);
    const ReadBuffers from = c.readBuffers();
    const pipeline::RenderTarget to = c.drawTarget();
    const auto differ = [](const AttachableImage& a, const texture::ImagePtr& b) {
        return a && b && a.format() != b->format();
    };
    if ((call.mask & GL_DEPTH_BUFFER_BIT) != 0 && differ(from.depth, to.depth)) return c.error(GL_INVALID_OPERATION);
    if ((call.mask & GL_STENCIL_BUFFER_BIT) != 0 && differ(from.stencil, to.stencil))
        return c.error(GL_INVALID_OPERATION);
    if (c.isEs3()) return blitFramebufferEs3(c, call);
    if (from.samples() == 1 && to.samples() == 1) return true;
    if (!isSameSize(call)) return c.error(GL_INVALID_OPERATION);
    return (call.mask & GL_COLOR_BUFFER_BIT) == 0 || sameColorFormats(from, to) || c.error(GL_INVALID_OPERATION);
}

bool blitFramebufferUnchanged(Context& c, const BlitCall& call) {
    if (call.filter != GL_NEAREST) return c.error(GL_INVALID_ENUM);
    if (!blitFramebuffer(c, call)) return false;
    if (!isSameSize(call)) return c.error(GL_INVALID_OPERATION);
    const ReadBuffers from = c.readBuffers();
    const pipeline::RenderTarget to = c.drawTarget();
    if ((call.mask & GL_COLOR_BUFFER_BIT) != 0 && !sameColorFormats(from, to)) return c.error(GL_INVALID_OPERATION);
    const bool isDeep = (call.mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) != 0;
    if (to.samples() > 1 || (isDeep && from.samples() > 1)) return c.error(GL_INVALID_OPERATION);
    // Depth, stencil and what has samples are copied whole or not at all.
    const bool isWhole =
        isAllOf(call.from, from.width, from.height) && isAllOf(call.to, to.width, to.height) && !c.state.scissorTest;
    return !(isDeep || from.samples() > 1) || isWhole || c.error(GL_INVALID_OPERATION);
}

bool clear(Context& c, GLbitfield mask) {
    constexpr GLbitfield kBuffers = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if ((mask & ~kBuffers) != 0) return c.error(GL_INVALID_VALUE);
    return completeFramebuffer(c);
}

bool clearBuffer(Context& c, GLenum buffer, GLint drawBuffer, std::initializer_list<GLenum> cleared) {
    if (std::ranges::find(cleared, buffer) == cleared.end()) return c.error(GL_INVALID_ENUM);
    const GLint count = buffer == GL_COLOR ? c.maxDrawBuffers() : 1;
    if (drawBuffer < 0 || drawBuffer >= count) return c.error(GL_INVALID_VALUE);
    return completeFramebuffer(c);
}

}  // namespace tessera::gles::validate
