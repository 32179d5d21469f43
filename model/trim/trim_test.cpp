// What programs need against counts by hand, the resource table against the papers' tables, and trimmed machines.
#include "model/trim/trim.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "shader-core/asm/assembler.h"

namespace tessera::model {
namespace {

isa::Program assembled(const std::string& text) {
    assembly::AssembleResult result = assembly::assemble(text, "test.tsa", {});
    REQUIRE_MESSAGE(result.program, result.log());
    return *std::move(result.program);
}

Preset preset(std::string_view name) {
    std::string error;
    std::optional<Preset> found = loadPreset(name, &error);
    REQUIRE_MESSAGE(found, error);
    return *std::move(found);
}

// An if in a loop calls a subroutine that has an if: one call, one loop, two ifs.
const char* const kNested =
    ".compute\n"                      // line 1
    ".group 64\n"                     // 2
    ".buffer b0 data\n"               // 3
    ".shared 1024\n"                  // 4
    ".uniform c0 n int\n"             // 5
    "    mov.i32 r0.x, n\n"           // 6
    "    loop\n"                      // 7
    "      slt.i32 p1, r0.x, 0\n"     // 8
    "      (p1) brk\n"                // 9
    "      (!p1) if\n"                // 10
    "        call part\n"             // 11
    "      endif\n"                   // 12
    "      add.i32 r0.x, r0.x, -1\n"  // 13
    "    endloop\n"                   // 14
    "    ret\n"                       // 15
    "part:\n"                         // 16
    "    ld.f32 r3.x, b0[r0.x]\n"     // 17
    "    slt p2, r3.x, 0.0\n"         // 18
    "    (p2) if\n"                   // 19
    "      mul r3.x, r3.x, -1.0\n"    // 20
    "    endif\n"                     // 21
    "    bar 2\n"                     // 22
    "    st.f32 shared[0], r3.x\n"    // 23
    "    ret\n";                      // 24

TEST_CASE("needs of a program are those counted by hand") {
    const isa::Program program = assembled(kNested);
    const Needs needs = needsOf(program);
    CHECK(needs.temporaries == 4);  // r0 .. r3
    CHECK(needs.predicates == 2);
    CHECK(needs.instructions == 18);
    CHECK(needs.sharedBytes == 1024);
    CHECK(needs.sharedBytesOfGroup == 512);  // two groups of 32
    CHECK(needs.stack == 4);                 // loop, if, call, if
    CHECK(needs.loops == 1);
    CHECK(needs.branches == 2);
    CHECK(needs.calls == 1);
    CHECK(needs.buffers == 1);
    CHECK(needs.barriers == 3);  // 0, 1, 2
    CHECK(needs.compute);
    CHECK_FALSE(needs.draws());
    CHECK(formNames(needs.forms) == std::vector<std::string>{"mov.i32", "add.i32", "mul.f32", "slt.f32", "slt.i32",
                                                             "if", "endif", "loop", "endloop", "brk", "call", "ret",
                                                             "ld.f32", "st.f32", "bar"});
    const InstructionCounts counts = countsOf(program);
    CHECK(counts.total() == 18);
    CHECK(counts.count(isa::Op::Slt) == 2);
    CHECK(counts.count(isa::Op::Ret) == 2);
    const InstructionMix mix = mixOf(counts);
    const auto of = [&](MixClass at, int kind) { return mix.of[static_cast<size_t>(at)][static_cast<size_t>(kind)]; };
    CHECK(of(MixClass::Mov, 1) == 1);
    CHECK(of(MixClass::Add, 0) == 2);  // slt.i32, add.i32
    CHECK(of(MixClass::Add, 1) == 1);  // slt
    CHECK(of(MixClass::Mul, 1) == 1);
    CHECK(of(MixClass::Memory, 1) == 2);
    CHECK(of(MixClass::Control, 1) == 11);
    CHECK(mix.total() == 18);
}

TEST_CASE("a subroutine is nested as deep as its deepest call") {
    const isa::Program program = assembled(kNested);
    const std::vector<Nesting> nesting = nestingOf(program);
    REQUIRE(nesting.size() == program.code.size());
    for (size_t i = 0; i < nesting.size(); ++i) {
        CAPTURE(program.lines[i]);
        if (program.lines[i] == 6) CHECK(nesting[i].depth() == 0);
        if (program.lines[i] == 11) CHECK(nesting[i].depth() == 2);
        if (program.lines[i] == 17) CHECK(nesting[i].depth() == 3);
        if (program.lines[i] == 20) CHECK(nesting[i].depth() == 4);
    }
}

TEST_CASE("needs of several programs are the most of each") {
    Needs both = needsOf(assembled(".fragment\n.sampler t2 u_map cube\n    tex o0, v0, u_map\n    ret\n"));
    CHECK(both.textureUnits == 3);
    CHECK(both.textureTargets == 1 << static_cast<int>(isa::TextureTarget::Cube));
    const Needs first = both;
    both.add(needsOf(assembled(kNested)));
    CHECK(both.temporaries == 4);
    CHECK(both.textureUnits == 3);
    CHECK(both.fragment);
    CHECK(both.compute);
    Needs again = both;
    again.add(first);
    CHECK(again == both);
    // Each field by itself, and from either side.
    const auto with = [](auto field, auto value) {
        Needs needs;
        needs.*field = value;
        return needs;
    };
    std::vector<Needs> single = {with(&Needs::vertex, true), with(&Needs::fragment, true), with(&Needs::compute, true),
                                 with(&Needs::textureTargets, uint8_t{6})};
    single.emplace_back().forms[static_cast<size_t>(isa::Op::Mad)] = 5;
    for (uint32_t Needs::* number :
         {&Needs::temporaries, &Needs::constants, &Needs::predicates, &Needs::instructions, &Needs::sharedBytes,
          &Needs::sharedBytesOfGroup, &Needs::stack, &Needs::branches, &Needs::loops, &Needs::calls,
          &Needs::textureUnits, &Needs::buffers, &Needs::barriers})
        single.push_back(with(number, 7u));
    for (const Needs& one : single) {
        Needs sum;
        sum.add(one);
        CHECK(sum == one);
        sum.add({});
        CHECK(sum == one);
    }
    Needs targets = with(&Needs::textureTargets, uint8_t{6});
    targets.add(with(&Needs::textureTargets, uint8_t{9}));
    CHECK(targets.textureTargets == 15);
}

/// The sum of the parts of seed 000's table that a part of ours names in its source.
Area sumOf(std::initializer_list<std::string_view> names) {
    Area sum;
    for (const std::string_view name : names) {
        bool found = false;
        for (const Part& part : resourceTable().parts) {
            if (part.name != name) continue;
            sum += part.area;
            found = true;
        }
        CHECK_MESSAGE(found, name);
    }
    return sum;
}

TEST_CASE("the resource table adds up to seed 000's table V") {
    // INT ALU: 114 ALM, 249 registers, half a DSP.
    const Area integer = sumOf({"integer adder and comparison", "logic", "shifters", "integer multiplier, 16 x 16"});
    CHECK(integer.lut == 114);
    CHECK(integer.ff == 249);
    CHECK(integer.dsp == 0.5);
    // SP: 267 ALM, 794 registers; 32 LUTs are the multiplexer in front of its floating-point DSP.
    const Area frame = sumOf({"operand fetch and write-back"});
    CHECK(frame.lut + integer.lut + 32 == 267);
    CHECK(frame.ff + integer.ff == 794);
    const Area instruction = sumOf({"instruction fetch, sequencer, thread generator"});
    CHECK(instruction.lut == 235);
    CHECK(instruction.ff == 540);
    CHECK(resourceTable().memory.blockWords == 512);
    CHECK(resourceTable().memory.blockBits == 40);
}

TEST_CASE("with hard floats the parts of a scalar processor add up to seed 000's table V") {
    std::string error;
    const std::optional<ResourceTable> agilex = loadDevice("agilex", &error);
    REQUIRE_MESSAGE(agilex, error);
    Area processor;
    for (const Part& part : agilex->parts) {
        CHECK(part.name != "float adder");
        for (const std::string_view name : {"operand fetch and write-back", "integer adder and comparison", "logic",
                                            "shifters", "integer multiplier, 16 x 16", "hard multiply-add"})
            if (part.name == name) processor += part.area;
    }
    CHECK(processor == Area{.lut = 267, .ff = 794, .dsp = 1.5});
    // The sector of III.E has room for four machines' base of 24 DSP blocks.
    REQUIRE(agilex->holds);
    CHECK(agilex->holds->dsp == 164);
    CHECK_FALSE(resourceTable().holds);
}

TEST_CASE("a device has its own products and blocks of RAM, and what it does not make otherwise is the table's") {
    std::string error;
    const std::optional<ResourceTable> spartan = loadDevice("spartan7", &error);
    REQUIRE_MESSAGE(spartan, error);
    CHECK(spartan->parts.size() == resourceTable().parts.size());
    for (const Part& part : spartan->parts)
        if (part.name == "integer multiplier, 16 x 16") CHECK(part.area.dsp == 1);
    CHECK(areaOf({"m", "memory", 1024, 36, 1}, *spartan) == Area{.bram = 1});
    CHECK(areaOf({"m", "memory", 1024, 36, 1}, resourceTable()) == Area{.bram = 2});
    CHECK(spartan->decode.area == resourceTable().decode.area);
}

TEST_CASE("what is wrong with a device is told once, with its place") {
    const auto problemOf = [](std::string_view text) {
        std::string error;
        CHECK_FALSE(readDevice(text, "my.toml", &error));
        CHECK(error.find('\n') == std::string::npos);
        return error;
    };
    const std::string frame = "title='t'\n[holds]\nlut=1\nff=1\nsource='ours: x'\n";
    std::string error;
    const std::optional<ResourceTable> read = readDevice(frame, "my.toml", &error);
    REQUIRE_MESSAGE(read, error);
    CHECK(read->parts.size() == resourceTable().parts.size());
    CHECK(problemOf("title='t'\n") == "my.toml:1:1: the table [holds] is missing");
    CHECK(problemOf("without=['float ader']\n" + frame) ==
          "my.toml:1:10: the table has no part \"float ader\"; did you mean float adder?");
    CHECK(problemOf("without='float adder'\n" + frame).starts_with("my.toml:1:9: without is a list"));
    CHECK(problemOf("power=1\n" + frame).starts_with("my.toml:1:1: nothing is called power here"));
    CHECK(problemOf("part=3\n" + frame).find("give each as [[part]]") != std::string::npos);
    CHECK_FALSE(loadDevice("agilx", &error));
    CHECK(error ==
          "agilx:1:1: no device has this name; did you mean agilex?; there are agilex, spartan7, or give a "
          "file that ends in .toml");
    CHECK_FALSE(loadDevice("nowhere/my.toml", &error));
    CHECK(error.starts_with("nowhere/my.toml:1:1: cannot be read: "));
}

TEST_CASE("shared memory with ports has their multiplexers, with banks none") {
    Preset machine = preset("egpu");
    CHECK(countOf(Per::ReadPort, machine) == 4);
    CHECK(countOf(Per::WritePort, machine) == 1);
    machine.block.processors = 3;
    CHECK(countOf(Per::ReadPort, machine) == 12);
    const auto lutOf = [&](const Preset& of) {
        for (const PartArea& part : partsOf(of, resourceTable()))
            if (part.name == "shared memory: write port") return part.area.lut;
        return 0.0;
    };
    CHECK(lutOf(machine) == 3 * 256);
    machine.block.shared_bytes = 0;
    CHECK(lutOf(machine) == 0);
    CHECK(lutOf(preset("tessera")) == 0);
}

TEST_CASE("parts of a machine add up to it, each as often as it is there") {
    const Preset machine = preset("miaow2");
    Area all;
    for (const PartArea& part : partsOf(machine, resourceTable())) {
        all += part.area;
        if (part.name == "operand fetch and write-back") CHECK(part.count == 16 * 4);  // lanes of four components
        if (part.name == "state and choice of a resident group") CHECK(part.count == 40);
    }
    const Area whole = estimate(machine, resourceTable()).area;
    CHECK(all.lut == doctest::Approx(whole.lut));
    CHECK(all.ff == doctest::Approx(whole.ff));
    CHECK(all.dsp == doctest::Approx(whole.dsp));
    CHECK(all.bram == doctest::Approx(whole.bram));
}

TEST_CASE("the resource table keeps to what seed 002 says of proportions") {
    const MachineEstimate whole = estimate(preset("miaow2"), resourceTable());
    Area integer, floating, datapath, all;
    for (const UnitArea& unit : whole.units) {
        if (unit.unit == "datapath") datapath = unit.area;
        if (unit.unit == "integer") integer = unit.area;
        if (unit.unit == "float") floating = unit.area;
        all += unit.area;
    }
    // 3.2: "the floating-point VALU uses almost twice the resources of an integer VALU". There each has a path to the
    // registers of its own.
    integer += datapath;
    floating += datapath;
    CHECK(floating.lut / integer.lut > 1.5);
    CHECK(floating.lut / integer.lut < 2.2);
    CHECK(floating.ff / integer.ff > 1.5);
    CHECK(floating.ff / integer.ff < 2.2);
    // "becoming the single largest unit in the design"
    for (const UnitArea& unit : whole.units) {
        CAPTURE(unit.unit);
        if (unit.unit != "float" && unit.unit != "datapath") CHECK(unit.area.lut < floating.lut);
    }
    // The units add up to the whole.
    CHECK(std::abs(all.lut - whole.area.lut) < 1e-6);
    CHECK(std::abs(all.ff - whole.area.ff) < 1e-6);
    CHECK(std::abs(all.dsp - whole.area.dsp) < 1e-6);
    CHECK(std::abs(all.bram - whole.area.bram) < 1e-6);
    CHECK(whole.deviation.lut > 0);
    CHECK(whole.deviation.lut < whole.area.lut);
}

TEST_CASE("power keeps to the two results of seed 002 that it is made of") {
    const ResourceTable& table = resourceTable();
    const Preset baseline = preset("miaow2");
    Preset bare = baseline;
    bare.prefetch.bytes = 0;
    const MachineEstimate with = estimate(baseline, table), without = estimate(bare, table);
    // 4.1.2: "adding a prefetch memory block to the system increases the same unit by 1.10x".
    CHECK(1 / relativePower(without, with, table) == doctest::Approx(1.10).epsilon(0.01));
    // 4.1.1 and 4.1.2: a transpose saves 72 % and 47 %, and is 1.23 times as efficient.
    MachineEstimate transpose = with;
    transpose.power -= table.power.weights.ff * 0.72 * with.area.ff + table.power.weights.lut * 0.47 * with.area.lut;
    CHECK(1 / relativePower(transpose, with, table) == doctest::Approx(1.23).epsilon(0.01));
}

TEST_CASE("every instruction but data movement and ends has a part of the machine to itself or with others") {
    for (int i = 0; i < isa::kOpCount; ++i) {
        const auto op = static_cast<isa::Op>(i);
        bool found = false;
        for (const Part& part : resourceTable().parts) found |= part.forms[static_cast<size_t>(i)] != 0;
        CAPTURE(isa::opInfo(op).mnemonic);
        const bool free = op == isa::Op::Sel || op == isa::Op::Ret || op == isa::Op::Gbar;
        CHECK(found != free);
    }
}

TEST_CASE("what takes all of the room fits, and what takes more of anything does not") {
    const Area room{.lut = 4, .ff = 3, .dsp = 2, .bram = 1};
    CHECK(room.fits(room));
    CHECK(Area{}.fits(room));
    for (double Area::* of : {&Area::lut, &Area::ff, &Area::dsp, &Area::bram}) {
        Area more = room;
        more.*of += 0.5;
        CHECK_FALSE(more.fits(room));
    }
}

TEST_CASE("area of memories is in whole blocks") {
    const ResourceTable& table = resourceTable();
    CHECK(areaOf({"m", "memory", 512, 40, 1}, table) == Area{.bram = 1});
    CHECK(areaOf({"m", "memory", 513, 40, 1}, table) == Area{.bram = 2});
    CHECK(areaOf({"m", "memory", 512, 41, 3}, table) == Area{.bram = 6});
    CHECK(areaOf({"m", "memory", 64, 128, 2}, table) == Area{.lut = 256});
    CHECK(areaOf({"m", "memory", 0, 128, 2}, table) == Area{});
}

TEST_CASE("memories hold what the machine's numbers say, each as often as it is there") {
    Preset p = preset("tessera");
    p.block.processors = 3, p.block.groups = 5, p.block.threads = 32, p.block.shared_bytes = 4 * 5 * 47;
    p.program.instructions = 101, p.program.constants = 103, p.program.predicates = 7, p.program.stack = 11;
    p.shared.banks = 5, p.shared.read_ports = 4;
    p.global.cache_bytes = 13 * 64, p.prefetch.bytes = 17 * 64;
    p.second.cache_bytes = 2 * 19 * 64, p.second.slices = 2;
    p.texture.cache_lines = 23, p.texture.engines = 4;
    p.vertex.cache_lines = 29, p.vertex.store = 31, p.interpolation.attributes = 9, p.fragments.store = 37;
    p.early.cache_lines = 41, p.raster.rasterizers = 2, p.pixel.cache_lines = 43, p.pixel.engines = 6;
    const auto check = [&](std::string_view name, uint32_t words, uint32_t bits, uint32_t copies) {
        const std::vector<Memory> memories = memoriesOf(p);
        const auto found = std::ranges::find(memories, name, &Memory::name);
        CAPTURE(name);
        REQUIRE(found != memories.end());
        CHECK(found->words == words);
        CHECK(found->bits == bits);
        CHECK(found->copies == copies);
    };
    check("instructions", 101, 128, 3);
    check("constants", 103, 128, 3);
    check("predicates", 5, 7 * 32, 3);
    // An entry: its kind, two links, an address, and two masks of a group.
    check("reconvergence stack", 5 * 11, 2 + 2 * 6 + 16 + 2 * 32, 3);
    check("shared memory", 47, 32, 3 * 5);
    check("first cache", 13, 512, 3);
    check("prefetch memory", 17, 512, 3);
    check("second cache", 19, 512, 2);
    check("texture caches", 23, 512, 4);
    check("vertex cache", 29, 512, 1);
    check("shaded vertices", 31 * 32, (9 + 2) * 128, 1);
    check("fragments", 37 * 32, 128, 1);
    check("depth caches", 41, 512, 2);
    check("pixel caches", 43, 512, 6);
    p.shared.banks = 0;
    check("shared memory", 5 * 47, 32, 3 * 4);
    for (const isa::Op op : {isa::Op::If, isa::Op::Loop, isa::Op::Call}) p.without[static_cast<size_t>(op)] = 0xFF;
    check("reconvergence stack", 0, 94, 3);
}

TEST_CASE("a trimmed machine has what its program needs and no more, and is a machine") {
    const isa::Program program = assembled(kNested);
    for (const std::string_view name : {"tessera", "miaow2"}) {
        const Preset full = preset(name);
        const Preset machine = trimmed(full, needsOf(program), "test.tsa");
        CHECK_FALSE(presetProblem(machine));
        CHECK_FALSE(refusal(program, machine));
        CHECK(machine.has(isa::Op::Mul, isa::Type::F32));
        CHECK_FALSE(machine.has(isa::Op::Mul, isa::Type::I32));
        CHECK_FALSE(machine.has(isa::Op::Sin));
        CHECK(machine.program.stack == 4);
        CHECK(machine.program.temporaries == 4);
        CHECK(machine.texture.engines == 0);
        CHECK(machine.raster.rasterizers == 0);
        CHECK(machine.block.shared_bytes == std::min(full.block.groups * 512u, full.block.shared_bytes));
        // As many groups fit as before.
        const uint32_t narrow = (4 + full.block.components - 1) / full.block.components;
        CHECK(machine.block.registers ==
              std::min(full.block.registers, full.block.groups * full.block.threads * 4 * narrow));
        // What is as it was has the source that it had.
        for (size_t i = 0; i < parameters().size(); ++i) {
            CAPTURE(std::string(parameters()[i].name));
            const bool isAsItWas = parameters()[i].get(machine) == parameters()[i].get(full);
            CHECK((machine.sources[i] == full.sources[i]) == isAsItWas);
        }
        // It is written and read as any preset.
        std::string error;
        const auto read = readPreset(presetText(machine), "x.toml", &error);
        REQUIRE_MESSAGE(read, error);
        CHECK(read->without == machine.without);
        const MachineEstimate before = estimate(full, resourceTable()), after = estimate(machine, resourceTable());
        CHECK(after.area.fits(before.area));
        CHECK(after.area.lut < before.area.lut);
        CHECK(relativePower(after, before, resourceTable()) < 1);
        CHECK(relativePower(before, before, resourceTable()) == 1);
        // Trimmed twice is trimmed once.
        CHECK(trimmed(machine, needsOf(program), "test.tsa").without == machine.without);
    }
}

TEST_CASE("the free area is filled and no more, and more processors are as much faster") {
    const isa::Program program = assembled(kNested);
    const Preset full = preset("miaow2"), machine = trimmed(full, needsOf(program), "test.tsa");
    const Area room = estimate(full, resourceTable()).area;
    const InstructionCounts counts = countsOf(program);
    const Preset cores = refilled(machine, room, Refill::Cores, resourceTable());
    CHECK(cores.block.processors > 1);
    CHECK(estimate(cores, resourceTable()).area.fits(room));
    CHECK(predictedSpeedup(full, cores, counts) == doctest::Approx(cores.block.processors));
    Preset more = cores;
    ++more.block.processors;
    CHECK_FALSE(estimate(more, resourceTable()).area.fits(room));
    const Preset units = refilled(machine, room, Refill::Units, resourceTable());
    CHECK(units.block.threads % units.block.lanes == 0);
    CHECK(predictedSpeedup(full, units, counts) == doctest::Approx(units.block.lanes / 16.0));
    // Nothing fits into nothing.
    CHECK(refilled(machine, Area{}, Refill::Cores, resourceTable()).block.processors == 1);
    // Another model of time can be asked.
    CHECK(predictedSpeedup(full, cores, counts, [](const Preset& p, const InstructionCounts&) {
              return p.block.processors == 1 ? 30.0 : 20.0;
          }) == doctest::Approx(1.5));
}

TEST_CASE("a removed instruction is refused at its line, with the part it misses") {
    const Preset machine = trimmed(preset("tessera"), needsOf(assembled(kNested)), "test.tsa");
    const isa::Program other = assembled(
        ".compute\n.buffer b0 data\n.uniform c0 n int\n"
        "    mov.i32 r0.x, n\n"
        "  \t mul.i32 r0.x, r0.x, 3\n"
        "    st.f32 b0[0], r0.x\n    ret\n");
    const std::optional<Refusal> refused = refusal(other, machine);
    REQUIRE(refused);
    CHECK(refused->instruction == 1);
    CHECK(refusalText(*refused, "other.tsa")
              .starts_with("other.tsa:5:5: error: tessera-trimmed has no mul.i32: its integer unit is without integer "
                           "multiplier"));
    CHECK(refused->what.find("trim the machine with this program too") != std::string::npos);
    isa::Program stripped = other;
    stripped.lines.clear();
    CHECK(refusalText(*refusal(stripped, machine), "other.tsb").starts_with("other.tsb: error: instruction 1: "));
}

TEST_CASE("what is too large for a machine is refused where it begins to be") {
    const auto lineOf = [](const char* text, auto change) {
        Preset machine = preset("tessera");
        change(machine);
        const std::optional<Refusal> refused = refusal(assembled(text), machine);
        return refused ? refused->line : 0;
    };
    CHECK(lineOf(kNested, [](Preset&) {}) == 0);
    CHECK(lineOf(kNested, [](Preset& p) { p.program.temporaries = 2; }) == 17);
    CHECK(lineOf(kNested, [](Preset& p) { p.program.predicates = 1; }) == 18);
    CHECK(lineOf(kNested, [](Preset& p) { p.program.stack = 3; }) == 19);
    CHECK(lineOf(kNested, [](Preset& p) { p.program.stack = 2; }) == 11);
    CHECK(lineOf(kNested, [](Preset& p) { p.program.instructions = 2; }) == 8);
    CHECK(lineOf(kNested, [](Preset& p) { p.block.shared_bytes = 512; }) == 23);
    CHECK(lineOf(kNested, [](Preset& p) { p.block.registers = 96; }) == 17);
    const char* const sampled = ".fragment\n.sampler t2 u_map cube\n    mov r0, c9\n    tex o0, v0, u_map\n    ret\n";
    CHECK(lineOf(sampled, [](Preset& p) { p.program.constants = 9; }) == 3);
    CHECK(lineOf(sampled, [](Preset& p) { p.texture.units = 2; }) == 4);
    CHECK(lineOf(sampled, [](Preset& p) { p.texture.cube = 0; }) == 4);
    CHECK(lineOf(sampled, [](Preset& p) { p.raster.rasterizers = 0; }) == 3);
}

TEST_CASE("what is wrong with a resource table is told once, with its place") {
    const auto problemOf = [](std::string_view text) {
        std::string error;
        CHECK_FALSE(readResources(text, "my.toml", &error));
        CHECK(error.find('\n') == std::string::npos);
        return error;
    };
    const std::string frame =
        "title='t'\n[memory]\nblock_words=512\nblock_bits=40\ntable_words=64\nsource='ours: x'\n[power]\nlut=1\nff=1\n"
        "board=1\nuncertainty=0\nsource='ours: x'\n[decode]\nlut=1\nff=1\nuncertainty=0\nsource='ours: x'\n";
    const std::string part =
        "[[part]]\nname='a'\nunit='u'\nper='lane'\nlut=1\nff=2\nuncertainty=0.1\nsource='seed 000'\n";
    std::string error;
    REQUIRE_MESSAGE(readResources(frame + part, "my.toml", &error), error);
    CHECK(problemOf("title = ").starts_with("my.toml:1:9: "));
    CHECK(problemOf("title='t'\n") == "my.toml:1:1: the table [memory] is missing");
    CHECK(problemOf(frame) == "my.toml:1:1: there are no parts; give each as [[part]]");
    CHECK(problemOf(frame + part + "weight=1\n").starts_with("my.toml:26:1: nothing is called weight here"));
    CHECK(problemOf(frame + part + "instructions=['mat.f32']\n") ==
          "my.toml:26:15: no instruction is called \"mat.f32\"; did you mean mad.f32?");
    CHECK(problemOf(frame + "[[part]]\nname='a'\nunit='u'\nper='lanes'\n").starts_with("my.toml:18:"));
    const std::string rest = "lut=1\nff=2\nuncertainty=0.1\nsource='seed 000'\n";
    CHECK(problemOf(frame + "[[part]]\nname='a'\nunit='u'\nper='lanes'\n" + rest).find("per is one of ") !=
          std::string::npos);
    CHECK(problemOf(frame + part + "target='4d'\n").starts_with("my.toml:26:8: target is one of cube, "));
    CHECK(problemOf(frame + "[[part]]\nname='a'\nunit='u'\nper='lane'\nlut=-1\nff=0\nuncertainty=0\nsource='ours: x'\n")
              .starts_with("my.toml:22:5: lut = -1 is out of range"));
    CHECK(problemOf(frame + "[[part]]\nname='a'\nunit='u'\nsource='somewhere'\n")
              .starts_with("my.toml:21:8: where do the numbers come from?"));
    for (const char* bad : {"part = 3", "part = [1]", "[part]\nname='a'", "memory = 1\n[power]"}) problemOf(bad);
}

}  // namespace
}  // namespace tessera::model
