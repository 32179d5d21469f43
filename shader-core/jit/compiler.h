// Program to object file: lowering, a short pass pipeline, code generation.
#pragma once

#include <memory>
#include <string>

#include <llvm/Support/MemoryBuffer.h>

#include "base/env.h"
#include "shader-core/isa/program.h"
#include "shader-core/jit/facts.h"

namespace tessera::jit {

struct CompileResult {
    std::unique_ptr<llvm::MemoryBuffer> object;  ///< ELF, relocatable, defines kBlockFunctionName; null when refused
    std::string refusal;
};

/// Thread safe. `program` must have passed isa::verify().
[[nodiscard]] CompileResult compile(const isa::Program& program, SimdLevel level);

/// The same for both blocks of a group at once (isa::BlockCode::pair). Refused where that is impossible or no faster.
[[nodiscard]] CompileResult compilePair(const isa::Program& program, SimdLevel level);

/// The same for a kernel with blocks of this size: kBlockFunctionName is a KernelFunction.
[[nodiscard]] CompileResult compileKernel(const isa::Program& program, const BlockSize& block, SimdLevel level);

/// The LLVM assembly of a program after the passes, for people and tests; empty when refused.
[[nodiscard]] std::string describe(const isa::Program& program, SimdLevel level, const BlockSize* block = nullptr);

/// Host assembly of the same.
[[nodiscard]] std::string describeMachineCode(const isa::Program& program, SimdLevel level,
                                              const BlockSize* block = nullptr, bool pair = false);

}  // namespace tessera::jit
