// Uploads, read back, copies and fills, row by row over runs of kRowPixels pixels (rows.h); whole blocks
// between client memory and images by the functions of blocks.h.
#include "texture/transfer/transfer.h"

#include <algorithm>

#include "base/simd.h"
#include "texture/convert.h"
#include "texture/transfer/blocks.h"
#include "texture/transfer/rows.h"

namespace tessera::texture {

namespace {

/// Calls use(x, count) for each run of a row.
template <class Use>
void forEachRun(int width, Use use) {
    for (int x = 0; x < width; x += kRowPixels) use(x, std::min(kRowPixels, width - x));
}

/// Writes depth words: all bits, or the depth alone when the client gave no stencil.
void writeDepth(Image& image, int x, int y, WordRow& row, int count, ClientFormat format) {
    conformDepth(image.format(), row, count);
    if (format == ClientFormat::Depth) {
        WordRow old;
        readImageWords(image, x, y, old, count);
        for (int i = 0; i < count; ++i) row.pixel[i] = (row.pixel[i] & 0xFFFFFF00u) | (old.pixel[i] & 0xFFu);
    }
    writeImageWords(image, x, y, row, count);
}

/// The client's pixels are the image's elements as they stand.
bool isRaw(const Image& image, ClientLayout layout) {
    const auto is = [&](PixelFormat stored, ClientFormat format, ClientType type) {
        return image.format() == stored && layout.format == format && layout.type == type;
    };
    return image.samples() == 1 && (is(PixelFormat::Rgba8, ClientFormat::Rgba, ClientType::U8) ||
                                    is(PixelFormat::Rgba16, ClientFormat::Rgba, ClientType::U16) ||
                                    is(PixelFormat::Rg16, ClientFormat::Rg, ClientType::U16) ||
                                    is(PixelFormat::Rgb10A2, ClientFormat::Rgba, ClientType::U2_10_10_10Rev) ||
                                    is(PixelFormat::R11G11B10F, ClientFormat::Rgb, ClientType::U10F_11F_11FRev) ||
                                    is(PixelFormat::Rgb9E5, ClientFormat::Rgb, ClientType::U5_9_9_9Rev));
}

void uploadRun(Image& image, int x, int y, const std::byte* client, ClientLayout layout, int count) {
    if (isRaw(image, layout)) return writeImageRaw(image, x, y, client, count);
    const Carrier carrier = carrierOf(layout.format, layout.type);
    if (carrier == Carrier::Depth && isFloat(image.element())) {
        NumberRow depths;
        loadDepthFloats(layout, client, depths, count);
        writeDepthFloats(image, x, y, depths, count, layout.format == ClientFormat::DepthStencil);
    } else if (carrier == Carrier::Depth) {
        WordRow words;
        loadDepth(layout, client, words, count);
        writeDepth(image, x, y, words, count, layout.format);
    } else if (holdsBytes(image.element()) && carrier == Carrier::Words) {
        WordRow words;
        loadWords(layout, client, words, count);
        conformWords(image.format(), words, count);
        writeImageWords(image, x, y, words, count);
    } else {
        NumberRow numbers;
        carrier == Carrier::Integers ? loadIntegers(layout, client, numbers, count)
                                     : loadFloats(layout, client, numbers, count);
        writeImageNumbers(image, x, y, numbers, count);
    }
}

void readBackRun(const Image& image, int x, int y, std::byte* client, ClientLayout layout, int count) {
    if (isRaw(image, layout)) return readImageRaw(image, x, y, client, count);
    const Carrier carrier = carrierOf(layout.format, layout.type);
    if (carrier == Carrier::Depth && isFloat(image.element())) {
        NumberRow depths;
        readDepthFloats(image, x, y, depths, count);
        storeDepthFloats(layout, depths, client, count);
    } else if (carrier == Carrier::Depth) {
        WordRow words;
        readImageWords(image, x, y, words, count);
        storeDepth(layout, words, client, count);
    } else if (holdsBytes(image.element()) && carrier == Carrier::Words) {
        WordRow words;
        readImageWords(image, x, y, words, count);
        conformWords(image.format(), words, count);
        storeWords(layout, words, client, count);
    } else {
        NumberRow numbers;
        readImageNumbers(image, x, y, numbers, count);
        if (!isDepth(image.element())) conformNumbers(image.format(), numbers, count);
        carrier == Carrier::Integers ? storeIntegers(layout, numbers, client, count)
                                     : storeFloats(layout, numbers, client, count);
    }
}

/// Integers are of the image's kind; depth and colours are no integers.
bool holdsIntegersOf(const Image& image, Carrier carrier, ClientType type) {
    if (carrier != Carrier::Integers) return !isInteger(image.element());
    return elementInfo(image.element()).number == (isSigned(type) ? Number::Sint : Number::Uint);
}
/// Colours and depth do not mix on the way in; a depth image can be read as luminance.
bool canUpload(const Image& image, ClientLayout layout) {
    const Carrier carrier = carrierOf(layout.format, layout.type);
    if (carrier == Carrier::Invalid || layout.format == ClientFormat::Stencil || image.samples() != 1) return false;
    return (carrier == Carrier::Depth) == isDepth(image.element()) && holdsIntegersOf(image, carrier, layout.type);
}
bool canReadBack(const Image& image, ClientLayout layout) {
    const Carrier carrier = carrierOf(layout.format, layout.type);
    if (carrier == Carrier::Invalid) return false;
    return (carrier != Carrier::Depth || isDepth(image.element())) && holdsIntegersOf(image, carrier, layout.type);
}

void copyRun(const Image& from, int fromX, int fromY, Image& to, int x, int y, int count) {
    if (convertsByWords(from, to)) {
        WordRow words;
        readImageWords(from, fromX, fromY, words, count);
        if (holdsBytes(to.element()))
            conformWords(to.format(), words, count);
        else
            conformDepth(to.format(), words, count);
        return writeImageWords(to, x, y, words, count);
    }
    NumberRow numbers;
    if (isDepth(to.element())) {
        readDepthFloats(from, fromX, fromY, numbers, count);
        return writeDepthFloats(to, x, y, numbers, count, true);
    }
    readImageNumbers(from, fromX, fromY, numbers, count);
    writeImageNumbers(to, x, y, numbers, count);
}

/// The part of the copy whose source and destination both exist. Coordinates may be anything.
struct CopyBox {
    int64_t fromX, fromY, x, y, width, height;
};
void clipAxis(int64_t& from, int64_t& to, int64_t& size, int fromSize, int toSize) {
    const int64_t skip = std::max({int64_t{0}, -from, -to});
    from += skip, to += skip, size -= skip;
    size = std::min({size, fromSize - from, toSize - to});
}

}  // namespace

namespace {

/// Where pixels of a rectangle are in client memory that has all of it.
struct Client {
    Client(ClientLayout layout, Rect whole)
        : rect(whole),
          rowStride(layout.rowStride),
          pixelBytes(static_cast<size_t>(clientPixelBytes(layout.format, layout.type))) {}
    [[nodiscard]] size_t offset(Rect part) const {
        return static_cast<size_t>(int64_t{part.y} - rect.y) * rowStride +
               static_cast<size_t>(int64_t{part.x} - rect.x) * pixelBytes;
    }
    Rect rect;
    size_t rowStride, pixelBytes;
};

bool isOfWords(const Image& image, ClientLayout layout) {
    return holdsBytes(image.element()) && carrierOf(layout.format, layout.type) == Carrier::Words;
}

/// The blocks that are within a rectangle of the image; empty if there are none.
Rect wholeBlocks(Rect rect) {
    const int left = (rect.x + 3) & ~3, bottom = (rect.y + 3) & ~3;
    return {left, bottom, ((rect.x + rect.width) & ~3) - left, ((rect.y + rect.height) & ~3) - bottom};
}

/// Calls use(part) for each part of a rectangle that is not within the inner one.
template <class Use>
void forEachAround(Rect rect, Rect inner, Use use) {
    const int right = rect.x + rect.width, top = rect.y + rect.height;
    const int innerRight = inner.x + inner.width, innerTop = inner.y + inner.height;
    const auto part = [&](int fromX, int fromY, int toX, int toY) {
        if (fromX < toX && fromY < toY) use(Rect{fromX, fromY, toX - fromX, toY - fromY});
    };
    part(rect.x, rect.y, right, inner.y);
    part(rect.x, inner.y, inner.x, innerTop);
    part(innerRight, inner.y, right, innerTop);
    part(rect.x, innerTop, right, top);
}

/// Rows of pixels, as they come.
void uploadRows(Image& image, Rect rect, const std::byte* pixels, ClientLayout layout) {
    const auto pixelBytes = static_cast<size_t>(clientPixelBytes(layout.format, layout.type));
    for (int row = 0; row < rect.height; ++row) {
        const std::byte* client = pixels + static_cast<size_t>(row) * layout.rowStride;
        forEachRun(rect.width, [&](int x, int count) {
            uploadRun(image, rect.x + x, rect.y + row, client + static_cast<size_t>(x) * pixelBytes, layout, count);
        });
    }
}
void readBackRows(const Image& image, Rect rect, std::byte* pixels, ClientLayout layout) {
    const auto pixelBytes = static_cast<size_t>(clientPixelBytes(layout.format, layout.type));
    for (int row = 0; row < rect.height; ++row) {
        std::byte* client = pixels + static_cast<size_t>(row) * layout.rowStride;
        forEachRun(rect.width, [&](int x, int count) {
            readBackRun(image, rect.x + x, rect.y + row, client + static_cast<size_t>(x) * pixelBytes, layout, count);
        });
    }
}

}  // namespace

void upload(Image& image, Rect rect, const std::byte* pixels, ClientLayout layout) {
    if (!canUpload(image, layout)) return;
    const Client client(layout, rect);
    const auto part = [&](Rect rows) { uploadRows(image, rows, pixels + client.offset(rows), layout); };
    const Rect inner = isOfWords(image, layout) ? wholeBlocks(rect) : Rect{};
    if (inner.width <= 0 || inner.height <= 0) return part(rect);
    BlockUpload blocks;
    blocks.client = pixels + client.offset(inner);
    blocks.layout = layout;
    blocks.blocks = image.block(inner.x >> 2, inner.y >> 2);
    blocks.blockRowBytes = static_cast<size_t>(image.blocksWide()) * 64;
    blocks.blocksWide = inner.width >> 2;
    blocks.blocksHigh = inner.height >> 2;
    blocks.format = image.format();
    transferFunctions().upload(blocks);
    forEachAround(rect, inner, part);
}

void readBack(const Image& image, Rect rect, std::byte* pixels, ClientLayout layout) {
    if (!canReadBack(image, layout)) return;
    const Client client(layout, rect);
    // Where the rectangle leaves the image, client memory keeps its contents (glReadPixels: undefined).
    const int64_t left = std::max<int64_t>(rect.x, 0), bottom = std::max<int64_t>(rect.y, 0);
    const int64_t right = std::min<int64_t>(int64_t{rect.x} + rect.width, image.width());
    const int64_t top = std::min<int64_t>(int64_t{rect.y} + rect.height, image.height());
    if (left >= right || bottom >= top) return;
    const Rect inside = {static_cast<int>(left), static_cast<int>(bottom), static_cast<int>(right - left),
                         static_cast<int>(top - bottom)};
    const auto part = [&](Rect rows) { readBackRows(image, rows, pixels + client.offset(rows), layout); };
    // Rows that overlap in memory are written in their order.
    const bool byBlocks = isOfWords(image, layout) && image.samples() == 1 &&
                          layout.rowStride >= static_cast<size_t>(rect.width) * client.pixelBytes;
    const Rect inner = byBlocks ? wholeBlocks(inside) : Rect{};
    if (inner.width <= 0 || inner.height <= 0) return part(inside);
    BlockReadBack blocks;
    blocks.blocks = image.block(inner.x >> 2, inner.y >> 2);
    blocks.blockRowBytes = static_cast<size_t>(image.blocksWide()) * 64;
    blocks.blocksWide = inner.width >> 2;
    blocks.blocksHigh = inner.height >> 2;
    blocks.format = image.format();
    blocks.client = pixels + client.offset(inner);
    blocks.layout = layout;
    transferFunctions().readBack(blocks);
    forEachAround(inside, inner, part);
}

namespace {

/// Row by row. Within one image the copy moves away from what it has still to read: rows from the top when it moves up,
/// runs from the right when it moves right. A run is read completely before it is written.
void copyRows(const Image& from, Image& to, const CopyBox& box) {
    const bool fromTop = &from == &to && box.y > box.fromY;
    const bool fromRight = &from == &to && box.x > box.fromX;
    const int runs = static_cast<int>((box.width + kRowPixels - 1) / kRowPixels);
    for (int64_t i = 0; i < box.height; ++i) {
        const int64_t row = fromTop ? box.height - 1 - i : i;
        for (int k = 0; k < runs; ++k) {
            const int x = (fromRight ? runs - 1 - k : k) * kRowPixels;
            const int count = static_cast<int>(std::min<int64_t>(kRowPixels, box.width - x));
            copyRun(from, static_cast<int>(box.fromX) + x, static_cast<int>(box.fromY + row), to,
                    static_cast<int>(box.x) + x, static_cast<int>(box.y + row), count);
        }
    }
}

/// The pixels of `to` that whole blocks of `from` fill; empty if there are none.
Rect copiedBlocks(const Image& from, const Image& to, const CopyBox& box) {
    const bool keepsPlace = ((box.fromX - box.x) & 3) == 0 && ((box.fromY - box.y) & 3) == 0;
    const bool changesDepth = to.format() == PixelFormat::Depth16 && from.format() != to.format();
    if (!keepsPlace || changesDepth || &from.whole() == &to.whole() || !convertsByWords(from, to)) return {};
    // What a block has beyond the image's edge is padding, which nobody sees.
    const auto padded = [](int64_t first, int64_t size, int imageSize) {
        const int64_t end = first + size;
        return static_cast<int>((end == imageSize ? (end + 3) & ~3 : end) - first);
    };
    return wholeBlocks({static_cast<int>(box.x), static_cast<int>(box.y), padded(box.x, box.width, to.width()),
                        padded(box.y, box.height, to.height())});
}

}  // namespace

void copy(const Image& from, int fromX, int fromY, Image& to, Rect rect) {
    if (to.samples() != 1 || !canConvert(from, to)) return;
    CopyBox box{fromX, fromY, rect.x, rect.y, rect.width, rect.height};
    clipAxis(box.fromX, box.x, box.width, from.width(), to.width());
    clipAxis(box.fromY, box.y, box.height, from.height(), to.height());
    if (box.width <= 0 || box.height <= 0) return;
    const Rect inner = copiedBlocks(from, to, box);
    if (inner.width <= 0 || inner.height <= 0) return copyRows(from, to, box);
    const int64_t right = box.fromX - box.x, up = box.fromY - box.y;
    BlockCopy blocks;
    blocks.from = from.block(static_cast<int>(inner.x + right) >> 2, static_cast<int>(inner.y + up) >> 2);
    blocks.to = to.block(inner.x >> 2, inner.y >> 2);
    blocks.fromRowBytes = static_cast<size_t>(from.blocksWide()) * 64;
    blocks.toRowBytes = static_cast<size_t>(to.blocksWide()) * 64;
    blocks.sampleBytes = from.samples() == 1 ? 0 : from.planeBytes();
    blocks.blocksWide = inner.width >> 2;
    blocks.blocksHigh = inner.height >> 2;
    blocks.fromFormat = from.format();
    blocks.toFormat = to.format();
    transferFunctions().copy(blocks);
    const Rect whole = {static_cast<int>(box.x), static_cast<int>(box.y), static_cast<int>(box.width),
                        static_cast<int>(box.height)};
    const Rect copied = {inner.x, inner.y, std::min(inner.width, whole.x + whole.width - inner.x),
                         std::min(inner.height, whole.y + whole.height - inner.y)};
    forEachAround(whole, copied, [&](Rect part) {
        copyRows(from, to, {part.x + right, part.y + up, part.x, part.y, part.width, part.height});
    });
}

namespace {

void fillPlane(Image& image, int sample, Rect rect, uint32_t value, uint32_t writeMask) {
    const int left = std::max(rect.x, 0), bottom = std::max(rect.y, 0);
    const auto right = static_cast<int>(std::min<int64_t>(int64_t{rect.x} + rect.width, image.width()));
    const auto top = static_cast<int>(std::min<int64_t>(int64_t{rect.y} + rect.height, image.height()));
    if (left >= right || bottom >= top) return;
    value &= writeMask;
    for (int by = bottom >> 2; by <= (top - 1) >> 2; ++by) {
        const I32x16 y = kLaneY + by * 4;
        const Mask16 inRows = (y >= bottom) & (y < top);
        const bool wholeRows = by * 4 >= bottom && by * 4 + 4 <= top;
        for (int bx = left >> 2; bx <= (right - 1) >> 2; ++bx) {
            auto* block = reinterpret_cast<uint32_t*>(image.sampleBlock(sample, bx, by));
            U32x16 bits = splat(writeMask);
            if (!wholeRows || bx * 4 < left || bx * 4 + 4 > right) {
                const I32x16 x = kLaneX + bx * 4;
                bits &= asUint(inRows & (x >= left) & (x < right));
            } else if (writeMask == ~0u) {
                store(block, splat(value));
                continue;
            }
            store(block, (load<U32x16>(block) & ~bits) | (splat(value) & bits));
        }
    }
}

}  // namespace

void fill(Image& image, Rect rect, uint32_t value, uint32_t writeMask) {
    if (elementInfo(image.element()).words != 1) return;
    for (int sample = 0; sample < image.samples(); ++sample) fillPlane(image, sample, rect, value, writeMask);
}

void fillMissing(Image& image) {
    const FormatInfo& format = formatInfo(image.format());
    const Field alpha = elementInfo(image.element()).channel[3];
    if (format.alpha != 0 || alpha.bits == 0 || isDepth(image.element())) return;
    const Rect whole = {0, 0, image.width(), image.height()};
    if (holdsBytes(image.element())) return fill(image, whole, alpha.mask(), alpha.mask());
    if (image.samples() != 1) return;  // what draws to it writes alpha, what reads it does not look
    for (int y = 0; y < image.height(); ++y)
        forEachRun(image.width(), [&](int x, int count) {
            NumberRow numbers;
            writeImageNumbers(image, x, y, numbers, count);
        });
}

uint32_t quantize(PixelFormat format, uint32_t rgba8) { return conform(format, rgba8); }

}  // namespace tessera::texture
