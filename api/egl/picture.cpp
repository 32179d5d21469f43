#include "api/egl/picture.h"

#include <algorithm>
#include <new>

#include "texture/texture.h"

namespace tessera::egl {

namespace {

using texture::ClientFormat;
using texture::ClientType;
using texture::PixelFormat;

/// Names as in drm_fourcc.h, which reads the channels from the highest bits of a little-endian pixel.
constexpr RgbFormat kRgbFormats[] = {
    {texture::fourcc("AR24"), ClientFormat::Bgra, ClientType::U8, PixelFormat::Rgba8},
    {texture::fourcc("XR24"), ClientFormat::Bgra, ClientType::U8, PixelFormat::Rgb8},
    {texture::fourcc("AB24"), ClientFormat::Rgba, ClientType::U8, PixelFormat::Rgba8},
    {texture::fourcc("XB24"), ClientFormat::Rgba, ClientType::U8, PixelFormat::Rgb8},
    {texture::fourcc("BG24"), ClientFormat::Rgb, ClientType::U8, PixelFormat::Rgb8},
    {texture::fourcc("RG16"), ClientFormat::Rgb, ClientType::U16_565, PixelFormat::Rgb565},
    {texture::fourcc("R8  "), ClientFormat::Red, ClientType::U8, PixelFormat::R8},
    {texture::fourcc("GR88"), ClientFormat::Rg, ClientType::U8, PixelFormat::Rg8},
};

}  // namespace

const std::vector<EGLint>& Picture::layouts() {
    static const std::vector<EGLint>& all = *[] {
        auto* made = new std::vector<EGLint>;
        for (const RgbFormat& format : kRgbFormats) made->push_back(static_cast<EGLint>(format.fourcc));
        for (const texture::YuvFormat& format : texture::yuvFormats())
            made->push_back(static_cast<EGLint>(format.fourcc));
        return made;
    }();
    return all;
}

const RgbFormat* Picture::rgb() const {
    const auto* found = std::find_if(std::begin(kRgbFormats), std::end(kRgbFormats), [&](const RgbFormat& format) {
        return format.fourcc == static_cast<uint32_t>(fourcc_);
    });
    return found == std::end(kRgbFormats) ? nullptr : found;
}

EGLint Picture::set(EGLAttrib name, EGLint value) {
    static constexpr EGLAttrib kPlaces[kMaxPlanes][2] = {
        {EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT},
        {EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT},
        {EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT},
    };
    for (size_t i = 0; i < kMaxPlanes; ++i) {
        if (name != kPlaces[i][0] && name != kPlaces[i][1]) continue;
        (name == kPlaces[i][0] ? planes_[i].offset : planes_[i].pitch) = value;
        return EGL_SUCCESS;
    }
    switch (name) {
        case EGL_WIDTH:
            width_ = value;
            return EGL_SUCCESS;
        case EGL_HEIGHT:
            height_ = value;
            return EGL_SUCCESS;
        case EGL_LINUX_DRM_FOURCC_EXT:
            fourcc_ = value;
            return EGL_SUCCESS;
        case EGL_YUV_COLOR_SPACE_HINT_EXT:
            standard_ = value == EGL_ITU_REC709_EXT ? texture::YuvStandard::Bt709 : texture::YuvStandard::Bt601;
            return value == EGL_ITU_REC601_EXT || value == EGL_ITU_REC709_EXT ? EGL_SUCCESS : EGL_BAD_ATTRIBUTE;
        case EGL_SAMPLE_RANGE_HINT_EXT:
            range_ = value == EGL_YUV_FULL_RANGE_EXT ? texture::YuvRange::Full : texture::YuvRange::Limited;
            return value == EGL_YUV_FULL_RANGE_EXT || value == EGL_YUV_NARROW_RANGE_EXT ? EGL_SUCCESS
                                                                                        : EGL_BAD_ATTRIBUTE;
        case EGL_IMAGE_PRESERVED:
            return EGL_SUCCESS;  // it always is
    }
    return EGL_BAD_PARAMETER;
}

EGLint Picture::check() const {
    if (fourcc_ == 0 || width_ < 1 || height_ < 1) return EGL_BAD_PARAMETER;
    const bool isKnown = isVideo() || rgb() != nullptr;
    if (!isKnown || width_ > texture::kMaxTextureSize || height_ > texture::kMaxTextureSize) return EGL_BAD_MATCH;
    for (size_t i = 0; i < planes(); ++i) {
        const Plane& plane = planes_[i];
        if (plane.offset < 0 || plane.pitch < 0 || static_cast<size_t>(plane.pitch) < planeSize(i).rowBytes)
            return EGL_BAD_ACCESS;
    }
    return EGL_SUCCESS;
}

texture::YuvPlaneSize Picture::planeSize(size_t plane) const {
    if (isVideo()) return texture::yuvPlaneSize(*yuv(), static_cast<int>(plane), width_, height_);
    const int pixel = texture::clientPixelBytes(rgb()->format, rgb()->type);
    return {static_cast<size_t>(width_) * static_cast<size_t>(pixel), height_};
}

size_t Picture::extent(size_t plane) const {
    const texture::YuvPlaneSize size = planeSize(plane);
    const Plane& place = planes_[plane];
    return static_cast<size_t>(place.offset) + static_cast<size_t>(place.pitch) * static_cast<size_t>(size.rows - 1) +
           size.rowBytes;
}

texture::ImagePtr Picture::convert(const std::array<const std::byte*, kMaxPlanes>& memory) const try {
    if (!isVideo()) {
        auto image = std::make_shared<texture::Image>(rgb()->storage, width_, height_);
        texture::upload(*image, {0, 0, width_, height_}, memory[0] + planes_[0].offset,
                        {rgb()->format, rgb()->type, static_cast<size_t>(planes_[0].pitch)});
        return image;
    }
    texture::YuvPlanes planes;
    for (size_t i = 0; i < yuv()->planes; ++i)
        planes[i] = {memory[i] + planes_[i].offset, static_cast<size_t>(planes_[i].pitch)};
    auto image = std::make_shared<texture::Image>(PixelFormat::Rgb8, width_, height_);
    texture::decodeYuv(*yuv(), standard_, range_, planes, *image);
    return image;
} catch (const std::bad_alloc&) {
    return nullptr;
}

}  // namespace tessera::egl
