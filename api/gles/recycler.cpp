#include "api/gles/recycler.h"

#include <algorithm>
#include <utility>

#include "api/gles/sole_owner.h"

namespace tessera::gles {

texture::ImagePtr Recycler::image(texture::PixelFormat format, int width, int height) {
    // The last one retired is the likeliest to be in a cache, the first one to be free.
    const auto found = std::find_if(images_.rbegin(), images_.rend(), [&](const texture::ImagePtr& image) {
        return image->format() == format && image->width() == width && image->height() == height && soleOwner(image);
    });
    if (found == images_.rend()) {
        auto image = std::make_shared<texture::Image>(format, width, height);
        recorder_.allocated(image->byteCount());
        return image;
    }
    texture::ImagePtr image = std::move(*found);
    imageBytes_ -= image->byteCount();
    images_.erase(std::next(found).base());
    return image;
}

void Recycler::retire(texture::ImagePtr image) {
    if (Recorder::isPlain() || !image || image->samples() != 1 || image->depth() != 1 ||
        image->byteCount() > kMaxImageBytes)
        return;
    imageBytes_ += image->byteCount();
    images_.push_back(std::move(image));
    while (imageBytes_ > kMaxImageBytes) {
        imageBytes_ -= images_.front()->byteCount();
        images_.erase(images_.begin());
    }
}

pipeline::BufferPtr Recycler::staging(size_t size) {
    const auto found = std::find_if(staging_.rbegin(), staging_.rend(), [&](const auto& buffer) {
        return buffer->size() >= size && buffer->size() / 4 <= size && soleOwner(buffer);
    });
    if (found != staging_.rend()) return *found;
    auto buffer = std::make_shared<pipeline::Buffer>(size, pipeline::Buffer::Contents::Any);
    if (size > kMaxStagingBytes || Recorder::isPlain()) return buffer;
    stagingBytes_ += size;
    staging_.push_back(buffer);
    while (stagingBytes_ > kMaxStagingBytes) {
        stagingBytes_ -= staging_.front()->size();
        staging_.erase(staging_.begin());
    }
    return buffer;
}

}  // namespace tessera::gles
