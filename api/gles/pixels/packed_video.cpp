#include "api/gles/pixels/packed_video.h"

#include "api/gles/pixels/pixel_transfer.h"
#include "texture/codec/yuv.h"

namespace tessera::gles {

std::vector<std::byte> unpackVideo(const PixelTransfer& transfer, int width, int height, const PixelStore& store,
                                   const void* pixels) {
    const ClientRows rows = clientRows(transfer, {width, height}, store);
    const auto* client = static_cast<const std::byte*>(pixels) + rows.offset;
    // In the 16-bit word of a texel the luminance is the upper byte, for the reversed type the lower one.
    const size_t luminance = transfer.type == GL_UNSIGNED_SHORT_8_8_REV_APPLE ? 0 : 1, difference = 1 - luminance;
    const bool isRaw = transfer.format == GL_RGB_422_APPLE;
    std::vector<std::byte> rgb(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
    std::byte* to = rgb.data();
    for (int row = 0; row < height; ++row) {
        const std::byte* from = client + static_cast<size_t>(row) * rows.stride;
        for (int x = 0; x < width; ++x) {
            const std::byte* pair = from + static_cast<size_t>(x / 2) * 4;
            const std::byte y = pair[static_cast<size_t>(x % 2) * 2 + luminance];
            const std::byte cb = pair[difference], cr = pair[2 + difference];
            if (isRaw) {
                *to++ = cr, *to++ = y, *to++ = cb;
                continue;
            }
            const uint32_t color = texture::yuvToRgb(texture::YuvStandard::Bt601, texture::YuvRange::Limited,
                                                     static_cast<int>(y), static_cast<int>(cb), static_cast<int>(cr));
            for (int c = 0; c < 3; ++c) *to++ = static_cast<std::byte>(color >> 8 * c);
        }
    }
    return rgb;
}

}  // namespace tessera::gles
