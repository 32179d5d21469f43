// Texture objects: levels, parameters, completeness (OpenGL ES 2.0.25, sections 3.7.8 to 3.7.13).
#pragma once

#include <array>
#include <string>

#include "api/gles/formats.h"
#include "api/gles/limits.h"
#include "api/gles/objects/attachable_image.h"
#include "pipeline/texture_binding.h"
#include "texture/texture.h"

namespace tessera::gles {

/// What textures are bound to: each texture image unit has a binding for each.
inline constexpr std::array<GLenum, 4> kTextureTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D_OES,
                                                          GL_TEXTURE_EXTERNAL_OES};

struct TextureLevel {
    AttachableImage image;    ///< none: undefined, or of no size
    GLenum format = GL_NONE;  ///< base format it was specified with, or compressed internal format
    GLenum type = GL_NONE;
    bool isShared = false;  ///< an EGL image or surface has it too: its identity matters
    bool isCompressed = false;
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
    GLenum minFilter = GL_NEAREST_MIPMAP_LINEAR, magFilter = GL_LINEAR;
    GLenum wrapS = GL_REPEAT, wrapT = GL_REPEAT, wrapR = GL_REPEAT;
    std::array<GLfloat, 4> borderColor{};                       ///< EXT_texture_border_clamp
    GLenum compareMode = GL_NONE, compareFunction = GL_LEQUAL;  ///< EXT_shadow_samplers
    GLint maxLevel = 1000;                                      ///< APPLE_texture_max_level
    bool generateMipmap = false;      ///< OpenGL ES 1.1: a new image of level 0 gives new ones of the others
    std::array<GLint, 4> cropRect{};  ///< OES_draw_texture: left, bottom, width, height
    GLfloat maxAnisotropy = 1;        ///< at least 1, else as set (EXT_texture_filter_anisotropic)

    [[nodiscard]] const TextureLevel& level(int face, int index) const { return levels_[face][index]; }
    void setLevel(int face, int index, TextureLevel level);
    void markShared(int face, int index) { levels_[face][index].isShared = true; }
    /// The level's image, which exists, may be written at once: no recorded command and nothing else refers to it.
    [[nodiscard]] bool isIdle(int face, int index) const;
    /// Levels given to glTexStorage2DEXT, which fixed size and format; 0: not immutable.
    int immutableLevels = 0;
    /// Levels that mipmapping takes, of a texture whose level 0 exists: a full chain for its size, or the texture's own
    /// if it is immutable; none above the largest level.
    [[nodiscard]] int usedLevelCount() const;
    [[nodiscard]] int faceCount() const { return target == GL_TEXTURE_CUBE_MAP ? 6 : 1; }

    /// Six square level-0 images of one size and format.
    [[nodiscard]] bool isCubeComplete() const;
    /// Whether a lookup reads it: complete under its filters.
    [[nodiscard]] bool isComplete();
    /// What a lookup reads; null view when the texture is incomplete.
    [[nodiscard]] pipeline::TextureBinding binding(const SamplesResolved& resolved);
    /// After a change of the minification filter or the largest level.
    void invalidateView() { dirty_ = true; }

private:
    /// What a lookup reads; null: the texture is incomplete.
    [[nodiscard]] texture::TextureViewPtr view();
    [[nodiscard]] texture::TextureViewPtr makeView() const;
    [[nodiscard]] bool usesMipmaps() const { return minFilter != GL_NEAREST && minFilter != GL_LINEAR; }

    std::array<std::array<TextureLevel, texture::kMaxLevels>, 6> levels_;
    texture::TextureViewPtr view_;
    bool dirty_ = true;
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
