// EGL_TESSERA_image_client_memory: pictures of video in client memory as EGL images. The extension's text is
// docs/extensions/EGL_TESSERA_image_client_memory.txt; what the pixels become is texture/yuv.h's.
#pragma once

#include <cstddef>

#include "api/egl/egl.h"
#include "texture/yuv.h"

namespace tessera::egl {

class ClientPicture {
public:
    /// One attribute; an EGL error, or EGL_SUCCESS.
    [[nodiscard]] EGLint set(EGLAttrib name, EGLint value);
    /// What is wrong with all of them together.
    [[nodiscard]] EGLint check() const;
    /// After check(): reads the planes behind `memory`; null when memory is out.
    [[nodiscard]] texture::ImagePtr convert(const std::byte* memory) const;

private:
    struct Plane {
        EGLint offset = 0, pitch = 0;
    };
    EGLint width_ = 0, height_ = 0, fourcc_ = 0;
    Plane planes_[3];
    texture::YuvStandard standard_ = texture::YuvStandard::Bt601;
    texture::YuvRange range_ = texture::YuvRange::Limited;
};

}  // namespace tessera::egl
