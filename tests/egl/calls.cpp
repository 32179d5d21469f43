#include "tests/egl/calls.h"

namespace egltest {

namespace {

EGLint number;  // something to write to

}  // namespace

std::vector<DisplayCall> displayCalls() {
    EGLint* out = &number;
    static EGLAttrib wide;
    return {
        {"eglBindTexImage", [](auto d, auto h) { return eglBindTexImage(d, h, EGL_BACK_BUFFER); }, EGL_BAD_SURFACE,
         EGL_BAD_SURFACE},
        {"eglReleaseTexImage", [](auto d, auto h) { return eglReleaseTexImage(d, h, EGL_BACK_BUFFER); },
         EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglChooseConfig", [](auto d, auto) { return eglChooseConfig(d, nullptr, nullptr, 0, nullptr); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglGetConfigs", [](auto d, auto) { return eglGetConfigs(d, nullptr, 0, nullptr); }, EGL_BAD_PARAMETER,
         EGL_BAD_PARAMETER},
        {"eglGetConfigAttrib", [=](auto d, auto h) { return eglGetConfigAttrib(d, h, EGL_RED_SIZE, out); },
         EGL_BAD_CONFIG, EGL_BAD_CONFIG},
        {"eglClientWaitSync", [](auto d, auto h) { return eglClientWaitSync(d, h, 0, EGL_FOREVER); }, EGL_BAD_PARAMETER,
         EGL_BAD_PARAMETER},
        {"eglWaitSync", [](auto d, auto h) { return eglWaitSync(d, h, 0); }, EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglDestroySync", [](auto d, auto h) { return eglDestroySync(d, h); }, EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglGetSyncAttrib", [](auto d, auto h) { return eglGetSyncAttrib(d, h, EGL_SYNC_TYPE, &wide); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglCreateSync", [](auto d, auto) { return eglCreateSync(d, EGL_SYNC_FENCE, nullptr) != EGL_NO_SYNC; },
         EGL_BAD_MATCH, EGL_BAD_MATCH},
        {"eglCopyBuffers", [](auto d, auto h) { return eglCopyBuffers(d, h, 0); }, EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglCreateContext",
         [](auto d, auto h) {
             const EGLint noSuchVersion[] = {EGL_CONTEXT_MAJOR_VERSION, 4, EGL_NONE};  // null is EGL_NO_CONFIG
             return eglCreateContext(d, h, EGL_NO_CONTEXT, noSuchVersion) != EGL_NO_CONTEXT;
         },
         EGL_BAD_MATCH, EGL_BAD_CONFIG},
        {"eglCreateImage",
         [](auto d, auto h) { return eglCreateImage(d, h, EGL_GL_TEXTURE_2D, nullptr, nullptr) != EGL_NO_IMAGE; },
         EGL_BAD_CONTEXT, EGL_BAD_CONTEXT},
        {"eglDestroyImage", [](auto d, auto h) { return eglDestroyImage(d, h); }, EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglCreatePbufferFromClientBuffer",
         [](auto d, auto h) {
             return eglCreatePbufferFromClientBuffer(d, EGL_OPENVG_IMAGE, h, h, nullptr) != EGL_NO_SURFACE;
         },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglCreatePbufferSurface",
         [](auto d, auto h) { return eglCreatePbufferSurface(d, h, nullptr) != EGL_NO_SURFACE; }, EGL_BAD_CONFIG,
         EGL_BAD_CONFIG},
        {"eglCreateWindowSurface",
         [](auto d, auto h) { return eglCreateWindowSurface(d, h, 1, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_NATIVE_WINDOW, EGL_BAD_NATIVE_WINDOW},
        {"eglCreatePixmapSurface",
         [](auto d, auto h) { return eglCreatePixmapSurface(d, h, 1, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_NATIVE_PIXMAP, EGL_BAD_NATIVE_PIXMAP},
        {"eglCreatePlatformWindowSurface",
         [](auto d, auto h) { return eglCreatePlatformWindowSurface(d, h, h, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_NATIVE_WINDOW, EGL_BAD_NATIVE_WINDOW},
        {"eglCreatePlatformPixmapSurface",
         [](auto d, auto h) { return eglCreatePlatformPixmapSurface(d, h, h, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_NATIVE_PIXMAP, EGL_BAD_NATIVE_PIXMAP},
        {"eglDestroyContext", [](auto d, auto h) { return eglDestroyContext(d, h); }, EGL_BAD_CONTEXT, EGL_BAD_CONTEXT},
        {"eglDestroySurface", [](auto d, auto h) { return eglDestroySurface(d, h); }, EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglMakeCurrent",
         [](auto d, auto h) { return eglMakeCurrent(d, EGL_NO_SURFACE, EGL_NO_SURFACE, h != nullptr ? h : &number); },
         EGL_BAD_CONTEXT, EGL_BAD_CONTEXT},
        {"eglQueryContext", [=](auto d, auto h) { return eglQueryContext(d, h, EGL_CONFIG_ID, out); }, EGL_BAD_CONTEXT,
         EGL_BAD_CONTEXT},
        {"eglQuerySurface", [=](auto d, auto h) { return eglQuerySurface(d, h, EGL_WIDTH, out); }, EGL_BAD_SURFACE,
         EGL_BAD_SURFACE},
        {"eglQueryString", [](auto d, auto) { return eglQueryString(d, EGL_NONE) != nullptr; }, EGL_BAD_PARAMETER,
         EGL_BAD_PARAMETER},
        {"eglSurfaceAttrib", [](auto d, auto h) { return eglSurfaceAttrib(d, h, EGL_MIPMAP_LEVEL, 0); },
         EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglSwapBuffers", [](auto d, auto h) { return eglSwapBuffers(d, h); }, EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglSwapInterval", [](auto d, auto) { return eglSwapInterval(d, 1); }, EGL_BAD_CONTEXT, EGL_BAD_CONTEXT},
        {"eglSwapBuffersWithDamageKHR",
         [](auto d, auto h) { return EGL_EXTENSION(eglSwapBuffersWithDamageKHR)(d, h, nullptr, 0); }, EGL_BAD_SURFACE,
         EGL_BAD_SURFACE},
        {"eglSwapBuffersWithDamageEXT",
         [](auto d, auto h) { return EGL_EXTENSION(eglSwapBuffersWithDamageEXT)(d, h, nullptr, 0); }, EGL_BAD_SURFACE,
         EGL_BAD_SURFACE},
        {"eglQueryDmaBufFormatsEXT",
         [](auto d, auto) { return EGL_EXTENSION(eglQueryDmaBufFormatsEXT)(d, -1, nullptr, nullptr); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglQueryDmaBufModifiersEXT",
         [](auto d, auto) { return EGL_EXTENSION(eglQueryDmaBufModifiersEXT)(d, 0, 0, nullptr, nullptr, nullptr); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglRecordCommandsTESSERA", [](auto d, auto) { return EGL_EXTENSION(eglRecordCommandsTESSERA)(d, nullptr); },
         EGL_BAD_ACCESS, EGL_BAD_ACCESS},
        {"eglSetDamageRegionKHR", [](auto d, auto h) { return EGL_EXTENSION(eglSetDamageRegionKHR)(d, h, nullptr, 0); },
         EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglSignalSyncKHR", [](auto d, auto h) { return EGL_EXTENSION(eglSignalSyncKHR)(d, h, EGL_SIGNALED_KHR); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglGetSyncAttribKHR",
         [=](auto d, auto h) { return EGL_EXTENSION(eglGetSyncAttribKHR)(d, h, EGL_SYNC_TYPE_KHR, out); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglQueryDisplayAttribEXT",
         [](auto d, auto) { return EGL_EXTENSION(eglQueryDisplayAttribEXT)(d, EGL_NONE, &wide); }, EGL_BAD_ATTRIBUTE,
         EGL_BAD_ATTRIBUTE},
        {"eglQueryDisplayAttribKHR",
         [](auto d, auto) {
             return extension<decltype(eglQueryDisplayAttribEXT)>("eglQueryDisplayAttribKHR")(d, EGL_NONE, &wide);
         },
         EGL_BAD_ATTRIBUTE, EGL_BAD_ATTRIBUTE},
        {"eglCreateSyncKHR",
         [](auto d, auto) { return EGL_EXTENSION(eglCreateSyncKHR)(d, EGL_SYNC_FENCE_KHR, nullptr) != nullptr; },
         EGL_BAD_MATCH, EGL_BAD_MATCH},
        {"eglDestroySyncKHR", [](auto d, auto h) { return EGL_EXTENSION(eglDestroySyncKHR)(d, h); }, EGL_BAD_PARAMETER,
         EGL_BAD_PARAMETER},
        {"eglClientWaitSyncKHR",
         [](auto d, auto h) { return EGL_EXTENSION(eglClientWaitSyncKHR)(d, h, 0, EGL_FOREVER_KHR); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglWaitSyncKHR", [](auto d, auto h) { return EGL_EXTENSION(eglWaitSyncKHR)(d, h, 0); }, EGL_BAD_PARAMETER,
         EGL_BAD_PARAMETER},
        {"eglCreateImageKHR",
         [](auto d, auto h) {
             return EGL_EXTENSION(eglCreateImageKHR)(d, h, EGL_GL_TEXTURE_2D_KHR, nullptr, nullptr) != nullptr;
         },
         EGL_BAD_CONTEXT, EGL_BAD_CONTEXT},
        {"eglDestroyImageKHR", [](auto d, auto h) { return EGL_EXTENSION(eglDestroyImageKHR)(d, h); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglCreatePlatformWindowSurfaceEXT",
         [](auto d, auto h) { return EGL_EXTENSION(eglCreatePlatformWindowSurfaceEXT)(d, h, h, nullptr) != nullptr; },
         EGL_BAD_NATIVE_WINDOW, EGL_BAD_NATIVE_WINDOW},
        {"eglCreatePlatformPixmapSurfaceEXT",
         [](auto d, auto h) { return EGL_EXTENSION(eglCreatePlatformPixmapSurfaceEXT)(d, h, h, nullptr) != nullptr; },
         EGL_BAD_NATIVE_PIXMAP, EGL_BAD_NATIVE_PIXMAP},
    };
}

std::vector<FreeCall> freeCalls() {
    static char madeUp[8];
    return {
        {"eglBindAPI", [] { return eglBindAPI(EGL_OPENGL_API); }, EGL_BAD_PARAMETER},
        {"eglGetCurrentContext", [] { return eglGetCurrentContext() == EGL_NO_CONTEXT; }, EGL_SUCCESS},
        {"eglGetCurrentDisplay", [] { return eglGetCurrentDisplay() == EGL_NO_DISPLAY; }, EGL_SUCCESS},
        {"eglGetCurrentSurface", [] { return eglGetCurrentSurface(EGL_NONE) != nullptr; }, EGL_BAD_PARAMETER},
        {"eglGetDisplay", [] { return eglGetDisplay(EGL_DEFAULT_DISPLAY) != nullptr; }, EGL_SUCCESS},
        {"eglGetError", [] { return eglGetError() == EGL_SUCCESS; }, EGL_SUCCESS},
        {"eglGetPlatformDisplay", [] { return eglGetPlatformDisplay(EGL_NONE, nullptr, nullptr) != nullptr; },
         EGL_BAD_PARAMETER},
        {"eglGetPlatformDisplayEXT",
         [] { return EGL_EXTENSION(eglGetPlatformDisplayEXT)(0x7FFF, madeUp, nullptr) != nullptr; }, EGL_BAD_PARAMETER},
        {"eglGetProcAddress", [] { return eglGetProcAddress(nullptr) == nullptr; }, EGL_SUCCESS},
        {"eglInitialize", [] { return eglInitialize(madeUp, nullptr, nullptr); }, EGL_BAD_DISPLAY},
        {"eglTerminate", [] { return eglTerminate(madeUp); }, EGL_BAD_DISPLAY},
        {"eglQueryAPI", [] { return eglQueryAPI() == EGL_OPENGL_ES_API; }, EGL_SUCCESS},
        {"eglReleaseThread", [] { return eglReleaseThread(); }, EGL_SUCCESS},
        {"eglWaitClient", [] { return eglWaitClient(); }, EGL_SUCCESS},
        {"eglWaitGL", [] { return eglWaitGL(); }, EGL_SUCCESS},
        {"eglWaitNative", [] { return eglWaitNative(EGL_NONE); }, EGL_BAD_PARAMETER},
        {"eglQueryDevicesEXT", [] { return EGL_EXTENSION(eglQueryDevicesEXT)(1, nullptr, nullptr); },
         EGL_BAD_PARAMETER},
        {"eglQueryDeviceAttribEXT", [] { return EGL_EXTENSION(eglQueryDeviceAttribEXT)(madeUp, EGL_NONE, nullptr); },
         EGL_BAD_DEVICE_EXT},
        {"eglQueryDeviceStringEXT",
         [] { return EGL_EXTENSION(eglQueryDeviceStringEXT)(madeUp, EGL_EXTENSIONS) != nullptr; }, EGL_BAD_DEVICE_EXT},
        {"eglGetDisplayDriverName", [] { return EGL_EXTENSION(eglGetDisplayDriverName)(madeUp) != nullptr; },
         EGL_BAD_DISPLAY},
        {"eglGetDisplayDriverConfig", [] { return EGL_EXTENSION(eglGetDisplayDriverConfig)(madeUp) != nullptr; },
         EGL_BAD_DISPLAY},
    };
}

}  // namespace egltest
