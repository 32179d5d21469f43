// Test only: programs from instructions, and a group to run them on.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "base/process/env.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::interp {

inline std::shared_ptr<isa::Program> makeProgram(const std::vector<isa::Instruction>& code,
                                                 isa::Stage stage = isa::Stage::Fragment, int temps = 0,
                                                 int constants = 0) {
    auto program = std::make_shared<isa::Program>();
    program->stage = stage;
    for (const isa::Instruction& i : code) program->code.push_back(isa::encode(i));
    for (int c = 0; c < constants; ++c) program->literals.push_back({static_cast<uint16_t>(c), {}});
    isa::deriveUsage(*program);
    if (program->tempCount < temps) program->tempCount = static_cast<uint16_t>(temps);
    return program;
}

/// `count` constants that are uniforms, so that the compiler does not know them.
inline std::shared_ptr<isa::Program> withUniforms(std::shared_ptr<isa::Program> program, int count) {
    isa::Variable v;
    v.name = "u";
    v.arraySize = static_cast<uint16_t>(count);
    program->uniforms.push_back(v);
    const uint16_t temps = program->tempCount;
    isa::deriveUsage(*program);
    program->tempCount = std::max(program->tempCount, temps);
    return program;
}

/// Registers of one group; integers stand as bits in the floats.
struct TestGroup {
    isa::GroupRegister inputs[isa::kMaxInputs] = {};
    isa::GroupRegister outputs[isa::kMaxOutputs];
    isa::GroupRegister specials[isa::kSpecials] = {};
    std::vector<std::array<float, 4>> constants = std::vector<std::array<float, 4>>(isa::kMaxConstants);
    isa::GroupRun run;

    TestGroup() {
        std::memset(static_cast<void*>(outputs), 0xAB, sizeof outputs);  // a register left unwritten shows
        run.activeMask = ~0u;
        run.inputs = inputs;
        run.outputs = outputs;
        run.specials = specials;
        run.constants = reinterpret_cast<const float(*)[4]>(constants.data());
    }
    uint32_t bits(int output, int component, int lane) const {
        return __builtin_bit_cast(uint32_t, outputs[output].lane[component][lane]);
    }
    static void set(isa::GroupRegister& r, int component, int lane, uint32_t value) {
        r.lane[component][lane] = __builtin_bit_cast(float, value);
    }
};

inline isa::Source reg(isa::File file, int index, isa::Swizzle swizzle = isa::kSwizzleXYZW) {
    isa::Source s;
    s.file = file;
    s.index = static_cast<uint16_t>(index);
    s.swizzle = swizzle;
    return s;
}

inline isa::Instruction make(isa::Op op, isa::Type type, isa::File dstFile, int dst, std::vector<isa::Source> sources,
                             uint8_t writeMask = 0xF) {
    isa::Instruction i;
    i.op = op;
    i.type = type;
    i.dst.file = dstFile;
    i.dst.index = static_cast<uint16_t>(dst);
    i.dst.writeMask = writeMask;
    for (size_t s = 0; s < sources.size(); ++s) i.src[s] = sources[s];
    return i;
}

inline isa::Instruction control(isa::Op op, int target = 0, int guard = 0, bool negate = false) {
    isa::Instruction i;
    i.op = op;
    i.target = static_cast<uint16_t>(target);
    i.guard = static_cast<uint8_t>(guard);
    i.guardNegate = negate;
    return i;
}

}  // namespace tessera::interp
