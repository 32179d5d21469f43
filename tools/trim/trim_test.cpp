// tessera trim and --preset as a user runs them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/testing/command.h"

namespace tessera::tools {
namespace {

const TestFolder work("trim_tool_test");
const std::string kRoot = std::string(" --root ") + TESSERA_SOURCE_DIR + " ";

const char* const kScale =
    ".compute\n.buffer b0 data\n.uniform c0 k float\n    shl.i32 r0.x, thread.x, 2\n    ld.f32 r1.x, b0[r0.x]\n"
    "    mul r1.x, r1.x, k\n    st.f32 b0[r0.x], r1.x\n    ret\n";

TEST_CASE("trim describes what a program needs and writes a machine that runs it to the same bytes") {
    const std::string program = work.write("scale.tsa", kScale), machine = work("scale.toml");
    const Result trimmed = run("trim " + program + " -o " + machine);
    CHECK(trimmed.status == 0);
    CHECK(trimmed.says("# tessera trimmed to what scale.tsa needs"));
    CHECK(trimmed.says("| instructions by type | 5 | 159 |"));
    CHECK(trimmed.says("Instructions: mul.f32 ret shl.i32 ld.f32 st.f32."));
    CHECK(trimmed.says("| stack of ifs, loops and calls | 0 | 64 |"));
    const std::string launch = "run " + program + " --grid 2 --buffer data=f32[64] --uniform k=2 ";
    REQUIRE(run(launch + "--out data=" + work("whole.npy")).status == 0);
    REQUIRE(run(launch + "--preset " + machine + " --out data=" + work("trimmed.npy")).status == 0);
    CHECK(!read(work("whole.npy")).empty());
    CHECK(read(work("whole.npy")) == read(work("trimmed.npy")));
}

TEST_CASE("a trimmed machine refuses a removed instruction at its place, and nothing is run") {
    const std::string machine = work("scale2.toml");
    REQUIRE(run("trim " + work.write("scale.tsa", kScale) + " -o " + machine).status == 0);
    const std::string other = work.write("other.tsa",
                                         ".compute\n.buffer b0 data\n    ld.f32 r0.x, b0[0]\n  sin r0.x, r0.x\n"
                                         "    st.f32 b0[0], r0.x\n    ret\n");
    const Result refused =
        run("run " + other + " --preset " + machine + " --buffer data=f32[4] --out data=" + work("no.npy"));
    CHECK(refused.status == 1);
    CHECK(refused.says(other +
                       ":4:3: error: scale2 has no sin: its transcendental unit is without polynomial evaluator; "
                       "trim the machine with this program too, or run it on a preset that has more"));
    CHECK_FALSE(std::filesystem::exists(work("no.npy")));
    // GLSL: the line of the shader.
    const std::string shader = work.write("red.frag",
                                          "precision mediump float;\nvoid main() {\n"
                                          "  gl_FragColor = vec4(1.0, 0.0, 0.0, 1.0);\n}\n");
    REQUIRE(run("trim " + shader + " -o " + work("red.toml")).status == 0);
    CHECK(run("run " + shader + " --preset " + work("red.toml")).status == 0);
    const std::string blue = work.write("blue.frag",
                                        "precision mediump float;\nvarying float v;\nvoid main() {\n"
                                        "  gl_FragColor = vec4(0.0, 0.0, exp2(v), 1.0);\n}\n");
    const Result line = run("run " + blue + " --preset " + work("red.toml"));
    CHECK(line.status == 1);
    CHECK(line.says("blue.frag:4:3: error: red has no ex2"));
    CHECK(run("run " + blue + " --preset tessera").status == 0);
}

TEST_CASE("trim takes the programs of a recorded compute device, by its name or by what it contains") {
    setenv("TESSERA_COMMANDS", work("kernel.tsc").c_str(), 1);
    REQUIRE(run("run " + work.write("scale.tsa", kScale) + " --buffer data=f32[32]").status == 0);
    unsetenv("TESSERA_COMMANDS");
    std::filesystem::copy_file(work("kernel.tsc.compute-1"), work("kernel"),
                               std::filesystem::copy_options::overwrite_existing);
    for (const char* name : {"kernel.tsc.compute-1", "kernel"}) {
        const Result trimmed = run("trim " + work(name));
        CHECK_MESSAGE(trimmed.status == 0, trimmed.output);
        CHECK(trimmed.says(std::string(name) + ", program 1: 5 instructions"));
        CHECK(trimmed.says("Instructions: mul.f32 ret shl.i32 ld.f32 st.f32."));
    }
}

TEST_CASE("trim fills the free area, and reports as JSON and as a plot") {
    const std::string program = work.write("scale.tsa", kScale), report = work("scale.json"), plot = work("mix.svg");
    CHECK(run("trim " + program + " --preset miaow2 -o " + work("cores.toml") + " --refill cores --report " + report +
              " --plot " + plot)
              .output.empty());
    const auto json = nlohmann::json::parse(read(report));
    REQUIRE(json.size() == 1);
    CHECK(json[0]["needs"]["temporaries"] == 2);
    CHECK(json[0]["mix"]["mul float"] == 1);
    CHECK(json[0]["mix"]["memory"] == 2);
    const double before = json[0]["before"]["lut"], after = json[0]["after"]["lut"];
    CHECK(after < before);
    CHECK(run("trim " + program + " --preset miaow2")
              .says("| saved | | " + std::to_string(std::lround(100 * (1 - after / before))) + " % | "));
    const int processors = json[0]["cores"]["processors"];
    CHECK(processors > 1);
    CHECK(read(work("cores.toml")).find("processors = [" + std::to_string(processors) + ", \"ours: as many as fit") !=
          std::string::npos);
    CHECK(read(plot).find("scale.tsa: mul float 20.0 %") != std::string::npos);
}

TEST_CASE("an area may be that on a device, in parts of what that holds") {
    const std::string program = work.write("scale.tsa", kScale), report = work("device.json");
    const Result table = run("trim " + program), device = run("trim " + program + " --device spartan7");
    CHECK_FALSE(table.says("| of "));
    CHECK(device.says("| of Xilinx Spartan-7 XC7S50 | "));
    REQUIRE(run("trim " + program + " --device agilex --report " + report).status == 0);
    const auto json = nlohmann::json::parse(read(report));
    CHECK(json[0]["holds"]["bram"] == 237);
    double lut = 0;
    for (const auto& part : json[0]["parts"]) lut += part["lut"].get<double>();
    CHECK(lut == doctest::Approx(json[0]["before"]["lut"].get<double>()));
}

TEST_CASE("the cycle model runs what is proposed, and a warning tells where the prediction is another") {
    const std::string report = work("model.json");
    // Two cores divide the prefetch memory, in which the data had room before.
    const Result cores = run("trim matrix_add_int --preset miaow2 --report " + report + kRoot);
    CHECK(cores.status == 0);
    CHECK_MESSAGE(cores.says("warning: 2 block processors instead of 1: predicted 2.00 times as fast, by the cycle "
                             "model 0.0"),
                  cores.output);
    CHECK(cores.says("bound by: relay of memory, 9"));
    const auto json = nlohmann::json::parse(read(report));
    CHECK(json[0]["modelled"]["work"] == "matrix_add_int, 512x512");
    CHECK(json[0]["cores"]["cycles"] > 10 * json[0]["modelled"]["before"].get<double>());
    // What is trimmed away was not needed.
    CHECK(json[0]["modelled"]["after"] == json[0]["modelled"]["before"]);

    // Where data fit into either memory it is as predicted, and nothing is said of cores.
    const Result fits = run("trim transpose --preset miaow2" + kRoot);
    CHECK(fits.says("| machine | predicted speed-up | by the cycle model | power |"));
    CHECK_FALSE(fits.says("warning: 2 block processors"));
    CHECK(fits.says("warning: 32 lanes instead of 16: predicted 2.00 times as fast, by the cycle model 1.00"));
    CHECK(fits.says("**Not as predicted.** 32 lanes instead of 16: "));
    CHECK(fits.says("; bound by: block processors, 9"));
    CHECK(fits.says(" % unit taken by another group"));
    CHECK(fits.says("The cycle model ran transpose, 512x512."));
    // A kernel of several programs has a name, too, and is run at a size that takes seconds.
    CHECK(run("trim kmeans_5 --preset miaow2" + kRoot).says("The cycle model ran kmeans_5, 512 points"));

    // Work may be named, also for programs of which no run is known.
    const std::string program = work.write("scale.tsa", kScale);
    CHECK(run("trim " + program).says("Not modelled: it is not known what the programs are run on"));
    REQUIRE(
        run("model --summary --save " + work("scale.tsw") + " --buffer data=f32[64] --uniform k=2 --grid 2 " + program)
            .status == 0);
    CHECK(run("trim " + program + " --work " + work("scale.tsw")).says("The cycle model ran scale."));
    const Result other = run("trim " + program + " --work transpose");
    CHECK(other.status == 1);
    CHECK(other.says("transpose: error: transpose:"));
    CHECK(run("trim matrix_add_int --no-model" + kRoot).says("| machine | predicted speed-up | power |"));
}

TEST_CASE("names stand for the repository's programs, which make one machine or one each") {
    CHECK(run("trim phong" + kRoot).says("demos/shaders/phong.vert"));
    const Result each = run("trim kmeans_assign kmeans_update phong --each" + kRoot);
    CHECK(each.status == 0);
    CHECK(each.says("**kernels**"));
    CHECK(each.says("**demos in GLSL**"));
    const auto lutSaved = [&](const std::string& row) {
        const size_t percent = each.output.find('%', each.output.find("\n| " + row + " |"));
        return std::stoi(each.output.substr(each.output.rfind('|', percent) + 1));
    };
    const int assign = lutSaved("kmeans_assign"), update = lutSaved("kmeans_update");
    REQUIRE(assign != update);
    CHECK(lutSaved("*least*") == std::min(assign, update));
    CHECK(lutSaved("*mean*") == doctest::Approx((assign + update) / 2.0).epsilon(0.02));
    CHECK(lutSaved("*most*") == std::max(assign, update));
    const Result wrong = run("trim kmeans_asign" + kRoot);
    CHECK(wrong.status == 2);
    CHECK(wrong.says("neither a file nor a kernel or demo of"));
    CHECK(wrong.says("did you mean kmeans_assign?"));
}

TEST_CASE("bad input is one message") {
    const std::string program = work.write("scale.tsa", kScale);
    const auto lines = [](const Result& result) {
        return std::count(result.output.begin(), result.output.end(), '\n');
    };
    const auto refused = [&](const std::string& arguments, int status) {
        const Result result = run(arguments);
        CAPTURE(arguments);
        CAPTURE(result.output);
        CHECK(result.status == status);
        CHECK(lines(result) == 1);
        return result;
    };
    refused("trim " + work("missing.tsa"), 2);
    refused("trim " + work.write("noise.tsb", "TSB1 noise"), 1);
    refused("trim " + work.write("noise.tsc", "TSC1 noise"), 1);
    CHECK(refused("trim " + program + " --preset tesera", 1).says("did you mean tessera?"));
    CHECK(
        refused("trim " + program + " --preset " + work.write("bad.toml", "from = 'tessera'\nwithout = ['sine']\n"), 1)
            .says("bad.toml:2:12: error: no instruction is called \"sine\""));
    // A machine that lacks something cannot be trimmed to a program that needs it.
    CHECK(
        refused("trim " + program + " --preset " + work.write("less.toml", "from = 'tessera'\nwithout = ['mul.f32']\n"),
                1)
            .says("scale.tsa:6:5: error: less has no mul.f32"));
    CHECK(refused("trim " + program + " --device agilx", 1).says("agilx:1:1: error: no device has this name"));
    refused("trim " + program + " --profile " + work.write("no.json", "{\"applications\": 3}"), 1);
    refused("trim --all --root " + work("nowhere"), 2);
    refused("run " + program + " --preset " + work("missing.toml"), 1);
    CHECK(run("trim").status == 2);
    CHECK(run("trim --all -o x.toml" + kRoot).status == 2);
    CHECK(run("trim --help").says("docs/trim.md"));
}

TEST_CASE("a profile that is not of these programs is refused") {
    const Result result = run("trim --all" + kRoot + "--profile " +
                              work.write("old.json",
                                         "{\"applications\": [{\"name\": \"vector_add\", \"seed\": \"003\", "
                                         "\"programs\": {\"vector_add\": [1, 2]}}]}"));
    CHECK(result.status == 1);
    CHECK(result.says("vector_add has 2 instructions there"));
}

}  // namespace
}  // namespace tessera::tools
