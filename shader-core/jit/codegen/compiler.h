// Program to object file: IsaToLlvm, a short pass pipeline, code generation.
#pragma once

#include <memory>
#include <string>

#include <llvm/Support/MemoryBuffer.h>

#include "base/env.h"
#include "shader-core/isa/program.h"
#include "shader-core/jit/analysis/cost.h"
#include "shader-core/jit/analysis/facts.h"

namespace tessera::jit {

struct CompileResult {
    std::unique_ptr<llvm::MemoryBuffer> object;  ///< ELF, relocatable, defines kBlockFunctionName; null when refused
    std::string refusal;
    Effort effort = Effort::Full;
    Effort allowed = Effort::Full;  ///< what it would have been without Target::atMost
};

/// What to compile a program to.
struct Target {
    SimdLevel level = kLeastSimdLevel;
    const ThreadBlockSize* block =
        nullptr;        ///< a kernel with blocks of this size: kBlockFunctionName is a KernelFunction
    bool pair = false;  ///< both blocks of a group at once (isa::BlockCode::pair)
    Effort atMost = Effort::Full;
};

/// Within enterLlvm(), where one thread is at a time. `program` must have passed isa::verify(). Refused where it would
/// take long, and pairs where they are impossible or no faster.
[[nodiscard]] CompileResult compile(const isa::Program& program, const Target& target);

/// The LLVM assembly of a program after the passes, for people and tests; empty when refused.
[[nodiscard]] std::string describe(const isa::Program& program, SimdLevel level,
                                   const ThreadBlockSize* block = nullptr);

/// Host assembly of the same.
[[nodiscard]] std::string describeMachineCode(const isa::Program& program, SimdLevel level,
                                              const ThreadBlockSize* block = nullptr, bool pair = false);

}  // namespace tessera::jit
