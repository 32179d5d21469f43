#include "texture/row_copy.h"

#include <algorithm>
#include <cstring>

#include "texture/image.h"
#include "texture/srgb.h"

namespace tessera::texture {

namespace {

constexpr int kLineBytes = 64;  ///< of a cache

bool isLight(const Image& image) { return isSrgb(image.element()); }
size_t texelBytes(const Image& image) { return isLight(image) ? 4 * sizeof(float) : sizeof(uint32_t); }

/// Texels from one row to the next: an odd number of cache lines, so that texels above one another do not compete for
/// the same places of a cache.
int rowTexels(const Image& image) {
    const int lineTexels = kLineBytes / static_cast<int>(texelBytes(image));
    return ((image.width() + lineTexels) / lineTexels | 1) * lineTexels;
}
size_t rowsOfSlice(const Image& image) { return static_cast<size_t>(image.height()) + 1; }

}  // namespace

bool RowCopy::isWanted() {
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

size_t RowCopy::rowCount(const Image& image) {
    const int slices = image.depth() > 1 ? image.depth() + 1 : 1;
    return rowsOfSlice(image) * static_cast<size_t>(slices);
}

size_t RowCopy::bytesFor(const Image& image) {
    return rowCount(image) * static_cast<size_t>(rowTexels(image)) * texelBytes(image);
}

bool RowCopy::allocate(const Image& image) {
    rowTexels_ = rowTexels(image);
    sliceTexels_ = image.depth() > 1 ? rowTexels_ * static_cast<int>(rowsOfSlice(image)) : 0;
    if (memory_ == nullptr)
        memory_.reset(static_cast<std::byte*>(::operator new[](bytesFor(image), kAlignment, std::nothrow)));
    if (isLight(image))
        light_ = reinterpret_cast<const float*>(memory_.get());
    else
        words_ = reinterpret_cast<const uint32_t*>(memory_.get());
    used_ = 0;
    return memory_ != nullptr;
}

void RowCopy::copyRow(const Image& image, size_t row) {
    std::byte* to = memory_.get() + row * static_cast<size_t>(rowTexels_) * texelBytes(image);
    const int y = static_cast<int>(row % rowsOfSlice(image)) % image.height();
    const size_t slice = row / rowsOfSlice(image) % static_cast<size_t>(image.depth());
    const auto block = [&](int x) {
        return reinterpret_cast<const uint32_t*>(image.block(x >> 2, y >> 2) + slice * image.planeBytes()) +
               (y & 3) * 4;
    };
    if (!isLight(image)) {
        const uint32_t less = holdsBytes(image.element()) ? 0x80808080u : 0;
        auto* words = reinterpret_cast<uint32_t*>(to);
        for (int x = 0; x < image.width(); x += 4) {  // of the padding, too
            const uint32_t* four = block(x);
            for (int i = 0; i < 4; ++i) words[x + i] = four[i] ^ less;
        }
        words[image.width()] = *block(0) ^ less;
        return;
    }
    const auto decode = [&](int column, uint32_t word) {
        auto* texel = reinterpret_cast<float*>(to) + static_cast<ptrdiff_t>(column) * 4;
        for (int channel = 0; channel < 3; ++channel) texel[channel] = kLinearOfSrgb[word >> 8 * channel & 0xFF];
        texel[3] = static_cast<float>(word >> 24);
    };
    for (int x = 0; x < image.width(); ++x) decode(x, image.texel32(x, y));
    decode(image.width(), image.texel32(0, y));
}

}  // namespace tessera::texture
