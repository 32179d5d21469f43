// What a program is compiled to, and by whom: the one thing that this room asks of the compiler, which is a library of
// its own with LLVM in it (codegen/).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/simd_levels.h"
#include "shader-core/isa/program.h"

namespace tessera::jit {

/// How a program is turned into machine code (analysis/cost.h).
enum class Effort : uint8_t {
    Full,     ///< scheduled, values kept in registers
    Quick,    ///< time in proportion to the size: instruction by instruction, nothing scheduled
    Refused,  ///< left to the interpreter
};

using ThreadBlockSize = std::array<uint32_t, 3>;  ///< threads of a block in x, y, z

/// What to compile a program to.
struct Target {
    SimdLevel level = kLeastSimdLevel;
    const ThreadBlockSize* block = nullptr;  ///< a kernel with blocks of this size: the code is a KernelFunction
    bool pair = false;                       ///< both blocks of a group at once (isa::BlockCode::pair)
    size_t singleBytes = 0;                  ///< of a pair: the function's for one block; 0: unknown
    Effort atMost = Effort::Full;
};

struct CompileResult {
    std::vector<char> image;  ///< run/image.h; empty when the program is refused
    std::string refusal;
    Effort effort = Effort::Refused;
    Effort allowed = Effort::Refused;  ///< what it would have been without Target::atMost
};

/// `program` must have passed isa::verify(). An empty image where compiling would take long, for pairs that are
/// impossible or no faster, and once the compiler could not go on (codegen/llvm_entry.h). Thread safe: one program at a
/// time.
using Compiler = void (*)(const isa::Program& program, const Target& target, CompileResult& result);

}  // namespace tessera::jit
