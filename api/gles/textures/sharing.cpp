#include "api/gles/textures/sharing.h"

#include <algorithm>

#include "api/gles/context/entry.h"

namespace tessera::gles {

namespace {

using texture::PixelFormat;

/// An image in GL's terms: as a texture level and as renderbuffer storage. GL_NONE: it cannot be one.
struct SharedFormat {
    PixelFormat storage;
    GLenum format, type, internalformat;
};
constexpr SharedFormat kSharedFormats[] = {
    {PixelFormat::Rgba8, GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA8_OES},
    {PixelFormat::Rgb8, GL_RGB, GL_UNSIGNED_BYTE, GL_RGB8_OES},
    {PixelFormat::Rgba4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, GL_RGBA4},
    {PixelFormat::Rgb5A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, GL_RGB5_A1},
    {PixelFormat::Rgb565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, GL_RGB565},
    {PixelFormat::Srgb8, GL_SRGB_EXT, GL_UNSIGNED_BYTE, GL_NONE},
    {PixelFormat::Srgb8Alpha8, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, GL_SRGB8_ALPHA8_EXT},
    {PixelFormat::Bgra8, GL_BGRA_EXT, GL_UNSIGNED_BYTE, GL_BGRA8_EXT},
    {PixelFormat::Alpha8, GL_ALPHA, GL_UNSIGNED_BYTE, GL_NONE},
    {PixelFormat::Luminance8, GL_LUMINANCE, GL_UNSIGNED_BYTE, GL_NONE},
    {PixelFormat::LuminanceAlpha8, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, GL_NONE},
    {PixelFormat::R8, GL_RED_EXT, GL_UNSIGNED_BYTE, GL_R8_EXT},
    {PixelFormat::Rg8, GL_RG_EXT, GL_UNSIGNED_BYTE, GL_RG8_EXT},
    {PixelFormat::Rgba16F, GL_RGBA, GL_HALF_FLOAT_OES, GL_RGBA16F_EXT},
    {PixelFormat::Rgb16F, GL_RGB, GL_HALF_FLOAT_OES, GL_RGB16F_EXT},
    {PixelFormat::R16F, GL_RED_EXT, GL_HALF_FLOAT_OES, GL_R16F_EXT},
    {PixelFormat::Rg16F, GL_RG_EXT, GL_HALF_FLOAT_OES, GL_RG16F_EXT},
    {PixelFormat::Depth16, GL_NONE, GL_NONE, GL_DEPTH_COMPONENT16},
    {PixelFormat::Depth24, GL_NONE, GL_NONE, GL_DEPTH_COMPONENT24_OES},
    {PixelFormat::Depth24Stencil8, GL_NONE, GL_NONE, GL_DEPTH24_STENCIL8_OES},
    {PixelFormat::Stencil8, GL_NONE, GL_NONE, GL_STENCIL_INDEX8},
};

const SharedFormat* sharedFormat(const texture::Image& image) {
    for (const SharedFormat& row : kSharedFormats)
        if (row.storage == image.format()) return &row;
    return nullptr;
}

ImageLookup& imageLookup() {
    static ImageLookup& lookup = *new ImageLookup;
    return lookup;
}

/// Looked up before the share group is locked: EGL takes its own lock for it.
std::shared_ptr<const SharedImage> findImage(GLeglImageOES handle) {
    return imageLookup() ? imageLookup()(handle) : nullptr;
}

/// Level 0 becomes that image, made of a video's picture or not (0), all other levels undefined.
void specifyFrom(Texture& texture, texture::ImagePtr image, uint32_t video) {
    const SharedFormat* format = sharedFormat(*image);
    for (int i = 1; i < texture::kMaxLevels; ++i) texture.setLevel(0, i, {});
    TextureLevel level(std::move(image), format->format, format->type, true);
    level.video = video;
    texture.setLevel(0, 0, std::move(level));
}

bool hasOtherLevels(const Texture& texture) {
    for (int face = 0; face < texture.faceCount(); ++face)
        for (int i = 0; i < texture::kMaxLevels; ++i)
            if (i != texture.firstLevel() && texture.level(face, i).image) return true;
    return false;
}

bool isMipmapComplete(const Texture& texture) {
    const TextureLevel& base = texture.base(0);
    for (int face = 0; face < texture.faceCount(); ++face) {
        for (int i = 0; i < texture.usedLevelCount(); ++i) {
            const TextureLevel& level = texture.level(face, texture.firstLevel() + i);
            if (!level.image || level.format != base.format || level.type != base.type ||
                level.image.width() != std::max(base.image.width() >> i, 1) ||
                level.image.height() != std::max(base.image.height() >> i, 1))
                return false;
        }
    }
    return true;
}

}  // namespace

ShareResult shareTexture(Context& context, uint32_t target, uint32_t name, int level, SharedImage* out) {
    std::lock_guard lock(context.group().mutex);
    std::shared_ptr<Texture> texture = name == 0 ? nullptr : context.group().textures.find(name);
    if (!texture || texture->target != bindTargetOf(target)) return ShareResult::NoObject;
    if (level < 0 || level >= texture::kMaxLevels) return ShareResult::NoLevel;
    if (!texture->base(0).image) return ShareResult::NoObject;
    if (texture->target == GL_TEXTURE_CUBE_MAP && !texture->isCubeComplete()) return ShareResult::NoObject;
    const AttachableImage& image = texture->level(faceOf(target), level).image;
    const int fromBase = level - texture->firstLevel();
    if (!image || fromBase < 0 || fromBase >= texture->usedLevelCount()) return ShareResult::NoLevel;
    // A texture with more than its base level must be a whole chain.
    if ((fromBase > 0 || hasOtherLevels(*texture)) && !isMipmapComplete(*texture)) return ShareResult::NoObject;
    texture->markShared(faceOf(target), level);
    out->image = image.contents(SamplesResolved(context));
    out->stream = context.group().stream;
    return ShareResult::Ok;
}

ShareResult shareRenderbuffer(Context& context, uint32_t name, SharedImage* out) {
    std::lock_guard lock(context.group().mutex);
    std::shared_ptr<Renderbuffer> renderbuffer = name == 0 ? nullptr : context.group().renderbuffers.find(name);
    if (!renderbuffer || !renderbuffer->image || renderbuffer->samples() != 0) return ShareResult::NoObject;
    out->image = renderbuffer->image.contents(SamplesResolved(context));
    out->stream = context.group().stream;
    return ShareResult::Ok;
}

void setImageLookup(ImageLookup lookup) { imageLookup() = std::move(lookup); }

bool TextureAttachment::attach(Context& context, texture::ImagePtr image) {
    std::lock_guard lock(context.group().mutex);
    const std::shared_ptr<Texture>& texture = *context.textureBinding(GL_TEXTURE_2D);
    if (texture->immutableLevels != 0) return false;
    context.changeDrawState();
    group_ = context.group().weak_from_this();
    texture_ = texture;
    image_ = image;
    specifyFrom(*texture, std::move(image), 0);
    return true;
}

void TextureAttachment::release() {
    std::shared_ptr<ShareGroup> group = group_.lock();
    std::shared_ptr<Texture> texture = texture_.lock();
    if (group && texture) {
        std::lock_guard lock(group->mutex);
        ++group->changes;
        if (texture->level(0, 0).image == AttachableImage(image_.lock())) texture->setLevel(0, 0, {});
    }
    *this = {};
}

bool TextureAttachment::isAttached() const {
    std::shared_ptr<ShareGroup> group = group_.lock();
    std::shared_ptr<Texture> texture = texture_.lock();
    if (!group || !texture) return false;
    std::lock_guard lock(group->mutex);
    return texture->level(0, 0).image && texture->level(0, 0).image == AttachableImage(image_.lock());
}

}  // namespace tessera::gles

using namespace tessera::gles;

extern "C" {

void GL_APIENTRY glEGLImageTargetTexture2DOES(GLenum target, GLeglImageOES handle) {
    std::shared_ptr<const SharedImage> shared = findImage(handle);
    tessera::texture::ImagePtr image = !shared ? nullptr : shared->read ? shared->read() : shared->image;
    enter([&](Context& c) {
        if (target != GL_TEXTURE_2D && target != GL_TEXTURE_EXTERNAL_OES) return void(c.error(GL_INVALID_ENUM));
        if (!shared) return void(c.error(GL_INVALID_VALUE));
        if (!image) return void(c.error(GL_OUT_OF_MEMORY));
        const SharedFormat* format = sharedFormat(*image);
        const bool isRefused = shared->isExternalOnly && target != GL_TEXTURE_EXTERNAL_OES;
        if (!format || format->format == GL_NONE || isRefused) return void(c.error(GL_INVALID_OPERATION));
        if ((*c.textureBinding(target))->immutableLevels != 0) return void(c.error(GL_INVALID_OPERATION));
        orderWith(c, shared->stream);
        specifyFrom(**c.textureBinding(target), image, shared->video);
    });
}

void GL_APIENTRY glEGLImageTargetRenderbufferStorageOES(GLenum target, GLeglImageOES handle) {
    std::shared_ptr<const SharedImage> shared = findImage(handle);
    enter([&](Context& c) {
        if (target != GL_RENDERBUFFER) return void(c.error(GL_INVALID_ENUM));
        if (!c.renderbuffer) return void(c.error(GL_INVALID_OPERATION));
        if (!shared) return void(c.error(GL_INVALID_VALUE));
        const SharedFormat* format = shared->image ? sharedFormat(*shared->image) : nullptr;
        if (!format || format->internalformat == GL_NONE || shared->isExternalOnly)
            return void(c.error(GL_INVALID_OPERATION));
        orderWith(c, shared->stream);
        c.renderbuffer->internalformat = format->internalformat;
        c.renderbuffer->width = shared->image->width();
        c.renderbuffer->height = shared->image->height();
        c.renderbuffer->image = shared->image;
    });
}

}  // extern "C"
