// Views of a frame by `tessera inspect`: the tree of debug groups, lanes, and lookups that miss their cache.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "tools/testing/inspected.h"

using tessera::imagediff::Image;
using tessera::tools::pictureAt;
using tessera::tools::read;
using tessera::tools::recordedDemo;
using tessera::tools::Result;
using tessera::tools::run;
using Json = nlohmann::json;

namespace {

const tessera::tools::TestFolder work("frame_views_test");

/// One frame with debug groups.
std::string grouped() {
    static const std::string file = [] {
        const Result result =
            run("exec env EGL_PLATFORM=surfaceless TESSERA_COMMANDS=" + work("grouped.tsc") + " " GROUPED_FRAME);
        REQUIRE_MESSAGE(result.status == 0, result.output);
        return work("grouped.tsc");
    }();
    return file;
}

}  // namespace

TEST_CASE("a recording has the debug groups of the application, of which its frames are a tree") {
    const Result listed = run("commands " + grouped());
    REQUIRE(listed.status == 0);
    for (const char* words : {"group: scene", "group: left half", "marker: nothing follows", "end of group"})
        CHECK_MESSAGE(listed.says(words), listed.output);
    // Marks are no work: the same pixels come of it.
    CHECK(run("commands " + grouped() + " --replay").status == 0);

    const Result result = run("inspect " + grouped() + " --frame 1 --json 2>/dev/null");
    REQUIRE(result.status == 0);
    const Json report = Json::parse(result.output);
    REQUIRE(report["passes"].size() == 2);  // marks do not part what draws to the same images
    CHECK(report["passes"][1]["target"] == "transfers");
    CHECK(report["passes"][0]["target"].get<std::string>().starts_with("image "));
    std::vector<Json> groups;
    std::vector<uint64_t> written;
    for (const Json& action : report["passes"][0]["actions"]) {
        if (action["command"] != "draw" && action["command"] != "clear") continue;
        groups.push_back(action.value("groups", Json::array()));
        if (action["command"] == "draw") written.push_back(action["cost"]["pixels"]["written"]);
    }
    const Json outer = Json::array({"scene"}), inner = Json::array({"scene", "left half"});
    CHECK(groups == std::vector<Json>{outer, inner, inner, Json::array()});
    CHECK(written == std::vector<uint64_t>{8 * 16, 0, 8 * 16});
}

TEST_CASE("lookups that miss are shown in the texture and in the target") {
    const std::string file = recordedDemo(work, "textured");
    const auto view = [&](const std::string& name) {
        const Result result = run("inspect " + file + " --png '" + name + "' -o " + work("view.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        return pictureAt(work("view.png"));
    };
    const auto none = [](const Image& image, size_t at) {
        constexpr uint8_t kNone[] = {10, 14, 40};
        return std::equal(kNone, kNone + 3, image.rgba.begin() + static_cast<ptrdiff_t>(at));
    };
    // Each draw is a side of a cube, and those that are seen cover other pixels each.
    const Result result = run("inspect " + file + " --json");
    REQUIRE_MESSAGE(result.status == 0, result.output);
    const Json report = Json::parse(result.output);
    const Image misses = view("misses");
    std::vector<bool> looksUp(misses.rgba.size() / 4);
    std::string seen;  // the options for a draw that has pixels
    for (const Json& pass : report["passes"])
        for (const Json& action : pass["actions"]) {
            if (!action.contains("cost")) continue;
            const Image lanes = view("lanes' --command '" + action["number"].dump());
            REQUIRE(lanes.rgba.size() == misses.rgba.size());
            uint64_t written = 0;
            for (size_t i = 0; i < looksUp.size(); ++i) {
                const auto is = [&](std::array<uint8_t, 3> fate) {
                    return std::equal(fate.begin(), fate.end(), lanes.rgba.begin() + static_cast<ptrdiff_t>(i * 4));
                };
                written += is({60, 180, 90});
                // Helpers look up, too.
                if (is({60, 180, 90}) || is({60, 100, 220})) looksUp[i] = true;
            }
            CHECK(written == action["cost"]["pixels"]["written"]);
            if (written > 0) seen = "' --command '" + action["number"].dump();
        }
    size_t missed = 0, wrong = 0;
    for (size_t i = 0; i < looksUp.size(); ++i) {
        missed += !none(misses, i * 4);
        wrong += !none(misses, i * 4) && !looksUp[i];
    }
    CHECK(missed > 100);
    CHECK(wrong == 0);
    // Lines are missed as wholes, 4x4 texels each, in the levels that are looked up.
    size_t torn = 0, some = 0;
    for (int level = 0; level < 4; ++level) {
        const std::string which = seen + "' --level '" + std::to_string(level);
        const Image texture = view("texture" + which), lines = view("texture misses" + which);
        REQUIRE(texture.width == lines.width);
        REQUIRE(texture.height == lines.height);
        REQUIRE(lines.width == 256 >> level);
        for (int y = 0; y < lines.height; ++y)
            for (int x = 0; x < lines.width; ++x) {
                some += !none(lines, static_cast<size_t>(y * lines.width + x) * 4);
                torn += !std::equal(lines.pixel(x, y), lines.pixel(x, y) + 3, lines.pixel(x / 4 * 4, y / 4 * 4));
            }
    }
    CHECK(torn == 0);
    CHECK(some > 100);
    CHECK(run("inspect " + file + " --png texture --level 30 -o " + work("none.png")).says("has no level 30"));
    CHECK(run("inspect " + file + " --png texture --sampler u_none -o " + work("none.png"))
              .says("has no sampler u_none"));
}

TEST_CASE("the first frame is found in which a pixel has a color, or another one") {
    const std::string file = work("frames.tsc");
    const Result recorded = run("exec env TESSERA_COMMANDS=" + file +
                                " " TESSERA_BINARY_DIR "/bin/gears --plain --headless --frames 4 --size 64x48");
    REQUIRE_MESSAGE(recorded.status == 0, recorded.output);
    std::vector<Image> frames;
    for (int i = 1; i <= 4; ++i) {
        const std::string name = work("frame.png");
        REQUIRE(run("inspect " + file + " --frame " + std::to_string(i) + " --png color -o " + name).status == 0);
        frames.push_back(pictureAt(work("frame.png")));
    }
    // A pixel that is another one in the third frame for the first time.
    const auto same = [&](size_t a, size_t b, int x, int y) {
        return std::equal(frames[a].pixel(x, y), frames[a].pixel(x, y) + 3, frames[b].pixel(x, y));
    };
    int x = 0, y = 0;
    while (y < 48 && !(same(0, 1, x, y) && !same(0, 2, x, y)))
        if (++x == 64) x = 0, ++y;
    REQUIRE(y < 48);
    const auto found = [&](const std::string& condition) {
        const Result result = run("inspect " + file + " --json --no-costs --when '" + condition + "' 2>/dev/null");
        REQUIRE_MESSAGE(result.status == 0, result.output);
        return Json::parse(result.output)["frame"].get<int>();
    };
    const auto text = [&](size_t frame) {
        const uint8_t* const color = frames[frame].pixel(x, y);
        char words[8];
        (void)std::snprintf(words, sizeof words, "#%02x%02x%02x", color[0], color[1], color[2]);
        return std::string(words);
    };
    const std::string place = std::to_string(x) + "," + std::to_string(y);
    CHECK(found(place + " = " + text(0)) == 1);
    CHECK(found(place + "!=" + text(0)) == 3);
    CHECK(found(place + "=" + text(2)) == 3);
    const Result none = run("inspect " + file + " --json --when '63,47=#123456'");
    CHECK(none.status == 1);
    CHECK_MESSAGE(none.says("none of the 4 frames meets 63,47=#123456"), none.output);
    CHECK(run("inspect " + file + " --json --when '63,47=pink'").status == 2);
    // Of a program frames are recorded until there are so many.
    const Result program = run("inspect --frames 3 --when '" + place + "!=" + text(0) +
                               "' --json --no-costs -- " TESSERA_BINARY_DIR
                               "/bin/gears --plain --headless --frames 4 --size 64x48 2>/dev/null");
    REQUIRE_MESSAGE(program.status == 0, program.output);
    CHECK(program.output.find("\"frame\": 3,") != std::string::npos);
}

TEST_CASE("the window has the layout and the scale that it is given, and tells of a layout that is wrong") {
    const auto window = [](const std::string& options, const std::string& words = "") {
        const Result result =
            run("inspect " + grouped() + " --frame 1 --png window " + options + " -o " + work("window.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        CHECK_MESSAGE((words.empty() ? result.output.empty() : result.says(words)), result.output);
        return pictureAt(work("window.png"));
    };
    const Image usual = window("--size 900,600");
    const std::string file =
        work.write("layout.json", "{\"width\": 640, \"height\": 480, \"left\": 0.5, \"light\": true}");
    const Image kept = window("--layout " + file);
    CHECK(kept.width == 640);
    CHECK(kept.height == 480);
    // The ground between the panels is light.
    CHECK(kept.pixel(2, 2)[0] > 200);
    CHECK(usual.pixel(2, 2)[0] < 60);
    CHECK(read(work("layout.json")).find("0.5,") != std::string::npos);  // a picture changes no layout
    const Image wrong =
        window("--size 900,600 --layout " + work.write("wrong.json", "{\"left\": 9}"),
               "wrong.json: warning: \"left\" is no number from 0.15 to 0.85; the usual layout is used");
    CHECK(wrong.pixel(2, 2)[0] < 60);
    const Image large = window("--size 900,600 --scale 2");
    // Text of twice the size: the first row of the window is still text where it was none before.
    const auto lightRows = [](const Image& image) {
        int rows = 0;
        for (int y = 0; y < 60; ++y) {
            bool isLight = false;
            for (int x = 0; x < 300; ++x) isLight |= image.pixel(x, y)[1] > 200;
            rows += isLight;
        }
        return rows;
    };
    CHECK(lightRows(large) != lightRows(usual));
}
