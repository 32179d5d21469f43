// Every entry point that takes a display, called with none, a made-up one, an uninitialised one, and with an
// initialised one and null or dangling handles everywhere else: the specified error, and never a crash.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "tests/egl/calls.h"
#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr const char* kEntryPoints[] = {
#define EGL_FUNCTION(name) #name,
#include "api/egl/functions.inc"
};

}  // namespace

TEST_CASE("the tables of this test have every entry point once") {
    std::vector<std::string> inTables;
    for (const DisplayCall& call : displayCalls()) inTables.emplace_back(call.name);
    for (const FreeCall& call : freeCalls()) inTables.emplace_back(call.name);
    std::sort(inTables.begin(), inTables.end());
    std::vector<std::string> all(std::begin(kEntryPoints), std::end(kEntryPoints));
    std::sort(all.begin(), all.end());
    std::vector<std::string> missing;
    std::set_symmetric_difference(all.begin(), all.end(), inTables.begin(), inTables.end(),
                                  std::back_inserter(missing));
    for (const std::string& name : missing) FAIL_CHECK(name);
}

TEST_CASE("calls without a display") {
    for (const FreeCall& call : freeCalls()) {
        CAPTURE(std::string(call.name));
        CHECK(call.run() == (call.want == EGL_SUCCESS));
        CHECK(error() == call.want);
    }
}

TEST_CASE("no display, a made-up one, one that is not initialised") {
    EGLDisplay uninitialised = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    eglTerminate(uninitialised);
    char madeUp[8] = {};
    for (const DisplayCall& call : displayCalls()) {
        CAPTURE(std::string(call.name));
        // EGL_VERSION and EGL_EXTENSIONS of no display exist, EGL_NONE does not: EGL_BAD_DISPLAY all the same.
        CHECK_FALSE(call.run(EGL_NO_DISPLAY, nullptr));
        CHECK(error() == EGL_BAD_DISPLAY);
        CHECK_FALSE(call.run(madeUp, madeUp));
        CHECK(error() == EGL_BAD_DISPLAY);
        CHECK_FALSE(call.run(uninitialised, madeUp));
        CHECK(error() == EGL_NOT_INITIALIZED);
    }
    CHECK(eglInitialize(EGL_NO_DISPLAY, nullptr, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_BAD_DISPLAY);
    CHECK(eglTerminate(madeUp) == EGL_FALSE);
    CHECK(error() == EGL_BAD_DISPLAY);
}

TEST_CASE("null and dangling handles on an initialised display") {
    DisplayFixture egl;
    char dangling[8] = {};
    for (const DisplayCall& call : displayCalls()) {
        CAPTURE(std::string(call.name));
        CHECK_FALSE(call.run(egl.display, nullptr));
        CHECK(error() == call.wantForNull);
        CHECK_FALSE(call.run(egl.display, dangling));
        CHECK(error() == call.wantForDangling);
        CHECK_FALSE(call.run(egl.display, reinterpret_cast<void*>(~uintptr_t{0})));
        CHECK(error() == call.wantForDangling);
    }
}

TEST_CASE("handles of what was destroyed, and of what a terminated display had") {
    DisplayFixture egl;
    for (bool terminated : {false, true}) {
        EGLContext context = egl.context();
        EGLSurface surface = egl.pbuffer();
        EGLSync sync = eglCreateSync(egl.display, EGL_SYNC_REUSABLE_KHR, nullptr);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
        GLuint renderbuffer = 0;
        glGenRenderbuffers(1, &renderbuffer);
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 2, 2);
        auto* buffer = reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(renderbuffer));
        EGLImage image = eglCreateImage(egl.display, context, EGL_GL_RENDERBUFFER, buffer, nullptr);
        REQUIRE(image != EGL_NO_IMAGE);
        REQUIRE(sync != EGL_NO_SYNC);
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (terminated) {
            REQUIRE(eglTerminate(egl.display) == EGL_TRUE);
            for (const DisplayCall& call : displayCalls()) {
                CAPTURE(std::string(call.name));
                CHECK_FALSE(call.run(egl.display, surface));
                CHECK(error() == EGL_NOT_INITIALIZED);
            }
            REQUIRE(eglInitialize(egl.display, nullptr, nullptr) == EGL_TRUE);
        } else {
            CHECK(eglDestroyContext(egl.display, context) == EGL_TRUE);
            CHECK(eglDestroySurface(egl.display, surface) == EGL_TRUE);
            CHECK(eglDestroySync(egl.display, sync) == EGL_TRUE);
            CHECK(eglDestroyImage(egl.display, image) == EGL_TRUE);
        }
        for (const DisplayCall& call : displayCalls()) {
            CAPTURE(std::string(call.name));
            for (void* gone : {context, surface, sync, image}) {
                CHECK_FALSE(call.run(egl.display, gone));
                CHECK(error() == call.wantForDangling);
            }
        }
    }
}

TEST_CASE("what is current on another thread is not this thread's to use") {
    DisplayFixture egl;
    const EGLint bindable[] = {
        EGL_WIDTH,      4,       EGL_HEIGHT, 4, EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA, EGL_TEXTURE_TARGET,
        EGL_TEXTURE_2D, EGL_NONE};
    EGLContext context = egl.context(), own = egl.context();
    EGLSurface surface = eglCreatePbufferSurface(egl.display, egl.config(), bindable), mine = egl.pbuffer();
    EGLSync sync = eglCreateSync(egl.display, EGL_SYNC_REUSABLE_KHR, nullptr);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    EGLDisplay d = egl.display;
    static EGLint number;  // something to write to
    struct Row {
        const char* name;
        std::function<bool()> run;
        EGLint want, wantWithOwn;  ///< without a context, and with one of its own
    };
    const Row rows[] = {
        {"make current", [=] { return eglMakeCurrent(d, surface, surface, context); }, EGL_BAD_ACCESS, EGL_BAD_ACCESS},
        {"the surface alone", [=] { return eglMakeCurrent(d, surface, surface, own); }, EGL_BAD_ACCESS, EGL_BAD_ACCESS},
        {"as read surface", [=] { return eglMakeCurrent(d, mine, surface, own); }, EGL_BAD_ACCESS, EGL_BAD_ACCESS},
        {"swap", [=] { return eglSwapBuffers(d, surface); }, EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"swap with damage", [=] { return EGL_EXTENSION(eglSwapBuffersWithDamageKHR)(d, surface, nullptr, 0); },
         EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"damage region", [=] { return EGL_EXTENSION(eglSetDamageRegionKHR)(d, surface, nullptr, 0); }, EGL_BAD_MATCH,
         EGL_BAD_MATCH},
        {"buffer age", [=] { return eglQuerySurface(d, surface, EGL_BUFFER_AGE_EXT, &number); }, EGL_BAD_SURFACE,
         EGL_BAD_SURFACE},
        {"swap interval", [=] { return eglSwapInterval(d, 1); }, EGL_BAD_CONTEXT, EGL_SUCCESS},
        {"fence", [=] { return eglCreateSync(d, EGL_SYNC_FENCE, nullptr) != EGL_NO_SYNC; }, EGL_BAD_MATCH, EGL_SUCCESS},
        {"server wait", [=] { return eglWaitSync(d, sync, 0); }, EGL_BAD_MATCH, EGL_SUCCESS},
        {"bind to a texture", [=] { return eglBindTexImage(d, surface, EGL_BACK_BUFFER); }, EGL_SUCCESS,
         EGL_BAD_ACCESS},
        {"query", [=] { return eglQuerySurface(d, surface, EGL_WIDTH, &number); }, EGL_SUCCESS, EGL_SUCCESS},
    };
    std::thread([&] {
        for (bool withOwn : {false, true}) {
            if (withOwn) CHECK(eglMakeCurrent(d, mine, mine, own) == EGL_TRUE);
            for (const Row& row : rows) {
                CAPTURE(std::string(row.name));
                const EGLint want = withOwn ? row.wantWithOwn : row.want;
                CHECK(row.run() == (want == EGL_SUCCESS));
                CHECK(error() == want);
            }
            CHECK(eglGetCurrentContext() == (withOwn ? own : EGL_NO_CONTEXT));
        }
        eglReleaseThread();
    }).join();
    CHECK(eglGetCurrentContext() == context);
    clearTo(0, 1, 0);
    CHECK(pixelAt(1, 1) == Color{0, 255, 0, 255});
}

TEST_CASE("handles of one kind are not handles of another, nor of another display") {
    DisplayFixture egl;
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    REQUIRE(EGL_EXTENSION(eglQueryDevicesEXT)(1, &device, &count) == EGL_TRUE);
    DisplayFixture other(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
    EGLSurface surface = egl.pbuffer();
    EGLContext context = egl.context();
    CHECK(eglDestroyContext(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_CONTEXT);
    CHECK(eglDestroySurface(egl.display, context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_SURFACE);
    CHECK(eglDestroySurface(other.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_SURFACE);
    CHECK(eglMakeCurrent(other.display, surface, surface, context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_CONTEXT);
    CHECK(eglCreateContext(other.display, egl.config(), EGL_NO_CONTEXT, nullptr) == EGL_NO_CONTEXT);
    CHECK(error() == EGL_BAD_CONFIG);
}

TEST_CASE("null places to write to") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer();
    CHECK(eglQuerySurface(egl.display, surface, EGL_WIDTH, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglQueryContext(egl.display, egl.context(), EGL_CONFIG_ID, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglGetConfigAttrib(egl.display, egl.config(), EGL_RED_SIZE, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK((eglGetProcAddress(nullptr) == nullptr));
    CHECK((eglGetProcAddress("") == nullptr));
    CHECK((eglGetProcAddress("eglNoSuchThing") == nullptr));
    CHECK((eglGetProcAddress("glDrawArrays") != nullptr));
}

TEST_CASE("the error belongs to the thread and to the last call") {
    CHECK(eglTerminate(EGL_NO_DISPLAY) == EGL_FALSE);
    (void)eglGetCurrentContext();
    CHECK(error() == EGL_SUCCESS);
    CHECK(eglBindAPI(EGL_OPENGL_API) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(error() == EGL_SUCCESS);
    CHECK(eglQueryAPI() == EGL_OPENGL_ES_API);
}
