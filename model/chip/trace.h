// Instruction traces: what the interpreter executes, as a Workload holds it.
#pragma once

#include <vector>

#include "model/chip/workload.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/isa.h"

namespace tessera::model {

/// The instructions of a program.
[[nodiscard]] std::vector<isa::Instruction> decodeAll(const isa::Program& program);

/// Follows one group from its first instruction to its last. Groups that take turns have a tracer each.
class Tracer {
public:
    /// A group of the program with these instructions, which must outlive the tracer. `run`: how often the program has
    /// run for the same lanes before (Executed::iteration).
    explicit Tracer(const std::vector<isa::Instruction>& code, uint32_t run = 0) : code_(&code) { iteration_[0] = run; }

    /// The instruction that the group is about to execute; without its accesses.
    [[nodiscard]] Executed follow(const interp::Step& step);

private:
    const std::vector<isa::Instruction>* code_;
    uint32_t iteration_[isa::kMaxNesting + 1] = {};  ///< by open loop; [0]: outside of loops
};

}  // namespace tessera::model
