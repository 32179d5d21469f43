// Platforms, devices, extension strings and function addresses without any window system.
#include <doctest/doctest.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

/// The environment without a session, restored at the end.
class NoSession {
public:
    NoSession() {
        for (const char* name : kNames) {
            const char* value = std::getenv(name);
            saved_.emplace_back(value != nullptr ? value : "");
            unsetenv(name);
        }
    }
    ~NoSession() {
        for (size_t i = 0; i < saved_.size(); ++i)
            saved_[i].empty() ? unsetenv(kNames[i]) : setenv(kNames[i], saved_[i].c_str(), 1);
    }

private:
    static constexpr const char* kNames[] = {"DISPLAY", "WAYLAND_DISPLAY", "EGL_PLATFORM"};
    std::vector<std::string> saved_;
};

}  // namespace

TEST_CASE("one display for one platform and native handle") {
    NoSession session;
    EGLDisplay surfaceless = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    REQUIRE(surfaceless != EGL_NO_DISPLAY);
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr) == surfaceless);
    CHECK(EGL_EXTENSION(eglGetPlatformDisplayEXT)(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr) == surfaceless);
    CHECK(eglGetDisplay(EGL_DEFAULT_DISPLAY) == surfaceless);
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, &session, nullptr) == EGL_NO_DISPLAY);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, nullptr, nullptr) == EGL_NO_DISPLAY);
    CHECK(error() == EGL_BAD_PARAMETER);
    const EGLAttrib bad[] = {EGL_WIDTH, 4, EGL_NONE};
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, bad) == EGL_NO_DISPLAY);
    CHECK(error() == EGL_BAD_ATTRIBUTE);
}

TEST_CASE("native displays that are none") {
    char zeros[256] = {};
    for (void* native :
         {static_cast<void*>(zeros), reinterpret_cast<void*>(16), reinterpret_cast<void*>(~uintptr_t{7})}) {
        CHECK(eglGetDisplay(reinterpret_cast<EGLNativeDisplayType>(native)) == EGL_NO_DISPLAY);
        CHECK(error() == EGL_SUCCESS);
    }
    CHECK(eglGetPlatformDisplay(EGL_PLATFORM_X11_KHR, reinterpret_cast<void*>(16), nullptr) == EGL_NO_DISPLAY);
    CHECK(error() == EGL_BAD_PARAMETER);
}

TEST_CASE("a window system that cannot be reached is not initialised") {
    NoSession session;
    setenv("DISPLAY", ":97531", 1);
    EGLDisplay x11 = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    REQUIRE(x11 != EGL_NO_DISPLAY);
    CHECK(eglInitialize(x11, nullptr, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_NOT_INITIALIZED);
    setenv("EGL_PLATFORM", "surfaceless", 1);
    CHECK(eglGetDisplay(EGL_DEFAULT_DISPLAY) != x11);
}

TEST_CASE("the software device") {
    auto* queryDevices = EGL_EXTENSION(eglQueryDevicesEXT);
    auto* queryString = EGL_EXTENSION(eglQueryDeviceStringEXT);
    EGLDeviceEXT device = nullptr;
    EGLint count = 0;
    CHECK(queryDevices(0, nullptr, &count) == EGL_TRUE);
    CHECK(count == 1);
    REQUIRE(queryDevices(4, &device, &count) == EGL_TRUE);
    CHECK(contains(queryString(device, EGL_EXTENSIONS), "EGL_MESA_device_software"));
    CHECK(std::strncmp(queryString(device, EGL_RENDERER_EXT), "Tessera", 7) == 0);
    CHECK(queryString(&count, EGL_EXTENSIONS) == nullptr);
    CHECK(error() == EGL_BAD_DEVICE_EXT);
    CHECK(queryDevices(0, &device, &count) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    DisplayFixture egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
    EGLAttrib value = 0;
    REQUIRE(EGL_EXTENSION(eglQueryDisplayAttribEXT)(egl.display, EGL_DEVICE_EXT, &value) == EGL_TRUE);
    CHECK(reinterpret_cast<EGLDeviceEXT>(value) == device);
    EGLSurface surface = egl.pbuffer();
    CHECK(eglMakeCurrent(egl.display, surface, surface, egl.context()) == EGL_TRUE);
}

TEST_CASE("strings") {
    DisplayFixture egl;
    CHECK(std::strcmp(eglQueryString(egl.display, EGL_VERSION), "1.5") == 0);
    CHECK(std::strcmp(eglQueryString(EGL_NO_DISPLAY, EGL_VERSION), "1.5") == 0);
    CHECK(std::string(eglQueryString(egl.display, EGL_CLIENT_APIS)) == "OpenGL_ES");
    CHECK(std::string(eglQueryString(egl.display, EGL_VENDOR)) == "Tessera");
    CHECK(contains(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_EXT_client_extensions"));
    CHECK(eglQueryString(EGL_NO_DISPLAY, EGL_VENDOR) == nullptr);
    CHECK(error() == EGL_BAD_DISPLAY);
    EGLint major = 0, minor = 0;
    CHECK(eglInitialize(egl.display, &major, &minor) == EGL_TRUE);
    CHECK(major * 10 + minor == 15);
}

TEST_CASE("every listed extension's functions have addresses") {
    for (const char* name : {"eglCreateImageKHR",
                             "eglDestroyImageKHR",
                             "eglCreateSyncKHR",
                             "eglDestroySyncKHR",
                             "eglClientWaitSyncKHR",
                             "eglWaitSyncKHR",
                             "eglSignalSyncKHR",
                             "eglGetSyncAttribKHR",
                             "eglSwapBuffersWithDamageKHR",
                             "eglSwapBuffersWithDamageEXT",
                             "eglRecordCommandsTESSERA",
                             "eglSetDamageRegionKHR",
                             "eglQueryDmaBufFormatsEXT",
                             "eglQueryDmaBufModifiersEXT",
                             "eglQueryDevicesEXT",
                             "eglQueryDeviceAttribEXT",
                             "eglQueryDeviceStringEXT",
                             "eglQueryDisplayAttribEXT",
                             "eglGetPlatformDisplayEXT",
                             "eglCreatePlatformWindowSurfaceEXT",
                             "eglCreatePlatformPixmapSurfaceEXT",
                             "eglGetDisplayDriverName",
                             "eglGetDisplayDriverConfig",
                             "eglGetPlatformDisplay",
                             "eglSwapBuffers",
                             "eglGetProcAddress",
                             "glEGLImageTargetTexture2DOES",
                             "glEGLImageTargetRenderbufferStorageOES",
                             "glGetString"}) {
        CAPTURE(std::string(name));
        CHECK((eglGetProcAddress(name) != nullptr));
    }
}

TEST_CASE("EGL_TESSERA_record_commands: from one call to another, one at a time") {
    DisplayFixture egl;
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_TESSERA_record_commands"));
    auto* record = EGL_EXTENSION(eglRecordCommandsTESSERA);
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    clearTo(1, 0, 0);

    const std::string file =
        (std::filesystem::temp_directory_path() / ("tessera-record-" + std::to_string(getpid()))).string();
    const auto recorded = [&] {
        std::ifstream in(file, std::ios::binary);
        std::string bytes{std::istreambuf_iterator<char>(in), {}};
        std::filesystem::remove(file);
        return bytes;
    };
    CHECK(record(egl.display, nullptr) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ACCESS);
    CHECK(record(egl.display, "/nowhere/at/all.tsc") == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(record(EGL_NO_DISPLAY, file.c_str()) == EGL_FALSE);
    CHECK(error() == EGL_BAD_DISPLAY);

    size_t first = 0;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(record(egl.display, file.c_str()) == EGL_TRUE);
        CHECK(record(egl.display, file.c_str()) == EGL_FALSE);
        CHECK(error() == EGL_BAD_ACCESS);
        clearTo(0, 1, 0);
        CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
        CHECK(record(egl.display, nullptr) == EGL_TRUE);
        const std::string bytes = recorded();
        CHECK(bytes.starts_with("TSC1"));
        if (i == 0) first = bytes.size();
        CHECK(bytes.size() == first);
        // What is drawn in between is in none of them.
        clearTo(0, 0, 1);
        CHECK(pixelAt(1, 1) == Color{0, 0, 255, 255});
    }

    // Contexts that share nothing are in order while they are watched, and draw on when nobody does any more.
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 2; ++t)
        threads.emplace_back([&, t] {
            EGLContext own = egl.context();
            EGLSurface target = egl.pbuffer();
            if (eglMakeCurrent(egl.display, target, target, own) != EGL_TRUE) ++wrong;
            for (int i = 0; i < 60; ++i) {
                clearTo(static_cast<float>(t), 0, static_cast<float>(i & 1));
                const Color expected{static_cast<uint8_t>(255 * t), 0, static_cast<uint8_t>(255 * (i & 1)), 255};
                if (!(pixelAt(1, 1) == expected)) ++wrong;
            }
            eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        });
    for (int i = 0; i < 10; ++i) {
        CHECK(record(egl.display, file.c_str()) == EGL_TRUE);
        clearTo(0, 1, 0);
        CHECK(record(egl.display, nullptr) == EGL_TRUE);
        CHECK(recorded().starts_with("TSC1"));
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}
