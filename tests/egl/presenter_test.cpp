// A presenter that shows frames by drawing with EGL, as SDL does where it shows them as textures.
#include <chrono>
#include <functional>
#include <future>
#include <memory>

#include <doctest/doctest.h>

#include "api/egl/objects.h"
#include "api/gles/driver.h"
#include "shader-core/interp/interpreter.h"
#include "tests/egl/fixture.h"

using namespace egltest;
using namespace tessera;

namespace {

/// Has a context and a surface of its own, which stay current to it from one frame to the next.
class DrawingPresenter : public present::Presenter {
public:
    DrawingPresenter(const DisplayFixture& egl, std::function<void()> during)
        : egl_(egl), context_(egl.context()), surface_(egl.pbuffer()), during_(std::move(during)) {}

    bool size(int& width, int& height) override {
        width = height = 16;
        return true;
    }

    bool present(const texture::Image&, std::span<const Rect>) override {
        CHECK((eglGetCurrentContext() == context_) == (frames_ > 0));
        if (frames_++ == 0) CHECK(eglMakeCurrent(egl_.display, surface_, surface_, context_) == EGL_TRUE);
        clearTo(0, 0, 1);
        during_();
        return true;
    }

private:
    const DisplayFixture& egl_;
    const EGLContext context_;
    const EGLSurface surface_;
    const std::function<void()> during_;
    int frames_ = 0;
};

/// Whether another thread can do that without waiting for this one.
bool isDoneAtOnce(const std::function<void()>& act) {
    static std::future<void> late;  // going, it waits for what is not done, which may wait for what this thread holds
    late = std::async(std::launch::async, act);
    return late.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
}

}  // namespace

TEST_CASE("while a presenter draws with EGL, the application's context and window stay its thread's") {
    gles::setExecutorFactory([] { return interp::makeInterpreter(); });
    DisplayFixture egl;
    const EGLContext context = egl.context(), other = egl.context();
    const EGLSurface window = egl.pbuffer();
    const auto refused = [&](EGLSurface surface, EGLContext wanted) {
        CHECK(eglMakeCurrent(egl.display, surface, surface, wanted) == EGL_FALSE);
        CHECK(error() == EGL_BAD_ACCESS);
    };
    auto* const surface = static_cast<tessera::egl::Surface*>(window);
    surface->kind = tessera::egl::SurfaceKind::Window;
    surface->presenter = std::make_unique<DrawingPresenter>(egl, [&] {
        const bool isAnswered = isDoneAtOnce([&] {
            refused(window, other);
            refused(EGL_NO_SURFACE, context);
            EGLint width = 0;
            CHECK(eglQuerySurface(egl.display, window, EGL_WIDTH, &width) == EGL_TRUE);
            CHECK(width == 16);
        });
        CHECK(isAnswered);
    });
    REQUIRE(eglMakeCurrent(egl.display, window, window, context) == EGL_TRUE);
    for (int frame = 0; frame < 3; ++frame) {
        clearTo(1, 0, 0);
        CHECK(eglSwapBuffers(egl.display, window) == EGL_TRUE);
        CHECK(eglGetCurrentContext() == context);
        CHECK(eglGetCurrentSurface(EGL_DRAW) == window);
        CHECK(pixelAt(3, 3) == Color{255, 0, 0, 255});
    }
    CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE);
    const bool isGivenUp = isDoneAtOnce([&] {
        CHECK(eglMakeCurrent(egl.display, window, window, context) == EGL_TRUE);
        CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE);
    });
    CHECK(isGivenUp);
}
