// Compression of S3TC blocks, for applications that leave it to the driver (EXT_texture_compression_s3tc).
#pragma once

#include <cstddef>
#include <cstdint>

#include "texture/codec/codec.h"

namespace tessera::texture {

/// Encodes sixteen RGBA8 texels, row by row, as one block of format.bytes bytes. The format is of CodecFamily::S3tc.
/// Colours are fitted to the diagonal of the box around them, in integers: the same block everywhere. DXT1 with alpha
/// makes texels of alpha below 128 transparent black.
void encodeS3tc(const BlockFormat& format, const uint32_t (&texels)[16], std::byte* block);

/// The image's texels as compressedBytes(format, width, height) bytes; edge blocks repeat the last row and column. The
/// image is of 32-bit colours.
void encodeS3tc(const BlockFormat& format, const Image& image, std::byte* blocks);

}  // namespace tessera::texture
