// Windows on X11: Xlib and XCB displays, presenting, resizing, damage, buffer age, windows and servers that go away.
#include <doctest/doctest.h>

#include "tests/egl/memory.h"
#include "tests/egl/x11/x11_window.h"
// X's macros come after everything that they would break.
#include <X11/Xlib-xcb.h>

using namespace egltest;

namespace {

/// The lower half red, the upper half blue, so that a flip shows.
void drawHalves(int width, int height) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, width, height / 2);
    clearTo(1, 0, 0);
    glScissor(0, height / 2, width, height);
    clearTo(0, 0, 1);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace

TEST_CASE("a frame appears the right way up, for visuals with and without alpha") {
    X11Fixture server;
    if (server.x == nullptr) return;
    CHECK(eglGetDisplay(native(server.x)) == eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, server.x, nullptr));
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    for (int alpha : {0, 8}) {
        EGLConfig config = egl.config(EGL_WINDOW_BIT, alpha);
        REQUIRE(config != nullptr);
        X11Window window(server.x, egl, config, 50, 40);
        EGLSurface surface = eglCreateWindowSurface(egl.display, config, window.id, nullptr);
        REQUIRE(surface != EGL_NO_SURFACE);
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
        drawHalves(50, 40);
        CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
        CHECK(window.shown(0, 0) == 0x0000FF);
        CHECK(window.shown(49, 19) == 0x0000FF);
        CHECK(window.shown(0, 20) == 0xFF0000);
        CHECK(window.shown(49, 39) == 0xFF0000);
        if (alpha != 0) CHECK(window.pixelAt(49, 39) == 0xFFFF0000);
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroySurface(egl.display, surface);
        eglDestroyContext(egl.display, context);
    }
}

TEST_CASE("an XCB connection, and windows by their address") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetPlatformDisplay(EGL_PLATFORM_XCB_EXT, XGetXCBConnection(server.x), nullptr));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    REQUIRE(config != nullptr);
    X11Window window(server.x, egl, config, 8, 8);
    auto id = static_cast<uint32_t>(window.id);
    EGLSurface surface = eglCreatePlatformWindowSurface(egl.display, config, &id, nullptr);
    REQUIRE(surface != EGL_NO_SURFACE);
    CHECK(eglCreatePlatformWindowSurface(egl.display, config, &id, nullptr) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_ALLOC);
    CHECK(eglCreatePlatformWindowSurface(egl.display, config, reinterpret_cast<void*>(16), nullptr) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
    id = 0x7FFFFFF;
    CHECK(eglCreatePlatformWindowSurface(egl.display, config, &id, nullptr) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
}

TEST_CASE("a surface follows its window's size, and keeps what it showed below the upper left corner") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    ShownWindow shown(server, egl, config, 20);
    X11Window& window = shown.window;
    const EGLSurface surface = shown.surface;
    clearTo(0, 1, 0);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    EGLint age = -1, width = 0, height = 0;
    CHECK(eglQuerySurface(egl.display, surface, EGL_BUFFER_AGE_EXT, &age) == EGL_TRUE);
    CHECK(age == 1);
    XResizeWindow(server.x, window.id, 33, 27);
    XSync(server.x, False);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    CHECK(eglQuerySurface(egl.display, surface, EGL_BUFFER_AGE_EXT, &age) == EGL_TRUE);
    CHECK(age == 0);
    eglQuerySurface(egl.display, surface, EGL_WIDTH, &width);
    eglQuerySurface(egl.display, surface, EGL_HEIGHT, &height);
    CHECK(width == 33);
    CHECK(height == 27);
    CHECK(pixelAt(0, 26) == Color{0, 255, 0, 255});
    CHECK(pixelAt(19, 7) == Color{0, 255, 0, 255});
    CHECK(pixelAt(20, 7)[1] == 0);
    CHECK(pixelAt(0, 6)[1] == 0);
    clearTo(1, 1, 0);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    CHECK(window.shown(32, 26) == 0xFFFF00);
}

TEST_CASE("a window that was resized after a swap has its new size in the next frame") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    ShownWindow shown(server, egl, config, 20);
    X11Window& window = shown.window;
    const EGLSurface surface = shown.surface;
    clearTo(0, 1, 0);
    for (int height = 21; height < 25; ++height) {
        CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
        XResizeWindow(server.x, window.id, 20, static_cast<unsigned>(height));
        clearTo(0, 0, 1);
        // The row at the top: in buffers of the old height it would be cut off, and the row below it shown in its
        // place.
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, height - 1, 20, 1);
        clearTo(1, 0, 0);
        glDisable(GL_SCISSOR_TEST);
        CHECK(pixelAt(0, height - 1) == Color{255, 0, 0, 255});
    }
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    CHECK(window.shown(5, 0) == 0xFF0000);
    CHECK(window.shown(5, 1) == 0x0000FF);
    CHECK(window.shown(5, 23) == 0x0000FF);
}

TEST_CASE("what the server answers leaves memory where it was") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT | EGL_PIXMAP_BIT, 0);
    REQUIRE(config != nullptr);
    ShownWindow shown(server, egl, config);
    const Pixmap pixmap = XCreatePixmap(server.x, DefaultRootWindow(server.x), 8, 8, 24);
    constexpr int kFrames = 4000, kWarmUp = 400;
    int bad = 0;
    size_t before = 0;
    for (int n = 0; n < kFrames; ++n) {
        if (n == kWarmUp) before = settledBytes();
        EGLint width = 0;
        bad += eglSwapBuffers(egl.display, shown.surface) != EGL_TRUE ||
               eglQuerySurface(egl.display, shown.surface, EGL_WIDTH, &width) != EGL_TRUE || width != 8 ||
               eglCopyBuffers(egl.display, shown.surface, pixmap) != EGL_TRUE;
    }
    // An answer is at least 32 bytes; those that left them would have left a hundred kilobytes.
    const auto growth = static_cast<long>(settledBytes()) - static_cast<long>(before);
    MESSAGE("bytes more at the end than after a tenth: " << growth);
    CHECK(bad == 0);
    if (!kIsSanitized) CHECK(growth < 32 << 10);
}

TEST_CASE("damage is a hint: all of the buffer is shown") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    ShownWindow shown(server, egl, config, 30);
    X11Window& window = shown.window;
    const EGLSurface surface = shown.surface;
    auto* swapWithDamage = EGL_EXTENSION(eglSwapBuffersWithDamageKHR);
    clearTo(1, 0, 0);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    clearTo(0, 1, 0);
    EGLint corner[4] = {0, 0, 10, 5};  // lower left
    CHECK(swapWithDamage(egl.display, surface, corner, 1) == EGL_TRUE);
    CHECK(window.shown(9, 29) == 0x00FF00);
    CHECK(window.shown(9, 25) == 0x00FF00);
    CHECK(window.shown(9, 24) == 0x00FF00);
    CHECK(window.shown(10, 29) == 0x00FF00);
    clearTo(0, 0, 1);
    EGLint outside[8] = {-100, 25, 200, 1000, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX};
    CHECK(swapWithDamage(egl.display, surface, outside, 2) == EGL_TRUE);
    CHECK(window.shown(15, 0) == 0x0000FF);
    CHECK(window.shown(15, 5) == 0x0000FF);
    clearTo(0, 1, 0);
    CHECK(swapWithDamage(egl.display, surface, nullptr, 0) == EGL_TRUE);
    CHECK(window.shown(15, 15) == 0x00FF00);
    CHECK(swapWithDamage(egl.display, surface, nullptr, 1) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(swapWithDamage(egl.display, surface, corner, -1) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
}

TEST_CASE("a damage region follows the rules of EGL_KHR_partial_update") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    ShownWindow shown(server, egl, config, 10);
    const EGLSurface surface = shown.surface;
    auto* setRegion = EGL_EXTENSION(eglSetDamageRegionKHR);
    EGLint rect[4] = {0, 0, 5, 5}, age = 0;
    auto refused = [&](EGLint want) {
        CHECK(setRegion(egl.display, surface, rect, 1) == EGL_FALSE);
        CHECK(error() == want);
    };
    eglSurfaceAttrib(egl.display, surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_PRESERVED);
    refused(EGL_BAD_MATCH);
    eglSurfaceAttrib(egl.display, surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED);
    refused(EGL_BAD_ACCESS);  // the age was not asked for
    eglQuerySurface(egl.display, surface, EGL_BUFFER_AGE_KHR, &age);
    CHECK(setRegion(egl.display, surface, rect, 1) == EGL_TRUE);
    refused(EGL_BAD_ACCESS);  // once in a frame
    eglSwapBuffers(egl.display, surface);
    refused(EGL_BAD_ACCESS);
}

TEST_CASE("a destroyed window is an error and not the end of the program") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    X11Window window(server.x, egl, config, 10, 10);
    EGLSurface surface = eglCreateWindowSurface(egl.display, config, window.id, nullptr);
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    XDestroyWindow(server.x, window.id);
    window.id = 0;
    XSync(server.x, False);
    clearTo(1, 1, 1);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
    CHECK(pixelAt(1, 1) == Color{255, 255, 255, 255});
    CHECK(eglDestroySurface(egl.display, surface) == EGL_TRUE);
    XSync(server.x, False);
}

TEST_CASE("a closed Xlib display is an error and not the end of the program") {
    X11Fixture server;
    if (server.x == nullptr) return;
    Display* closing = XOpenDisplay(virtualDisplay());
    DisplayFixture egl(eglGetDisplay(native(closing)));
    EGLConfig config = egl.config(EGL_WINDOW_BIT, 0);
    X11Window window(server.x, egl, config, 10, 10);
    EGLSurface surface = eglCreateWindowSurface(egl.display, config, window.id, nullptr);
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    clearTo(1, 0, 0);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    XCloseDisplay(closing);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
    EGLint width = 0;
    CHECK(eglQuerySurface(egl.display, surface, EGL_WIDTH, &width) == EGL_TRUE);
    CHECK(width == 10);
    CHECK(eglWaitNative(EGL_CORE_NATIVE_ENGINE) == EGL_TRUE);
}
