#include "api/egl/platform.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/process/env.h"

namespace tessera::egl {

namespace {

struct PlatformName {
    EGLenum platform;
    const char* name;  ///< in EGL_PLATFORM
};
constexpr PlatformName kPlatformNames[] = {
    {EGL_PLATFORM_X11_KHR, "x11"},         {EGL_PLATFORM_XCB_EXT, "xcb"},
    {EGL_PLATFORM_WAYLAND_KHR, "wayland"}, {EGL_PLATFORM_SURFACELESS_MESA, "surfaceless"},
    {EGL_PLATFORM_DEVICE_EXT, "device"},   {EGL_PLATFORM_SDL_TESSERA, "sdl"},
};

bool isSet(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

EGLenum platformFromEnvironment() {
    std::string name = envString("EGL_PLATFORM", "");
    for (const PlatformName& row : kPlatformNames)
        if (name == row.name) return row.platform;
    return EGL_NONE;
}

/// For EGL_DEFAULT_DISPLAY: what the session offers.
EGLenum defaultPlatform() {
    if (EGLenum chosen = platformFromEnvironment(); chosen != EGL_NONE) return chosen;
    if (isSet("DISPLAY")) return EGL_PLATFORM_X11_KHR;
    if (isSet("WAYLAND_DISPLAY")) return EGL_PLATFORM_WAYLAND_KHR;
    return EGL_PLATFORM_SURFACELESS_MESA;
}

struct DisplayAttributes {
    EGLint screen = -1;
    EGLDeviceEXT device = EGL_NO_DEVICE_EXT;
};

EGLint parseAttributes(EGLenum platform, const EGLAttrib* attributes, DisplayAttributes* out) {
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        bool isScreen = (platform == EGL_PLATFORM_X11_KHR && attributes[0] == EGL_PLATFORM_X11_SCREEN_KHR) ||
                        (platform == EGL_PLATFORM_XCB_EXT && attributes[0] == EGL_PLATFORM_XCB_SCREEN_EXT);
        if (isScreen && attributes[1] >= 0 && attributes[1] < 256)
            out->screen = static_cast<EGLint>(attributes[1]);
        else if (attributes[0] == EGL_DEVICE_EXT && platform != EGL_PLATFORM_DEVICE_EXT)
            out->device = reinterpret_cast<EGLDeviceEXT>(attributes[1]);
        else
            return EGL_BAD_ATTRIBUTE;
    }
    if (out->device != EGL_NO_DEVICE_EXT && out->device != softwareDevice()) return EGL_BAD_DEVICE_EXT;
    return EGL_SUCCESS;
}

}  // namespace

EGLDeviceEXT softwareDevice() {
    static char device;
    return &device;
}

EGLenum platformOfNative(const void* native) {
    switch (present::classifyNativeDisplay(native)) {
        case present::NativeKind::Xlib:
            return EGL_PLATFORM_X11_KHR;
        case present::NativeKind::Wayland:
            return EGL_PLATFORM_WAYLAND_KHR;
        case present::NativeKind::Unknown:
            break;
    }
    return native == softwareDevice() ? EGL_PLATFORM_DEVICE_EXT : EGL_NONE;
}

EGLDisplay getDisplay(EGLenum platform, void* native, const EGLAttrib* attributes) {
    if (platform == EGL_NONE) {
        platform = native == nullptr ? defaultPlatform() : platformOfNative(native);
        // What is no display at all is no error either (section 3.2).
        if (platform == EGL_NONE) return succeed<EGLDisplay>(EGL_NO_DISPLAY);
        if (platform == EGL_PLATFORM_DEVICE_EXT) native = softwareDevice();
    }
    DisplayAttributes parsed;
    EGLint error = parseAttributes(platform, attributes, &parsed);
    if (error != EGL_SUCCESS) return fail<EGLDisplay>(error, EGL_NO_DISPLAY);
    Library& library = Library::instance();
    bool readable = native == nullptr || present::isReadable(native, sizeof(void*));
    switch (platform) {
        case EGL_PLATFORM_SURFACELESS_MESA:
            if (native != nullptr) break;
            return succeed<EGLDisplay>(library.display(Platform::Surfaceless, nullptr));
        case EGL_PLATFORM_DEVICE_EXT:
            if (native != softwareDevice()) break;
            return succeed<EGLDisplay>(library.display(Platform::Device, native));
        case EGL_PLATFORM_X11_KHR:
            if (!readable) break;
            return succeed<EGLDisplay>(library.display(Platform::X11, native, parsed.screen));
        case EGL_PLATFORM_XCB_EXT:
            if (!readable) break;
            return succeed<EGLDisplay>(library.display(Platform::Xcb, native, parsed.screen));
        case EGL_PLATFORM_WAYLAND_KHR:
            if (!readable) break;
            return succeed<EGLDisplay>(library.display(Platform::Wayland, native));
        case EGL_PLATFORM_SDL_TESSERA:
            return succeed<EGLDisplay>(library.display(Platform::Sdl, nullptr));
        default:
            break;
    }
    return fail<EGLDisplay>(EGL_BAD_PARAMETER, EGL_NO_DISPLAY);
}

bool connect(Display& display) {
    switch (display.platform) {
        case Platform::Surfaceless:
        case Platform::Device:
            return true;
        case Platform::X11:
            display.windowSystem = present::connectX11({display.native, nullptr, display.screen});
            break;
        case Platform::Xcb:
            display.windowSystem = present::connectX11({nullptr, display.native, display.screen});
            break;
        case Platform::Wayland:
            display.windowSystem = present::connectWayland(display.native);
            break;
        case Platform::Sdl:
            display.windowSystem = present::connectSdl();
            break;
    }
    return display.windowSystem != nullptr;
}

uint64_t nativeHandle(const Display& display, void* native) {
    if (display.platform == Platform::X11) {
        unsigned long window = 0;  // Xlib's Window and Pixmap
        if (!present::isReadable(native, sizeof window)) return 0;
        std::memcpy(&window, native, sizeof window);
        return window;
    }
    if (display.platform == Platform::Xcb) {
        uint32_t window = 0;
        if (!present::isReadable(native, sizeof window)) return 0;
        std::memcpy(&window, native, sizeof window);
        return window;
    }
    return reinterpret_cast<uint64_t>(native);
}

const char* platformExtensions() {
    return "EGL_EXT_platform_device EGL_EXT_platform_wayland EGL_EXT_platform_x11 EGL_EXT_platform_xcb "
           "EGL_KHR_platform_wayland EGL_KHR_platform_x11 EGL_MESA_platform_surfaceless EGL_TESSERA_platform_sdl";
}

}  // namespace tessera::egl
