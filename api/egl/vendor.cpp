// __egl_Main: Tessera as a vendor of libglvnd's libEGL (glvnd/libeglabi.h).
//
// libglvnd owns the handles' way to a vendor: core functions it dispatches itself, by our table of real functions. For
// an extension function it asks us for a dispatcher, which asks it which vendor the display belongs to and calls that
// vendor's function. One template writes all dispatchers.
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

/// The functions whose first argument is a display; all others libglvnd dispatches or never sees.
#define DISPLAY_FUNCTIONS(function)                                                                           \
    function(eglClientWaitSyncKHR) function(eglCreateImageKHR) function(eglCreatePlatformPixmapSurfaceEXT)    \
        function(eglCreatePlatformWindowSurfaceEXT) function(eglCreateSyncKHR) function(eglDestroyImageKHR)   \
            function(eglDestroySyncKHR) function(eglGetDisplayDriverConfig) function(eglGetDisplayDriverName) \
                function(eglGetSyncAttribKHR) function(eglSetDamageRegionKHR) function(eglSignalSyncKHR)      \
                    function(eglSwapBuffersWithDamageEXT) function(eglSwapBuffersWithDamageKHR)               \
                        function(eglWaitSyncKHR)

enum DispatchIndex : int {
#define DISPATCH_INDEX(name) k_##name,
    DISPLAY_FUNCTIONS(DISPATCH_INDEX)
#undef DISPATCH_INDEX
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

template <int Index, class Function>
struct Dispatcher;
template <int Index, class Result, class... Arguments>
struct Dispatcher<Index, Result(EGLDisplay, Arguments...)> {
    static Result EGLAPIENTRY call(EGLDisplay display, Arguments... arguments) {
        libglvnd->threadInit();
        __EGLvendorInfo* vendor = libglvnd->getVendorFromDisplay(display);
        if (vendor == nullptr) {
            libglvnd->setEGLError(EGL_BAD_DISPLAY);
            return Result{};
        }
        if (libglvnd->setLastVendor(vendor) != EGL_TRUE) return Result{};
        auto* function = reinterpret_cast<Result (*)(EGLDisplay, Arguments...)>(
            libglvnd->fetchDispatchEntry(vendor, tableIndex()[Index]));
        if (function == nullptr) {
            libglvnd->setEGLError(EGL_BAD_DISPLAY);
            return Result{};
        }
        return function(display, arguments...);
    }
};

struct DispatchRow {
    std::string_view name;
    void* dispatcher;
};
const DispatchRow kDispatchers[] = {
#define DISPATCH_ROW(name) {#name, reinterpret_cast<void*>(&Dispatcher<k_##name, decltype(::name)>::call)},
    DISPLAY_FUNCTIONS(DISPATCH_ROW)
#undef DISPATCH_ROW
};

// -- Callbacks -------------------------------------------------------------------------------------------------------

EGLDisplay getPlatformDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    Lock lock(Library::instance().mutex);
    return getDisplay(platform, native, attributes);
}

EGLBoolean getSupportsApi(EGLenum api) { return api == EGL_OPENGL_ES_API ? EGL_TRUE : EGL_FALSE; }

const char* getVendorString(int name) {
    return name == __EGL_VENDOR_STRING_PLATFORM_EXTENSIONS ? platformExtensions() : nullptr;
}

void* getProcAddress(const char* name) { return reinterpret_cast<void*>(eglGetProcAddress(name)); }

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
