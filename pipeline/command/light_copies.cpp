#include "pipeline/command/light_copies.h"

namespace tessera::pipeline {

void LightCopies::sampled(const texture::TextureView& view) {
    if (view.kind == texture::Kind::Tex3D || view.levels <= 0 || !formatInfo(view.image[0][0]->format()).srgb) return;
    const int faces = view.kind == texture::Kind::Cube ? 6 : 1;
    for (int face = 0; face < faces; ++face)
        for (int level = 0; level < view.levels; ++level)
            if (view.image[face][level]->light().isWanted()) make(view.image[face][level]);
}

void LightCopies::make(const texture::ImagePtr& image) {
    const size_t bytes = texture::LightCopy::bytesFor(*image);
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
    (void)image->light().make(std::as_const(*image), [&](size_t rows, const auto& decodeRow) {
        pool_.parallelFor("light", rows, [&](size_t row, int) { decodeRow(row); });
    });
}

}  // namespace tessera::pipeline
