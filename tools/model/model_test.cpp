// tessera model, as a user has it: a frame of a demo and kernels are recorded, kept, and read again.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <sstream>

#include "tools/testing/command.h"

using tessera::tools::read;
using tessera::tools::Result;
using tessera::tools::run;

namespace {

const tessera::tools::TestFolder work("model_test");

Result recordGears(const std::string& file, const char* threads, const std::string& options = "") {
    setenv("TESSERA_THREADS", threads, 1);
    Result result = run("model --summary --save " + work(file) + " " + options +
                        " -- " TESSERA_BINARY_DIR
                        "/bin/gears --headless --plain --quiet --frames 3 --time 1.5 --size 200x150 --out " +
                        work("gears.png"));
    unsetenv("TESSERA_THREADS");
    // The demo's own last line: it may have been stopped before, as its frame was there.
    if (const size_t at = result.output.find("gears: wrote "); at != std::string::npos)
        result.output.erase(at, result.output.find('\n', at) + 1 - at);
    return result;
}

}  // namespace

TEST_CASE("a frame of a program is the same workload for any number of threads, and read again") {
    const Result one = recordGears("one.tsw", "1"), three = recordGears("three.tsw", "3");
    REQUIRE_MESSAGE(one.status == 0, one.output);
    CHECK(one.says("gears, frame 2, 200x150\n"));
    CHECK(one.says("3 draws"));
    CHECK(one.says("end of frame 2\n"));
    CHECK(one.output == three.output);
    CHECK(read(work("one.tsw")) == read(work("three.tsw")));
    CHECK(run("model --summary " + work("one.tsw")).output == one.output);
    const Result report = run("model " + work("one.tsw"));
    CHECK_MESSAGE(report.status == 0, report.output);
    CHECK(report.says("cycles"));
}

TEST_CASE("what the summary of two frames counts is what those of each count together") {
    const auto counted = [](const char* frames) {
        const Result result = run(std::string("model --summary --frames ") + frames +
                                  " -- " TESSERA_BINARY_DIR
                                  "/bin/gears --headless --plain --quiet --frames 3 --time 1.5 --size 64x48 --out " +
                                  work("gears.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        // The totals are in indented lines; behind them is one for each command.
        std::vector<uint64_t> counts;
        std::istringstream lines(result.output);
        const std::regex number("[0-9]+");
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with("  "))
                for (std::sregex_iterator i(line.begin(), line.end(), number), end; i != end; ++i)
                    counts.push_back(std::stoull(i->str()));
        return counts;
    };
    const std::vector<uint64_t> second = counted("2"), third = counted("3"), both = counted("2..3");
    REQUIRE(both.size() > 20);
    REQUIRE(second.size() == both.size());
    REQUIRE(third.size() == both.size());
    for (size_t i = 0; i < both.size(); ++i) CHECK(both[i] == second[i] + third[i]);
}

TEST_CASE("frames of a program, and launches, count the same for any number of threads") {
    for (const char* demo : {"gears", "textured"}) {
        const std::string file = work(std::string(demo) + ".tsw");
        const Result frames =
            run("model --threads 1 --json --frames 2..4 --save " + file + " -- " TESSERA_BINARY_DIR "/bin/" + demo +
                " --headless --plain --quiet --frames 5 --time 1.5 --size 100x75 --out " + work("frames.png"));
        REQUIRE_MESSAGE(frames.status == 0, frames.output);
        CHECK(frames.says(std::string(demo) + ", frames 2 to 4"));
        CHECK(frames.says("\"frames\": 3"));
        CHECK(frames.says("end of frame 4"));
        const Result again = run("model --threads 1 --json " + file);
        CHECK(frames.output.ends_with(again.output));
        for (const char* threads : {"2", "3", "8"})
            CHECK(run(std::string("model --json --threads ") + threads + " " + file).output == again.output);
    }
    for (const char* kernel : {"kmeans_5", "gaussian"})
        CHECK(run(std::string("model --threads 1 --json ") + kernel).output ==
              run(std::string("model --threads 3 --json ") + kernel).output);
    CHECK(run("model --frames 4..2 gears.tsw").says("give a frame, from 1, or A..B"));
    CHECK(run("model --frames 0 gears.tsw").status != 0);
}

TEST_CASE("kernels of the suite, and compute programs with their buffers") {
    CHECK(run("model --list").says("fft_256"));
    const Result fft = run("model --summary fft_256");
    CHECK_MESSAGE(fft.status == 0, fft.output);
    CHECK(fft.says("1 launches"));
    const std::string program =
        work.write("copy.tsa",
                   ".compute\n.group 32\n.buffer b0 from\n.buffer b1 to\nshl.i32 r0.x, thread.w, 2\nld r1.x, b0[r0.x]\n"
                   "st b1[r0.x], r1.x\nret\n");
    const Result copy = run("model --summary " + program + " --buffer from=f32[32] --buffer to=f32[32]");
    CHECK_MESSAGE(copy.status == 0, copy.output);
    CHECK(copy.says("4 instructions of groups: 1 arithmetic, 1 control, 2 memory"));
    CHECK(copy.says("64 words of memory"));
    const Result refused = run("model " + program + " --buffer from=f32[32] --buffer to=f32[32] --preset " +
                               work.write("less.toml", "from = 'tessera'\nwithout = ['shl']\n"));
    CHECK(refused.status == 1);
    CHECK(refused.says(":5:1: error: less has no shl.i32"));
}

TEST_CASE("a recorded compute device is known by its name and by what it contains") {
    const std::string program = work.write(
        "store.tsa", ".compute\n.group 32\n.buffer b0 to\nshl.i32 r0.x, thread.w, 2\nst b0[r0.x], r0.x\nret\n");
    setenv("TESSERA_COMMANDS", work("store.tsc").c_str(), 1);
    REQUIRE(run("run " + program + " --grid 3 --buffer to=f32[32]").status == 0);
    unsetenv("TESSERA_COMMANDS");
    std::filesystem::copy_file(work("store.tsc.compute-1"), work("store"),
                               std::filesystem::copy_options::overwrite_existing);
    for (const char* name : {"store.tsc.compute-1", "store"}) {
        const Result result = run("model --summary " + work(name));
        CHECK_MESSAGE(result.status == 0, result.output);
        CHECK(result.says("launch 1: 3 blocks of 32 threads"));
    }
    CHECK(run("model " + work("missing.tsc.compute-1")).says("cannot be read: No such file"));
}

TEST_CASE("options that would do nothing for what is modelled are refused") {
    const std::string kernel = work.write("end.tsa", ".compute\nret\n");
    const auto refused = [](const std::string& what, const std::string& option, const std::string& why) {
        CAPTURE(what);
        CAPTURE(option);
        const Result result = run("model --summary " + what + " " + option);
        CHECK(result.status == 2);
        CHECK(result.says(what + ": error: " + option.substr(0, option.find(' ')) + " " + why));
    };
    for (const char* option : {"--grid 2", "--block 2", "--uniform a=1", "--in a=b", "--buffer a=u8[1]", "--budget 2"})
        for (const char* what : {"own.tsw", "own.tsc", "fft_32", "/bin/true"})
            refused(what, option, "is for compute programs");
    for (const std::string& what : {std::string("own.tsw"), std::string("own.tsc"), kernel, std::string("/bin/true")})
        refused(what, "--size paper", "is for kernels of the suite");
    for (const std::string& what : {std::string("own.tsw"), std::string("own.tsc"), kernel, std::string("fft_32")})
        refused(what, "--timeout 3", "is for programs that are run");
    for (const std::string& what : {std::string("own.tsw"), kernel, std::string("fft_32")})
        refused(what, "--frames 2", "is for programs that are run and for recorded command streams");
    CHECK(run("model --summary --block 4 --grid 2 " + kernel).says("end: 2 blocks of 4 threads"));
}

TEST_CASE("what cannot be modelled is said in a line") {
    CHECK(run("model").says("error: nothing to model"));
    CHECK(run("model " + work("missing.tsw")).status == 2);
    const Result broken = run("model " + work.write("broken.tsw", "TSW"));
    CHECK(broken.status == 1);
    CHECK(broken.says("broken.tsw: error: byte 0: this is no workload"));
    CHECK(run("model " + work.write("broken.tsc", "TSC")).status == 1);
    const Result other = run("model -- true");
    CHECK(other.status == 2);
    CHECK(other.says("true: error: it ended with status 0 without loading Tessera"));
    const Result late = recordGears("late.tsw", "1", "--frame 9");
    CHECK(late.status == 2);
    CHECK(late.says("before frame 9; try an earlier one (--frames)"));
}
