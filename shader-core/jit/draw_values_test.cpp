// What compiled code computes of constants alone, in the first block that runs with them.
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "shader-core/interp/testing/group.h"
#include "shader-core/interp/testing/special_values.h"
#include "shader-core/isa/block.h"
#include "shader-core/jit/codegen/linked_jit.h"

using namespace tessera;
using interp::control;
using interp::make;
using interp::makeProgram;
using interp::reg;
using interp::TestGroup;
using interp::withUniforms;
using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Type;

namespace {

bool isOfConstants(const isa::OpInfo& info, Op op) {
    const bool computes = info.unit == isa::Unit::Alu || info.unit == isa::Unit::Tfu || info.unit == isa::Unit::Light;
    return computes && info.set != isa::InstructionSet::Compute && op != Op::Ddx && op != Op::Ddy;
}

/// c0, c1 and c2 of any bits to o0 and, with what a lane has, to o1.
std::shared_ptr<isa::Program> programOf(Op op, Type type, bool saturate) {
    std::vector<isa::Source> sources;
    for (int s = 0; s < isa::sourceCount(isa::opInfo(op).shape); ++s) sources.push_back(reg(File::C, s));
    Instruction i = make(op, type, File::R, 0, sources);
    i.saturate = saturate;
    return withUniforms(
        makeProgram({i, make(Op::Mov, Type::F32, File::O, 0, {reg(File::R, 0)}),
                     make(Op::Xor, Type::U32, File::O, 1, {reg(File::R, 0), reg(File::V, 0)}), control(Op::Ret)}),
        3);
}

void fill(TestGroup& group, std::mt19937& random) {
    for (int k = 0; k < 3; ++k)
        for (float& x : group.constants[static_cast<size_t>(k)])
            x = __builtin_bit_cast(float, interp::specialOrRandom(random));
    for (int c = 0; c < 4; ++c)
        for (int lane = 0; lane < isa::kGroupSize; ++lane)
            TestGroup::set(group.inputs[0], c, lane, static_cast<uint32_t>(random()));
}

/// The bits of both outputs.
std::vector<uint32_t> results(const isa::Routine& routine, TestGroup& group) {
    routine.run(group.run);
    std::vector<uint32_t> all(2 * sizeof group.outputs[0] / sizeof(uint32_t));
    std::memcpy(all.data(), group.outputs, all.size() * sizeof(uint32_t));
    return all;
}

}  // namespace

TEST_CASE("what is computed of constants alone, of any kind, has the interpreter's bits") {
    for (const SimdLevel level : simdLevels()) {
        const auto jit = jit::makeJit({.level = level, .baseline = jit::Baseline::Never});
        for (int o = 0; o < isa::kOpCount; ++o) {
            const Op op = static_cast<Op>(o);
            if (!isOfConstants(isa::opInfo(op), op)) continue;
            CAPTURE(simdLevelName(level));
            CAPTURE(isa::opInfo(op).mnemonic);
            for (const Type type : {Type::F32, Type::I32, Type::U32}) {
                if (!(isa::opInfo(op).types >> static_cast<int>(type) & 1)) continue;
                const auto program = programOf(op, type, type == Type::F32 && o % 2 == 0);
                REQUIRE(isa::verify(*program) == "");
                const auto expected = interp::makeInterpreter(level)->prepare(program), actual = jit->prepare(program);
                std::mt19937 random(static_cast<uint32_t>(o));
                for (int number = 0; number < 60; ++number) {
                    TestGroup group;
                    fill(group, random);
                    const std::vector<uint32_t> right = results(*expected, group);
                    REQUIRE(results(*actual, group) == right);
                    isa::DrawValues values;
                    group.run.values = &values;
                    REQUIRE(results(*actual, group) == right);
                    CHECK(values.areThere == (op == Op::Mov ? 0 : 1));
                    REQUIRE(results(*actual, group) == right);
                }
            }
        }
    }
}

TEST_CASE("who says that values are there gets these, and those of other constants once they are not") {
    const auto program = programOf(Op::Mul, Type::F32, false);
    const auto routine = jit::makeJit({.level = simdLevel(), .baseline = jit::Baseline::Never})->prepare(program);
    std::mt19937 random(7);
    TestGroup group;
    fill(group, random);
    isa::DrawValues values;
    group.run.values = &values;
    const std::vector<uint32_t> first = results(*routine, group);
    group.constants[0] = {1, 2, 3, 4};
    group.constants[1] = {5, 6, 7, 8};
    CHECK(results(*routine, group) == first);
    values.areThere = 0;
    (void)results(*routine, group);
    CHECK(group.outputs[0].lane[3][31] == 32.0f);
}
