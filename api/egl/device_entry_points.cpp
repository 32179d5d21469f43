// EGL entry points for devices (EGL_EXT_device_base, EGL_EXT_device_enumeration, EGL_EXT_device_query,
// EGL_EXT_device_query_name, EGL_MESA_device_software): there is one, the processor.
#include "api/egl/entry.h"
#include "api/egl/platform.h"

using namespace tessera::egl;
namespace gles = tessera::gles;

extern "C" {

EGLAPI EGLBoolean EGLAPIENTRY eglQueryDevicesEXT(EGLint size, EGLDeviceEXT* devices, EGLint* count) {
    if (count == nullptr || (devices != nullptr && size <= 0)) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
    *count = 1;
    if (devices != nullptr) devices[0] = softwareDevice();
    return succeed<EGLBoolean>(EGL_TRUE);
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryDeviceAttribEXT(EGLDeviceEXT device, EGLint, EGLAttrib*) {
    if (device != softwareDevice()) return fail<EGLBoolean>(EGL_BAD_DEVICE_EXT, EGL_FALSE);
    return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
}

EGLAPI const char* EGLAPIENTRY eglQueryDeviceStringEXT(EGLDeviceEXT device, EGLint name) {
    if (device != softwareDevice()) return fail<const char*>(EGL_BAD_DEVICE_EXT, nullptr);
    switch (name) {
        case EGL_EXTENSIONS:
            return succeed("EGL_EXT_device_query_name EGL_MESA_device_software");
        case EGL_VENDOR:
            return succeed("Tessera");
        case EGL_RENDERER_EXT:
            return enterUnlocked([] { return succeed(gles::Driver::instance().rendererString()); });
        default:
            return fail<const char*>(EGL_BAD_PARAMETER, nullptr);
    }
}

EGLAPI EGLBoolean EGLAPIENTRY eglQueryDisplayAttribEXT(EGLDisplay handle, EGLint name, EGLAttrib* value) {
    return enter(handle, [&](Display&) {
        if (name != EGL_DEVICE_EXT) return fail<EGLBoolean>(EGL_BAD_ATTRIBUTE, EGL_FALSE);
        if (value == nullptr) return fail<EGLBoolean>(EGL_BAD_PARAMETER, EGL_FALSE);
        *value = reinterpret_cast<EGLAttrib>(softwareDevice());
        return succeed<EGLBoolean>(EGL_TRUE);
    });
}
EGLAPI EGLBoolean EGLAPIENTRY eglQueryDisplayAttribKHR(EGLDisplay handle, EGLint name, EGLAttrib* value) {
    return eglQueryDisplayAttribEXT(handle, name, value);
}

}  // extern "C"
