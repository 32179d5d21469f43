// Which programs are known not to overrun: those that the compiler makes of loops with constant ends.
#include "shader-core/analysis/execution_bound.h"

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"

using namespace tessera;

namespace {

isa::Program assembled(const std::string& body) {
    assembly::AssembleResult result = assembly::assemble(".fragment\n.input v0 a vec4\n" + body + "ret\n", "bound");
    REQUIRE(result.program.has_value());
    return *result.program;
}

bool mayOverrun(const std::string& body) { return analysis::mayOverrun(assembled(body)); }

std::string counted(const std::string& first, const std::string& test, const std::string& inside,
                    const std::string& step) {
    return first + "\nloop\n" + test + "\n(!p1) brk\n" + inside + step + "\nendloop\nmov o0, r1\n";
}

}  // namespace

TEST_CASE("loops from one constant to another end, all others may overrun") {
    const std::string first = "mov.i32 r0.x, 0", test = "slt.i32 p1, r0.x, 64", step = "add.i32 r0.x, r0.x, 1";
    const std::string work = "mul r1, v0, v0\n";
    CHECK_FALSE(mayOverrun("mov o0, v0\n"));
    CHECK_FALSE(mayOverrun(counted(first, test, work, step)));
    CHECK_FALSE(mayOverrun(counted(first, test, work + "slt p1, r1.x, v0.y\n(p1) brk\n", step)));
    CHECK_FALSE(mayOverrun(counted("mov r0.x, 1.0", "slt p1, r0.x, 20.0", work, "add r0.x, r0.x, 2.0")));
    CHECK_FALSE(mayOverrun(
        counted(first, test, counted("mov.i32 r2.y, 3", "slt.i32 p1, r2.y, 9", work, "add.i32 r2.y, r2.y, 1"), step)));
    // Too long, alone or by nesting.
    CHECK(mayOverrun(counted(first, "slt.i32 p1, r0.x, 60000", work, step)));
    CHECK(mayOverrun(counted(
        first, test, counted("mov.i32 r2.y, 3", "slt.i32 p1, r2.y, 900", work, "add.i32 r2.y, r2.y, 1"), step)));
    // Not known to end.
    CHECK(mayOverrun("loop\nendloop\nmov o0, v0\n"));
    CHECK(mayOverrun(counted("mov r0.x, v0.x", "slt p1, r0.x, 20.0", work, "add r0.x, r0.x, 1.0")));
    CHECK(mayOverrun(counted(first, "slt.i32 p1, r0.x, v0.x", work, step)));
    CHECK(mayOverrun(counted(first, test, work, "add.i32 r0.x, r0.x, 0")));
    CHECK(mayOverrun(counted(first, test, work, "add.i32 r0.x, r0.x, -1")));
    CHECK(mayOverrun(counted(first, test, work, "add.i32 r0.x, r0.y, 1")));
    CHECK(mayOverrun(counted(first, test, work, "(p1) add.i32 r0.x, r0.x, 1")));
    CHECK(mayOverrun(counted(first, test, work, "add.i32 r0.y, r0.x, 1")));
    CHECK(mayOverrun(counted(first, test, work + "mov.i32 r0.x, 5\n", step)));
    CHECK(mayOverrun(counted(first, test, work + "slt p2, r1.x, v0.y\n(p2) cont\n", step)));
    CHECK(mayOverrun(counted(first, "slt.i32 p2, r0.x, 64", work, step)));
    CHECK(mayOverrun(counted("mov r0.x, 0.5", "slt p1, r0.x, 20.0", work, "add r0.x, r0.x, 1.0")));
}

TEST_CASE("what is called counts as often as it is called") {
    const std::string routine = "ret\nwork: mul r1, v0, v0\nadd r1, r1, v0\n";
    const auto calls = [&](int count) {
        return counted("mov.i32 r0.x, 0", "slt.i32 p1, r0.x, " + std::to_string(count), "call work\n",
                       "add.i32 r0.x, r0.x, 1") +
               routine;
    };
    CHECK_FALSE(mayOverrun(calls(64)));
    CHECK(mayOverrun(calls(60000)));
    // The routine writes the counter; it does not end itself.
    CHECK(mayOverrun(calls(64) + "mov.i32 r0.x, 1\n"));
    CHECK(mayOverrun("call work\nret\nwork: loop\nendloop\n"));
    // 8^10 calls.
    std::string many = "call r0000\n";
    for (int level = 0; level < 10; ++level) {
        many += "ret\nr000" + std::to_string(level) + ":\n";
        for (int call = 0; call < 8 && level < 9; ++call) many += "call r000" + std::to_string(level + 1) + "\n";
    }
    CHECK(mayOverrun(many));
}
