// Machine code for a program of the pipeline at once, without LLVM: each instruction by itself, in the time that a few
// groups take to be interpreted (docs/adr/0036-code-at-once-without-llvm.md).
#pragma once

#include <vector>

#include "base/simd_levels.h"
#include "shader-core/isa/program.h"

namespace tessera::jit {

/// Whether there is such code for the host's architecture.
inline constexpr bool kHasBaseline =
#if defined(__x86_64__)
    true;
#else
    false;
#endif

/// Code for single blocks as an image (run/image.h), for this process alone: it holds addresses of functions. Empty for
/// kernels, for programs with much code, and without kHasBaseline.
/// `program` must have passed isa::verify().
[[nodiscard]] std::vector<char> baselineImage(const isa::Program& program, SimdLevel level);

}  // namespace tessera::jit
