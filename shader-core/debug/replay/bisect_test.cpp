// The search for the first difference, against executors that are wrong in a known place.
#include "shader-core/debug/replay/bisect.h"

#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/testing/groups.h"
#include "shader-core/interp/interpreter.h"
#include "tests/debug/wrong_executor.h"

namespace tessera::debug {
namespace {

Comparison compareWith(const Group& group, isa::Op op, int lane, int from) {
    return compareRuns(group, runnerOf(interp::makeInterpreter()),
                       runnerOf(std::make_shared<WrongExecutor>(Mistake{op, 1u << lane, from})));
}

TEST_CASE("executors that agree have no difference") {
    const Comparison same = compareRuns(groupOf(kDiverging), runnerOf(interp::makeInterpreter()),
                                        runnerOf(interp::makeInterpreter(kLeastSimdLevel)));
    CHECK_FALSE(same.failed);
    CHECK_FALSE(same.difference.has_value());
}

TEST_CASE("the wrong instruction is found, in its lane") {
    const Comparison found = compareWith(groupOf(kDiverging), isa::Op::Mul, 3, 1);
    REQUIRE(found.difference.has_value());
    CHECK(found.difference->lane == 3);
    REQUIRE(found.difference->pc.has_value());
    CHECK(*found.difference->pc == 5);  // mul r0.x, r0.x, 2.0
    CHECK(found.difference->component == 0);
    CHECK(found.difference->first == __builtin_bit_cast(uint32_t, 6.0f));
    CHECK(found.difference->second == (__builtin_bit_cast(uint32_t, 6.0f) ^ 1u));
}

TEST_CASE("in a loop the round is found too") {
    // Lane 2 goes three rounds; its second add in the loop is the first that is wrong.
    const Comparison found = compareWith(groupOf(kDiverging), isa::Op::Add, 2, 2);
    REQUIRE(found.difference.has_value());
    REQUIRE(found.difference->pc.has_value());
    CHECK(found.difference->lane == 2);
    CHECK(*found.difference->pc == 9);
    CHECK(found.difference->first == __builtin_bit_cast(uint32_t, 2.0f));
    // In the group's execution it is the add of the second round.
    Replay replay(groupOf(kDiverging));
    int adds = 0;
    (void)replay.visit([&](const interp::Step& step) {
        if (step.pc == 9 && ++adds == 2) CHECK(step.instructions == found.difference->count);
    });
}

TEST_CASE("what is computed from a wrong value is not blamed") {
    const Group group = groupOf(
        ".vertex\n.input v0 a vec4\nrcp r0.x, v0.x\nmul r1, r0.x, v0\nadd r2, r1, r0.x\n"
        "mov o0, r2\nret\n");
    const Comparison found = compareWith(group, isa::Op::Rcp, 1, 1);
    REQUIRE(found.difference.has_value());
    CHECK(found.difference->pc == 0u);
    CHECK(found.difference->lane == 1);
}

TEST_CASE("discards are results") {
    const Group group = groupOf(
        ".fragment\n.input v0 a vec4\nadd r0.x, v0.x, -1.0\nslt p1, r0.x, 1.0\n(p1) kil\n"
        "mov o0, r0.x\nret\n");
    const Comparison found = compareWith(group, isa::Op::Add, 2, 1);
    REQUIRE(found.difference.has_value());
    CHECK(found.difference->pc == 0u);
    CHECK(found.difference->lane == 2);
}

TEST_CASE("guards that an instruction overwrites, address registers and relative outputs") {
    const Group group = groupOf(
        ".vertex\n.input v0 a vec4\n.output o2 b[3] vec4\nslt p1, v0.x, 2.0\n"
        "(p1) slt p1, v0.x, 1.0\nf2i.i32 a0.x, v0.x\nmov r1, 4.0\n(p1) mul r1, r1, v0.x\n"
        "mov o[a0.x + 2], r1\nmov o0, r1\nret\n",
        0x7);
    const Comparison found = compareWith(group, isa::Op::Mul, 0, 1);
    REQUIRE(found.difference.has_value());
    CHECK(found.difference->lane == 0);
    CHECK(found.difference->pc == 4u);
}

}  // namespace
}  // namespace tessera::debug
