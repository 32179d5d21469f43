// tessera inspect of a program by itself, as a user has it, without a display: a kernel and a shader as reports and
// pictures, every view of the window, and what is refused. What is expected is worked out here.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/testing/inspected.h"

using tessera::tools::colorsOf;
using tessera::tools::jsonIn;
using tessera::tools::kLevelNames;
using tessera::tools::pictureAt;
using tessera::tools::read;
using tessera::tools::Result;
using tessera::tools::run;
using Json = nlohmann::json;

namespace {

const tessera::tools::TestFolder work("inspect_program_test");

// Each thread doubles its element into shared memory; behind the barrier it adds its own and the next one's (round the
// block), and counts itself. Even threads do one instruction more.
constexpr const char* kSums = R"(.compute
.group 40
.buffer b0 data constant
.buffer b1 sums
.buffer b2 count
.shared 160
    mad.i32 r0.x, block.x, block_size.x, thread.x
    shl.i32 r0.x, r0.x, 2
    shl.i32 r0.y, thread.x, 2
    ld.f32 r1.x, b0[r0.x]
    add r1.x, r1.x, r1.x
    st.f32 shared[r0.y], r1.x
    bar 0
    add.i32 r0.z, thread.x, 1
    mod.i32 r0.z, r0.z, 40
    shl.i32 r0.z, r0.z, 2
    ld.f32 r1.y, shared[r0.z]
    add r1.z, r1.x, r1.y
    st.f32 b1[r0.x], r1.z
    and.i32 r3.x, thread.x, 1
    seq.i32 p1, r3.x, 0
    (p1) mov r3.y, 1.0
    mov.u32 r2.y, 1
    atadd.u32 r2.x, b2[0], r2.y
    ret
)";
constexpr size_t kThreads = 40, kBlocks = 5, kInstructions = 19, kBarrier = 6, kGuarded = 15;

float element(size_t i) { return static_cast<float>(i % 7); }
float sum(size_t i) {
    const size_t block = i / kThreads * kThreads;
    return 2 * element(i) + 2 * element(block + (i + 1 - block) % kThreads);
}

/// The kernel's file with its options.
std::string sums(const std::string& more = "") {
    std::string bytes;
    for (size_t i = 0; i < kThreads * kBlocks; ++i) {
        const float value = element(i);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return work.write("sums.tsa", kSums) + " --grid 5 --in data=" + work.write("data.bin", bytes) +
           " --buffer sums=f32[200] --buffer count=u32[1] " + more;
}

Json jsonOf(const std::string& arguments) {
    const Result result = run("inspect " + arguments + " --json");
    REQUIRE_MESSAGE(result.status == 0, result.output);
    return jsonIn(result);
}

}  // namespace

TEST_CASE("a kernel as JSON has its launch, its memory before and after, and what its lines did") {
    const Json report = jsonOf(sums("--at 2"));
    CHECK(report["stage"] == "compute");
    CHECK(report["grid"] == Json({5, 1, 1}));
    CHECK(report["threads"] == Json({40, 1, 1}));
    // A block of 40 threads has two groups.
    CHECK(report["counters"]["blocks"] == kBlocks);
    CHECK(report["counters"]["groups"] == 2 * kBlocks);
    CHECK(report["counters"]["barriers"] == 2 * kBlocks);
    CHECK(report["counters"]["instructions"] == 2 * kBlocks * kInstructions);
    CHECK(report["counters"]["outOfRange"] == 0);
    CHECK(report["chip"]["cycles"].get<uint64_t>() > kInstructions);

    REQUIRE(report["buffers"].size() == 3);
    CHECK(report["buffers"][0]["changed"] == 0);
    const Json& written = report["buffers"][1];
    CHECK(written["name"] == "sums");
    CHECK(written["bytes"] == 800);
    CHECK(written["elements"] == "f32");
    size_t changed = 0;
    for (size_t i = 0; i < kThreads * kBlocks; ++i) {
        if (sum(i) == 0) continue;
        REQUIRE(changed < written["values"].size());
        const Json& value = written["values"][changed++];
        CHECK(value["index"] == i);
        CHECK(value["before"] == "0.0");
        CHECK(std::stof(value["after"].get<std::string>()) == sum(i));
    }
    CHECK(written["changed"] == changed);
    const Json& count = report["buffers"][2];
    CHECK(count["elements"] == "u32");
    CHECK(count["values"] == Json({{{"index", 0}, {"before", "0"}, {"after", "200"}}}));

    REQUIRE(report["blocks"].size() == kBlocks);
    // The guarded instruction is the even threads' alone.
    constexpr size_t kLanes = kThreads * (kInstructions - 1) + kThreads / 2;
    for (const Json& block : report["blocks"]) {
        CHECK(block["instructions"] == 2 * kInstructions);
        CHECK(block["lanes"] == kLanes);
        CHECK(block["barriers"] == 2);
    }
    const Json& code = report["program"]["code"];
    REQUIRE(code.size() == kInstructions);
    for (size_t pc = 0; pc < kInstructions; ++pc) {
        CHECK(code[pc]["issues"] == 2 * kBlocks);
        CHECK(code[pc]["lanes"] == (pc == kGuarded ? kThreads * kBlocks / 2 : kThreads * kBlocks));
    }
    uint64_t issued = 0;
    for (const Json& line : report["program"]["lines"]) issued += line["issued"].get<uint64_t>();
    CHECK(issued >= 2 * kBlocks * kInstructions);
}

TEST_CASE("the block that is looked at has its groups, lanes, and who came to which barrier when") {
    const Json at = jsonOf(sums("--at 2 --no-costs"))["at"];
    CHECK(at["block"] == Json({2, 0, 0}));
    REQUIRE(at["groups"].size() == 2);
    for (size_t group = 0; group < 2; ++group) {
        const Json& one = at["groups"][group];
        CHECK(one["instructions"] == kInstructions);
        for (size_t lane = 0; lane < 32; ++lane) {
            const bool isThere = group * 32 + lane < kThreads;
            CHECK(one["byLane"][lane] == (isThere ? kInstructions - lane % 2 : 0));
        }
    }
    // The second group comes when the first one waits.
    REQUIRE(at["barriers"].size() == 2);
    for (size_t group = 0; group < 2; ++group) {
        const Json& one = at["barriers"][group];
        CHECK(one["group"] == group);
        CHECK(one["barrier"] == 0);
        CHECK(one["pc"] == kBarrier);
        CHECK(one["line"] == 13);
        CHECK(one["instructions"] == kBarrier);
        CHECK(one["lanes"] == (group == 0 ? 32 : 8));
    }
}

TEST_CASE("memory is read as the program accesses it, where nobody says how") {
    const std::string file = work.write("bytes.tsa", R"(.compute
.group 32
.buffer b0 to
    shl.i32 r0.x, thread.x, 1
    mul.i32 r0.y, thread.x, -3
    st.i16 b0[r0.x], r0.y
    ret
)");
    const Result assembled = run("as " + file + " -o " + work("bytes.tsb"));
    REQUIRE_MESSAGE(assembled.status == 0, assembled.output);
    const Json buffer =
        jsonOf(file + " --no-costs --in to=" + work.write("zeros.bin", std::string(64, '\0')))["buffers"][0];
    CHECK(buffer["elements"] == "i16");
    CHECK(buffer["changed"] == 31);
    CHECK(buffer["values"][4] == Json({{"index", 5}, {"before", "0"}, {"after", "-15"}}));
    // A .tsb file is the same.
    CHECK(jsonOf(work("bytes.tsb") + " --no-costs --in to=" + work("zeros.bin"))["buffers"][0] == buffer);
}

TEST_CASE("a report of a kernel is the same for every tier and number of threads") {
    const Result usual = run("inspect --json " + sums());
    CHECK(usual.status == 0);
    setenv("TESSERA_THREADS", "3", 1);
    setenv("TESSERA_TIER", "interp", 1);
    setenv("TESSERA_SIMD", kLevelNames[0], 1);
    const Result other = run("inspect --json " + sums());
    unsetenv("TESSERA_THREADS");
    unsetenv("TESSERA_TIER");
    unsetenv("TESSERA_SIMD");
    CHECK(other.output == usual.output);
}

TEST_CASE("a kernel that is stopped says why, with all that ran until then") {
    const std::string file = work.write("divergent.tsa", R"(.compute
.group 64
.buffer b0 to
    mov.u32 r0.y, 7
    st.u32 b0[0], r0.y
    slt.i32 p1, thread.x, 3
    (p1) if
    bar 2
    endif
    ret
)");
    const Result result = run("inspect " + file + " --buffer to=u32[1] --json");
    CHECK(result.status == 1);
    const Json report = jsonIn(result);
    CHECK(report["problem"].get<std::string>().find("barrier 2 in line 8 in divergent code") != std::string::npos);
    CHECK(result.says("divergent.tsa: error: block (0, 0, 0), group 0"));
    CHECK(report["buffers"][0]["values"][0]["after"] == "7");
    CHECK(report["at"]["barriers"][0]["lanes"] == 3);

    const std::string endless = work.write("endless.tsa", ".compute\n.group 32\nloop\nendloop\nret\n");
    const Result stopped = run("inspect " + endless + " --budget 1000 --json");
    CHECK(stopped.status == 1);
    CHECK(jsonIn(stopped)["problem"].get<std::string>().find("budget") != std::string::npos);
}

TEST_CASE("a shader by itself has the outputs of its lanes") {
    const std::string file = work.write("half.frag", R"(precision highp float;
varying vec2 v_place;
uniform float u_scale;
void main() {
    if (v_place.x > 0.7) discard;
    gl_FragColor = vec4(v_place * u_scale, 0.25, 1.0);
}
)");
    const Json report = jsonOf(file + " --set v_place=0..1,0.5 --uniform u_scale=2 --lanes 5");
    CHECK(report["stage"] == "fragment");
    CHECK(report["chip"]["cycles"].get<uint64_t>() > 0);
    REQUIRE(report["at"]["groups"].size() == 1);
    const Json& lanes = report["at"]["groups"][0]["outputs"];
    REQUIRE(lanes.size() == 5);
    CHECK(lanes[1]["discarded"] == false);
    CHECK(lanes[1]["gl_FragColor"] == "0.5 1.0 0.25 1.0");
    CHECK(lanes[3]["discarded"] == true);
    CHECK(report["program"]["source"].get<std::string>().find("v_place * u_scale") != std::string::npos);
    CHECK(!report.contains("buffers"));
    const Result window = run("inspect " + file + " --lanes 40 --png window --size 900,600 -o " + work("shader.png"));
    REQUIRE_MESSAGE(window.status == 0, window.output);
    CHECK(colorsOf(pictureAt(work("shader.png"))) > 20);
}

TEST_CASE("a page and pictures of a kernel have everything in them") {
    const Result result = run("inspect " + sums("--html ") + work("page.html"));
    REQUIRE_MESSAGE(result.status == 0, result.output);
    const std::string page = read(work("page.html"));
    CHECK(page.starts_with("<!doctype html>"));
    for (const char* words : {"5 x 1 x 1 blocks of 40 x 1 x 1 threads", "class=\"c changed\"", "barriers", "atadd.u32",
                              "data:image/png;base64,", "cycles on the chip"})
        CHECK_MESSAGE(page.find(words) != std::string::npos, words);
    CHECK(page.find("src=\"http") == std::string::npos);
    REQUIRE(run("inspect " + sums("--png lanes -o ") + work("lanes.png")).status == 0);
    const auto lanes = pictureAt(work("lanes.png"));
    CHECK(lanes.width == 256);
    CHECK(lanes.height == 16);
    // Lanes that do one instruction less, and those that are not there.
    CHECK(colorsOf(lanes) == 3);
    REQUIRE(run("inspect " + sums("--png blocks -o ") + work("blocks.png")).status == 0);
    CHECK(pictureAt(work("blocks.png")).width == 255);
    CHECK(colorsOf(pictureAt(work("blocks.png"))) == 1);
}

TEST_CASE("the window of a kernel draws every view, also where there is no display") {
    std::set<std::vector<uint8_t>> pictures;
    for (const char* tab : {"memory", "barriers", "debugger", "chip"}) {
        CAPTURE(tab);
        const Result result =
            run("inspect " + sums("--png window --size 900,600 --tab ") + tab + " -o " + work("window.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        const auto image = pictureAt(work("window.png"));
        CHECK(image.width == 900);
        CHECK(image.height == 600);
        CHECK(colorsOf(image) > 20);
        // The first and the third line have one ground: none is marked where no debugger is at one.
        if (std::string_view(tab) == "memory")
            CHECK(std::equal(image.pixel(600, 352), image.pixel(600, 352) + 3, image.pixel(600, 386)));
        pictures.insert(image.rgba);
    }
    CHECK(pictures.size() == 4);
}

TEST_CASE("what does not suit the program is refused with one message") {
    const auto refused = [](const std::string& arguments, int status, const std::string& words) {
        const Result result = run("inspect " + arguments);
        CAPTURE(arguments);
        CHECK(result.status == status);
        CHECK_MESSAGE(result.says(words), result.output);
        CHECK(std::ranges::count(result.output, '\n') == 1);
    };
    refused(sums("--frame 2"), 2, "sums.tsa: error: --frame is for frames");
    refused(sums("--pixel 1,2"), 2, "sums.tsa: error: --pixel is for frames");
    refused(sums("--set x=1"), 2, "sums.tsa: error: --set does nothing for a compute program");
    refused(sums("--tab image"), 2, "--tab image is not for a compute program");
    refused(sums("--png depth -o x.png"), 2, "--png depth is not for a compute program");
    refused(sums("--png lanes"), 2, "no file for the picture");
    refused(sums("--at 5"), 1, "--at 5,0,0: the grid has 5 x 1 x 1 blocks");
    refused(work("sums.tsa") + " --in nothing=x.bin", 1, "there is no buffer 'nothing'; there are: data sums count");
    refused(work.write("plain.frag", "void main() { gl_FragColor = vec4(1.0); }") + " --grid 2", 2,
            "--grid is for compute programs");
    refused(work("plain.frag") + " --tab memory", 2, "--tab memory is not for a shader by itself");
    refused(work.write("none.tsc", "") + " --grid 2", 2, "--grid is for a program by itself");
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    refused(sums(), 2, "no window: ");
}

TEST_CASE("a trace without the tool that replays it is one message") {
    const std::string trace = work.write("game.trace", "at");
    setenv("PATH", "/nowhere", 1);
    const Result result = run("inspect " + trace + " --json");
    CHECK(result.status == 2);
    CHECK(result.says(
        "game.trace: error: it takes eglretrace to replay it, which is not installed: apt install apitrace"));
    CHECK(std::ranges::count(result.output, '\n') == 1);
}
