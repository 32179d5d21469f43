// Programs of a recording written anew, by `tessera inspect --replace`: pictures of demos with another shader, and what
// is said of one that is refused.
#include <doctest/doctest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "tools/testing/inspected.h"

using tessera::imagediff::Image;
using tessera::tools::pictureAt;
using tessera::tools::recordedDemo;
using tessera::tools::Result;
using tessera::tools::run;
using Json = nlohmann::json;

namespace {

const tessera::tools::TestFolder work("program_edit_test");

/// The frame with these programs in the place of its own; what the command says in `said`.
Image drawn(const std::string& demo, const std::string& replaced, std::string* said = nullptr) {
    const Result result =
        run("inspect " + recordedDemo(work, demo) + " " + replaced + " --png color -o " + work("drawn.png"));
    REQUIRE_MESSAGE(result.status == 0, result.output);
    if (said != nullptr) *said = result.output;
    return pictureAt(work("drawn.png"));
}

/// Pixels that are others.
size_t differences(const Image& a, const Image& b) {
    REQUIRE(a.rgba.size() == b.rgba.size());
    size_t count = 0;
    for (size_t i = 0; i < a.rgba.size(); i += 4)
        count += !std::equal(a.rgba.begin() + static_cast<ptrdiff_t>(i), a.rgba.begin() + static_cast<ptrdiff_t>(i + 3),
                             b.rgba.begin() + static_cast<ptrdiff_t>(i));
    return count;
}

/// The text of a program, which there is one of.
std::string sourceOf(const std::string& demo, const std::string& stage) {
    const Result result = run("inspect " + recordedDemo(work, demo) + " --json --no-costs 2>/dev/null");
    REQUIRE_MESSAGE(result.status == 0, result.output);
    std::string source;
    const Json report = Json::parse(result.output);
    for (const Json& program : report["programs"])
        if (program["name"].get<std::string>().starts_with(stage)) source = program["source"];
    REQUIRE(!source.empty());
    return source;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, text);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the recorded text draws what was recorded, and another one what it says") {
    for (const std::string demo : {"gears", "textured"}) {
        CAPTURE(demo);
        const std::string fragment = sourceOf(demo, "fragment"), vertex = sourceOf(demo, "vertex");
        const Image expected = pictureAt(work(demo + ".png"));
        const std::string same =
            "--replace 1=" + work.write("same.frag", fragment) + " --replace 1=" + work.write("same.vert", vertex);
        CHECK(differences(drawn(demo, same), expected) == 0);
        // What is covered becomes of one color, and nothing else does.
        const Image purple = drawn(
            demo, "--replace 1=" + work.write("purple.frag", "void main() { gl_FragColor = vec4(1, 0, 1, 1); }\n"));
        size_t covered = 0, wrong = 0;
        for (size_t at = 0; at < purple.rgba.size(); at += 4) {
            const bool isGround = std::equal(expected.rgba.begin(), expected.rgba.begin() + 3,
                                             expected.rgba.begin() + static_cast<ptrdiff_t>(at));
            const bool isPurple = purple.rgba[at] == 255 && purple.rgba[at + 1] == 0 && purple.rgba[at + 2] == 255;
            covered += isPurple;
            wrong += isPurple == isGround;
        }
        CHECK(covered > 1000);
        CHECK(wrong == 0);
        // The same by instructions.
        const Image assembled = drawn(
            demo, "--replace 1=" + work.write("purple.frag.tsa",
                                              ".fragment\n.const c0 purple = 1, 0, 1, 1\n    mov o0, c0\n    ret\n"));
        CHECK(differences(assembled, purple) == 0);
    }
}

TEST_CASE("uniforms, textures and varyings keep their values by name, wherever a text has them") {
    // Others come before them in the registers.
    std::string said;
    const std::string vertex = with(sourceOf("textured", "vertex"), "uniform mat4 u_projection;",
                                    "uniform vec4 u_new[3];\nvarying vec4 v_new;\nuniform mat4 u_projection;");
    const std::string fragment =
        with(with(sourceOf("textured", "fragment"), "uniform sampler2D u_image;",
                  "uniform sampler2D u_other;\nvarying vec4 v_new;\nuniform sampler2D u_image;"),
             "gl_FragColor =", "gl_FragColor = v_new + texture2D(u_other, v_texCoord) * v_new + ");
    const Image image = drawn(
        "textured",
        "--replace 1=" + work.write("more.frag", fragment) + " --replace 1=" +
            work.write("more.vert", with(vertex, "gl_Position =", "v_new = u_new[0] + u_new[2];\n    gl_Position =")),
        &said);
    CHECK(differences(image, pictureAt(work("textured.png"))) == 0);
    CHECK(said.find("note: uniform 'u_new' is new: it is 0") != std::string::npos);
    CHECK(said.find("note: sampler 'u_other' is new: it has no texture") != std::string::npos);
    // A program of instructions beside the recorded one.
    const Image flat =
        drawn("gears", "--replace 1=" + work.write("color.frag.tsa",
                                                   ".fragment\n.input v3 v_color vec3\n.const c0 one = 1, 1, 1, 1\n"
                                                   "    mov o0.xyz, v3\n    mov o0.w, c0.x\n    ret\n"));
    CHECK(differences(flat, pictureAt(work("gears.png"))) == 0);
}

TEST_CASE("reports are of the program that is drawn with") {
    const std::string file = work.write("black.frag", "void main() { discard; }\n");
    const Result result =
        run("inspect " + recordedDemo(work, "gears") + " --replace 1=" + file + " --json 2>/dev/null");
    REQUIRE(result.status == 0);
    const Json report = Json::parse(result.output);
    uint64_t written = 0, shaded = 0;
    for (const Json& pass : report["passes"])
        for (const Json& action : pass["actions"])
            if (action.contains("cost"))
                written += action["cost"]["pixels"]["written"].get<uint64_t>(),
                    shaded += action["cost"]["pixels"]["shaded"].get<uint64_t>();
    CHECK(written == 0);
    CHECK(shaded > 1000);
    CHECK(result.output.find("discard") != std::string::npos);
}

TEST_CASE("a text that is refused is told at its line") {
    const std::string file = recordedDemo(work, "gears");
    const auto refused = [&](const std::string& arguments, int status, const std::string& words) {
        const Result result = run("inspect " + file + " --json --no-costs " + arguments);
        CAPTURE(arguments);
        CHECK(result.status == status);
        CHECK_MESSAGE(result.says(words), result.output);
        CHECK(!result.says("{\n"));
    };
    const std::string bad = work.write("bad.frag", "void main() {\n    gl_FragColor = nothing;\n}\n");
    refused("--replace 1=" + bad, 1, "bad.frag:2:20: error: 'nothing' : undeclared identifier");
    refused("--replace 1=" + work.write("bad.tsa", ".fragment\n    madd o0, v0\n"), 1,
            "bad.tsa:2:5: error: unknown instruction 'madd'");
    const std::string alone = work.write(
        "alone.frag", "precision mediump float;\nvarying vec3 v_none;\nvoid main() { gl_FragColor = v_none.xyzz; }\n");
    refused("--replace 1=" + alone, 1,
            "alone.frag: error: 0:2:14: 'v_none' : varying used by the fragment shader is not");
    refused("--replace 9=" + alone, 1, "alone.frag: error: there is no program 9; the recording has 1");
    refused("--replace x=" + alone, 2, "--replace: error: write N=FILE");
    refused("--replace 1=" + alone + " --replace 1=" + bad, 2, "this shader has a text already");
    refused("--replace 1=" + work.write("what.txt", "void main() {}\n"), 2, "name GLSL .vert or .frag");
    refused("--replace 1=" + work("none.frag"), 2, "none.frag");
}

TEST_CASE("the window shows the text that is edited") {
    const auto window = [](const std::string& replaced) {
        const Result result = run("inspect " + recordedDemo(work, "gears") + " " + replaced +
                                  " --png window --size 900,600 -o " + work("window.png"));
        REQUIRE_MESSAGE(result.status == 0, result.output);
        return pictureAt(work("window.png"));
    };
    const std::string purple = work.write("purple.frag", "void main() { gl_FragColor = vec4(1, 0, 1, 1); }\n");
    const Image before = window(""), after = window("--replace 1=" + purple);
    // The picture is of the text's color, which nothing else in the window is.
    const auto purples = [](const Image& image) {
        size_t count = 0;
        for (size_t i = 0; i + 4 <= image.rgba.size(); i += 4)
            count += image.rgba[i] == 255 && image.rgba[i + 1] == 0 && image.rgba[i + 2] == 255;
        return count;
    };
    CHECK(purples(before) == 0);
    CHECK(purples(after) > 1000);
}
