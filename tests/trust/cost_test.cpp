// Shaders that once took minutes or gigabytes: compiling, linking and making machine code at each SIMD level keep to
// what docs/SECURITY.md states. tests/fuzz/glsl_cost.cpp looks for others.
#include <doctest/doctest.h>

#include "base/process/env.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "tests/fuzz/cost.h"

using namespace tessera;

namespace {

/// Checks what `act` costs, and returns what it does. A busy machine takes more seconds of processors for the same.
template <typename Act>
auto withinLimits(Act act) {
    const fuzz::Cost cost;
    auto result = act();
    CHECK(cost.seconds() < 2 * fuzz::kMostSeconds);
    CHECK(cost.bytes() < fuzz::kMostBytes);
    return result;
}

glsl::CompileResult compiled(const std::string& text) {
    return withinLimits([&] { return glsl::compile(isa::Stage::Fragment, "precision mediump float;\n" + text); });
}

}  // namespace

TEST_CASE("statements that read and write an array at any index") {
    for (const int statements : {10, 160, 640}) {
        CAPTURE(statements);
        std::string text = "uniform int k; uniform vec4 u[16]; void main() { vec4 a[16];\n";
        for (int i = 0; i < 16; ++i) text += "a[" + std::to_string(i) + "] = u[" + std::to_string(i) + "];\n";
        for (int i = 0; i < statements; ++i)
            text += "a[k] = a[k + " + std::to_string(i % 7) + "] + a[k + " + std::to_string(i % 5) + "];\n";
        const glsl::CompileResult shader = compiled(text + "gl_FragColor = a[k]; }\n");
        REQUIRE(shader.shader);
        const glsl::LinkResult linked = withinLimits([&] { return glsl::linkSingle(*shader.shader); });
        REQUIRE(linked.ok);
        for (const SimdLevel level : simdLevels())
            (void)withinLimits([&] { return jit::makeJit(level)->prepare(linked.fragment); });
    }
}

TEST_CASE("structures that double at each of 24 levels") {
    std::string text = "struct S0 { float x; };\n";
    for (int i = 1; i <= 24; ++i) {
        const std::string before = "S" + std::to_string(i - 1);
        text += "struct S" + std::to_string(i) + " { " + before + " a, b; };\n";
    }
    CHECK(compiled(text + "uniform S24 s; void main() {}\n").infoLog.find("structure too large") != std::string::npos);
}

TEST_CASE("ten megabytes of empty statements") {
    std::string text = "void main() {";
    text.append(10'000'000, ';').append("}\n");
    CHECK(compiled(text).infoLog.find("shader too long") != std::string::npos);
}
