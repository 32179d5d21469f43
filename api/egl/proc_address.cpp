// eglGetProcAddress: EGL's own functions from one list, everything else from the GLES front end.
#include <string_view>

#include "api/egl/egl.h"
#include "api/gles/driver.h"

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
    return reinterpret_cast<__eglMustCastToProperFunctionPointerType>(tessera::gles::procAddress(name));
}
