// What the compiler makes of a program, by its code: what it refuses, and what that costs.
#include "shader-core/jit/codegen/compiler.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "shader-core/interp/testing/group.h"
#include "shader-core/jit/codegen/cost.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/run/image.h"

using namespace tessera;
using interp::control;
using interp::make;
using interp::makeProgram;
using interp::reg;
using interp::withUniforms;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;

TEST_CASE("functions whose NaNs nobody can tell from each other make none canonical") {
    for (const Op op : {Op::Sin, Op::Cos, Op::Ex2, Op::Rcp}) {
        const isa::Source r0 = reg(File::R, 0);
        const auto program =
            withUniforms(makeProgram({make(op, Type::F32, File::R, 0, {reg(File::V, 0)}),
                                      make(Op::Slt, Type::F32, File::O, 0, {r0, reg(File::V, 1)}), control(Op::Ret)}),
                         1);
        for (const SimdLevel level : simdLevels()) {
            if (!jit::hostLevel(level).hasFma) continue;  // called there
            CAPTURE(isa::opInfo(op).mnemonic);
            // The canonical NaN, as the assembler of x86-64 and that of aarch64 write it.
            const std::string code = jit::describeMachineCode(*program, level, nullptr);
            CHECK(code.find("0x7fc00000") == std::string::npos);
            CHECK(code.find("2143289344") == std::string::npos);
        }
    }
}

TEST_CASE("pairs whose code is much longer than that of two blocks are refused where they lose by it") {
    const auto program =
        makeProgram({make(Op::Mul, Type::F32, File::O, 0, {reg(File::V, 0), reg(File::V, 0)}), control(Op::Ret)});
    REQUIRE(isa::verify(*program) == "");
    for (const SimdLevel level : kSimdLevels) {
        jit::CompileResult pair, shorter, longer;
        jit::compile(*program, {.level = level, .pair = true}, pair);
        if (pair.image.empty()) continue;
        jit::ImageHeader header;
        std::memcpy(&header, pair.image.data(), sizeof header);
        jit::compile(*program, {.level = level, .pair = true, .singleBytes = header.functionBytes / 2u}, shorter);
        CHECK(shorter.image == pair.image);
        jit::compile(*program, {.level = level, .pair = true, .singleBytes = header.functionBytes / 3u}, longer);
        const bool loses = jit::hostLevel(level).registerBits == 256;
        CHECK(longer.image.empty() == loses);
        CHECK(longer.refusal == (loses ? "two blocks at once are slower" : ""));
    }
}

TEST_CASE("pairs whose code is longer than a first cache of instructions are refused") {
    constexpr int kTerms = 8;
    const isa::Source x = reg(File::V, 0);
    for (const SimdLevel level : kSimdLevels) {
        const unsigned bits = jit::hostLevel(level).registerBits;
        // Each sum is needed twice, and takes some bytes for each register that two blocks fill.
        std::vector<Instruction> code;
        for (int r = 0; r < kTerms; ++r) code.push_back(make(Op::Mov, Type::F32, File::R, r, {x}, 1));
        const auto at = [](int n) { return reg(File::R, n % kTerms); };
        for (int n = 0; n < (bits == 512 ? 9000 : 4500); ++n)
            code.push_back(make(Op::Add, Type::F32, File::R, n % kTerms, {at(n + 3), at(n + 7)}, 1));
        code.push_back(make(Op::Mov, Type::F32, File::O, 0, {at(0)}));
        code.push_back(control(Op::Ret));
        const auto program = makeProgram(code);
        REQUIRE(isa::verify(*program) == "");
        jit::CompileResult pair;
        jit::compile(*program, {.level = level, .pair = true}, pair);
        CHECK(pair.image.empty());
        if (bits > 128) CHECK(pair.refusal == "two blocks at once are slower");
    }
}

TEST_CASE("programs whose frames would not fit the stacks of the driver's threads are refused") {
    // All registers are alive in loops inside of each other, each of which has copies of them.
    const auto program = [](int registers, int loops) {
        std::vector<Instruction> code;
        const auto at = [](int r) { return reg(File::R, static_cast<uint16_t>(r)); };
        for (int r = 0; r < registers; ++r)
            code.push_back(
                make(Op::Mul, Type::F32, File::R, static_cast<uint16_t>(r), {reg(File::V, 0), reg(File::V, 0)}));
        std::vector<int> begins;
        for (int l = 0; l < loops; ++l) {
            begins.push_back(static_cast<int>(code.size()));
            code.push_back(control(Op::Loop, 0));
            code.push_back(make(Op::Slt, Type::F32, File::P, 1, {at(l % registers), reg(File::V, 0)}, 1));
            code.push_back(control(Op::Brk, 0, 1));
            code.push_back(make(Op::Add, Type::F32, File::R, static_cast<uint16_t>(l % registers), {at(0), at(1)}));
        }
        for (int r = 0; r < registers; ++r)
            code.push_back(
                make(Op::Mul, Type::F32, File::R, static_cast<uint16_t>(r), {at((r + 1) % registers), at(r)}));
        for (int l = loops - 1; l >= 0; --l) {
            const int begin = begins[static_cast<size_t>(l)], end = static_cast<int>(code.size());
            code.push_back(control(Op::Endloop, begin));
            code[static_cast<size_t>(begin)].target = static_cast<uint16_t>(end);
            code[static_cast<size_t>(begin) + 2].target = static_cast<uint16_t>(end);
        }
        for (int r = 0; r < registers; ++r) code.push_back(make(Op::Add, Type::F32, File::R, 0, {at(r), at(0)}));
        code.push_back(make(Op::Mov, Type::F32, File::O, 0, {at(0)}));
        code.push_back(control(Op::Ret));
        const auto made = makeProgram(code, isa::Stage::Fragment, 512);
        REQUIRE(isa::verify(*made) == "");
        return made;
    };
    for (const SimdLevel level : kSimdLevels) {
        jit::CompileResult small, large;
        jit::compile(*program(20, 3), {.level = level}, small);
        CHECK(!small.image.empty());
        jit::compile(*program(475, 12), {.level = level}, large);
        CHECK(large.image.empty());
        // Where sixteen lanes are several registers it is too large before its frame is.
        if (kSimdLevelCount > 1 && level == kSimdLevels[kSimdLevelCount - 1])
            CHECK(large.refusal == "a group needs too much stack");
    }
}

TEST_CASE("what a compilation costs is known before") {
    const auto effortOf = [](const std::vector<Instruction>& code) {
        const auto program = withUniforms(makeProgram(code, isa::Stage::Fragment, 64), 1);
        REQUIRE(isa::verify(*program) == "");
        jit::CompileResult result;
        jit::compile(*program, {.level = kSimdLevels[kSimdLevelCount / 2]}, result);
        return result.effort;
    };
    // 32 registers stay alive over `count` pieces of code.
    const auto repeated = [](size_t count, const auto& piece) {
        std::vector<Instruction> code;
        for (uint16_t r = 0; r < 32; ++r)
            code.push_back(make(Op::Mul, Type::F32, File::R, r, {reg(File::V, 0), reg(File::V, r % 3)}));
        std::mt19937 random(1);
        for (size_t k = 0; k < count; ++k) piece(code, random);
        for (uint16_t r = 0; r < 32; ++r)
            code.push_back(make(Op::Add, Type::F32, File::R, 0, {reg(File::R, r), reg(File::R, 0)}));
        code.push_back(make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}));
        code.push_back(control(Op::Ret));
        return code;
    };
    const auto any = [](std::mt19937& random) { return reg(File::R, static_cast<uint16_t>(random() % 32)); };
    const auto multiply = [&](std::vector<Instruction>& code, std::mt19937& random) {
        code.push_back(
            make(Op::Mul, Type::F32, File::R, static_cast<uint16_t>(random() % 32), {any(random), any(random)}));
    };
    // Divergent: both sides, and a meeting with all that is alive.
    const auto branch = [&](std::vector<Instruction>& code, std::mt19937& random) {
        code.push_back(make(Op::Slt, Type::F32, File::P, 1, {any(random), any(random)}, 1));
        const int at = static_cast<int>(code.size());
        code.push_back(control(Op::If, at + 2, 1));
        multiply(code, random);
        code.push_back(control(Op::Else, at + 4));
        multiply(code, random);
        code.push_back(control(Op::Endif));
    };
    const auto loop = [&](std::vector<Instruction>& code, std::mt19937& random) {
        code.push_back(make(Op::Slt, Type::F32, File::P, 1, {any(random), any(random)}, 1));
        const int at = static_cast<int>(code.size());
        code.push_back(control(Op::Loop, at + 3));
        code.push_back(control(Op::Brk, at + 3, 1));
        multiply(code, random);
        code.push_back(control(Op::Endloop, at));
    };
    CHECK(effortOf(repeated(20, loop)) == jit::Effort::Full);
    CHECK(effortOf(repeated(150, loop)) == jit::Effort::Quick);
    CHECK(effortOf(repeated(100, multiply)) == jit::Effort::Full);
    CHECK(effortOf(repeated(11'000, multiply)) == jit::Effort::Quick);
    CHECK(effortOf(repeated(20, branch)) == jit::Effort::Full);
    CHECK(effortOf(repeated(300, branch)) == jit::Effort::Quick);
    CHECK(effortOf(repeated(1'500, branch)) == jit::Effort::Refused);
    CHECK(jit::effortFor(jit::kMaxQuickSize, 1, 0) == jit::Effort::Quick);
    CHECK(jit::effortFor(jit::kMaxQuickSize + 1, 1, 0) == jit::Effort::Refused);
}
