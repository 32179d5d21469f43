#include "pipeline/scene/row_copies.h"

#include "base/process/env.h"
#include "base/simd_levels.h"

namespace tessera::texture {

// One copy for each SIMD level: texture/sample/block_sampler_simd.cpp.
TESSERA_SIMD_COPIES(bool gainsByRows(const TextureView& view, const SamplerState& state);)

}  // namespace tessera::texture

namespace tessera::pipeline {

namespace {

bool areOfUse(const texture::TextureView& view, const texture::SamplerState& state) {
    using namespace texture;
    return TESSERA_SIMD_COPY(simdLevel(), gainsByRows)(view, state);
}

/// Another's memory changes without its knowing.
bool ownsMemory(const texture::Image& image) { return &image.whole() == &image; }

}  // namespace

void RowCopies::sampled(const texture::TextureView& view, const texture::SamplerState& state) {
    if (!areOfUse(view, state)) return;
    const int faces = view.kind == texture::Kind::Cube ? 6 : 1;
    for (int face = 0; face < faces; ++face)
        for (int level = 0; level < view.levels; ++level) {
            const texture::ImagePtr& image = view.image[face][level];
            if (ownsMemory(*image) && image->rows().isWanted()) make(image);
        }
}

void RowCopies::make(const texture::ImagePtr& image) {
    const size_t bytes = texture::RowCopy::bytesFor(*image);
    if (bytes > kMostBytes) return;
    std::erase_if(copies_, [](const Copy& copy) { return copy.image.expired(); });
    size_t others = 0;
    bool isKnown = false;
    for (const Copy& copy : copies_) {
        if (copy.image.lock() == image)
            isKnown = true;
        else
            others += copy.bytes;
    }
    if (others + bytes > kMostBytesTogether) return;
    if (!isKnown) copies_.push_back({image, bytes});
    (void)image->rows().make(std::as_const(*image), [&](size_t rows, const auto& copyRow) {
        pool_.parallelFor("rows", rows, [&](size_t row, int) { copyRow(row); });
    });
}

}  // namespace tessera::pipeline
