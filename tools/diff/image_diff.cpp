#include "tools/diff/image_diff.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "base/check.h"
#include "base/process/read_file.h"
#include "base/process/write_file.h"

// Private copies, so that programs that bring their own stb link with this library.
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#pragma clang diagnostic pop

namespace tessera::imagediff {

namespace {

/// Largest channel difference of two pixels.
int distance(const uint8_t* a, const uint8_t* b) {
    int worst = 0;
    for (int c = 0; c < 4; ++c) worst = std::max(worst, std::abs(a[c] - b[c]));
    return worst;
}

std::string colour(const std::array<uint8_t, 4>& c) { return fmt::format("({}, {}, {}, {})", c[0], c[1], c[2], c[3]); }

}  // namespace

std::optional<Image> readPng(const std::string& path, std::string& error) {
    std::string why;
    const std::optional<std::string> bytes = readWholeFile(path, why);
    if (!bytes) {
        error = fmt::format("{}: cannot be read: {}", path, why);
        return std::nullopt;
    }
    Image image;
    int channels = 0;
    stbi_uc* pixels = nullptr;
    if (bytes->size() <= INT_MAX)
        pixels = stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes->data()), static_cast<int>(bytes->size()),
                                       &image.width, &image.height, &channels, 4);
    if (!pixels) {
        // Of some failures the library gives no reason.
        const char* reason = stbi_failure_reason();
        error = fmt::format("{}: cannot be read as PNG: {}", path, reason != nullptr ? reason : "it is damaged");
        return std::nullopt;
    }
    image.rgba.assign(pixels, pixels + size_t(image.width) * image.height * 4);
    stbi_image_free(pixels);
    return image;
}

std::string pngOf(const Image& image) {
    CHECK_EQ(image.rgba.size(), size_t(image.width) * image.height * 4);
    int size = 0;
    const std::unique_ptr<unsigned char, void (*)(void*)> png(
        stbi_write_png_to_mem(image.rgba.data(), image.width * 4, image.width, image.height, 4, &size), std::free);
    return png ? std::string(reinterpret_cast<const char*>(png.get()), static_cast<size_t>(size)) : std::string();
}

bool writePng(const std::string& path, const Image& image, std::string& error) {
    const std::string png = pngOf(image);
    std::string why = "there is not enough memory for it";
    // By the library's own hand it would not be seen that a disk is full.
    if (!png.empty() && writeWholeFile(path, png, why)) return true;
    error = fmt::format("{}: cannot be written: {}", path, why);
    return false;
}

Difference compare(const Image& a, const Image& b, int tolerance) {
    Difference d;
    d.sameSize = a.width == b.width && a.height == b.height;
    if (!d.sameSize) return d;
    d.pixels = int64_t{a.width} * a.height;
    std::array<uint64_t, 4> sum{};
    for (int y = 0; y < a.height; ++y) {
        for (int x = 0; x < a.width; ++x) {
            const uint8_t *p = a.pixel(x, y), *q = b.pixel(x, y);
            for (int c = 0; c < 4; ++c) sum[c] += static_cast<uint64_t>(std::abs(p[c] - q[c]));
            const int by = distance(p, q);
            d.differing += by > tolerance;
            if (by <= d.worstBy) continue;
            d.worstBy = by;
            d.worstX = x;
            d.worstY = y;
            std::copy_n(p, 4, d.worstA.begin());
            std::copy_n(q, 4, d.worstB.begin());
        }
    }
    for (int c = 0; c < 4 && d.pixels; ++c) d.mean[c] = double(sum[c]) / double(d.pixels);
    return d;
}

Image differencePicture(const Image& a, const Image& b, int tolerance) {
    CHECK_EQ(a.rgba.size(), b.rgba.size());
    Image out = a;
    for (size_t i = 0; i < a.rgba.size(); i += 4) {
        const uint8_t *p = &a.rgba[i], *q = &b.rgba[i];
        uint8_t* to = &out.rgba[i];
        if (distance(p, q) > tolerance) {
            const int alpha = std::abs(p[3] - q[3]);  // shown in all channels: it has no colour of its own
            for (int c = 0; c < 3; ++c) {
                const int by = std::max(std::abs(p[c] - q[c]), alpha);
                to[c] = static_cast<uint8_t>(by ? std::min(96 + 4 * by, 255) : 0);
            }
        } else {
            const int grey = (p[0] + 2 * p[1] + p[2]) / 16;
            to[0] = to[1] = to[2] = static_cast<uint8_t>(grey);
        }
        to[3] = 255;
    }
    return out;
}

std::string report(const Image& a, const Image& b, const Difference& d, int tolerance) {
    if (!d.sameSize)
        return fmt::format("sizes differ: {} x {} against {} x {}\n", a.width, a.height, b.width, b.height);
    std::string text = fmt::format("size {} x {}\n", a.width, a.height);
    const double percent = d.pixels ? 100.0 * double(d.differing) / double(d.pixels) : 0.0;
    text += fmt::format("differing: {} of {} pixels ({:.3f} %)", d.differing, d.pixels, percent);
    text += tolerance ? fmt::format(", tolerance {}\n", tolerance) : "\n";
    if (d.worstBy)
        text += fmt::format("worst pixel: x {} y {}, {} against {}, by {}\n", d.worstX, d.worstY, colour(d.worstA),
                            colour(d.worstB), d.worstBy);
    text += fmt::format("mean absolute difference in 1/255: red {:.4f}, green {:.4f}, blue {:.4f}, alpha {:.4f}\n",
                        d.mean[0], d.mean[1], d.mean[2], d.mean[3]);
    return text;
}

}  // namespace tessera::imagediff
