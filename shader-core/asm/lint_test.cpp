#include "shader-core/asm/lint.h"

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

}  // namespace
}  // namespace tessera::assembly
