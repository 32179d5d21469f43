// A wrong call of every entry point of api/egl/functions.inc.
#pragma once

#include <functional>
#include <vector>

#include "tests/egl/fixture.h"

namespace egltest {

/// Of a display; any display may be given.
struct DisplayCall {
    const char* name;
    std::function<bool(EGLDisplay, void* handle)> run;  ///< true when it succeeded; `handle` stands for any object
    EGLint wantForNull, wantForDangling;                ///< errors on an initialised display
};
[[nodiscard]] std::vector<DisplayCall> displayCalls();

/// Without a display, with arguments that are none; `want` is the error, EGL_SUCCESS where the call succeeds.
struct FreeCall {
    const char* name;
    std::function<bool()> run;
    EGLint want;
};
[[nodiscard]] std::vector<FreeCall> freeCalls();

}  // namespace egltest
