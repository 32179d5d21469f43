// What the lowering wants to know of a program before it starts: where lanes can diverge, and which files need memory.
//
// A register component is uniform when every write gives all lanes the same value: its sources are constants,
// immediates or uniform registers, and the instruction is executed by all launch lanes or none. Control flow on uniform
// predicates keeps the lanes together, needs no masks and becomes plain branches. Flow-insensitive in registers,
// iterated to a fixed point (Coutinho et al., Divergence Analysis and Optimizations, PACT 2011, gives the general
// form).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::jit {

struct InstructionFacts {
    bool divergent = false;       ///< the executing lanes may be fewer than the launch lanes
    bool uniformGuard = true;     ///< the guard has the same value in all lanes
    bool uniformAddress = false;  ///< a0.x has the same value in all lanes
};

struct Facts {
    std::string refusal;  ///< why the program is left to other tiers; empty when it is not
    std::vector<isa::Instruction> code;
    std::vector<InstructionFacts> at;  ///< one for each instruction
    bool relativeTemps = false;        ///< some operand reaches r registers relative to a0.x
    bool relativeOutputs = false;
    bool usesTextures = false;
};

/// `program` must have passed isa::verify().
[[nodiscard]] Facts findFacts(const isa::Program& program);

}  // namespace tessera::jit
