// Rows of pixels on their way between client memory and images.
//
// Every transfer goes through a short run of pixels in a plain array: RGBA8 words for Rgba8 images, depth words
// (the D24S8 element) for depth images, four floats for float images and all mixed cases. One half of this room
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
struct alignas(64) FloatRow {
    float pixel[kRowPixels][4] = {};
};

/// How the pixels of a client layout are best carried.
enum class Carrier : uint8_t { Invalid, Words, Depth, Floats };
[[nodiscard]] Carrier carrierOf(ClientFormat format, ClientType type);

// Client memory to rows and back; count <= kRowPixels; client memory may be unaligned and is not touched beyond
// `count` pixels. The row's tail beyond `count` may be overwritten.
void loadWords(ClientLayout layout, const std::byte* client, WordRow& row, int count);
void storeWords(ClientLayout layout, const WordRow& row, std::byte* client, int count);
void loadDepth(ClientLayout layout, const std::byte* client, WordRow& row, int count);
void storeDepth(ClientLayout layout, const WordRow& row, std::byte* client, int count);
void loadFloats(ClientLayout layout, const std::byte* client, FloatRow& row, int count);
void storeFloats(ClientLayout layout, const FloatRow& row, std::byte* client, int count);

/// Colour words to floats and back (clamped to 0..1, rounded to nearest; NaN gives 0).
void wordsToFloats(const WordRow& words, FloatRow& floats, int count);
void floatsToWords(const FloatRow& floats, WordRow& words, int count);
/// Depth words as luminance.
void depthToFloats(const WordRow& words, FloatRow& floats, int count);

/// Makes the pixels what an image of the format holds: see conform() in convert.h.
void conformWords(PixelFormat format, WordRow& row, int count);
void conformDepth(PixelFormat format, WordRow& row, int count);
void conformFloats(PixelFormat format, FloatRow& row, int count);

/// `count` pixels of image row y from x on, of a 32-bit image. Reading resolves a multisample image.
void readImageWords(const Image& image, int x, int y, WordRow& row, int count);
void writeImageWords(Image& image, int x, int y, const WordRow& row, int count);
/// The same straight from and to client memory that holds the image's own elements.
void readImageRaw(const Image& image, int x, int y, std::byte* client, int count);
void writeImageRaw(Image& image, int x, int y, const std::byte* client, int count);
/// The same of an image of any element, as floats. Writing needs a float image.
void readImageFloats(const Image& image, int x, int y, FloatRow& row, int count);
void writeImageFloats(Image& image, int x, int y, const FloatRow& row, int count);

/// The same of one sample's plane; float images for the second.
void readSampleWords(const Image& image, int sample, int x, int y, WordRow& row, int count);
void readSampleFloats(const Image& image, int sample, int x, int y, FloatRow& row, int count);

/// The resolve of resolve.cpp for rows of a multisample image.
void resolveWordRow(const Image& image, int x, int y, WordRow& row, int count);
void resolveFloatRow(const Image& image, int x, int y, FloatRow& row, int count);

}  // namespace tessera::texture
