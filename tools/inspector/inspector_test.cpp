// tessera inspect, as a user has it, without a display: reports and pictures of recorded demos, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/process/env.h"
#include "tools/testing/inspected.h"

using tessera::tools::colorsOf;
using tessera::tools::kLevelNames;
using tessera::tools::pictureAt;
using tessera::tools::read;
using tessera::tools::recordedDemo;
using tessera::tools::Result;
using tessera::tools::run;
using Json = nlohmann::json;

namespace {

const tessera::tools::TestFolder work("inspector_test");

/// Pixels as light as text within a part of a picture.
int lightPixels(const tessera::imagediff::Image& image, int left, int top, int right, int bottom) {
    int count = 0;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) count += *std::max_element(image.pixel(x, y), image.pixel(x, y) + 3) > 150;
    return count;
}

/// Whether nothing of the ground, which ends the row, is seen from `left` to `right`, as on a slider or a button.
bool isFilled(const tessera::imagediff::Image& image, int left, int right, int y) {
    const uint8_t* ground = image.pixel(image.width - 20, y);
    for (int x = left; x < right; ++x)
        if (std::equal(ground, ground + 3, image.pixel(x, y))) return false;
    return true;
}

/// Whether `part` is somewhere in a picture, pixel by pixel but for a mark of a hundred.
bool shows(const tessera::imagediff::Image& image, const tessera::imagediff::Image& part) {
    const auto isAt = [&](int left, int top) {
        int others = 0;
        // From the middle, where most is drawn.
        for (int i = 0; i < part.height && others <= 100; ++i) {
            const int y = (part.height / 2 + i) % part.height;
            for (int x = 0; x < part.width && others <= 100; ++x)
                others += !std::equal(part.pixel(x, y), part.pixel(x, y) + 3, image.pixel(left + x, top + y));
        }
        return others <= 100;
    };
    for (int top = 0; top + part.height <= image.height; ++top)
        for (int left = 0; left + part.width <= image.width; ++left)
            if (isAt(left, top)) return true;
    return false;
}

Json jsonOf(const std::string& arguments) {
    const Result result = run("inspect " + arguments + " --json 2>/dev/null");
    REQUIRE_MESSAGE(result.status == 0, result.output);
    return Json::parse(result.output);
}

/// The draws of a report.
std::vector<Json> draws(const Json& report) {
    std::vector<Json> found;
    for (const Json& pass : report["passes"])
        for (const Json& action : pass["actions"])
            if (action["command"] == "draw") found.push_back(action);
    return found;
}

}  // namespace

TEST_CASE("a frame as JSON has its draws with states, uniforms and costs, and programs line by line") {
    const Json report = jsonOf(recordedDemo(work, "gears"));
    CHECK(report["file"] == "gears.tsc");
    CHECK(report["frame"] == 2);
    CHECK(report["chip"]["preset"] == "tessera");
    const std::vector<Json> all = draws(report);
    REQUIRE(all.size() == 3);
    uint64_t cycles = 0, written = 0;
    for (const Json& draw : all) {
        CHECK(draw["text"].get<std::string>().starts_with("triangles, "));
        CHECK(draw["cost"]["vertices"].get<uint64_t>() > 0);
        CHECK(draw["cost"]["pixels"]["covered"] >= draw["cost"]["pixels"]["shaded"]);
        CHECK(draw["cost"]["pixels"]["shaded"] >= draw["cost"]["pixels"]["written"]);
        cycles += draw["cost"]["cycles"].get<uint64_t>();
        written += draw["cost"]["pixels"]["written"].get<uint64_t>();
        CHECK(draw["uniforms"].size() > 2);
    }
    CHECK(cycles > 0);
    CHECK(cycles <= report["chip"]["cycles"].get<uint64_t>());
    // What is on the screen and no background was written.
    const auto last = pictureAt(work("gears.png"));
    size_t drawn = 0;
    for (size_t i = 0; i + 4 <= last.rgba.size(); i += 4)
        drawn += last.rgba[i] != last.rgba[0] || last.rgba[i + 1] != last.rgba[1] || last.rgba[i + 2] != last.rgba[2];
    CHECK(written >= drawn);
    // The debugger is to have values at the source's names.
    bool hasVariables = false;
    for (const Json& program : report["programs"]) hasVariables |= !program["variables"].empty();
    CHECK(hasVariables);
    uint64_t lanes = 0;
    for (const Json& program : report["programs"])
        if (program["name"].get<std::string>().starts_with("fragment"))
            for (const Json& line : program["lines"]) lanes = std::max(lanes, line["lanes"].get<uint64_t>());
    CHECK(lanes >= written);
}

TEST_CASE("the report tells what became of a pixel, and which draws have nothing there") {
    const Json pixel = jsonOf(recordedDemo(work, "gears") + " --no-costs --pixel 100,75")["pixel"];
    CHECK(pixel["x"] == 100);
    CHECK(pixel["y"] == 75);
    const Json& events = pixel["histories"][0]["events"];
    REQUIRE(events.size() >= 1);
    CHECK(events[0]["fate"] == "cleared");
    std::set<uint64_t> told;
    for (const Json& event : events) {
        told.insert(event["number"].get<uint64_t>());
        if (!event.contains("primitive")) continue;
        const std::string fate = event["fate"], depth = event["depthTest"];
        CHECK((fate == "written" || fate == "fails the depth test"));
        CHECK(depth.find(" < ") != std::string::npos);
        CHECK((std::stod(depth) < std::stod(depth.substr(depth.find('<') + 1))) == (fate == "written"));
    }
    // Every draw is in one of the two; gears cull their backs.
    for (const Json& draw : draws(jsonOf(recordedDemo(work, "gears") + " --no-costs"))) {
        const bool isAbsent =
            std::ranges::any_of(pixel["absent"], [&](const Json& one) { return one["number"] == draw["number"]; });
        CHECK(told.contains(draw["number"].get<uint64_t>()) != isAbsent);
    }
    CHECK(run("inspect --json --pixel 5 " + recordedDemo(work, "gears")).says("this is no pixel; write X,Y"));
}

TEST_CASE("a report is the same for every tier and number of threads") {
    const std::string file = recordedDemo(work, "textured");
    const Result usual = run("inspect --json " + file);
    CHECK(usual.status == 0);
    setenv("TESSERA_THREADS", "3", 1);
    setenv("TESSERA_TIER", "interp", 1);
    const Result other = run("inspect --json " + file);
    unsetenv("TESSERA_THREADS");
    unsetenv("TESSERA_TIER");
    CHECK(other.output == usual.output);
}

TEST_CASE("a frame that was recorded at one SIMD level opens at the least one with three threads to the same bytes") {
    for (const tessera::SimdLevel level : tessera::simdLevels()) {
        const std::string name = kLevelNames[static_cast<size_t>(level)], file = work("at-" + name + ".tsc");
        CAPTURE(name);
        const Result drawn =
            run("exec env TESSERA_SIMD=" + name + " TESSERA_COMMANDS=" + file +
                " " TESSERA_BINARY_DIR "/bin/gears --plain --frames 2 --time 1.5 --size 200x150 --out " +
                work("at-" + name + ".png"));
        REQUIRE_MESSAGE(drawn.status == 0, drawn.output);
        setenv("TESSERA_SIMD", kLevelNames[0], 1);
        setenv("TESSERA_THREADS", "3", 1);
        const Result opened = run("inspect " + file + " --png color -o " + work("opened.png"));
        const Json report = jsonOf(file);
        unsetenv("TESSERA_SIMD");
        unsetenv("TESSERA_THREADS");
        REQUIRE_MESSAGE(opened.status == 0, opened.output);
        const auto expected = pictureAt(work("at-" + name + ".png")), found = pictureAt(work("opened.png"));
        REQUIRE(found.rgba.size() == expected.rgba.size());
        for (size_t i = 0; i < found.rgba.size(); ++i)
            if (i % 4 != 3 && found.rgba[i] != expected.rgba[i]) FAIL("byte " << i);
        Json same = jsonOf(recordedDemo(work, "gears"));
        same["file"] = report["file"];
        CHECK(report == same);
    }
}

TEST_CASE("one command has all of its state, and says what is another than before") {
    const std::string file = recordedDemo(work, "gears");
    const std::vector<Json> all = draws(jsonOf(file + " --no-costs"));
    REQUIRE(all.size() == 3);
    CHECK(!all[0].contains("cost"));
    const Json one = jsonOf(file + " --no-costs --command " + all[1]["number"].dump());
    CHECK(one["action"]["number"] == all[1]["number"]);
    CHECK(one["action"]["state"]["pixels"]["depth test"]["value"] == "on");
    CHECK(one["action"]["state"]["pixels"]["depth test"]["changed"] == false);
    CHECK(!one.contains("passes"));
    int taken = 0;  // with the frame that it is in, and no other
    for (const char* frame : {"1", "2", "3"})
        taken +=
            run("inspect " + file + " --json --no-costs --frame " + frame + " --command " + all[1]["number"].dump())
                .status == 0;
    CHECK(taken == 1);
}

TEST_CASE("pictures show what a command left") {
    const std::string file = recordedDemo(work, "gears");
    const auto view = [&](const std::string& arguments, const char* name) {
        const Result result = run("inspect " + file + " " + arguments + " -o " + work(name));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        return pictureAt(work(name));
    };
    const auto expected = pictureAt(work("gears.png"));
    const auto last = view("--png color", "color.png");
    REQUIRE(last.rgba.size() == expected.rgba.size());
    bool isSame = true;
    for (size_t i = 0; i < last.rgba.size(); ++i) isSame &= i % 4 == 3 || last.rgba[i] == expected.rgba[i];
    CHECK(isSame);
    // The first draw alone has less.
    const std::vector<Json> all = draws(jsonOf(file + " --no-costs"));
    const auto first = view("--png color --command " + all[0]["number"].dump(), "first.png");
    CHECK(first.rgba != last.rgba);
    CHECK(colorsOf(first) > 1);
    CHECK(colorsOf(view("--png depth", "depth.png")) > 10);
    // Where nothing was drawn nothing is counted, and everywhere else something is, at the very pixel.
    const auto differsFromFirst = [](const tessera::imagediff::Image& image, size_t at) {
        return !std::equal(image.rgba.begin(), image.rgba.begin() + 3, image.rgba.begin() + static_cast<long>(at));
    };
    const auto overdraw = view("--png overdraw", "overdraw.png"), written = view("--png written", "written.png");
    REQUIRE(written.rgba.size() == last.rgba.size());
    REQUIRE(overdraw.rgba.size() == last.rgba.size());
    size_t drawn = 0, wrong = 0;
    for (size_t at = 0; at < last.rgba.size(); at += 4) {
        drawn += differsFromFirst(last, at);
        wrong += differsFromFirst(written, at) != differsFromFirst(last, at);
        wrong += differsFromFirst(last, at) && !differsFromFirst(overdraw, at);
    }
    CHECK(drawn > 1000);
    CHECK(wrong == 0);
    CHECK(colorsOf(view("--png mesh", "mesh.png")) >= 2);
    CHECK(colorsOf(view("--png stencil", "stencil.png")) == 1);
}

TEST_CASE("a page has everything in it") {
    const Result result = run("inspect " + recordedDemo(work, "textured") + " --html " + work("page.html"));
    REQUIRE_MESSAGE(result.status == 0, result.output);
    const std::string page = read(work("page.html"));
    CHECK(page.starts_with("<!doctype html>"));
    CHECK(page.find("data:image/png;base64,") != std::string::npos);
    CHECK(page.find("texture2D") != std::string::npos);
    CHECK(page.find("overdraw") != std::string::npos);
    CHECK(page.find("src=\"http") == std::string::npos);
}

TEST_CASE("the window draws every view, also where there is no display") {
    const std::string file = recordedDemo(work, "textured");
    std::set<std::vector<uint8_t>> pictures;
    REQUIRE(run("inspect " + file + " --png color -o " + work("color.png")).status == 0);
    const auto color = pictureAt(work("color.png"));
    for (const char* tab : {"image", "textures", "mesh", "vertices", "pixel", "debugger", "chip"}) {
        CAPTURE(tab);
        const Result result = run("inspect " + file + " --png window --pixel 100,75 --size 900,600 --tab " + tab +
                                  " -o " + work("window.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        const auto image = pictureAt(work("window.png"));
        CHECK(image.width == 900);
        CHECK(image.height == 600);
        CHECK(colorsOf(image) > 20);
        // Commands, the state's names and values, the source and the instructions have text, whatever else is shown.
        CHECK(lightPixels(image, 45, 60, 326, 340) > 300);
        CHECK(lightPixels(image, 8, 370, 130, 590) > 300);
        CHECK(lightPixels(image, 135, 370, 312, 590) > 300);
        CHECK(lightPixels(image, 334, 390, 640, 590) > 100);
        CHECK(lightPixels(image, 690, 390, 830, 590) > 100);
        // So have the headings of the tables, on a ground of their own.
        for (const auto& [x, y] : {std::pair{120, 33}, {120, 350}, {355, 372}, {670, 372}})
            CHECK(std::equal(image.pixel(x, y), image.pixel(x, y) + 3, image.pixel(200, 33)));
        CHECK(lightPixels(image, 690, 372, 760, 386) > 50);
        CHECK(shows(image, color) == (std::string_view(tab) == "image"));
        if (std::string_view(tab) == "mesh") CHECK(lightPixels(image, 480, 108, 748, 306) > 200);  // its edges
        if (std::string_view(tab) == "textures") CHECK(isFilled(image, 340, 436, 78));  // the slider of the levels
        pictures.insert(image.rgba);
    }
    CHECK(pictures.size() == 7);
}

TEST_CASE("a program is recorded and looked at") {
    const Result result = run("inspect --frame 2 --no-costs --json -- " TESSERA_BINARY_DIR
                              "/bin/gears --headless --plain --frames 3 --time 1.5 --size 64x48 --out " +
                              work("program.png"));
    REQUIRE_MESSAGE(result.status == 0, result.output);
    // What the program says comes before, on standard error.
    const size_t start = result.output.find("{\n");
    REQUIRE_MESSAGE(start != std::string::npos, result.output);
    CHECK(draws(Json::parse(result.output.substr(start))).size() == 3);
}

TEST_CASE("what is no recording, or has not what was asked for, is refused with one message") {
    const std::string file = recordedDemo(work, "gears");
    const auto refused = [](const std::string& arguments, int status, const std::string& words) {
        const Result result = run("inspect " + arguments);
        CAPTURE(arguments);
        CHECK(result.status == status);
        CHECK_MESSAGE(result.says(words), result.output);
        CHECK(std::ranges::count(result.output, '\n') == 1);
    };
    const std::string whole = read(file);
    std::string older = whole;
    older[4] = 1;  // the version
    refused(work.write("older.tsc", older) + " --json", 1, "older.tsc: error: byte ");
    refused(work.write("empty.tsc", "") + " --json", 1, "empty.tsc: error: byte 0");
    refused(work.write("other.txt", "not one") + " --json", 1, "this is no recorded command stream");
    refused(work.write("cut.tsc", whole.substr(0, 100)) + " --json", 1, "cut.tsc: error: byte ");
    refused(work("nothing.tsc") + " --json", 2, "cannot be read");
    refused(file + " --frame 7 --json", 1, "there is no frame 7; it has ");
    refused(file + " --command 999 --json", 1, "there is no command 999");
    refused(file + " --png 'color 3' -o " + work("none.png"), 1, "draws to no color 3");
    refused(file + " --png color", 2, "no file for the picture");
    refused("", 2, "nothing to look at");
    refused("--json -- /nowhere/program", 2, "/nowhere/program: error: ");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    refused(file, 2, "no window: ");
}
