// The light of an sRGB image, decoded: a copy that lookups filter, kept beside the image (docs/adr/0030). A filtered
// lookup of sixteen lanes decodes 192 codes, each a load out of a table, and most texels are looked up many times.
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

class LightCopy {
public:
    /// Rows of texels, each four floats: light in 1 / 255, and alpha as it is. After the last column and after the last
    /// row comes the first one again.
    struct Rows {
        const float* texel;
        int rowFloats;  ///< from one row to the next
    };

    LightCopy() = default;
    /// An image that takes over another's memory starts without.
    LightCopy(LightCopy&&) noexcept {}
    LightCopy& operator=(LightCopy&&) noexcept {
        forget();
        return *this;
    }

    /// The image changes. Any thread.
    void forget() {
        if (scenes_.load(std::memory_order_relaxed) != 0) scenes_.store(0, std::memory_order_relaxed);
    }
    /// Whether there is one, and where: rows().texel is null if not.
    [[nodiscard]] Rows rows() const {
        const bool isThere = scenes_.load(std::memory_order_relaxed) > wait_;
        return {isThere ? memory_.get() : nullptr, rowFloats_};
    }

    // ---- For who owns the image between scenes

    /// A scene samples the image. True: a copy is not there and would be of use.
    [[nodiscard]] bool isWanted();
    /// What make() allocates.
    [[nodiscard]] static size_t bytesFor(const Image& image);
    /// Of `image`, whose copy this is. False: there is no memory for it. `forEachRow(count, function)` calls
    /// function(i) for all i below count.
    template <class ForEachRow>
    [[nodiscard]] bool make(const Image& image, ForEachRow&& forEachRow) {
        if (!allocate(image)) return false;
        forEachRow(rowCount(image), [&](size_t row) { decodeRow(image, row); });
        scenes_.store(wait_ + 1, std::memory_order_relaxed);
        return true;
    }

private:
    static constexpr uint32_t kFirstWait = 2, kLongestWait = 1u << 16;
    static constexpr uint32_t kPaid = 16;  ///< scenes for which a copy was worth making
    struct Free {
        void operator()(float* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };

    [[nodiscard]] bool allocate(const Image& image);
    [[nodiscard]] static size_t rowCount(const Image& image);
    void decodeRow(const Image& image, size_t row);

    /// That sampled the image since it changed; more than wait_: the copy is there.
    std::atomic<uint32_t> scenes_ = 0;
    uint32_t wait_ = kFirstWait;  ///< longer for images that change soon again
    uint32_t used_ = 0;           ///< scenes that sampled the last copy
    int rowFloats_ = 0;
    std::unique_ptr<float[], Free> memory_;
};

}  // namespace tessera::texture
