// Branch targets that follow from the structure of a program, so that neither the reader nor the writer of assembly
// has to count instructions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shader-core/isa/isa.h"

namespace tessera::assembly {

struct Structure {
    struct Problem {
        size_t at = 0;  ///< instruction
        std::string message;
    };
    std::vector<int> targets;       ///< of if, else, loop, endloop, brk, cont; -1 where none follows
    std::vector<Problem> problems;  ///< what does not nest, in no particular order
};

[[nodiscard]] Structure matchStructure(std::span<const isa::Op> ops);

}  // namespace tessera::assembly
