// EGL entry points for surfaces: creation, attributes, swapping, presenting (EGL 1.5 sections 3.5, 3.6, 3.10).
#include <algorithm>
#include <new>

#include "api/egl/objects.h"

using namespace tessera::egl;
namespace gles = tessera::gles;
namespace present = tessera::present;

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;
constexpr EGLint kMaxSize = tessera::pipeline::kMaxRenderSize;

EGLSurface addSurface(Display* display, std::shared_ptr<Surface> surface, int width, int height) {
    if (!surface->allocate(width, height)) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    Surface* handle = surface.get();
    display->surfaces[handle] = std::move(surface);
    return succeed<EGLSurface>(handle);
}

/// Size and texture attributes of a pbuffer (section 3.5.2).
EGLint parsePbufferAttributes(const EGLint* attributes, Surface* surface, EGLint* width, EGLint* height) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        EGLint value = attributes[1];
        switch (attributes[0]) {
            case EGL_WIDTH:
                *width = value;
                break;
            case EGL_HEIGHT:
                *height = value;
                break;
            case EGL_LARGEST_PBUFFER:
                surface->largestPbuffer = value != EGL_FALSE;
                break;
            case EGL_MIPMAP_TEXTURE:
                surface->mipmapTexture = value != EGL_FALSE;
                break;
            case EGL_TEXTURE_FORMAT:
                if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_RGB && value != EGL_TEXTURE_RGBA)
                    return EGL_BAD_ATTRIBUTE;
                surface->textureFormat = value;
                break;
            case EGL_TEXTURE_TARGET:
                if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_2D) return EGL_BAD_ATTRIBUTE;
                surface->textureTarget = value;
                break;
            case EGL_VG_COLORSPACE:
            case EGL_VG_ALPHA_FORMAT:
            case EGL_GL_COLORSPACE:
                break;
            default:
                return EGL_BAD_ATTRIBUTE;
        }
    }
    if (*width < 0 || *height < 0) return EGL_BAD_PARAMETER;
    if ((surface->textureFormat == EGL_NO_TEXTURE) != (surface->textureTarget == EGL_NO_TEXTURE)) return EGL_BAD_MATCH;
    // No configuration has EGL_BIND_TO_TEXTURE_RGB(A).
    if (surface->textureFormat != EGL_NO_TEXTURE) return EGL_BAD_ATTRIBUTE;
    return EGL_SUCCESS;
}

template <class Attribute>
EGLint checkWindowAttributes(const Attribute* attributes) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        switch (attributes[0]) {
            case EGL_RENDER_BUFFER:
                if (attributes[1] != EGL_BACK_BUFFER && attributes[1] != EGL_SINGLE_BUFFER) return EGL_BAD_ATTRIBUTE;
                break;
            case EGL_GL_COLORSPACE:
            case EGL_VG_COLORSPACE:
            case EGL_VG_ALPHA_FORMAT:
                break;
            default:
                return EGL_BAD_ATTRIBUTE;
        }
    }
    return EGL_SUCCESS;
}

template <class Attribute>
EGLSurface createWindowSurface(EGLDisplay handle, EGLConfig configHandle, void* window, const Attribute* attributes) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_NO_SURFACE;
    const Config* config = display->findConfig(configHandle);
    if (config == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
    if ((config->surfaceType & EGL_WINDOW_BIT) == 0) return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);
    EGLint error = checkWindowAttributes(attributes);
    if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
    if (window == nullptr) return fail<EGLSurface>(EGL_BAD_NATIVE_WINDOW, EGL_NO_SURFACE);
    for (const auto& [key, other] : display->surfaces)
        if (other->nativeWindow == window) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);

    auto surface = std::make_shared<Surface>();
    surface->kind = SurfaceKind::Window;
    surface->config = config;
    surface->nativeWindow = window;
    surface->presenter = present::makeSdlPresenter(window);
    if (!surface->presenter) return fail<EGLSurface>(EGL_BAD_NATIVE_WINDOW, EGL_NO_SURFACE);
    int width = 0, height = 0;
    surface->presenter->size(width, height);
    return addSurface(display, std::move(surface), std::min(width, kMaxSize), std::min(height, kMaxSize));
}

/// A window that changed size gets new buffers with its next frame (section 3.10.1.1).
void followWindowSize(Surface& surface) {
    int width = 0, height = 0;
    surface.presenter->size(width, height);
    width = std::min(width, kMaxSize), height = std::min(height, kMaxSize);
    if (width != surface.drawable->width || height != surface.drawable->height) (void)surface.allocate(width, height);
}

}  // namespace

extern "C" {

EGLAPI EGLSurface EGLAPIENTRY eglCreatePbufferSurface(EGLDisplay handle, EGLConfig configHandle,
                                                      const EGLint* attributes) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_NO_SURFACE;
    const Config* config = display->findConfig(configHandle);
    if (config == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
    auto surface = std::make_shared<Surface>();
    surface->config = config;
    EGLint width = 0, height = 0;
    EGLint error = parsePbufferAttributes(attributes, surface.get(), &width, &height);
    if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
    if (width > kMaxSize || height > kMaxSize) {
        if (!surface->largestPbuffer) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
        width = std::min(width, kMaxSize), height = std::min(height, kMaxSize);
    }
    return addSurface(display, std::move(surface), width, height);
}

EGLAPI EGLSurface EGLAPIENTRY eglCreateWindowSurface(EGLDisplay display, EGLConfig config, EGLNativeWindowType window,
                                                     const EGLint* attributes) {
    return createWindowSurface(display, config, reinterpret_cast<void*>(window), attributes);
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurface(EGLDisplay display, EGLConfig config, void* window,
                                                             const EGLAttrib* attributes) {
    return createWindowSurface(display, config, window, attributes);
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurfaceEXT(EGLDisplay display, EGLConfig config, void* window,
                                                                const EGLint* attributes) {
    return createWindowSurface(display, config, window, attributes);
}

EGLAPI EGLSurface EGLAPIENTRY eglCreatePixmapSurface(EGLDisplay handle, EGLConfig configHandle, EGLNativePixmapType,
                                                     const EGLint*) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_NO_SURFACE;
    if (display->findConfig(configHandle) == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
    return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);  // no configuration renders to pixmaps
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurface(EGLDisplay display, EGLConfig config, void*,
                                                             const EGLAttrib*) {
    return eglCreatePixmapSurface(display, config, 0, nullptr);
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurfaceEXT(EGLDisplay display, EGLConfig config, void*,
                                                                const EGLint*) {
    return eglCreatePixmapSurface(display, config, 0, nullptr);
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePbufferFromClientBuffer(EGLDisplay handle, EGLenum, EGLClientBuffer, EGLConfig,
                                                               const EGLint*) {
    Lock lock(Library::instance().mutex);
    if (initializedDisplay(handle) == nullptr) return EGL_NO_SURFACE;
    return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE);  // OpenVG images only, and there is no OpenVG
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroySurface(EGLDisplay handle, EGLSurface surface) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    if (display->surfaces.erase(surface) == 0) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglQuerySurface(EGLDisplay handle, EGLSurface surfaceHandle, EGLint name, EGLint* value) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    auto surface = display->findSurface(surfaceHandle);
    if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    switch (name) {
        case EGL_WIDTH:
            *value = surface->drawable->width;
            break;
        case EGL_HEIGHT:
            *value = surface->drawable->height;
            break;
        case EGL_CONFIG_ID:
            *value = surface->config->id;
            break;
        case EGL_RENDER_BUFFER:
            *value = EGL_BACK_BUFFER;
            break;
        case EGL_SWAP_BEHAVIOR:
            *value = surface->swapBehavior;
            break;
        case EGL_MULTISAMPLE_RESOLVE:
            *value = surface->multisampleResolve;
            break;
        case EGL_HORIZONTAL_RESOLUTION:
        case EGL_VERTICAL_RESOLUTION:
        case EGL_PIXEL_ASPECT_RATIO:
            *value = EGL_UNKNOWN;
            break;
        case EGL_GL_COLORSPACE:
            *value = EGL_GL_COLORSPACE_LINEAR;
            break;
        case EGL_VG_COLORSPACE:
            *value = EGL_VG_COLORSPACE_sRGB;
            break;
        case EGL_VG_ALPHA_FORMAT:
            *value = EGL_VG_ALPHA_FORMAT_NONPRE;
            break;
        // Pbuffer attributes: other surfaces leave the value alone.
        case EGL_LARGEST_PBUFFER:
            if (surface->kind == SurfaceKind::Pbuffer) *value = surface->largestPbuffer;
            break;
        case EGL_TEXTURE_FORMAT:
            if (surface->kind == SurfaceKind::Pbuffer) *value = surface->textureFormat;
            break;
        case EGL_TEXTURE_TARGET:
            if (surface->kind == SurfaceKind::Pbuffer) *value = surface->textureTarget;
            break;
        case EGL_MIPMAP_TEXTURE:
            if (surface->kind == SurfaceKind::Pbuffer) *value = surface->mipmapTexture;
            break;
        case EGL_MIPMAP_LEVEL:
            if (surface->kind == SurfaceKind::Pbuffer) *value = surface->mipmapLevel;
            break;
        default:
            return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglSurfaceAttrib(EGLDisplay handle, EGLSurface surfaceHandle, EGLint name, EGLint value) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    auto surface = display->findSurface(surfaceHandle);
    if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    switch (name) {
        case EGL_SWAP_BEHAVIOR:
            if (value != EGL_BUFFER_PRESERVED && value != EGL_BUFFER_DESTROYED)
                return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
            surface->swapBehavior = value;
            break;
        case EGL_MULTISAMPLE_RESOLVE:
            if (value != EGL_MULTISAMPLE_RESOLVE_DEFAULT) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
            break;
        case EGL_MIPMAP_LEVEL:
            surface->mipmapLevel = value;
            break;
        default:
            return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
    }
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglSwapBuffers(EGLDisplay handle, EGLSurface surfaceHandle) {
    std::shared_ptr<Surface> surface;
    ThreadState& state = threadState();
    {
        Lock lock(Library::instance().mutex);
        Display* display = initializedDisplay(handle);
        if (display == nullptr) return EGL_FALSE;
        surface = display->findSurface(surfaceHandle);
        if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        if (surface != state.draw || !state.context) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    }
    if (surface->kind != SurfaceKind::Window) {
        gles::flush(*state.context->gles);
        return succeed<EGLBoolean>(EGL_TRUE);
    }
    gles::finish(*state.context->gles);
    surface->presenter->present(*surface->drawable->color);
    followWindowSize(*surface);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglSwapInterval(EGLDisplay handle, EGLint interval) {
    Lock lock(Library::instance().mutex);
    if (initializedDisplay(handle) == nullptr) return EGL_FALSE;
    ThreadState& state = threadState();
    if (!state.context) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
    if (!state.draw) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    state.swapInterval = std::clamp(interval, 0, 1);
    if (state.draw->presenter) state.draw->presenter->setSwapInterval(state.swapInterval);
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglCopyBuffers(EGLDisplay handle, EGLSurface surfaceHandle, EGLNativePixmapType) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    if (!display->findSurface(surfaceHandle)) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    return fail<EGLBoolean>(EGL_BAD_NATIVE_PIXMAP, EGL_FALSE);  // these platforms have no pixmaps
}

static EGLBoolean checkTexImage(EGLDisplay handle, EGLSurface surfaceHandle, EGLint buffer) {
    Lock lock(Library::instance().mutex);
    Display* display = initializedDisplay(handle);
    if (display == nullptr) return EGL_FALSE;
    auto surface = display->findSurface(surfaceHandle);
    if (!surface || surface->kind != SurfaceKind::Pbuffer) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
    if (buffer != EGL_BACK_BUFFER) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);  // no surface has a texture format
}
EGLAPI EGLBoolean EGLAPIENTRY eglBindTexImage(EGLDisplay display, EGLSurface surface, EGLint buffer) {
    return checkTexImage(display, surface, buffer);
}
EGLAPI EGLBoolean EGLAPIENTRY eglReleaseTexImage(EGLDisplay display, EGLSurface surface, EGLint buffer) {
    return checkTexImage(display, surface, buffer);
}

}  // extern "C"
