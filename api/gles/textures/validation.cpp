// Errors of textures and their images.
#include "api/gles/textures/validation.h"

#include <algorithm>

#include "api/gles/framebuffers/validation.h"
#include "api/gles/state/state_queries.h"

namespace tessera::gles::validate {

namespace {

/// The targets with images of two dimensions.
bool isTextureTarget(GLenum target) { return target == GL_TEXTURE_2D || target == GL_TEXTURE_CUBE_MAP; }

/// Whether glBindTexture and glTexParameter take the target.
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

/// Whether glTexParameter takes the name.
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

bool getTexParameter(Context& c, GLenum target, bool isKnown) {
    return (isBindTarget(target) && isKnown) || c.error(GL_INVALID_ENUM);
}

namespace {

/// Level and size of a new image; cube faces are square.
bool imageSize(Context& c, GLenum target, const ImageSize& size, GLint border) {
    if (!isImageLevel(target, size.level)) return c.error(GL_INVALID_VALUE);
    const int limit = largestImage(target) >> size.level;
    const auto fits = [&](GLsizei n) { return n >= 0 && n <= limit; };
    const bool square = bindTargetOf(target) != GL_TEXTURE_CUBE_MAP || size.width == size.height;
    return (fits(size.width) && fits(size.height) && fits(size.depth) && border == 0 && square) ||
           c.error(GL_INVALID_VALUE);
}

const TextureLevel& boundLevel(Context& c, GLenum target, GLint level) {
    return c.textureForImage(target).level(faceOf(target), level);
}

/// The box lies inside a defined level.
bool subImage(Context& c, GLenum target, const SubImage& sub) {
    const bool valid =
        isImageLevel(target, sub.level) && std::min({sub.x, sub.y, sub.z, sub.width, sub.height, sub.depth}) >= 0;
    if (!valid) return c.error(GL_INVALID_VALUE);
    const AttachableImage& image = boundLevel(c, target, sub.level).image;
    if (!image) return c.error(GL_INVALID_OPERATION);
    const auto inside = [](GLint start, GLsizei n, int size) { return start <= size && n <= size - start; };
    return (inside(sub.x, sub.width, image.width()) && inside(sub.y, sub.height, image.height()) &&
            inside(sub.z, sub.depth, image.depth())) ||
           c.error(GL_INVALID_VALUE);
}

/// The framebuffer has every channel that a texture of the format takes (table 3.9).
bool copyableChannels(Context& c, GLenum baseFormat) {
    return (neededChannels(baseFormat) & ~c.readChannels()) == 0 || c.error(GL_INVALID_OPERATION);
}

/// Images of the target can be of the format. Of video, in which pairs of texels share colour differences, textures of
/// two dimensions alone can be (APPLE_rgb_422), and neither depth nor video has slices.
bool formatFits(GLenum target, GLenum format, GLsizei width) {
    if (target == GL_TEXTURE_3D_OES) return !isDepthFormat(format) && !isVideoFormat(format);
    return !isVideoFormat(format) || (target == GL_TEXTURE_2D && width % 2 == 0);
}

/// Whole blocks, of which the last may reach over the image's edge.
bool isBlockAligned(const SubImage& sub, const AttachableImage& image, const texture::BlockFormat& format) {
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

// Khronos' conformance suite (KHR-GLES2.texture_3d) wants an image from pixels that OpenGL ES names, but not together
// or not here, to be a combination that is not valid: GL_INVALID_OPERATION. What names no pixels is GL_INVALID_ENUM.
bool isNamedFormat(GLenum format) {
    constexpr GLenum kRedInteger = 0x8D94, kRgInteger = 0x8228, kRgbInteger = 0x8D98, kRgbaInteger = 0x8D99;
    return isPixelFormat(format) || format == kRedInteger || format == kRgInteger || format == kRgbInteger ||
           format == kRgbaInteger;
}

bool isNamedType(GLenum type) {
    return isPixelType(type) || type == GL_BYTE || type == GL_SHORT || type == GL_INT ||
           type == GL_UNSIGNED_INT_2_10_10_10_REV_EXT || type == GL_UNSIGNED_INT_10F_11F_11F_REV_APPLE ||
           type == GL_UNSIGNED_INT_5_9_9_9_REV_APPLE;
}

}  // namespace

bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (!isFlatImageTarget(target) || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
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
    if (!match || !formatFits(target, format, size.width)) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    if (!isFlatImageTarget(target) || !isPixelFormat(format) || !isPixelType(type)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const PixelTransfer* transfer = textureTransfer(format, type);
    bool match = transfer && acceptsTransfer(level.format, level.image.format(), *transfer);
    match = match && formatFits(target, format, sub.width);
    if (const texture::BlockFormat* blocks = encodedFormat(level.format); blocks && level.isCompressed)
        match = isEncodable(format, type) && isBlockAligned(sub, level.image, *blocks);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border) {
    const InternalFormat* known = copyFormat(internalformat, texture::PixelFormat::Rgba8);
    // EXT_texture_compression_s3tc and its kin; other compressed formats are unknown to this call.
    if (isFlatImageTarget(target) && encodedFormat(internalformat)) return c.error(GL_INVALID_OPERATION);
    if (!isFlatImageTarget(target) || !known) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border) || !readableFramebuffer(c) || !copyableChannels(c, known->format))
        return false;
    // A sized format does not turn fixed point into floats or back; an unsized one follows the colour buffer.
    bool sameKind = !known->isSized() || isFloatFormat(known->storage) == isFloatFormat(c.readBuffers().color.format());
    if (!sameKind) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub) {
    if (!isFlatImageTarget(target)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !readableFramebuffer(c)) return false;
    GLenum format = boundLevel(c, target, sub.level).format;
    if (isDepthFormat(format) || isCompressedFormat(format) || isVideoFormat(format))
        return c.error(GL_INVALID_OPERATION);
    return copyableChannels(c, format);
}

bool texStorage(Context& c, GLenum target, int dimensions, GLsizei levels, GLenum internalformat,
                const ImageSize& size) {
    const bool validTarget = dimensions == 3 ? target == GL_TEXTURE_3D_OES : isTextureTarget(target);
    const InternalFormat* internal = storageFormat(internalformat);
    const bool validFormat = internal || (dimensions == 2 && texture::blockFormat(internalformat));
    if (!validTarget || !validFormat) return c.error(GL_INVALID_ENUM);
    if (levels < 1 || size.width < 1 || size.height < 1 || size.depth < 1) return c.error(GL_INVALID_VALUE);
    if (levels > mipLevelCount(std::max(size.width, size.depth), size.height)) return c.error(GL_INVALID_OPERATION);
    const GLenum image = target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
    if (!imageSize(c, image, size, 0)) return false;
    if (internal && !formatFits(image, internal->format, size.width)) return c.error(GL_INVALID_OPERATION);
    const Texture& texture = **c.textureBinding(target);
    if (texture.name == 0) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, texture);
}

bool texImage3D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (target != GL_TEXTURE_3D_OES || !isNamedFormat(format) || !isNamedType(type)) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border)) return false;
    const PixelTransfer* transfer = textureTransfer(format, type);
    if (!transfer) return c.error(GL_INVALID_OPERATION);
    if (!isTextureFormat(internalformat)) return c.error(GL_INVALID_VALUE);
    const bool match = textureFormat(internalformat, *transfer) && formatFits(target, format, size.width);
    if (!match) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool texSubImage3D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    if (target != GL_TEXTURE_3D_OES || !isNamedFormat(format) || !isNamedType(type)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const PixelTransfer* transfer = textureTransfer(format, type);
    const bool match = transfer && acceptsTransfer(level.format, level.image.format(), *transfer);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexSubImage3D(Context& c, GLenum target, const SubImage& sub) {
    if (target != GL_TEXTURE_3D_OES) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !readableFramebuffer(c)) return false;
    return copyableChannels(c, boundLevel(c, target, sub.level).format);
}

bool compressedTexImage3D(Context& c, GLenum target, GLenum internalformat) {
    const bool known = target == GL_TEXTURE_3D_OES && texture::blockFormat(internalformat) != nullptr;
    return c.error(known ? GL_INVALID_OPERATION : GL_INVALID_ENUM);
}

bool compressedTexSubImage3D(Context& c, GLenum target, GLenum format) {
    return compressedTexImage3D(c, target, format);
}

bool compressedTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border,
                          GLsizei bytes) {
    if (!isFlatImageTarget(target) || !isCompressedFormat(internalformat)) return c.error(GL_INVALID_ENUM);
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
    if (!isFlatImageTarget(target) || !isCompressedFormat(format)) return c.error(GL_INVALID_ENUM);
    const texture::BlockFormat* blocks = texture::blockFormat(format);
    if (!blocks) return c.error(GL_INVALID_OPERATION);  // paletted images stay as they are
    if (bytes < 0) return c.error(GL_INVALID_VALUE);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const bool matches = level.isCompressed && level.format == format && isBlockAligned(sub, level.image, *blocks);
    if (!matches) return c.error(GL_INVALID_OPERATION);
    return static_cast<size_t>(bytes) == texture::compressedBytes(*blocks, sub.width, sub.height) ||
           c.error(GL_INVALID_VALUE);
}

bool canGenerateMipmap(Context& c, GLenum target) {
    const Texture& texture = **c.textureBinding(target);
    const bool complete =
        target == GL_TEXTURE_CUBE_MAP ? texture.isCubeComplete() : static_cast<bool>(texture.level(0, 0).image);
    const TextureLevel& base = texture.level(0, 0);
    const bool canBeFiltered =
        !base.isCompressed && !isDepthFormat(base.format) && !isSrgbFormat(base.format) && !isVideoFormat(base.format);
    return complete && canBeFiltered;
}

bool generateMipmap(Context& c, GLenum target) {
    if (!isTextureTarget(target) && target != GL_TEXTURE_3D_OES) return c.error(GL_INVALID_ENUM);
    return canGenerateMipmap(c, target) || c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
