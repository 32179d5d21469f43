// What is legal in a program and most likely not meant: registers read that nothing has written, values that nothing
// reads, truth values (the floats 1.0 and 0.0 that comparisons give) whose bits an integer instruction takes, and
// textures, inputs and constants that no declaration gives. Works on instructions, wherever they come from.
//
// The first three are questions about paths through the program (if, loop, call and their guards): a component is
// reported only when no path at all writes it before, or reads it after, or writes anything but a truth value to it.
// Registers start at zero, so a finding is never an error.
#pragma once

#include <string>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::assembly {

struct LintFinding {
    enum class Kind { Uninitialised, DeadWrite, TruthAsInteger, Undeclared } kind = Kind::DeadWrite;
    size_t instruction = 0;
    std::string message;
};

/// `program` must have passed isa::verify(). In the order of the instructions.
[[nodiscard]] std::vector<LintFinding> lint(const isa::Program& program);

}  // namespace tessera::assembly
