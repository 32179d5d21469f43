#include "shader-core/asm/analysis/lint.h"

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"

namespace tessera::assembly {
namespace {

/// Findings as "line: message" up to the first comma or semicolon.
std::vector<std::string> findings(const std::string& text) {
    AssembleOptions options;
    options.warnDeadWrites = options.warnUninitialised = true;
    const AssembleResult result = assemble(".fragment\n" + text, "t.tsa", options);
    REQUIRE_MESSAGE(result.program, result.log());
    std::vector<std::string> found;
    for (const Diagnostic& d : result.warnings)
        found.push_back(std::to_string(d.line - 1) + ": " + d.message.substr(0, d.message.find_first_of(",;")));
    return found;
}
using List = std::vector<std::string>;

TEST_CASE("straight code") {
    CHECK(findings("mov r0, v0\nmov o0, r0\nret") == List{});
    CHECK(findings("mov r0.x, v0\nmov o0, r0\nret") == List{"2: r0.yzw is read here"});
    CHECK(findings("mov r0, v0\nmov r0, v1\nmov o0, r0\nret") == List{"1: nothing reads r0 after this"});
    CHECK(findings("mov r0, v0\nmov r0.xy, v1\nmov o0, r0\nret") == List{});
    CHECK(findings("mov r0, v0\nmov r0.xy, v1\nmov o0.x, r0.z\nret") == List{"2: nothing reads r0.xy after this"});
    CHECK(findings("mov o0, v0\nmov o0, v1\nret") == List{"1: nothing reads o0 after this"});
    CHECK(findings("dp3 r0.x, v0, v1\nmov o0, r0.x\nret") == List{});
    CHECK(findings("mov r0.xyz, v0\nnrm r1, r0\nmov o0, r1\nret") == List{});
    CHECK(findings("mov r0.xy, v0\ntex o0, r0, t0, 2d\nret") == List{});
    CHECK(findings("mov r0.xy, v0\ntex o0, r0, t0, cube\nret") == List{"2: r0.z is read here"});
}

TEST_CASE("guards and branches: a finding needs every path") {
    CHECK(findings("slt p1, v0, v1\n(p1) mov r0, v0\nmov o0, r0\nret") == List{});
    CHECK(findings("(p1) mov r0, v0\nmov o0, r0\nret") == List{"1: p1 is read here"});
    CHECK(findings("slt p1, v0, v1\n(p1) if\nmov r0, v0\nelse\nmov r0, v1\nendif\nmov o0, r0\nret") == List{});
    CHECK(findings("slt p1, v0, v1\n(p1) if\nmov r0, v0\nelse\nmov o0, r0\nendif\nret") ==
          List{"3: nothing reads r0 after this", "5: r0 is read here"});
    CHECK(findings("mov r0, v0\nslt p1, v0, v1\n(p1) ret\nmov o0, r0\nret") == List{});
}

TEST_CASE("loops carry values round") {
    CHECK(findings("mov r0, v0\nloop\nslt p1, r0, v1\n(p1) brk\nadd r0, r0, v0\nendloop\nmov o0, r0\nret") == List{});
    CHECK(findings("mov r0, v0\nloop\nslt p1, r0, v1\n(p1) brk\nmov r1, v0\nendloop\nmov o0, r0\nret") ==
          List{"5: nothing reads r1 after this"});
    CHECK(
        findings("mov r0, v0\nloop\nslt p1, r0, v1\n(p1) brk\nadd r0, r0, r1\nmov r1, v0\nendloop\nmov o0, r0\nret") ==
        List{});
}

TEST_CASE("subroutines read and write for their callers") {
    CHECK(findings("mov r0, v0\ncall f\nmov o0, r1\nret\nf: add r1, r0, r0\nret") == List{});
    CHECK(findings("mov r0, v0\ncall f\nmov o0, r2\nret\nf: add r1, r0, r0\nret") ==
          List{"3: r2 is read here", "5: nothing reads r1 after this"});
    CHECK(findings("mov o0, v0\nret\nunused: mov r1, r2\nret") == List{});  // not reached: nothing to say
}

TEST_CASE("an atomic whose result nobody wants is no dead write") {
    AssembleOptions options;
    options.warnDeadWrites = options.warnUninitialised = true;
    const AssembleResult result = assemble(
        ".compute\n.buffer b0 data\nmov.i32 r1, 4\natadd r0.x, b0[r1.x], r1.x\nld r2.x, b0[r1.x]\nret", "t", options);
    REQUIRE_MESSAGE(result.program, result.log());
    REQUIRE(result.warnings.size() == 1);
    CHECK(result.warnings[0].line == 5);
}

TEST_CASE("relative operands may mean any register") {
    CHECK(findings(".temps 8\nmov.i32 a0.x, 1\nmov r[a0.x], v0\nmov o0, r5\nret") == List{});
    CHECK(findings(".temps 8\nmov.i32 a0.x, 1\nmov r5, v0\nmov o0, r[a0.x]\nret") == List{});
    CHECK(findings(".temps 8\nmov o0, r[a0.x]\nret") == List{"2: a0.x is read here"});
}

TEST_CASE("textures, inputs and constants without a declaration") {
    AssembleOptions options;
    options.warnUndeclared = true;
    const auto warnings = [&](const std::string& text) {
        const AssembleResult result = assemble(text, "t.tsa", options);
        REQUIRE_MESSAGE(result.program, result.log());
        std::string all;
        for (const Diagnostic& d : result.warnings) all += std::to_string(d.line) + ": " + d.message + "\n";
        return all;
    };
    CHECK(warnings(".fragment\n.input v0 v_at vec2\ntex r0, v0, t3, 2d\ntex o0, v0, t3, 2d\nret") ==
          "3: t3 is read here, but no sampler declares it; write .sampler t3 name 2d\n");
    CHECK(warnings(".fragment\n.input v0 v_at vec2\n.sampler t0 u_sky cube\ntex o0, v0, t0, 2d\nret") ==
          "4: t0 is declared as cube u_sky, and read as 2d here\n");
    CHECK(warnings(".fragment\nmul o0, v1, c4\nadd o0, v1, c4\nret") ==
          "2: v1 is read here, but nothing declares it; write .input v1 name vec4\n"
          "2: c4 is read here, but nothing declares it; write .uniform c4 name vec4, or .const c4 = ...\n");
    CHECK(warnings(".fragment\nmul o0, v12, v15\nret") == "");  // last colours
    // A float without a swizzle: y of the register is not the float.
    CHECK(warnings(".fragment\n.uniform c0 u_scale float\nmov r0, u_scale.x\nmul o0.xy, r0, u_scale\nret") ==
          "4: c0.y is read here and nothing sets it: u_scale is of type float; write u_scale.x\n");
    CHECK(warnings(".fragment\n.uniform c0 u_move vec2\nmov o0.xy, u_move\nadd o0.zw, u_move.xxxy, 1.0\nret") == "");
    CHECK(warnings(".vertex\n.input v0 a_at mat3\n.uniform c2 u_m mat4\n.const c6 = 1, 0, 0, 1\n.sampler t1 u_a 2d[2]\n"
                   "mov o0, v2\nmad o1, v1, c5, c6\ntxl r0, v0, c6, t2, 2d\nmov o2, c[a0.x + 40]\nret") == "");
}

}  // namespace
}  // namespace tessera::assembly
