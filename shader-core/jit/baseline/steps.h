// Operations that baseline code calls for, sixteen lanes at a time: all that are not a few instructions of every host.
#pragma once

#include "base/simd_levels.h"
#include "shader-core/isa/isa.h"

namespace tessera::jit {

/// Rows of sixteen lanes, aligned to a cache line; operands that the operation has not may be anything.
using Step = void (*)(const float* a, const float* b, const float* c, float* result);

/// The function that computes one component of an instruction. Null for what is written in place at every level, for
/// lookups and control, and for what looks at more than one component.
[[nodiscard]] Step stepOf(SimdLevel level, isa::Op op, isa::Type type);
/// Components y (of x) and z (of x, y and w) of a lit instruction.
[[nodiscard]] Step litStep(SimdLevel level, int component);

// Each SIMD level has its own copy of these.
#define TESSERA_JIT_STEPS(level, ...)        \
    namespace level {                        \
    Step stepAt(isa::Op op, isa::Type type); \
    Step litStepAt(int component);           \
    }
TESSERA_EACH_SIMD_LEVEL(TESSERA_JIT_STEPS)
#undef TESSERA_JIT_STEPS

}  // namespace tessera::jit
