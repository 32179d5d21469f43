// An image's texels once more, row by row, for lookups that filter: kept beside the 4x4 blocks of images that scene
// after scene samples unchanged (docs/adr/0037).
//
// In rows two neighbours are beside each other wherever a lane looks, so that one load takes both; in blocks every
// fourth pair is not. Of sRGB images the copy holds light, decoded: a filtered lookup of sixteen lanes decodes 192
// codes, each a load out of a table (docs/adr/0030).
//
// A copy is made between scenes, of images that several scenes in a row found unchanged, and forgotten by whatever may
// write the image: Image sees to that in every accessor that can write. Lookups give the same bits with it and without.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace tessera::texture {

class Image;

class RowCopy {
public:
    // After the last column, the last row and the last slice of a volume comes the first one again.

    /// A word for each texel: bytes of colours less 128, signed, as multiplications take them; depth as the image has
    /// it.
    struct Words {
        const uint32_t* texel;  ///< null: there is no copy
        int rowWords;           ///< from one row to the next, less than 2^15
        int sliceWords;         ///< from one slice to the next; 0: there is one
    };
    /// Texels of four floats: light in 1 / 255, and alpha as it is.
    struct Light {
        const float* texel;  ///< null: there is no copy
        int rowFloats;
    };

    RowCopy() = default;
    /// An image that takes over another's memory starts without.
    RowCopy(RowCopy&&) noexcept {}
    RowCopy& operator=(RowCopy&&) noexcept {
        forget();
        return *this;
    }

    /// The image changes. Any thread.
    void forget() {
        if (scenes_.load(std::memory_order_relaxed) != 0) scenes_.store(0, std::memory_order_relaxed);
    }
    /// Of an image of 32-bit elements; of one that is sRGB there are none.
    [[nodiscard]] Words words() const { return {isThere() ? words_ : nullptr, rowTexels_, sliceTexels_}; }
    /// Of an sRGB image.
    [[nodiscard]] Light light() const { return {isThere() ? light_ : nullptr, 4 * rowTexels_}; }

    // --- For who owns the image between scenes ---

    /// A scene samples the image. True: a copy is not there and would be of use.
    [[nodiscard]] bool isWanted();
    /// What make() allocates.
    [[nodiscard]] static size_t bytesFor(const Image& image);
    /// Of `image`, whose copy this is, of 32-bit elements and one sample. False: there is no memory for it.
    /// `forEachRow(count, function)` calls function(i) for all i below count.
    template <class ForEachRow>
    [[nodiscard]] bool make(const Image& image, ForEachRow&& forEachRow) {
        if (!allocate(image)) return false;
        forEachRow(rowCount(image), [&](size_t row) { copyRow(image, row); });
        scenes_.store(wait_ + 1, std::memory_order_relaxed);
        return true;
    }

private:
    static constexpr uint32_t kFirstWait = 2, kLongestWait = 1u << 16;
    static constexpr uint32_t kPaid = 16;  ///< scenes for which a copy was worth making
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(std::byte* p) const { ::operator delete[](p, kAlignment); }
    };

    [[nodiscard]] bool isThere() const { return scenes_.load(std::memory_order_relaxed) > wait_; }
    [[nodiscard]] bool allocate(const Image& image);
    [[nodiscard]] static size_t rowCount(const Image& image);
    void copyRow(const Image& image, size_t row);

    /// That sampled the image since it changed; more than wait_: the copy is there.
    std::atomic<uint32_t> scenes_ = 0;
    uint32_t wait_ = kFirstWait;  ///< longer for images that change soon again
    uint32_t used_ = 0;           ///< scenes that sampled the last copy
    int rowTexels_ = 0, sliceTexels_ = 0;
    std::unique_ptr<std::byte[], Free> memory_;
    const uint32_t* words_ = nullptr;  ///< the memory, where it holds words
    const float* light_ = nullptr;     ///< where it holds light
};

}  // namespace tessera::texture
