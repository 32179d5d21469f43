// Programs from a fuzz target's input.
//
// The first byte chooses: words taken from the input as they are, which tries the verifier with anything that decodes;
// a random structured program of a seed; or a structured program written from the input, which verifies by construction
// and so reaches far into execution.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shader-core/asm/disassembler.h"
#include "shader-core/interp/testing/random_program.h"
#include "shader-core/isa/stage_registers.h"
#include "shader-core/isa/testing/random_instruction.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/input.h"

namespace tessera::fuzz {

/// Instructions written from input bytes: structure from a stack, registers in range, subroutines called forwards.
class Writer {
public:
    Writer(Input& in, isa::Stage stage) : in_(in), stage_(stage) {}

    std::vector<isa::Instruction> program() {
        while (!in_.empty() && code_.size() < 300) statement();
        while (!open_.empty()) close();
        add(isa::Op::Ret);
        add(isa::Op::Mov).dst.index = 1;  // the subroutine that calls go to
        add(isa::Op::Ret);
        for (const size_t at : calls_) code_[at].target = static_cast<uint16_t>(code_.size() - 2);
        return std::move(code_);
    }

private:
    struct Open {
        size_t at;
        bool loop, hasElse;
        std::vector<size_t> jumps;
    };

    isa::Instruction& add(isa::Op op) {
        code_.push_back(isa::Instruction{.op = op});
        return code_.back();
    }

    void guard(isa::Instruction& i) {
        const uint8_t bits = in_.byte();
        i.guard = bits & 3;
        i.guardNegate = i.guard && bits & 4;
    }

    void close() {
        const Open open = open_.back();
        open_.pop_back();
        const auto end = static_cast<uint16_t>(code_.size());
        code_[open.at].target = end;
        for (const size_t at : open.jumps) code_[at].target = end;
        add(open.loop ? isa::Op::Endloop : isa::Op::Endif).target = open.loop ? static_cast<uint16_t>(open.at) : 0;
    }

    void statement() {
        const uint8_t kind = in_.byte();
        if (kind < 20 && open_.size() < 20) {
            open_.push_back({code_.size(), kind < 8, false, {}});
            isa::Instruction& i = add(kind < 8 ? isa::Op::Loop : isa::Op::If);
            if (kind >= 8) guard(i);
            if (kind < 4 && stage_ == isa::Stage::Compute) i.iterations = static_cast<uint16_t>(kind + 1);
        } else if (kind < 36 && !open_.empty()) {
            close();
        } else if (kind < 44 && !open_.empty() && !open_.back().loop && !open_.back().hasElse) {
            const auto at = static_cast<uint16_t>(code_.size());
            code_[open_.back().at].target = at;
            open_.back() = {at, false, true, {}};
            add(isa::Op::Else);
        } else if (kind < 56) {
            jump(kind & 1 ? isa::Op::Brk : isa::Op::Cont);
        } else if (kind < 60) {
            calls_.push_back(code_.size());
            guard(add(isa::Op::Call));
        } else if (kind < 62) {
            isa::Instruction& i = add(isa::Op::Ret);
            guard(i);
            if (i.guard == 0) i.guard = 1;
        } else {
            operation(static_cast<isa::Op>(kind % isa::kOpCount));
        }
    }

    void jump(isa::Op op) {
        for (size_t k = open_.size(); k-- > 0;) {
            if (!open_[k].loop) continue;
            open_[k].jumps.push_back(code_.size());
            guard(add(op));
            return;
        }
    }

    void operation(isa::Op op) {
        const isa::OpInfo& info = isa::opInfo(op);
        if (info.unit == isa::Unit::Control && op != isa::Op::Kil && info.set != isa::InstructionSet::Compute) return;
        const bool compute = stage_ == isa::Stage::Compute;
        const bool ofFragments = op == isa::Op::Kil || op == isa::Op::Ddx || op == isa::Op::Ddy;
        if (compute ? ofFragments || isa::isTexture(info.shape) : info.set == isa::InstructionSet::Compute) return;
        isa::RandomInstruction random(in_.word());
        isa::Instruction i = random.next(op);
        if (stage_ != isa::Stage::Compute) {
            i.subsetWidth = i.subsetDepth = 0, i.subsetOfBlock = false;
            for (isa::Source& s : i.src) s.snoop = s.snoopOfBlock = false, s.wavefront = 0;
            i.snoopRow = 0;
        }
        // Most registers near the start, so that instructions meet each other's results.
        if (i.dst.file == isa::File::R && random.below(8)) i.dst.index %= 8;
        for (isa::Source& s : i.src) {
            if (s.file == isa::File::R && random.below(8)) s.index %= 8;
            inRange(s.file, s.index);
        }
        if (isa::hasDestination(info.shape)) inRange(i.dst.file, i.dst.index);
        code_.push_back(i);
    }

    /// The register with that number among those that there are, counted round and round.
    static uint16_t oneOf(isa::RegisterMask registers, uint16_t index) {
        if (registers.none()) return index;
        auto at = registers.begin();
        for (int skip = index % registers.count(); skip != 0; --skip) ++at;
        return static_cast<uint16_t>(*at);
    }

    void inRange(isa::File& file, uint16_t& index) const {
        const bool vertex = stage_ == isa::Stage::Vertex;
        if (file == isa::File::V) index = oneOf(isa::inputsOf(stage_), index);
        if (file == isa::File::O) index = oneOf(isa::outputsOf(stage_), index);
        if (file == isa::File::S) index = vertex ? 3 + index % 2 : index % 4;
        if (stage_ != isa::Stage::Compute) return;
        if (file == isa::File::V || file == isa::File::O) file = isa::File::R;
        if (file == isa::File::S) index = 5 + index % 5;
    }

    Input& in_;
    isa::Stage stage_;
    std::vector<isa::Instruction> code_;
    std::vector<Open> open_;
    std::vector<size_t> calls_;
};

/// Shared memory and every buffer, some of them constant; a block of odd size.
inline void declareMemory(isa::Program& program, uint8_t seed) {
    program.sharedBytes = 4u * (1u + seed);
    program.blockSize = {static_cast<uint16_t>(1 + seed % 40), static_cast<uint16_t>(1 + seed % 3), 1};
    for (int slot = 0; slot < isa::kMaxBuffers; ++slot)
        program.buffers.push_back({"b" + std::to_string(slot), static_cast<uint8_t>(slot), false});
    isa::deriveUsage(program);
}

inline std::shared_ptr<isa::Program> programOfWords(Input& in, isa::Stage stage) {
    auto program = std::make_shared<isa::Program>();
    program->stage = stage;
    while (!in.empty() && program->code.size() < 500) {
        isa::Word word;
        word.lo = uint64_t{in.word()} << 32 | in.word();
        word.hi = uint64_t{in.word()} << 32 | in.word();
        program->code.push_back(word);
    }
    program->code.push_back(isa::encode(isa::Instruction{.op = isa::Op::Ret}));
    isa::deriveUsage(*program);
    return program;
}

/// The first `count` constants are uniforms, not literals: no compiler knows their values.
inline void makeUniform(isa::Program& program, uint8_t count) {
    program.literals.clear();
    isa::Variable variable;
    variable.name = "u";
    variable.arraySize = count;
    if (count != 0) program.uniforms.push_back(variable);
    const uint16_t temps = program.tempCount;
    isa::deriveUsage(program);
    program.tempCount = std::max(program.tempCount, temps);
}

struct SeededProgram {
    std::shared_ptr<isa::Program> program;
    uint8_t seed = 0;  ///< of what it runs with
};

/// A program that the verifier may refuse.
inline SeededProgram programOf(Input& in) {
    const uint8_t mode = in.byte();
    const uint8_t seed = in.byte();
    const isa::Stage stage = mode >= 192 ? isa::Stage::Compute : mode & 1 ? isa::Stage::Fragment : isa::Stage::Vertex;
    if (mode % 8 < 2) return {programOfWords(in, stage), seed};
    if (mode % 8 < 4) {
        const auto program = interp::makeProgram(
            interp::RandomProgram(in.word(), interp::Instructions::Everything).program(), isa::Stage::Fragment,
            interp::RandomProgram::kAllTemps, interp::RandomProgram::kConstants);
        if (mode >= 128) makeUniform(*program, interp::RandomProgram::kConstants);
        return {program, seed};
    }
    const auto program = interp::makeProgram(Writer(in, stage).program(), stage, mode >> 3, seed);
    if (mode % 8 >= 6) makeUniform(*program, seed);
    if (stage == isa::Stage::Compute) declareMemory(*program, seed);
    // Only Kil and derivatives may stand in the wrong stage here; everything else is right by construction.
    const std::string why = isa::verify(*program);
    demand(why.empty() || why.find("is for fragment programs") != std::string::npos, "the written program is valid",
           why + "\n" + assembly::disassemble(*program));
    return {program, seed};
}

}  // namespace tessera::fuzz
