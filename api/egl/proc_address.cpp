// eglGetProcAddress: EGL's own functions from one list, everything else from the front ends of OpenGL ES.
#include <string_view>

#include "api/egl/egl.h"
#include "api/egl/entry.h"
#include "api/gles/driver.h"
#include "api/gles1/gles1.h"

namespace {

struct Entry {
    std::string_view name;
    __eglMustCastToProperFunctionPointerType address;
};

const Entry kEntries[] = {
#define EGL_FUNCTION(name) {#name, reinterpret_cast<__eglMustCastToProperFunctionPointerType>(&name)},
#include "api/egl/functions.inc"
};

}  // namespace

extern "C" EGLAPI __eglMustCastToProperFunctionPointerType EGLAPIENTRY eglGetProcAddress(const char* name) {
    if (name == nullptr) return nullptr;
    for (const Entry& entry : kEntries)
        if (entry.name == name) return entry.address;
    return tessera::egl::enterUnlocked([&] {
        tessera::gles::Proc address = tessera::gles::procAddress(name);
        if (address == nullptr) address = tessera::gles1::procAddress(name);
        return reinterpret_cast<__eglMustCastToProperFunctionPointerType>(address);
    });
}
