// Windows of a Wayland compositor: what it is given to show, and what becomes of windows and compositors that are gone.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "tests/egl/fixture.h"
#include "tests/egl/wayland/compositor.h"
// It says of what type EGL's windows are.
#include <wayland-egl.h>

using namespace egltest;

namespace {

constexpr int kWidth = 6, kHeight = 5;

/// A compositor's client.
struct Client {
    Compositor compositor;
    wl_display* display;
    wl_compositor* global = nullptr;
    wl_surface* surface = nullptr;

    explicit Client(int version = 4) : compositor(version), display(wl_display_connect_to_fd(compositor.socket())) {
        REQUIRE(display != nullptr);
        wl_registry* registry = wl_display_get_registry(display);
        static constexpr wl_registry_listener kListener = {
            [](void* self, wl_registry* from, uint32_t name, const char* interface, uint32_t has) {
                if (std::strcmp(interface, "wl_compositor") == 0)
                    static_cast<Client*>(self)->global =
                        static_cast<wl_compositor*>(wl_registry_bind(from, name, &wl_compositor_interface, has));
            },
            [](void*, wl_registry*, uint32_t) {}};
        wl_registry_add_listener(registry, &kListener, this);
        wl_display_roundtrip(display);
        wl_registry_destroy(registry);
        REQUIRE(global != nullptr);
        surface = wl_compositor_create_surface(global);
    }
    ~Client() {
        wl_surface_destroy(surface);
        wl_compositor_destroy(global);
        wl_display_disconnect(display);
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    [[nodiscard]] std::vector<ShownFrame> frames() {
        wl_display_roundtrip(display);
        return compositor.frames();
    }
};

/// A window with a context current on it.
struct Window {
    Client client;
    wl_egl_window* native;
    DisplayFixture egl;
    EGLSurface surface = EGL_NO_SURFACE;

    explicit Window(EGLint alpha = 8, int version = 4)
        : client(version),
          native(wl_egl_window_create(client.surface, kWidth, kHeight)),
          egl(eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, client.display, nullptr)) {
        const EGLConfig config = egl.config(EGL_WINDOW_BIT, alpha);
        REQUIRE(config != nullptr);
        surface = eglCreatePlatformWindowSurface(egl.display, config, native, nullptr);
        REQUIRE(surface != EGL_NO_SURFACE);
        const EGLint two[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, two);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    }
    ~Window() {
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroySurface(egl.display, surface);
        destroyNative();
    }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    void destroyNative() {
        if (native != nullptr) wl_egl_window_destroy(native);
        native = nullptr;
    }
    [[nodiscard]] EGLBoolean swap() const { return eglSwapBuffers(egl.display, surface); }
    [[nodiscard]] EGLint query(EGLint name) const {
        EGLint value = -1;
        eglQuerySurface(egl.display, surface, name, &value);
        return value;
    }
};

/// Blue, with a red lowest row.
void draw(float alpha = 1) {
    clearTo(0, 0, 1, alpha);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 100, 1);
    clearTo(1, 0, 0, alpha);
    glDisable(GL_SCISSOR_TEST);
}

}  // namespace

TEST_CASE("a frame is shown from its top row on, in the format of its configuration") {
    for (const EGLint alpha : {8, 0}) {
        CAPTURE(alpha);
        Window window(alpha);
        CHECK(window.query(EGL_WIDTH) == kWidth);
        CHECK(window.query(EGL_HEIGHT) == kHeight);
        for (const float opacity : {1.0f, 0.0f}) {
            draw(opacity);
            CHECK(window.swap() == EGL_TRUE);
            const ShownFrame frame = window.client.frames().back();
            REQUIRE(frame.width == kWidth);
            REQUIRE(frame.height == kHeight);
            CHECK(frame.format == (alpha != 0 ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888));
            const uint32_t mask = alpha != 0 ? ~0u : 0xFFFFFFu, opaque = opacity == 1 ? 0xFF000000u : 0;
            for (int x = 0; x < kWidth; ++x)
                for (int y = 0; y < kHeight; ++y)
                    CHECK((frame.at(x, y) & mask) == (((y == kHeight - 1 ? 0xFF0000u : 0xFFu) | opaque) & mask));
        }
        CHECK(window.client.frames().size() == 2);
    }
}

TEST_CASE(
    "the compositor is told what changed, counted from the upper left; all of it where it cannot be told a part") {
    auto* swapWithDamage = EGL_EXTENSION(eglSwapBuffersWithDamageKHR);
    EGLint rects[] = {1, 0, 2, 3, 4, 4, 100, 100, 7, 7, 1, 1};
    using Rects = std::vector<std::array<int, 4>>;
    const Rects all = {{0, 0, INT32_MAX, INT32_MAX}};
    for (const int version : {3, 4}) {
        CAPTURE(version);
        Window window(8, version);
        draw();
        CHECK(swapWithDamage(window.egl.display, window.surface, rects, 3) == EGL_TRUE);
        const ShownFrame part = window.client.frames().back();
        CHECK(part.damage == (version == 3 ? all : Rects{}));
        CHECK(part.bufferDamage == (version == 3 ? Rects{} : Rects{{1, 2, 2, 3}, {4, 0, 2, 1}}));
        CHECK(window.swap() == EGL_TRUE);
        const ShownFrame whole = window.client.frames().back();
        CHECK(whole.damage == all);
        CHECK(whole.bufferDamage.empty());
    }
}

TEST_CASE("a window that is resized has another size from its next frame on, and moves once") {
    Window window;
    draw();
    CHECK(window.swap() == EGL_TRUE);
    wl_egl_window_resize(window.native, 9, 3, -2, 1);
    for (int i = 0; i < 2; ++i) {
        draw();
        CHECK(window.swap() == EGL_TRUE);
    }
    const std::vector<ShownFrame> frames = window.client.frames();
    REQUIRE(frames.size() == 3);
    CHECK(frames[0].width == kWidth);
    CHECK(frames[2].width == 9);
    CHECK(frames[2].height == 3);
    CHECK(frames[2].at(8, 2) == 0xFFFF0000);
    CHECK(frames[2].at(8, 1) == 0xFF0000FF);
    CHECK(frames[1].moved == std::array{-2, 1});
    CHECK(frames[2].moved == std::array{0, 0});
    int width = 0, height = 0;
    wl_egl_window_get_attached_size(window.native, &width, &height);
    CHECK(width == 9);
    CHECK(height == 3);
    CHECK(window.query(EGL_WIDTH) == 9);
}

TEST_CASE("buffers are used again when the compositor gives them back, and not before") {
    for (const bool keeps : {false, true}) {
        CAPTURE(keeps);
        Window window;
        CHECK(eglSwapInterval(window.egl.display, 0) == EGL_TRUE);
        if (keeps) window.client.compositor.keepBuffers();
        for (int i = 0; i < 6; ++i) {
            clearTo(0, static_cast<float>(i) / 255, 0);
            CHECK(window.swap() == EGL_TRUE);
            wl_display_roundtrip(window.client.display);
        }
        const std::vector<ShownFrame> frames = window.client.frames();
        REQUIRE(frames.size() == 6);
        std::set<uint32_t> buffers;
        for (int i = 0; i < 6; ++i) {
            buffers.insert(frames[static_cast<size_t>(i)].buffer);
            CHECK(frames[static_cast<size_t>(i)].at(0, 0) == (0xFF000000u | static_cast<uint32_t>(i) << 8));
        }
        CHECK((keeps ? buffers.size() == 6 : buffers.size() <= 2));
    }
}

TEST_CASE("a hidden window's frames do not wait for ever to be wanted") {
    Window window;
    window.client.compositor.keepCallbacks();
    for (int i = 0; i < 3; ++i) {
        draw();
        CHECK(window.swap() == EGL_TRUE);
    }
    CHECK(window.client.frames().size() == 3);
}

TEST_CASE("a window that is gone is no native window, and a compositor that is gone shows nothing") {
    {
        Window window;
        draw();
        CHECK(window.swap() == EGL_TRUE);
        window.destroyNative();
        for (int i = 0; i < 2; ++i) {
            draw();
            CHECK(window.swap() == EGL_FALSE);
            CHECK(error() == EGL_BAD_NATIVE_WINDOW);
        }
        CHECK(window.client.frames().size() == 1);
    }
    Window window;
    draw();
    CHECK(window.swap() == EGL_TRUE);
    window.client.compositor.drop();
    // What is sent to nobody is noticed when an answer is waited for.
    EGLBoolean shown = EGL_TRUE;
    for (int i = 0; i < 20 && shown == EGL_TRUE; ++i) {
        draw();
        shown = window.swap();
    }
    CHECK(shown == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
    CHECK(window.swap() == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_WINDOW);
    draw();
    CHECK(pixelAt(0, 0) == Color{255, 0, 0, 255});  // the context is sound
}
