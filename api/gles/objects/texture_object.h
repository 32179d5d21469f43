// Texture objects: levels, parameters, completeness (OpenGL ES 2.0.25, sections 3.7.8 to 3.7.13).
#pragma once

#include <array>
#include <string>

#include "api/gles/formats.h"
#include "api/gles/limits.h"
#include "api/gles/objects/attachable_image.h"
#include "api/gles/objects/sampler_object.h"
#include "pipeline/texture_binding.h"
#include "texture/texture.h"

namespace tessera::gles {

/// What textures are bound to: each texture image unit has a binding for each.
inline constexpr std::array<GLenum, 5> kTextureTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D,
                                                          GL_TEXTURE_2D_ARRAY, GL_TEXTURE_EXTERNAL_OES};

struct TextureLevel {
    AttachableImage image;    ///< none: undefined, or of no size
    GLenum format = GL_NONE;  ///< base format it was specified with, or compressed internal format
    GLenum type = GL_NONE;
    bool isShared = false;  ///< an EGL image or surface has it too: its identity matters
    bool isCompressed = false;
    GLenum internalformat = GL_NONE;  ///< a sized one that it was specified with, if it was
    uint32_t video = 0;               ///< fourcc of the picture that its EGL image was made of; 0: none
    /// How often the image, or what it holds, may have become another, since there is the texture: who keeps something
    /// that follows from it looks here.
    uint64_t writes = 0;

    TextureLevel() = default;
    TextureLevel(AttachableImage own, GLenum base, GLenum precision, bool shared = false)
        : image(std::move(own)), format(base), type(precision), isShared(shared) {}
    TextureLevel(AttachableImage own, const InternalFormat& internal)
        : TextureLevel(std::move(own), internal.format, internal.type) {
        if (internal.isSized()) internalformat = internal.internalformat;
    }
};

class Texture {
public:
    explicit Texture(GLuint n);

    GLuint name;
    const uint64_t identity;  ///< TextureView::identity: distinct among all textures of the process
    std::string label;        ///< KHR_debug
    GLenum target = GL_NONE;  ///< one of kTextureTargets; none until first bound
    /// The first binding; external textures start with parameters of their own (OES_EGL_image_external).
    void setTarget(GLenum first);
    SamplingParameters sampling;
    GLint baseLevel = 0, maxLevel = 1000;
    std::array<GLenum, 4> swizzle{GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    bool generateMipmap = false;      ///< OpenGL ES 1.1: a new image of level 0 gives new ones of the others
    std::array<GLint, 4> cropRect{};  ///< OES_draw_texture: left, bottom, width, height

    [[nodiscard]] const TextureLevel& level(int face, int index) const { return levels_[face][index]; }
    void setLevel(int face, int index, TextureLevel level);
    void markShared(int face, int index) { levels_[face][index].isShared = true; }
    /// What the level's image holds is about to change.
    void countWrite(int face, int index) { ++levels_[face][index].writes; }
    /// The level's image, which exists, may be written at once: no recorded command and nothing else refers to it.
    [[nodiscard]] bool isIdle(int face, int index) const;
    /// Levels given to glTexStorage2DEXT, which fixed size and format; 0: not immutable.
    int immutableLevels = 0;
    /// The level that lookups begin at: GL_TEXTURE_BASE_LEVEL, of an immutable texture one that it has.
    [[nodiscard]] int firstLevel() const;
    /// That level of a face; none where a texture can have no such level.
    [[nodiscard]] const TextureLevel& base(int face) const;
    /// Levels that mipmapping takes from the first one on, of a texture that has that one: a full chain for its size,
    /// or the texture's own if it is immutable; none above the largest level.
    [[nodiscard]] int usedLevelCount() const;
    [[nodiscard]] int faceCount() const { return target == GL_TEXTURE_CUBE_MAP ? 6 : 1; }

    /// Whether a framebuffer of OpenGL ES 3.0 may have that level as an attachment (section 4.4.4.1): any of an
    /// immutable texture; of others one that mipmapping takes, and beside the first one only where the chain is
    /// complete.
    [[nodiscard]] bool isAttachable(int level) const;
    /// Six square base images of one size and format.
    [[nodiscard]] bool isCubeComplete() const;
    /// Whether a lookup reads it as its own parameters say: complete under its filters.
    [[nodiscard]] bool isComplete();
    /// What a lookup reads; null view when the texture is incomplete under these filters.
    /// As the context's version has it (Context::isEs3).
    [[nodiscard]] pipeline::TextureBinding binding(const SamplesResolved& resolved, const SamplingParameters& how,
                                                   bool isEs3);
    /// After a change of the base level or the largest one.
    void invalidateViews() { views_ = {}; }

private:
    /// What a lookup reads; null: the texture is incomplete.
    [[nodiscard]] texture::TextureViewPtr view(const SamplingParameters& how, bool isEs3);
    [[nodiscard]] texture::TextureViewPtr makeView(bool withMipmaps, bool isEs3) const;
    /// Whether level `index` of the face is what the first level makes it, in a chain of levels.
    [[nodiscard]] bool isOfChain(int face, int index) const;
    /// Whether the level that far above the first one is, of every face.
    [[nodiscard]] bool hasLevelAbove(int above) const;

    struct CachedView {
        texture::TextureViewPtr view;  ///< null: incomplete
        bool isMade = false, isEs3 = false;
    };
    std::array<std::array<TextureLevel, texture::kMaxLevels>, 6> levels_;
    std::array<CachedView, 2> views_;  ///< without mipmaps, and with them
};

/// A target of glTexImage2D: GL_TEXTURE_2D or a face of a cube.
[[nodiscard]] bool isFlatImageTarget(GLenum target);
/// Face index of a target of glTexImage2D or glTexImage3DOES: 0 but for faces of cubes.
[[nodiscard]] int faceOf(GLenum target);
/// What a texture with such an image is bound to.
[[nodiscard]] GLenum bindTargetOf(GLenum target);
/// The size in each direction that such an image can have at most.
[[nodiscard]] int largestImage(GLenum target);
/// A level that images of the target (faces of cubes, 3D ones) can have.
[[nodiscard]] bool isImageLevel(GLenum target, GLint level);
/// Levels of a full chain for a base image of that size.
[[nodiscard]] int mipLevelCount(int width, int height);

}  // namespace tessera::gles
