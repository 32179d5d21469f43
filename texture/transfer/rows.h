// Rows of pixels on their way between client memory and images.
//
// Every transfer goes through a short run of pixels in a plain array: RGBA8 words for images that hold bytes, depth
// words (the D24S8 element) for depth images, four numbers for all others and all mixed cases. One half of this room
// converts between client layouts and such rows, the other moves rows in and out of 4x4 blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture/image.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

/// Pixels handled at a time; a multiple of 16, so that vector loops may run past the count but not past the row.
inline constexpr int kRowPixels = 256;

struct alignas(64) WordRow {
    uint32_t pixel[kRowPixels] = {};
};
/// Floats; of integer images and layouts the bits of integers.
struct alignas(64) NumberRow {
    float pixel[kRowPixels][4] = {};
};

/// How the pixels of a client layout are best carried.
enum class Carrier : uint8_t { Invalid, Words, Depth, Floats, Integers };
[[nodiscard]] Carrier carrierOf(ClientFormat format, ClientType type);
/// Of a layout of integers.
[[nodiscard]] bool isSigned(ClientType type);

// Client memory to rows and back; count <= kRowPixels; client memory may be unaligned and is not touched beyond
// `count` pixels. The row's tail beyond `count` may be overwritten.
void loadWords(ClientLayout layout, const std::byte* client, WordRow& row, int count);
void storeWords(ClientLayout layout, const WordRow& row, std::byte* client, int count);
void loadDepth(ClientLayout layout, const std::byte* client, WordRow& row, int count);
void storeDepth(ClientLayout layout, const WordRow& row, std::byte* client, int count);
void loadFloats(ClientLayout layout, const std::byte* client, NumberRow& row, int count);
void storeFloats(ClientLayout layout, const NumberRow& row, std::byte* client, int count);
void loadIntegers(ClientLayout layout, const std::byte* client, NumberRow& row, int count);
/// Integers of the row are signed as those of the layout are.
void storeIntegers(ClientLayout layout, const NumberRow& row, std::byte* client, int count);
/// Depth as floats, with stencil as an integer in the second channel.
void loadDepthFloats(ClientLayout layout, const std::byte* client, NumberRow& row, int count);
void storeDepthFloats(ClientLayout layout, const NumberRow& row, std::byte* client, int count);

/// Colour words to floats and back (clamped to 0..1, rounded to nearest; NaN gives 0).
void wordsToFloats(const WordRow& words, NumberRow& floats, int count);
void floatsToWords(const NumberRow& floats, WordRow& words, int count);

/// Makes the pixels what an image of the format holds: see conform() in convert.h.
void conformWords(PixelFormat format, WordRow& row, int count);
void conformDepth(PixelFormat format, WordRow& row, int count);
/// The same of colours that are no depth.
void conformNumbers(PixelFormat format, NumberRow& row, int count);

/// Whether pixels of one image can become those of another.
[[nodiscard]] bool canConvert(const Image& from, const Image& to);
/// Whether they are words that do so as words: conformed, of both images' bytes or depth, or as they are.
[[nodiscard]] bool convertsByWords(const Image& from, const Image& to);

/// `count` pixels of image row y from x on, of a 32-bit image. Reading resolves a multisample image.
void readImageWords(const Image& image, int x, int y, WordRow& row, int count);
void writeImageWords(Image& image, int x, int y, const WordRow& row, int count);
/// The same straight from and to client memory that holds the image's own elements.
void readImageRaw(const Image& image, int x, int y, std::byte* client, int count);
void writeImageRaw(Image& image, int x, int y, const std::byte* client, int count);
/// The same of an image of any element, as numbers: sRGB codes as if they were none, depth as luminance. What is
/// written is conformed; of a depth image the depth alone is.
void readImageNumbers(const Image& image, int x, int y, NumberRow& row, int count);
void writeImageNumbers(Image& image, int x, int y, NumberRow& row, int count);
/// As loadDepthFloats() has them, of an image of single precision.
void readDepthFloats(const Image& image, int x, int y, NumberRow& row, int count);
void writeDepthFloats(Image& image, int x, int y, const NumberRow& row, int count, bool withStencil);

/// The same of one sample's plane; for the second, of an image that does not hold bytes.
void readSampleWords(const Image& image, int sample, int x, int y, WordRow& row, int count);
void readSampleNumbers(const Image& image, int sample, int x, int y, NumberRow& row, int count);

/// The resolve of resolve.cpp for rows of a multisample image.
void resolveWordRow(const Image& image, int x, int y, WordRow& row, int count);
void resolveNumberRow(const Image& image, int x, int y, NumberRow& row, int count);

}  // namespace tessera::texture
