// X pixmaps: as surfaces, as targets of eglCopyBuffers, and in the choice of configurations.
#include <doctest/doctest.h>

#include "tests/egl/fixture.h"
// X's macros come after everything that they would break.
#include <X11/Xutil.h>

#include "tests/egl/x11/x11_server.h"

using namespace egltest;

namespace {

struct PixmapFixture {
    Display* x = openVirtualDisplay();
    Pixmap pixmap = 0;

    void create(int width, int height, int depth) {
        pixmap = XCreatePixmap(x, DefaultRootWindow(x), static_cast<unsigned>(width), static_cast<unsigned>(height),
                               static_cast<unsigned>(depth));
        XSync(x, False);
    }
    ~PixmapFixture() {
        if (x != nullptr) XCloseDisplay(x);
    }
    void fill(unsigned long pixel) const {
        GC context = XCreateGC(x, pixmap, 0, nullptr);
        XSetForeground(x, context, pixel);
        XFillRectangle(x, pixmap, context, 0, 0, 1000, 1000);
        XFreeGC(x, context);
    }
    [[nodiscard]] unsigned long at(int column, int row) const {
        XImage* image = XGetImage(x, pixmap, column, row, 1, 1, AllPlanes, ZPixmap);
        unsigned long pixel = XGetPixel(image, 0, 0);
        XDestroyImage(image);
        return pixel;
    }
};

EGLNativeDisplayType native(Display* x) { return reinterpret_cast<EGLNativeDisplayType>(x); }

EGLContext makeContext(const DisplayFixture& egl, EGLConfig config) {
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    return eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
}

}  // namespace

TEST_CASE("GL and X draw to the same pixmap") {
    PixmapFixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    for (int alpha : {0, 8}) {
        server.create(18, 11, 24 + alpha);
        server.fill(0x80FF4020);
        XSync(server.x, False);
        EGLConfig config = egl.config(EGL_PIXMAP_BIT, alpha);
        REQUIRE(config != nullptr);
        EGLSurface surface = eglCreatePixmapSurface(egl.display, config, server.pixmap, nullptr);
        REQUIRE(surface != EGL_NO_SURFACE);
        EGLint value = 0;
        CHECK(eglQuerySurface(egl.display, surface, EGL_RENDER_BUFFER, &value) == EGL_TRUE);
        CHECK(value == EGL_SINGLE_BUFFER);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, makeContext(egl, config)) == EGL_TRUE);
        CHECK(pixelAt(17, 10) == Color{255, 64, 32, alpha > 0 ? 128 : 255});
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 18, 1);  // the bottom row
        clearTo(0, 1, 0, 1);
        CHECK(eglWaitGL() == EGL_TRUE);
        CHECK((server.at(5, 10) & 0xFFFFFF) == 0x00FF00);
        CHECK((server.at(5, 9) & 0xFFFFFF) == 0xFF4020);
        clearTo(1, 1, 0, 1);
        glFinish();
        CHECK((server.at(5, 10) & 0xFFFFFF) == 0xFFFF00);
        server.fill(0x800000FF);
        CHECK(eglWaitNative(EGL_CORE_NATIVE_ENGINE) == EGL_TRUE);
        CHECK(pixelAt(0, 0) == Color{0, 0, 255, alpha > 0 ? 128 : 255});
        // Releasing the context hands the pixels over, too.
        clearTo(1, 0, 0, 1);
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        CHECK((server.at(0, 10) & 0xFFFFFF) == 0xFF0000);
        eglDestroySurface(egl.display, surface);
    }
}

TEST_CASE("a 16-bit pixmap takes 5, 6 and 5 bits") {
    PixmapFixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    server.create(3, 3, 16);  // rows are padded to 32 bits
    const EGLint wanted[] = {EGL_SURFACE_TYPE,
                             EGL_PIXMAP_BIT,
                             EGL_RENDERABLE_TYPE,
                             EGL_OPENGL_ES2_BIT,
                             EGL_MATCH_NATIVE_PIXMAP,
                             static_cast<EGLint>(server.pixmap),
                             EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    REQUIRE(eglChooseConfig(egl.display, wanted, &config, 1, &count) == EGL_TRUE);
    REQUIRE(count == 1);
    CHECK(egl.attribute(config, EGL_GREEN_SIZE) == 6);
    EGLSurface surface = eglCreatePixmapSurface(egl.display, config, server.pixmap, nullptr);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, makeContext(egl, config)) == EGL_TRUE);
    clearTo(1, 0, 1);
    CHECK(eglWaitClient() == EGL_TRUE);
    CHECK(server.at(2, 2) == 0xF81F);
}

TEST_CASE("eglCopyBuffers") {
    PixmapFixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    server.create(10, 10, 32);
    server.fill(0);
    EGLSurface surface = egl.pbuffer(10, 6);
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    clearTo(0, 1, 1, 1);
    CHECK(eglCopyBuffers(egl.display, surface, server.pixmap) == EGL_TRUE);
    CHECK(server.at(9, 5) == 0xFF00FFFF);
    CHECK(server.at(9, 6) == 0);
    CHECK(eglCopyBuffers(egl.display, surface, 0x7FFFFFF) == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_PIXMAP);
    server.create(10, 10, 24);
    CHECK(eglCopyBuffers(egl.display, surface, server.pixmap) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}

TEST_CASE("pixmaps that are none, or of another depth") {
    PixmapFixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    server.create(4, 4, 24);
    EGLConfig deep = egl.config(EGL_PIXMAP_BIT, 8);
    CHECK(eglCreatePixmapSurface(egl.display, deep, server.pixmap, nullptr) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_MATCH);
    CHECK(eglCreatePixmapSurface(egl.display, deep, 0x7FFFFFF, nullptr) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_NATIVE_PIXMAP);
    const EGLint wanted[] = {EGL_MATCH_NATIVE_PIXMAP, 0x7FFFFFF, EGL_NONE};
    EGLint count = 0;
    CHECK(eglChooseConfig(egl.display, wanted, nullptr, 0, &count) == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_PIXMAP);
}
