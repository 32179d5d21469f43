// Positions: going back gives exactly what was there on the way forward, whatever was looked at in between.
#include "shader-core/debug/replay/replay.h"

#include <atomic>
#include <cstring>

#include "shader-core/debug/testing/groups.h"

namespace tessera::debug {
namespace {

bool same(const State& a, const State& b) {
    const auto equal = [](const isa::GroupRegister& x, const isa::GroupRegister& y) {
        return std::memcmp(&x, &y, sizeof x) == 0;
    };
    bool result = a.count == b.count && a.pc == b.pc && a.execMask == b.execMask && a.guardedMask == b.guardedMask &&
                  a.killMask == b.killMask && a.ended == b.ended && a.predicates == b.predicates &&
                  a.stack.size() == b.stack.size() && a.temps.size() == b.temps.size() && equal(a.address, b.address);
    for (size_t i = 0; result && i < a.temps.size(); ++i) result = equal(a.temps[i], b.temps[i]);
    for (size_t i = 0; result && i < a.outputs.size(); ++i) result = equal(a.outputs[i], b.outputs[i]);
    for (size_t i = 0; result && i < a.stack.size(); ++i)
        result = a.stack[i].waiting == b.stack[i].waiting && a.stack[i].target == b.stack[i].target;
    return result;
}

TEST_CASE("stepping back gives the state that was there") {
    Replay replay(groupOf(kDiverging));
    std::vector<State> states;
    while (!replay.state().ended) {
        states.push_back(replay.state());
        replay.goTo(replay.state().count + 1);
        REQUIRE(states.size() < 200);
    }
    const uint64_t end = replay.state().count;
    CHECK(end == states.size());
    for (size_t i = states.size(); i-- > 0;) {
        replay.goTo(i);
        CHECK(same(replay.state(), states[i]));
    }
    replay.goTo(end + 100);
    CHECK(replay.state().ended);
    CHECK(replay.state().count == end);
}

TEST_CASE("the end holds the outputs that a run without an observer gives") {
    const Group group = groupOf(kDiverging);
    const Outcome expected = runGroup(group, *interp::makeInterpreter()->prepare(group.program));
    Replay replay(group);
    replay.goTo(UINT64_MAX);
    for (int lane = 0; lane < 4; ++lane) {
        CHECK(replay.state().outputs[0].lane[0][lane] == expected.outputs[0].lane[0][lane]);
        CHECK(replay.state().outputs[0].lane[0][lane] == (lane < 2 ? lane + 10.0f : lane * 2.0f));
        CHECK(replay.state().outputs[0].lane[1][lane] == static_cast<float>(lane + 1));
    }
}

TEST_CASE("a group without constants has room for its program's literals, and those in it") {
    const Group group = groupOf(".vertex\n.const c1 = -3.0, 2.0, 0, 0.5\n    mov o0, c1\n    ret\n");
    REQUIRE(group.constants.size() == 2);
    CHECK(group.constants[1] == std::array<float, 4>{-3, 2, 0, 0.5f});
}

TEST_CASE("masks and the reconvergence stack inside an if") {
    Replay replay(groupOf(kDiverging));
    REQUIRE(replay.forward([](const interp::Step& step, const WrittenTypes&) { return step.pc == 3; }));
    CHECK(replay.state().execMask == 0x3);
    REQUIRE(replay.state().stack.size() == 1);
    CHECK(replay.state().stack[0].kind == interp::EntryKind::If);
    CHECK(replay.state().stack[0].waiting == 0xC);
    REQUIRE(replay.forward([](const interp::Step& step, const WrittenTypes&) { return step.pc == 5; }));
    CHECK(replay.state().execMask == 0xC);
}

TEST_CASE("forward and backward find the same stops in opposite order") {
    Replay replay(groupOf(kDiverging));
    const auto atAdd = [](const interp::Step& step, const WrittenTypes&) { return step.pc == 9; };
    std::vector<uint64_t> there, back;
    while (replay.forward(atAdd)) there.push_back(replay.state().count);
    CHECK(there.size() == 4);
    CHECK(replay.state().ended);
    while (replay.backward(atAdd)) back.insert(back.begin(), replay.state().count);
    CHECK(there == back);
    CHECK(replay.state().count == 0);
}

TEST_CASE("an edit lasts, and is made again on the way") {
    Replay replay(groupOf(kDiverging));
    REQUIRE(replay.forward([](const interp::Step& step, const WrittenTypes&) { return step.pc == 13; }));
    replay.edit(isa::File::R, 0, 0, 1, __builtin_bit_cast(uint32_t, 99.0f));
    CHECK(replay.state().temps[0].lane[0][1] == 99.0f);
    replay.goTo(0);
    CHECK(replay.state().temps[0].lane[0][1] == 0.0f);
    replay.goTo(UINT64_MAX);
    CHECK(replay.state().outputs[0].lane[0][1] == 99.0f);
    CHECK(replay.state().outputs[0].lane[0][0] == 10.0f);
}

TEST_CASE("a predicate that is edited decides") {
    Replay replay(groupOf(kDiverging));
    replay.goTo(2);
    REQUIRE(replay.state().pc == 2);
    replay.edit(isa::File::P, 1, 0, 3, 1);
    CHECK(replay.state().guardedMask == 0xB);
    replay.goTo(UINT64_MAX);
    CHECK(replay.state().outputs[0].lane[0][3] == 13.0f);
}

TEST_CASE("a program that never ends is stopped where it is when the user asks for it") {
    Replay replay(groupOf(".fragment\nloop\nendloop\nret\n"));
    std::atomic<bool> interrupt = false;
    replay.setInterrupt(&interrupt);
    const auto never = [&](const interp::Step& step, const WrittenTypes&) {
        if (step.instructions == 500) interrupt = true;
        return false;
    };
    CHECK_FALSE(replay.forward(never));
    CHECK_FALSE(replay.state().ended);
    CHECK(replay.state().count == 500);
    CHECK(replay.isInterrupted());
    replay.goTo(UINT64_MAX);  // it is still set: no further, and not back to the start
    CHECK(replay.state().count == 500);
    interrupt = false;
    replay.goTo(502);
    CHECK(replay.state().count == 502);
}

TEST_CASE("a program that never ends is stopped") {
    Group group = groupOf(".fragment\nloop\nendloop\nret\n");
    group.budget = 1000;
    Replay replay(group);
    replay.goTo(UINT64_MAX);
    CHECK(replay.state().ended);
    CHECK(replay.state().budgetExceeded);
    CHECK(replay.state().count == 1000);
}

}  // namespace
}  // namespace tessera::debug
