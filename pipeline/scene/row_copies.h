// Which images have a copy in rows beside them (texture/row_copy.h): those that scene after scene samples unchanged, by
// lookups that it makes quicker, in a bounded amount of memory.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/thread/thread_pool.h"
#include "texture/texture.h"

namespace tessera::pipeline {

class RowCopies {
public:
    /// A picture of 2048 x 2048, or one of light of 1024 x 1024, and a little; texels of larger ones are mostly looked
    /// up seldom, and their copies are larger than caches.
    static constexpr size_t kMostBytes = 17u << 20;
    static constexpr size_t kMostBytesTogether = 4 * kMostBytes;

    explicit RowCopies(ThreadPool& pool) : pool_(pool) {}

    /// A scene that has not begun to draw will sample the view. Its images may get copies now.
    void sampled(const texture::TextureView& view, const texture::SamplerState& state);

private:
    void make(const texture::ImagePtr& image);

    struct Copy {
        std::weak_ptr<texture::Image> image;
        size_t bytes;
    };
    ThreadPool& pool_;
    std::vector<Copy> copies_;
};

}  // namespace tessera::pipeline
