// The routines of a program: the main program, then its subroutines (docs/isa.md, Programs).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::analysis {

struct Routine {
    size_t first = 0;
    size_t last = 0;  ///< the unguarded ret that it ends with
    [[nodiscard]] size_t end() const { return last + 1; }
};

/// The instructions of a program that passed isa::verify().
[[nodiscard]] std::vector<isa::Instruction> decodedCode(const isa::Program& program);

[[nodiscard]] bool hasLoops(const isa::Program& program);

/// In the order of the code, each behind the other. `code` is that of a program that passed isa::verify().
[[nodiscard]] std::vector<Routine> findRoutines(const std::vector<isa::Instruction>& code);

/// The number of the routine that has the instruction.
[[nodiscard]] size_t routineOf(const std::vector<Routine>& routines, size_t at);

/// Instructions of the main program with its calls inlined, or some number beyond 2^40.
[[nodiscard]] uint64_t expandedSize(const std::vector<isa::Instruction>& code);

}  // namespace tessera::analysis
