// Errors of native windows and pixmaps, on X11.
#include <doctest/doctest.h>

#include "tests/egl/errors.h"
#include "tests/egl/x11/x11_window.h"

using namespace egltest;

namespace {

using Attributes = std::vector<EGLint>;

char dangling[8] = {};  // no object of EGL's
EGLint number = 0;      // something to write to
constexpr XID kNoWindow = 0x123457;

EGLConfig windowConfig(Scene& s) { return s.config(EGL_WINDOW_BIT, 0); }
EGLConfig pixmapConfig(Scene& s) { return s.config(EGL_PIXMAP_BIT, 0); }

bool createWindow(Scene& s, EGLConfig config, Window window, Attributes list = {}) {
    list.push_back(EGL_NONE);
    return eglCreateWindowSurface(s.display, config, window, list.data()) != EGL_NO_SURFACE;
}
bool createPixmap(Scene& s, EGLConfig config, Pixmap pixmap, Attributes list = {}) {
    list.push_back(EGL_NONE);
    return eglCreatePixmapSurface(s.display, config, pixmap, list.data()) != EGL_NO_SURFACE;
}

/// A surface on a window with a context, current.
struct Shown {
    X11Window window;
    EGLSurface surface;
    bool isCurrent;

    Shown(Display* x, Scene& s)
        : window(x, s, windowConfig(s), 8, 8),
          surface(eglCreateWindowSurface(s.display, windowConfig(s), window.id, nullptr)) {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLContext context = eglCreateContext(s.display, windowConfig(s), EGL_NO_CONTEXT, version);
        isCurrent = eglMakeCurrent(s.display, surface, surface, context) == EGL_TRUE;
    }
};

std::vector<ErrorRow> rows(Display* x) {
    const auto depth = [x] { return static_cast<unsigned>(DefaultDepth(x, DefaultScreen(x))); };
    const auto pixmap = [x](unsigned bits) {
        Pixmap made = XCreatePixmap(x, DefaultRootWindow(x), 8, 8, bits);
        XSync(x, False);
        return made;
    };
    return {
        {"window: none", [](Scene& s) { return createWindow(s, windowConfig(s), 0); }, EGL_BAD_NATIVE_WINDOW},
        {"window: none and no configuration", [](Scene& s) { return createWindow(s, dangling, 0); }, EGL_BAD_CONFIG,
         EGL_BAD_NATIVE_WINDOW},
        {"window: one that never was", [](Scene& s) { return createWindow(s, windowConfig(s), kNoWindow); },
         EGL_BAD_NATIVE_WINDOW, kCrash},
        {"window: one that never was and no configuration",
         [](Scene& s) { return createWindow(s, dangling, kNoWindow); }, EGL_BAD_CONFIG},
        {"window: one that never was and an unknown attribute",
         [](Scene& s) { return createWindow(s, windowConfig(s), kNoWindow, {EGL_WIDTH, 4}); }, EGL_BAD_ATTRIBUTE},
        {"window: a pixmap", [=](Scene& s) { return createWindow(s, windowConfig(s), pixmap(depth())); },
         EGL_BAD_NATIVE_WINDOW, EGL_SUCCESS},
        {"window: no configuration",
         [=](Scene& s) { return createWindow(s, dangling, X11Window(x, s, windowConfig(s), 8, 8).id); },
         EGL_BAD_CONFIG},
        {"window: no configuration and an unknown attribute",
         [=](Scene& s) { return createWindow(s, dangling, X11Window(x, s, windowConfig(s), 8, 8).id, {EGL_WIDTH, 4}); },
         EGL_BAD_CONFIG},
        {"window: an unknown attribute",
         [=](Scene& s) {
             return createWindow(s, windowConfig(s), X11Window(x, s, windowConfig(s), 8, 8).id, {EGL_WIDTH, 4});
         },
         EGL_BAD_ATTRIBUTE},
        {"window: an unknown buffer",
         [=](Scene& s) {
             return createWindow(s, windowConfig(s), X11Window(x, s, windowConfig(s), 8, 8).id,
                                 {EGL_RENDER_BUFFER, EGL_WIDTH});
         },
         EGL_BAD_ATTRIBUTE},
        // Against the specification, but programs take the first configuration and a window of the default visual.
        {"window: of another visual than the configuration's",
         [=](Scene& s) {
             return createWindow(s, s.config(EGL_WINDOW_BIT, 8), X11Window(x, s, windowConfig(s), 8, 8).id);
         },
         EGL_SUCCESS},
        {"window: one that has a surface",
         [=](Scene& s) {
             Shown shown(x, s);
             return createWindow(s, windowConfig(s), shown.window.id);
         },
         EGL_BAD_ALLOC},
        {"pixmap: none", [](Scene& s) { return createPixmap(s, pixmapConfig(s), 0); }, EGL_BAD_NATIVE_PIXMAP},
        {"pixmap: none and no configuration", [](Scene& s) { return createPixmap(s, dangling, 0); }, EGL_BAD_CONFIG},
        {"pixmap: one that never was", [](Scene& s) { return createPixmap(s, pixmapConfig(s), kNoWindow); },
         EGL_BAD_NATIVE_PIXMAP, kCrash},
        {"pixmap: no configuration", [=](Scene& s) { return createPixmap(s, dangling, pixmap(depth())); },
         EGL_BAD_CONFIG},
        {"pixmap: an unknown attribute",
         [=](Scene& s) { return createPixmap(s, pixmapConfig(s), pixmap(depth()), {EGL_WIDTH, 4}); },
         EGL_BAD_ATTRIBUTE},
        {"pixmap: an attribute of windows",
         [=](Scene& s) {
             return createPixmap(s, pixmapConfig(s), pixmap(depth()), {EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER});
         },
         EGL_BAD_ATTRIBUTE},
        {"pixmap: of another depth", [=](Scene& s) { return createPixmap(s, pixmapConfig(s), pixmap(32)); },
         EGL_BAD_MATCH, EGL_SUCCESS},
        {"choose config: a pixmap that is none",
         [](Scene& s) {
             const EGLint list[] = {EGL_MATCH_NATIVE_PIXMAP, static_cast<EGLint>(kNoWindow), EGL_NONE};
             return eglChooseConfig(s.display, list, nullptr, 0, &number) == EGL_TRUE;
         },
         EGL_BAD_NATIVE_PIXMAP, EGL_SUCCESS},
        {"copy: a pixmap that is none",
         [=](Scene& s) {
             Shown shown(x, s);
             return eglCopyBuffers(s.display, shown.surface, kNoWindow) == EGL_TRUE;
         },
         EGL_BAD_NATIVE_PIXMAP, EGL_SUCCESS},
        {"copy: a pixmap of another depth",
         [=](Scene& s) {
             Shown shown(x, s);
             return eglCopyBuffers(s.display, shown.surface, pixmap(32)) == EGL_TRUE;
         },
         EGL_BAD_MATCH, EGL_SUCCESS},
        {"bind: a window",
         [=](Scene& s) {
             Shown shown(x, s);
             return eglBindTexImage(s.display, shown.surface, EGL_BACK_BUFFER) == EGL_TRUE;
         },
         EGL_BAD_SURFACE},
        {"swap: after the window was destroyed",
         [=](Scene& s) {
             Shown shown(x, s);
             XDestroyWindow(x, shown.window.id);
             XSync(x, False);
             shown.window.id = 0;
             clearTo(1, 0, 0);
             return eglSwapBuffers(s.display, shown.surface) == EGL_TRUE;
         },
         EGL_BAD_NATIVE_WINDOW, EGL_SUCCESS},
        {"make current: after the window was destroyed",
         [=](Scene& s) {
             Shown shown(x, s);
             EGLContext context = eglGetCurrentContext();
             eglMakeCurrent(s.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
             XDestroyWindow(x, shown.window.id);
             XSync(x, False);
             shown.window.id = 0;
             return eglMakeCurrent(s.display, shown.surface, shown.surface, context) == EGL_TRUE;
         },
         EGL_BAD_NATIVE_WINDOW, EGL_SUCCESS},
        {"damage: fewer than no rectangles",
         [=](Scene& s) {
             Shown shown(x, s);
             return EGL_EXTENSION(eglSwapBuffersWithDamageEXT)(s.display, shown.surface, nullptr, -1) == EGL_TRUE;
         },
         EGL_BAD_PARAMETER},
        {"damage: rectangles that are nowhere",
         [=](Scene& s) {
             Shown shown(x, s);
             return EGL_EXTENSION(eglSwapBuffersWithDamageEXT)(s.display, shown.surface, nullptr, 1) == EGL_TRUE;
         },
         EGL_BAD_PARAMETER},
        {"damage region: of a surface whose age was not asked for",
         [=](Scene& s) {
             Shown shown(x, s);
             eglSurfaceAttrib(s.display, shown.surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED);
             EGLint all[] = {0, 0, 8, 8};
             return EGL_EXTENSION(eglSetDamageRegionKHR)(s.display, shown.surface, all, 1) == EGL_TRUE;
         },
         EGL_BAD_ACCESS},
    };
}

}  // namespace

TEST_CASE("errors of native windows and pixmaps") {
    X11Fixture server;
    if (server.x == nullptr) return;
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });  // what is destroyed twice is of no interest here
    checkErrors(rows(server.x), [&] { return eglGetDisplay(native(server.x)); });
    XSetErrorHandler(nullptr);
}
