// The runner must be able to fail: wrong expectations, misspelt names and broken files are reported where they are.
#include <doctest/doctest.h>

#include "shader-core/interp/interpreter.h"
#include "tests/shaders/runner.h"

using namespace tessera;
using namespace tessera::shadertest;

namespace {

const std::string kProgram =
    "[case one]\n[fragment tsa]\n.fragment\n.input v0 v_a vec4\n.uniform c0 u_b vec2\n.sampler t0 u_t 2d\n"
    "mov o0, v0\nslt p1, v0.x, 0.0\n(p1) kil\nmad o1, v0, c0.x, c0.y\ntex o2, v0, t0, 2d\nret\n[run]\n";
constexpr int kFirstStatement = 14;

std::vector<std::string> run(const std::string& statements) {
    const ParseResult parsed = parseCases(kProgram + statements, "t");
    REQUIRE(parsed.errors.empty());
    REQUIRE(parsed.cases.size() == 1);
    return runCase(parsed.cases[0], {interp::makeInterpreter(), "interp"});
}

std::vector<std::string> parseErrors(const std::string& text) { return parseCases(text, "t").errors; }

}  // namespace

TEST_CASE("right expectations pass") {
    CHECK(run("input v_a: 1 2 3 4 | -1 0 0 0\nuniform u_b: 2 10\nexpect discard: 0 | 1\nexpect o0: 1 2 3 4 | * * * *\n"
              "expect o1.yz exact: 14 16\n")
              .empty());
    CHECK(run("input v0.xw: 0.25 0.1\ninput v0.y: 0.75\ntexture u_t: index 4x8\nexpect o2: 1 6 0 0\n"
              "expect o0 ulp 0.5: 0.25 0.75 0 0.1\nexpect o0 abs 0.01: 0.25 0.75 0 0.109\n")
              .empty());
    CHECK(run("input v0: -0.0 nan 5i 0x00000007\nexpect o0 exact: 0 nan 5i *\nexpect o0 bits: -0.0 nan 0x5 7u\n")
              .empty());
}

TEST_CASE("wrong expectations fail at their line") {
    const auto failsAt = [](const std::string& statements, int line) {
        const auto failures = run(statements);
        REQUIRE(failures.size() >= 1);
        CHECK(failures[0].starts_with("t:" + std::to_string(kFirstStatement + line) + ": case one"));
    };
    failsAt("input v_a: 1 2 3 4\nexpect o0: 1 2 3 5\n", 1);
    failsAt("input v_a: 0.1 0 0 0\nexpect o0.x ulp 0.4: 0.10000001\n", 1);
    failsAt("input v_a: 0.1 0 0 0\nexpect o0.x abs 0.1: 0.3\n", 1);
    failsAt("input v_a: 1 2 3 4 | 1 2 3 4\nexpect o0.y: 2 | 3\n", 1);
    failsAt("input v_a: 0.0 0 0 0\nexpect o0.x bits: -0.0\n", 1);
    failsAt("input v_a: 1 0 0 0\n\nexpect discard: 1\n", 2);
    failsAt("input v_a: 1 0 0 0\nexpect o0.x: nan\n", 1);
    failsAt("input v_misspelt: 1 0 0 0\n", 0);
    failsAt("uniform u_misspelt: 1\n", 0);
    failsAt("texture u_misspelt: checker 4x4\n", 0);
    failsAt("expect v_misspelt: 1\n", 0);
    failsAt("uniform u_b: 1 | 2\n", 0);
    failsAt("input v_a: 1 2 3 4 | 1 2 3 4\ninput v1: 1 | 2 | 3\n", 0);
    failsAt("expect error: anything\n", 0);
    CHECK(run("expect budget\n").size() == 1);
    CHECK(run("budget 2\n").size() == 1);
}

TEST_CASE("broken files are located") {
    CHECK(parseErrors("input a: 1\n") == std::vector<std::string>{"t:1: a statement before the first [case name]"});
    CHECK(parseErrors("[case a]\n[vertex tsa]\nret\n[run]\nwrong: 1\n")[0].starts_with("t:5: "));
    CHECK(parseErrors("[case a]\n[vertex tsa]\nret\n[run]\ninput a: 1 x\n")[0].starts_with("t:5: not a number"));
    CHECK(parseErrors("[case a]\n[vertex tsa]\nret\n[run]\ninput a: 1 | 1 2\n")[0].starts_with("t:5: "));
    CHECK(parseErrors("[case a]\n[vertex tsa]\nret\n[run]\nexpect a ulp: 1\n")[0].starts_with("t:5: "));
    CHECK(parseErrors("[case a]\n[vertex tsa]\nret\n[run]\ntexture a: checker 4\n")[0].starts_with("t:5: "));
    CHECK(parseErrors("[case a]\n[run]\n")[0].starts_with("t:1: case a has no program"));
    CHECK(parseErrors("[case a]\n[vertex tsa]\n[vertex tsa]\nret\n").size() == 1);
}

TEST_CASE("a GLSL case runs one stage or two") {
    const char* text =
        "[case two]\n[vertex glsl]\nattribute vec4 a;\nvarying vec2 v;\nvoid main() { gl_Position = a; v = a.zw; }\n"
        "[fragment glsl]\nprecision highp float;\nvarying vec2 v;\nuniform float u_k[2];\n"
        "void main() { gl_FragColor = vec4(v, u_k[0], u_k[1]); }\n"
        "[run]\ninput v: 3 4\nuniform u_k[1]: 7\nuniform u_k[0]: 6\nexpect gl_FragColor: 3 4 6 7\n"
        "[case vertex]\n[vertex glsl]\nattribute mat2 m;\nvarying vec2 v;\n"
        "void main() { gl_Position = vec4(m[0], m[1]); v = m * vec2(1.0, 10.0); gl_PointSize = 3.0; }\n[run]\n"
        "input m: 1 2 3 4\nexpect gl_Position: 1 2 3 4\nexpect v: 31 42\nexpect gl_PointSize: 3\n"
        "[case refused]\n[fragment glsl]\nvoid main() { gl_FragColor = undeclared; }\n[run]\nexpect error: "
        "undeclared\n";
    const ParseResult parsed = parseCases(text, "t");
    REQUIRE(parsed.errors.empty());
    REQUIRE(parsed.cases.size() == 3);
    for (const Case& c : parsed.cases) {
        const auto failures = runCase(c, {interp::makeInterpreter(), "interp"});
        CHECK_MESSAGE(failures.empty(), (failures.empty() ? std::string() : failures[0]));
    }
}
