// Platforms: which one a native display belongs to, and the connection behind an initialised display.
#pragma once

#include <cstdint>
#include <optional>

#include "api/egl/objects.h"

namespace tessera::egl {

/// The EGLDisplay of eglGetDisplay and eglGetPlatformDisplay. `platform` EGL_NONE: find out (eglGetDisplay). Sets the
/// thread's error; EGL_NO_DISPLAY without an error where the specification says so.
[[nodiscard]] EGLDisplay getDisplay(EGLenum platform, void* native, const EGLAttrib* attributes);

/// EGL_PLATFORM_X11_KHR and friends for a native display, EGL_NONE when it is not recognised for certain.
[[nodiscard]] EGLenum platformOfNative(const void* native);

/// Connects to the display's window system where the platform has one. False when that cannot be done.
[[nodiscard]] bool connect(Display& display);

/// The native handle behind eglCreatePlatform{Window,Pixmap}Surface's pointer; 0 when the pointer cannot be one.
[[nodiscard]] uint64_t nativeHandle(const Display& display, void* native);

/// Extension strings that list the platforms.
[[nodiscard]] const char* platformExtensions();

/// The one EGLDeviceEXT: the processor.
[[nodiscard]] EGLDeviceEXT softwareDevice();

}  // namespace tessera::egl
