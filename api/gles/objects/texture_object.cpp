#include "api/gles/objects/texture_object.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "api/gles/sole_owner.h"

namespace tessera::gles {

namespace {

texture::Swizzle channels(const std::array<GLenum, 4>& names) {
    texture::Swizzle out{};
    std::ranges::transform(names, out.begin(), [](GLenum name) {
        if (name == GL_ZERO) return texture::Channel::Zero;
        return name == GL_ONE ? texture::Channel::One : static_cast<texture::Channel>(name - GL_RED);
    });
    return out;
}
static_assert(GL_ALPHA - GL_RED == static_cast<int>(texture::Channel::Alpha));

texture::Kind kindOf(GLenum target) {
    switch (target) {
        case GL_TEXTURE_2D_ARRAY:
            return texture::Kind::Array2D;
        case GL_TEXTURE_CUBE_MAP:
            return texture::Kind::Cube;
        case GL_TEXTURE_3D:
            return texture::Kind::Tex3D;
        default:
            return texture::Kind::Tex2D;
    }
}

uint64_t nextIdentity(GLuint name) {
    static std::atomic<uint64_t> count{0};
    return ++count << 32 | name;
}

/// One internal format: of pixels that are stored alike, too, as sized ones with one base format may not be.
bool sameFormat(const TextureLevel& a, const TextureLevel& b) {
    return a.format == b.format && a.type == b.type && a.image.format() == b.image.format();
}

}  // namespace

namespace {

bool isCubeFace(GLenum target) {
    return target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
}

}  // namespace

bool isFlatImageTarget(GLenum target) { return target == GL_TEXTURE_2D || isCubeFace(target); }

int faceOf(GLenum target) { return isCubeFace(target) ? static_cast<int>(target - GL_TEXTURE_CUBE_MAP_POSITIVE_X) : 0; }

GLenum bindTargetOf(GLenum target) { return isCubeFace(target) ? GLenum{GL_TEXTURE_CUBE_MAP} : target; }

int largestImage(GLenum target) { return target == GL_TEXTURE_3D ? texture::kMaxDepth : kMaxTextureSize; }

bool isImageLevel(GLenum target, GLint level) { return level >= 0 && level < mipLevelCount(largestImage(target), 1); }

int mipLevelCount(int width, int height) {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(width, height))));
}

Texture::Texture(GLuint n) : name(n), identity(nextIdentity(n)) {}

void Texture::setTarget(GLenum first) {
    if (target == first) return;
    target = first;
    if (target != GL_TEXTURE_EXTERNAL_OES) return;
    sampling.minFilter = GL_LINEAR;
    sampling.wrapS = sampling.wrapT = GL_CLAMP_TO_EDGE;
}

int Texture::firstLevel() const { return immutableLevels != 0 ? std::min(baseLevel, immutableLevels - 1) : baseLevel; }

const TextureLevel& Texture::base(int face) const {
    static const TextureLevel kNone;
    const int first = firstLevel();
    return first < texture::kMaxLevels ? levels_[static_cast<size_t>(face)][static_cast<size_t>(first)] : kNone;
}

int Texture::usedLevelCount() const {
    const AttachableImage& image = base(0).image;
    const int depth = target == GL_TEXTURE_3D ? image.depth() : 1;
    const int all = mipLevelCount(std::max(image.width(), depth), image.height());
    const int first = firstLevel();
    // The largest level of an immutable texture is never less than its base level.
    const int last = immutableLevels != 0 ? std::clamp(maxLevel, first, immutableLevels - 1)
                                          : std::min(maxLevel, texture::kMaxLevels - 1);
    return std::min(all, last - first + 1);
}

void Texture::setLevel(int face, int index, TextureLevel level) {
    level.writes = levels_[face][index].writes + 1;
    levels_[face][index] = std::move(level);
    invalidateViews();
}

bool Texture::isIdle(int face, int index) const {
    const texture::ImagePtr& image = levels_[face][index].image.image_;
    long known = 1;
    for (const CachedView& cached : views_) {
        if (!cached.view || std::ranges::find(cached.view->image[face], image) == cached.view->image[face].end())
            continue;
        if (!soleOwner(cached.view)) return false;
        ++known;
    }
    if (image.use_count() != known) return false;
    // As in soleOwner(): releasing a reference orders the command processor's last access before ours.
    texture::ImagePtr acquire = image;
    acquire.reset();
    return true;
}

bool Texture::isCubeComplete() const {
    const TextureLevel& first = base(0);
    if (!first.image || first.image.width() != first.image.height()) return false;
    for (int face = 0; face < 6; ++face) {
        const TextureLevel& own = base(face);
        if (!own.image || own.image.width() != first.image.width() || own.image.height() != first.image.height() ||
            !sameFormat(own, first))
            return false;
    }
    return true;
}

bool Texture::isOfChain(int face, int index) const {
    const TextureLevel &first = base(0), &level = levels_[face][index];
    const int below = index - firstLevel(), depth = first.image.depth();
    return level.image && sameFormat(level, first) &&
           level.image.width() == std::max(first.image.width() >> below, 1) &&
           level.image.height() == std::max(first.image.height() >> below, 1) &&
           level.image.depth() == (target == GL_TEXTURE_3D ? std::max(depth >> below, 1) : depth);
}

bool Texture::hasLevelAbove(int above) const {
    for (int face = 0; face < faceCount(); ++face)
        if (!isOfChain(face, firstLevel() + above)) return false;
    return true;
}

bool Texture::isAttachable(int level) const {
    if (immutableLevels != 0) return true;
    if (!base(0).image) return false;
    const int used = usedLevelCount(), above = level - firstLevel();
    if (above < 0 || above >= used) return false;
    if (above == 0) return true;
    if (target == GL_TEXTURE_CUBE_MAP && !isCubeComplete()) return false;
    for (int i = 0; i < used; ++i)
        if (!hasLevelAbove(i)) return false;
    return true;
}

texture::TextureViewPtr Texture::makeView(bool withMipmaps, bool isEs3) const {
    const TextureLevel& first = base(0);
    if (!first.image) return nullptr;
    if (target == GL_TEXTURE_CUBE_MAP && !isCubeComplete()) return nullptr;

    auto view = std::make_shared<texture::TextureView>();
    view->identity = identity;
    view->kind = kindOf(target);
    if (isEs3 && isDepthFormat(first.format)) view->swizzle = texture::kDepthAsRed;
    view->swizzle = texture::swizzled(view->swizzle, channels(swizzle));
    view->storedAs = first.isCompressed ? first.format : first.video;
    const int all = usedLevelCount();
    // Where filters read the first level alone, programs of OpenGL ES 3.0 can still ask for others by number.
    const int wanted = withMipmaps ? all : isEs3 ? std::max(all, 1) : 1;
    while (view->levels < wanted && hasLevelAbove(view->levels)) ++view->levels;
    if (view->levels < 1 || (withMipmaps && view->levels < wanted)) return nullptr;
    for (int face = 0; face < faceCount(); ++face)
        for (int i = 0; i < view->levels; ++i) view->image[face][i] = levels_[face][firstLevel() + i].image.image_;
    return view;
}

texture::TextureViewPtr Texture::view(const SamplingParameters& how, bool isEs3) {
    CachedView& cached = views_[how.usesMipmaps() ? 1 : 0];
    if (!cached.isMade || cached.isEs3 != isEs3) cached = {makeView(how.usesMipmaps(), isEs3), true, isEs3};
    if (!cached.view) return nullptr;
    const TextureLevel& first = base(0);
    const texture::Element element = cached.view->image[0][0]->element();
    // Integers have no mean, nor has depth that is not compared, of formats that OpenGL ES 3.0 has.
    const bool isSizedDepth = isEs3 && texture::isDepth(element) && first.internalformat != GL_NONE;
    const bool needsNearest = texture::isInteger(element) || (isSizedDepth && how.compareMode == GL_NONE);
    if (needsNearest && !how.takesNearest()) return nullptr;
    // APPLE_rgb_422 textures must be clamped and have no mipmaps to be complete.
    const bool isRaw422 = first.format == GL_RGB_422_APPLE;
    const bool isClamped = how.wrapS == GL_CLAMP_TO_EDGE && how.wrapT == GL_CLAMP_TO_EDGE;
    return !isRaw422 || (isClamped && !how.usesMipmaps()) ? cached.view : nullptr;
}

bool Texture::isComplete() { return view(sampling, false) != nullptr; }

pipeline::TextureBinding Texture::binding(const SamplesResolved&, const SamplingParameters& how, bool isEs3) {
    pipeline::TextureBinding out;
    out.view = view(how, isEs3);
    out.state = how.state(out.view ? base(0).image.format() : texture::PixelFormat::None);
    if (!out.view) out.state.border = {};
    out.state.isEs3 = isEs3;
    return out;
}

}  // namespace tessera::gles
