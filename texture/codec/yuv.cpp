// Fixed point with 48 fractional bits: the coefficients' errors add up to less than 256 units, and kHalf leans upwards
// by more than that, so that halves go up as they should. That no other result comes so close to the middle between two
// codes is what yuv_test.cpp shows, by comparing all codes with exact fractions.
#include "texture/codec/yuv.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "texture/transfer/rows.h"

namespace tessera::texture {

namespace {

constexpr int kFractionBits = 48;
constexpr int64_t kHalf = (int64_t{1} << (kFractionBits - 1)) + 512;

//                                          plane, offset, step, shiftX, shiftY
constexpr YuvComponent kPlaneY = {0, 0, 1, 0, 0};
constexpr YuvFormat kFormats[] = {
    {fourcc("YUYV"), "YUYV", 1, {0, 0, 2, 0, 0}, {0, 1, 4, 1, 0}, {0, 3, 4, 1, 0}},
    {fourcc("UYVY"), "UYVY", 1, {0, 1, 2, 0, 0}, {0, 0, 4, 1, 0}, {0, 2, 4, 1, 0}},
    {fourcc("NV12"), "NV12", 2, kPlaneY, {1, 0, 2, 1, 1}, {1, 1, 2, 1, 1}},
    {fourcc("NV21"), "NV21", 2, kPlaneY, {1, 1, 2, 1, 1}, {1, 0, 2, 1, 1}},
    {fourcc("YU12"), "YU12", 3, kPlaneY, {1, 0, 1, 1, 1}, {2, 0, 1, 1, 1}},
    {fourcc("YV12"), "YV12", 3, kPlaneY, {2, 0, 1, 1, 1}, {1, 0, 1, 1, 1}},
};

/// Codes of red, green and blue for a step of Y, Cb and Cr, and the code of Y that is black.
struct Matrix {
    int64_t y, redCr, greenCb, greenCr, blueCb;
    int black;
};

/// Everything is in units of 1/10000, in which Kr and Kb, and so all that follows from them, are integers.
constexpr Matrix matrix(int64_t kr, int64_t kb, YuvRange range) {
    const bool isLimited = range == YuvRange::Limited;
    const int64_t kg = 10000 - kr - kb, scale = isLimited ? 224 : 255;
    // round(255 * numerator * 2^48 / denominator), digit by digit.
    auto fixed = [](int64_t numerator, int64_t denominator) {
        int64_t result = 0, rest = 255 * numerator;
        const bool isNegative = rest < 0;
        rest = isNegative ? -rest : rest;
        result = rest / denominator, rest %= denominator;
        for (int i = 0; i < kFractionBits; ++i) {
            rest *= 2;
            result = result * 2 + (rest >= denominator);
            rest %= denominator;
        }
        result += rest * 2 >= denominator;
        return isNegative ? -result : result;
    };
    return {fixed(1, isLimited ? 219 : 255),
            fixed(2 * (10000 - kr), 10000 * scale),
            fixed(-2 * kb * (10000 - kb), 10000 * kg * scale),
            fixed(-2 * kr * (10000 - kr), 10000 * kg * scale),
            fixed(2 * (10000 - kb), 10000 * scale),
            isLimited ? 16 : 0};
}

constexpr Matrix kMatrices[2][2] = {
    {matrix(2990, 1140, YuvRange::Limited), matrix(2990, 1140, YuvRange::Full)},
    {matrix(2126, 722, YuvRange::Limited), matrix(2126, 722, YuvRange::Full)},
};

uint32_t toCode(int64_t fixed) {
    return static_cast<uint32_t>(std::clamp<int64_t>((fixed + kHalf) >> kFractionBits, 0, 255));
}

uint32_t convert(const Matrix& m, int y, int cb, int cr) {
    const int64_t luminance = m.y * (y - m.black);
    const int b = cb - 128, r = cr - 128;
    return toCode(luminance + m.redCr * r) | toCode(luminance + m.greenCb * b + m.greenCr * r) << 8 |
           toCode(luminance + m.blueCb * b) << 16 | 0xFF000000u;
}

const Matrix& matrixOf(YuvStandard standard, YuvRange range) {
    return kMatrices[standard == YuvStandard::Bt709 ? 1 : 0][range == YuvRange::Full ? 1 : 0];
}

const std::byte* rowOf(const YuvComponent& component, const YuvPlanes& planes, int t) {
    const YuvPlane& plane = planes[component.plane];
    return plane.data + static_cast<size_t>(t >> component.shiftY) * plane.pitch + component.offset;
}
int codeAt(const YuvComponent& component, const std::byte* row, int s) {
    return static_cast<int>(row[static_cast<size_t>(s >> component.shiftX) * component.step]);
}

}  // namespace

uint32_t yuvToRgb(YuvStandard standard, YuvRange range, int y, int cb, int cr) {
    return convert(matrixOf(standard, range), y, cb, cr);
}

std::span<const YuvFormat> yuvFormats() { return kFormats; }

const YuvFormat* yuvFormat(uint32_t fourcc) {
    const auto* it = std::find_if(std::begin(kFormats), std::end(kFormats),
                                  [=](const YuvFormat& format) { return format.fourcc == fourcc; });
    return it == std::end(kFormats) ? nullptr : it;
}

YuvPlaneSize yuvPlaneSize(const YuvFormat& format, int plane, int width, int height) {
    YuvPlaneSize size{0, 0};
    for (const YuvComponent& c : {format.y, format.cb, format.cr}) {
        if (c.plane != plane) continue;
        size.rowBytes = std::max(size.rowBytes, static_cast<size_t>((width - 1) >> c.shiftX) * c.step + c.offset + 1);
        size.rows = std::max(size.rows, ((height - 1) >> c.shiftY) + 1);
    }
    return size;
}

void decodeYuv(const YuvFormat& format, YuvStandard standard, YuvRange range, const YuvPlanes& planes, Image& image) {
    CHECK(image.format() == PixelFormat::Rgb8);
    const Matrix& m = matrixOf(standard, range);
    WordRow row;
    for (int t = 0; t < image.height(); ++t) {
        const std::byte* y = rowOf(format.y, planes, t);
        const std::byte* cb = rowOf(format.cb, planes, t);
        const std::byte* cr = rowOf(format.cr, planes, t);
        for (int start = 0; start < image.width(); start += kRowPixels) {
            const int count = std::min(kRowPixels, image.width() - start);
            for (int i = 0; i < count; ++i) {
                const int s = start + i;
                row.pixel[i] = convert(m, codeAt(format.y, y, s), codeAt(format.cb, cb, s), codeAt(format.cr, cr, s));
            }
            writeImageWords(image, start, t, row, count);
        }
    }
}

}  // namespace tessera::texture
