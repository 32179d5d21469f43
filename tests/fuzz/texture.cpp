// Compressed images of any bytes, in every format, whole and in part; paletted chains; pictures of video. Nothing is
// read past the data, nothing written outside the rectangle, and each texel is what the reference decoder says.
//
// Input: format, width, height and where the rectangle starts, one byte each; then the data, repeated to fill it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/check.h"
#include "texture/codec/codec.h"
#include "texture/codec/encode.h"
#include "texture/codec/paletted.h"
#include "texture/codec/yuv.h"
#include "texture/testing/codec_reference.h"

using namespace tessera;
using namespace tessera::texture;

namespace {

struct Input {
    const uint8_t* data;
    size_t size;
    int take() {
        if (size == 0) return 0;
        --size;
        return *data++;
    }
    /// A copy that ends where its bytes end.
    [[nodiscard]] std::unique_ptr<std::byte[]> bytes(size_t count) const {
        std::unique_ptr<std::byte[]> copy(new std::byte[count]);
        for (size_t i = 0; i < count; ++i) copy[i] = size == 0 ? std::byte{0} : static_cast<std::byte>(data[i % size]);
        return copy;
    }
};

void blocks(const BlockFormat& format, Input& in) {
    const int width = in.take() % 40 + 1, height = in.take() % 40 + 1, start = in.take();
    const int x = start % 3 * format.width, y = start / 3 % 3 * format.height;
    Image image(format.storage, x + width, y + height);
    const std::unique_ptr<std::byte[]> data = in.bytes(compressedBytes(format, width, height));
    decode(format, data.get(), image, {x, y, width, height});
    if (x > 0 && holdsBytes(image.element()))
        fuzz::demand(image.texel32(x - 1, y) == 0, "texels outside stay", format.name);
    if (!holdsBytes(image.element())) return;
    if (format.family == CodecFamily::S3tc) {
        const size_t size = compressedBytes(format, image.width(), image.height());
        const std::unique_ptr<std::byte[]> again(new std::byte[size]);
        encodeS3tc(format, image, again.get());
    }
    const auto* first = reinterpret_cast<const unsigned char*>(data.get());
    for (int row = 0; row < std::min<int>(height, format.height); ++row) {
        for (int column = 0; column < std::min<int>(width, format.width); ++column) {
            const reference::Texel expected = reference::decodeTexel(format, first, column, row);
            const uint32_t texel = image.texel32(x + column, y + row);
            for (int c = 0; c < 4; ++c) {
                const double difference = (texel >> 8 * c & 255) - expected[static_cast<size_t>(c)] * 255;
                fuzz::demand(difference > -0.501 && difference < 0.501, "the reference's texel", format.name);
            }
        }
    }
}

void paletted(const PalettedFormat& format, Input& in) {
    const int width = in.take() % 40 + 1, height = in.take() % 40 + 1, levels = in.take() % 6 + 1;
    const std::unique_ptr<std::byte[]> data = in.bytes(palettedBytes(format, width, height, levels));
    for (int level = 0; level < levels; ++level) {
        Image image(format.storage, std::max(width >> level, 1), std::max(height >> level, 1));
        decodePaletted(format, data.get(), width, height, level, image);
    }
}

void video(const YuvFormat& format, Input& in) {
    const int width = in.take() % 40 + 1, height = in.take() % 40 + 1, kind = in.take();
    std::unique_ptr<std::byte[]> data[3];
    YuvPlanes planes;
    for (int i = 0; i < format.planes; ++i) {
        const YuvPlaneSize size = yuvPlaneSize(format, i, width, height);
        const size_t pitch = size.rowBytes + static_cast<size_t>(kind / 4 % 8);
        data[i] = in.bytes(pitch * static_cast<size_t>(size.rows - 1) + size.rowBytes);
        planes[static_cast<size_t>(i)] = {data[i].get(), pitch};
    }
    Image image(PixelFormat::Rgb8, width, height);
    decodeYuv(format, kind % 2 != 0 ? YuvStandard::Bt709 : YuvStandard::Bt601,
              kind / 2 % 2 != 0 ? YuvRange::Full : YuvRange::Limited, planes, image);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input in{data, size};
    auto choice = static_cast<size_t>(in.take());
    if (choice < blockFormats().size()) {
        blocks(blockFormats()[choice], in);
    } else if ((choice -= blockFormats().size()) < palettedFormats().size()) {
        paletted(palettedFormats()[choice], in);
    } else if ((choice -= palettedFormats().size()) < yuvFormats().size()) {
        video(yuvFormats()[choice], in);
    }
    return 0;
}
