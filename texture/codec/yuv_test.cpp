#include "texture/codec/yuv.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace tessera::texture;

namespace {

struct Reference {
    double red, green, blue;  ///< codes, neither rounded nor clamped
};

/// The standards' formulas, as yuv.h states them, in double precision.
Reference reference(YuvStandard standard, YuvRange range, int y, int cb, int cr) {
    const double kr = standard == YuvStandard::Bt601 ? 0.299 : 0.2126,
                 kb = standard == YuvStandard::Bt601 ? 0.114 : 0.0722;
    const bool isLimited = range == YuvRange::Limited;
    const double luminance = isLimited ? (y - 16) / 219.0 : y / 255.0;
    const double b = (cb - 128) / (isLimited ? 224.0 : 255.0), r = (cr - 128) / (isLimited ? 224.0 : 255.0);
    Reference rgb;
    rgb.red = luminance + 2 * (1 - kr) * r;
    rgb.blue = luminance + 2 * (1 - kb) * b;
    rgb.green = (luminance - kr * rgb.red - kb * rgb.blue) / (1 - kr - kb);
    return {rgb.red * 255, rgb.green * 255, rgb.blue * 255};
}

/// Halfway cases are found in spite of the reference's rounding.
int nearest(double code) { return static_cast<int>(std::clamp(std::floor(code + 0.5 + 1e-9), 0.0, 255.0)); }

/// The same in exact fractions over the common denominator, halves up.
struct Exact {
    int64_t kr, kb, rangeY, rangeC, black;
    [[nodiscard]] int64_t kg() const { return 10000 - kr - kb; }
    [[nodiscard]] int64_t denominator() const { return rangeY * rangeC * 10000 * kg(); }
    [[nodiscard]] int code(int64_t numerator) const {
        const int64_t d = denominator();
        if (numerator <= 0) return 0;
        return static_cast<int>(std::min<int64_t>((2 * 255 * numerator + d) / (2 * d), 255));
    }
    [[nodiscard]] int64_t luminance(int y) const { return (y - black) * rangeC * 10000 * kg(); }
    [[nodiscard]] int red(int y, int cr) const {
        return code(luminance(y) + 2 * (10000 - kr) * (cr - 128) * rangeY * kg());
    }
    [[nodiscard]] int blue(int y, int cb) const {
        return code(luminance(y) + 2 * (10000 - kb) * (cb - 128) * rangeY * kg());
    }
    [[nodiscard]] int green(int y, int cb, int cr) const {
        return code(luminance(y) - 2 * rangeY * (kb * (10000 - kb) * (cb - 128) + kr * (10000 - kr) * (cr - 128)));
    }
};
Exact exact(YuvStandard standard, YuvRange range) {
    const bool isLimited = range == YuvRange::Limited, isOld = standard == YuvStandard::Bt601;
    return {isOld ? 2990 : 2126, isOld ? 1140 : 722, isLimited ? 219 : 255, isLimited ? 224 : 255, isLimited ? 16 : 0};
}

}  // namespace

TEST_CASE("all codes of both standards and ranges are the exact fractions' nearest") {
    for (YuvStandard standard : {YuvStandard::Bt601, YuvStandard::Bt709}) {
        for (YuvRange range : {YuvRange::Limited, YuvRange::Full}) {
            const Exact e = exact(standard, range);
            int wrong = 0;
            for (int y = 0; y < 256; ++y) {
                for (int cb = 0; cb < 256; ++cb) {
                    const uint32_t redBlue = yuvToRgb(standard, range, y, cb, cb);
                    wrong += static_cast<int>(redBlue & 255) != e.red(y, cb);
                    wrong += static_cast<int>(redBlue >> 16 & 255) != e.blue(y, cb);
                    for (int cr = 0; cr < 256; ++cr)
                        wrong +=
                            static_cast<int>(yuvToRgb(standard, range, y, cb, cr) >> 8 & 255) != e.green(y, cb, cr);
                }
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("all codes of both standards and ranges are the formulas' nearest") {
    for (YuvStandard standard : {YuvStandard::Bt601, YuvStandard::Bt709}) {
        for (YuvRange range : {YuvRange::Limited, YuvRange::Full}) {
            int wrong = 0;
            for (int y = 0; y < 256; ++y) {
                for (int cb = 0; cb < 256; ++cb) {
                    for (int cr = 0; cr < 256; ++cr) {
                        const uint32_t rgb = yuvToRgb(standard, range, y, cb, cr);
                        const Reference r = reference(standard, range, y, cb, cr);
                        wrong += rgb != (static_cast<uint32_t>(nearest(r.red) | nearest(r.green) << 8 |
                                                               nearest(r.blue) << 16) |
                                         0xFF000000u);
                    }
                }
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("known colours") {
    CHECK(yuvToRgb(YuvStandard::Bt601, YuvRange::Limited, 16, 128, 128) == 0xFF000000u);
    CHECK(yuvToRgb(YuvStandard::Bt601, YuvRange::Limited, 235, 128, 128) == 0xFFFFFFFFu);
    CHECK(yuvToRgb(YuvStandard::Bt709, YuvRange::Full, 255, 128, 128) == 0xFFFFFFFFu);
    CHECK(yuvToRgb(YuvStandard::Bt601, YuvRange::Limited, 81, 90, 240) == 0xFF0000FEu);   // red of BT.601's bars
    CHECK(yuvToRgb(YuvStandard::Bt709, YuvRange::Limited, 63, 102, 240) == 0xFF0001FFu);  // and of BT.709's
}

TEST_CASE("every layout of every odd and even size, with rows apart") {
    std::mt19937 random(1);
    for (const YuvFormat& format : yuvFormats()) {
        CAPTURE(format.name);
        CHECK(yuvFormat(format.fourcc) == &format);
        for (int width : {1, 2, 7, 300}) {
            for (int height : {1, 2, 5}) {
                // The codes of each texel, and from them the planes as the format's name describes them.
                const bool isPlanar = format.planes > 1;
                auto chroma = [&](int x, int y, int seed) {
                    return (x / 2 * 37 + (isPlanar ? y / 2 : y) * 91 + seed) % 256;
                };
                auto luminance = [&](int x, int y) { return (x * 11 + y * 53 + 7) % 256; };
                std::vector<std::vector<std::byte>> data(3);
                YuvPlanes planes;
                for (int p = 0; p < format.planes; ++p) {
                    const YuvPlaneSize size = yuvPlaneSize(format, p, width, height);
                    const size_t pitch = size.rowBytes + random() % 5;
                    // The last row ends where its bytes end.
                    data[static_cast<size_t>(p)].resize(pitch * static_cast<size_t>(size.rows - 1) + size.rowBytes);
                    planes[static_cast<size_t>(p)] = {data[static_cast<size_t>(p)].data(), pitch};
                }
                auto put = [&](int plane, int row, int byte, int code) {
                    std::vector<std::byte>& bytes = data[static_cast<size_t>(plane)];
                    const size_t at =
                        static_cast<size_t>(row) * planes[static_cast<size_t>(plane)].pitch + static_cast<size_t>(byte);
                    REQUIRE(at < bytes.size());
                    bytes[at] = static_cast<std::byte>(code);
                };
                const std::string name = format.name;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x) {
                        const int l = luminance(x, y), cb = chroma(x, y, 3), cr = chroma(x, y, 101), pair = x / 2;
                        if (name == "YUYV") {
                            put(0, y, 2 * x, l), put(0, y, 4 * pair + 1, cb), put(0, y, 4 * pair + 3, cr);
                        } else if (name == "UYVY") {
                            put(0, y, 2 * x + 1, l), put(0, y, 4 * pair, cb), put(0, y, 4 * pair + 2, cr);
                        } else {
                            put(0, y, x, l);
                            if (name == "NV12") put(1, y / 2, 2 * pair, cb), put(1, y / 2, 2 * pair + 1, cr);
                            if (name == "NV21") put(1, y / 2, 2 * pair, cr), put(1, y / 2, 2 * pair + 1, cb);
                            if (name == "YU12") put(1, y / 2, pair, cb), put(2, y / 2, pair, cr);
                            if (name == "YV12") put(2, y / 2, pair, cb), put(1, y / 2, pair, cr);
                        }
                    }
                }
                Image image(PixelFormat::Rgb8, width, height);
                decodeYuv(format, YuvStandard::Bt709, YuvRange::Limited, planes, image);
                int wrong = 0;
                for (int y = 0; y < height; ++y) {
                    for (int x = 0; x < width; ++x) {
                        wrong += image.texel32(x, y) != yuvToRgb(YuvStandard::Bt709, YuvRange::Limited, luminance(x, y),
                                                                 chroma(x, y, 3), chroma(x, y, 101));
                    }
                }
                CHECK(wrong == 0);
            }
        }
    }
    CHECK(yuvFormat(0) == nullptr);
}
