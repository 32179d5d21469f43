#include "texture/image.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <set>

using namespace tessera::texture;

TEST_CASE("element (x, y) lies in block (x / 4, y / 4), row-major in both") {
    Image image(PixelFormat::Rgba8, 10, 7);
    CHECK(image.blocksWide() == 3);
    CHECK(image.blocksHigh() == 2);
    CHECK(image.byteCount() == 3 * 2 * 64);
    std::set<const uint32_t*> addresses;
    for (int y = 0; y < 7; ++y) {
        for (int x = 0; x < 10; ++x) {
            const uint32_t* address = image.block32(0, 0) + ((y / 4) * 3 + x / 4) * 16 + (y % 4) * 4 + x % 4;
            CHECK(*address == 0);
            image.setTexel32(x, y, static_cast<uint32_t>(y * 100 + x + 1));
            CHECK(*address == static_cast<uint32_t>(y * 100 + x + 1));
            CHECK(image.texel32(x, y) == *address);
            addresses.insert(address);
        }
    }
    CHECK(addresses.size() == 70);
}

TEST_CASE("the memory of images, large and small, is given back") {
    const auto addressSpace = [] {
        size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    };
    const size_t before = addressSpace();
    REQUIRE(before != 0);
    for (int i = 0; i < 64; ++i) const Image large(PixelFormat::Rgba8, 4096, 4096);
    CHECK(addressSpace() < before + (size_t{1} << 30));
    for (int i = 0; i < 32768; ++i) const Image small(PixelFormat::Rgba8, 128, 128);
    CHECK(addressSpace() < before + (size_t{1} << 30));
}

TEST_CASE("blocks are aligned to their cache line and zero for every element") {
    for (PixelFormat format :
         {PixelFormat::Rgb565, PixelFormat::Depth24Stencil8, PixelFormat::Rgba16F, PixelFormat::Rgba32F}) {
        for (int size : {1, 4, 5, 33, 257}) {
            Image image(format, size, size);
            const auto bytes = static_cast<size_t>(elementBytes(image.element())) * 16;
            const auto blocks = static_cast<size_t>((size + 3) / 4);
            REQUIRE(image.byteCount() == blocks * blocks * bytes);
            CHECK(reinterpret_cast<uintptr_t>(image.block(0, 0)) % 64 == 0);
            CHECK(image.block(image.blocksWide() - 1, image.blocksHigh() - 1) - image.block(0, 0) ==
                  static_cast<ptrdiff_t>(image.byteCount() - bytes));
            bool zero = true;
            for (size_t i = 0; i < image.byteCount(); ++i) zero = zero && image.block(0, 0)[i] == std::byte{0};
            CHECK(zero);
        }
    }
}

TEST_CASE("the largest image is affordable: untouched pages cost nothing") {
    Image image(PixelFormat::Rgba8, 16384, 16384);
    CHECK(image.byteCount() == size_t{1} << 30);
    CHECK(image.texel32(16383, 16383) == 0);
    image.setTexel32(16383, 16383, 7);
    CHECK(image.texel32(16383, 16383) == 7);
}

TEST_CASE("the format table tells elements, bits and what can be rendered to") {
    CHECK(elementBytes(Element::Rgba8) == 4);
    CHECK(elementBytes(Element::D24S8) == 4);
    CHECK(elementBytes(Element::Rgba16F) == 8);
    CHECK(elementBytes(Element::Rgba32F) == 16);
    const FormatInfo& rgb565 = formatInfo(PixelFormat::Rgb565);
    CHECK(rgb565.red == 5);
    CHECK(rgb565.green == 6);
    CHECK(rgb565.blue == 5);
    CHECK(rgb565.alpha == 0);
    CHECK(rgb565.renderable);
    CHECK(formatInfo(PixelFormat::Depth24Stencil8).element == Element::D24S8);
    CHECK(formatInfo(PixelFormat::Depth24Stencil8).depth == 24);
    CHECK(formatInfo(PixelFormat::Depth24Stencil8).stencil == 8);
    CHECK_FALSE(formatInfo(PixelFormat::Luminance8).renderable);
    CHECK_FALSE(formatInfo(PixelFormat::Alpha8).renderable);
}

TEST_CASE("a tile's bits are known after a clear of all of it, until it is drawn to or written") {
    constexpr uint32_t kAll = TileValues::kAllSquares;
    Image image(PixelFormat::Rgba8, 100, 70);
    TileValues& tiles = image.tiles();
    CHECK(tiles.clear(0, 0, 5, ~0u, true) == kAll);
    CHECK(tiles.clear(0, 0, 5, ~0u, true) == kAll);  // nothing is noted yet
    tiles.begin(image.width(), image.height());
    CHECK(tiles.clear(1, 1, 0x0507, 0xFF00, true) == kAll);
    CHECK(tiles.clear(1, 1, 0x0500, 0xFF00, true) == 0);
    CHECK(tiles.clear(1, 1, 0x0400, 0x0400, false) == 0);  // some of the known bits, in a part of the tile
    CHECK(tiles.clear(1, 1, 0x0507, 0xFFFF, true) == kAll);
    CHECK(tiles.clear(1, 1, 7, 0xFF, true) == 0);
    CHECK(tiles.clear(0, 1, 7, 0xFF, true) == kAll);
    CHECK(tiles.clear(1, 1, 8, 0x0F, false) == kAll);
    CHECK(tiles.clear(1, 1, 8, 0x0F, true) == kAll);
    CHECK(tiles.clear(1, 1, 0x0508, 0xFFFF, true) == 0);
    tiles.forget(1, 1);
    CHECK(tiles.clear(1, 1, 0x0508, 0xFFFF, true) == kAll);
    CHECK(tiles.clear(0, 1, 7, 0xFF, true) == 0);
    image.setTexel32(99, 69, 1);
    tiles.begin(image.width(), image.height());
    CHECK(tiles.clear(0, 1, 7, 0xFF, true) == kAll);
}

TEST_CASE("squares that are drawn to are cleared, the others where their bits change") {
    constexpr uint32_t kAll = TileValues::kAllSquares;
    Image image(PixelFormat::Depth24Stencil8, 64, 64);
    TileValues& tiles = image.tiles();
    tiles.begin(image.width(), image.height());
    CHECK(tiles.clear(0, 0, 0x123456FF, ~0u, true) == kAll);
    tiles.draw(0, 0, 0x0030);
    tiles.draw(0, 0, 0x0100);
    CHECK(tiles.clear(0, 0, 0x123456FF, ~0u, false) == 0x0130);  // a part: they stay drawn
    CHECK(tiles.clear(0, 0, 0x123456FF, ~0u, true) == 0x0130);
    CHECK(tiles.clear(0, 0, 0x123456FF, ~0u, true) == 0);
    tiles.draw(0, 0, 0x0001);
    CHECK(tiles.clear(0, 0, 0x12345600, 0xFFFFFF00, true) == 0x0001);
    CHECK(tiles.clear(0, 0, 0x12345600, 0xFFFFFF00, true) == 0);
    CHECK(tiles.clear(0, 0, 0xFF, 0xFF, true) == kAll);  // the drawn square's stencil is not known
    CHECK(tiles.clear(0, 0, 0x123456FF, ~0u, true) == 0);
    tiles.draw(0, 0, 0x8000);
    CHECK(tiles.clear(0, 0, 0x00000000, 0xFFFFFF00, true) == kAll);
    CHECK(tiles.clear(0, 0, 0xFF, 0xFF, true) == kAll);
    tiles.draw(0, 0, 0x8000);
    tiles.forget(0, 0);
    CHECK(tiles.clear(0, 0, 0xFF, 0xFF, true) == kAll);
}
