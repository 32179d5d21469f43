// OES_compressed_paletted_texture: a palette and, after it, the indices of a whole mip chain, base level first.
//
// Palette entries are packed as glTexImage2D takes them. Indices of four bits lie two to a byte, the first in the upper
// half; a level's indices follow each other without gaps between rows, and each level starts with a byte of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "texture/transfer/transfer.h"

namespace tessera::texture {

struct PalettedFormat {
    uint32_t internalformat;  ///< GL's enumerant
    const char* name;         ///< GL's name, without GL_ and vendor
    uint8_t indexBits;        ///< 4 or 8
    ClientFormat entryFormat;
    ClientType entryType;
    PixelFormat storage;  ///< of the decoded images
};

/// All of them, in the order of GL_COMPRESSED_TEXTURE_FORMATS.
[[nodiscard]] std::span<const PalettedFormat> palettedFormats();
/// Null when the enumerant is none of theirs.
[[nodiscard]] const PalettedFormat* palettedFormat(uint32_t internalformat);

/// Bytes of the palette and of the indices of `levels` levels, the base level being width x height.
[[nodiscard]] size_t palettedBytes(const PalettedFormat& format, int width, int height, int levels);

/// Fills the image of one level, whose format is format.storage and whose size that of the level; `data` is
/// palettedBytes() with more levels than `level`.
void decodePaletted(const PalettedFormat& format, const std::byte* data, int width, int height, int level,
                    Image& image);

}  // namespace tessera::texture
