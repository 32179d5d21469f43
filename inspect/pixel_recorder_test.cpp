#include "inspect/pixel_recorder.h"

#include <doctest/doctest.h>

#include "pipeline/commands.h"

using namespace tessera;
using namespace tessera::pipeline;

// The command processor numbers commands while they are executed; a later one may lie where an earlier one lay.
TEST_CASE("a command has the number of what lies at its address now") {
    const auto recording = inspect::recordPixels({}, [](inspect::PixelRecord&&) {});
    Clear clears[2];
    for (Clear& clear : clears) {
        clear.target->width = clear.target->height = 4;
        clear.target->color[0] = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 4, 4);
    }
    recording->clear(clears[0]);
    recording->clear(clears[1]);
    CHECK(recording->number(&clears[0]) == 0);
    CHECK(recording->number(&clears[1]) == 1);
    recording->clear(clears[0]);
    CHECK(recording->number(&clears[0]) == 2);
    CHECK(recording->number(&clears[1]) == 1);
}
