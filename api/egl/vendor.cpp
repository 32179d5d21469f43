// __egl_Main: Tessera as a vendor of libglvnd's libEGL (glvnd/libeglabi.h).
//
// libglvnd owns the handles' way to a vendor: core functions it dispatches itself, by our table of real functions. For
// an extension function it asks us for a dispatcher, which asks it which vendor the display or device belongs to and
// calls that vendor's function. One template writes all dispatchers, for the rows of functions.inc that need one.
#include "api/egl/egl.h"
// libglvnd's header includes EGL's: ours first, which asks for the prototypes.
#include <glvnd/libeglabi.h>

#include <array>
#include <cstring>
#include <string_view>

#include "api/egl/platform.h"

using namespace tessera::egl;

namespace {

const __EGLapiExports* libglvnd = nullptr;

enum DispatchIndex : int {
#define EGL_FUNCTION(name)
#define EGL_DISPLAY_FUNCTION(name) k_##name,
#define EGL_DEVICE_FUNCTION(name) k_##name,
#include "api/egl/functions.inc"
    kDispatchCount
};

/// Where libglvnd keeps each function in its table; -1 until it said so.
std::array<int, kDispatchCount>& tableIndex() {
    static std::array<int, kDispatchCount> indices = [] {
        std::array<int, kDispatchCount> unknown;
        unknown.fill(-1);
        return unknown;
    }();
    return indices;
}

/// How a function's first argument, an object of EGL's, tells its vendor.
struct ByDisplay {
    static constexpr EGLint kUnknown = EGL_BAD_DISPLAY;
    static __EGLvendorInfo* vendor(EGLDisplay display) { return libglvnd->getVendorFromDisplay(display); }
};
struct ByDevice {
    static constexpr EGLint kUnknown = EGL_BAD_DEVICE_EXT;
    static __EGLvendorInfo* vendor(EGLDeviceEXT device) { return libglvnd->getVendorFromDevice(device); }
};

template <class By, int Index, class Function>
struct Dispatcher;
template <class By, int Index, class Result, class Object, class... Arguments>
struct Dispatcher<By, Index, Result(Object, Arguments...)> {
    static Result EGLAPIENTRY call(Object object, Arguments... arguments) {
        libglvnd->threadInit();
        __EGLvendorInfo* vendor = By::vendor(object);
        auto* function = vendor == nullptr ? nullptr
                                           : reinterpret_cast<Result(EGLAPIENTRY*)(Object, Arguments...)>(
                                                 libglvnd->fetchDispatchEntry(vendor, tableIndex()[Index]));
        // Not of any vendor, or of one that lacks the function.
        if (function == nullptr) {
            libglvnd->setEGLError(By::kUnknown);
            return Result{};
        }
        if (libglvnd->setLastVendor(vendor) != EGL_TRUE) return Result{};
        return function(object, arguments...);
    }
};

struct DispatchRow {
    std::string_view name;
    void* dispatcher;
};
const DispatchRow kDispatchers[] = {
#define DISPATCH_ROW(by, name) {#name, reinterpret_cast<void*>(&Dispatcher<by, k_##name, decltype(::name)>::call)},
#define EGL_FUNCTION(name)
#define EGL_DISPLAY_FUNCTION(name) DISPATCH_ROW(ByDisplay, name)
#define EGL_DEVICE_FUNCTION(name) DISPATCH_ROW(ByDevice, name)
#include "api/egl/functions.inc"
#undef DISPATCH_ROW
};

// --- Callbacks ---

EGLDisplay getPlatformDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    Lock lock(Library::instance().mutex);
    return getDisplay(platform, native, attributes);
}

EGLBoolean getSupportsApi(EGLenum api) { return api == EGL_OPENGL_ES_API ? EGL_TRUE : EGL_FALSE; }

const char* getVendorString(int name) {
    return name == __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS ? platformExtensions() : nullptr;
}

/// libglvnd tells every vendor of an API that one of them has; of those that Tessera lacks no context can be made.
EGLBoolean EGLAPIENTRY bindApi(EGLenum api) {
    threadState().api = api;
    return EGL_TRUE;
}

void* getProcAddress(const char* name) {
    if (std::string_view(name) == "eglBindAPI") return reinterpret_cast<void*>(bindApi);
    return reinterpret_cast<void*>(eglGetProcAddress(name));
}

void* getDispatchAddress(const char* name) {
    for (const DispatchRow& row : kDispatchers)
        if (row.name == name) return row.dispatcher;
    return nullptr;
}

void setDispatchIndex(const char* name, int index) {
    for (const DispatchRow& row : kDispatchers)
        if (row.name == name) tableIndex()[static_cast<size_t>(&row - kDispatchers)] = index;
}

EGLenum findNativeDisplayPlatform(void* native) { return platformOfNative(native); }

}  // namespace

extern "C" EGLAPI EGLBoolean __egl_Main(uint32_t version, const __EGLapiExports* exports, __EGLvendorInfo*,
                                        __EGLapiImports* imports) {
    if (EGL_VENDOR_ABI_GET_MAJOR_VERSION(version) != EGL_VENDOR_ABI_MAJOR_VERSION) return EGL_FALSE;
    libglvnd = exports;
    imports->getPlatformDisplay = getPlatformDisplay;
    imports->getSupportsAPI = getSupportsApi;
    imports->getVendorString = getVendorString;
    imports->getProcAddress = getProcAddress;
    imports->getDispatchAddress = getDispatchAddress;
    imports->setDispatchIndex = setDispatchIndex;
    imports->findNativeDisplayPlatform = findNativeDisplayPlatform;
    return EGL_TRUE;
}
