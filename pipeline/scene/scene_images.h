// Which images a scene reads and writes: what is asked before another command touches one of them.
#pragma once

#include <vector>

#include "pipeline/render_target.h"
#include "pipeline/scene/row_copies.h"
#include "pipeline/texture_binding.h"

namespace tessera::pipeline {

/// Whether the image, or the one that it is a part of, is one of the target's.
[[nodiscard]] bool targetHas(const RenderTarget& target, const texture::Image& image);
/// Whether a texture has one of the target's images.
[[nodiscard]] bool readsTarget(const std::vector<TextureBinding>& bindings, const RenderTarget& target);

/// The textures that a scene samples.
class SampledViews {
public:
    explicit SampledViews(ThreadPool& pool) : rowCopies_(pool) {}

    void add(const std::vector<TextureBinding>& bindings);
    [[nodiscard]] bool has(const texture::Image& image) const;
    void clear() { views_.clear(); }

private:
    std::vector<const texture::TextureView*> views_;
    RowCopies rowCopies_;
};

}  // namespace tessera::pipeline
