// EGL entry points for surfaces: creation and attributes (EGL 1.5 sections 3.5 and 3.6). Swapping, copying and binding
// to textures are in swap_entry_points.cpp.
#include <algorithm>

#include "api/egl/entry.h"
#include "api/egl/platform.h"
#include "pipeline/limits.h"

using namespace tessera::egl;
namespace texture = tessera::texture;

namespace {

constexpr EGLint kMaxSize = tessera::pipeline::kMaxRenderSize;

EGLSurface addSurface(Display& display, std::shared_ptr<Surface> surface, int width, int height) {
    if (!surface->allocate(width, height)) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    surface->useRenderBuffer();
    Surface* handle = surface.get();
    display.surfaces[handle] = std::move(surface);
    return succeed<EGLSurface>(handle);
}

// --- Attribute lists ---

/// Attributes that every kind of surface takes. EGL_BAD_ATTRIBUTE: not one of these.
template <class Value>
EGLint parseCommonAttribute(EGLint name, Value value, Surface* surface) {
    switch (name) {
        case EGL_GL_COLORSPACE:
            if (value != EGL_GL_COLORSPACE_LINEAR && value != EGL_GL_COLORSPACE_SRGB) return EGL_BAD_ATTRIBUTE;
            surface->colorspace = static_cast<EGLint>(value);
            return surface->colorFormat() == texture::PixelFormat::None ? EGL_BAD_MATCH : EGL_SUCCESS;
        case EGL_VG_COLORSPACE:
            if (value != EGL_VG_COLORSPACE_sRGB && value != EGL_VG_COLORSPACE_LINEAR) return EGL_BAD_ATTRIBUTE;
            surface->vgColorspace = static_cast<EGLint>(value);
            return EGL_SUCCESS;
        case EGL_VG_ALPHA_FORMAT:
            if (value != EGL_VG_ALPHA_FORMAT_NONPRE && value != EGL_VG_ALPHA_FORMAT_PRE) return EGL_BAD_ATTRIBUTE;
            surface->vgAlphaFormat = static_cast<EGLint>(value);
            return EGL_SUCCESS;
        default:
            return EGL_BAD_ATTRIBUTE;
    }
}

template <class Value>
EGLint parseWindowAttributes(const Value* attributes, Surface* surface) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        if (attributes[0] == EGL_RENDER_BUFFER) {
            if (attributes[1] != EGL_BACK_BUFFER && attributes[1] != EGL_SINGLE_BUFFER) return EGL_BAD_ATTRIBUTE;
            surface->renderBuffer = static_cast<EGLint>(attributes[1]);
            continue;
        }
        EGLint error = parseCommonAttribute(static_cast<EGLint>(attributes[0]), attributes[1], surface);
        if (error != EGL_SUCCESS) return error;
    }
    return EGL_SUCCESS;
}

template <class Value>
EGLint parsePixmapAttributes(const Value* attributes, Surface* surface) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        EGLint error = parseCommonAttribute(static_cast<EGLint>(attributes[0]), attributes[1], surface);
        if (error != EGL_SUCCESS) return error;
    }
    return EGL_SUCCESS;
}

struct PbufferSize {
    EGLint width = 0, height = 0;
};

EGLint parsePbufferAttribute(EGLint name, EGLint value, Surface* surface, PbufferSize* size) {
    switch (name) {
        case EGL_WIDTH:
            size->width = value;
            return value < 0 ? EGL_BAD_PARAMETER : EGL_SUCCESS;
        case EGL_HEIGHT:
            size->height = value;
            return value < 0 ? EGL_BAD_PARAMETER : EGL_SUCCESS;
        case EGL_LARGEST_PBUFFER:
            surface->largestPbuffer = value != EGL_FALSE;
            return EGL_SUCCESS;
        case EGL_MIPMAP_TEXTURE:
            surface->mipmapTexture = value != EGL_FALSE;
            return EGL_SUCCESS;
        case EGL_TEXTURE_FORMAT:
            if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_RGB && value != EGL_TEXTURE_RGBA)
                return EGL_BAD_ATTRIBUTE;
            surface->textureFormat = value;
            return EGL_SUCCESS;
        case EGL_TEXTURE_TARGET:
            if (value != EGL_NO_TEXTURE && value != EGL_TEXTURE_2D) return EGL_BAD_ATTRIBUTE;
            surface->textureTarget = value;
            return EGL_SUCCESS;
        default:
            return parseCommonAttribute(name, value, surface);
    }
}

EGLint parsePbufferAttributes(const EGLint* attributes, Surface* surface, PbufferSize* size) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        EGLint error = parsePbufferAttribute(attributes[0], attributes[1], surface, size);
        if (error != EGL_SUCCESS) return error;
    }
    if ((surface->textureFormat == EGL_NO_TEXTURE) != (surface->textureTarget == EGL_NO_TEXTURE)) return EGL_BAD_MATCH;
    // Section 3.5.2 names no error for a configuration without alpha: as an RGBA texture its alpha is 1. What has alpha
    // cannot hide it in an RGB texture.
    const bool hidesAlpha = surface->textureFormat == EGL_TEXTURE_RGB && surface->config->alpha > 0;
    return hidesAlpha ? EGL_BAD_ATTRIBUTE : EGL_SUCCESS;
}

// --- Windows and pixmaps ---
//
// When a call has several errors, that of the native handle is told where the platform has no windows
// (EGL_MESA_platform_surfaceless), else that of the configuration, else that of an attribute.

bool isInUse(const Display& display, SurfaceKind kind, uint64_t native) {
    return std::any_of(display.surfaces.begin(), display.surfaces.end(),
                       [&](const auto& entry) { return entry.second->kind == kind && entry.second->native == native; });
}

template <class Value>
EGLSurface createWindowSurface(Display& display, EGLConfig configHandle, uint64_t window, const Value* attributes) {
    if (display.windowSystem == nullptr) return fail<EGLSurface>(EGL_BAD_NATIVE_WINDOW, EGL_NO_SURFACE);
    const Config* config = display.findConfig(configHandle);
    if (config == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
    if ((config->surfaceType & EGL_WINDOW_BIT) == 0) return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);
    auto surface = std::make_shared<Surface>();
    surface->kind = SurfaceKind::Window;
    surface->config = config;
    EGLint error = parseWindowAttributes(attributes, surface.get());
    if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
    if (window == 0) return fail<EGLSurface>(EGL_BAD_NATIVE_WINDOW, EGL_NO_SURFACE);
    // A request that the others cannot fulfil (section 3.5.1).
    if ((config->surfaceType & EGL_MUTABLE_RENDER_BUFFER_BIT_KHR) == 0) surface->renderBuffer = EGL_BACK_BUFFER;
    if (isInUse(display, SurfaceKind::Window, window)) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    surface->native = window;
    surface->presenter = display.windowSystem->openWindow(window, config->windowBits());
    int width = 0, height = 0;
    if (!surface->presenter || !surface->presenter->size(width, height))
        return fail<EGLSurface>(EGL_BAD_NATIVE_WINDOW, EGL_NO_SURFACE);
    return addSurface(display, std::move(surface), std::clamp(width, 0, kMaxSize), std::clamp(height, 0, kMaxSize));
}

template <class Value>
EGLSurface createPixmapSurface(Display& display, EGLConfig configHandle, uint64_t pixmap, const Value* attributes) {
    if (display.windowSystem == nullptr) return fail<EGLSurface>(EGL_BAD_NATIVE_PIXMAP, EGL_NO_SURFACE);
    const Config* config = display.findConfig(configHandle);
    if (config == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
    if ((config->surfaceType & EGL_PIXMAP_BIT) == 0) return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);
    auto surface = std::make_shared<Surface>();
    surface->kind = SurfaceKind::Pixmap;
    surface->config = config;
    surface->renderBuffer = surface->activeRenderBuffer = EGL_SINGLE_BUFFER;
    EGLint error = parsePixmapAttributes(attributes, surface.get());
    if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
    if (pixmap == 0) return fail<EGLSurface>(EGL_BAD_NATIVE_PIXMAP, EGL_NO_SURFACE);
    if (isInUse(display, SurfaceKind::Pixmap, pixmap)) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    surface->native = pixmap;
    surface->pixmap = display.windowSystem->openPixmap(pixmap);
    int width = 0, height = 0;
    if (!surface->pixmap || !surface->pixmap->size(width, height))
        return fail<EGLSurface>(EGL_BAD_NATIVE_PIXMAP, EGL_NO_SURFACE);
    if (surface->pixmap->depth() != config->bufferSize()) return fail<EGLSurface>(EGL_BAD_MATCH, EGL_NO_SURFACE);
    if (width > kMaxSize || height > kMaxSize) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
    return addSurface(display, std::move(surface), width, height);
}

// --- Queries ---

/// A window's size is the native window's. Its buffers follow unless another thread draws to them.
void followWindowForQuery(Surface& surface) {
    ThreadState& state = threadState();
    bool mine = state.draw.get() == &surface || state.read.get() == &surface;
    if (surface.kind == SurfaceKind::Window && (surface.currentCount == 0 || mine)) (void)surface.followWindowSize();
}

EGLint queryPbuffer(const Surface& surface, EGLint name) {
    switch (name) {
        case EGL_LARGEST_PBUFFER:
            return surface.largestPbuffer ? EGL_TRUE : EGL_FALSE;
        case EGL_TEXTURE_FORMAT:
            return surface.textureFormat;
        case EGL_TEXTURE_TARGET:
            return surface.textureTarget;
        case EGL_MIPMAP_TEXTURE:
            return surface.mipmapTexture ? EGL_TRUE : EGL_FALSE;
        default:
            return surface.mipmapLevel;
    }
}

EGLint querySurface(const std::shared_ptr<Surface>& surface, EGLint name, EGLint* value) {
    switch (name) {
        case EGL_WIDTH:
        case EGL_HEIGHT:
            followWindowForQuery(*surface);
            *value = name == EGL_WIDTH ? surface->drawable->width : surface->drawable->height;
            return EGL_SUCCESS;
        case EGL_CONFIG_ID:
            *value = surface->config->id;
            return EGL_SUCCESS;
        case EGL_RENDER_BUFFER:
            *value = surface->renderBuffer;
            return EGL_SUCCESS;
        case EGL_SWAP_BEHAVIOR:
            *value = surface->swapBehavior;
            return EGL_SUCCESS;
        case EGL_MULTISAMPLE_RESOLVE:
            *value = surface->multisampleResolve;
            return EGL_SUCCESS;
        case EGL_HORIZONTAL_RESOLUTION:
        case EGL_VERTICAL_RESOLUTION:
        case EGL_PIXEL_ASPECT_RATIO:
            *value = EGL_UNKNOWN;
            return EGL_SUCCESS;
        case EGL_GL_COLORSPACE:
            *value = surface->colorspace;
            return EGL_SUCCESS;
        case EGL_VG_COLORSPACE:
            *value = surface->vgColorspace;
            return EGL_SUCCESS;
        case EGL_VG_ALPHA_FORMAT:
            *value = surface->vgAlphaFormat;
            return EGL_SUCCESS;
        case EGL_BUFFER_AGE_EXT:  // and _KHR
            if (threadState().draw != surface) return EGL_BAD_SURFACE;
            followWindowForQuery(*surface);  // what it has grown by was never drawn
            surface->ageQueried = true;
            *value = surface->bufferAge;
            return EGL_SUCCESS;
        case EGL_LARGEST_PBUFFER:
        case EGL_TEXTURE_FORMAT:
        case EGL_TEXTURE_TARGET:
        case EGL_MIPMAP_TEXTURE:
        case EGL_MIPMAP_LEVEL:
            // Other surfaces leave the value alone.
            if (surface->kind == SurfaceKind::Pbuffer) *value = queryPbuffer(*surface, name);
            return EGL_SUCCESS;
        default:
            return EGL_BAD_ATTRIBUTE;
    }
}

}  // namespace

extern "C" {

EGLAPI EGLSurface EGLAPIENTRY eglCreatePbufferSurface(EGLDisplay handle, EGLConfig configHandle,
                                                      const EGLint* attributes) {
    return enter(handle, [&](Display& display) {
        const Config* config = display.findConfig(configHandle);
        if (config == nullptr) return fail<EGLSurface>(EGL_BAD_CONFIG, EGL_NO_SURFACE);
        auto surface = std::make_shared<Surface>();
        surface->config = config;
        PbufferSize size;
        EGLint error = parsePbufferAttributes(attributes, surface.get(), &size);
        if (error != EGL_SUCCESS) return fail<EGLSurface>(error, EGL_NO_SURFACE);
        if (size.width > kMaxSize || size.height > kMaxSize) {
            if (!surface->largestPbuffer) return fail<EGLSurface>(EGL_BAD_ALLOC, EGL_NO_SURFACE);
            size.width = std::min(size.width, kMaxSize), size.height = std::min(size.height, kMaxSize);
        }
        return addSurface(display, std::move(surface), size.width, size.height);
    });
}

EGLAPI EGLSurface EGLAPIENTRY eglCreatePbufferFromClientBuffer(EGLDisplay handle, EGLenum, EGLClientBuffer, EGLConfig,
                                                               const EGLint*) {
    // The extension makes surfaces of OpenVG images alone, and there is no OpenVG.
    return enter(handle, [](Display&) { return fail<EGLSurface>(EGL_BAD_PARAMETER, EGL_NO_SURFACE); });
}

EGLAPI EGLSurface EGLAPIENTRY eglCreateWindowSurface(EGLDisplay handle, EGLConfig config, EGLNativeWindowType window,
                                                     const EGLint* attributes) {
    return enter(handle, [&](Display& display) { return createWindowSurface(display, config, window, attributes); });
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurface(EGLDisplay handle, EGLConfig config, void* window,
                                                             const EGLAttrib* attributes) {
    return enter(handle, [&](Display& display) {
        return createWindowSurface(display, config, nativeHandle(display, window), attributes);
    });
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformWindowSurfaceEXT(EGLDisplay handle, EGLConfig config, void* window,
                                                                const EGLint* attributes) {
    return enter(handle, [&](Display& display) {
        return createWindowSurface(display, config, nativeHandle(display, window), attributes);
    });
}

EGLAPI EGLSurface EGLAPIENTRY eglCreatePixmapSurface(EGLDisplay handle, EGLConfig config, EGLNativePixmapType pixmap,
                                                     const EGLint* attributes) {
    return enter(handle, [&](Display& display) { return createPixmapSurface(display, config, pixmap, attributes); });
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurface(EGLDisplay handle, EGLConfig config, void* pixmap,
                                                             const EGLAttrib* attributes) {
    return enter(handle, [&](Display& display) {
        return createPixmapSurface(display, config, nativeHandle(display, pixmap), attributes);
    });
}
EGLAPI EGLSurface EGLAPIENTRY eglCreatePlatformPixmapSurfaceEXT(EGLDisplay handle, EGLConfig config, void* pixmap,
                                                                const EGLint* attributes) {
    return enter(handle, [&](Display& display) {
        return createPixmapSurface(display, config, nativeHandle(display, pixmap), attributes);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglDestroySurface(EGLDisplay handle, EGLSurface surface) {
    return enter(handle, [&](Display& display) {
        if (display.surfaces.erase(surface) == 0) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglQuerySurface(EGLDisplay handle, EGLSurface surfaceHandle, EGLint name, EGLint* value) {
    return enter(handle, [&](Display& display) {
        auto surface = display.findSurface(surfaceHandle);
        if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        if (EGLint error = querySurface(surface, name, value); error != EGL_SUCCESS)
            return fail<EGLBoolean>(error, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglSurfaceAttrib(EGLDisplay handle, EGLSurface surfaceHandle, EGLint name, EGLint value) {
    return enter(handle, [&](Display& display) {
        auto surface = display.findSurface(surfaceHandle);
        if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        switch (name) {
            case EGL_SWAP_BEHAVIOR:
                if (value != EGL_BUFFER_PRESERVED && value != EGL_BUFFER_DESTROYED)
                    return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
                surface->swapBehavior = value;
                break;
            case EGL_MULTISAMPLE_RESOLVE:
                if (value == EGL_MULTISAMPLE_RESOLVE_BOX) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
                if (value != EGL_MULTISAMPLE_RESOLVE_DEFAULT) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
                break;
            case EGL_MIPMAP_LEVEL:
                surface->mipmapLevel = value;
                break;
            case EGL_RENDER_BUFFER:
                if (value != EGL_BACK_BUFFER && value != EGL_SINGLE_BUFFER)
                    return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
                if (surface->kind != SurfaceKind::Window ||
                    (surface->config->surfaceType & EGL_MUTABLE_RENDER_BUFFER_BIT_KHR) == 0)
                    return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
                surface->renderBuffer = value;  // from the next swap on
                break;
            default:
                return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
        }
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

}  // extern "C"
