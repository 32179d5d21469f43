#include "api/egl/client_memory.h"

#include <new>

#include "texture/texture.h"

namespace tessera::egl {

EGLint ClientPicture::set(EGLAttrib name, EGLint value) {
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
        case EGL_DMA_BUF_PLANE0_OFFSET_EXT:
            planes_[0].offset = value;
            return EGL_SUCCESS;
        case EGL_DMA_BUF_PLANE0_PITCH_EXT:
            planes_[0].pitch = value;
            return EGL_SUCCESS;
        case EGL_DMA_BUF_PLANE1_OFFSET_EXT:
            planes_[1].offset = value;
            return EGL_SUCCESS;
        case EGL_DMA_BUF_PLANE1_PITCH_EXT:
            planes_[1].pitch = value;
            return EGL_SUCCESS;
        case EGL_DMA_BUF_PLANE2_OFFSET_EXT:
            planes_[2].offset = value;
            return EGL_SUCCESS;
        case EGL_DMA_BUF_PLANE2_PITCH_EXT:
            planes_[2].pitch = value;
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

EGLint ClientPicture::check() const {
    const texture::YuvFormat* format = texture::yuvFormat(static_cast<uint32_t>(fourcc_));
    if (fourcc_ == 0 || width_ < 1 || height_ < 1) return EGL_BAD_PARAMETER;
    if (!format || width_ > texture::kMaxTextureSize || height_ > texture::kMaxTextureSize) return EGL_BAD_MATCH;
    for (int i = 0; i < format->planes; ++i) {
        const texture::YuvPlaneSize size = texture::yuvPlaneSize(*format, i, width_, height_);
        const Plane& plane = planes_[i];
        if (plane.offset < 0 || plane.pitch < 0 || static_cast<size_t>(plane.pitch) < size.rowBytes)
            return EGL_BAD_ACCESS;
    }
    return EGL_SUCCESS;
}

texture::ImagePtr ClientPicture::convert(const std::byte* memory) const {
    const texture::YuvFormat& format = *texture::yuvFormat(static_cast<uint32_t>(fourcc_));
    texture::YuvPlanes planes;
    for (size_t i = 0; i < format.planes; ++i)
        planes[i] = {memory + planes_[i].offset, static_cast<size_t>(planes_[i].pitch)};
    try {
        auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgb8, width_, height_);
        texture::decodeYuv(format, standard_, range_, planes, *image);
        return image;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace tessera::egl
