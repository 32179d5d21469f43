// When a window is drawn: after each thing that the user does, however long it took to come.
#include "tools/inspector/window/window_loop.h"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

using namespace tessera::tools;

namespace {

/// Writes down in `log` what happens, and comes back from each wait later than it was asked to.
class SlowWindow final : public Window {
public:
    explicit SlowWindow(int events) : left_(events) {}
    Events takeEvents(int mostMilliseconds) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(mostMilliseconds + 1));
        if (left_-- == 0) return Events::Close;
        log += "event ";
        return Events::Some;
    }
    void begin() override {}
    void end() override {}
    void setTitle(const std::string&) override {}
    [[nodiscard]] float scale() const override { return 1; }
    [[nodiscard]] tessera::inspect::Picture picture() override { return {}; }
    ImTextureID makeTexture() override { return nullptr; }
    void fillTexture(ImTextureID, const tessera::inspect::Picture&) override {}
    std::string log;

private:
    int left_;
};

}  // namespace

TEST_CASE("each event is drawn before the next one is taken, late ones and while answers are awaited too") {
    for (const bool isWorking : {false, true}) {
        constexpr int kEvents = 4;
        SlowWindow window(kEvents);
        showUntilClosed(window, {.show = [&](Window&) { window.log += "drawn "; },
                                 .isWorking = [&] { return isWorking; },
                                 .hasNews = [] { return false; }});
        CHECK(window.log == "event drawn event drawn event drawn event drawn ");
    }
}
