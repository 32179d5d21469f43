#include "inspect/pixel_report.h"
#include "shader-core/isa/program.h"

#include <doctest/doctest.h>

#include "pipeline/commands.h"

using namespace tessera;
using namespace tessera::pipeline;

TEST_CASE("a state says how further targets are blended where that is not as the first one is") {
    RenderTarget target;
    for (size_t i = 0; i < 3; ++i)
        target.color[i] = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 4, 4);
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.outputMask = 1;
    program.broadcastColor = true;
    PixelState state;
    TargetState additive;
    additive.blend = true;
    additive.dstRgb = BlendFactor::One;
    additive.colorMask = 0x7;
    state.target.fill(additive);
    const auto described = [&] { return inspect::describeState(pixelKey(state, target, program), pixelValues(state)); };
    const inspect::Json same = described();
    CHECK(same["blend"] == true);
    CHECK(same["destination"] == inspect::Json{"GL_ONE", "GL_ZERO"});
    CHECK(same["colorMask"] == 7);
    for (const char* other : {"color1", "color2", "color3"}) CHECK(!same.contains(other));

    state.target[1] = {};
    state.target[2].equationAlpha = BlendEquation::Max;
    state.target[3] = {};  // of a target that is none nothing is said
    const inspect::Json differing = described();
    CHECK(differing["blend"] == true);
    CHECK(differing["color1"] == inspect::Json{{"blend", false}, {"colorMask", 15}});
    CHECK(differing["color2"]["equation"] == inspect::Json{"GL_FUNC_ADD", "GL_MAX_EXT"});
    CHECK(differing["color2"]["colorMask"] == 7);
    CHECK(!differing.contains("color3"));
}
