// Image: one two-dimensional plane of pixels stored as 4x4 blocks. Texture levels, colour buffers and
// depth/stencil buffers are all images, so rendering to a texture needs no conversion.
//
// A block of 32-bit elements is 64 bytes: one cache line, and the paper's texture-cache line (section 2.3).
// Blocks are row-major over the image, elements row-major in the block. Row 0 is the bottom row of GL
// (t = 0; window y = 0). Sizes that are no multiple of four are padded; padding is never visible.
//
// A multisample image has one such plane for each sample, one after the other: plane 0 is an ordinary image, and
// code that knows nothing of samples sees it alone. Transfers out of a multisample image resolve it (transfer.h).
//
// A volume (a level of a 3D texture, or of a 2D array) has planes in the same way, one for each slice or layer; a slice
// can be had as an image of its own, which shares the volume's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "texture/element.h"
#include "texture/row_copy.h"
#include "texture/tile_values.h"

namespace tessera::texture {

/// What the pixels mean to GL: which channels exist and at what precision. Values are kept expanded in the
/// element: a 5-bit red of 31 is stored as 255, a missing alpha as 255, luminance in R, G and B. A channel that the
/// element has and the format has not is 0, alpha 1.
enum class PixelFormat : uint8_t {
    None,
    Rgba8,
    Rgb8,
    Rgba4,
    Rgb5A1,
    Rgb565,
    Alpha8,
    Luminance8,
    LuminanceAlpha8,
    Bgra8,
    Depth16,
    Depth24,
    Depth24Stencil8,
    Stencil8,
    Rgba16F,
    Rgb16F,
    Alpha16F,
    Luminance16F,
    LuminanceAlpha16F,
    Rgba32F,
    Rgb32F,
    Alpha32F,
    Luminance32F,
    LuminanceAlpha32F,
    R8,
    Rg8,
    R16F,
    Rg16F,
    R32F,
    Rg32F,
    Srgb8,  ///< red, green and blue are encoded (srgb.h); sampling and blending decode them
    Srgb8Alpha8,
    R8Snorm,
    Rg8Snorm,
    Rgb8Snorm,
    Rgba8Snorm,
    R8Uint,
    Rg8Uint,
    Rgb8Uint,
    Rgba8Uint,
    R8Sint,
    Rg8Sint,
    Rgb8Sint,
    Rgba8Sint,
    R16Uint,
    Rg16Uint,
    Rgb16Uint,
    Rgba16Uint,
    R16Sint,
    Rg16Sint,
    Rgb16Sint,
    Rgba16Sint,
    R32Uint,
    Rg32Uint,
    Rgb32Uint,
    Rgba32Uint,
    R32Sint,
    Rg32Sint,
    Rgb32Sint,
    Rgba32Sint,
    Rgb10A2,
    Rgb10A2Uint,
    R11G11B10F,
    Rgb9E5,
    Depth32F,
    Depth32FStencil8,
    R16,
    Rg16,
    Rgb16,
    Rgba16,
    R16Snorm,
    Rg16Snorm,
    Rgb16Snorm,
    Rgba16Snorm,
    Sr8,
    Srg8,
};

inline constexpr int kPixelFormats = static_cast<int>(PixelFormat::Srg8) + 1;

struct FormatInfo {
    PixelFormat format;
    const char* name;
    Element element;
    uint8_t red, green, blue, alpha, luminance, depth, stencil;  ///< bits
    bool renderable;                                             ///< may be a framebuffer attachment
    /// Colours, not alpha, are sRGB-encoded.
    [[nodiscard]] constexpr bool srgb() const { return isSrgb(element); }
};
[[nodiscard]] const FormatInfo& formatInfo(PixelFormat format);

inline constexpr int kMaxDepth = 512;    ///< slices of a level of a 3D texture
inline constexpr int kMaxLayers = 2048;  ///< of a 2D array, which are slices too
inline constexpr int kMaxSamples = 4;    ///< of a multisample image; there is no other number but 1

class Image {
public:
    /// Contents are zero. 1 <= width, height <= 16384; samples is 1 or kMaxSamples; 1 <= depth <= kMaxLayers, with
    /// samples 1. Throws std::bad_alloc when memory is out, and for images of 2^31 words and more.
    Image(PixelFormat format, int width, int height, int samples = 1, int depth = 1);
    /// Plane z of the image, a slice of a volume or a sample, 0 <= z < depth() or samples(): its memory, and a share in
    /// keeping it.
    Image(std::shared_ptr<Image> whole, int z);

    [[nodiscard]] PixelFormat format() const { return format_; }
    [[nodiscard]] Element element() const { return element_; }
    [[nodiscard]] int width() const { return width_; }
    [[nodiscard]] int height() const { return height_; }
    [[nodiscard]] int blocksWide() const { return blocksWide_; }
    [[nodiscard]] int blocksHigh() const { return blocksHigh_; }
    [[nodiscard]] int samples() const { return samples_; }
    [[nodiscard]] int depth() const { return depth_; }               ///< slices of a volume; else 1
    [[nodiscard]] size_t planeBytes() const { return planeBytes_; }  ///< of one sample or slice
    [[nodiscard]] size_t byteCount() const { return planeBytes_ * samples_ * depth_; }
    /// The image whose memory this one is part of: that of a plane, else itself.
    [[nodiscard]] const Image& whole() const { return whole_ != nullptr ? *whole_ : *this; }

    /// First byte of block (bx, by); 64-byte aligned. What may be written through makes the tiles unknown, and forgets
    /// the row copy.
    [[nodiscard]] std::byte* block(int bx, int by) {
        tiles_.forget();
        forgetRows();
        return first_ + blockOffset(bx, by);
    }
    [[nodiscard]] const std::byte* block(int bx, int by) const { return first_ + blockOffset(bx, by); }
    /// The same of one sample's plane, 0 <= sample < samples().
    [[nodiscard]] std::byte* sampleBlock(int sample, int bx, int by) { return block(bx, by) + sample * planeBytes_; }
    [[nodiscard]] const std::byte* sampleBlock(int sample, int bx, int by) const {
        return block(bx, by) + sample * planeBytes_;
    }
    [[nodiscard]] uint32_t* block32(int bx, int by) { return reinterpret_cast<uint32_t*>(block(bx, by)); }
    [[nodiscard]] const uint32_t* block32(int bx, int by) const {
        return reinterpret_cast<const uint32_t*>(block(bx, by));
    }

    /// One element of a 32-bit image; slow, for tests and edges. 0 <= x < width, 0 <= y < height.
    [[nodiscard]] uint32_t texel32(int x, int y) const { return block32(x >> 2, y >> 2)[(y & 3) * 4 + (x & 3)]; }
    void setTexel32(int x, int y, uint32_t value) { block32(x >> 2, y >> 2)[(y & 3) * 4 + (x & 3)] = value; }

    /// For the tile rasteriser: all blocks, and what it knows of the tiles, which it keeps up to date.
    [[nodiscard]] std::byte* tileBlocks() {
        forgetRows();
        return first_;
    }
    [[nodiscard]] TileValues& tiles() { return tiles_; }

    /// Of an image that is no plane of another.
    [[nodiscard]] RowCopy& rows() { return rows_; }
    [[nodiscard]] const RowCopy& rows() const { return rows_; }

private:
    size_t blockOffset(int bx, int by) const {
        return (static_cast<size_t>(by) * blocksWide_ + bx) * (16u << elementShift_);
    }
    void forgetRows() {
        rows_.forget();
        if (whole_ != nullptr) whole_->rows_.forget();
    }
    struct Free {
        void operator()(std::byte* p) const;
    };
    PixelFormat format_;
    Element element_;
    uint8_t elementShift_;  ///< log2 of the element's bytes
    int width_, height_, blocksWide_, blocksHigh_, samples_, depth_;
    size_t planeBytes_;
    std::unique_ptr<std::byte[], Free> data_;  ///< null in a plane
    std::shared_ptr<Image> whole_;             ///< of a plane
    std::byte* first_;
    TileValues tiles_;  ///< in a plane: never any
    RowCopy rows_;
};

using ImagePtr = std::shared_ptr<Image>;

}  // namespace tessera::texture
