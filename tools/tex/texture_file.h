// Textures in files: KTX 1 and DDS as they are, PNG and JPEG as one level. What a file holds is described before it is
// decoded, so that anything can be inspected.
//
// Sources: Khronos KTX file format specification, version 1; Microsoft's "Programming Guide for DDS" with DDS_HEADER
// and DDS_HEADER_DXT10. A reader takes no byte on trust: what does not fit is refused with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "texture/codec/codec.h"
#include "texture/image.h"

namespace tessera::tools {

/// A level's bytes in the file, and how many texels they are.
struct TextureFileLevel {
    int width = 0, height = 0, depth = 1;
    size_t offset = 0, bytes = 0;  ///< of the whole level: all slices of a face
};

/// How texels are stored: blocks of a codec, or pixels as glTexImage2D takes them.
struct TexelLayout {
    std::string name;  ///< as the file's format calls it
    const texture::BlockFormat* blocks = nullptr;
    texture::ClientLayout client;  ///< without blocks; rowStride is the alignment's affair
    int rowAlignment = 1;
    texture::PixelFormat storage = texture::PixelFormat::Rgba8;  ///< what it becomes
};

struct TextureFile {
    std::string container;  ///< "KTX 1", "DDS", "PNG", "JPEG"
    TexelLayout layout;
    int faces = 1;  ///< 1, or 6 for a cube map, in GL's order
    bool topRowFirst = true;
    std::vector<std::vector<TextureFileLevel>> levels;  ///< [face][level]; at least one of each
    std::vector<std::string> notes;                     ///< metadata, one line each
};

/// False and what is wrong, with an offset, unless the bytes are a KTX 1 or DDS file whose texels are all there.
[[nodiscard]] bool parseTextureFile(std::span<const std::byte> bytes, TextureFile& file, std::string& error);

/// Eight bits for each of R, G, B, A of one slice; row 0 is the file's first row.
struct Texels {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;
};
/// 0 <= face < faces, level and slice in range. Float channels are clamped to 0..1.
[[nodiscard]] Texels decodeLevel(std::span<const std::byte> bytes, const TextureFile& file, int face, int level,
                                 int slice);

/// Levels by box filter down to 1 x 1 (texture/transfer/transfer.h).
[[nodiscard]] std::vector<Texels> mipChain(const Texels& base);

/// [face][level], all RGBA bytes, as files.
using TexelChains = std::vector<std::vector<Texels>>;
[[nodiscard]] std::string writeKtx(const TexelChains& faces);
[[nodiscard]] std::string writeDds(const TexelChains& faces);

}  // namespace tessera::tools
