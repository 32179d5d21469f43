// tessera commands, as a user has it: demos are recorded, listed and replayed, and what is broken is refused.
#include <doctest/doctest.h>

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

using tessera::tools::read;
using tessera::tools::Result;
using tessera::tools::run;

namespace {

const tessera::tools::TestFolder work("commands_test");

/// Two frames of a demo, recorded; its last frame is NAME.png. `frames`: of them, or all.
Result record(const std::string& demo, const std::string& frames = "") {
    const std::string range = frames.empty() ? "" : " TESSERA_COMMANDS_FRAME=" + frames;
    return run("exec env TESSERA_COMMANDS=" + work(demo + ".tsc") + range + " " + TESSERA_BINARY_DIR "/bin/" + demo +
               " --frames 2 --time 1.5 --size 200x150 --out " + work(demo + ".png"));
}

Result replay(const std::string& demo, const char* tier, const char* threads) {
    setenv("TESSERA_TIER", tier, 1);
    setenv("TESSERA_THREADS", threads, 1);
    Result result = run("commands " + work(demo + ".tsc") + " --replay -o " + work("replayed.png"));
    unsetenv("TESSERA_TIER");
    unsetenv("TESSERA_THREADS");
    return result;
}

}  // namespace

TEST_CASE("demos are replayed to their pictures, on every tier and number of threads") {
    for (const std::string demo : {"gears", "textured"}) {
        CAPTURE(demo);
        const Result recorded = record(demo);
        REQUIRE_MESSAGE(recorded.status == 0, recorded.output);
        for (const char* tier : {"interp", "jit"})
            for (const char* threads : {"1", "3"}) {
                const Result result = replay(demo, tier, threads);
                CHECK_MESSAGE(result.status == 0, result.output);
                CHECK(result.says("all are the same to the byte"));
                CHECK(run("diff " + work("replayed.png") + " " + work(demo + ".png")).status == 0);
            }
    }
}

TEST_CASE("one frame is recorded, listed and replayed") {
    REQUIRE(record("textured", "2").status == 0);
    const Result result = replay("textured", "interp", "1");
    CHECK_MESSAGE(result.status == 0, result.output);
    CHECK(run("diff " + work("replayed.png") + " " + work("textured.png")).status == 0);

    const Result listing = run("commands " + work("textured.tsc"));
    CHECK(listing.status == 0);
    CHECK(listing.says("     1  "));
    CHECK(listing.says("  draw            triangle"));
    CHECK(listing.says("depth test on"));
    CHECK(listing.says("  clear           "));
    CHECK(listing.says(", 1 ends of frames; "));
    const auto json = nlohmann::json::parse(run("commands --json " + work("textured.tsc")).output);
    size_t draws = 0, ends = 0;
    for (const auto& line : json) {
        draws += line["command"] == "draw";
        ends += line["command"] == "end frame";
        if (line["command"] == "draw") CHECK(line["fields"]["count"].get<int>() > 0);
    }
    CHECK(draws > 0);
    CHECK(ends == 1);
    // The listing's last state is the JSON's: it says of each draw what is another than before.
    CHECK(json.back()["number"].get<size_t>() ==
          json.size() -
              std::count_if(json.begin(), json.end(), [](const auto& line) { return line["command"] == "contents"; }));
}

TEST_CASE("a kernel is recorded, listed and replayed") {
    work.write("number.tsa",
               ".compute\n.group 32\n.buffer b0 data\n    mad.u32 r0.x, block.x, block_size.x, thread.x\n"
               "    shl.u32 r1.x, r0.x, 2\n    st b0[r1.x], r0.x\n    ret\n");
    setenv("TESSERA_COMMANDS", work("kernel.tsc").c_str(), 1);
    const Result ran = run("run " + work("number.tsa") + " --grid 4 --buffer data=u32[128] --tier interp");
    unsetenv("TESSERA_COMMANDS");
    REQUIRE_MESSAGE(ran.status == 0, ran.output);
    const Result listing = run("commands " + work("kernel.tsc.compute-1"));
    CHECK_MESSAGE(listing.says("     1  dispatch        program 1"), listing.output);
    CHECK(listing.says("grid x 4"));
    CHECK(listing.says("buffer 1 (512)"));
    for (const char* tier : {"interp", "jit", "tiered"}) {
        setenv("TESSERA_TIER", tier, 1);
        const Result result = run("commands --replay " + work("kernel.tsc.compute-1"));
        CHECK_MESSAGE(result.status == 0, result.output);
        CHECK(result.says("1 commands replayed"));
        CHECK(result.says("of 1 recorded contents all are the same to the byte"));
    }
    unsetenv("TESSERA_TIER");
}

TEST_CASE("files that are no recording, or a broken one, are refused with the place") {
    REQUIRE(record("gears", "2").status == 0);
    const std::string whole = read(work("gears.tsc"));
    const Result cut = run("commands " + work.write("cut.tsc", whole.substr(0, whole.size() / 2)));
    CHECK(cut.status == 1);
    CHECK(cut.says("cut.tsc: error: byte "));
    CHECK(cut.says("cut short"));
    std::string changed = whole;
    changed[whole.size() / 2] = static_cast<char>(~changed[whole.size() / 2]);
    const Result damaged = run("commands --replay " + work.write("changed.tsc", changed));
    CHECK(damaged.status == 1);
    CHECK(damaged.says("changed.tsc: error: byte "));
    const Result other = run("commands " + work.write("other.tsc", "not one"));
    CHECK(other.status == 1);
    CHECK(other.says("other.tsc: error: byte 0: this is no recorded command stream; TESSERA_COMMANDS=FILE writes one"));
    CHECK(run("commands " + work("gears.tsc") + " -o x.png").status == 2);
    CHECK(run("commands " + work("nothing.tsc")).status == 2);
}

TEST_CASE("a frame that is never reached leaves no file") {
    std::filesystem::remove(work("gears.tsc"));
    const Result result = record("gears", "9");
    CHECK(result.says("the program ended before that frame"));
    for (const auto& file : std::filesystem::directory_iterator(work("")))
        CHECK(!file.path().filename().string().starts_with("gears.tsc"));
}
