// The part of vertex programs that computes positions: the same bits as the whole, for random straight programs on the
// interpreter.
#include "shader-core/analysis/positions.h"

#include <cstring>
#include <random>

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/stage_registers.h"
#include "shader-core/isa/testing/random_instruction.h"

using namespace tessera;
using analysis::positionsOf;

namespace {

std::shared_ptr<const isa::Program> assembled(const std::string& body) {
    assembly::AssembleResult result = assembly::assemble(
        ".vertex\n.input v0 a vec4\n.input v1 b vec4\n.uniform c0 m vec4\n.output o2 u vec4\n" + body, "test");
    REQUIRE_MESSAGE(result.program.has_value(), body);
    return std::make_shared<isa::Program>(*result.program);
}

/// Up to sixty instructions on few registers, so that most values are read. Null: it is not valid.
std::shared_ptr<isa::Program> randomProgram(uint32_t seed) {
    isa::RandomInstruction random(seed);
    auto program = std::make_shared<isa::Program>();
    program->stage = isa::Stage::Vertex;
    const size_t length = 5 + random.below(60);
    const auto few = [](isa::File file, uint16_t& index) {
        constexpr uint16_t kFew = 4;
        if (file == isa::File::A)
            index = 0;
        else if (file == isa::File::S)
            index = static_cast<uint16_t>(isa::Special::InstanceId);
        else if (file != isa::File::P && file != isa::File::I)
            index %= kFew;
    };
    while (program->code.size() < length) {
        isa::Instruction i = random.next();
        const isa::OpInfo& info = isa::opInfo(i.op);
        if (info.set != isa::InstructionSet::Graphics || !isa::hasDestination(info.shape) || isa::isTexture(info.shape))
            continue;
        i.subsetWidth = i.subsetDepth = i.snoopRow = 0;
        i.subsetOfBlock = i.dst.relative = false;
        few(i.dst.file, i.dst.index);
        for (isa::Source& source : i.src) {
            source.snoop = source.snoopOfBlock = false;
            source.wavefront = 0;
            source.relative &= source.file == isa::File::C && random.chance();
            if (source.file == isa::File::O) source.file = isa::File::V;
            few(source.file, source.index);
        }
        program->code.push_back(isa::encode(i));
    }
    program->code.push_back(isa::encode({}));
    program->constantCount = 8;
    isa::deriveUsage(*program);
    program->constantCount = 8;
    return isa::verify(*program).empty() ? program : nullptr;
}

struct Outputs {
    isa::GroupRegister output[isa::kMaxOutputs] = {};
};

void run(isa::Executor& executor, const std::shared_ptr<const isa::Program>& program, uint32_t seed, Outputs& out) {
    std::mt19937 random(seed);
    isa::GroupRegister inputs[isa::kMaxInputs], specials[isa::kSpecials];
    const auto fill = [&](auto& registers) {
        for (auto& one : registers)
            for (auto& component : one.lane)
                for (float& lane : component) lane = static_cast<float>(static_cast<int>(random() % 4000) - 2000) / 64;
    };
    fill(inputs), fill(specials);
    float constants[16][4];
    for (auto& one : constants)
        for (float& component : one) component = static_cast<float>(random() % 1000) / 32;
    isa::GroupRun group;
    group.activeMask = ~0u;
    group.inputs = inputs;
    group.specials = specials;
    group.outputs = out.output;
    group.constants = constants;
    group.budget = 1000;
    const auto routine = executor.prepare(program);
    REQUIRE(routine != nullptr);
    routine->run(group);
}

}  // namespace

TEST_CASE("the part of a program that computes positions computes the same positions") {
    const std::shared_ptr<isa::Executor> executor = interp::makeInterpreter();
    int valid = 0, parts = 0, different = 0;
    size_t left = 0, all = 0;
    for (uint32_t seed = 0; seed < 8000; ++seed) {
        const auto program = randomProgram(seed);
        if (program == nullptr) continue;
        ++valid;
        const auto part = positionsOf(*program);
        if (part == nullptr) continue;
        ++parts;
        left += part->code.size(), all += program->code.size();
        CAPTURE(seed);
        CHECK(isa::verify(*part) == "");
        CHECK(part->outputMask.from(1).none());
        Outputs whole, positions;
        run(*executor, program, seed, whole);
        run(*executor, part, seed, positions);
        different += std::memcmp(&whole.output[isa::kOutPosition], &positions.output[isa::kOutPosition],
                                 sizeof(isa::GroupRegister)) != 0;
    }
    CHECK(different == 0);
    CHECK(valid > 1000);
    CHECK(parts > 300);
    CHECK(2 * left < all);
}

TEST_CASE("what of a program computes positions, and which have no such part") {
    const auto lit = assembled(
        "mul r0, v1, c0\nmul r1, r0, r0\nadd r1, r1, v1\nmov o2, r1\nmul r2, v0, c0\nmov o0, r2\nmov o1.x, "
        "r1.x\nret\n");
    const auto part = positionsOf(*lit);
    REQUIRE(part != nullptr);
    CHECK(part->code.size() == 3);
    CHECK(part->inputMask == 0b1);
    CHECK(part->outputMask == 0b1);
    // Nearly all of it; a branch; a destination that is not known.
    CHECK(positionsOf(*assembled("mul r0, v0, c0\nmov o0, r0\nmov o2, v1\nret\n")) == nullptr);
    const std::string more = "mov o2, v1\nadd o2, v1, c0\nmul o2, v1, v1\n";
    CHECK(positionsOf(*assembled("mov o0, v0\n" + more + "ret\n")) != nullptr);
    CHECK(positionsOf(*assembled("mov o0, v0\nsge p1, v1.x, c0.x\n(p1) if\nmov o2, v1\nendif\n" + more + "ret\n")) ==
          nullptr);
    CHECK(positionsOf(*assembled("mov.i32 a0.x, v1.x\nmov o0, v0\nmov o[a0.x + 2], v1\n" + more + "ret\n")) == nullptr);
}
