#include "pipeline/scene/scene_images.h"

#include <algorithm>

namespace tessera::pipeline {
namespace {

/// Views are of whole images.
bool viewHas(const texture::TextureView& view, const texture::Image& part) {
    const texture::Image* image = &part.whole();
    const int faces = view.kind == texture::Kind::Cube ? 6 : 1;
    for (int face = 0; face < faces; ++face)
        for (const texture::ImagePtr& level : view.image[face])
            if (level.get() == image) return true;
    return false;
}

}  // namespace

bool targetHas(const RenderTarget& target, const texture::Image& image) {
    bool found = false;
    forEachImage(target, [&](const texture::Image& other) { found |= &other.whole() == &image.whole(); });
    return found;
}

bool readsTarget(const std::vector<TextureBinding>& bindings, const RenderTarget& target) {
    bool reads = false;
    for (const TextureBinding& binding : bindings)
        if (binding.view)
            forEachImage(target, [&](const texture::Image& image) { reads |= viewHas(*binding.view, image); });
    return reads;
}

void SampledViews::add(const std::vector<TextureBinding>& bindings) {
    for (const TextureBinding& binding : bindings)
        if (binding.view && std::find(views_.begin(), views_.end(), binding.view.get()) == views_.end()) {
            views_.push_back(binding.view.get());
            rowCopies_.sampled(*binding.view, binding.state);
        }
}

bool SampledViews::has(const texture::Image& image) const {
    return std::ranges::any_of(views_, [&](const texture::TextureView* view) { return viewHas(*view, image); });
}

}  // namespace tessera::pipeline
