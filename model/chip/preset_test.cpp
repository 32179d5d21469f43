#include "model/chip/preset.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace tessera;
using namespace tessera::model;

namespace {

std::string problemOf(std::string_view text) {
    std::string error;
    CHECK_FALSE(readPreset(text, "my.toml", &error).has_value());
    return error;
}

Preset builtin(std::string_view name) {
    std::string error;
    const auto preset = loadPreset(name, &error);
    REQUIRE_MESSAGE(preset, error);
    return *preset;
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

TEST_CASE("static reports count with the latencies of the preset tessera") {
    const Preset p = builtin("tessera");
    for (int i = 0; i < isa::kOpCount; ++i) {
        const isa::OpInfo& info = isa::opInfo(static_cast<isa::Op>(i));
        CAPTURE(info.mnemonic);
        CHECK(p.timing(instructionClass(info.op)).latency == info.latency);
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
