// How a window is shown: again and again while something happens in it, and not at all while nothing does.
#pragma once

#include <functional>

#include "inspect/frame/image_look.h"
#include "tools/inspector/window/window.h"

namespace tessera::tools {

/// What is in a window, whether answers are still to come, and whether some are there that it has not shown.
struct WindowContents {
    std::function<void(Window& window)> show;
    std::function<bool()> isWorking, hasNews;
};

/// Until the window is closed.
void showUntilClosed(Window& window, const WindowContents& contents);
/// What it shows when all answers are there.
[[nodiscard]] inspect::Picture pictureAtRest(Window& window, const WindowContents& contents);

}  // namespace tessera::tools
