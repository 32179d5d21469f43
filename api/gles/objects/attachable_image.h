// Framebuffer-attachable images and their samples (EXT_multisampled_render_to_texture).
//
// A texture can be drawn to with samples. These are kept beside it and resolved into its image only when something
// other than drawing uses the texture, so the image alone may lag behind. Whoever reads, copies, samples or changes
// what images hold, hands commands over for others to see the result, or changes what is drawn to, must resolve first.
// The types see to that: what does any of it takes a SamplesResolved, and making one resolves.
//
// The samples themselves stay as they were drawn, and drawing goes on with them, until something else writes the
// texture (TextureLevel::writes). So a picture does not depend on when they are resolved, which others may decide: a
// browser flushes when it suits it, and turns from a page's framebuffer to its own in the middle of a frame.
#pragma once

#include <utility>

#include "texture/image.h"

namespace tessera::gles {

class Context;
struct ProgramStages;

/// The textures of the framebuffer that is drawn to hold all that was drawn until this was made. Made in a call that
/// has been validated, for as long as the call goes on.
class SamplesResolved {
public:
    explicit SamplesResolved(Context& c);
    /// For what the stages sample: resolves when they sample a texture that is drawn to.
    SamplesResolved(Context& c, const ProgramStages& stages);
};

/// The image of a texture's level, a renderbuffer or a surface. What it is like may be asked at any time.
class AttachableImage {
public:
    AttachableImage() = default;
    AttachableImage(texture::ImagePtr image) : image_(std::move(image)) {}

    /// False: there is none.
    explicit operator bool() const { return image_ != nullptr; }
    [[nodiscard]] texture::PixelFormat format() const { return image_->format(); }
    [[nodiscard]] int width() const { return image_->width(); }
    [[nodiscard]] int height() const { return image_->height(); }
    [[nodiscard]] int depth() const { return image_->depth(); }
    [[nodiscard]] int samples() const { return image_->samples(); }
    [[nodiscard]] bool operator==(const AttachableImage&) const = default;  ///< one and the same

    [[nodiscard]] const texture::ImagePtr& contents(const SamplesResolved&) const { return image_; }

private:
    friend struct Attachment;  // draws to it
    friend class Texture;      // makes views of it, which lookups get
    texture::ImagePtr image_;
};

}  // namespace tessera::gles
