#include "texture/codec/stored.h"

#include <algorithm>
#include <bit>

#include "texture/codec/codec.h"
#include "texture/codec/paletted.h"
#include "texture/codec/yuv.h"

namespace tessera::texture {

std::optional<StoredBlock> storedBlock(uint32_t storedAs, PixelFormat storage) {
    constexpr int kTexels = 16;
    if (const BlockFormat* format = blockFormat(storedAs); format && format->storage == storage)
        return StoredBlock{format->width, format->height, format->bytes};
    if (const PalettedFormat* format = palettedFormat(storedAs); format && format->storage == storage)
        return StoredBlock{4, 4, kTexels * format->indexBits / 8};
    if (const YuvFormat* format = yuvFormat(storedAs); format && storage == PixelFormat::Rgb8) {
        int bytes = 0;
        for (const YuvComponent* one : {&format->y, &format->cb, &format->cr})
            bytes += kTexels >> (one->shiftX + one->shiftY);
        return StoredBlock{4, 4, bytes};
    }
    return std::nullopt;
}

int storedTexelBytes(PixelFormat format) {
    const FormatInfo& info = formatInfo(format);
    const int bits = info.red + info.green + info.blue + info.alpha + info.luminance + info.depth + info.stencil;
    const int whole = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(bits, 8)))) / 8;
    return std::min(whole, elementBytes(info.element));
}

}  // namespace tessera::texture
