// Random programs, by LLVM, without it, and by the interpreter: the same bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <thread>
#include <vector>

#include "shader-core/analysis/draw_steps.h"
#include "shader-core/analysis/facts.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/interp/testing/random_program.h"
#include "shader-core/interp/testing/special_values.h"
#include "shader-core/jit/baseline/baseline.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/testing/compare.h"
#include "shader-core/tier/tiered.h"

using namespace tessera;
using interp::control;
using interp::makeProgram;
using interp::RandomProgram;
using interp::reg;
using interp::specialOrRandom;
using interp::TestGroup;
using interp::withUniforms;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;
using jit::baselineOf;
using jit::compare;
using jit::compilerOf;
using jit::fromEnvironment;
using jit::HashingTextures;
using jit::Routines;
using jit::routinesOf;

namespace {

/// What of a program's first routine can run on pairs of blocks: straight code of it, or its ifs and loops, too.
std::vector<Instruction> pairing(const std::vector<Instruction>& code, bool forks) {
    std::vector<Instruction> kept;
    std::vector<uint16_t> places;  // of each instruction, or of what follows it
    int depth = 0;
    for (const Instruction& i : code) {
        places.push_back(static_cast<uint16_t>(kept.size()));
        const isa::OpInfo& info = isa::opInfo(i.op);
        bool keep = !isa::isTexture(info.shape) && !i.dst.relative;
        for (const isa::Source& s : i.src) keep &= !s.relative && !(s.file == File::S && s.index == 3);
        if (info.unit == isa::Unit::Control) {
            keep = forks && i.op != Op::Call && i.op != Op::Kil && i.op != Op::Ret;
            depth += i.op == Op::If || i.op == Op::Loop;
            depth -= i.op == Op::Endif || i.op == Op::Endloop;
        }
        if (keep) kept.push_back(i);
        if (i.op == Op::Ret && i.guard == 0 && depth == 0) break;
    }
    for (Instruction& i : kept)
        if (isa::opInfo(i.op).unit == isa::Unit::Control) i.target = places[i.target];
    kept.push_back(control(Op::Ret));
    return kept;
}

/// Straight code some times over, what it computes under guards, some instructions under each: rungs to jump over.
std::vector<Instruction> ladder(const std::vector<Instruction>& straight, uint32_t seed) {
    constexpr size_t kTimes = 5;
    std::mt19937 random(seed);
    std::vector<Instruction> code;
    uint8_t guard = 1;
    bool negate = false;
    for (size_t n = 0; n < kTimes * (straight.size() - 1); ++n) {
        Instruction& i = code.emplace_back(straight[n % (straight.size() - 1)]);
        if (random() % 6 == 0) guard = static_cast<uint8_t>(1 + random() % 3), negate = random() % 2 != 0;
        if (i.dst.file != File::P) i.guard = guard, i.guardNegate = negate;
    }
    code.push_back(straight.back());
    return code;
}

/// With uniforms for what differs between lanes, but for one input: much is the same for a whole draw.
std::vector<Instruction> ofConstants(std::vector<Instruction> code) {
    for (Instruction& i : code) {
        const bool isControl = isa::opInfo(i.op).unit == isa::Unit::Control;
        if (i.dst.file != File::P && !isControl && i.dst.index % 2 == 0) i.guard = 0, i.guardNegate = false;
        for (isa::Source& s : i.src) {
            const bool differs = (s.file == File::V && s.index != 0) || s.file == File::S || s.file == File::P;
            if (differs && !s.relative) s = reg(File::C, s.index % RandomProgram::kConstants, s.swizzle);
        }
    }
    return code;
}

/// Random programs give all their registers away, as integers. Of every four one gives only one away, so that the
/// others are of no use at its end, and one gives sums.
std::vector<Instruction> withOtherOutputs(std::vector<Instruction> code, uint32_t seed) {
    for (Instruction& i : code) {
        if (i.dst.file != File::O) continue;
        for (size_t s = 0; s < static_cast<size_t>(isa::sourceCount(isa::opInfo(i.op).shape)); ++s)
            if (seed % 4 == 1 && i.src[s].file == File::R) i.src[s].index = static_cast<uint16_t>(seed / 4 % 8);
        if (seed % 4 != 3) continue;
        i.type = Type::F32;
        if (i.op == Op::Xor) i.op = Op::Add;
    }
    return code;
}

/// Gives all lanes of a block the same, so that blocks go ways of their own.
void blocksAlike(TestGroup& group) {
    const auto spread = [](isa::GroupRegister& reg) {
        for (auto& component : reg.lane)
            for (int lane = 0; lane < isa::kGroupSize; ++lane) component[lane] = component[lane & 16];
    };
    for (isa::GroupRegister& input : group.inputs) spread(input);
    for (isa::GroupRegister& special : group.specials) spread(special);
}

constexpr uint64_t kBudget = 20000;

/// Instructions of the group's longer block, at most one more than the budget.
uint64_t neededBy(const isa::Routine& routine, TestGroup& group) {
    std::vector<isa::GroupRegister> outputs(isa::kMaxOutputs);
    isa::GroupRun run = group.run;
    run.outputs = outputs.data();
    run.budget = kBudget + 1;
    routine.run(run);
    return run.instructions;
}

/// How often something happened.
struct Counts {
    int compared = 0, refused = 0, pairs = 0, overran = 0;
};

/// Fills inputs, specials and constants, and chooses lanes. Every fourth round has numbers of all kinds.
void fillAtRandom(TestGroup& group, std::mt19937& random, int round, const isa::Program& program) {
    for (const int v : RandomProgram::kInputs)
        for (auto& component : group.inputs[v].lane)
            for (float& x : component)
                x = round == 2          ? __builtin_bit_cast(float, specialOrRandom(random))
                    : random() % 2 != 0 ? __builtin_bit_cast(float, static_cast<uint32_t>(random() % 64))
                                        : static_cast<float>(static_cast<int>(random() % 256) - 128) * 0.0625f;
    for (auto& special : group.specials)
        for (auto& component : special.lane)
            for (float& x : component) x = static_cast<float>(random() % 512) * 0.25f;
    if (round == 3) blocksAlike(group);
    for (int k = 0; k < RandomProgram::kConstants; ++k)
        for (float& x : group.constants[k])
            x = round == 2 ? __builtin_bit_cast(float, specialOrRandom(random))
                           : static_cast<float>(static_cast<int>(random() % 256) - 128) * 0.125f;
    for (int c = 0; c < 4; ++c)
        group.constants[1][c] = __builtin_bit_cast(float, program.literals[0].bits[static_cast<size_t>(c)]);
    // Whole quads; lane 0 is never wanted.
    uint32_t active = ~0u;
    if (random() % 3 == 0) {
        active = random() & random() & 0x05050505u & 0x00330033u;
        active |= 1u << (random() % 2 * 16);
        active &= 0x05050505u;
        active |= active << 1;
        active |= active << 4;
    }
    if (random() % 6 == 0) active &= 0xFFFF0000u;
    if (random() % 6 == 0) active &= 0x0000FFFFu;
    group.run.activeMask = active;
    group.run.helperMask = active & 1;
    group.run.budget = kBudget;
}

/// Compares the routines of a random program with the interpreter's.
void compareRandom(uint32_t seed, const std::vector<Instruction>& code, SimdLevel interpreterLevel,
                   const std::function<Routines(const std::shared_ptr<isa::Program>&)>& routinesOfProgram,
                   Counts& counts) {
    CAPTURE(seed);
    const HashingTextures textures;
    auto program = makeProgram(code, isa::Stage::Fragment, RandomProgram::kAllTemps);
    std::mt19937 random(seed + 1);
    // Some constants are literals, the others uniforms.
    program->literals.push_back({1, {specialOrRandom(random), 0x3f800000, specialOrRandom(random), 0}});
    program = withUniforms(program, RandomProgram::kConstants);
    REQUIRE(isa::verify(*program) == "");
    const auto expected = interp::makeInterpreter(interpreterLevel)->prepare(program);
    const Routines routines = routinesOfProgram(program);
    counts.pairs += routines.hasPair;
    counts.refused += routines.all.empty();
    for (int round = 0; round < 4 && !routines.all.empty(); ++round) {
        TestGroup group;
        fillAtRandom(group, random, round, *program);
        group.run.textures = random() % 8 != 0 ? &textures : nullptr;
        for (const auto& actual : routines.all) compare(*expected, *actual, group);
        counts.compared += !group.run.budgetExceeded;
        // Budgets about what the longer block needs: all agree which is too small.
        const uint64_t needed = neededBy(*routines.all[0], group);
        for (const auto& actual : routines.all) CHECK(neededBy(*actual, group) == needed);
        if (needed == 0) continue;
        for (const uint64_t budget : {needed, needed - 1, random() % needed}) {
            if (budget == 0) continue;
            group.run.budget = budget;
            for (const auto& actual : routines.all) compare(*expected, *actual, group);
            CHECK(group.run.budgetExceeded == (budget < needed || needed > kBudget));
            counts.overran += group.run.budgetExceeded;
        }
    }
}

}  // namespace

TEST_CASE("random structured programs: the JIT and the interpreter agree to the bit") {
    const auto levels = simdLevels();
    const int count = fromEnvironment("TESSERA_RANDOM_PROGRAMS", 60);
    const uint32_t first = static_cast<uint32_t>(fromEnvironment("TESSERA_RANDOM_SEED", 0));
    std::vector<std::shared_ptr<isa::Executor>> jits;
    for (const SimdLevel level : levels) jits.push_back(compilerOf(level));
    for (const SimdLevel level : levels)
        jits.push_back(jit::makeJit(jit::Options{.level = level, .atMost = jit::Effort::Quick}));
    Counts counts;
    int jumping = 0, ofDraws = 0, forkedPairs = 0;
    for (uint32_t seed = first; seed < first + static_cast<uint32_t>(count); ++seed) {
        const int pairs = counts.pairs;
        auto code = RandomProgram(seed, interp::Instructions::Everything).program();
        const bool forks = seed % 4 == 3;
        if (seed % 3 == 0 || forks) code = pairing(code, forks);
        if (seed % 4 == 1) {
            code = ladder(pairing(code, false), seed);
            const auto facts = analysis::findFacts(*makeProgram(code, isa::Stage::Fragment, RandomProgram::kAllTemps));
            jumping += std::ranges::any_of(facts.at, [](const auto& at) { return at.jumpTo != 0; });
        }
        if (seed % 5 < 2) {
            code = ofConstants(pairing(code, seed % 2 != 0));
            const auto program = withUniforms(makeProgram(code, isa::Stage::Fragment, RandomProgram::kAllTemps),
                                              RandomProgram::kConstants);
            ofDraws += analysis::findDrawSteps(analysis::findFacts(*program), *program).any();
        }
        compareRandom(
            seed, code, levels[seed % levels.size()],
            [&](const auto& program) {
                return routinesOf(*jits[(seed / 3) % jits.size()], levels[(seed / 3) % levels.size()], program);
            },
            counts);
        forkedPairs += forks ? counts.pairs - pairs : 0;
    }
    INFO(counts.compared, " compared, ", counts.refused, " refused, ", counts.pairs, " pairs, ", forkedPairs,
         " with forks");
    CHECK(counts.compared >= 2 * count);
    CHECK(counts.overran >= 2 * count);
    CHECK(counts.refused <= count / 50);
    CHECK(jumping >= count / 12);
    CHECK(ofDraws >= count / 12);
    if (jit::hostLevel(levels.back()).registerBits >= 256) CHECK(forkedPairs >= count / 20);
    if (jit::hostLevel(levels.back()).registerBits >= 256) CHECK(counts.pairs >= count / 12);
}

TEST_CASE("random structured programs: code that takes no compiler and the interpreter agree to the bit") {
    const auto levels = simdLevels();
    const int count = 40 * fromEnvironment("TESSERA_RANDOM_PROGRAMS", 60);
    const uint32_t first = static_cast<uint32_t>(fromEnvironment("TESSERA_RANDOM_SEED", 0));
    Counts counts;
    for (uint32_t seed = first; seed < first + static_cast<uint32_t>(count); ++seed)
        compareRandom(
            seed, withOtherOutputs(RandomProgram(seed, interp::Instructions::Everything).program(), seed),
            levels[seed % levels.size()],
            [&](const auto& program) { return baselineOf(levels[(seed / 3) % levels.size()], program); }, counts);
    if (!jit::kHasBaseline) return;
    CHECK(counts.refused == 0);
    CHECK(counts.compared >= 2 * count);
    CHECK(counts.overran >= 2 * count);
}

TEST_CASE("programs swapped from the interpreter to the JIT under load give the same bits throughout") {
    const auto reference = interp::makeInterpreter();
    const HashingTextures textures;
    constexpr int kPrograms = 12, kThreads = 3;
    const auto tiered = tier::makeTiered(reference, [] { return jit::makeJit(simdLevel()); });
    std::vector<std::shared_ptr<const isa::Routine>> expected, actual;
    for (uint32_t seed = 0; seed < kPrograms; ++seed) {
        auto program = makeProgram(RandomProgram(seed, interp::Instructions::Everything).program(),
                                   isa::Stage::Fragment, RandomProgram::kAllTemps);
        program = withUniforms(program, RandomProgram::kConstants);
        expected.push_back(reference->prepare(program));
        actual.push_back(tiered->prepare(program));
    }
    std::atomic<int> different = 0;
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            std::mt19937 random(t);
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
            while (std::chrono::steady_clock::now() < end) {
                const size_t which = random() % kPrograms;
                TestGroup one, other;
                for (int v = 0; v < 3; ++v)
                    for (auto& component : one.inputs[v].lane)
                        for (float& x : component) x = static_cast<float>(random() % 64) * 0.25f;
                std::memcpy(other.inputs, one.inputs, sizeof one.inputs);
                one.run.textures = other.run.textures = &textures;
                one.run.budget = other.run.budget = 20000;
                expected[which]->run(one.run);
                actual[which]->run(other.run);
                if (one.run.budgetExceeded) continue;
                const uint32_t wanted = ~one.run.killMask;
                different += one.run.killMask != other.run.killMask;
                for (int o = 0; o < 5; ++o)
                    for (int c = 0; c < 4; ++c)
                        for (int lane = 0; lane < 32; ++lane)
                            if (wanted >> lane & 1) different += one.bits(o, c, lane) != other.bits(o, c, lane);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(different == 0);
}
