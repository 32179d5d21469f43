// Tessera as a vendor of libglvnd: this program links libglvnd's libEGL and libGLESv2. Every function has an address
// there, and every call arrives at the vendor that its display, device or context belongs to; alone and beside Mesa.
#include <EGL/egl.h>
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <thread>

#include "tests/egl/calls.h"
#include "tests/egl/fixture.h"
#include "tests/gles/extension_calls.h"

using namespace egltest;
using tessera::gles_test::kWrongExtensionCalls;
using tessera::gles_test::WrongCall;

namespace {

/// A function of Tessera's, past libglvnd. Its own error says whether a call arrived.
template <class Function>
Function* past(const char* name) {
    void* driver = dlopen("libtessera.so.0", RTLD_NOW | RTLD_NOLOAD);
    REQUIRE_MESSAGE(driver != nullptr, "libglvnd loaded another vendor: __EGL_VENDOR_LIBRARY_FILENAMES is not set");
    return reinterpret_cast<Function*>(dlsym(driver, name));
}
EGLint ownError() { return past<decltype(eglGetError)>("tessera_eglGetError")(); }
GLenum ownGlError() { return past<decltype(glGetError)>("tessera_glGetError")(); }

std::vector<EGLDeviceEXT> devices() {
    std::vector<EGLDeviceEXT> all(16);
    EGLint count = 0;
    CHECK(EGL_EXTENSION(eglQueryDevicesEXT)(static_cast<EGLint>(all.size()), all.data(), &count) == EGL_TRUE);
    all.resize(static_cast<size_t>(count));
    return all;
}

/// The software device of a vendor, by the start of what EGL_VENDOR says of its display; null when there is none.
EGLDeviceEXT deviceOf(const std::string& vendor) {
    // Found once: to end a display is to end what others made of it.
    static const std::map<std::string, EGLDeviceEXT> byVendor = [] {
        std::map<std::string, EGLDeviceEXT> found;
        for (EGLDeviceEXT device : devices()) {
            DisplayFixture egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
            if (const char* name = eglQueryString(egl.display, EGL_VENDOR)) found[name] = device;
        }
        return found;
    }();
    for (const auto& [name, device] : byVendor)
        if (name.rfind(vendor, 0) == 0) return device;
    return nullptr;
}
EGLDisplay displayOf(const std::string& vendor) {
    return eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, deviceOf(vendor), nullptr);
}

constexpr const char* kEglNames[] = {
#define EGL_FUNCTION(name) #name,
#include "api/egl/functions.inc"
};
constexpr const char* kGlNames[] = {
#define ENTRY_POINT(result, name, arguments, since) #name,
#include "api/gles/entry_points.inc"
#undef ENTRY_POINT
};

/// A display of a vendor with a context and a surface of four by four pixels.
struct Drawing : DisplayFixture {
    explicit Drawing(const std::string& vendor) : DisplayFixture(displayOf(vendor)) {}
    void makeCurrent() { REQUIRE(eglMakeCurrent(display, surface, surface, context) == EGL_TRUE); }

    EGLSurface surface = DisplayFixture::pbuffer(4, 4);
    EGLContext context = DisplayFixture::context();
};

}  // namespace

TEST_CASE("libglvnd knows every entry point") {
    for (const char* name : kEglNames) CHECK_MESSAGE((eglGetProcAddress(name) != nullptr), std::string(name));
    for (const char* name : kGlNames) CHECK_MESSAGE((eglGetProcAddress(name) != nullptr), std::string(name));
}

TEST_CASE("calls with a display arrive") {
    DisplayFixture egl(displayOf("Tessera"));
    for (const DisplayCall& call : displayCalls()) {
        CAPTURE(std::string(call.name));
        (void)ownError();
        CHECK_FALSE(call.run(egl.display, nullptr));
        CHECK(ownError() == call.wantForNull);
    }
    char madeUp[8] = {};
    for (const DisplayCall& call : displayCalls()) {
        CAPTURE(std::string(call.name));
        CHECK_FALSE(call.run(madeUp, nullptr));
        CHECK(error() == EGL_BAD_DISPLAY);
    }
}

TEST_CASE("calls with a device arrive") {
    EGLDeviceEXT device = deviceOf("Tessera");
    REQUIRE(device != nullptr);
    auto* queryString = EGL_EXTENSION(eglQueryDeviceStringEXT);
    auto* queryAttribute = EGL_EXTENSION(eglQueryDeviceAttribEXT);
    CHECK(std::string(queryString(device, EGL_VENDOR)) == "Tessera");
    EGLAttrib value = 0;
    (void)ownError();
    CHECK(queryString(device, EGL_NONE) == nullptr);
    CHECK(ownError() == EGL_BAD_PARAMETER);
    CHECK(queryAttribute(device, EGL_NONE, &value) == EGL_FALSE);
    CHECK(ownError() == EGL_BAD_ATTRIBUTE);
    for (void* unknown : {static_cast<void*>(nullptr), static_cast<void*>(&value)}) {
        CHECK(queryString(unknown, EGL_VENDOR) == nullptr);
        CHECK(error() == EGL_BAD_DEVICE_EXT);
        CHECK(queryAttribute(unknown, EGL_NONE, &value) == EGL_FALSE);
        CHECK(error() == EGL_BAD_DEVICE_EXT);
    }
}

TEST_CASE("calls of GL arrive") {
    Drawing drawing("Tessera");
    drawing.makeCurrent();
    std::set<std::string> called, arrived;
    for (const WrongCall& row : kWrongExtensionCalls) {
        CAPTURE(std::string(row.name));
        REQUIRE(ownGlError() == GL_NO_ERROR);
        row.call();
        CHECK(ownGlError() == row.error);
        called.insert(row.name);
        if (row.error != GL_NO_ERROR) arrived.insert(row.name);
    }
    // A few never fail, which shows nothing. Core functions are those of libglvnd's own library.
    CHECK(arrived.size() * 10 > called.size() * 8);
    CHECK(std::string(reinterpret_cast<const char*>(glGetString(GL_VENDOR))) == "Tessera");
}

TEST_CASE("beside Mesa") {
    if (std::getenv("EGL_TEST_BESIDE_MESA") == nullptr) return;
    EGLDeviceEXT ours = deviceOf("Tessera"), theirs = deviceOf("Mesa");
    REQUIRE(ours != nullptr);
    REQUIRE(theirs != nullptr);

    SUBCASE("both lists of devices are one") {
        EGLDeviceEXT first = nullptr;
        EGLint count = 0, all = static_cast<EGLint>(devices().size());
        CHECK(EGL_EXTENSION(eglQueryDevicesEXT)(0, nullptr, &count) == EGL_TRUE);
        CHECK(count == all);
        CHECK(EGL_EXTENSION(eglQueryDevicesEXT)(1, &first, &count) == EGL_TRUE);
        CHECK(count == 1);
        CHECK(first == devices().front());
        auto* queryString = EGL_EXTENSION(eglQueryDeviceStringEXT);
        CHECK(contains(queryString(ours, EGL_EXTENSIONS), "EGL_MESA_device_software"));
        CHECK(contains(queryString(theirs, EGL_EXTENSIONS), "EGL_MESA_device_software"));
    }
    SUBCASE("a display is of the vendor that its device is of") {
        for (EGLDeviceEXT device : {ours, theirs}) {
            DisplayFixture egl(eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, device, nullptr));
            EGLAttrib value = 0;
            CHECK(EGL_EXTENSION(eglQueryDisplayAttribEXT)(egl.display, EGL_DEVICE_EXT, &value) == EGL_TRUE);
            CHECK(reinterpret_cast<EGLDeviceEXT>(value) == device);
            const std::string driver = EGL_EXTENSION(eglGetDisplayDriverName)(egl.display);
            CHECK((driver == "tessera") == (device == ours));
        }
    }
    SUBCASE("an API that only the other vendor has") {
        DisplayFixture egl(displayOf("Tessera"));
        REQUIRE(eglBindAPI(EGL_OPENGL_API) == EGL_TRUE);
        CHECK(egl.context() == EGL_NO_CONTEXT);
        CHECK(error() == EGL_BAD_CONFIG);
        CHECK(eglCreateContext(egl.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, nullptr) == EGL_NO_CONTEXT);
        CHECK(error() == EGL_BAD_MATCH);
        REQUIRE(eglBindAPI(EGL_OPENGL_ES_API) == EGL_TRUE);
        CHECK(egl.context() != EGL_NO_CONTEXT);
    }
    SUBCASE("contexts of both draw, in turn and at once") {
        Drawing tessera("Tessera"), mesa("Mesa");
        auto draw = [](Drawing& drawing, int level) {
            drawing.makeCurrent();
            const auto shade = static_cast<float>(level) / 255.0f;
            clearTo(shade, 0, shade, 1);
        };
        auto check = [](Drawing& drawing, int level) {
            drawing.makeCurrent();
            CHECK(pixelAt(1, 1) == Color{level, 0, level, 255});
            CHECK(glGetError() == GL_NO_ERROR);
        };
        for (int level = 0; level < 32; ++level) {
            draw(tessera, level);
            draw(mesa, 255 - level);
            CHECK(std::string(reinterpret_cast<const char*>(glGetString(GL_VENDOR))) != "Tessera");
            check(tessera, level);
            check(mesa, 255 - level);
        }
        // An address of libglvnd's serves both; the extension is one that both offer.
        for (Drawing* drawing : {&tessera, &mesa}) {
            drawing->makeCurrent();
            GLuint array = 0;
            extension<decltype(glGenBuffers)>("glGenVertexArraysOES")(1, &array);
            CHECK(extension<decltype(glIsBuffer)>("glIsVertexArrayOES")(array) == GL_FALSE);
            extension<decltype(glEnableVertexAttribArray)>("glBindVertexArrayOES")(array);
            CHECK(extension<decltype(glIsBuffer)>("glIsVertexArrayOES")(array) == GL_TRUE);
            EGLSync sync = EGL_EXTENSION(eglCreateSyncKHR)(drawing->display, EGL_SYNC_FENCE_KHR, nullptr);
            CHECK(sync != EGL_NO_SYNC);
            CHECK(EGL_EXTENSION(eglClientWaitSyncKHR)(drawing->display, sync, EGL_SYNC_FLUSH_COMMANDS_BIT_KHR,
                                                      EGL_FOREVER_KHR) == EGL_CONDITION_SATISFIED_KHR);
            CHECK(EGL_EXTENSION(eglDestroySyncKHR)(drawing->display, sync) == EGL_TRUE);
        }
        eglMakeCurrent(mesa.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        std::thread beside([&] {
            eglBindAPI(EGL_OPENGL_ES_API);
            for (int level = 0; level < 64; ++level) draw(mesa, level), check(mesa, level);
            eglReleaseThread();
        });
        for (int level = 0; level < 64; ++level) draw(tessera, 255 - level), check(tessera, 255 - level);
        beside.join();
    }
}
