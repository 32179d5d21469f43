// Random kernels: the same bytes and the same counts on every tier, SIMD level and thread count.
//
// TESSERA_RANDOM_PROGRAMS and TESSERA_RANDOM_SEED make it run more, and others.
#include <doctest/doctest.h>

#include <cstdlib>

#include "shader-core/asm/disassembler.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "shader-core/tier/tiered.h"
#include "tests/compute/machine.h"
#include "tests/compute/random_kernel.h"

namespace tessera::compute {
namespace {

uint32_t fromEnvironment(const char* name, uint32_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

struct Outcome {
    std::vector<uint32_t> memory;
    isa::ComputeCounters counters;
    std::string message;
    bool operator==(const Outcome&) const = default;
};

constexpr uint32_t kBlocks = 6;

Outcome outcome(Device& device, const isa::Program& program, uint32_t seed) {
    std::string why;
    const auto kernel = device.load(program, &why);
    REQUIRE(why == "");
    std::mt19937 random(seed);
    std::vector<uint32_t> input(RandomKernel::kInputBytes / 4), output(kBlocks * RandomKernel::kBlockBytes / 4);
    for (uint32_t& word : input) word = random() % 3 ? static_cast<uint32_t>(random()) : random() % 64;
    for (uint32_t& word : output) word = static_cast<uint32_t>(random()) % 1000;
    const auto in = filled(input), out = filled(output);
    (void)kernel->bind("in", in);
    (void)kernel->bind("out", out);
    if (program.buffers.size() > 2)
        (void)kernel->bind("mirror", std::make_shared<Buffer>(size_t{kBlocks} * RandomKernel::kBlockMirror));
    const uint32_t uniform[4] = {static_cast<uint32_t>(random()), 3, 0x40200000, 0};
    (void)kernel->setUniform("u", uniform);
    const auto launch = device.launch(*kernel, {.grid = {2, 3, 1}});
    device.wait();
    const auto words = out->as<uint32_t>();
    return {{words.begin(), words.end()}, launch->counters, launch->message};
}

TEST_CASE("random kernels agree on every tier, level and thread count") {
    const uint32_t count = fromEnvironment("TESSERA_RANDOM_PROGRAMS", 40),
                   first = fromEnvironment("TESSERA_RANDOM_SEED", 1);
    const auto interpreter = interp::makeInterpreter(kLeastSimdLevel);
    Device reference(interpreter, 1);
    struct Candidate {
        std::string name;
        std::unique_ptr<Device> device;
    };
    std::vector<Candidate> candidates;
    for (const SimdLevel level : simdLevels()) {
        const auto add = [&](const std::shared_ptr<isa::Executor>& executor, int threads) {
            candidates.push_back({executor->name() + " " + simdLevelName(level) + " threads " + std::to_string(threads),
                                  std::make_unique<Device>(executor, threads)});
        };
        add(interp::makeInterpreter(level), 2);
        const auto compiled = tier::makeEager(interpreter, [level] { return jit::makeJit(level); });
        for (const int threads : {1, 2, 8}) {
            if (threads != 1 && level != simdLevel()) continue;
            add(compiled, threads);
        }
    }
    uint32_t failed = 0;
    for (uint32_t seed = first; seed < first + count; ++seed) {
        const isa::Program program = RandomKernel(seed).program();
        REQUIRE(isa::verify(program) == "");
        const Outcome expected = outcome(reference, program, seed);
        failed += !expected.message.empty();
        for (Candidate& candidate : candidates) {
            INFO("seed " << seed << ", " << candidate.name << "\n" << assembly::disassemble(program));
            const Outcome actual = outcome(*candidate.device, program, seed);
            REQUIRE(actual.message == expected.message);
            if (!expected.message.empty()) continue;  // what had been written by then is not defined
            for (size_t word = 0; word < expected.memory.size(); ++word) {
                CAPTURE(word);
                REQUIRE(actual.memory[word] == expected.memory[word]);
            }
            REQUIRE(actual.counters.instructions == expected.counters.instructions);
            REQUIRE(actual.counters == expected.counters);
        }
    }
    CHECK(failed == 0);
}

TEST_CASE("a number of iterations is a counter and a brk, a subset a guard, and another wavefront's register memory") {
    const uint32_t count = 5 * fromEnvironment("TESSERA_RANDOM_PROGRAMS", 40),
                   first = fromEnvironment("TESSERA_RANDOM_SEED", 1);
    Device device(interp::makeInterpreter(), 1);
    uint32_t different = 0, snooping = 0;
    for (uint32_t seed = first; seed < first + count; ++seed) {
        const isa::Program direct = RandomKernel(seed).program();
        const isa::Program spelled = RandomKernel(seed, RandomKernel::Form::Spelled).program();
        different += direct.code != spelled.code;
        for (const isa::Word& word : direct.code) {
            const isa::Instruction i = isa::decode(word).value();
            snooping += i.src[0].snoopOfBlock || i.src[1].snoopOfBlock || i.src[2].snoopOfBlock;
        }
        INFO("seed " << seed << "\n" << assembly::disassemble(direct) << assembly::disassemble(spelled));
        const Outcome actual = outcome(device, direct, seed), expected = outcome(device, spelled, seed);
        REQUIRE(actual.message == "");
        REQUIRE(expected.message == "");
        REQUIRE(actual.memory == expected.memory);
        REQUIRE(actual.counters.outOfRange == expected.counters.outOfRange);
    }
    CHECK(different > count / 4);
    CHECK(snooping > count / 4);
}

}  // namespace
}  // namespace tessera::compute
