// Browsers that do not take the system's EGL by themselves, and what makes them.
#pragma once

#include <span>
#include <string_view>

namespace tessera::tools {

/// What Chromium and its kin need to draw WebGL, and themselves, with the libEGL.so.1 that the loader finds. It comes
/// before the user's own words: of a switch that is given twice the last counts.
[[nodiscard]] std::span<const std::string_view> chromiumSwitches();

/// Whether a program is Chromium or one of its kin, by the last part of its name.
[[nodiscard]] bool isChromium(std::string_view program);

}  // namespace tessera::tools
