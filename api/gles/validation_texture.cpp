// Errors of textures, renderbuffers and framebuffers.
#include <algorithm>

#include "api/gles/state/state_queries.h"
#include "api/gles/validation.h"

namespace tessera::gles::validate {

bool isTextureTarget(GLenum target) { return target == GL_TEXTURE_2D || target == GL_TEXTURE_CUBE_MAP; }

namespace {

/// Of glBindTexture and glTexParameter.
bool isBindTarget(GLenum target) {
    return isTextureTarget(target) || target == GL_TEXTURE_3D_OES || target == GL_TEXTURE_EXTERNAL_OES;
}

}  // namespace

bool activeTexture(Context& c, GLenum texture) {
    const int units = c.fixedFunction ? c.fixedFunction->textureUnits() : kMaxCombinedTextureUnits;
    bool valid = texture >= GL_TEXTURE0 && texture < GL_TEXTURE0 + static_cast<GLenum>(units);
    return valid || c.error(GL_INVALID_ENUM);
}

bool bindTexture(Context& c, GLenum target, GLuint name) {
    if (!isBindTarget(target)) return c.error(GL_INVALID_ENUM);
    std::shared_ptr<Texture> texture = c.group().textures.find(name);
    return !texture || texture->target == target || c.error(GL_INVALID_OPERATION);
}

namespace {

/// Of glTexParameter.
bool isTextureParameter(GLenum pname) {
    return pname == GL_TEXTURE_MIN_FILTER || pname == GL_TEXTURE_MAG_FILTER || pname == GL_TEXTURE_WRAP_S ||
           pname == GL_TEXTURE_WRAP_T || pname == GL_TEXTURE_WRAP_R_OES || pname == GL_TEXTURE_COMPARE_MODE_EXT ||
           pname == GL_TEXTURE_COMPARE_FUNC_EXT;
}

bool isWrapMode(GLenum mode) {
    return mode == GL_CLAMP_TO_EDGE || mode == GL_REPEAT || mode == GL_MIRRORED_REPEAT ||
           mode == GL_MIRROR_CLAMP_TO_EDGE_EXT || mode == GL_CLAMP_TO_BORDER_EXT;
}

}  // namespace

bool borderColor(Context& c, GLenum target) { return isBindTarget(target) || c.error(GL_INVALID_ENUM); }
bool textureTarget(Context& c, GLenum target) { return isBindTarget(target) || c.error(GL_INVALID_ENUM); }

bool cropRect(Context& c, GLenum target) {
    return (c.fixedFunction && isBindTarget(target)) || c.error(GL_INVALID_ENUM);
}

bool maxLevel(Context& c, GLenum target, GLint value) {
    if (!isBindTarget(target)) return c.error(GL_INVALID_ENUM);
    return value >= 0 || c.error(GL_INVALID_VALUE);
}

bool maxAnisotropy(Context& c, GLenum target, GLfloat value) {
    if (!isBindTarget(target)) return c.error(GL_INVALID_ENUM);
    return value >= 1 || c.error(GL_INVALID_VALUE);
}

bool texParameter(Context& c, GLenum target, GLenum pname, GLenum value) {
    if (!isBindTarget(target) || !isTextureParameter(pname)) return c.error(GL_INVALID_ENUM);
    const bool external = target == GL_TEXTURE_EXTERNAL_OES;  // one level, clamped
    bool valid = false;
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR ||
                    (!external && value >= GL_NEAREST_MIPMAP_NEAREST && value <= GL_LINEAR_MIPMAP_LINEAR);
            break;
        case GL_TEXTURE_COMPARE_MODE_EXT:
            valid = value == GL_NONE || value == GL_COMPARE_REF_TO_TEXTURE_EXT;
            break;
        case GL_TEXTURE_COMPARE_FUNC_EXT:
            valid = value >= GL_NEVER && value <= GL_ALWAYS;
            break;
        case GL_TEXTURE_MAG_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR;
            break;
        default:
            valid = external ? value == GL_CLAMP_TO_EDGE : isWrapMode(value);
    }
    return valid || c.error(GL_INVALID_ENUM);
}

bool getTexParameter(Context& c, GLenum target, GLenum pname) {
    bool known = isTextureParameter(pname) || pname == GL_TEXTURE_IMMUTABLE_FORMAT_EXT ||
                 pname == GL_REQUIRED_TEXTURE_IMAGE_UNITS_OES || pname == GL_TEXTURE_MAX_ANISOTROPY_EXT ||
                 pname == GL_TEXTURE_MAX_LEVEL_APPLE || pname == GL_TEXTURE_BORDER_COLOR_EXT ||
                 isTextureCacheCounter(pname);
    known |= c.fixedFunction && (pname == GL_GENERATE_MIPMAP || pname == GL_TEXTURE_CROP_RECT_OES);
    return (isBindTarget(target) && known) || c.error(GL_INVALID_ENUM);
}

namespace {

bool validLevel(GLint level) { return level >= 0 && level < texture::kMaxLevels; }

/// Level and size of a new image; cube faces are square.
bool imageSize(Context& c, GLenum target, const ImageSize& size, GLint border) {
    if (!validLevel(size.level)) return c.error(GL_INVALID_VALUE);
    int limit = kMaxTextureSize >> size.level;
    if (size.width < 0 || size.height < 0 || size.width > limit || size.height > limit || border != 0)
        return c.error(GL_INVALID_VALUE);
    if (target != GL_TEXTURE_2D && size.width != size.height) return c.error(GL_INVALID_VALUE);
    return true;
}

/// The rectangle of a sub-image lies inside a defined level.
bool subImage(Context& c, GLenum target, const SubImage& sub) {
    if (!validLevel(sub.level) || sub.width < 0 || sub.height < 0 || sub.x < 0 || sub.y < 0)
        return c.error(GL_INVALID_VALUE);
    const texture::ImagePtr& image = c.textureForImage(target).level(faceOf(target), sub.level).image;
    if (!image) return c.error(GL_INVALID_OPERATION);
    bool inside = sub.x <= image->width() && sub.width <= image->width() - sub.x && sub.y <= image->height() &&
                  sub.height <= image->height() - sub.y;
    return inside || c.error(GL_INVALID_VALUE);
}

/// The framebuffer has every channel that a texture of the format takes (table 3.9).
bool copyableChannels(Context& c, GLenum baseFormat) {
    return (neededChannels(baseFormat) & ~c.readChannels()) == 0 || c.error(GL_INVALID_OPERATION);
}

/// Pairs of texels share colour differences; such images are of two-dimensional textures only (APPLE_rgb_422).
bool videoFits(GLenum target, GLenum format, GLsizei width) {
    return !isVideoFormat(format) || (target == GL_TEXTURE_2D && width % 2 == 0);
}

/// Whole blocks, of which the last may reach over the image's edge.
bool isBlockAligned(const SubImage& sub, const texture::Image& image, const texture::BlockFormat& format) {
    auto isRun = [](int start, int count, int size, int block) {
        return start % block == 0 && (count % block == 0 || start + count == size);
    };
    return isRun(sub.x, sub.width, image.width(), format.width) &&
           isRun(sub.y, sub.height, image.height(), format.height);
}

/// Pixels that images are compressed from.
bool isEncodable(GLenum format, GLenum type) {
    return (format == GL_RGB || format == GL_RGBA) && textureTransfer(format, type);
}

/// Size and format can no longer be changed (EXT_texture_storage).
bool notImmutable(Context& c, const Texture& texture) {
    return texture.immutableLevels == 0 || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (faceOf(target) < 0 || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
    if (!isPixelFormat(format)) {
        // One name for both, as programs try formats of compressed images: that it is no internal format comes first.
        const bool both = static_cast<GLenum>(internalformat) == format;
        return c.error(both ? GL_INVALID_VALUE : GL_INVALID_ENUM);
    }
    if (!imageSize(c, target, size, border)) return false;
    if (isCompressedFormat(static_cast<GLenum>(internalformat))) {
        const bool canEncode =
            target == GL_TEXTURE_2D && encodedFormat(static_cast<GLenum>(internalformat)) && isEncodable(format, type);
        if (!canEncode) return c.error(GL_INVALID_OPERATION);
        return notImmutable(c, c.textureForImage(target));
    }
    // Depth textures came with OpenGL ES 2.0.
    const bool isDepth = isDepthFormat(static_cast<GLenum>(internalformat)) || isDepthFormat(format);
    const bool isKnown = isTextureFormat(static_cast<GLenum>(internalformat)) && !(c.fixedFunction && isDepth);
    if (!isKnown) return c.error(GL_INVALID_VALUE);
    if ((static_cast<GLenum>(internalformat) == GL_YCBCR_MESA) != (format == GL_YCBCR_MESA))
        return c.error(GL_INVALID_ENUM);
    const PixelTransfer* transfer = textureTransfer(format, type);
    bool match = transfer && textureFormat(static_cast<GLenum>(internalformat), *transfer) != nullptr;
    if (!match || !videoFits(target, format, size.width)) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    if (faceOf(target) < 0 || !isPixelFormat(format) || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = c.textureForImage(target).level(faceOf(target), sub.level);
    const PixelTransfer* transfer = textureTransfer(format, type);
    bool match = transfer && acceptsTransfer(level.format, level.image->format(), *transfer);
    match = match && videoFits(target, format, sub.width);
    if (const texture::BlockFormat* blocks = encodedFormat(level.format); blocks && level.isCompressed)
        match = isEncodable(format, type) && isBlockAligned(sub, *level.image, *blocks);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border) {
    const InternalFormat* known = copyFormat(internalformat, texture::PixelFormat::Rgba8);
    // EXT_texture_compression_s3tc and its kin; other compressed formats are unknown to this call.
    if (faceOf(target) >= 0 && encodedFormat(internalformat)) return c.error(GL_INVALID_OPERATION);
    if (faceOf(target) < 0 || !known) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border) || !readableFramebuffer(c) || !copyableChannels(c, known->format))
        return false;
    // A sized format does not turn fixed point into floats or back; an unsized one follows the colour buffer.
    bool sameKind =
        !known->isSized() || isFloatFormat(known->storage) == isFloatFormat(c.readTarget().color[0]->format());
    if (!sameKind) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub) {
    if (faceOf(target) < 0) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !readableFramebuffer(c)) return false;
    GLenum format = c.textureForImage(target).level(faceOf(target), sub.level).format;
    if (isDepthFormat(format) || isCompressedFormat(format) || isVideoFormat(format))
        return c.error(GL_INVALID_OPERATION);
    return copyableChannels(c, format);
}

bool texStorage2D(Context& c, GLenum target, GLsizei levels, GLenum internalformat, GLsizei width, GLsizei height) {
    if (!isTextureTarget(target)) return c.error(GL_INVALID_ENUM);
    const InternalFormat* internal = storageFormat(internalformat);
    if (!internal && !texture::blockFormat(internalformat)) return c.error(GL_INVALID_ENUM);
    if (levels < 1 || width < 1 || height < 1) return c.error(GL_INVALID_VALUE);
    if (levels > mipLevelCount(width, height)) return c.error(GL_INVALID_OPERATION);
    const GLenum image = target == GL_TEXTURE_2D ? target : GL_TEXTURE_CUBE_MAP_POSITIVE_X;
    if (!imageSize(c, image, {0, width, height}, 0)) return false;
    if (internal && !videoFits(image, internal->format, width)) return c.error(GL_INVALID_OPERATION);
    const Texture& texture = **c.textureBinding(target);
    if (texture.name == 0) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, texture);
}

bool compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border,
                          GLsizei bytes) {
    if (faceOf(target) < 0 || !isCompressedFormat(internalformat)) return c.error(GL_INVALID_ENUM);
    const texture::PalettedFormat* paletted = texture::palettedFormat(internalformat);
    if (paletted && (size.level > 0 || size.level <= -texture::kMaxLevels)) return c.error(GL_INVALID_VALUE);
    if (!imageSize(c, target, {paletted ? 0 : size.level, size.width, size.height}, border)) return false;
    size_t expected = 0;
    if (paletted) {
        const int levels = 1 - size.level;
        const bool isWithinChain = levels == 1 || levels <= mipLevelCount(size.width, size.height);
        if (!isWithinChain) return c.error(GL_INVALID_VALUE);
        if (size.width > 0 && size.height > 0)
            expected = texture::palettedBytes(*paletted, size.width, size.height, levels);
    } else {
        expected = texture::compressedBytes(*texture::blockFormat(internalformat), size.width, size.height);
    }
    if (bytes < 0 || static_cast<size_t>(bytes) != expected) return c.error(GL_INVALID_VALUE);
    return notImmutable(c, c.textureForImage(target));
}

// ETC1 images can be modified like all others: EXT_texture_storage, which takes back that they cannot.
bool compressedTexSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLsizei bytes) {
    if (faceOf(target) < 0 || !isCompressedFormat(format)) return c.error(GL_INVALID_ENUM);
    const texture::BlockFormat* blocks = texture::blockFormat(format);
    if (!blocks) return c.error(GL_INVALID_OPERATION);  // paletted images stay as they are
    if (bytes < 0) return c.error(GL_INVALID_VALUE);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = c.textureForImage(target).level(faceOf(target), sub.level);
    const bool matches = level.isCompressed && level.format == format && isBlockAligned(sub, *level.image, *blocks);
    if (!matches) return c.error(GL_INVALID_OPERATION);
    return static_cast<size_t>(bytes) == texture::compressedBytes(*blocks, sub.width, sub.height) ||
           c.error(GL_INVALID_VALUE);
}

bool canGenerateMipmap(Context& c, GLenum target) {
    const Texture& texture = **c.textureBinding(target);
    bool complete = target == GL_TEXTURE_CUBE_MAP ? texture.isCubeComplete() : texture.level(0, 0).image != nullptr;
    const TextureLevel& base = texture.level(0, 0);
    const bool canBeFiltered =
        !base.isCompressed && !isDepthFormat(base.format) && !isSrgbFormat(base.format) && !isVideoFormat(base.format);
    return complete && canBeFiltered;
}

bool generateMipmap(Context& c, GLenum target) {
    if (!isTextureTarget(target) && target != GL_TEXTURE_3D_OES) return c.error(GL_INVALID_ENUM);
    return canGenerateMipmap(c, target) || c.error(GL_INVALID_OPERATION);
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
    if (renderbufferFormat(internalformat) == texture::PixelFormat::None) return c.error(GL_INVALID_ENUM);
    if (width < 0 || height < 0 || width > kMaxRenderbufferSize || height > kMaxRenderbufferSize || samples < 0 ||
        samples > kMaxSamples)
        return c.error(GL_INVALID_VALUE);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

bool getRenderbufferParameter(Context& c, GLenum target, GLenum pname) {
    bool known = pname == GL_RENDERBUFFER_WIDTH || pname == GL_RENDERBUFFER_HEIGHT ||
                 pname == GL_RENDERBUFFER_INTERNAL_FORMAT || pname == GL_RENDERBUFFER_SAMPLES_EXT ||
                 (pname >= GL_RENDERBUFFER_RED_SIZE && pname <= GL_RENDERBUFFER_STENCIL_SIZE);
    if (!renderbufferTarget(c, target)) return false;
    if (!known) return c.error(GL_INVALID_ENUM);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

namespace {

bool isColorAttachment(GLenum attachment) {
    return attachment >= GL_COLOR_ATTACHMENT0 && attachment < GL_COLOR_ATTACHMENT0 + kMaxColorAttachments;
}

}  // namespace

bool isAttachmentPoint(GLenum attachment) {
    return isColorAttachment(attachment) || attachment == GL_DEPTH_ATTACHMENT || attachment == GL_STENCIL_ATTACHMENT;
}

bool framebufferRenderbuffer(Context& c, GLenum target, GLenum attachment, GLenum rbTarget, GLuint renderbuffer) {
    if (!isFramebufferTarget(target) || !isAttachmentPoint(attachment)) return c.error(GL_INVALID_ENUM);
    // Detaching (name 0) ignores the renderbuffer target.
    if (rbTarget != GL_RENDERBUFFER && renderbuffer != 0) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    return renderbuffer == 0 || c.group().renderbuffers.find(renderbuffer) || c.error(GL_INVALID_OPERATION);
}

bool framebufferTexture2D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level) {
    if (!isFramebufferTarget(target) || !isAttachmentPoint(attachment)) return c.error(GL_INVALID_ENUM);
    if (texture == 0) return c.framebufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
    if (faceOf(textarget) < 0) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != bindTargetOf(textarget)) return c.error(GL_INVALID_OPERATION);
    if (!validLevel(level)) return c.error(GL_INVALID_VALUE);  // any level: OES_fbo_render_mipmap
    // S3TC's extensions want this said here; other compressed images make the framebuffer incomplete.
    const texture::BlockFormat* blocks = texture::blockFormat(object->level(faceOf(textarget), level).format);
    return !blocks || blocks->family != texture::CodecFamily::S3tc || c.error(GL_INVALID_OPERATION);
}

bool framebufferTexture2DMultisample(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture,
                                     GLint level, GLsizei samples) {
    if (!isFramebufferTarget(target) || attachment != GL_COLOR_ATTACHMENT0) return c.error(GL_INVALID_ENUM);
    if (samples < 0 || samples > kMaxSamples) return c.error(GL_INVALID_VALUE);
    return framebufferTexture2D(c, target, attachment, textarget, texture, level);
}

bool drawBuffers(Context& c, GLsizei n, const GLenum* buffers) {
    if (n < 0 || n > kMaxDrawBuffers) return c.error(GL_INVALID_VALUE);
    if (n > 0 && !buffers) return c.error(GL_INVALID_VALUE);
    if (!c.framebuffer)
        return (n == 1 && (buffers[0] == GL_BACK || buffers[0] == GL_NONE)) || c.error(GL_INVALID_OPERATION);
    for (GLsizei i = 0; i < n; ++i) {
        bool own = buffers[i] == GL_NONE || buffers[i] == GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i);
        if (!own) return c.error(GL_INVALID_OPERATION);
    }
    return true;
}

bool drawBuffersInAnyOrder(Context& c, GLsizei n, const GLenum* buffers) {
    if (n < 1 || n > kMaxDrawBuffers || !buffers) return c.error(GL_INVALID_VALUE);
    if (!c.framebuffer) return c.error(GL_INVALID_OPERATION);
    for (GLsizei i = 0; i < n; ++i) {
        if (buffers[i] == GL_NONE) continue;
        if (buffers[i] < GL_COLOR_ATTACHMENT0 || buffers[i] > GL_COLOR_ATTACHMENT15_NV) return c.error(GL_INVALID_ENUM);
        const bool isTwice = std::find(buffers, buffers + i, buffers[i]) != buffers + i;
        if (!isColorAttachment(buffers[i]) || isTwice) return c.error(GL_INVALID_OPERATION);
    }
    return true;
}

bool readBuffer(Context& c, GLenum mode) {
    // GL_FRONT belongs to NV_read_buffer_front.
    if (mode != GL_BACK && mode != GL_NONE && !isColorAttachment(mode)) return c.error(GL_INVALID_ENUM);
    return mode == GL_NONE || isColorAttachment(mode) == (c.readFramebuffer != nullptr) ||
           c.error(GL_INVALID_OPERATION);
}

bool discardFramebuffer(Context& c, GLenum target, GLsizei n, const GLenum* attachments) {
    if (!framebufferTarget(c, target) || !count(c, n)) return false;
    for (GLsizei i = 0; i < n && attachments; ++i) {
        GLenum one = attachments[i];
        bool known =
            c.framebufferBinding(target) ? isAttachmentPoint(one) : one >= GL_COLOR_EXT && one <= GL_STENCIL_EXT;
        if (!known) return c.error(GL_INVALID_ENUM);
    }
    return true;
}

namespace {

bool isSameSize(const BlitCall& call) {
    const auto length = [](GLint a, GLint b) { return int64_t{b} - a; };
    return length(call.from.x0, call.from.x1) == length(call.to.x0, call.to.x1) &&
           length(call.from.y0, call.from.y1) == length(call.to.y0, call.to.y1);
}

bool sameColorFormats(const pipeline::RenderTarget& from, const pipeline::RenderTarget& to) {
    return !from.color[0] || std::all_of(to.color.begin(), to.color.end(), [&](const texture::ImagePtr& image) {
        return !image || image->format() == from.color[0]->format();
    });
}

bool isAllOf(const texture::Corners& corners, const pipeline::RenderTarget& target) {
    return std::min(corners.x0, corners.x1) == 0 && std::max(corners.x0, corners.x1) == target.width &&
           std::min(corners.y0, corners.y1) == 0 && std::max(corners.y0, corners.y1) == target.height;
}

}  // namespace

bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment, GLenum pname) {
    if (!isFramebufferTarget(target) || !isAttachmentPoint(attachment)) return c.error(GL_INVALID_ENUM);
    if (!c.framebufferBinding(target)) return c.error(GL_INVALID_OPERATION);
    GLenum type = c.framebufferBinding(target)->find(attachment)->type();
    switch (pname) {
        case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
        case GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT:
        case GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT:
            return type != GL_NONE || c.error(GL_INVALID_ENUM);
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT:
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_3D_ZOFFSET_OES:
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
            return type == GL_TEXTURE || c.error(GL_INVALID_ENUM);
    }
    return c.error(GL_INVALID_ENUM);
}

bool blitFramebuffer(Context& c, const BlitCall& call) {
    constexpr GLbitfield kDepthStencil = GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if ((call.mask & ~(GL_COLOR_BUFFER_BIT | kDepthStencil)) != 0) return c.error(GL_INVALID_VALUE);
    if (call.filter != GL_NEAREST && call.filter != GL_LINEAR) return c.error(GL_INVALID_ENUM);
    if (!completeFramebuffer(c)) return false;
    if (c.readFramebufferStatus() != GL_FRAMEBUFFER_COMPLETE) return c.error(GL_INVALID_FRAMEBUFFER_OPERATION);
    if ((call.mask & kDepthStencil) != 0 && call.filter != GL_NEAREST) return c.error(GL_INVALID_OPERATION);
    const pipeline::RenderTarget from = c.readTarget(), to = c.drawTarget();
    const auto differ = [](const texture::ImagePtr& a, const texture::ImagePtr& b) {
        return a && b && a->format() != b->format();
    };
    if ((call.mask & GL_DEPTH_BUFFER_BIT) != 0 && differ(from.depth, to.depth)) return c.error(GL_INVALID_OPERATION);
    if ((call.mask & GL_STENCIL_BUFFER_BIT) != 0 && differ(from.stencil, to.stencil))
        return c.error(GL_INVALID_OPERATION);
    if (from.samples() == 1 && to.samples() == 1) return true;
    if (!isSameSize(call)) return c.error(GL_INVALID_OPERATION);
    return (call.mask & GL_COLOR_BUFFER_BIT) == 0 || sameColorFormats(from, to) || c.error(GL_INVALID_OPERATION);
}

bool blitFramebufferUnchanged(Context& c, const BlitCall& call) {
    if (call.filter != GL_NEAREST) return c.error(GL_INVALID_ENUM);
    if (!blitFramebuffer(c, call)) return false;
    if (!isSameSize(call)) return c.error(GL_INVALID_OPERATION);
    const pipeline::RenderTarget from = c.readTarget(), to = c.drawTarget();
    if ((call.mask & GL_COLOR_BUFFER_BIT) != 0 && !sameColorFormats(from, to)) return c.error(GL_INVALID_OPERATION);
    const bool isDeep = (call.mask & (GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT)) != 0;
    if (to.samples() > 1 || (isDeep && from.samples() > 1)) return c.error(GL_INVALID_OPERATION);
    // Depth, stencil and what has samples are copied whole or not at all.
    const bool isWhole = isAllOf(call.from, from) && isAllOf(call.to, to) && !c.state.scissorTest;
    return !(isDeep || from.samples() > 1) || isWhole || c.error(GL_INVALID_OPERATION);
}

bool clear(Context& c, GLbitfield mask) {
    constexpr GLbitfield kBuffers = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if ((mask & ~kBuffers) != 0) return c.error(GL_INVALID_VALUE);
    return completeFramebuffer(c);
}

bool readPixels(Context& c, GLsizei width, GLsizei height, GLenum format, GLenum type) {
    if (!isReadFormat(format) || !isReadType(type)) return c.error(GL_INVALID_ENUM);
    if (!size(c, width, height) || !readableFramebuffer(c)) return false;
    texture::ImagePtr color = c.readTarget().color[0];
    const PixelTransfer* transfer = readTransfer(format, type);
    return (color && transfer && isReadable(color->format(), *transfer)) || c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
