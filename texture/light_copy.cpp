#include "texture/light_copy.h"

#include <algorithm>

#include "texture/image.h"
#include "texture/srgb.h"

namespace tessera::texture {

namespace {

/// Texels from one row to the next: a cache line more than the image has, so that texels above one another do not
/// compete for the same places of a cache.
int rowTexels(const Image& image) { return (image.width() + 4) & ~3; }

}  // namespace

bool LightCopy::isWanted() {
    const uint32_t scenes = scenes_.load(std::memory_order_relaxed);
    if (scenes > wait_) {
        ++used_;
        return false;
    }
    if (scenes == wait_) return true;
    if (scenes == 0 && memory_ != nullptr) {  // there was one
        wait_ = used_ < kPaid ? std::min(wait_ * 2, kLongestWait) : kFirstWait;
        used_ = kPaid;
    }
    scenes_.store(scenes + 1, std::memory_order_relaxed);
    return false;
}

size_t LightCopy::rowCount(const Image& image) { return static_cast<size_t>(image.height()) + 1; }

size_t LightCopy::bytesFor(const Image& image) {
    return rowCount(image) * static_cast<size_t>(rowTexels(image)) * 4 * sizeof(float);
}

bool LightCopy::allocate(const Image& image) {
    rowFloats_ = 4 * rowTexels(image);
    if (memory_ == nullptr)
        memory_.reset(static_cast<float*>(::operator new[](bytesFor(image), std::align_val_t{64}, std::nothrow)));
    used_ = 0;
    return memory_ != nullptr;
}

void LightCopy::decodeRow(const Image& image, size_t row) {
    float* to = memory_.get() + row * static_cast<size_t>(rowFloats_);
    const int y = row == rowCount(image) - 1 ? 0 : static_cast<int>(row);
    const auto decode = [&](int column, uint32_t word) {
        float* texel = to + static_cast<ptrdiff_t>(column) * 4;
        for (int channel = 0; channel < 3; ++channel) texel[channel] = kLinearOfSrgb[word >> 8 * channel & 0xFF];
        texel[3] = static_cast<float>(word >> 24);
    };
    for (int x = 0; x < image.width(); ++x) decode(x, image.texel32(x, y));
    decode(image.width(), image.texel32(0, y));
}

}  // namespace tessera::texture
