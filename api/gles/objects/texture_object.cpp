#include "api/gles/objects/texture_object.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "api/gles/sole_owner.h"

namespace tessera::gles {

namespace {

texture::Wrap wrap(GLenum mode) {
    switch (mode) {
        case GL_CLAMP_TO_EDGE:
            return texture::Wrap::ClampToEdge;
        case GL_MIRRORED_REPEAT:
            return texture::Wrap::MirroredRepeat;
        case GL_MIRROR_CLAMP_TO_EDGE_EXT:
            return texture::Wrap::MirrorClampToEdge;
        case GL_CLAMP_TO_BORDER_EXT:
            return texture::Wrap::ClampToBorder;
        default:
            return texture::Wrap::Repeat;
    }
}

/// The border as a texel of the format is sampled: its range, and the channels that it has.
std::array<float, 4> borderOf(texture::PixelFormat format, std::array<float, 4> color) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    if (!isFloatFormat(format))
        for (float& channel : color) channel = channel > 0 ? std::min(channel, 1.0f) : 0;
    if (info.luminance != 0 || info.depth != 0) {
        color[1] = color[2] = color[0];
    } else {
        if (info.red == 0) color[0] = 0;
        if (info.green == 0) color[1] = 0;
        if (info.blue == 0) color[2] = 0;
    }
    if (info.alpha == 0) color[3] = 1;
    return color;
}

uint64_t nextIdentity(GLuint name) {
    static std::atomic<uint64_t> count{0};
    return ++count << 32 | name;
}

texture::DepthCompare compare(GLenum function) {
    static_assert(GL_ALWAYS - GL_NEVER ==
                  static_cast<int>(texture::DepthCompare::Always) - static_cast<int>(texture::DepthCompare::Never));
    return static_cast<texture::DepthCompare>(function - GL_NEVER + static_cast<GLenum>(texture::DepthCompare::Never));
}

bool sameFormat(const TextureLevel& a, const TextureLevel& b) { return a.format == b.format && a.type == b.type; }

}  // namespace

namespace {

bool isCubeFace(GLenum target) {
    return target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
}

}  // namespace

bool isFlatImageTarget(GLenum target) { return target == GL_TEXTURE_2D || isCubeFace(target); }

int faceOf(GLenum target) { return isCubeFace(target) ? static_cast<int>(target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) : 0; }

GLenum bindTargetOf(GLenum target) { return isCubeFace(target) ? GLenum{GL_TEXTURE_CUBE_MAP} : target; }

int largestImage(GLenum target) { return target == GL_TEXTURE_3D_OES ? texture::kMaxDepth : kMaxTextureSize; }

bool isImageLevel(GLenum target, GLint level) { return level >= 0 && level < mipLevelCount(largestImage(target), 1); }

int mipLevelCount(int width, int height) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(width, height))));
}

Texture::Texture(GLuint n) : name(n), identity(nextIdentity(n)) {}

void Texture::setTarget(GLenum first) {
    if (target == first) return;
    target = first;
    if (target != GL_TEXTURE_EXTERNAL_OES) return;
    minFilter = GL_LINEAR;
    wrapS = wrapT = GL_CLAMP_TO_EDGE;
}

int Texture::usedLevelCount() const {
    const AttachableImage& base = levels_[0][0].image;
    const int all = mipLevelCount(std::max(base.width(), base.depth()), base.height());
    return std::min(immutableLevels != 0 ? immutableLevels : all, std::max(maxLevel, 0) + 1);
}

void Texture::setLevel(int face, int index, TextureLevel level) {
    levels_[face][index] = std::move(level);
    dirty_ = true;
}

bool Texture::isIdle(int face, int index) const {
    const texture::ImagePtr& image = levels_[face][index].image.image_;
    const bool isInView = view_ && view_->image[face][index] == image;
    if (image.use_count() != (isInView ? 2 : 1)) return false;
    if (isInView && !soleOwner(view_)) return false;
    // As in soleOwner(): releasing a reference orders the command processor's last access before ours.
    texture::ImagePtr acquire = image;
    acquire.reset();
    return true;
}

bool Texture::isCubeComplete() const {
    const TextureLevel& first = levels_[0][0];
    if (!first.image || first.image.width() != first.image.height()) return false;
    return std::all_of(levels_.begin(), levels_.end(), [&](const auto& face) {
        const TextureLevel& base = face[0];
        return base.image && base.image.width() == first.image.width() && base.image.height() == first.image.height() &&
               sameFormat(base, first);
    });
}

texture::TextureViewPtr Texture::makeView() const {
    const TextureLevel& base = levels_[0][0];
    if (!base.image) return nullptr;
    if (target == GL_TEXTURE_CUBE_MAP && !isCubeComplete()) return nullptr;

    auto view = std::make_shared<texture::TextureView>();
    view->identity = identity;
    view->kind = target == GL_TEXTURE_CUBE_MAP ? texture::Kind::Cube
                 : target == GL_TEXTURE_3D_OES ? texture::Kind::Tex3D
                                               : texture::Kind::Tex2D;
    const int width = base.image.width(), height = base.image.height(), depth = base.image.depth();
    view->levels = usesMipmaps() ? usedLevelCount() : 1;
    for (int face = 0; face < faceCount(); ++face) {
        for (int i = 0; i < view->levels; ++i) {
            const TextureLevel& level = levels_[face][i];
            bool consistent =
                level.image && sameFormat(level, base) && level.image.width() == std::max(width >> i, 1) &&
                level.image.height() == std::max(height >> i, 1) && level.image.depth() == std::max(depth >> i, 1);
            if (!consistent) return nullptr;
            view->image[face][i] = level.image.image_;
        }
    }
    return view;
}

texture::TextureViewPtr Texture::view() {
    if (dirty_) {
        view_ = makeView();
        dirty_ = false;
    }
    // APPLE_rgb_422 textures must be clamped and have no mipmaps to be complete.
    const bool isRaw422 = levels_[0][0].format == GL_RGB_422_APPLE;
    const bool isClamped = wrapS == GL_CLAMP_TO_EDGE && wrapT == GL_CLAMP_TO_EDGE;
    return !isRaw422 || (isClamped && !usesMipmaps()) ? view_ : nullptr;
}

bool Texture::isComplete() { return view() != nullptr; }

pipeline::TextureBinding Texture::binding(const SamplesResolved&) {
    pipeline::TextureBinding out;
    out.view = view();
    bool linear =
        minFilter == GL_LINEAR || minFilter == GL_LINEAR_MIPMAP_NEAREST || minFilter == GL_LINEAR_MIPMAP_LINEAR;
    bool betweenLevels = minFilter == GL_NEAREST_MIPMAP_LINEAR || minFilter == GL_LINEAR_MIPMAP_LINEAR;
    out.state.magFilter = magFilter == GL_LINEAR ? texture::Filter::Linear : texture::Filter::Nearest;
    out.state.maxAnisotropy = static_cast<uint8_t>(std::min(maxAnisotropy, kMaxAnisotropy));
    out.state.minFilter = linear ? texture::Filter::Linear : texture::Filter::Nearest;
    out.state.mipFilter = !usesMipmaps()  ? texture::MipFilter::None
                          : betweenLevels ? texture::MipFilter::Linear
                                          : texture::MipFilter::Nearest;
    out.state.wrapS = wrap(wrapS);
    out.state.wrapT = wrap(wrapT);
    out.state.wrapR = wrap(wrapR);
    if (out.view) out.state.border = borderOf(levels_[0][0].image.format(), borderColor);
    out.state.compare = compareMode == GL_NONE ? texture::DepthCompare::None : compare(compareFunction);
    return out;
}

}  // namespace tessera::gles
