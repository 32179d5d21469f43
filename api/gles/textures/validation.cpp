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
bool isBindTarget(const Context& c, GLenum target) {
    return isTextureTarget(target) || target == GL_TEXTURE_3D || target == GL_TEXTURE_EXTERNAL_OES ||
           (target == GL_TEXTURE_2D_ARRAY && c.isEs3());
}

}  // namespace

bool activeTexture(Context& c, GLenum texture) {
    const int units = c.fixedFunction ? c.fixedFunction->textureUnits() : kMaxCombinedTextureUnits;
    bool valid = texture >= GL_TEXTURE0 && texture < GL_TEXTURE0 + static_cast<GLenum>(units);
    return valid || c.error(GL_INVALID_ENUM);
}

bool bindTexture(Context& c, GLenum target, GLuint name) {
    if (!isBindTarget(c, target)) return c.error(GL_INVALID_ENUM);
    std::shared_ptr<Texture> texture = c.group().textures.find(name);
    return !texture || texture->target == target || c.error(GL_INVALID_OPERATION);
}

namespace {

bool isWrapMode(GLenum mode) {
    return mode == GL_CLAMP_TO_EDGE || mode == GL_REPEAT || mode == GL_MIRRORED_REPEAT ||
           mode == GL_MIRROR_CLAMP_TO_EDGE_EXT || mode == GL_CLAMP_TO_BORDER_EXT;
}

}  // namespace

bool textureTarget(Context& c, GLenum target) { return isBindTarget(c, target) || c.error(GL_INVALID_ENUM); }

bool cropRect(Context& c, GLenum target) {
    return (c.fixedFunction && isBindTarget(c, target)) || c.error(GL_INVALID_ENUM);
}

bool textureLevelParameter(Context& c, GLint value) { return value >= 0 || c.error(GL_INVALID_VALUE); }

bool swizzle(Context& c, GLenum value) {
    return (value >= GL_RED && value <= GL_ALPHA) || value == GL_ZERO || value == GL_ONE || c.error(GL_INVALID_ENUM);
}

bool samplingParameter(Context& c, GLenum target, GLenum pname, GLenum value, GLfloat number) {
    const bool external = target == GL_TEXTURE_EXTERNAL_OES;  // one level, clamped
    bool valid = false;
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR ||
                    (!external && value >= GL_NEAREST_MIPMAP_NEAREST && value <= GL_LINEAR_MIPMAP_LINEAR);
            break;
        case GL_TEXTURE_MAG_FILTER:
            valid = value == GL_NEAREST || value == GL_LINEAR;
            break;
        case GL_TEXTURE_WRAP_S:
        case GL_TEXTURE_WRAP_T:
        case GL_TEXTURE_WRAP_R:
            valid = external ? value == GL_CLAMP_TO_EDGE : isWrapMode(value);
            break;
        case GL_TEXTURE_COMPARE_MODE:
            valid = value == GL_NONE || value == GL_COMPARE_REF_TO_TEXTURE;
            break;
        case GL_TEXTURE_COMPARE_FUNC:
            valid = value >= GL_NEVER && value <= GL_ALWAYS;
            break;
        case GL_TEXTURE_SRGB_DECODE_EXT:
            valid = value == GL_DECODE_EXT || value == GL_SKIP_DECODE_EXT;
            break;
        case GL_TEXTURE_MIN_LOD:
        case GL_TEXTURE_MAX_LOD:
            valid = c.isEs3();
            break;
        case GL_TEXTURE_MAX_ANISOTROPY_EXT:
            return number >= 1 || c.error(GL_INVALID_VALUE);
    }
    return valid || c.error(GL_INVALID_ENUM);
}

bool sampler(Context& c, GLuint name) {
    return (name != 0 && c.group().samplers.contains(name)) || c.error(GL_INVALID_OPERATION);
}

bool bindSampler(Context& c, GLuint unit, GLuint name) {
    if (unit >= static_cast<GLuint>(kMaxCombinedTextureUnits)) return c.error(GL_INVALID_VALUE);
    return name == 0 || sampler(c, name);
}

bool getSamplerParameter(Context& c, GLuint name, bool isKnown) {
    return sampler(c, name) && (isKnown || c.error(GL_INVALID_ENUM));
}

bool getTexParameter(Context& c, GLenum target, bool isKnown) {
    return (isBindTarget(c, target) && isKnown) || c.error(GL_INVALID_ENUM);
}

namespace {

/// Level and size of a new image; cube faces are square, and each level of an array has all layers.
bool imageSize(Context& c, GLenum target, const ImageSize& size, GLint border) {
    if (!isImageLevel(target, size.level)) return c.error(GL_INVALID_VALUE);
    const auto fits = [&](GLsizei n) { return n >= 0 && n <= largestImage(target) >> size.level; };
    const bool isArray = target == GL_TEXTURE_2D_ARRAY;
    const bool depthFits = isArray ? size.depth >= 0 && size.depth <= texture::kMaxLayers : fits(size.depth);
    const bool square = bindTargetOf(target) != GL_TEXTURE_CUBE_MAP || size.width == size.height;
    return (fits(size.width) && fits(size.height) && depthFits && border == 0 && square) || c.error(GL_INVALID_VALUE);
}

/// Images with slices or layers.
bool isDeepTarget(const Context& c, GLenum target) {
    return target == GL_TEXTURE_3D || (target == GL_TEXTURE_2D_ARRAY && c.isEs3());
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
/// two dimensions alone can be (APPLE_rgb_422), and neither depth nor video has slices; depth has layers.
bool formatFits(GLenum target, GLenum format, GLsizei width) {
    if (target == GL_TEXTURE_3D) return !isDepthFormat(format) && !isVideoFormat(format);
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
bool isEncodable(const Context& c, GLenum format, GLenum type) {
    return (format == GL_RGB || format == GL_RGBA) && textureTransfer(c.isEs3(), format, type);
}

/// Size and format can no longer be changed (EXT_texture_storage).
bool notImmutable(Context& c, const Texture& texture) {
    return texture.immutableLevels == 0 || c.error(GL_INVALID_OPERATION);
}

// Khronos' conformance suite (KHR-GLES2.texture_3d) wants an image from pixels that OpenGL ES names, but not together
// or not here, to be a combination that is not valid: GL_INVALID_OPERATION. What names no pixels is GL_INVALID_ENUM.
bool isNamedFormat(const Context& c, GLenum format) {
    return isPixelFormat(c.isEs3(), format) || format == GL_RED_INTEGER || format == GL_RG_INTEGER ||
           format == GL_RGB_INTEGER || format == GL_RGBA_INTEGER;
}

bool isNamedType(const Context& c, GLenum type) {
    return isPixelType(c.isEs3(), type) || type == GL_BYTE || type == GL_SHORT || type == GL_INT ||
           type == GL_UNSIGNED_INT_2_10_10_10_REV || type == GL_UNSIGNED_INT_10F_11F_11F_REV ||
           type == GL_UNSIGNED_INT_5_9_9_9_REV;
}

/// What a level may be written and copied to as.
LevelFormat formatOf(const TextureLevel& level) { return {level.internalformat, level.format, level.image.format()}; }

/// Whether images of the target can be of such blocks: layers of OpenGL ES 3.0's arrays are of any, slices of BPTC's
/// alone.
bool hasImagesOf(GLenum target, const texture::BlockFormat& blocks) {
    return target != GL_TEXTURE_3D || blocks.family == texture::CodecFamily::Bptc;
}

/// Of blocks that replace some of a level's.
bool compressedSubImage(Context& c, GLenum target, const SubImage& sub, const texture::BlockFormat& blocks,
                        GLsizei bytes) {
    if (bytes < 0) return c.error(GL_INVALID_VALUE);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const bool matches = level.isCompressed && level.format == static_cast<GLenum>(blocks.internalformat) &&
                         isBlockAligned(sub, level.image, blocks);
    if (!matches) return c.error(GL_INVALID_OPERATION);
    const size_t expected = texture::compressedBytes(blocks, sub.width, sub.height) * static_cast<size_t>(sub.depth);
    return static_cast<size_t>(bytes) == expected || c.error(GL_INVALID_VALUE);
}

/// A colour buffer's numbers go into a level of that format without a change of their kind (OpenGL ES 3.0).
bool copyableNumbers(Context& c, texture::PixelFormat storage) {
    return !c.isEs3() || isCopiedTo(storage, c.readBuffers().color.format()) || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool texImage2D(Context& c, GLenum target, GLint internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (!isFlatImageTarget(target) || !isPixelType(c.isEs3(), type)) return c.error(GL_INVALID_ENUM);
    if (!isPixelFormat(c.isEs3(), format)) {
        // One name for both, as programs try formats of compressed images: that it is no internal format comes first.
        const bool both = static_cast<GLenum>(internalformat) == format;
        return c.error(both ? GL_INVALID_VALUE : GL_INVALID_ENUM);
    }
    if (!imageSize(c, target, size, border)) return false;
    if (isCompressedFormat(static_cast<GLenum>(internalformat))) {
        const bool canEncode = target == GL_TEXTURE_2D && encodedFormat(static_cast<GLenum>(internalformat)) &&
                               isEncodable(c, format, type);
        if (!canEncode) return c.error(GL_INVALID_OPERATION);
        return notImmutable(c, c.textureForImage(target));
    }
    // Depth textures came with OpenGL ES 2.0.
    const bool isDepth = isDepthFormat(static_cast<GLenum>(internalformat)) || isDepthFormat(format);
    const bool isKnown =
        isTextureFormat(c.isEs3(), static_cast<GLenum>(internalformat)) && !(c.fixedFunction && isDepth);
    if (!isKnown) return c.error(GL_INVALID_VALUE);
    if ((static_cast<GLenum>(internalformat) == GL_YCBCR_MESA) != (format == GL_YCBCR_MESA))
        return c.error(GL_INVALID_ENUM);
    const PixelTransfer* transfer = textureTransfer(c.isEs3(), format, type);
    bool match = transfer && textureFormat(c.isEs3(), static_cast<GLenum>(internalformat), *transfer) != nullptr;
    if (!match || !formatFits(target, format, size.width)) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool texSubImage2D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    const bool isKnown = isPixelFormat(c.isEs3(), format) && isPixelType(c.isEs3(), type);
    if (!isFlatImageTarget(target) || !isKnown) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const PixelTransfer* transfer = textureTransfer(c.isEs3(), format, type);
    bool match = transfer && acceptsTransfer(c.isEs3(), formatOf(level), *transfer);
    match = match && formatFits(target, format, sub.width);
    if (const texture::BlockFormat* blocks = encodedFormat(level.format); blocks && level.isCompressed)
        match = isEncodable(c, format, type) && isBlockAligned(sub, level.image, *blocks);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexImage2D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border) {
    // EXT_texture_compression_s3tc and its kin; other compressed formats are unknown to this call.
    if (isFlatImageTarget(target) && encodedFormat(internalformat)) return c.error(GL_INVALID_OPERATION);
    const bool isKnown = copyFormat(c.isEs3(), internalformat, texture::PixelFormat::Rgba8) != nullptr;
    if (!isFlatImageTarget(target) || !isKnown) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border) || !readableFramebuffer(c)) return false;
    const AttachableImage from = c.readBuffers().color;
    const InternalFormat* made = from ? copyFormat(c.isEs3(), internalformat, from.format()) : nullptr;
    if (!made) return c.error(GL_INVALID_OPERATION);
    if (!copyableChannels(c, made->format)) return false;
    // In OpenGL ES 2.0, a sized format does not turn fixed point into floats or back; an unsized one follows the colour
    // buffer.
    const bool isMade = c.isEs3() ? isMadeBy(*made, from.format())
                                  : !made->isSized() || isFloatFormat(made->storage) == isFloatFormat(from.format());
    if (!isMade) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool copyTexSubImage2D(Context& c, GLenum target, const SubImage& sub) {
    if (!isFlatImageTarget(target)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !readableFramebuffer(c)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    if (isDepthFormat(level.format) || isCompressedFormat(level.format) || isVideoFormat(level.format))
        return c.error(GL_INVALID_OPERATION);
    return copyableChannels(c, level.format) && copyableNumbers(c, level.image.format());
}

bool texStorage(Context& c, GLenum target, int dimensions, GLsizei levels, GLenum internalformat,
                const ImageSize& size) {
    const bool validTarget = dimensions == 3 ? isDeepTarget(c, target) : isTextureTarget(target);
    const InternalFormat* internal = storageFormat(c.isEs3(), internalformat);
    const bool isCompressed = texture::blockFormat(internalformat) != nullptr;
    const bool validFormat = internal || (isCompressed && (dimensions == 2 || c.isEs3()));
    if (!validTarget || !validFormat) return c.error(GL_INVALID_ENUM);
    if (levels < 1 || size.width < 1 || size.height < 1 || size.depth < 1) return c.error(GL_INVALID_VALUE);
    const int depth = target == GL_TEXTURE_3D ? size.depth : 1;
    if (levels > mipLevelCount(std::max(size.width, depth), size.height)) return c.error(GL_INVALID_OPERATION);
    const GLenum image = target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
    if (!imageSize(c, image, size, 0)) return false;
    const bool fits = internal ? formatFits(image, internal->format, size.width)
                               : hasImagesOf(target, *texture::blockFormat(internalformat));
    if (!fits) return c.error(GL_INVALID_OPERATION);
    const Texture& texture = **c.textureBinding(target);
    if (texture.name == 0) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, texture);
}

bool texImage3D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border, GLenum format,
                GLenum type) {
    if (!isDeepTarget(c, target) || !isNamedFormat(c, format) || !isNamedType(c, type)) return c.error(GL_INVALID_ENUM);
    if (!imageSize(c, target, size, border)) return false;
    const PixelTransfer* transfer = textureTransfer(c.isEs3(), format, type);
    if (!transfer) return c.error(GL_INVALID_OPERATION);
    if (!isTextureFormat(c.isEs3(), internalformat)) return c.error(GL_INVALID_VALUE);
    const bool match = textureFormat(c.isEs3(), internalformat, *transfer) && formatFits(target, format, size.width);
    if (!match) return c.error(GL_INVALID_OPERATION);
    return notImmutable(c, c.textureForImage(target));
}

bool texSubImage3D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLenum type) {
    if (!isDeepTarget(c, target) || !isNamedFormat(c, format) || !isNamedType(c, type)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    const PixelTransfer* transfer = textureTransfer(c.isEs3(), format, type);
    const bool match = transfer && !level.isCompressed && acceptsTransfer(c.isEs3(), formatOf(level), *transfer);
    return match || c.error(GL_INVALID_OPERATION);
}

bool copyTexSubImage3D(Context& c, GLenum target, const SubImage& sub) {
    if (!isDeepTarget(c, target)) return c.error(GL_INVALID_ENUM);
    if (!subImage(c, target, sub) || !readableFramebuffer(c)) return false;
    const TextureLevel& level = boundLevel(c, target, sub.level);
    if (isDepthFormat(level.format) || level.isCompressed) return c.error(GL_INVALID_OPERATION);
    return copyableChannels(c, level.format) && copyableNumbers(c, level.image.format());
}

bool compressedTexImage3D(Context& c, GLenum target, GLenum internalformat, const ImageSize& size, GLint border,
                          GLsizei bytes) {
    const texture::BlockFormat* blocks = texture::blockFormat(internalformat);
    if (!isDeepTarget(c, target) || !blocks) return c.error(GL_INVALID_ENUM);
    if (!hasImagesOf(target, *blocks)) return c.error(GL_INVALID_OPERATION);
    if (!imageSize(c, target, size, border)) return false;
    const size_t expected =
        texture::compressedBytes(*blocks, size.width, size.height) * static_cast<size_t>(size.depth);
    if (bytes < 0 || static_cast<size_t>(bytes) != expected) return c.error(GL_INVALID_VALUE);
    return notImmutable(c, c.textureForImage(target));
}

bool compressedTexSubImage3D(Context& c, GLenum target, const SubImage& sub, GLenum format, GLsizei bytes) {
    const texture::BlockFormat* blocks = texture::blockFormat(format);
    if (!isDeepTarget(c, target) || !blocks) return c.error(GL_INVALID_ENUM);
    if (!hasImagesOf(target, *blocks)) return c.error(GL_INVALID_OPERATION);
    return compressedSubImage(c, target, sub, *blocks, bytes);
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
    return compressedSubImage(c, target, sub, *blocks, bytes);
}

bool canGenerateMipmap(Context& c, GLenum target) {
    const Texture& texture = **c.textureBinding(target);
    const TextureLevel& base = texture.base(0);
    const bool complete = target == GL_TEXTURE_CUBE_MAP ? texture.isCubeComplete() : static_cast<bool>(base.image);
    if (!complete || base.isCompressed || isDepthFormat(base.format) || isVideoFormat(base.format)) return false;
    if (!c.isEs3()) return !isSrgbFormat(base.format);
    const texture::PixelFormat format = base.image.format();
    const bool isSized = storageFormat(true, base.internalformat) != nullptr;
    return !isSized ||
           (isRenderable(true, format) && texture::elementInfo(texture::formatInfo(format).element).isFiltered);
}

bool generateMipmap(Context& c, GLenum target) {
    if (!isTextureTarget(target) && !isDeepTarget(c, target)) return c.error(GL_INVALID_ENUM);
    return canGenerateMipmap(c, target) || c.error(GL_INVALID_OPERATION);
}

}  // namespace tessera::gles::validate
