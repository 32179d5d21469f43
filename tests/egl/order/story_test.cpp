// Random stories of contexts and threads without a window system (story.h).
#include <doctest/doctest.h>

#include "tests/egl/order/story.h"

using namespace egltest;

TEST_CASE("several contexts and threads read the bytes that one context would") {
    DisplayFixture egl;
    checkStories(egl.display, 40, [] { return std::vector<StoryWindow>(); });
}
