#include "model/chip/preset.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "model/chip/testing/builtin.h"

using namespace tessera;
using namespace tessera::model;

namespace {

std::string problemOf(std::string_view text) {
    std::string error;
    CHECK_FALSE(readPreset(text, "my.toml", &error).has_value());
    return error;
}

}  // namespace

TEST_CASE("every preset of the program is a machine, and all its numbers have a source") {
    REQUIRE(presetNames()[0] == "tessera");
    for (const std::string_view name : presetNames()) {
        CAPTURE(name);
        const Preset preset = builtin(name);
        CHECK(preset.name == name);
        CHECK_FALSE(preset.title.empty());
        for (const std::string& source : preset.sources) CHECK(source.size() > 10);
    }
}

TEST_CASE("the preset tessera is the machine that seed 004 describes") {
    const Preset p = builtin("tessera");
    CHECK(p.clock.khz == 600'000);
    CHECK(p.block.processors * p.block.lanes * 4 == 128);  // "128 hardware units called processing element"
    CHECK(p.block.groups * p.block.threads == 2048);       // "can execute 2048 threads in parallel"
    CHECK(p.block.threads / p.block.lanes == 4);           // "one instruction execution takes four clock cycles"
    CHECK(p.texture.cache_lines * 64 == 2048);             // "the cache size is 2KB"
    CHECK(p.texture.engines == 16);
    CHECK(p.pixel.engines == 8);
    CHECK(p.block.policy == Policy::Oldest);
}

TEST_CASE("the preset minimalist is the machine that seed 001 describes") {
    const Preset p = builtin("minimalist");
    CHECK(p.clock.khz == 74'250);                     // "we ran on the HDMI clock (74.25 MHz ...)"
    CHECK(p.block.lanes * p.block.components == 16);  // "we instantiate 16 FMA blocks"
    CHECK(p.block.shared_bytes == 0);                 // "we chose not to use a BRAM"
    CHECK_FALSE(p.has(isa::Op::Rcp));                 // an FMA's operations are all
    const uint32_t commands = p.block.threads / p.block.lanes;
    CHECK(p.instruction.alu.latency == 2 * commands);   // "executes one command every two cycles"
    CHECK(p.instruction.lane.latency == 2 * commands);  // "using one shuffle": loadb
}

TEST_CASE("the presets of seed 002 are the machines of its steps") {
    const Preset p = builtin("miaow2"), dcd = builtin("miaow2_dcd"), original = builtin("miaow_original");
    CHECK(p.clock.khz == 50'000);          // "the CUs domain with a clock frequency of 50MHz"
    CHECK(p.clock.memory_khz == 200'000);  // "operate at a substantially higher frequency (200 MHz)"
    CHECK(p.block.threads == 64);          // "wavefronts, i.e., a collection of 64 work-items"
    CHECK(p.block.groups == 40);           // "supports up to 40 wavefronts"
    CHECK(p.block.stages == 7);            // "composed of seven stages"
    CHECK(p.block.policy == Policy::Turns);
    CHECK(p.prefetch.bytes > 0);
    CHECK(dcd.prefetch.bytes == 0);
    CHECK(dcd.clock.memory_khz == p.clock.memory_khz);
    CHECK(original.clock.memory_khz == 0);  // one clock
    for (const Preset& each : {dcd, original}) {
        CHECK(each.relay.cycles == p.relay.cycles);
        CHECK(each.relay.memory_cycles == p.relay.memory_cycles);
        CHECK(each.block.hazards == Hazards::Scoreboard);
        CHECK(each.without == p.without);
    }
    // 100 ns of DDR3, by either clock.
    CHECK(uint64_t{p.sdram.latency} * p.clock.khz == uint64_t{original.sdram.latency} * p.clock.memory_khz);
}

TEST_CASE("the preset opengpu is the machine that seed 003 describes") {
    const Preset p = builtin("opengpu");
    CHECK(p.block.processors == 8);        // "Streaming Multiprocessors: 8"
    CHECK(p.block.issue == 4);             // "Cores per SM: 4"
    CHECK(p.block.arithmetic_units == 4);  // each with an ALU for 32 threads
    CHECK(p.block.lanes * p.block.components == 32);
    // "Handle multi-cycle operations (MUL, DIV, FP)"; of what it lists no atomics, no sines, no sums over a warp.
    for (const InstructionTiming& slow : {p.instruction.multiply, p.instruction.divide, p.instruction.floating})
        CHECK(slow.latency > p.instruction.alu.latency);
    for (const isa::Op lacks : {isa::Op::Atadd, isa::Op::Atcas, isa::Op::Sin, isa::Op::Rcp, isa::Op::Sum, isa::Op::Dot})
        CHECK_FALSE(p.has(lacks));
    for (const isa::Op has : {isa::Op::Shx, isa::Op::Vall, isa::Op::Vbal, isa::Op::Sqt, isa::Op::Div, isa::Op::Bar})
        CHECK(p.has(has));
    CHECK(p.block.threads == 32);                                          // "Threads per Warp: 32"
    CHECK(p.block.processors * p.block.groups * p.block.threads == 4096);  // "Max Concurrent Threads: 4,096"
    CHECK(p.block.stages == 5);                                            // "Pipeline Depth: 5 stages"
    CHECK(p.block.registers * p.block.components * 4 == 64 << 10);         // "Register File: 64 KB per SM"
    CHECK(p.block.shared_bytes == 64 << 10);                               // "Shared Memory: 64 KB per SM"
    CHECK(p.program.instructions * 4 == 16 << 10);                         // "L1 I-Cache: 16 KB", 32-bit instructions
    CHECK(p.program.stack == 8);                                           // "8-entry stack"
    CHECK(p.shared.banks == 32);                                           // "split into 32 banks"
    CHECK(p.global.cache_bytes == 32 << 10);                               // "L1 D-Cache: 32 KB"
    CHECK(p.global.cache_ways == 4);                                       // "4-way associative, 128B lines"
    CHECK(p.global.line_bytes == 128);
    CHECK(p.second.cache_bytes == 512 << 10);  // "L2 Cache: 512 KB"
    CHECK(p.second.cache_ways == 8);           // "L2 shared cache (512 KB, 8-way)"
    CHECK(p.block.policy == Policy::Greedy);
    CHECK(p.block.hazards == Hazards::Scoreboard);
}

TEST_CASE("the preset egpu has scalar processors and their registers") {
    const Preset p = builtin("egpu");
    CHECK(p.block.lanes * p.block.components == 16);                // "each SM contains 16 SPs"
    CHECK(p.block.registers * p.block.components * 4 == 32 << 10);  // 512 threads of 16 registers of 32 bits
    CHECK(p.program.temporaries == 16);
    CHECK(p.instruction.floating.latency == 9);  // "only 9, for both integer and FP operations"
}

TEST_CASE("classes of arithmetic follow from the data type") {
    using isa::Op;
    using isa::Type;
    CHECK(instructionClass(Op::Add, Type::F32) == InstructionClass::Floating);
    CHECK(instructionClass(Op::Add, Type::I32) == InstructionClass::Alu);
    CHECK(instructionClass(Op::Mad, Type::U32) == InstructionClass::Multiply);
    CHECK(instructionClass(Op::Mulh, Type::U32) == InstructionClass::Multiply);
    CHECK(instructionClass(Op::Madx, Type::I32) == InstructionClass::Multiply);
    CHECK(instructionClass(Op::Mul, Type::F32) == InstructionClass::Floating);
    CHECK(instructionClass(Op::Mov, Type::F32) == InstructionClass::Alu);
    CHECK(instructionClass(Op::I2f, Type::I32) == InstructionClass::Floating);
    CHECK(instructionClass(Op::Div, Type::F32) == InstructionClass::Divide);
    CHECK(instructionClass(Op::Ld, Type::F32) == InstructionClass::Load);
}

TEST_CASE("static reports count with the latencies of the preset tessera") {
    const Preset p = builtin("tessera");
    for (int i = 0; i < isa::kOpCount; ++i) {
        const isa::OpInfo& info = isa::opInfo(static_cast<isa::Op>(i));
        CAPTURE(info.mnemonic);
        CHECK(p.timing(instructionClass(info.op)).latency == info.latency);
        for (int type = 0; type < kTypes; ++type)
            if (info.types >> type & 1)
                CHECK(p.timing(instructionClass(info.op, static_cast<isa::Type>(type))).latency == info.latency);
    }
}

TEST_CASE("a preset is written and read again") {
    Preset preset = builtin("tessera");
    preset.without[static_cast<size_t>(isa::Op::Sin)] = isa::opInfo(isa::Op::Sin).types;
    preset.without[static_cast<size_t>(isa::Op::Mul)] = 1 << static_cast<int>(isa::Type::I32);
    const std::string text = presetText(preset);
    std::string error;
    const auto again = readPreset(text, "presets/tessera.toml", &error);
    REQUIRE_MESSAGE(again, error);
    CHECK(presetText(*again) == text);
    CHECK(again->name == "tessera");
    CHECK_FALSE(again->has(isa::Op::Sin));
    CHECK(again->has(isa::Op::Ex2));
    CHECK(again->has(isa::Op::Mul));
    CHECK(again->has(isa::Op::Mul, isa::Type::F32));
    CHECK_FALSE(again->has(isa::Op::Mul, isa::Type::I32));
    CHECK_FALSE(again->has(isa::Op::Ex2, isa::Type::I32));
}

TEST_CASE("a preset takes what it does not give from another one") {
    std::string error;
    const auto preset =
        readPreset("title = 'wide'\nfrom = 'tessera'\n[block]\nprocessors = [8, 'ours: a try']\n", "wide.toml", &error);
    REQUIRE_MESSAGE(preset, error);
    CHECK(preset->name == "wide");
    CHECK(preset->block.processors == 8);
    CHECK(preset->block.groups == 64);
}

TEST_CASE("what is wrong with a preset is told once, with its place") {
    struct Case {
        std::string_view text, expected;
    };
    const Case cases[] = {
        {"from = 'tessera'\n[blok]\nprocessors = [4, 'ours: x']", "my.toml:3:1: no unit of the machine is called blok"},
        {"from = 'tessera'\n[block]\nprocesors = [4, 'ours: x']",
         "my.toml:3:1: no parameter is called block.procesors; did you mean block.processors?"},
        {"from = 'tessera'\n[block]\nlanes = [7, 'ours: x']", "my.toml:3:1: block.lanes = 7 does not divide"},
        {"from = 'tessera'\n[block]\ngroups = [65, 'ours: x']", "my.toml:3:11: block.groups = 65 is out of range"},
        {"from = 'tessera'\n[block]\ngroups = [6.5, 'ours: x']", "my.toml:3:11: block.groups is a whole number"},
        {"from = 'tessera'\n[block]\ngroups = [6, 'somewhere']", "my.toml:3:14: where does block.groups come from?"},
        {"from = 'tessera'\n[, a comma]\n[block]", "my.toml:2:1: this line is no TOML; presets are TOML files"},
        {"from = 'tessera'\n[block]\ngroups = 6", "my.toml:3:10: block.groups is a value and its source"},
        {"from = 'tessera'\n[block]\npolicy = ['newest', 'ours: x']", "my.toml:3:11: block.policy is not \"newest\""},
        {"from = 'tesera'", "my.toml:1:8: no preset is called tesera; did you mean tessera?"},
        {"from = 'tessera'\nwithout = ['add', 'sine']", "my.toml:2:19: no instruction is called \"sine\""},
        {"from = 'tessera'\nwithout = ['sin.i32']", "my.toml:2:12: no instruction is called \"sin.i32\""},
        {"title = 'x'", "my.toml:1:1: clock.khz is not given"},
        {"title = ", "my.toml:1:9: "},
        {"from = 'tessera'\n[block]\nthreads = [16, 'ours: x']", "my.toml:3:1: block.threads = 16, but work"},
        {"from = 'tessera'\n[texture]\nways = [3, 'ours: x']",
         "my.toml:3:1: texture.cache_lines = 32 is no power of two"},
    };
    for (const Case& c : cases) {
        const std::string problem = problemOf(c.text);
        CHECK_MESSAGE(problem.starts_with(c.expected), problem);
        CHECK(problem.find('\n') == std::string::npos);
    }
}

TEST_CASE("keys of any depth and number are told where they begin to be wrong") {
    const auto repeated = [](std::string_view what, int times) {
        std::string text;
        for (int i = 0; i < times; ++i) text += what;
        return text;
    };
    const std::string from = "from = 'tessera'\n", deep = repeated("a.", 1'000'000) + "a";
    CHECK(problemOf(from + deep + " = [1, 'ours: x']") ==
          "my.toml:2:32: a key has more than 16 parts; presets are TOML files");
    CHECK(problemOf(from + "[" + deep + "]\nx = [1, 'ours: x']") ==
          "my.toml:2:33: a key has more than 16 parts; presets are TOML files");
    CHECK(problemOf(from + "[block]\n" + repeated("'a' . ", 20'000) + "b = 1").starts_with("my.toml:3:95: a key has"));
    // Tables in tables, as many as TOML's reader takes.
    CHECK(problemOf(from + "block = " + repeated("{ a = ", 200) + "1" + repeated("}", 200)) ==
          "my.toml:2:11: no parameter is called block.a");
    CHECK(problemOf(from + "block" + repeated(".a", 15) + " = [1, 'ours: x']") ==
          "my.toml:2:7: no parameter is called block.a");
    // Dots that are no part of a key: of texts, comments, numbers.
    const std::string dots = repeated(".", 100);
    for (const std::string quote : {"\"", "'", "\"\"\"", "'''"}) {
        std::string error;
        CHECK(readPreset(from + "# " + dots + "\ntitle = " + quote + "\\\\" + dots + quote, "my.toml", &error));
        CHECK_MESSAGE(error.empty(), error);
        CHECK(problemOf(from + "title = " + quote + "x" + quote + "\n[block]\ngroups = [1.5, 'ours: " + dots + "']")
                  .ends_with("block.groups is a whole number"));
    }
    // The last one by name comes first in the file, so that each that is looked at is the first so far.
    std::string many = from + "[block]\n";
    for (int i = 700'000; i > 0; --i) many += "k" + std::to_string(1'000'000 + i) + " = 1\n";
    CHECK(problemOf(many) == "my.toml:3:1: no parameter is called block.k1700000");
}

TEST_CASE("names of presets and files") {
    std::string error;
    CHECK_FALSE(loadPreset("tesera", &error));
    CHECK(error.starts_with("tesera:1:1: no preset has this name; did you mean tessera?"));
    CHECK_FALSE(loadPreset("./none.toml", &error));
    CHECK(error.starts_with("./none.toml:1:1: cannot be read"));
}

TEST_CASE("--set changes one parameter, or says why not") {
    Preset preset = builtin("tessera");
    std::string error;
    CHECK(setParameter(preset, "block.processors=8", &error));
    CHECK(preset.block.processors == 8);
    CHECK(setParameter(preset, "block.policy=greedy", &error));
    CHECK(preset.block.policy == Policy::Greedy);
    CHECK_FALSE(setParameter(preset, "block.processors=none", &error));
    CHECK(error == "--set block.processors=none:1:18: block.processors is a whole number");
    CHECK_FALSE(setParameter(preset, "block.lanes=7", &error));
    CHECK_FALSE(setParameter(preset, "processors=7", &error));
    CHECK_FALSE(setParameter(preset, "block.processors", &error));
    CHECK(preset.block.lanes == 8);
}
