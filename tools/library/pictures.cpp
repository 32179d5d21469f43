// Pictures: compared, and as PNG files.
#include <algorithm>

#include <fmt/format.h>

#include "tools/diff/image_diff.h"
#include "tools/library/library.h"

using namespace tessera::tools;
using namespace tessera::tools::library;
namespace imagediff = tessera::imagediff;

namespace {

constexpr uint32_t kMaxSize = 1u << 15;

bool isSize(uint32_t width, uint32_t height) {
    return width != 0 && height != 0 && width <= kMaxSize && height <= kMaxSize;
}

imagediff::Image image(const uint8_t* rgba, uint32_t width, uint32_t height) {
    imagediff::Image made{static_cast<int>(width), static_cast<int>(height), {}};
    made.rgba.assign(rgba, rgba + size_t{width} * height * 4);
    return made;
}

}  // namespace

TESSERA_EXPORT int tesseraCompare(const uint8_t* a, const uint8_t* b, uint32_t width, uint32_t height, int tolerance,
                                  TesseraDifference* difference, uint8_t* picture) {
    return call<int>([&]() -> int {
        if (a == nullptr || b == nullptr || difference == nullptr) return fail("there is no picture, or no place");
        if (!isSize(width, height)) return fail(fmt::format("a picture has 1 to {} pixels each way", kMaxSize));
        if (tolerance < 0 || tolerance > 255) return fail("a tolerance is 0 to 255");
        const imagediff::Image one = image(a, width, height), other = image(b, width, height);
        const imagediff::Difference found = imagediff::compare(one, other, tolerance);
        *difference = {};
        difference->pixels = static_cast<uint64_t>(found.pixels);
        difference->differing = static_cast<uint64_t>(found.differing);
        difference->worstX = static_cast<uint32_t>(found.worstX);
        difference->worstY = static_cast<uint32_t>(found.worstY);
        difference->worstBy = static_cast<uint32_t>(found.worstBy);
        std::ranges::copy(found.worstA, difference->worstA);
        std::ranges::copy(found.worstB, difference->worstB);
        std::ranges::copy(found.mean, difference->mean);
        const auto differs = [&](size_t pixel) {
            for (size_t c = pixel * 4; c < pixel * 4 + 4; ++c)
                if (std::abs(int{one.rgba[c]} - int{other.rgba[c]}) > tolerance) return true;
            return false;
        };
        size_t first = 0;
        while (found.differing != 0 && !differs(first)) ++first;
        difference->firstX = static_cast<uint32_t>(first % width);
        difference->firstY = static_cast<uint32_t>(first / width);
        if (picture != nullptr) std::ranges::copy(imagediff::differencePicture(one, other, tolerance).rgba, picture);
        return 1;
    });
}

TESSERA_EXPORT TesseraText* tesseraReadPng(const char* path, uint32_t* size) {
    return call<TesseraText*>([&]() -> TesseraText* {
        if (path == nullptr || size == nullptr) return fail("there is no path, or no place");
        std::string error;
        const auto picture = imagediff::readPng(path, error);
        if (!picture) return fail(error);
        size[0] = static_cast<uint32_t>(picture->width), size[1] = static_cast<uint32_t>(picture->height);
        return text({reinterpret_cast<const char*>(picture->rgba.data()), picture->rgba.size()});
    });
}

TESSERA_EXPORT int tesseraWritePng(const char* path, const uint8_t* rgba, uint32_t width, uint32_t height) {
    return call<int>([&]() -> int {
        if (path == nullptr || rgba == nullptr) return fail("there is no path or no picture");
        if (!isSize(width, height)) return fail(fmt::format("a picture has 1 to {} pixels each way", kMaxSize));
        std::string error;
        if (!imagediff::writePng(path, image(rgba, width, height), error)) return fail(error);
        return 1;
    });
}
