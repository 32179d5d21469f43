// What GLES objects and EGL objects share: siblings of an EGLImage (EGL_KHR_image_base, GL_OES_EGL_image) and pbuffers
// bound as textures (eglBindTexImage, EGL 1.5 section 3.6). Sharing is holding the same image: commands change an
// image in place and in order of submission, and respecifying a texture gives it a new one, which ends the sharing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "pipeline/command/gpu.h"
#include "texture/image.h"

namespace tessera::gles {

class Context;
struct ShareGroup;
class Texture;

/// The plane behind an EGLImage.
struct SharedImage {
    texture::ImagePtr image;      ///< null when `read` is not
    bool isExternalOnly = false;  ///< for GL_TEXTURE_EXTERNAL_OES alone
    uint32_t video = 0;           ///< fourcc of the video's picture that it was made of; 0: none
    /// Of memory that others write: a new image of what it holds now, for textures; null when memory is out.
    std::function<texture::ImagePtr()> read;
    std::shared_ptr<pipeline::Stream> stream;  ///< in which commands write to the image; null: none do
};

enum class ShareResult {
    Ok,
    NoObject,  ///< no such texture or renderbuffer, the default texture, or an incomplete one
    NoLevel,   ///< the texture has no such level
};

/// The plane of a texture's level; `target` is GL_TEXTURE_2D or a cube map face.
[[nodiscard]] ShareResult shareTexture(Context& context, uint32_t target, uint32_t name, int level, SharedImage* out);
[[nodiscard]] ShareResult shareRenderbuffer(Context& context, uint32_t name, SharedImage* out);

/// How glEGLImageTarget* finds an EGLImage; null for a handle that is none. Called without any lock held.
using ImageLookup = std::function<std::shared_ptr<const SharedImage>(void* handle)>;
void setImageLookup(ImageLookup lookup);

/// A surface's colour buffer as level 0 of a texture. Respecifying or deleting the texture ends it, too.
class TextureAttachment {
public:
    /// To the texture bound to GL_TEXTURE_2D on the active unit. False: its storage is immutable (EXT_texture_storage).
    [[nodiscard]] bool attach(Context& context, texture::ImagePtr image);
    /// Leaves level 0 of the texture undefined.
    void release();
    [[nodiscard]] bool isAttached() const;
    [[nodiscard]] bool isAttached(const texture::ImagePtr& image) const {
        return isAttached() && image_.lock() == image;
    }

private:
    std::weak_ptr<ShareGroup> group_;  ///< the texture's: it outlives the context that attached
    std::weak_ptr<Texture> texture_;
    std::weak_ptr<texture::Image> image_;
};

}  // namespace tessera::gles
