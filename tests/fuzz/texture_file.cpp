// Texture files (tools/tex/texture_file.h): whatever the bytes, the readers refuse them with a place or decode them.
#include "tools/tex/texture_file.h"

#include <cstdlib>

using namespace tessera;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    tools::TextureFile file;
    std::string error;
    if (!tools::parseTextureFile(bytes, file, error)) {
        if (!error.starts_with("at byte ")) std::abort();
        return 0;
    }
    for (int face = 0; face < file.faces; ++face) {
        const auto& levels = file.levels[static_cast<size_t>(face)];
        for (size_t level = 0; level < levels.size(); ++level) {
            const tools::Texels texels =
                tools::decodeLevel(bytes, file, face, static_cast<int>(level), levels[level].depth - 1);
            if (texels.rgba.size() != static_cast<size_t>(texels.width) * texels.height * 4) std::abort();
        }
    }
    return 0;
}
