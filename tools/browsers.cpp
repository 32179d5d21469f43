#include "tools/browsers.h"

#include <algorithm>
#include <array>

namespace tessera::tools {

namespace {

// ANGLE is what draws in it, over OpenGL ES by EGL. Its list of drivers that it does not trust has all that are
// software.
constexpr std::array<std::string_view, 3> kSwitches = {"--use-gl=angle", "--use-angle=gles-egl",
                                                       "--ignore-gpu-blocklist"};

constexpr std::array<std::string_view, 12> kChromium = {
    "brave-browser",        "chrome",         "chromium",
    "chromium-browser",     "google-chrome",  "google-chrome-beta",
    "google-chrome-stable", "headless_shell", "google-chrome-unstable",
    "microsoft-edge",       "vivaldi",        "microsoft-edge-stable"};

}  // namespace

std::span<const std::string_view> chromiumSwitches() { return kSwitches; }

bool isChromium(std::string_view program) {
    return std::ranges::find(kChromium, program.substr(program.rfind('/') + 1)) != kChromium.end();
}

}  // namespace tessera::tools
