// EGL entry points for images (EGL 1.5 section 3.9, EGL_KHR_image_base, EGL_KHR_gl_texture_2D_image,
// EGL_KHR_gl_texture_cubemap_image, EGL_KHR_gl_renderbuffer_image, EGL_EXT_image_dma_buf_import and its modifiers,
// EGL_TESSERA_image_client_memory).
#include <algorithm>
#include <span>

#include "api/egl/dma_buf.h"
#include "api/egl/entry.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

namespace {

/// The GL texture target of an image target; 0 for renderbuffers and everything else.
uint32_t textureTarget(EGLenum target) {
    constexpr uint32_t kTexture2D = 0x0DE1, kCubePositiveX = 0x8515;  // GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X
    if (target == EGL_GL_TEXTURE_2D) return kTexture2D;
    if (target >= EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= EGL_GL_TEXTURE_CUBE_MAP_NEGATIVE_Z)
        return kCubePositiveX + (target - EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X);
    return 0;
}

template <class Value>
EGLint parseAttributes(const Value* attributes, EGLenum target, int* level) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        switch (attributes[0]) {
            case EGL_GL_TEXTURE_LEVEL:
                if (textureTarget(target) == 0) return EGL_BAD_MATCH;
                *level = static_cast<int>(std::clamp<Value>(attributes[1], -1, 1024));
                break;
            case EGL_IMAGE_PRESERVED:
                break;  // it always is
            default:
                return EGL_BAD_PARAMETER;
        }
    }
    return EGL_SUCCESS;
}

/// A plane that already is a sibling of an image cannot be the source of another (section 3.9).
bool isSibling(const Display& display, const gles::SharedImage& shared) {
    return std::any_of(display.images.begin(), display.images.end(),
                       [&](const auto& entry) { return entry.second->image == shared.image; });
}

/// A pbuffer that is the texture by eglBindTexImage cannot be the source either (EGL_KHR_image_base).
bool isOfPbuffer(const Display& display, const gles::SharedImage& shared) {
    return std::ranges::any_of(display.surfaces,
                               [&](const auto& entry) { return entry.second->boundTexture.isAttached(shared.image); });
}

/// Gives all attributes to a description of memory; an EGL error, or EGL_SUCCESS.
template <class Value, class Description>
EGLint describe(const Value* attributes, Description* description) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        // Values past the range of the attributes are as wrong as those at its end; modifiers use all 32 bits.
        const auto value = static_cast<EGLint>(std::clamp<int64_t>(attributes[1], INT32_MIN, UINT32_MAX));
        if (EGLint error = description->set(attributes[0], value); error != EGL_SUCCESS) return error;
    }
    return EGL_SUCCESS;
}

/// Gives as many of the values as the array holds, or, if its size is 0, how many there are.
template <class Value>
EGLBoolean fillArray(std::span<const Value> values, EGLint size, Value* array, EGLint* count) {
    if (size < 0 || count == nullptr || (size > 0 && array == nullptr))
        return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    *count = static_cast<EGLint>(values.size());
    if (size > 0) {
        *count = std::min(*count, size);
        std::copy_n(values.begin(), *count, array);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLImage addImage(Display& display, gles::SharedImage shared) {
    if (!shared.image && !shared.read) return fail<EGLImage>(EGL_BAD_ALLOC, EGL_NO_IMAGE);
    auto image = std::make_shared<gles::SharedImage>(std::move(shared));
    EGLImage handle = image.get();
    display.images[handle] = std::move(image);
    return succeed(handle);
}

/// EGL_TESSERA_image_client_memory: the picture is converted at once.
template <class Value>
EGLImage createImageFromMemory(Display& display, EGLContext context, EGLClientBuffer buffer, const Value* attributes) {
    if (context != EGL_NO_CONTEXT || buffer == nullptr) return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
    Picture picture;
    EGLint error = describe(attributes, &picture);
    if (error == EGL_SUCCESS) error = picture.check();
    if (error != EGL_BAD_PARAMETER && error != EGL_BAD_ATTRIBUTE && !picture.isVideo()) error = EGL_BAD_MATCH;
    if (error != EGL_SUCCESS) return fail<EGLImage>(error, EGL_NO_IMAGE);
    const auto* memory = static_cast<const std::byte*>(buffer);
    return addImage(display, {.image = picture.convert({memory, memory, memory}),
                              .isExternalOnly = true,
                              .video = picture.video(),
                              .read = {}});
}

/// EGL_EXT_image_dma_buf_import.
template <class Value>
EGLImage createImageFromDmaBuf(Display& display, EGLContext context, EGLClientBuffer buffer, const Value* attributes) {
    if (context != EGL_NO_CONTEXT || buffer != nullptr) return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
    auto memory = std::make_shared<DmaBuf>();
    EGLint error = describe(attributes, memory.get());
    if (error == EGL_SUCCESS) error = memory->open();
    if (error != EGL_SUCCESS) return fail<EGLImage>(error, EGL_NO_IMAGE);
    return addImage(display,
                    {.image = nullptr, .isExternalOnly = memory->isVideo(), .video = memory->video(), .read = [memory] {
                         return memory->read();
                     }});
}

template <class Value>
EGLImage createImage(EGLDisplay handle, EGLContext contextHandle, EGLenum target, EGLClientBuffer buffer,
                     const Value* attributes) {
    flushCurrent();
    return enter(handle, [&](Display& display) {
        if (target == EGL_CLIENT_MEMORY_TESSERA)
            return createImageFromMemory(display, contextHandle, buffer, attributes);
        if (target == EGL_LINUX_DMA_BUF_EXT) return createImageFromDmaBuf(display, contextHandle, buffer, attributes);
        auto context = display.findContext(contextHandle);
        if (!context && contextHandle != EGL_NO_CONTEXT) return fail<EGLImage>(EGL_BAD_CONTEXT, EGL_NO_IMAGE);
        if (textureTarget(target) == 0 && target != EGL_GL_RENDERBUFFER)
            return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
        if (!context) return fail<EGLImage>(EGL_BAD_CONTEXT, EGL_NO_IMAGE);
        int level = 0;
        if (EGLint error = parseAttributes(attributes, target, &level); error != EGL_SUCCESS)
            return fail<EGLImage>(error, EGL_NO_IMAGE);
        auto name = reinterpret_cast<uintptr_t>(buffer);
        if (name > UINT32_MAX) return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
        gles::SharedImage shared;
        gles::ShareResult result = target == EGL_GL_RENDERBUFFER
                                       ? gles::shareRenderbuffer(*context->gles, static_cast<uint32_t>(name), &shared)
                                       : gles::shareTexture(*context->gles, textureTarget(target),
                                                            static_cast<uint32_t>(name), level, &shared);
        if (result == gles::ShareResult::NoObject) return fail<EGLImage>(EGL_BAD_PARAMETER, EGL_NO_IMAGE);
        if (result == gles::ShareResult::NoLevel) return fail<EGLImage>(EGL_BAD_MATCH, EGL_NO_IMAGE);
        if (isSibling(display, shared) || isOfPbuffer(display, shared))
            return fail<EGLImage>(EGL_BAD_ACCESS, EGL_NO_IMAGE);
        // What was drawn to the source so far comes before what siblings do with it.
        ThreadState& state = threadState();
        if (state.context) gles::flush(*state.context->gles);
        if (context != state.context) gles::flush(*context->gles);
        return addImage(display, std::move(shared));
    });
}

}  // namespace

extern "C" {

EGLAPI EGLImage EGLAPIENTRY eglCreateImage(EGLDisplay display, EGLContext context, EGLenum target,
                                           EGLClientBuffer buffer, const EGLAttrib* attributes) {
    return createImage(display, context, target, buffer, attributes);
}
EGLAPI EGLImageKHR EGLAPIENTRY eglCreateImageKHR(EGLDisplay display, EGLContext context, EGLenum target,
                                                 EGLClientBuffer buffer, const EGLint* attributes) {
    return createImage(display, context, target, buffer, attributes);
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroyImage(EGLDisplay handle, EGLImage image) {
    return enter(handle, [&](Display& display) {
        // Siblings keep the plane.
        if (display.images.erase(image) == 0) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}
EGLAPI EGLBoolean EGLAPIENTRY eglDestroyImageKHR(EGLDisplay display, EGLImageKHR image) {
    return eglDestroyImage(display, image);
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryDmaBufFormatsEXT(EGLDisplay handle, EGLint size, EGLint* formats, EGLint* count) {
    return enter(handle, [&](Display&) { return fillArray<EGLint>(Picture::layouts(), size, formats, count); });
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryDmaBufModifiersEXT(EGLDisplay handle, EGLint format, EGLint size,
                                                         EGLuint64KHR* modifiers, EGLBoolean* externalOnly,
                                                         EGLint* count) {
    return enter(handle, [&](Display&) {
        const std::vector<EGLint>& all = Picture::layouts();
        if (std::find(all.begin(), all.end(), format) == all.end())
            return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        static constexpr EGLuint64KHR kModifiers[] = {kLinearModifier};
        if (fillArray<EGLuint64KHR>(kModifiers, size, modifiers, count) == EGL_FALSE) return EGLBoolean{EGL_FALSE};
        // Nothing that GL writes gets into the memory, so that textures to draw to are none of it.
        if (size > 0 && externalOnly != nullptr) externalOnly[0] = EGL_TRUE;
        return EGLBoolean{EGL_TRUE};
    });
}

}  // extern "C"
