#include <doctest/doctest.h>

#include "tests/egl/errors.h"

using namespace egltest;

TEST_CASE("errors without native windows") {
    checkErrors(errorRows(), [] { return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr); });
}
