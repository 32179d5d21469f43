#include "api/egl/dma_buf.h"

#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace tessera::egl {

namespace {

constexpr uint64_t kUnknownModifier = (uint64_t{1} << 56) - 1;  // DRM_FORMAT_MOD_INVALID: as if none were given

int sync(int file, uint64_t flags) {
    dma_buf_sync request{flags};
    int result = 0;
    do result = ioctl(file, DMA_BUF_IOCTL_SYNC, &request);
    while (result == -1 && (errno == EINTR || errno == EAGAIN));
    return result;
}

/// Reading a mapping whose file became shorter ends the process; of a dma_buf and a sealed memory file none does.
bool keepsItsSize(int file) {
    if (sync(file, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ) == 0)
        return sync(file, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ) == 0;
    const int seals = fcntl(file, F_GET_SEALS);
    return seals != -1 && (seals & F_SEAL_SHRINK) != 0;
}

}  // namespace

std::shared_ptr<const DmaBuf::Mapping> DmaBuf::Mapping::make(int file, size_t bytes, EGLint* error) {
    *error = EGL_BAD_PARAMETER;
    if (!keepsItsSize(file)) return nullptr;
    *error = EGL_BAD_ACCESS;
    const off_t size = lseek(file, 0, SEEK_END);
    if (size < 0 || static_cast<size_t>(size) < bytes) return nullptr;
    *error = EGL_BAD_ALLOC;
    const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
    if (own < 0) return nullptr;
    void* memory = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, own, 0);
    if (memory == MAP_FAILED) {
        close(own);
        return nullptr;
    }
    *error = EGL_SUCCESS;
    return std::make_shared<Mapping>(own, static_cast<const std::byte*>(memory), bytes);
}

DmaBuf::Mapping::~Mapping() {
    munmap(const_cast<std::byte*>(memory_), bytes_);
    close(file_);
}

void DmaBuf::Mapping::beginRead() const { (void)sync(file_, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ); }
void DmaBuf::Mapping::endRead() const { (void)sync(file_, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ); }

EGLint DmaBuf::set(EGLAttrib name, EGLint value) {
    // Sets an attribute of a plane. Attributes of a plane follow each other: file, offset and pitch, and likewise the
    // two halves of a modifier.
    auto planeAttribute = [&](size_t plane, EGLAttrib which) {
        (which == 0 ? planes_[plane].file : which == 1 ? planes_[plane].offset : planes_[plane].pitch) = value;
    };
    if (name >= EGL_DMA_BUF_PLANE0_FD_EXT && name <= EGL_DMA_BUF_PLANE2_PITCH_EXT) {
        const EGLAttrib index = name - EGL_DMA_BUF_PLANE0_FD_EXT;
        planeAttribute(static_cast<size_t>(index / 3), index % 3);
        return index % 3 == 0 ? EGL_SUCCESS : picture_.set(name, value);
    }
    if (name >= EGL_DMA_BUF_PLANE3_FD_EXT && name <= EGL_DMA_BUF_PLANE3_PITCH_EXT) {
        planeAttribute(3, name - EGL_DMA_BUF_PLANE3_FD_EXT);
        return EGL_SUCCESS;
    }
    if (name >= EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT && name <= EGL_DMA_BUF_PLANE3_MODIFIER_HI_EXT) {
        const EGLAttrib index = name - EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT;
        Plane& plane = planes_[static_cast<size_t>(index / 2)];
        (index % 2 == 0 ? plane.modifierLow : plane.modifierHigh) = value;
        return EGL_SUCCESS;
    }
    switch (name) {
        case EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT:
        case EGL_YUV_CHROMA_VERTICAL_SITING_HINT_EXT:
            // A hint; texture/codec/yuv.h has one place for them.
            return value == EGL_YUV_CHROMA_SITING_0_EXT || value == EGL_YUV_CHROMA_SITING_0_5_EXT ? EGL_SUCCESS
                                                                                                  : EGL_BAD_ATTRIBUTE;
        case EGL_YUV_COLOR_SPACE_HINT_EXT:
            // There is no matrix of BT.2020; that of BT.709 is the nearest to it.
            return picture_.set(name, value == EGL_ITU_REC2020_EXT ? EGL_ITU_REC709_EXT : value);
        default:
            return picture_.set(name, value);
    }
}

EGLint DmaBuf::open() {
    if (!planes_[0].isWhole()) return EGL_BAD_PARAMETER;
    for (const Plane& plane : planes_) {
        if (plane.modifierLow.has_value() != plane.modifierHigh.has_value()) return EGL_BAD_PARAMETER;
        if (!plane.modifierLow) continue;
        const uint64_t modifier =
            uint64_t{static_cast<uint32_t>(*plane.modifierHigh)} << 32 | static_cast<uint32_t>(*plane.modifierLow);
        if (modifier != kLinearModifier && modifier != kUnknownModifier) return EGL_BAD_MATCH;
    }
    if (EGLint error = picture_.check(); error == EGL_BAD_PARAMETER || error == EGL_BAD_MATCH) return error;
    for (size_t i = 0; i < planes_.size(); ++i) {
        if (i < picture_.planes() && !planes_[i].isWhole()) return EGL_BAD_PARAMETER;
        if (i >= picture_.planes() && planes_[i].isNamed()) return EGL_BAD_ATTRIBUTE;
    }
    if (EGLint error = picture_.check(); error != EGL_SUCCESS) return error;
    for (size_t i = 0; i < picture_.planes(); ++i) {
        EGLint error = EGL_SUCCESS;
        mappings_[i] = Mapping::make(*planes_[i].file, picture_.extent(i), &error);
        if (error != EGL_SUCCESS) return error;
    }
    return EGL_SUCCESS;
}

texture::ImagePtr DmaBuf::read() const {
    std::array<const std::byte*, Picture::kMaxPlanes> memory{};
    for (size_t i = 0; i < picture_.planes(); ++i) {
        mappings_[i]->beginRead();
        memory[i] = mappings_[i]->memory();
    }
    texture::ImagePtr image = picture_.convert(memory);
    for (size_t i = 0; i < picture_.planes(); ++i) mappings_[i]->endRead();
    return image;
}

}  // namespace tessera::egl
