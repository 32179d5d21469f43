// GL_PROGRAM_BINARY_TESSERA, the format of OES_get_program_binary: the stages of a linked program as ISA programs.
//
// "TSP3", four 32-bit little-endian numbers (flags: 1 the program is separable, 2 varyings are captured apart; three
// lengths), then the names of captured varyings, each with a 0 behind it, and the .tsb bytes
// (shader-core/isa/program.h) of the vertex and of the fragment program. A separable program may lack one of them.
// Loading trusts nothing: the programs are parsed, verified and matched as glShaderBinary's are.
#pragma once

#include <span>
#include <vector>

#include "api/gles/objects/program.h"

namespace tessera::gles {

/// The program is linked.
[[nodiscard]] std::vector<std::byte> programBinary(const Executable& executable);

/// Replaces the executable; sets linked and infoLog. What was linked before is lost when the bytes are refused.
void loadProgramBinary(Program& program, std::span<const std::byte> bytes, isa::Executor& executor);

}  // namespace tessera::gles
