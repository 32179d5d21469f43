// Every entry point that takes a display, called with none, a made-up one, an uninitialised one, and with an
// initialised one and null or dangling handles everywhere else: the specified error, and never a crash.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

struct Call {
    const char* name;
    std::function<bool(EGLDisplay, void* handle)> run;  ///< true when it succeeded; `handle` stands for any object
    EGLint wantForNull, wantForDangling;                ///< errors on an initialised display
};

EGLint number;  // something to write to

std::vector<Call> calls() {
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
         [](auto d, auto h) { return eglCreateContext(d, h, EGL_NO_CONTEXT, nullptr) != EGL_NO_CONTEXT; },
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
         [](auto d, auto h) { return eglCreateWindowSurface(d, h, 1, nullptr) != EGL_NO_SURFACE; }, EGL_BAD_CONFIG,
         EGL_BAD_CONFIG},
        {"eglCreatePixmapSurface",
         [](auto d, auto h) { return eglCreatePixmapSurface(d, h, 1, nullptr) != EGL_NO_SURFACE; }, EGL_BAD_CONFIG,
         EGL_BAD_CONFIG},
        {"eglCreatePlatformWindowSurface",
         [](auto d, auto h) { return eglCreatePlatformWindowSurface(d, h, h, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_CONFIG, EGL_BAD_CONFIG},
        {"eglCreatePlatformPixmapSurface",
         [](auto d, auto h) { return eglCreatePlatformPixmapSurface(d, h, h, nullptr) != EGL_NO_SURFACE; },
         EGL_BAD_CONFIG, EGL_BAD_CONFIG},
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
        {"eglSetDamageRegionKHR", [](auto d, auto h) { return EGL_EXTENSION(eglSetDamageRegionKHR)(d, h, nullptr, 0); },
         EGL_BAD_SURFACE, EGL_BAD_SURFACE},
        {"eglSignalSyncKHR", [](auto d, auto h) { return EGL_EXTENSION(eglSignalSyncKHR)(d, h, EGL_SIGNALED_KHR); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglGetSyncAttribKHR",
         [=](auto d, auto h) { return EGL_EXTENSION(eglGetSyncAttribKHR)(d, h, EGL_SYNC_TYPE_KHR, out); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglQueryDisplayAttribEXT",
         [](auto d, auto) { return EGL_EXTENSION(eglQueryDisplayAttribEXT)(d, EGL_DEVICE_EXT, nullptr); },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
        {"eglQueryDisplayAttribKHR",
         [](auto d, auto) {
             return extension<decltype(eglQueryDisplayAttribEXT)>("eglQueryDisplayAttribKHR")(d, EGL_DEVICE_EXT,
                                                                                              nullptr);
         },
         EGL_BAD_PARAMETER, EGL_BAD_PARAMETER},
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
         EGL_BAD_CONFIG, EGL_BAD_CONFIG},
        {"eglCreatePlatformPixmapSurfaceEXT",
         [](auto d, auto h) { return EGL_EXTENSION(eglCreatePlatformPixmapSurfaceEXT)(d, h, h, nullptr) != nullptr; },
         EGL_BAD_CONFIG, EGL_BAD_CONFIG},
    };
}

/// Calls without a display, with arguments that are none; `want` is the error, EGL_SUCCESS where the call succeeds.
struct FreeCall {
    const char* name;
    std::function<bool()> run;
    EGLint want;
};

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

constexpr const char* kEntryPoints[] = {
#define EGL_FUNCTION(name) #name,
#include "api/egl/functions.inc"
#undef EGL_FUNCTION
};

}  // namespace

TEST_CASE("the tables of this test have every entry point once") {
    std::vector<std::string> inTables;
    for (const Call& call : calls()) inTables.emplace_back(call.name);
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
    for (const Call& call : calls()) {
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
    for (const Call& call : calls()) {
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
            for (const Call& call : calls()) {
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
        for (const Call& call : calls()) {
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
