#include "texture/codec/paletted.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"

namespace tessera::texture {

namespace {

// clang-format off
constexpr PalettedFormat kFormats[] = {
    {0x8B90, "PALETTE4_RGB8",     4, ClientFormat::Rgb,  ClientType::U8,       PixelFormat::Rgb8},
    {0x8B91, "PALETTE4_RGBA8",    4, ClientFormat::Rgba, ClientType::U8,       PixelFormat::Rgba8},
    {0x8B92, "PALETTE4_R5_G6_B5", 4, ClientFormat::Rgb,  ClientType::U16_565,  PixelFormat::Rgb565},
    {0x8B93, "PALETTE4_RGBA4",    4, ClientFormat::Rgba, ClientType::U16_4444, PixelFormat::Rgba4},
    {0x8B94, "PALETTE4_RGB5_A1",  4, ClientFormat::Rgba, ClientType::U16_5551, PixelFormat::Rgb5A1},
    {0x8B95, "PALETTE8_RGB8",     8, ClientFormat::Rgb,  ClientType::U8,       PixelFormat::Rgb8},
    {0x8B96, "PALETTE8_RGBA8",    8, ClientFormat::Rgba, ClientType::U8,       PixelFormat::Rgba8},
    {0x8B97, "PALETTE8_R5_G6_B5", 8, ClientFormat::Rgb,  ClientType::U16_565,  PixelFormat::Rgb565},
    {0x8B98, "PALETTE8_RGBA4",    8, ClientFormat::Rgba, ClientType::U16_4444, PixelFormat::Rgba4},
    {0x8B99, "PALETTE8_RGB5_A1",  8, ClientFormat::Rgba, ClientType::U16_5551, PixelFormat::Rgb5A1},
};
// clang-format on

size_t paletteBytes(const PalettedFormat& format) {
    return (size_t{1} << format.indexBits) *
           static_cast<size_t>(clientPixelBytes(format.entryFormat, format.entryType));
}

size_t indexBytes(const PalettedFormat& format, int width, int height, int level) {
    const auto texels = static_cast<size_t>(std::max(width >> level, 1)) * std::max(height >> level, 1);
    return (texels * format.indexBits + 7) / 8;
}

}  // namespace

std::span<const PalettedFormat> palettedFormats() { return kFormats; }

const PalettedFormat* palettedFormat(uint32_t internalformat) {
    const auto* it = std::find_if(std::begin(kFormats), std::end(kFormats),
                                  [=](const PalettedFormat& f) { return f.internalformat == internalformat; });
    return it == std::end(kFormats) ? nullptr : it;
}

size_t palettedBytes(const PalettedFormat& format, int width, int height, int levels) {
    size_t bytes = paletteBytes(format);
    for (int level = 0; level < levels; ++level) bytes += indexBytes(format, width, height, level);
    return bytes;
}

void decodePaletted(const PalettedFormat& format, const std::byte* data, int width, int height, int level,
                    Image& image) {
    CHECK(image.format() == format.storage);
    CHECK_EQ(image.width(), std::max(width >> level, 1));
    CHECK_EQ(image.height(), std::max(height >> level, 1));
    const int entries = 1 << format.indexBits;
    Image palette(format.storage, entries, 1);
    upload(palette, {0, 0, entries, 1}, data, {format.entryFormat, format.entryType, paletteBytes(format)});
    uint32_t colors[256];
    for (int i = 0; i < entries; ++i) colors[i] = palette.texel32(i, 0);

    const std::byte* indices = data + palettedBytes(format, width, height, level);
    size_t texel = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x, ++texel) {
            const auto byte = static_cast<unsigned>(indices[format.indexBits == 8 ? texel : texel / 2]);
            const unsigned index = format.indexBits == 8 ? byte : texel % 2 == 0 ? byte >> 4 : byte & 15;
            image.setTexel32(x, y, colors[index]);
        }
    }
}

}  // namespace tessera::texture
