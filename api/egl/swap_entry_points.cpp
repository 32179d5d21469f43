// EGL entry points that post and share colour buffers: swapping (EGL 1.5 section 3.10, EGL_KHR/EXT_swap_buffers_with_
// damage, EGL_KHR_partial_update), copying to pixmaps, and pbuffers as textures (section 3.6).
//
// A surface has one colour image for all its frames: presenting copies out of it. So the contents are preserved, and
// a buffer is one frame old after every swap. What leaves a surface with samples is their mean (Surface::resolve).
#include <algorithm>
#include <span>

#include "api/egl/entry.h"

using namespace tessera::egl;
namespace gles = tessera::gles;
namespace present = tessera::present;

namespace {

/// The initialised display's surface that the calling thread draws to; null with the error set.
std::shared_ptr<Surface> currentDrawSurface(EGLDisplay handle, EGLSurface surfaceHandle) {
    return enter(handle, [&](Display& display) {
        auto surface = display.findSurface(surfaceHandle);
        ThreadState& state = threadState();
        const bool drawsTo = surface && surface == state.draw && state.context;
        return drawsTo ? surface : fail<std::shared_ptr<Surface>>(EGL_BAD_SURFACE, nullptr);
    });
}

EGLBoolean swapBuffers(Surface& surface, std::span<const tessera::Rect> damage) {
    gles::Context& context = *threadState().context->gles;
    gles::endFrame(context, *surface.drawable);
    gles::flush(context);
    if (surface.kind != SurfaceKind::Window)
        return gles::isContextLost(context) ? fail<EGLBoolean>(EGL_CONTEXT_LOST, EGL_FALSE)
                                            : succeed<EGLBoolean>(EGL_TRUE);
    const uint64_t frame = surface.resolve();
    surface.preparePresent();
    gles::Driver::instance().gpu().wait(frame);
    if (gles::isContextLost(context)) return fail<EGLBoolean>(EGL_CONTEXT_LOST, EGL_FALSE);
    bool shown = surface.present(damage);
    Lock lock(Library::instance().mutex);
    surface.ageQueried = surface.damageRegionSet = false;
    surface.useRenderBuffer();
    surface.bufferAge = surface.activeRenderBuffer == EGL_BACK_BUFFER ? 1 : 0;  // a single buffer has no frames
    threadState().context->renderBuffer = surface.activeRenderBuffer;
    if (!shown) return fail<EGLBoolean>(EGL_BAD_NATIVE_WINDOW, EGL_FALSE);
    surface.fitWindow();
    surface.followWindowFromNextUse();
    return succeed<EGLBoolean>(EGL_TRUE);
}

/// Rectangles as EGL takes them: x, y, width, height, from the lower left.
std::vector<tessera::Rect> damageOf(const EGLint* rects, EGLint count) {
    std::vector<tessera::Rect> damage;
    for (EGLint i = 0; i < count; ++i, rects += 4) damage.push_back({rects[0], rects[1], rects[2], rects[3]});
    return damage;
}

/// The pbuffer of eglBindTexImage and eglReleaseTexImage; null with the error set.
std::shared_ptr<Surface> texImageSurface(const Display& display, EGLSurface surfaceHandle, EGLint buffer) {
    using Result = std::shared_ptr<Surface>;
    auto surface = display.findSurface(surfaceHandle);
    if (!surface || surface->kind != SurfaceKind::Pbuffer) return fail<Result>(EGL_BAD_SURFACE, nullptr);
    if (buffer != EGL_BACK_BUFFER) return fail<Result>(EGL_BAD_PARAMETER, nullptr);
    if (surface->textureFormat == EGL_NO_TEXTURE) return fail<Result>(EGL_BAD_MATCH, nullptr);
    return surface;
}

}  // namespace

extern "C" {

EGLAPI EGLBoolean EGLAPIENTRY eglSwapBuffers(EGLDisplay handle, EGLSurface surfaceHandle) {
    return enterUnlocked([&] {
        auto surface = currentDrawSurface(handle, surfaceHandle);
        return surface ? swapBuffers(*surface, {}) : EGLBoolean{EGL_FALSE};
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageKHR(EGLDisplay handle, EGLSurface surfaceHandle,
                                                          const EGLint* rects, EGLint count) {
    return enterUnlocked([&] {
        auto surface = currentDrawSurface(handle, surfaceHandle);
        if (!surface) return EGLBoolean{EGL_FALSE};
        if (count < 0 || (count > 0 && rects == nullptr)) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        return swapBuffers(*surface, damageOf(rects, count));
    });
}
EGLAPI EGLBoolean EGLAPIENTRY eglSwapBuffersWithDamageEXT(EGLDisplay handle, EGLSurface surface, const EGLint* rects,
                                                          EGLint count) {
    return eglSwapBuffersWithDamageKHR(handle, surface, rects, count);
}

EGLAPI EGLBoolean EGLAPIENTRY eglSetDamageRegionKHR(EGLDisplay handle, EGLSurface surfaceHandle, EGLint* rects,
                                                    EGLint count) {
    return enter(handle, [&](Display& display) {
        auto surface = display.findSurface(surfaceHandle);
        if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        ThreadState& state = threadState();
        bool postable = surface->kind == SurfaceKind::Window && surface->swapBehavior == EGL_BUFFER_DESTROYED;
        if (surface != state.draw || !postable) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
        if (count < 0 || (count > 0 && rects == nullptr)) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        if (surface->damageRegionSet || !surface->ageQueried) return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
        // All of the buffer is kept anyway: a region to restrict oneself to needs no work.
        surface->damageRegionSet = true;
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglSwapInterval(EGLDisplay handle, EGLint interval) {
    return enter(handle, [&](Display&) {
        ThreadState& state = threadState();
        if (!state.context) return fail<EGLBoolean>(EGL_BAD_CONTEXT, EGL_FALSE);
        if (!state.draw) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        if (state.draw->presenter) state.draw->presenter->setSwapInterval(std::clamp(interval, 0, 1));
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglCopyBuffers(EGLDisplay handle, EGLSurface surfaceHandle, EGLNativePixmapType native) {
    finishCurrent();
    return enter(handle, [&](Display& display) {
        auto surface = display.findSurface(surfaceHandle);
        if (!surface) return fail<EGLBoolean>(EGL_BAD_SURFACE, EGL_FALSE);
        std::unique_ptr<present::NativePixmap> pixmap;
        if (display.windowSystem && native != 0) pixmap = display.windowSystem->openPixmap(native);
        if (!pixmap) return fail<EGLBoolean>(EGL_BAD_NATIVE_PIXMAP, EGL_FALSE);
        if (pixmap->depth() != surface->config->bufferSize()) return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
        ThreadState& state = threadState();
        if (state.context) {
            gles::finish(*state.context->gles);
            if (gles::isContextLost(*state.context->gles)) return fail<EGLBoolean>(EGL_CONTEXT_LOST, EGL_FALSE);
        }
        surface->finish();
        if (!pixmap->write(*surface->outgoing())) return fail<EGLBoolean>(EGL_BAD_NATIVE_PIXMAP, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglBindTexImage(EGLDisplay handle, EGLSurface surfaceHandle, EGLint buffer) {
    flushCurrent();
    return enter(handle, [&](Display& display) {
        auto surface = texImageSurface(display, surfaceHandle, buffer);
        if (!surface) return EGLBoolean{EGL_FALSE};
        if (surface->boundTexture.isAttached()) return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
        ThreadState& state = threadState();
        // Without a context there is no texture to bind to, and nothing happens (section 3.6.1).
        if (!state.context) return succeed<EGLBoolean>(EGL_TRUE);
        if (surface->currentCount > 0 && surface != state.draw && surface != state.read)
            return fail<EGLBoolean>(EGL_BAD_ACCESS, EGL_FALSE);
        gles::flush(*state.context->gles);
        gles::orderWith(*state.context->gles, *surface->drawable);
        surface->resolve();
        if (!surface->boundTexture.attach(*state.context->gles, surface->outgoing()))
            return fail<EGLBoolean>(EGL_BAD_MATCH, EGL_FALSE);
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

EGLAPI EGLBoolean EGLAPIENTRY eglReleaseTexImage(EGLDisplay handle, EGLSurface surfaceHandle, EGLint buffer) {
    return enter(handle, [&](Display& display) {
        auto surface = texImageSurface(display, surfaceHandle, buffer);
        if (!surface) return EGLBoolean{EGL_FALSE};
        surface->boundTexture.release();
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}

}  // extern "C"
