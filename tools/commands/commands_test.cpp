// tessera commands, as a user has it: demos are recorded, listed and replayed, and what is broken is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

using tessera::tools::read;
using tessera::tools::Result;
using tessera::tools::run;

namespace {

const tessera::tools::TestFolder work("commands_test");

/// Five frames of gears that write FILES, variables with their values; the program ends behind frame 2 by a signal, or
/// by _exit().
Result endedAtFrame2(const std::string& files, int signal) {
    return run("exec env " + files + " LD_PRELOAD=" ENDS_AT_FRAME " ENDS_AT_FRAME=2 ENDS_BY=" + std::to_string(signal) +
               " " TESSERA_BINARY_DIR "/bin/gears --frames 5 --size 64x48 --out " + work("never.png"));
}

/// The names of files that begin so.
std::vector<std::string> filesLike(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(work("")))
        if (entry.path().filename().string().starts_with(name)) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

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
            for (const std::string threads : {"1", "3"}) {
                const Result result = replay(demo, tier, threads.c_str());
                CHECK_MESSAGE(result.status == 0, result.output);
                CHECK_MESSAGE(result.says(threads == "1" ? ", 1 thread)" : ", 3 threads)"), result.output);
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

TEST_CASE("of a program that is killed, crashes or leaves by _exit() the whole frames are read") {
    for (const int signal : {SIGKILL, SIGTERM, SIGSEGV, 0}) {
        CAPTURE(signal);
        std::filesystem::remove_all(work(""));
        const Result ended = endedAtFrame2("TESSERA_COMMANDS=" + work("killed.tsc"), signal);
        CHECK_MESSAGE(ended.status == (signal == 0 ? 0 : 128 + signal), ended.output);
        CHECK(!std::filesystem::exists(work("never.png")));
        CHECK(filesLike("killed.tsc") == std::vector<std::string>{"killed.tsc"});
        const Result listing = run("commands " + work("killed.tsc"));
        CHECK(listing.status == 0);
        CHECK(listing.says("killed.tsc: warning: the recording was not ended: 2 whole frames, nothing left out"));
        CHECK(listing.says(" commands, 2 ends of frames"));
        const std::string whole = read(work("killed.tsc"));
        (void)work.write("cut.tsc", whole.substr(0, whole.size() - 30));
        const Result cut = run("commands --replay " + work("cut.tsc"));
        CHECK_MESSAGE(cut.status == 0, cut.output);
        CHECK(cut.says("cut.tsc: warning: the last frame is cut off: 1 whole frame, "));
        CHECK(cut.says("all are the same to the byte"));
        for (const char* verb : {"model --summary ", "trim "}) {
            const Result result = run(verb + work("killed.tsc"));
            CHECK_MESSAGE(result.status == 0, result.output);
            CHECK(result.says("2 whole frames, nothing left out"));
        }
    }
}

TEST_CASE("a recording in which nothing is whole leaves the one before, and the reader says where it is") {
    std::filesystem::remove_all(work(""));
    REQUIRE(record("gears").status == 0);
    CHECK(run("commands " + work("gears.tsc")).output.find("note: ") == std::string::npos);
    const std::string whole = read(work("gears.tsc"));
    (void)endedAtFrame2("TESSERA_COMMANDS_FRAME=3 TESSERA_COMMANDS=" + work("gears.tsc"), SIGKILL);
    const std::vector<std::string> files = filesLike("gears.tsc");
    REQUIRE(files.size() == 2);
    CHECK(files[1].ends_with(".part"));
    CHECK(read(work("gears.tsc")) == whole);
    const std::string note = files[1] + ": note: a program that was to record into " + work("gears.tsc");
    const Result both = run("commands " + work("gears.tsc"));
    CHECK(both.status == 0);
    CHECK_MESSAGE(both.says(note), both.output);
    // An older one is of no interest.
    std::filesystem::last_write_time(work(files[1]),
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    CHECK(!run("commands " + work("gears.tsc")).says(note));
    std::filesystem::remove(work("gears.tsc"));
    const Result alone = run("commands " + work("gears.tsc"));
    CHECK(alone.status == 2);
    CHECK(alone.says(note));
    const Result named = run("commands " + work(files[1]));
    CHECK(named.status == 1);
    CHECK(named.says("error: byte 16: the file is cut off here, and no command buffer before is whole"));
}

TEST_CASE("traces, texel streams and probes of a program that is killed hold what is whole") {
    std::filesystem::remove_all(work(""));
    const std::string request = work.write("request", R"({"frame": 0, "pixels": [[32, 24]], "capture": ")" +
                                                          work("capture") + R"(", "picture": ")" + work("picture") +
                                                          R"(", "report": ")" + work("report") + "\"}");
    (void)endedAtFrame2(
        "TESSERA_TRACE=" + work("trace") + " TESSERA_TEXTURE_STREAM=" + work("stream") + " TESSERA_PROBE=" + request,
        SIGKILL);
    CHECK(filesLike("") == std::vector<std::string>{"capture", "picture", "report", "request", "stream", "trace"});
    const std::string trace = read(work("trace"));
    CHECK(trace.find("\nbuffer ") != std::string::npos);
    CHECK(trace.ends_with("\n"));
    CHECK(nlohmann::json::parse(read(work("report")), nullptr, false).value("complete", false));
    CHECK(run("dbg --script " + work.write("script", "where\n") + " --capture " + work("capture")).status == 0);
    CHECK(read(work("stream")).starts_with("TSTREAM2"));
    CHECK(read(work("picture")).size() == 64 * 48 * 4);
    // What is there is another process's, and stays as it is, with all that belongs to it.
    (void)work.write("capture", "first");
    (void)endedAtFrame2("TESSERA_PROBE=" + request, SIGKILL);
    CHECK(read(work("capture")) == "first");
    CHECK(filesLike("") ==
          std::vector<std::string>{"capture", "picture", "report", "request", "script", "stream", "trace"});
}

TEST_CASE("files that are no recording, or a broken one, are refused with the place") {
    REQUIRE(record("gears", "2").status == 0);
    const std::string whole = read(work("gears.tsc"));
    const Result cut = run("commands " + work.write("cut.tsc", whole.substr(0, whole.size() / 2)));
    CHECK(cut.status == 1);
    CHECK(cut.says("cut.tsc: error: byte "));
    CHECK(cut.says("the file is cut off here, and no command buffer before is whole"));
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

TEST_CASE("recordings that the fuzzer begins with are of the version that is read") {
    int read = 0;
    for (const auto& file : std::filesystem::directory_iterator(TESSERA_SOURCE_DIR "/tests/fuzz/seeds/commands")) {
        const Result listed = run("commands " + file.path().string());
        CHECK_MESSAGE(listed.status == 0, listed.output);
        ++read;
    }
    CHECK(read >= 5);
}

TEST_CASE("a frame that is never reached leaves no file") {
    std::filesystem::remove(work("gears.tsc"));
    const Result result = record("gears", "9");
    CHECK(result.says("the program ended before that frame"));
    for (const auto& file : std::filesystem::directory_iterator(work("")))
        CHECK(!file.path().filename().string().starts_with("gears.tsc"));
}
