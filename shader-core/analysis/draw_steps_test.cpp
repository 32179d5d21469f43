// What small programs are found to compute once in a draw.
#include "shader-core/analysis/draw_steps.h"

#include <string>

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"

using namespace tessera;
using analysis::DrawSteps;

namespace {

DrawSteps stepsOf(const std::string& body) {
    assembly::AssembleResult result = assembly::assemble(
        ".vertex\n.input v0 a vec4\n.uniform c0 m mat4\n.uniform c4 n mat4\n.output o2 u vec4\n" + body + "ret\n",
        "test");
    REQUIRE_MESSAGE(result.program.has_value(), body);
    REQUIRE(isa::verify(*result.program) == "");
    return analysis::findDrawSteps(analysis::findFacts(*result.program), *result.program);
}

/// Components of an instruction's result that blocks read.
unsigned placed(const DrawSteps& steps, size_t at) {
    unsigned components = 0;
    for (unsigned c = 0; c < 4; ++c) components |= (steps.at[at].place[c] != DrawSteps::kNoPlace ? 1U : 0U) << c;
    return components;
}

}  // namespace

TEST_CASE("products of constants are computed once, and kept where a lane's value meets them") {
    const DrawSteps steps = stepsOf(
        "mul r0, c0, c4\n"         // 0
        "mad r1, c1, c5, r0\n"     // 1
        "mul r2, r1, v0\n"         // 2
        "add r3.xy, r1, c2\n"      // 3
        "add o0, r2, r3.xyxy\n");  // 4
    REQUIRE(steps.any());
    for (const size_t at : {0, 1}) CHECK(steps.at[at].computed == 0xF);
    CHECK(steps.at[3].computed == 3);
    CHECK(steps.at[2].computed == 0);
    CHECK(steps.at[4].computed == 0);
    CHECK(placed(steps, 0) == 0);
    CHECK(placed(steps, 1) == 0xF);
    CHECK(placed(steps, 3) == 3);
}

TEST_CASE("a dot product of constants is one value, in whichever components it is") {
    const DrawSteps steps = stepsOf("nrm r0, c0\ndp3 r1.y, r0, c1\nmul o0, v0, r1.y\n");
    REQUIRE(steps.any());
    CHECK(steps.at[0].computed == 0xF);
    CHECK(placed(steps, 0) == 0);
    CHECK(placed(steps, 1) == 2);
}

TEST_CASE("a copy of a constant is made in each block, and once for what is computed of it") {
    const DrawSteps steps = stepsOf("mov r0, c0\nmul r1, r0, c1\nadd r2, r0, v0\nadd o0, r1, r2\n");
    REQUIRE(steps.any());
    CHECK(steps.at[0].computed == 0);
    CHECK(steps.at[0].needed == 0xF);
    CHECK(placed(steps, 1) == 0xF);
}

TEST_CASE("what only some lanes may have, or is another value later, is no draw's") {
    for (const char* body : {
             "slt p1, v0.x, 0.0\n(p1) mul r0, c0, c1\nadd o0, r0, v0\n",
             "slt p1, v0.x, 0.0\n(p1) if\nmul r0, c0, c1\nelse\nmul r0, c2, c3\nendif\nadd o0, r0, v0\n",
             "slt p1, v0.x, 0.0\n(p1) if\nmul r0, c0, c1\nendif\nadd o0, r0, v0\n",
             "mul r0, v0, c1\nadd o0, r0, v0\n",
             "mov a0.x, v0.x\nmul r0, c[a0.x], c1\nadd o0, r0, v0\n",
             "mul o0, c0, c1\n",
         }) {
        CAPTURE(body);
        CHECK(!stepsOf(body).any());
    }
}

TEST_CASE("a branch of its own computes what is a draw's as well") {
    const DrawSteps steps =
        stepsOf("slt p1, v0.x, 0.0\nmov r1, v0\n(p1) if\nmul r0, c0, c1\nadd r1, r0, v0\nendif\nmov o0, r1\n");
    REQUIRE(steps.any());
    CHECK(placed(steps, 3) == 0xF);
}

TEST_CASE("less than four components, and what is of literals alone, is not worth it") {
    CHECK(!stepsOf("mul r0.xyz, c0, c1\nadd o0, r0.xyzz, v0\n").any());
    CHECK(stepsOf("sin r0.x, c0.x\nadd o0, r0.x, v0\n").any());
    CHECK(!stepsOf(".const c8 = 1.0, 2.0, 3.0, 4.0\nmul r0, c8, c8\nadd o0, r0, v0\n").any());
}
