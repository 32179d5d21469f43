// The images that a draw or a clear writes.
#pragma once

#include <algorithm>
#include <array>

#include "pipeline/limits.h"
#include "texture/image.h"

namespace tessera::pipeline {

/// What is drawn to. All images have the framebuffer's size or larger, and the same number of samples.
struct RenderTarget {
    int width = 0, height = 0;  ///< drawable area: the smallest attachment
    std::array<texture::ImagePtr, kMaxColorTargets> color{};
    texture::ImagePtr depth;    ///< D24S8 element; null: no depth test
    texture::ImagePtr stencil;  ///< often the same image as depth; null: no stencil test

    /// Samples of a pixel: 1, or texture::kMaxSamples when all images have them.
    [[nodiscard]] int samples() const {
        bool any = false;
        const auto isSingle = [&](const texture::ImagePtr& image) {
            any |= image != nullptr;
            return image != nullptr && image->samples() != texture::kMaxSamples;
        };
        // The first image mostly says it, and each draw asks.
        if (std::ranges::any_of(color, isSingle) || isSingle(depth) || isSingle(stencil)) return 1;
        return any ? texture::kMaxSamples : 1;
    }
    /// The first image that there is; null: none.
    [[nodiscard]] const texture::Image* anyImage() const {
        for (const texture::ImagePtr& image : color)
            if (image != nullptr) return image.get();
        return depth != nullptr ? depth.get() : stencil.get();
    }
    bool operator==(const RenderTarget&) const = default;
};

/// Calls use(image) for each of the target's images, shared ones once.
template <class Use>
void forEachImage(const RenderTarget& target, const Use& use) {
    for (const texture::ImagePtr& image : target.color)
        if (image != nullptr) use(*image);
    if (target.depth != nullptr) use(*target.depth);
    if (target.stencil != nullptr && target.stencil != target.depth) use(*target.stencil);
}

}  // namespace tessera::pipeline
