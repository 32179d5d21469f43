// Windows on the tests' X server, and what they show.
#pragma once

#include <doctest/doctest.h>

#include "tests/egl/fixture.h"
// X's macros come after everything that they would break.
#include <X11/Xutil.h>

#include "tests/egl/x11/x11_server.h"

namespace egltest {

/// A window without decoration, of the visual that a configuration names.
struct X11Window {
    Display* x;
    Window id = 0;
    Colormap colors = 0;

    X11Window(Display* display, DisplayFixture& egl, EGLConfig config, int width, int height) : x(display) {
        XVisualInfo wanted{};
        wanted.visualid = static_cast<VisualID>(egl.attribute(config, EGL_NATIVE_VISUAL_ID));
        int count = 0;
        XVisualInfo* info = XGetVisualInfo(x, VisualIDMask, &wanted, &count);
        REQUIRE(count == 1);
        XSetWindowAttributes attributes{};
        attributes.colormap = colors = XCreateColormap(x, DefaultRootWindow(x), info->visual, AllocNone);
        attributes.override_redirect = True;
        id = XCreateWindow(x, DefaultRootWindow(x), 0, 0, static_cast<unsigned>(width), static_cast<unsigned>(height),
                           0, info->depth, InputOutput, info->visual, CWColormap | CWBorderPixel | CWOverrideRedirect,
                           &attributes);
        XMapRaised(x, id);
        XSync(x, False);
        XFree(info);
    }
    ~X11Window() {
        if (id != 0) XDestroyWindow(x, id);
        XFreeColormap(x, colors);
        XSync(x, False);
    }
    /// What the window shows at a place counted from its upper left: 0xRRGGBB.
    [[nodiscard]] unsigned long shown(int column, int row) const {
        const unsigned long pixel = pixelAt(column, row);
        return pixel != kNone ? pixel & 0xFFFFFF : kNone;
    }
    /// The same with the bits above it.
    [[nodiscard]] unsigned long pixelAt(int column, int row) const {
        XImage* image = XGetImage(x, id, column, row, 1, 1, AllPlanes, ZPixmap);
        unsigned long pixel = image != nullptr ? XGetPixel(image, 0, 0) : kNone;
        if (image != nullptr) XDestroyImage(image);
        return pixel;
    }

private:
    static constexpr unsigned long kNone = ~0ul;
};

/// A connection to the tests' X server; null when there is none.
struct X11Fixture {
    Display* x = openVirtualDisplay();
    ~X11Fixture() {
        if (x != nullptr) XCloseDisplay(x);
    }
};

inline EGLNativeDisplayType native(Display* x) { return reinterpret_cast<EGLNativeDisplayType>(x); }

/// A window of a configuration, with a context current on it.
struct ShownWindow {
    X11Window window;
    EGLSurface surface;
    EGLContext context;

    ShownWindow(X11Fixture& server, DisplayFixture& egl, EGLConfig config, int size = 8)
        : window(server.x, egl, config, size, size),
          surface(eglCreateWindowSurface(egl.display, config, window.id, nullptr)) {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    }
};

}  // namespace egltest
