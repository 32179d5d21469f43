// Program to image: IsaToLlvm, a short pass pipeline, code generation, linking.
#pragma once

#include <string>

#include "shader-core/jit/run/compile.h"

namespace tessera::jit {

/// A Compiler: what it does with LLVM is within enterLlvm(), where one thread is at a time.
void compile(const isa::Program& program, const Target& target, CompileResult& result);

/// The LLVM assembly of a program after the passes, for people and tests; empty when refused.
[[nodiscard]] std::string describe(const isa::Program& program, SimdLevel level,
                                   const ThreadBlockSize* block = nullptr);

/// Host assembly of the same.
[[nodiscard]] std::string describeMachineCode(const isa::Program& program, SimdLevel level,
                                              const ThreadBlockSize* block = nullptr, bool pair = false);

}  // namespace tessera::jit
