// The errors of EGL 1.5 and its extensions, function by function in the order of the specification's chapters.
#pragma once

#include <functional>
#include <vector>

#include "tests/egl/fixture.h"

namespace egltest {

/// What a wrong call is made on: a context and a surface that fit, nothing current.
struct Scene : DisplayFixture {
    using DisplayFixture::DisplayFixture;

    EGLContext context = DisplayFixture::context();
    EGLSurface surface = DisplayFixture::pbuffer(4, 4);

    bool makeCurrent() { return eglMakeCurrent(display, surface, surface, context) == EGL_TRUE; }
    /// A texture of the current context, with an image of two by two texels or without any.
    EGLClientBuffer texture(bool complete = true);
    [[nodiscard]] EGLDeviceEXT device() const;
};

constexpr EGLint kCrash = -1;  ///< the driver ends the program

struct ErrorRow {
    const char* what;
    std::function<bool(Scene&)> run;  ///< true when the call succeeded
    EGLint want;                      ///< EGL_SUCCESS: it is no error
    EGLint mesa = 0;                  ///< where Mesa 22.3 says something else, that
};

/// On any display without native windows.
[[nodiscard]] std::vector<ErrorRow> errorRows();

/// Runs the rows, each on a display of its own, and checks them; on Mesa's display, against what Mesa says.
void checkErrors(const std::vector<ErrorRow>& rows, const std::function<EGLDisplay()>& display);

}  // namespace egltest
