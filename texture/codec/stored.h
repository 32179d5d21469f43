// What decoded images take in memory that holds them as they were specified: compressed, as indices, or as video. The
// paper's machine has its textures there so, and converts what it reads (section 2.3).
#pragma once

#include <cstdint>
#include <optional>

#include "texture/image.h"

namespace tessera::texture {

/// So many texels together take so many bytes.
struct StoredBlock {
    int width = 4, height = 4, bytes = 64;
    bool operator==(const StoredBlock&) const = default;
};

/// `storedAs`: TextureView::storedAs, not 0; `storage`: the images' format. Nothing when no format of that name decodes
/// to it. Of palettes the indices count, of video all components of the texels.
[[nodiscard]] std::optional<StoredBlock> storedBlock(uint32_t storedAs, PixelFormat storage);

/// Bytes of a texel of a format that is stored as it is: its bits, rounded up to a power of two.
[[nodiscard]] int storedTexelBytes(PixelFormat format);

}  // namespace tessera::texture
