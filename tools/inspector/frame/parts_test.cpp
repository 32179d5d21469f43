// What the inspector's window is made of, without one: its layout's file, the search, the words of states, lanes and
// tiles.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

#include "inspect/frame/frame_model.h"
#include "pipeline/recording/encode.h"
#include "pipeline/testing/recorded_scene.h"
#include "tools/inspector/frame/condition.h"
#include "tools/inspector/frame/layout.h"
#include "tools/inspector/frame/pixel_story.h"
#include "tools/inspector/frame/search.h"
#include "tools/inspector/frame/state_words.h"
#include "tools/inspector/report/frame_costs.h"
#include "tools/testing/command.h"

using namespace tessera;
using namespace tessera::tools;

namespace {

const TestFolder work("inspector_parts_test");

struct Opened {
    std::string file;
    pipeline::CommandStream stream = read();
    inspect::FrameModel model{stream, interp::makeInterpreter(), 1};

    explicit Opened(std::string recording = pipeline::test::RecordedScene().record()) : file(std::move(recording)) {}

private:
    pipeline::CommandStream read() {
        std::string problem;
        auto stream = pipeline::decodeCommands(std::as_bytes(std::span(file)), &problem);
        REQUIRE_MESSAGE(stream, problem);
        return std::move(*stream);
    }
};

}  // namespace

TEST_CASE("a layout is read as it was written, and the usual one where there is none") {
    std::filesystem::remove_all(work("config"));
    setenv("XDG_CONFIG_HOME", work("config").c_str(), 1);
    const std::string file = layoutFile();
    unsetenv("XDG_CONFIG_HOME");
    CHECK(file == work("config") + "/tessera/inspector.json");
    std::string why;
    CHECK(readLayout(file, why) == Layout());
    const Layout layout{
        .width = 900, .height = 700, .left = 0.25f, .top = 0.5f, .source = 0.75f, .tab = "chip", .isLight = true};
    REQUIRE_MESSAGE(writeLayout(file, layout, why), why);
    CHECK(readLayout(file, why) == layout);
    CHECK(why.empty());
    CHECK(!writeLayout("/proc/none/inspector.json", layout, why));
    CHECK(!why.empty());
}

TEST_CASE("a layout's file that is wrong is told, whatever it holds") {
    const auto problem = [](const std::string& text) {
        std::string why;
        CHECK(!readLayout(work.write("wrong.json", text), why));
        return why;
    };
    CHECK(problem("") == "it is no JSON object");
    CHECK(problem("[1]") == "it is no JSON object");
    CHECK(problem("{\"left\": 7}") == "\"left\" is no number from 0.15 to 0.85");
    CHECK(problem("{\"left\": \"wide\"}") == "\"left\" is no number from 0.15 to 0.85");
    CHECK(problem("{\"width\": 1e300}") == "\"width\" is no number from 320 to 16384");
    CHECK(problem("{\"tab\": \"kitchen\"}") == "\"tab\" is no tab");
    CHECK(problem("{\"light\": 1}") == "\"light\" is neither true nor false");
    std::string why;
    CHECK(readLayout(work.write("more.json", "{\"later\": 1}"), why) == Layout());
}

TEST_CASE("the search finds commands, what they refer to, and lines") {
    Opened opened;
    const auto found = [&](const std::string& words) { return searchFrame(opened.model, 0, words); };
    REQUIRE(!opened.model.frames().empty());
    const inspect::Frame& frame = opened.model.frames()[0];
    const std::vector<Found> draws = found("DRAW TRI");
    REQUIRE(!draws.empty());
    for (const Found& one : draws) {
        CHECK(opened.model.actions()[one.action].draw() != nullptr);
        CHECK(one.line == 0);
    }
    const std::vector<Found> lines = found("mov o0, v0");
    REQUIRE(!lines.empty());
    CHECK(lines[0].line == 3);
    CHECK(lines[0].stage == isa::Stage::Fragment);
    CHECK(lines[0].text.find("fragment program ") == 0);
    CHECK(opened.model.actions()[lines[0].action].draw() != nullptr);
    for (const Found& one : found("image")) CHECK((one.action >= frame.first && one.action < frame.end));
    CHECK(!found("buffer ").empty());
    CHECK(found("no such words").empty());
    CHECK(found("").empty());
    CHECK(found("e").size() <= kMostFound);
}

TEST_CASE("every field of a state has its meaning") {
    const pipeline::CommandStream none;
    pipeline::DrawState state;
    for (auto& textures : state.textures.each) textures.resize(1);
    for (const inspect::Fields& fields : {inspect::fieldsOf(inspect::Names(none), state),
                                          inspect::withoutRepeats(inspect::fieldsOf(inspect::Names(none), state))})
        for (const auto& [name, value] : fields) CHECK_MESSAGE(!meaningOf(name).empty(), name);
    CHECK(meaningOf("depth compare").find("glDepthFunc") == 0);
    CHECK(meaningOf("stencil front compare").find("glStencilFuncSeparate: how the reference") == 0);
    CHECK(meaningOf("attribute 3 divisor").find("glVertexAttribDivisor") == 0);
    CHECK(meaningOf("nothing").empty());
}

TEST_CASE("lanes and tiles say of every pixel what the draw's blocks made of it") {
    Opened opened;
    std::string why;
    const std::optional<FrameCosts> costs = costsOf(opened.model, 0, "tessera", why);
    REQUIRE_MESSAGE(costs, why);
    size_t checked = 0;
    const inspect::Frame& frame = opened.model.frames()[0];
    for (size_t i = frame.first; i < frame.end; ++i) {
        const auto& cost = costs->draws[i - frame.first];
        if (!cost || cost->covered == 0) continue;
        ++checked;
        const HeatMap lanes = heatOf(*costs, opened.model, i, Heat::Lanes);
        std::vector<uint64_t> of(std::size(kLaneFateWords));
        for (const uint32_t lane : lanes.counts) ++of[lane];
        const auto count = [&](LaneFate fate) { return of[static_cast<size_t>(fate)]; };
        // Primitives may lie over each other, so that a pixel is covered more than once.
        CHECK(count(LaneFate::Written) <= cost->written);
        CHECK((count(LaneFate::Written) > 0) == (cost->written > 0));
        // Whole quads are shaded: who is shaded has three others that are, or that help.
        const auto isAtWork = [&](int x, int y) { return lanes.at(x, y) >= static_cast<uint32_t>(LaneFate::Helper); };
        for (int y = lanes.height - 1; y > 0; y -= 2)
            for (int x = 0; x + 1 < lanes.width; x += 2) {
                const bool isShaded = lanes.at(x, y) >= static_cast<uint32_t>(LaneFate::Discarded);
                if (isShaded) CHECK((isAtWork(x + 1, y) && isAtWork(x, y - 1) && isAtWork(x + 1, y - 1)));
            }
        const TileCounts tiles = tilesOf(*costs, opened.model, i);
        REQUIRE(tiles.columns == (lanes.width + 63) / 64);
        REQUIRE(tiles.rows == (lanes.height + 63) / 64);
        for (int row = 0; row < tiles.rows; ++row)
            for (int column = 0; column < tiles.columns; ++column) {
                bool isTouched = false;
                for (int y = row * 64; y < std::min(lanes.height, row * 64 + 64); ++y)
                    for (int x = column * 64; x < std::min(lanes.width, column * 64 + 64); ++x)
                        isTouched |= lanes.at(x, lanes.height - 1 - y) != 0;
                const auto tile = static_cast<size_t>(row * tiles.columns + column);
                CHECK((tiles.own[tile] > 0) == isTouched);
                CHECK(tiles.all[tile] >= tiles.own[tile]);
            }
    }
    CHECK(checked > 0);
}

TEST_CASE("a pixel's fate says which of its values a draw wrote") {
    pipeline::test::RecordedScene scene;
    pipeline::CommandBuffer commands;
    pipeline::Clear clear;
    *clear.target = {pipeline::test::kSize, pipeline::test::kSize, {scene.color}, scene.depth, scene.depth};
    clear.clearColor = clear.clearDepth = clear.clearStencil = true;
    commands.commands.emplace_back(clear);
    enum class Written { Depth, Stencil, All, Same };
    for (const Written written : {Written::Depth, Written::Stencil, Written::All, Written::Same}) {
        pipeline::Draw draw = scene.draw(false, 0.5f);
        pipeline::PixelState& pixel = draw.state->pixel;
        if (written == Written::Depth || written == Written::Stencil) pixel.target[0].colorMask = 0;
        if (written != Written::Depth) pixel.depthCompare = pipeline::Compare::Always;
        pixel.stencilTest = written == Written::Stencil;
        pixel.front.depthPass = pixel.back.depthPass = pipeline::StencilOp::Increment;
        commands.commands.emplace_back(std::move(draw));
    }
    commands.commands.emplace_back(pipeline::EndFrame{scene.color});
    Opened opened(scene.recordOnly(std::move(commands)));
    const auto story = pixelStory(opened.model, 0, {50, 50}, [] { return false; });
    REQUIRE(story);
    std::vector<std::string> fates;
    for (const auto& event : (*story)["histories"][0]["events"]) fates.push_back(event["fate"]);
    CHECK(fates == std::vector<std::string>{"cleared", "written, depth alone", "written, stencil alone", "written",
                                            "written, and the same as before"});
}

TEST_CASE("the chosen chip is among those side by side, and none is faster than one with ideal memory") {
    Opened opened;
    std::string why;
    const std::optional<FrameCosts> costs = costsOf(opened.model, 0, "tessera", why);
    REQUIRE_MESSAGE(costs, why);
    const std::vector<PresetCost> all = presetCosts(*costs, nullptr);
    REQUIRE(all.size() >= 3);
    CHECK(all[0].name == "tessera");
    CHECK(all[0].cycles == costs->result.cycles);
    const auto ideal = std::ranges::find(all, "tessera, memory ideal", &PresetCost::name);
    REQUIRE(ideal != all.end());
    for (const PresetCost& one : all)
        if (one.name.starts_with("tessera") && one.problem.empty()) CHECK(one.cycles >= ideal->cycles);
    CHECK(presetCosts(*costs, [] { return true; }).empty());
}

TEST_CASE("a condition is a pixel, a comparison and a color") {
    std::string why;
    const auto red = readCondition(" 400, 300 = red ", why);
    REQUIRE_MESSAGE(red, why);
    CHECK((red->x == 400 && red->y == 300 && red->isEqual));
    CHECK(red->color == std::array<uint8_t, 3>{255, 0, 0});
    const auto other = readCondition("0,7!=#0a1b2C", why);
    REQUIRE_MESSAGE(other, why);
    CHECK((other->x == 0 && other->y == 7 && !other->isEqual));
    CHECK(other->color == std::array<uint8_t, 3>{0x0A, 0x1B, 0x2C});
    for (const char* text : {"", "=", ",=", "5=red", "x,y=red", "1,2", "1,-2=red", "1,2=", "1,2=#12345", "1,2=#12345g",
                             "1,2=pink", "1,2!red", "99999999999,1=red", "1=2,red", "!=,"})
        CHECK_MESSAGE(!readCondition(text, why), text);
}
