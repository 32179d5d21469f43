// Compressed formats: blocks of bytes that become texels. One table says what there is; what knows a format by name
// (upload, queries, tools, documentation, tests) reads it from there.
//
// Sources: Khronos Data Format specification 1.3 (S3TC, RGTC, BPTC, ETC1, ETC2 and EAC, ASTC); the OpenGL ES extensions
// that the formats' names come from. docs/sampling.md, "Compressed formats", says how results are rounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "texture/image.h"
#include "texture/transfer/transfer.h"

namespace tessera::texture {

enum class CodecFamily : uint8_t { Etc1, Etc2, S3tc, Rgtc, Bptc, Astc };

/// One compressed format.
struct BlockFormat {
    /// Writes width * height elements of `storage`, row by row, the first row first: for Rgba8 elements R in the lowest
    /// byte, for Rgba16F four halves. Defined for every bit pattern of the block.
    using Decode = void (*)(const BlockFormat& format, const std::byte* block, std::byte* elements);

    uint32_t internalformat;  ///< GL's enumerant
    const char* name;         ///< GL's name, without GL_ and vendor
    CodecFamily family;
    uint8_t width, height;  ///< texels of a block
    uint8_t bytes;          ///< of a block
    PixelFormat storage;    ///< of the decoded image
    Decode decode;

    [[nodiscard]] bool isSrgb() const { return formatInfo(storage).srgb(); }
};

inline constexpr int kMaxBlockTexels = 12 * 12;

/// All of them, in the order of GL_COMPRESSED_TEXTURE_FORMATS.
[[nodiscard]] std::span<const BlockFormat> blockFormats();
/// Null when the enumerant is none of theirs.
[[nodiscard]] const BlockFormat* blockFormat(uint32_t internalformat);

/// Bytes of an image of width x height texels; blocks at the right and top edges are whole.
[[nodiscard]] size_t compressedBytes(const BlockFormat& format, int width, int height);

/// Decodes one block: elements as BlockFormat::Decode says, space for kMaxBlockTexels of them is enough.
void decodeBlock(const BlockFormat& format, const std::byte* block, std::byte* elements);

/// Decodes compressedBytes(format, rect.width, rect.height) bytes into `rect` of the image, the first row of blocks at
/// rect.y. The rectangle lies inside the image, whose format is format.storage; nothing outside it is changed.
void decode(const BlockFormat& format, const std::byte* blocks, Image& image, Rect rect);

}  // namespace tessera::texture
