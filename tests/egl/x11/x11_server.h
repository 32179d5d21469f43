// A virtual X server for the tests (Xvfb), started once for the program and stopped at its end.
#pragma once

#include <X11/Xlib.h>

namespace egltest {

/// "" when Xvfb is not installed: the test says so and passes.
[[nodiscard]] const char* virtualDisplay();

/// A connection to it; null without one, after a message.
[[nodiscard]] Display* openVirtualDisplay();

}  // namespace egltest
