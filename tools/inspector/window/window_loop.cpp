#include "tools/inspector/window/window_loop.h"

#include <chrono>
#include <thread>

namespace tessera::tools {

void showUntilClosed(Window& window, const WindowContents& contents) {
    using Clock = std::chrono::steady_clock;
    // Without news a few frames are drawn, as ImGui settles, then none; while answers are awaited one now and then, and
    // one as soon as there is an answer.
    constexpr std::chrono::milliseconds kLook(6), kSoon(15), kWhileWorking(60), kLater(250);
    constexpr int kSettling = 3;
    int calm = 0;
    Clock::time_point shown;
    while (true) {
        const bool isWorking = contents.isWorking();
        const std::chrono::milliseconds limit = isWorking ? kLook : calm < kSettling ? kSoon : kLater;
        const Events events = window.takeEvents(static_cast<int>(limit.count()));
        if (events == Events::Close) return;
        const Clock::time_point now = Clock::now();
        // Each is drawn: ImGui sees no key that is pressed and released between two frames.
        const bool hasEvent = events == Events::Some, hasNews = contents.hasNews();
        if (isWorking && !hasEvent && !hasNews && now - shown < kWhileWorking) continue;
        calm = hasEvent || hasNews || isWorking ? 0 : calm + 1;
        if (calm > kSettling) continue;
        contents.show(window);
        shown = now;
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
