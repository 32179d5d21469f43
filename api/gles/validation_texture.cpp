// Errors of textures, renderbuffers and framebuffers.
#include <algorithm>

#include "api/gles/validation.h"

namespace tessera::gles::validate {

bool isTextureTarget(GLenum target) { return target == GL_TEXTURE_2D || target == GL_TEXTURE_CUBE_MAP; }

bool activeTexture(Context& c, GLenum texture) {
    bool valid = texture >= GL_TEXTURE0 && texture < GL_TEXTURE0 + kMaxCombinedTextureUnits;
    return valid || c.error(GL_INVALID_ENUM);
}

bool bindTexture(Context& c, GLenum target, GLuint name) {
    if (!isTextureTarget(target)) return c.error(GL_INVALID_ENUM);
    std::shared_ptr<Texture> texture = c.group().textures.find(name);
    return !texture || texture->target == target || c.error(GL_INVALID_OPERATION);
}

bool texParameter(Context& c, GLenum target, GLenum pname, GLenum value) {
    if (!getTexParameter(c, target, pname)) return false;
    bool valid = false;
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR ||
                    (value >= GL_NEAREST_MIPMAP_NEAREST && value <= GL_LINEAR_MIPMAP_LINEAR);
            break;
        case GL_TEXTURE_MAG_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR;
            break;
        default:
            valid = value == GL_REPEAT || value == GL_CLAMP_TO_EDGE || value == GL_MIRRORED_REPEAT;
    }
    return valid || c.error(GL_INVALID_ENUM);
}

bool getTexParameter(Context& c, GLenum target, GLenum pname) {
    bool known = pname == GL_TEXTURE_MIN_FILTER || pname == GL_TEXTURE_MAG_FILTER || pname == GL_TEXTURE_WRAP_S ||
                 pname == GL_TEXTURE_WRAP_T;
    return (isTextureTarget(target) && known) || c.error(GL_INVALID_ENUM);
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

}  // namespace

bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (faceOf(target) < 0 || !isPixelFormat(format) || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border)) return false;
    if (!isPixelFormat(static_cast<GLenum>(internalformat))) return c.error(GL_INVALID_VALUE);
    bool match = static_cast<GLenum>(internalformat) == format && textureTransfer(format, type) != nullptr;
    return match || c.error(GL_INVALID_OPERATION);
}

bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    if (faceOf(target) < 0 || !isPixelFormat(format) || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = c.textureForImage(target).level(faceOf(target), sub.level);
    bool match = level.format == format && textureTransfer(format, type) != nullptr;
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border) {
    bool knownFormat = neededChannels(internalformat) != 0 && internalformat != GL_BGRA_EXT;
    if (faceOf(target) < 0 || !knownFormat) return c.error(GL_INVALID_ENUM);
    return imageSize(c, target, size, border) && completeFramebuffer(c) && copyableChannels(c, internalformat);
}

bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub) {
    if (faceOf(target) < 0) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !completeFramebuffer(c)) return false;
    return copyableChannels(c, c.textureForImage(target).level(faceOf(target), sub.level).format);
}

// There are no compressed formats yet, so whatever is named is not supported.
bool compressedTexImage2D(Context& c, GLenum, GLenum) { return c.error(GL_INVALID_ENUM); }

bool generateMipmap(Context& c, GLenum target) {
    if (!isTextureTarget(target)) return c.error(GL_INVALID_ENUM);
    const Texture& texture = **c.textureBinding(target);
    bool complete = target == GL_TEXTURE_2D ? texture.level(0, 0).image != nullptr : texture.isCubeComplete();
    return complete || c.error(GL_INVALID_OPERATION);
}

bool framebufferTarget(Context& c, GLenum target) { return target == GL_FRAMEBUFFER || c.error(GL_INVALID_ENUM); }
bool renderbufferTarget(Context& c, GLenum target) { return target == GL_RENDERBUFFER || c.error(GL_INVALID_ENUM); }

bool renderbufferStorage(Context& c, GLenum target, GLenum internalformat, GLsizei width, GLsizei height) {
    if (!renderbufferTarget(c, target)) return false;
    if (renderbufferFormat(internalformat) == texture::PixelFormat::None) return c.error(GL_INVALID_ENUM);
    if (width < 0 || height < 0 || width > kMaxRenderbufferSize || height > kMaxRenderbufferSize)
        return c.error(GL_INVALID_VALUE);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

bool getRenderbufferParameter(Context& c, GLenum target, GLenum pname) {
    bool known = pname == GL_RENDERBUFFER_WIDTH || pname == GL_RENDERBUFFER_HEIGHT ||
                 pname == GL_RENDERBUFFER_INTERNAL_FORMAT ||
                 (pname >= GL_RENDERBUFFER_RED_SIZE && pname <= GL_RENDERBUFFER_STENCIL_SIZE);
    if (!renderbufferTarget(c, target)) return false;
    if (!known) return c.error(GL_INVALID_ENUM);
    return c.renderbuffer != nullptr || c.error(GL_INVALID_OPERATION);
}

namespace {

bool isAttachment(GLenum attachment) {
    return attachment == GL_COLOR_ATTACHMENT0 || attachment == GL_DEPTH_ATTACHMENT ||
           attachment == GL_STENCIL_ATTACHMENT;
}

}  // namespace

bool framebufferRenderbuffer(Context& c, GLenum target, GLenum attachment, GLenum rbTarget, GLuint renderbuffer) {
    if (target != GL_FRAMEBUFFER || !isAttachment(attachment)) return c.error(GL_INVALID_ENUM);
    // Detaching (name 0) ignores the renderbuffer target.
    if (rbTarget != GL_RENDERBUFFER && renderbuffer != 0) return c.error(GL_INVALID_ENUM);
    if (!c.framebuffer) return c.error(GL_INVALID_OPERATION);
    return renderbuffer == 0 || c.group().renderbuffers.find(renderbuffer) || c.error(GL_INVALID_OPERATION);
}

bool framebufferTexture2D(Context& c, GLenum target, GLenum attachment, GLenum textarget, GLuint texture, GLint level) {
    if (target != GL_FRAMEBUFFER || !isAttachment(attachment)) return c.error(GL_INVALID_ENUM);
    if (texture == 0) return c.framebuffer != nullptr || c.error(GL_INVALID_OPERATION);
    if (faceOf(textarget) < 0) return c.error(GL_INVALID_ENUM);
    if (!c.framebuffer) return c.error(GL_INVALID_OPERATION);
    std::shared_ptr<Texture> object = c.group().textures.find(texture);
    if (!object || object->target != bindTargetOf(textarget)) return c.error(GL_INVALID_OPERATION);
    return level == 0 || c.error(GL_INVALID_VALUE);
}

bool getFramebufferAttachment(Context& c, GLenum target, GLenum attachment, GLenum pname) {
    if (target != GL_FRAMEBUFFER || !isAttachment(attachment)) return c.error(GL_INVALID_ENUM);
    if (!c.framebuffer) return c.error(GL_INVALID_OPERATION);
    GLenum type = c.framebuffer->find(attachment)->type();
    switch (pname) {
        case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE:
            return true;
        case GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME:
            return type != GL_NONE || c.error(GL_INVALID_ENUM);
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL:
        case GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE:
            return type == GL_TEXTURE || c.error(GL_INVALID_ENUM);
    }
    return c.error(GL_INVALID_ENUM);
}

bool clear(Context& c, GLbitfield mask) {
    constexpr GLbitfield kBuffers = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if ((mask & ~kBuffers) != 0) return c.error(GL_INVALID_VALUE);
    return completeFramebuffer(c);
}

bool readPixels(Context& c, GLsizei width, GLsizei height, GLenum format, GLenum type) {
    if (!isReadFormat(format) || !isReadType(type)) return c.error(GL_INVALID_ENUM);
    if (!size(c, width, height) || !completeFramebuffer(c)) return false;
    texture::ImagePtr color = c.readTarget().color[0];
    const PixelTransfer* transfer = readTransfer(format, type);
    // RGB 5_6_5 is the implementation's own pair of buffers of that format, and only of those.
    bool valid = color && transfer && (format != GL_RGB || color->format() == texture::PixelFormat::Rgb565);
    return valid || c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
