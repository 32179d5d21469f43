#include "tests/egl/errors.h"

#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <doctest/doctest.h>

#include <cstring>
#include <string>

namespace egltest {

namespace {

using Attributes = std::vector<EGLint>;
using WideAttributes = std::vector<EGLAttrib>;

EGLint number = 0;      // something to write to
EGLAttrib wide = 0;     // likewise
char dangling[8] = {};  // no object of EGL's

bool choose(Scene& s, Attributes list) {
    list.push_back(EGL_NONE);
    return eglChooseConfig(s.display, list.data(), nullptr, 0, &number) == EGL_TRUE;
}
EGLContext createContext(Scene& s, Attributes list, EGLContext share = EGL_NO_CONTEXT) {
    list.push_back(EGL_NONE);
    return eglCreateContext(s.display, s.config(), share, list.data());
}
EGLSurface createPbuffer(Scene& s, Attributes list) {
    list.push_back(EGL_NONE);
    return eglCreatePbufferSurface(s.display, s.config(), list.data());
}
EGLSurface bindable(Scene& s) {
    return createPbuffer(
        s, {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA, EGL_TEXTURE_TARGET, EGL_TEXTURE_2D});
}
EGLImage createImage(Scene& s, EGLenum target, EGLClientBuffer buffer, WideAttributes list = {}) {
    list.push_back(EGL_NONE);
    return eglCreateImage(s.display, s.context, target, buffer, list.data());
}
EGLClientBuffer clientBuffer(GLuint name) { return reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(name)); }
EGLClientBuffer renderbuffer(bool hasStorage = true) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    if (hasStorage) glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 2, 2);
    return clientBuffer(name);
}
EGLSync fence(Scene& s) { return s.makeCurrent() ? eglCreateSync(s.display, EGL_SYNC_FENCE, nullptr) : EGL_NO_SYNC; }

// --- Rows, by chapter ---

const std::vector<ErrorRow> kDisplays = {
    // 3.2, 3.3
    {"platform display: no platform",
     [](Scene&) { return eglGetPlatformDisplay(0x7FFF, nullptr, nullptr) != EGL_NO_DISPLAY; }, EGL_BAD_PARAMETER},
    {"platform display: an unknown attribute",
     [](Scene&) {
         const EGLAttrib list[] = {EGL_WIDTH, 4, EGL_NONE};
         return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, list) != EGL_NO_DISPLAY;
     },
     EGL_BAD_ATTRIBUTE},
    {"platform display: a native display where there is none",
     [](Scene&) { return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, dangling, nullptr) != EGL_NO_DISPLAY; },
     EGL_BAD_PARAMETER},
    {"platform display: a device that is none",
     [](Scene&) { return eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, dangling, nullptr) != EGL_NO_DISPLAY; },
     EGL_BAD_PARAMETER},
    {"platform display: of a device that is none",
     [](Scene&) {
         const EGLAttrib list[] = {EGL_DEVICE_EXT, reinterpret_cast<EGLAttrib>(dangling), EGL_NONE};
         return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, list) != EGL_NO_DISPLAY;
     },
     EGL_BAD_DEVICE_EXT, EGL_BAD_ATTRIBUTE},
    {"initialize: no display", [](Scene&) { return eglInitialize(dangling, nullptr, nullptr) == EGL_TRUE; },
     EGL_BAD_DISPLAY},
    {"terminate: no display", [](Scene&) { return eglTerminate(dangling) == EGL_TRUE; }, EGL_BAD_DISPLAY},
    {"query string: no display", [](Scene&) { return eglQueryString(dangling, EGL_VENDOR) != nullptr; },
     EGL_BAD_DISPLAY},
    {"query string: EGL_VENDOR of EGL_NO_DISPLAY",
     [](Scene&) { return eglQueryString(EGL_NO_DISPLAY, EGL_VENDOR) != nullptr; }, EGL_BAD_DISPLAY},
    {"query string: no name", [](Scene& s) { return eglQueryString(s.display, EGL_WIDTH) != nullptr; },
     EGL_BAD_PARAMETER},
};

const std::vector<ErrorRow> kConfigs = {
    // 3.4
    {"get configs: nowhere to count",
     [](Scene& s) { return eglGetConfigs(s.display, nullptr, 0, nullptr) == EGL_TRUE; }, EGL_BAD_PARAMETER},
    {"choose config: nowhere to count",
     [](Scene& s) { return eglChooseConfig(s.display, nullptr, nullptr, 0, nullptr) == EGL_TRUE; }, EGL_BAD_PARAMETER},
    {"choose config: nowhere to count and an unknown attribute",
     [](Scene& s) {
         const EGLint list[] = {EGL_CONTEXT_CLIENT_TYPE, 2, EGL_NONE};
         return eglChooseConfig(s.display, list, nullptr, 0, nullptr) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER},
    {"choose config: an unknown attribute", [](Scene& s) { return choose(s, {EGL_CONTEXT_CLIENT_TYPE, 2}); },
     EGL_BAD_ATTRIBUTE},
    {"choose config: an attribute of surfaces", [](Scene& s) { return choose(s, {EGL_WIDTH, 2}); }, EGL_BAD_ATTRIBUTE},
    {"choose config: an unknown value", [](Scene& s) { return choose(s, {EGL_CONFIG_CAVEAT, EGL_WIDTH}); },
     EGL_BAD_ATTRIBUTE},
    {"choose config: an unknown kind of colours",
     [](Scene& s) { return choose(s, {EGL_COLOR_BUFFER_TYPE, EGL_WIDTH}); }, EGL_BAD_ATTRIBUTE},
    {"choose config: a negative size", [](Scene& s) { return choose(s, {EGL_RED_SIZE, -2}); }, EGL_BAD_ATTRIBUTE},
    {"choose config: a boolean of 2", [](Scene& s) { return choose(s, {EGL_BIND_TO_TEXTURE_RGB, 2}); },
     EGL_BAD_ATTRIBUTE},
    {"choose config: any level", [](Scene& s) { return choose(s, {EGL_LEVEL, EGL_DONT_CARE}); }, EGL_BAD_ATTRIBUTE},
    {"choose config: unknown bits of surface types", [](Scene& s) { return choose(s, {EGL_SURFACE_TYPE, 1 << 28}); },
     EGL_BAD_ATTRIBUTE},
    {"choose config: unknown bits of client APIs", [](Scene& s) { return choose(s, {EGL_RENDERABLE_TYPE, 1 << 28}); },
     EGL_BAD_ATTRIBUTE},
    {"choose config: a wrong attribute after EGL_CONFIG_ID",
     [](Scene& s) { return choose(s, {EGL_CONFIG_ID, 1, EGL_CONTEXT_CLIENT_TYPE, 2}); }, EGL_BAD_ATTRIBUTE},
    {"config attribute: no configuration",
     [](Scene& s) { return eglGetConfigAttrib(s.display, dangling, EGL_RED_SIZE, &number) == EGL_TRUE; },
     EGL_BAD_CONFIG},
    {"config attribute: no configuration and no attribute",
     [](Scene& s) { return eglGetConfigAttrib(s.display, nullptr, EGL_WIDTH, &number) == EGL_TRUE; }, EGL_BAD_CONFIG},
    {"config attribute: one of surfaces",
     [](Scene& s) { return eglGetConfigAttrib(s.display, s.config(), EGL_WIDTH, &number) == EGL_TRUE; },
     EGL_BAD_ATTRIBUTE},
    {"config attribute: EGL_MATCH_NATIVE_PIXMAP, which is of choices only",
     [](Scene& s) { return eglGetConfigAttrib(s.display, s.config(), EGL_MATCH_NATIVE_PIXMAP, &number) == EGL_TRUE; },
     EGL_BAD_ATTRIBUTE},
    {"config attribute: nowhere to write",
     [](Scene& s) { return eglGetConfigAttrib(s.display, s.config(), EGL_RED_SIZE, nullptr) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
};

const std::vector<ErrorRow> kSurfaces = {
    // 3.5.1 to 3.5.4 where there are no native windows
    {"window: none exist here",
     [](Scene& s) { return eglCreateWindowSurface(s.display, s.config(), 1, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_WINDOW},
    {"window: none exist here, and no configuration",
     [](Scene& s) { return eglCreateWindowSurface(s.display, dangling, 1, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_WINDOW},
    {"window: none exist here, no configuration either",
     [](Scene& s) { return eglCreatePlatformWindowSurface(s.display, nullptr, nullptr, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_WINDOW},
    {"window: none exist here, and an unknown attribute",
     [](Scene& s) {
         const EGLint list[] = {EGL_WIDTH, 4, EGL_NONE};
         return EGL_EXTENSION(eglCreatePlatformWindowSurfaceEXT)(s.display, s.config(), dangling, list) !=
                EGL_NO_SURFACE;
     },
     EGL_BAD_NATIVE_WINDOW},
    {"pixmap: none exist here",
     [](Scene& s) { return eglCreatePixmapSurface(s.display, s.config(), 1, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_PIXMAP},
    {"pixmap: none exist here, and no configuration",
     [](Scene& s) { return eglCreatePixmapSurface(s.display, dangling, 1, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_PIXMAP},
    {"pixmap: none exist here, no configuration either",
     [](Scene& s) { return eglCreatePlatformPixmapSurface(s.display, nullptr, nullptr, nullptr) != EGL_NO_SURFACE; },
     EGL_BAD_NATIVE_PIXMAP},
    {"pbuffer: no configuration",
     [](Scene& s) { return eglCreatePbufferSurface(s.display, dangling, nullptr) != EGL_NO_SURFACE; }, EGL_BAD_CONFIG},
    {"pbuffer: no configuration and an unknown attribute",
     [](Scene& s) {
         const EGLint list[] = {EGL_RED_SIZE, 4, EGL_NONE};
         return eglCreatePbufferSurface(s.display, nullptr, list) != EGL_NO_SURFACE;
     },
     EGL_BAD_CONFIG},
    {"pbuffer: an unknown attribute", [](Scene& s) { return createPbuffer(s, {EGL_RED_SIZE, 8}) != EGL_NO_SURFACE; },
     EGL_BAD_ATTRIBUTE},
    {"pbuffer: an attribute of windows",
     [](Scene& s) { return createPbuffer(s, {EGL_RENDER_BUFFER, EGL_BACK_BUFFER}) != EGL_NO_SURFACE; },
     EGL_BAD_ATTRIBUTE},
    {"pbuffer: a negative width", [](Scene& s) { return createPbuffer(s, {EGL_WIDTH, -1}) != EGL_NO_SURFACE; },
     EGL_BAD_PARAMETER},
    {"pbuffer: a negative height", [](Scene& s) { return createPbuffer(s, {EGL_HEIGHT, -1}) != EGL_NO_SURFACE; },
     EGL_BAD_PARAMETER},
    {"pbuffer: a negative height, then an unknown attribute",
     [](Scene& s) { return createPbuffer(s, {EGL_HEIGHT, -1, EGL_RED_SIZE, 8}) != EGL_NO_SURFACE; }, EGL_BAD_PARAMETER},
    {"pbuffer: an unknown texture format",
     [](Scene& s) { return createPbuffer(s, {EGL_TEXTURE_FORMAT, EGL_RGB_BUFFER}) != EGL_NO_SURFACE; },
     EGL_BAD_ATTRIBUTE},
    {"pbuffer: an unknown texture target",
     [](Scene& s) { return createPbuffer(s, {EGL_TEXTURE_TARGET, EGL_RGB_BUFFER}) != EGL_NO_SURFACE; },
     EGL_BAD_ATTRIBUTE},
    {"pbuffer: a texture format without a target",
     [](Scene& s) { return createPbuffer(s, {EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA}) != EGL_NO_SURFACE; },
     EGL_BAD_MATCH},
    {"pbuffer: a texture target without a format",
     [](Scene& s) { return createPbuffer(s, {EGL_TEXTURE_TARGET, EGL_TEXTURE_2D}) != EGL_NO_SURFACE; }, EGL_BAD_MATCH},
    {"pbuffer: an unknown colour space",
     [](Scene& s) { return createPbuffer(s, {EGL_GL_COLORSPACE, EGL_RGB_BUFFER}) != EGL_NO_SURFACE; },
     EGL_BAD_ATTRIBUTE},
    {"pbuffer from a client buffer: no kind of buffer",
     [](Scene& s) {
         return eglCreatePbufferFromClientBuffer(s.display, EGL_WIDTH, dangling, s.config(), nullptr) != EGL_NO_SURFACE;
     },
     EGL_BAD_PARAMETER, EGL_BAD_ALLOC},
    {"destroy surface: none", [](Scene& s) { return eglDestroySurface(s.display, dangling) == EGL_TRUE; },
     EGL_BAD_SURFACE},
};

const std::vector<ErrorRow> kSurfaceAttributes = {
    // 3.5.6
    {"surface attribute: no surface",
     [](Scene& s) { return eglSurfaceAttrib(s.display, dangling, EGL_MIPMAP_LEVEL, 0) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"surface attribute: one of configurations",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_RED_SIZE, 8) == EGL_TRUE; }, EGL_BAD_ATTRIBUTE},
    {"surface attribute: one that is fixed",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_WIDTH, 8) == EGL_TRUE; }, EGL_BAD_ATTRIBUTE},
    {"surface attribute: an unknown way to resolve samples",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_MULTISAMPLE_RESOLVE, EGL_WIDTH) == EGL_TRUE; },
     EGL_BAD_PARAMETER, EGL_BAD_ATTRIBUTE},
    {"surface attribute: a box filter that the configuration lacks",
     [](Scene& s) {
         return eglSurfaceAttrib(s.display, s.surface, EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_BOX) ==
                EGL_TRUE;
     },
     EGL_BAD_MATCH},
    {"surface attribute: an unknown behaviour of swaps",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_SWAP_BEHAVIOR, EGL_WIDTH) == EGL_TRUE; },
     EGL_BAD_PARAMETER, EGL_BAD_ATTRIBUTE},
    {"surface attribute: an unknown buffer",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_RENDER_BUFFER, EGL_WIDTH) == EGL_TRUE; },
     EGL_BAD_PARAMETER, EGL_BAD_ATTRIBUTE},
    {"surface attribute: the front buffer of a pbuffer",
     [](Scene& s) { return eglSurfaceAttrib(s.display, s.surface, EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER) == EGL_TRUE; },
     EGL_BAD_MATCH, EGL_BAD_ATTRIBUTE},
    {"query surface: no surface",
     [](Scene& s) { return eglQuerySurface(s.display, dangling, EGL_WIDTH, &number) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"query surface: no attribute",
     [](Scene& s) { return eglQuerySurface(s.display, s.surface, EGL_RED_SIZE, &number) == EGL_TRUE; },
     EGL_BAD_ATTRIBUTE},
    {"query surface: no surface and no attribute",
     [](Scene& s) { return eglQuerySurface(s.display, nullptr, EGL_RED_SIZE, &number) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"query surface: nowhere to write",
     [](Scene& s) { return eglQuerySurface(s.display, s.surface, EGL_WIDTH, nullptr) == EGL_TRUE; }, EGL_BAD_PARAMETER,
     kCrash},
    {"query surface: the age of a buffer that is not drawn to",
     [](Scene& s) { return eglQuerySurface(s.display, s.surface, EGL_BUFFER_AGE_EXT, &number) == EGL_TRUE; },
     EGL_BAD_SURFACE, EGL_BAD_ATTRIBUTE},
};

const std::vector<ErrorRow> kTexImages = {
    // 3.6
    {"bind: no surface", [](Scene& s) { return eglBindTexImage(s.display, dangling, EGL_BACK_BUFFER) == EGL_TRUE; },
     EGL_BAD_SURFACE},
    {"bind: no buffer",
     [](Scene& s) { return s.makeCurrent() && eglBindTexImage(s.display, bindable(s), EGL_SINGLE_BUFFER) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
    {"bind: a surface without a texture format",
     [](Scene& s) { return s.makeCurrent() && eglBindTexImage(s.display, s.surface, EGL_BACK_BUFFER) == EGL_TRUE; },
     EGL_BAD_MATCH},
    {"bind: twice",
     [](Scene& s) {
         EGLSurface surface = bindable(s);
         return s.makeCurrent() && eglBindTexImage(s.display, surface, EGL_BACK_BUFFER) == EGL_TRUE &&
                eglBindTexImage(s.display, surface, EGL_BACK_BUFFER) == EGL_TRUE;
     },
     EGL_BAD_ACCESS, EGL_SUCCESS},
    {"bind: a texture of immutable storage",
     [](Scene& s) {
         if (!s.makeCurrent()) return false;
         GLuint name = 0;
         glGenTextures(1, &name);
         glBindTexture(GL_TEXTURE_2D, name);
         reinterpret_cast<PFNGLTEXSTORAGE2DEXTPROC>(eglGetProcAddress("glTexStorage2DEXT"))(GL_TEXTURE_2D, 1,
                                                                                            GL_RGBA8_OES, 4, 4);
         return eglBindTexImage(s.display, bindable(s), EGL_BACK_BUFFER) == EGL_TRUE;
     },
     EGL_BAD_MATCH, EGL_SUCCESS},
    {"release: no surface",
     [](Scene& s) { return eglReleaseTexImage(s.display, dangling, EGL_BACK_BUFFER) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"release: no buffer",
     [](Scene& s) {
         return s.makeCurrent() && eglReleaseTexImage(s.display, bindable(s), EGL_SINGLE_BUFFER) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER, EGL_SUCCESS},
    {"release: a surface without a texture format",
     [](Scene& s) { return s.makeCurrent() && eglReleaseTexImage(s.display, s.surface, EGL_BACK_BUFFER) == EGL_TRUE; },
     EGL_BAD_MATCH, EGL_SUCCESS},
};

const std::vector<ErrorRow> kContexts = {
    // 3.7
    {"bind API: none", [](Scene&) { return eglBindAPI(EGL_WIDTH) == EGL_TRUE; }, EGL_BAD_PARAMETER},
    {"context: no configuration",
     [](Scene& s) {
         const EGLint list[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
         return eglCreateContext(s.display, dangling, EGL_NO_CONTEXT, list) != EGL_NO_CONTEXT;
     },
     EGL_BAD_CONFIG},
    {"context: no configuration, nothing to share with, an unknown attribute",
     [](Scene& s) {
         const EGLint list[] = {EGL_WIDTH, 2, EGL_NONE};
         return eglCreateContext(s.display, dangling, dangling, list) != EGL_NO_CONTEXT;
     },
     EGL_BAD_CONFIG},
    {"context: nothing to share with",
     [](Scene& s) { return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2}, dangling) != EGL_NO_CONTEXT; },
     EGL_BAD_CONTEXT},
    {"context: nothing to share with and an unknown attribute",
     [](Scene& s) { return createContext(s, {EGL_WIDTH, 2}, dangling) != EGL_NO_CONTEXT; }, EGL_BAD_CONTEXT},
    {"context: an unknown attribute",
     [](Scene& s) { return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_WIDTH, 2}) != EGL_NO_CONTEXT; },
     EGL_BAD_ATTRIBUTE},
    {"context: an unknown flag",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_FLAGS_KHR, 1 << 20}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_ATTRIBUTE},
    {"context: an unknown flag and the default version",
     [](Scene& s) { return createContext(s, {EGL_CONTEXT_FLAGS_KHR, 1 << 20}) != EGL_NO_CONTEXT; }, EGL_BAD_ATTRIBUTE},
    {"context: the flag of forward compatible contexts of desktop OpenGL",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_FLAGS_KHR,
                                  EGL_CONTEXT_OPENGL_FORWARD_COMPATIBLE_BIT_KHR}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_ATTRIBUTE},
    {"context: the flag of robust contexts of desktop OpenGL",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_FLAGS_KHR,
                                  EGL_CONTEXT_OPENGL_ROBUST_ACCESS_BIT_KHR}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_ATTRIBUTE},
    {"context: a profile",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_ATTRIBUTE},
    {"context: an unknown reset strategy",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                  EGL_WIDTH}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_ATTRIBUTE},
    {"context: a version that never was",
     [](Scene& s) { return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 7}) != EGL_NO_CONTEXT; }, EGL_BAD_MATCH},
    {"context: OpenGL ES 2.1, which never was",
     [](Scene& s) {
         return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 1}) != EGL_NO_CONTEXT;
     },
     EGL_BAD_MATCH},
    {"context: a negative version",
     [](Scene& s) { return createContext(s, {EGL_CONTEXT_MAJOR_VERSION, -1}) != EGL_NO_CONTEXT; }, EGL_BAD_MATCH},
    {"context: sharing with another reset strategy",
     [](Scene& s) {
         return createContext(s,
                              {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                               EGL_LOSE_CONTEXT_ON_RESET_EXT},
                              s.context) != EGL_NO_CONTEXT;
     },
     EGL_BAD_MATCH},
    {"destroy context: none", [](Scene& s) { return eglDestroyContext(s.display, dangling) == EGL_TRUE; },
     EGL_BAD_CONTEXT},
    {"query context: none",
     [](Scene& s) { return eglQueryContext(s.display, dangling, EGL_CONFIG_ID, &number) == EGL_TRUE; },
     EGL_BAD_CONTEXT},
    {"query context: no attribute",
     [](Scene& s) { return eglQueryContext(s.display, s.context, EGL_WIDTH, &number) == EGL_TRUE; }, EGL_BAD_ATTRIBUTE},
    {"query context: nowhere to write",
     [](Scene& s) { return eglQueryContext(s.display, s.context, EGL_CONFIG_ID, nullptr) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
    {"make current: no context",
     [](Scene& s) { return eglMakeCurrent(s.display, s.surface, s.surface, dangling) == EGL_TRUE; }, EGL_BAD_CONTEXT},
    {"make current: no context and no surface",
     [](Scene& s) { return eglMakeCurrent(s.display, dangling, dangling, dangling) == EGL_TRUE; }, EGL_BAD_CONTEXT},
    {"make current: no surface to draw to",
     [](Scene& s) { return eglMakeCurrent(s.display, dangling, s.surface, s.context) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"make current: no surface to read from",
     [](Scene& s) { return eglMakeCurrent(s.display, s.surface, dangling, s.context) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"make current: a surface to draw to only",
     [](Scene& s) { return eglMakeCurrent(s.display, s.surface, EGL_NO_SURFACE, s.context) == EGL_TRUE; },
     EGL_BAD_MATCH},
    {"make current: a surface to read from only",
     [](Scene& s) { return eglMakeCurrent(s.display, EGL_NO_SURFACE, s.surface, s.context) == EGL_TRUE; },
     EGL_BAD_MATCH},
    {"make current: surfaces without a context",
     [](Scene& s) { return eglMakeCurrent(s.display, s.surface, s.surface, EGL_NO_CONTEXT) == EGL_TRUE; },
     EGL_BAD_MATCH},
    {"make current: a surface of another configuration",
     [](Scene& s) {
         const EGLint small[] = {EGL_BUFFER_SIZE,    16,      EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_ES2_BIT, EGL_NONE};
         EGLConfig config = nullptr;
         eglChooseConfig(s.display, small, &config, 1, &number);
         EGLSurface surface = eglCreatePbufferSurface(s.display, config, nullptr);
         return eglMakeCurrent(s.display, surface, surface, s.context) == EGL_TRUE;
     },
     EGL_BAD_MATCH},
    {"current surface: of neither kind", [](Scene&) { return eglGetCurrentSurface(EGL_WIDTH) != EGL_NO_SURFACE; },
     EGL_BAD_PARAMETER},
    {"wait for the native side: no engine",
     [](Scene& s) { return s.makeCurrent() && eglWaitNative(EGL_WIDTH) == EGL_TRUE; }, EGL_BAD_PARAMETER},
};

const std::vector<ErrorRow> kSyncs = {
    // 3.8, EGL_KHR_fence_sync, EGL_KHR_reusable_sync
    {"sync: no type",
     [](Scene& s) { return s.makeCurrent() && eglCreateSync(s.display, EGL_WIDTH, nullptr) != EGL_NO_SYNC; },
     EGL_BAD_PARAMETER},
    {"sync of the extension: no type",
     [](Scene& s) {
         return s.makeCurrent() && EGL_EXTENSION(eglCreateSyncKHR)(s.display, EGL_WIDTH, nullptr) != EGL_NO_SYNC_KHR;
     },
     EGL_BAD_ATTRIBUTE},
    {"sync: an attribute",
     [](Scene& s) {
         const EGLAttrib list[] = {EGL_SYNC_CONDITION, EGL_SYNC_PRIOR_COMMANDS_COMPLETE, EGL_NONE};
         return s.makeCurrent() && eglCreateSync(s.display, EGL_SYNC_FENCE, list) != EGL_NO_SYNC;
     },
     EGL_BAD_ATTRIBUTE},
    {"sync: a fence without a context",
     [](Scene& s) { return eglCreateSync(s.display, EGL_SYNC_FENCE, nullptr) != EGL_NO_SYNC; }, EGL_BAD_MATCH},
    {"destroy sync: none", [](Scene& s) { return eglDestroySync(s.display, dangling) == EGL_TRUE; }, EGL_BAD_PARAMETER},
    {"client wait: no sync",
     [](Scene& s) { return eglClientWaitSync(s.display, dangling, 0, EGL_FOREVER) != EGL_FALSE; }, EGL_BAD_PARAMETER},
    {"wait: no sync", [](Scene& s) { return s.makeCurrent() && eglWaitSync(s.display, dangling, 0) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
    {"wait: a flag",
     [](Scene& s) {
         EGLSync sync = fence(s);
         return eglWaitSync(s.display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER},
    {"wait: without a context",
     [](Scene& s) {
         EGLSync sync = fence(s);
         eglMakeCurrent(s.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
         return eglWaitSync(s.display, sync, 0) == EGL_TRUE;
     },
     EGL_BAD_MATCH},
    {"signal: a fence",
     [](Scene& s) { return EGL_EXTENSION(eglSignalSyncKHR)(s.display, fence(s), EGL_SIGNALED_KHR) == EGL_TRUE; },
     EGL_BAD_MATCH},
    {"signal: neither way",
     [](Scene& s) {
         EGLSync sync = EGL_EXTENSION(eglCreateSyncKHR)(s.display, EGL_SYNC_REUSABLE_KHR, nullptr);
         return EGL_EXTENSION(eglSignalSyncKHR)(s.display, sync, EGL_WIDTH) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER, EGL_BAD_ATTRIBUTE},
    {"sync attribute: no sync",
     [](Scene& s) { return eglGetSyncAttrib(s.display, dangling, EGL_SYNC_TYPE, &wide) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
    {"sync attribute: none",
     [](Scene& s) { return eglGetSyncAttrib(s.display, fence(s), EGL_WIDTH, &wide) == EGL_TRUE; }, EGL_BAD_ATTRIBUTE},
    {"sync attribute: the condition of a reusable one",
     [](Scene& s) {
         EGLSync sync = EGL_EXTENSION(eglCreateSyncKHR)(s.display, EGL_SYNC_REUSABLE_KHR, nullptr);
         return eglGetSyncAttrib(s.display, sync, EGL_SYNC_CONDITION, &wide) == EGL_TRUE;
     },
     EGL_BAD_ATTRIBUTE},
    {"sync attribute: nowhere to write",
     [](Scene& s) { return eglGetSyncAttrib(s.display, fence(s), EGL_SYNC_TYPE, nullptr) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
};

const std::vector<ErrorRow> kImages = {
    // 3.9, EGL_KHR_gl_image
    {"image: no target",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_WIDTH, s.texture()) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER},
    {"image: no target and no context",
     [](Scene& s) { return eglCreateImage(s.display, dangling, EGL_WIDTH, nullptr, nullptr) != EGL_NO_IMAGE; },
     EGL_BAD_CONTEXT},
    {"image: no context",
     [](Scene& s) {
         return s.makeCurrent() &&
                eglCreateImage(s.display, dangling, EGL_GL_TEXTURE_2D, s.texture(), nullptr) != EGL_NO_IMAGE;
     },
     EGL_BAD_CONTEXT},
    {"image: a texture of EGL_NO_CONTEXT",
     [](Scene& s) {
         return s.makeCurrent() &&
                eglCreateImage(s.display, EGL_NO_CONTEXT, EGL_GL_TEXTURE_2D, s.texture(), nullptr) != EGL_NO_IMAGE;
     },
     EGL_BAD_CONTEXT, kCrash},
    {"image: no texture",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_GL_TEXTURE_2D, clientBuffer(77)) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER},
    {"image: the default texture",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_GL_TEXTURE_2D, nullptr) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER},
    {"image: a texture without an image",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_GL_TEXTURE_2D, s.texture(false)) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER},
    {"image: a texture that a pbuffer is bound to",
     [](Scene& s) {
         if (!s.makeCurrent()) return false;
         EGLClientBuffer texture = s.texture();
         return eglBindTexImage(s.display, bindable(s), EGL_BACK_BUFFER) == EGL_TRUE &&
                createImage(s, EGL_GL_TEXTURE_2D, texture) != EGL_NO_IMAGE;
     },
     EGL_BAD_ACCESS, EGL_SUCCESS},
    {"image: a face of a texture that has none",
     [](Scene& s) {
         return s.makeCurrent() && createImage(s, EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X, s.texture()) != EGL_NO_IMAGE;
     },
     EGL_BAD_PARAMETER},
    {"image: a level that the texture lacks",
     [](Scene& s) {
         return s.makeCurrent() &&
                createImage(s, EGL_GL_TEXTURE_2D, s.texture(), {EGL_GL_TEXTURE_LEVEL, 5}) != EGL_NO_IMAGE;
     },
     EGL_BAD_MATCH, EGL_BAD_PARAMETER},
    {"image: a negative level",
     [](Scene& s) {
         return s.makeCurrent() &&
                createImage(s, EGL_GL_TEXTURE_2D, s.texture(), {EGL_GL_TEXTURE_LEVEL, -1}) != EGL_NO_IMAGE;
     },
     EGL_BAD_MATCH},
    {"image: an unknown attribute",
     [](Scene& s) {
         return s.makeCurrent() && createImage(s, EGL_GL_TEXTURE_2D, s.texture(), {EGL_WIDTH, 4}) != EGL_NO_IMAGE;
     },
     EGL_BAD_PARAMETER, EGL_SUCCESS},
    {"image: a level of a renderbuffer",
     [](Scene& s) {
         return s.makeCurrent() &&
                createImage(s, EGL_GL_RENDERBUFFER, renderbuffer(), {EGL_GL_TEXTURE_LEVEL, 0}) != EGL_NO_IMAGE;
     },
     EGL_BAD_MATCH, EGL_SUCCESS},
    {"image: the default renderbuffer",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_GL_RENDERBUFFER, nullptr) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER},
    {"image: no renderbuffer",
     [](Scene& s) { return s.makeCurrent() && createImage(s, EGL_GL_RENDERBUFFER, clientBuffer(77)) != EGL_NO_IMAGE; },
     EGL_BAD_PARAMETER, EGL_BAD_ALLOC},
    {"destroy image: none", [](Scene& s) { return eglDestroyImage(s.display, dangling) == EGL_TRUE; },
     EGL_BAD_PARAMETER},
};

const std::vector<ErrorRow> kSwaps = {
    // 3.10, EGL_KHR_swap_buffers_with_damage, EGL_KHR_partial_update
    {"swap: no surface", [](Scene& s) { return eglSwapBuffers(s.display, dangling) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"swap: a surface that is not current", [](Scene& s) { return eglSwapBuffers(s.display, s.surface) == EGL_TRUE; },
     EGL_BAD_SURFACE},
    {"swap interval: without a context", [](Scene& s) { return eglSwapInterval(s.display, 1) == EGL_TRUE; },
     EGL_BAD_CONTEXT},
    {"swap interval: without a surface",
     [](Scene& s) {
         return eglMakeCurrent(s.display, EGL_NO_SURFACE, EGL_NO_SURFACE, s.context) == EGL_TRUE &&
                eglSwapInterval(s.display, 1) == EGL_TRUE;
     },
     EGL_BAD_SURFACE},
    {"copy: no surface", [](Scene& s) { return eglCopyBuffers(s.display, dangling, 1) == EGL_TRUE; }, EGL_BAD_SURFACE},
    {"copy: no pixmap", [](Scene& s) { return s.makeCurrent() && eglCopyBuffers(s.display, s.surface, 1) == EGL_TRUE; },
     EGL_BAD_NATIVE_PIXMAP},
    {"damage: fewer than no rectangles",
     [](Scene& s) {
         return s.makeCurrent() &&
                EGL_EXTENSION(eglSwapBuffersWithDamageEXT)(s.display, s.surface, nullptr, -1) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER, EGL_SUCCESS},
    {"damage: rectangles that are nowhere",
     [](Scene& s) {
         return s.makeCurrent() &&
                EGL_EXTENSION(eglSwapBuffersWithDamageEXT)(s.display, s.surface, nullptr, 1) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER, EGL_SUCCESS},
    {"damage region: a pbuffer's",
     [](Scene& s) {
         return s.makeCurrent() && EGL_EXTENSION(eglSetDamageRegionKHR)(s.display, s.surface, nullptr, 0) == EGL_TRUE;
     },
     EGL_BAD_MATCH},
};

const std::vector<ErrorRow> kDevices = {
    // EGL_EXT_device_base
    {"devices: nowhere to count",
     [](Scene&) { return EGL_EXTENSION(eglQueryDevicesEXT)(0, nullptr, nullptr) == EGL_TRUE; }, EGL_BAD_PARAMETER},
    {"devices: a list of none",
     [](Scene&) {
         EGLDeviceEXT device = nullptr;
         return EGL_EXTENSION(eglQueryDevicesEXT)(0, &device, &number) == EGL_TRUE;
     },
     EGL_BAD_PARAMETER},
    {"device string: no device",
     [](Scene&) { return EGL_EXTENSION(eglQueryDeviceStringEXT)(dangling, EGL_EXTENSIONS) != nullptr; },
     EGL_BAD_DEVICE_EXT},
    {"device string: no name",
     [](Scene& s) { return EGL_EXTENSION(eglQueryDeviceStringEXT)(s.device(), EGL_WIDTH) != nullptr; },
     EGL_BAD_PARAMETER},
    {"device attribute: none",
     [](Scene& s) { return EGL_EXTENSION(eglQueryDeviceAttribEXT)(s.device(), EGL_WIDTH, &wide) == EGL_TRUE; },
     EGL_BAD_ATTRIBUTE},
    {"display attribute: none",
     [](Scene& s) { return EGL_EXTENSION(eglQueryDisplayAttribEXT)(s.display, EGL_WIDTH, &wide) == EGL_TRUE; },
     EGL_BAD_ATTRIBUTE},
};

std::string name(EGLint error) {
    static const char* const kNames[] = {"EGL_SUCCESS",       "EGL_NOT_INITIALIZED",     "EGL_BAD_ACCESS",
                                         "EGL_BAD_ALLOC",     "EGL_BAD_ATTRIBUTE",       "EGL_BAD_CONFIG",
                                         "EGL_BAD_CONTEXT",   "EGL_BAD_CURRENT_SURFACE", "EGL_BAD_DISPLAY",
                                         "EGL_BAD_MATCH",     "EGL_BAD_NATIVE_PIXMAP",   "EGL_BAD_NATIVE_WINDOW",
                                         "EGL_BAD_PARAMETER", "EGL_BAD_SURFACE",         "EGL_CONTEXT_LOST"};
    const auto index = static_cast<size_t>(error - EGL_SUCCESS);
    return index < std::size(kNames) ? kNames[index] : std::to_string(error);
}

}  // namespace

EGLClientBuffer Scene::texture(bool complete) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    if (complete) glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    return clientBuffer(name);
}

EGLDeviceEXT Scene::device() const {
    EGLAttrib device = 0;
    EGL_EXTENSION(eglQueryDisplayAttribEXT)(display, EGL_DEVICE_EXT, &device);
    return reinterpret_cast<EGLDeviceEXT>(device);
}

std::vector<ErrorRow> errorRows() {
    std::vector<ErrorRow> all;
    for (const auto* chapter : {&kDisplays, &kConfigs, &kSurfaces, &kSurfaceAttributes, &kTexImages, &kContexts,
                                &kSyncs, &kImages, &kSwaps, &kDevices})
        all.insert(all.end(), chapter->begin(), chapter->end());
    return all;
}

void checkErrors(const std::vector<ErrorRow>& rows, const std::function<EGLDisplay()>& display) {
    for (const ErrorRow& row : rows) {
        Scene scene(display());
        const bool isMesa = std::strncmp(eglQueryString(scene.display, EGL_VENDOR), "Mesa", 4) == 0;
        const EGLint want = isMesa && row.mesa != 0 ? row.mesa : row.want;
        if (want == kCrash) continue;
        CAPTURE(std::string(row.what));
        (void)error();
        CHECK(row.run(scene) == (want == EGL_SUCCESS));
        CHECK(name(error()) == name(want));
    }
}

}  // namespace egltest
