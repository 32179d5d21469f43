// Programs of random instructions: the verifier refuses them or they run, at every SIMD level alike, within their
// budget.
//
// The first byte chooses: words taken from the input as they are, which tries the verifier with anything that decodes;
// or a structured program written from the input, which verifies by construction and so reaches far into execution.
#include <cstdint>
#include <cstring>
#include <random>

#include "shader-core/asm/disassembler.h"
#include "shader-core/interp/testing/random_program.h"
#include "shader-core/isa/stage_registers.h"
#include "shader-core/isa/testing/random_instruction.h"
#include "tests/fuzz/execute.h"
#include "tests/fuzz/input.h"

namespace {

using namespace tessera;
using fuzz::Input;
using isa::Instruction;
using isa::Op;

/// Instructions written from input bytes: structure from a stack, registers in range, subroutines called forwards.
class Writer {
public:
    Writer(Input& in, isa::Stage stage) : in_(in), stage_(stage) {}

    std::vector<Instruction> program() {
        while (!in_.empty() && code_.size() < 300) statement();
        while (!open_.empty()) close();
        add(Op::Ret);
        add(Op::Mov).dst.index = 1;  // the subroutine that calls go to
        add(Op::Ret);
        for (const size_t at : calls_) code_[at].target = static_cast<uint16_t>(code_.size() - 2);
        return std::move(code_);
    }

private:
    struct Open {
        size_t at;
        bool loop, hasElse;
        std::vector<size_t> jumps;
    };

    Instruction& add(Op op) {
        code_.push_back(Instruction{.op = op});
        return code_.back();
    }

    void guard(Instruction& i) {
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
        add(open.loop ? Op::Endloop : Op::Endif).target = open.loop ? static_cast<uint16_t>(open.at) : 0;
    }

    void statement() {
        const uint8_t kind = in_.byte();
        if (kind < 20 && open_.size() < 20) {
            open_.push_back({code_.size(), kind < 8, false, {}});
            Instruction& i = add(kind < 8 ? Op::Loop : Op::If);
            if (kind >= 8) guard(i);
        } else if (kind < 36 && !open_.empty()) {
            close();
        } else if (kind < 44 && !open_.empty() && !open_.back().loop && !open_.back().hasElse) {
            const auto at = static_cast<uint16_t>(code_.size());
            code_[open_.back().at].target = at;
            open_.back() = {at, false, true, {}};
            add(Op::Else);
        } else if (kind < 56) {
            jump(kind & 1 ? Op::Brk : Op::Cont);
        } else if (kind < 60) {
            calls_.push_back(code_.size());
            guard(add(Op::Call));
        } else if (kind < 62) {
            Instruction& i = add(Op::Ret);
            guard(i);
            if (i.guard == 0) i.guard = 1;
        } else {
            operation(static_cast<Op>(kind % isa::kOpCount));
        }
    }

    void jump(Op op) {
        for (size_t k = open_.size(); k-- > 0;) {
            if (!open_[k].loop) continue;
            open_[k].jumps.push_back(code_.size());
            guard(add(op));
            return;
        }
    }

    void operation(Op op) {
        const isa::OpInfo& info = isa::opInfo(op);
        if (info.unit == isa::Unit::Control && op != Op::Kil && info.set != isa::InstructionSet::Compute) return;
        const bool compute = stage_ == isa::Stage::Compute;
        if (compute ? op == Op::Kil || op == Op::Ddx || op == Op::Ddy : info.set == isa::InstructionSet::Compute)
            return;
        isa::RandomInstruction random(in_.word());
        Instruction i = random.next(op);
        if (stage_ != isa::Stage::Compute) {
            i.subsetWidth = i.subsetDepth = 0;
            for (isa::Source& s : i.src) s.snoop = false;
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

    void inRange(isa::File& file, uint16_t& index) const {
        const bool vertex = stage_ == isa::Stage::Vertex;
        if (file == isa::File::V && isa::inputCount(stage_) != 0) index %= isa::inputCount(stage_);
        if (file == isa::File::O && isa::outputCount(stage_) != 0) index %= isa::outputCount(stage_);
        if (file == isa::File::S) index = vertex ? 3 + index % 2 : index % 4;
        if (stage_ != isa::Stage::Compute) return;
        if (file == isa::File::V || file == isa::File::O) file = isa::File::R;
        if (file == isa::File::S) index = 5 + index % 5;
    }

    Input& in_;
    isa::Stage stage_;
    std::vector<Instruction> code_;
    std::vector<Open> open_;
    std::vector<size_t> calls_;
};

/// Shared memory and every buffer, some of them constant; a block of odd size.
void declareMemory(isa::Program& program, uint8_t seed) {
    program.sharedBytes = 4u * (1u + seed);
    program.blockSize = {static_cast<uint16_t>(1 + seed % 40), static_cast<uint16_t>(1 + seed % 3), 1};
    for (int slot = 0; slot < isa::kMaxBuffers; ++slot)
        program.buffers.push_back({"b" + std::to_string(slot), static_cast<uint8_t>(slot), false});
    isa::deriveUsage(program);
}

std::shared_ptr<isa::Program> programOfWords(Input& in, isa::Stage stage) {
    auto program = std::make_shared<isa::Program>();
    program->stage = stage;
    while (!in.empty() && program->code.size() < 500) {
        isa::Word word;
        word.lo = uint64_t{in.word()} << 32 | in.word();
        word.hi = uint64_t{in.word()} << 32 | in.word();
        program->code.push_back(word);
    }
    program->code.push_back(isa::encode(Instruction{.op = Op::Ret}));
    isa::deriveUsage(*program);
    return program;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input in(data, size);
    const uint8_t mode = in.byte();
    const uint8_t seed = in.byte();
    const isa::Stage stage = mode >= 192 ? isa::Stage::Compute : mode & 1 ? isa::Stage::Fragment : isa::Stage::Vertex;
    std::shared_ptr<isa::Program> program;
    if (mode % 8 < 2) {
        program = programOfWords(in, stage);
    } else if (mode % 8 < 4) {
        program = interp::makeProgram(interp::RandomProgram(in.word(), interp::Instructions::Everything).program(),
                                      isa::Stage::Fragment, interp::RandomProgram::kAllTemps,
                                      interp::RandomProgram::kConstants);
    } else {
        program = interp::makeProgram(Writer(in, stage).program(), stage, mode >> 3, seed);
        if (stage == isa::Stage::Compute) declareMemory(*program, seed);
        // Only Kil and derivatives may stand in the wrong stage here; everything else is right by construction.
        const std::string why = isa::verify(*program);
        fuzz::demand(why.empty() || why.find("is for fragment programs") != std::string::npos,
                     "the written program is valid", why + "\n" + assembly::disassemble(*program));
    }
    if (isa::verify(*program).empty()) fuzz::execute(program, seed);
    return 0;
}
