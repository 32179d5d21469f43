// Pictures that lie in memory outside GL, in rows of pixels: of one plane or several, RGB or video. Their description
// is the attributes of EGL_EXT_image_dma_buf_import, which EGL_TESSERA_image_client_memory takes as well; what the
// colours of video become is texture/codec/yuv.h's.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "api/egl/egl.h"
#include "texture/codec/yuv.h"
#include "texture/transfer/transfer.h"

namespace tessera::egl {

/// A pixel of one plane of colours.
struct RgbFormat {
    uint32_t fourcc;
    texture::ClientFormat format;
    texture::ClientType type;
    texture::PixelFormat storage;
};

class Picture {
public:
    static constexpr size_t kMaxPlanes = 3;

    /// All layouts there are, by the four letters of their names.
    [[nodiscard]] static const std::vector<EGLint>& layouts();

    /// One attribute; an EGL error, or EGL_SUCCESS.
    [[nodiscard]] EGLint set(EGLAttrib name, EGLint value);
    /// What is wrong with all of them together.
    [[nodiscard]] EGLint check() const;

    [[nodiscard]] bool isVideo() const { return yuv() != nullptr; }
    /// The fourcc of a video's picture; 0: it is none.
    [[nodiscard]] uint32_t video() const { return isVideo() ? static_cast<uint32_t>(fourcc_) : 0; }
    /// After check().
    [[nodiscard]] size_t planes() const { return isVideo() ? yuv()->planes : 1; }
    /// Bytes from the start of a plane's memory to the last that is read.
    [[nodiscard]] size_t extent(size_t plane) const;
    /// Reads the planes, each from the start of its memory; null when memory is out.
    [[nodiscard]] texture::ImagePtr convert(const std::array<const std::byte*, kMaxPlanes>& memory) const;

private:
    struct Plane {
        EGLint offset = 0, pitch = 0;
    };
    [[nodiscard]] const texture::YuvFormat* yuv() const { return texture::yuvFormat(static_cast<uint32_t>(fourcc_)); }
    [[nodiscard]] const RgbFormat* rgb() const;
    /// What is read of a plane.
    [[nodiscard]] texture::YuvPlaneSize planeSize(size_t plane) const;

    EGLint width_ = 0, height_ = 0, fourcc_ = 0;
    std::array<Plane, kMaxPlanes> planes_;
    texture::YuvStandard standard_ = texture::YuvStandard::Bt601;
    texture::YuvRange range_ = texture::YuvRange::Limited;
};

}  // namespace tessera::egl
