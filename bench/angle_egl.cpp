// An EGL in front of ANGLE's, so that programs written for any EGL run on ANGLE with SwiftShader: it asks for the
// SwiftShader device, which ANGLE gives only by name, and puts a pbuffer in the place of a window, as ANGLE without a
// window system has none. drivers.py lays it out as libEGL.so.1 beside ANGLE's own library, named libEGL_angle.so, on
// which it depends: every function that is not here is ANGLE's.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// EGL_ANGLE_platform_angle, _vulkan and _device_type_swiftshader, which Khronos' headers lack.
constexpr EGLenum kPlatformAngle = 0x3202;
constexpr EGLint kPlatformType = 0x3203, kTypeVulkan = 0x3450;
constexpr EGLint kNativePlatformType = 0x348F, kSurfaceless = 0x31DD;
constexpr EGLint kDeviceType = 0x3209, kDeviceSwiftShader = 0x3487;

/// ANGLE's function of that name.
template <class Function>
Function* angle(Function*, const char* name) {
    static void* const library = dlopen("libEGL_angle.so", RTLD_NOW);
    return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

EGLDisplay swiftShader() {
    const EGLAttrib attributes[] = {kPlatformType,      kTypeVulkan, kNativePlatformType, kSurfaceless, kDeviceType,
                                    kDeviceSwiftShader, EGL_NONE};
    auto* getPlatformDisplay = angle(&eglGetPlatformDisplay, "eglGetPlatformDisplay");
    return getPlatformDisplay != nullptr ? getPlatformDisplay(kPlatformAngle, nullptr, attributes) : EGL_NO_DISPLAY;
}

// What of Xlib is needed to give a window's configuration the visual of the screen; absent where no program has
// loaded it.
EGLint defaultVisual() {
    auto* open = reinterpret_cast<void* (*)(const char*)>(dlsym(RTLD_DEFAULT, "XOpenDisplay"));
    auto* close = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "XCloseDisplay"));
    auto* screen = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "XDefaultScreen"));
    auto* visual = reinterpret_cast<void* (*)(void*, int)>(dlsym(RTLD_DEFAULT, "XDefaultVisual"));
    auto* id = reinterpret_cast<unsigned long (*)(void*)>(dlsym(RTLD_DEFAULT, "XVisualIDFromVisual"));
    if (open == nullptr || close == nullptr || screen == nullptr || visual == nullptr || id == nullptr) return 0;
    void* display = open(nullptr);
    if (display == nullptr) return 0;
    auto result = static_cast<EGLint>(id(visual(display, screen(display))));
    close(display);
    return result;
}

}  // namespace

extern "C" {

EGLDisplay eglGetDisplay(EGLNativeDisplayType) { return swiftShader(); }

EGLDisplay eglGetPlatformDisplay(EGLenum, void*, const EGLAttrib*) { return swiftShader(); }

EGLDisplay eglGetPlatformDisplayEXT(EGLenum, void*, const EGLint*) { return swiftShader(); }

EGLBoolean eglChooseConfig(EGLDisplay display, const EGLint* attributes, EGLConfig* configs, EGLint size,
                           EGLint* count) {
    std::vector<EGLint> asked;
    for (; attributes != nullptr && *attributes != EGL_NONE; attributes += 2) {
        asked.push_back(attributes[0]);
        const bool isWindow = attributes[0] == EGL_SURFACE_TYPE && (attributes[1] & EGL_WINDOW_BIT) != 0;
        asked.push_back(isWindow ? (attributes[1] & ~EGL_WINDOW_BIT) | EGL_PBUFFER_BIT : attributes[1]);
    }
    asked.push_back(EGL_NONE);
    return angle(&eglChooseConfig, "eglChooseConfig")(display, asked.data(), configs, size, count);
}

EGLBoolean eglGetConfigAttrib(EGLDisplay display, EGLConfig config, EGLint attribute, EGLint* value) {
    EGLBoolean result = angle(&eglGetConfigAttrib, "eglGetConfigAttrib")(display, config, attribute, value);
    if (result != EGL_TRUE) return result;
    if (attribute == EGL_SURFACE_TYPE && (*value & EGL_PBUFFER_BIT) != 0) *value |= EGL_WINDOW_BIT;
    if (attribute == EGL_NATIVE_VISUAL_ID) *value = defaultVisual();
    return result;
}

/// Nothing is shown: programs that draw off screen make a window all the same.
EGLSurface eglCreateWindowSurface(EGLDisplay display, EGLConfig config, EGLNativeWindowType, const EGLint*) {
    const EGLint attributes[] = {EGL_WIDTH, 800, EGL_HEIGHT, 600, EGL_NONE};
    return angle(&eglCreatePbufferSurface, "eglCreatePbufferSurface")(display, config, attributes);
}

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char* name) {
    struct Own {
        const char* name;
        __eglMustCastToProperFunctionPointerType function;
    };
    using Any = __eglMustCastToProperFunctionPointerType;
    static const Own kOwn[] = {
        {"eglGetDisplay", reinterpret_cast<Any>(&eglGetDisplay)},
        {"eglGetPlatformDisplay", reinterpret_cast<Any>(&eglGetPlatformDisplay)},
        {"eglGetPlatformDisplayEXT", reinterpret_cast<Any>(&eglGetPlatformDisplayEXT)},
        {"eglChooseConfig", reinterpret_cast<Any>(&eglChooseConfig)},
        {"eglGetConfigAttrib", reinterpret_cast<Any>(&eglGetConfigAttrib)},
        {"eglCreateWindowSurface", reinterpret_cast<Any>(&eglCreateWindowSurface)},
    };
    const auto* own = std::ranges::find_if(kOwn, [&](const Own& one) { return std::strcmp(one.name, name) == 0; });
    if (own != std::end(kOwn)) return own->function;
    return angle(&eglGetProcAddress, "eglGetProcAddress")(name);
}

}  // extern "C"
