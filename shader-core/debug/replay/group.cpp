#include "shader-core/debug/replay/group.h"

#include <cstring>

#include "shader-core/isa/program.h"

namespace tessera::debug {

isa::GroupRun groupRun(const Group& group, isa::GroupRegister* outputs) {
    isa::GroupRun run;
    run.activeMask = group.activeMask;
    run.helperMask = group.helperMask;
    run.inputs = group.inputs.data();
    run.outputs = outputs;
    run.specials = group.specials.data();
    run.constants = reinterpret_cast<const float(*)[4]>(group.constants.data());
    run.textures = group.textures.get();
    run.budget = group.budget;
    return run;
}

Outcome runGroup(const Group& group, const isa::Routine& routine) {
    Outcome outcome;
    isa::GroupRun run = groupRun(group, outcome.outputs.data());
    routine.run(run);
    outcome.killMask = run.killMask;
    outcome.budgetExceeded = run.budgetExceeded;
    outcome.instructions = run.instructions;
    return outcome;
}

void fillLiterals(Group& group) {
    const isa::Program& program = *group.program;
    if (group.constants.size() < program.constantCount) group.constants.resize(program.constantCount);
    for (const isa::Literal& literal : program.literals)
        if (literal.reg < group.constants.size())
            std::memcpy(group.constants[literal.reg].data(), literal.bits.data(), sizeof literal.bits);
}

}  // namespace tessera::debug
