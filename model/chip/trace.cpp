#include "model/chip/trace.h"

#include "base/check.h"
#include "shader-core/isa/program.h"

namespace tessera::model {

std::vector<isa::Instruction> decodeAll(const isa::Program& program) {
    std::vector<isa::Instruction> code;
    code.reserve(program.code.size());
    for (const isa::Word& word : program.code) {
        const std::optional<isa::Instruction> instruction = isa::decode(word);
        CHECK(instruction.has_value());
        code.push_back(*instruction);
    }
    return code;
}

Executed Tracer::follow(const interp::Step& step) {
    Executed executed;
    executed.pc = step.pc;
    const isa::Instruction& instruction = (*code_)[step.pc];
    executed.lanes = step.guardedMask & step.subsetMask;
    for (int i = 0; i < step.stackDepth; ++i) {
        executed.callDepth += step.stack[i].kind == interp::EntryKind::Call;
        executed.loopDepth += step.stack[i].kind == interp::EntryKind::Loop;
    }
    // Control comes to the instruction behind a loop's start once for each iteration, and nowhere else from.
    if (step.pc > 0 && (*code_)[step.pc - 1].op == isa::Op::Loop) ++iteration_[executed.loopDepth];
    if (instruction.op == isa::Op::Loop) iteration_[executed.loopDepth + 1] = 0;
    executed.iteration = iteration_[executed.loopDepth];
    return executed;
}

}  // namespace tessera::model
