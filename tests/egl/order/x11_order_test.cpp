// What leaves a surface for X holds all that was drawn to the surface before, whichever context drew it.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <thread>

#include "tests/egl/order/story.h"
#include "tests/egl/x11/x11_window.h"

using namespace egltest;

namespace {

constexpr int kWidth = 200, kHeight = 150;

/// Fills what is bound with the colour, slowly: a frame that nobody waits for is not there yet when it is looked at.
void fillSlowly(const Color& color) {
    static constexpr GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    const GLuint name = program("attribute vec4 position; void main() { gl_Position = position; }",
                                "precision highp float; uniform vec4 color; void main() { float sum = 0.0;"
                                "  for (int i = 0; i < 400; ++i) sum += sin(gl_FragCoord.x * float(i));"
                                "  gl_FragColor = sum > 1000.0 ? vec4(0.0) : color; }");
    glUseProgram(name);
    glUniform4f(glGetUniformLocation(name, "color"), static_cast<float>(color[0]) / 255,
                static_cast<float>(color[1]) / 255, static_cast<float>(color[2]) / 255, 1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteProgram(name);
}

Color frameColor(int n) { return {n * 11 % 256, n * 37 % 256, 255 - n, 255}; }
unsigned long pixelOf(const Color& color) {
    return static_cast<unsigned long>(color[0] << 16 | color[1] << 8 | color[2]);
}

/// A window's surface and two contexts that share nothing.
struct TwoContexts {
    X11Fixture server;
    DisplayFixture egl;
    EGLConfig config;
    X11Window window;
    EGLSurface surface;
    EGLContext drawing, showing;

    static bool isPossible() { return X11Fixture().x != nullptr; }
    explicit TwoContexts(EGLint renderBuffer = EGL_BACK_BUFFER)
        : egl(eglGetDisplay(native(server.x))),
          config(egl.config(EGL_WINDOW_BIT, 0)),
          window(server.x, egl, config, kWidth, kHeight) {
        const EGLint attributes[] = {EGL_RENDER_BUFFER, renderBuffer, EGL_NONE};
        surface = eglCreateWindowSurface(egl.display, config, window.id, attributes);
        drawing = context();
        showing = context();
        REQUIRE(surface != EGL_NO_SURFACE);
    }
    [[nodiscard]] EGLContext context() const {
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        return eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
    }
    void makeCurrent(EGLContext context) const {
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    }
    void releaseCurrent() const { eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT); }
    [[nodiscard]] bool shows(const Color& color, int width = kWidth, int height = kHeight) const {
        return window.shown(0, 0) == pixelOf(color) && window.shown(width - 1, height - 1) == pixelOf(color);
    }
    /// Frames of twenty, each of a colour of its own, that are not shown as they were drawn.
    [[nodiscard]] int wrongFrames(const std::function<void(const Color&)>& drawAndShow) const {
        int wrong = 0;
        for (int n = 0; n < 20; ++n) {
            drawAndShow(frameColor(n));
            wrong += !shows(frameColor(n));
        }
        return wrong;
    }
};

}  // namespace

TEST_CASE("a swap shows what another context drew") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f;
    auto* swapWithDamage = EGL_EXTENSION(eglSwapBuffersWithDamageKHR);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.makeCurrent(f.drawing);
        fillSlowly(color);
        f.makeCurrent(f.showing);
        CHECK(eglSwapBuffers(f.egl.display, f.surface) == EGL_TRUE);
    }) == 0);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.makeCurrent(f.drawing);
        fillSlowly(color);
        f.makeCurrent(f.showing);
        CHECK(swapWithDamage(f.egl.display, f.surface, nullptr, 0) == EGL_TRUE);
    }) == 0);
}

TEST_CASE("a swap shows what a context of another thread drew, or one that is destroyed") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f;
    f.makeCurrent(f.showing);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.releaseCurrent();
        std::thread([&] {
            f.makeCurrent(f.drawing);
            fillSlowly(color);
            eglReleaseThread();
        }).join();
        f.makeCurrent(f.showing);
        CHECK(eglSwapBuffers(f.egl.display, f.surface) == EGL_TRUE);
    }) == 0);
    CHECK(f.wrongFrames([&](const Color& color) {
        EGLContext passing = f.context();
        f.makeCurrent(passing);
        fillSlowly(color);
        eglDestroyContext(f.egl.display, passing);
        f.makeCurrent(f.showing);
        CHECK(eglSwapBuffers(f.egl.display, f.surface) == EGL_TRUE);
    }) == 0);
}

TEST_CASE("a resized window keeps what was drawn before the new size was seen") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f;
    int size = kWidth;
    const auto resize = [&] {
        ++size;
        XResizeWindow(f.server.x, f.window.id, static_cast<unsigned>(size), kHeight);
        XSync(f.server.x, False);
    };
    SUBCASE("by another context") {
        f.makeCurrent(f.drawing);
        fillSlowly(frameColor(1));
        resize();
        f.makeCurrent(f.showing);
    }
    SUBCASE("by the same one, which asks for the size") {
        f.makeCurrent(f.showing);
        fillSlowly(frameColor(1));
        resize();
    }
    EGLint width = 0;
    CHECK(eglQuerySurface(f.egl.display, f.surface, EGL_WIDTH, &width) == EGL_TRUE);
    CHECK(width == size);
    CHECK(pixelAt(0, 0) == frameColor(1));
    CHECK(pixelAt(kWidth - 1, kHeight - 1) == frameColor(1));
    CHECK(eglSwapBuffers(f.egl.display, f.surface) == EGL_TRUE);
    CHECK(f.shows(frameColor(1)));
}

TEST_CASE("eglCopyBuffers copies what other contexts drew") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f;
    const Pixmap pixmap = XCreatePixmap(f.server.x, f.window.id, kWidth, kHeight, 24);
    const auto copied = [&] {
        CHECK(eglCopyBuffers(f.egl.display, f.surface, pixmap) == EGL_TRUE);
        XImage* image = XGetImage(f.server.x, pixmap, kWidth - 1, kHeight - 1, 1, 1, AllPlanes, ZPixmap);
        const unsigned long pixel = XGetPixel(image, 0, 0) & 0xFFFFFF;
        XDestroyImage(image);
        return pixel;
    };
    f.makeCurrent(f.drawing);
    fillSlowly(frameColor(1));
    f.makeCurrent(f.showing);
    CHECK(copied() == pixelOf(frameColor(1)));
    f.makeCurrent(f.drawing);
    fillSlowly(frameColor(2));
    f.releaseCurrent();
    CHECK(copied() == pixelOf(frameColor(2)));
    XFreePixmap(f.server.x, pixmap);
}

TEST_CASE("a front buffer shows what was drawn when its context is left, and when clients wait") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f(EGL_SINGLE_BUFFER);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.makeCurrent(f.drawing);
        fillSlowly(color);
        f.makeCurrent(f.showing);
    }) == 0);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.makeCurrent(f.drawing);
        fillSlowly(color);
        CHECK(eglWaitClient() == EGL_TRUE);
    }) == 0);
    CHECK(f.wrongFrames([&](const Color& color) {
        f.makeCurrent(f.drawing);
        fillSlowly(color);
        f.makeCurrent(f.showing);
        glFlush();
    }) == 0);
}

TEST_CASE("copies from a pixmap come before what X draws to it later") {
    if (!TwoContexts::isPossible()) return;
    TwoContexts f;
    const Pixmap pixmap = XCreatePixmap(f.server.x, f.window.id, kWidth, kHeight, 24);
    GC gc = XCreateGC(f.server.x, pixmap, 0, nullptr);
    const auto fill = [&](unsigned long pixel) {
        XSetForeground(f.server.x, gc, pixel);
        XFillRectangle(f.server.x, pixmap, gc, 0, 0, kWidth, kHeight);
        XSync(f.server.x, False);
    };
    const EGLConfig config = f.egl.config(EGL_PIXMAP_BIT | EGL_WINDOW_BIT, 0);
    REQUIRE(config == f.config);
    EGLSurface source = eglCreatePixmapSurface(f.egl.display, config, pixmap, nullptr);
    REQUIRE(source != EGL_NO_SURFACE);
    fill(0x00FF00);
    REQUIRE(eglMakeCurrent(f.egl.display, f.surface, source, f.drawing) == EGL_TRUE);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    fillSlowly(frameColor(1));  // keeps the copy waiting
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, kWidth, kHeight, 0);
    fill(0xFF0000);
    REQUIRE(eglMakeCurrent(f.egl.display, source, source, f.showing) == EGL_TRUE);
    CHECK(pixelAt(5, 5) == Color{255, 0, 0, 255});
    f.makeCurrent(f.drawing);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(pixelAt(0, 0) == Color{0, 255, 0, 255});
    CHECK(pixelAt(kWidth - 1, kHeight - 1) == Color{0, 255, 0, 255});
    XFreeGC(f.server.x, gc);
    XFreePixmap(f.server.x, pixmap);
}

namespace {

/// Of a window or pixmap with 24 bits for each pixel.
uint64_t hashOf(Display* x, Drawable drawable) {
    Window root = 0;
    int left = 0, top = 0;
    unsigned width = 0, height = 0, border = 0, depth = 0;
    XGetGeometry(x, drawable, &root, &left, &top, &width, &height, &border, &depth);
    XImage* image = XGetImage(x, drawable, 0, 0, width, height, 0xFFFFFF, ZPixmap);
    const uint64_t hash = egltest::hashOf(image->data, static_cast<size_t>(image->bytes_per_line) * height);
    XDestroyImage(image);
    return hash;
}

}  // namespace

TEST_CASE("several contexts and threads show and read the bytes that one context would") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    const EGLConfig config = egl.config(EGL_WINDOW_BIT | EGL_PIXMAP_BIT, 0);
    constexpr int kSize = 40;
    std::vector<std::unique_ptr<X11Window>> windows;
    Pixmap pixmap = XCreatePixmap(server.x, DefaultRootWindow(server.x), kSize, kSize, 24);
    GC gc = XCreateGC(server.x, pixmap, 0, nullptr);
    checkStories(egl.display, 15, [&] {
        std::vector<StoryWindow> story;
        windows.clear();
        for (int i = 0; i < 2; ++i) {
            windows.push_back(std::make_unique<X11Window>(server.x, egl, config, kSize, kSize));
            const Window id = windows.back()->id;
            XMoveWindow(server.x, id, i * 2 * kSize, 0);  // none hides another's pixels
            XSync(server.x, False);
            story.push_back({eglCreateWindowSurface(egl.display, config, id, nullptr), kSize, kSize,
                             [x = server.x, id] { return hashOf(x, id); },
                             [x = server.x, id](int width, int height) {
                                 XResizeWindow(x, id, static_cast<unsigned>(width), static_cast<unsigned>(height));
                                 XSync(x, False);
                             }});
        }
        XFillRectangle(server.x, pixmap, gc, 0, 0, kSize, kSize);
        XSync(server.x, False);
        story.push_back({eglCreatePixmapSurface(egl.display, config, pixmap, nullptr),
                         kSize,
                         kSize,
                         [x = server.x, pixmap] { return hashOf(x, pixmap); },
                         {}});
        return story;
    });
    XFreeGC(server.x, gc);
    XFreePixmap(server.x, pixmap);
}
