// Memory of transfers that the GPU has done with, used again: a texture that is sent anew for each frame then goes
// round between a few images instead of faulting in fresh pages every time. Bounded, one for each context.
#pragma once

#include <memory>
#include <vector>

#include "api/gles/recorder.h"
#include "pipeline/buffer.h"
#include "texture/image.h"

namespace tessera::gles {

class Recycler {
public:
    explicit Recycler(Recorder& recorder) : recorder_(recorder) {}

    /// An image with one sample to be overwritten as a whole: it holds what some earlier one held.
    [[nodiscard]] texture::ImagePtr image(texture::PixelFormat format, int width, int height);
    /// Gives back a texture's image; commands may still refer to it.
    void retire(texture::ImagePtr image);

    /// At least `size` bytes of any contents, for the caller to fill and then to share with a command.
    [[nodiscard]] pipeline::BufferPtr staging(size_t size);

private:
    static constexpr size_t kMaxImageBytes = size_t{64} << 20;    ///< retired, together
    static constexpr size_t kMaxStagingBytes = size_t{32} << 20;  ///< likewise

    Recorder& recorder_;  ///< is told of fresh memory
    std::vector<texture::ImagePtr> images_;
    size_t imageBytes_ = 0;
    std::vector<pipeline::BufferPtr> staging_;
    size_t stagingBytes_ = 0;
};

}  // namespace tessera::gles
