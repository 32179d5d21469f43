// EGL_EXT_image_dma_buf_import and EGL_EXT_image_dma_buf_import_modifiers for a GPU that is the processor: a buffer is
// mapped and read. So are memory files (memfd) that are sealed against shrinking: what the kernel's udmabuf would make
// a dma_buf of, for machines without it.
//
// Others write the memory whenever they like. It is read at each glEGLImageTargetTexture2DOES, which is when those that
// import buffers, compositors above all, tell GL of a new frame.
// Only linear layouts can be read, and nothing is written back: renderbuffers are not made of it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "api/egl/picture.h"

namespace tessera::egl {

constexpr uint64_t kLinearModifier = 0;  ///< DRM_FORMAT_MOD_LINEAR

class DmaBuf {
public:
    /// One attribute; an EGL error, or EGL_SUCCESS.
    [[nodiscard]] EGLint set(EGLAttrib name, EGLint value);
    /// After all of them: maps the memory. An EGL error, or EGL_SUCCESS.
    [[nodiscard]] EGLint open();
    /// What the memory holds now; null when memory is out.
    [[nodiscard]] texture::ImagePtr read() const;
    [[nodiscard]] bool isVideo() const { return picture_.isVideo(); }
    [[nodiscard]] uint32_t video() const { return picture_.video(); }

private:
    /// A file descriptor of our own and its bytes; unmapped and closed at the end.
    class Mapping {
    public:
        static std::shared_ptr<const Mapping> make(int file, size_t bytes, EGLint* error);
        Mapping(int file, const std::byte* memory, size_t bytes) : file_(file), memory_(memory), bytes_(bytes) {}
        ~Mapping();
        Mapping(const Mapping&) = delete;
        Mapping& operator=(const Mapping&) = delete;

        [[nodiscard]] const std::byte* memory() const { return memory_; }
        /// Before and after the processor reads what a device writes.
        void beginRead() const;
        void endRead() const;

    private:
        int file_;
        const std::byte* memory_;
        size_t bytes_;
    };
    struct Plane {
        std::optional<EGLint> file, offset, pitch, modifierLow, modifierHigh;
        [[nodiscard]] bool isNamed() const { return file || offset || pitch || modifierLow || modifierHigh; }
        [[nodiscard]] bool isWhole() const { return file && offset && pitch; }
    };
    static constexpr size_t kPlaneAttributes = 4;  ///< that the extension has attributes for

    Picture picture_;
    std::array<Plane, kPlaneAttributes> planes_;
    std::array<std::shared_ptr<const Mapping>, Picture::kMaxPlanes> mappings_;
};

}  // namespace tessera::egl
