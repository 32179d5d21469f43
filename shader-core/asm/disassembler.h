// The disassembler: program to text that assembles to the same words and the same declarations.
#pragma once

#include <string>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::assembly {

/// Any program, even one that does not verify: words that are not instructions become `.word`, targets that do
/// not follow from the structure are written out as `@number`.
[[nodiscard]] std::string disassemble(const isa::Program& program);

/// The same with the source line each run of instructions comes from as a comment above it.
[[nodiscard]] std::string disassembleWithSource(const isa::Program& program);

/// One instruction alone; a branch target is written as `@number`.
[[nodiscard]] std::string disassemble(const isa::Instruction& instruction);

}  // namespace tessera::assembly
