// Random structured programs against one scalar thread per lane.
#include <doctest/doctest.h>

#include <random>

#include "shader-core/interp/testing/group.h"
#include "shader-core/interp/testing/random_program.h"
#include "shader-core/interp/testing/reference_thread.h"

using namespace tessera;
using namespace tessera::interp;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;

namespace {

struct Expected {
    std::array<reference::Thread, 32> threads;
    bool ended = true;
};

Expected expect(const std::vector<Instruction>& code, const isa::Program& program, const TestGroup& group) {
    Expected expected;
    for (uint32_t lane = 0; lane < 32; ++lane) {
        reference::Thread& t = expected.threads[lane];
        t.lane = lane;
        t.temps.resize(program.tempCount);
        t.inputMask = program.inputMask;
        t.outputMask = program.outputMask;
        t.constants.resize(program.constantCount);
        for (int c = 0; c < 4; ++c) {
            for (const int v : RandomProgram::kInputs)
                t.inputs[v][c] = reference::asBits(group.inputs[v].lane[c][lane]);
            for (size_t k = 0; k < t.constants.size(); ++k)
                t.constants[k][c] = reference::asBits(group.constants[k][c]);
        }
        expected.ended &= t.run(code, 20000);
    }
    return expected;
}

}  // namespace

TEST_CASE("2,000 random structured programs behave as 32 independent threads") {
    const auto levels = simdLevels();
    int divergent = 0, killed = 0, compared = 0, programs = 0;
    for (uint32_t seed = 0; programs < 2000; ++seed) {
        const std::vector<Instruction> code = RandomProgram(seed).program();
        const auto program =
            makeProgram(code, isa::Stage::Fragment, RandomProgram::kAllTemps, RandomProgram::kConstants);
        CAPTURE(seed);
        REQUIRE(isa::verify(*program) == "");
        TestGroup group;
        std::mt19937 random(seed + 1);
        for (const int v : RandomProgram::kInputs)
            for (auto& component : group.inputs[v].lane)
                for (float& x : component)
                    x = random() % 2 ? reference::asFloat(random() % 64)
                                     : (static_cast<int>(random() % 256) - 128) * 0.0625f;
        for (int k = 0; k < RandomProgram::kConstants; ++k)
            for (float& x : group.constants[k]) x = (static_cast<int>(random() % 256) - 128) * 0.125f;
        const Expected expected = expect(code, *program, group);
        if (!expected.ended) continue;  // calls in nested loops can multiply to millions of instructions
        ++programs;
        const auto routine = makeInterpreter(levels[seed % levels.size()])->prepare(program);
        group.run.activeMask = seed % 3 == 0 ? random() | 1 : ~0u;
        group.run.helperMask = 1;  // lane 0 is never wanted
        routine->run(group.run);
        uint32_t wanted = 0;
        for (uint32_t lane = 0; lane < 32; ++lane) {
            if (!(group.run.activeMask >> lane & 1)) continue;
            if (!expected.threads[lane].killed && lane != 0) wanted |= 1u << lane;
        }
        for (uint32_t lane = 1; lane < 32; ++lane) {
            const reference::Thread& t = expected.threads[lane];
            if (wanted != 0 && (group.run.activeMask >> lane & 1))
                CHECK((group.run.killMask >> lane & 1) == (t.killed ? 1u : 0u));
            if (!(wanted >> lane & 1)) continue;
            divergent += t.steps != expected.threads[1].steps;
            for (const int o : RandomProgram::kOutputs) {
                for (int c = 0; c < 4; ++c) {
                    CAPTURE(lane);
                    CAPTURE(o);
                    CAPTURE(c);
                    REQUIRE(group.bits(o, c, static_cast<int>(lane)) == t.outputs[o][c]);
                    ++compared;
                }
            }
        }
        killed += wanted != (group.run.activeMask & ~1u);
    }
    // The programs must be worth the test.
    INFO(divergent, " ", killed, " ", compared);
    CHECK(divergent > 10000);
    CHECK(killed > 50);
    CHECK(compared > 500000);
}
