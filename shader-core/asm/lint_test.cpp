#include "shader-core/asm/lint.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "shader-core/asm/assembler.h"

namespace tessera::assembly {
namespace {

/// Findings as "line: message" up to the first comma or semicolon.
std::vector<std::string> findings(const std::string& text) {
    AssembleOptions options;
    options.warnDeadWrites = options.warnUninitialised = options.warnTruthValues = true;
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

TEST_CASE("the first warnings are told, and not all of them") {
    AssembleOptions options;
    options.warnDeadWrites = true;
    for (const size_t writes : {kMaxErrors - 1, kMaxErrors, kMaxErrors + 1, 3 * kMaxErrors}) {
        std::string text = ".fragment\n";
        for (size_t i = 0; i < writes; ++i) text += "mov r0, 1.0\n";
        const AssembleResult result = assemble(text + "mov o0, 1.0\nret", "t", options);
        REQUIRE_MESSAGE(result.program, result.log());
        REQUIRE(result.warnings.size() == std::min(writes, kMaxErrors));
        CHECK(result.warnings.back().line == static_cast<int>(result.warnings.size()) + 1);
    }
}

TEST_CASE("relative operands may mean any register") {
    CHECK(findings(".temps 8\nmov.i32 a0.x, 1\nmov r[a0.x], v0\nmov o0, r5\nret") == List{});
    CHECK(findings(".temps 8\nmov.i32 a0.x, 1\nmov r5, v0\nmov o0, r[a0.x]\nret") == List{});
    CHECK(findings(".temps 8\nmov o0, r[a0.x]\nret") == List{"2: a0.x is read here"});
}

TEST_CASE("an integer instruction reads what a comparison gave") {
    const auto warnings = [](const std::string& text, const std::string& head = ".vertex\n") {
        AssembleOptions options;
        options.warnTruthValues = true;
        const AssembleResult result = assemble(head + text, "t.tsa", options);
        REQUIRE_MESSAGE(result.program, result.log());
        std::vector<std::string> found;
        for (const Diagnostic& d : result.warnings)
            found.push_back(std::to_string(d.line - 1) + ": " + d.message.substr(0, d.message.find(',')));
        return found;
    };
    AssembleOptions options;
    options.warnTruthValues = true;
    CHECK(assemble(".vertex\n seq.i32 r1.x, r0.x, 3\n and.i32 r1.x, r1.x, 1\n ret", "t", options).log() ==
          "t:3:2: warning: r1.x is 1.0 or 0.0, as comparisons give it, and and.i32 reads its bits as an integer; "
          "convert it before (f2i.i32 d, r1.x), or compare into a predicate, which integer instructions read as 1 or "
          "0\n     and.i32 r1.x, r1.x, 1\n     ^\n");
    // Whatever arithmetic, an address or a number of bits takes.
    CHECK(warnings("slt r1, v0, v1\nadd.i32 r2, r0, r1\nret") == List{"2: r1 is 1.0 or 0.0"});
    CHECK(warnings("slt r1.xy, v0, v1\nshl.i32 r2, r0, r1.y\nret") == List{"2: r1.y is 1.0 or 0.0"});
    CHECK(warnings("seq r1, v0, v1\ni2f.u32 o0, r1\nret") == List{"2: r1 is 1.0 or 0.0"});
    CHECK(warnings("seq r1, v0, v1\nnot.i32 o0, r1\nret") == List{"2: r1 is 1.0 or 0.0"});
    CHECK(warnings("seq r1, v0, v1\nmov.i32 o0, -r1\nret") == List{"2: r1 is 1.0 or 0.0"});
    CHECK(warnings("seq r1, v0, v1\nmov.i32 a0.x, r1.x\nmov o0, c[a0.x]\nret") == List{"2: r1.x is 1.0 or 0.0"});
    CHECK(warnings("seq r1.x, v0, v1\nseq.i32 p1, r1.x, 1\nret") == List{"2: r1.x is 1.0 or 0.0"});
    // A predicate is 1.0 to an instruction of floats, and a0 takes the bits of that.
    CHECK(warnings("seq p1, v0, v1\nmov a0.x, p1\nmov o0, c[a0.x]\nret") == List{"2: p1 is 1.0 or 0.0"});
    CHECK(warnings("seq p1, v0, v1\nmov.i32 a0.x, p1\nmov o0, c[a0.x]\nret") == List{});
    CHECK(warnings("vall.i32 r1.x, r0.x\nadd.i32 r0.x, r1.x, 1\nst.i32 b0[0], r1.x\nld r2.x, b0[r1.x]\nret",
                   ".compute\n.buffer b0 x\n") ==
          List{"3: r1.x is 1.0 or 0.0", "4: r1.x is 1.0 or 0.0", "5: r1.x is 1.0 or 0.0"});
    CHECK(warnings("add.i32 r0.x, front_facing.x, 1\nret", ".fragment\n") == List{"1: front_facing.x is 1.0 or 0.0"});
    CHECK(warnings("add.i32 r0.x, b.x, 1\nadd.i32 r1.x, n.x, 1\nret",
                   ".vertex\n.uniform c0 n int\n.uniform c1.y b bool\n") == List{"3: c1.y is 1.0 or 0.0"});
    // Moves hand it on, and so does what combines two of them; a predicate moved as a float is one as well.
    CHECK(warnings("seq r1, v0, v1\nmov.i32 r2.y, r1.z\nadd.i32 o0, r2.y, 1\nret") == List{"3: r2.y is 1.0 or 0.0"});
    CHECK(warnings("seq r1, v0, v1\nsne r2, v0, v1\nand.i32 r3, r1, r2\nadd.i32 o0, r3, 1\nret") ==
          List{"4: r3 is 1.0 or 0.0"});
    CHECK(warnings("seq p1, v0, v1\nmov r0, p1\nadd.i32 o0, r0, 1\nret") == List{"3: r0 is 1.0 or 0.0"});
    CHECK(warnings("loop 4\nadd.i32 r2, r2, r1\nseq r1, r3, r4\nendloop\nret", ".compute\n") ==
          List{"2: r1 is 1.0 or 0.0"});
}

TEST_CASE("truth values that integer instructions may read") {
    for (const char* text : {
             "seq p1, v0, v1\nmov.i32 r0, p1\nadd.i32 o0, r0, 1\nadd.i32 o2, p1, 1\nmov.i32 o3, -p1\nret",
             "seq r1, v0, v1\nf2i.i32 r1, r1\nadd.i32 o0, r1, 1\nret",
             "seq r1, v0, v1\nmov.i32 o0, r1\nsel.i32 o2, r1, c0, c1\nsel.i32 o3, c0, r1, r1\nret",
             "seq r1, v0, v1\nsne.i32 p1, r1, 0\nseq.i32 p2, r1, 0x3f800000\n(p1) mov o0, v0\n(p2) mov o0, v1\nret",
             "seq r1, v0, v1\nseq r2, v1, v2\nor.i32 r3, r1, r2\nxor.i32 o0, r3, 0x3f800000\nsne.i32 p1, r3, r1\nret",
             // Something else may be there: on another path, under a guard, or through a0.
             "seq p1, v0, v1\n(p1) if\nseq r1, v0, v1\nelse\nmov.i32 r1, 1\nendif\nadd.i32 o0, r1, 1\nret",
             "seq r1, v0, v1\nslt p1, v0, v1\n(p1) mov.i32 r1, 5\nadd.i32 o0, r1, 1\nret",
             "seq r1, v0, v1\nmov.i32 r[a0.x], 5\nadd.i32 o0, r1, 1\nret",
             "seq r1, v0, v1\nmul r1, r1, v0\nadd.i32 o0, r1, 1\nret",
         }) {
        CAPTURE(text);
        AssembleOptions options;
        options.warnTruthValues = true;
        const AssembleResult result = assemble(std::string(".vertex\n") + text, "t", options);
        REQUIRE_MESSAGE(result.program, result.log());
        CHECK(result.log() == "");
    }
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
    CHECK(warnings(".fragment\nmul o0, v32, v35\nret") == "");  // last colours
    // A float without a swizzle: y of the register is not the float.
    CHECK(warnings(".fragment\n.uniform c0 u_scale float\nmov r0, u_scale.x\nmul o0.xy, r0, u_scale\nret") ==
          "4: c0.y is read here and nothing sets it: u_scale is of type float; write u_scale.x\n");
    CHECK(warnings(".fragment\n.uniform c0 u_move vec2\nmov o0.xy, u_move\nadd o0.zw, u_move.xxxy, 1.0\nret") == "");
    CHECK(warnings(".vertex\n.input v0 a_at mat3\n.uniform c2 u_m mat4\n.const c6 = 1, 0, 0, 1\n.sampler t1 u_a 2d[2]\n"
                   "mov o0, v2\nmad o1, v1, c5, c6\ntxl r0, v0, c6, t2, 2d\nmov o2, c[a0.x + 40]\nret") == "");
}

}  // namespace
}  // namespace tessera::assembly
