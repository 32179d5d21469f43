#include "tools/inspector/window_loop.h"

#include <chrono>
#include <thread>

namespace tessera::tools {

void showUntilClosed(Window& window, const WindowContents& contents) {
    // Without news a few frames are drawn, as ImGui settles, then none.
    constexpr int kSettling = 3, kSoon = 15, kWhileWorking = 40, kLater = 250;
    int calm = 0;
    while (true) {
        const bool isWorking = contents.isWorking();
        const int limit = isWorking ? kWhileWorking : calm < kSettling ? kSoon : kLater;
        const auto before = std::chrono::steady_clock::now();
        if (!window.takeEvents(limit)) return;
        const bool hasEvent = std::chrono::steady_clock::now() - before < std::chrono::milliseconds(limit);
        calm = hasEvent || isWorking ? 0 : calm + 1;
        if (calm <= kSettling) contents.show(window);
    }
}

inspect::Picture pictureAtRest(Window& window, const WindowContents& contents) {
    for (int calm = 0; calm < 4;) {
        contents.show(window);
        calm = contents.isWorking() ? 0 : calm + 1;
        if (calm == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return window.picture();
}

}  // namespace tessera::tools
