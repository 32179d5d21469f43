#include "present/scan_out.h"

#include <algorithm>
#include <cstring>

namespace tessera::present {

void scanOut(const texture::Image& image, std::byte* pixels, size_t pitch, int width, int height, PixelLayout layout) {
    int columns = std::min(width, image.width());
    int rows = std::min(height, image.height());
    for (int row = 0; row < rows; ++row) {
        int y = image.height() - 1 - row;
        std::byte* out = pixels + static_cast<size_t>(row) * pitch;
        for (int x = 0; x < columns; x += 4) {
            const uint32_t* texels = image.block32(x >> 2, y >> 2) + (y & 3) * 4;
            uint32_t packed[4];
            for (int i = 0; i < 4; ++i) {
                uint32_t rgba = texels[i];
                packed[i] = (rgba & 0xFF) << layout.redShift | (rgba >> 8 & 0xFF) << layout.greenShift |
                            (rgba >> 16 & 0xFF) << layout.blueShift | layout.alphaMask;
            }
            std::memcpy(out + static_cast<size_t>(x) * 4, packed, sizeof(uint32_t) * std::min(4, columns - x));
        }
    }
}

}  // namespace tessera::present
