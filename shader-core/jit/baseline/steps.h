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

// --- Relative registers ---

/// Registers that a relative operand reaches; for a call packed, but for `exists`.
struct Reach {
    uint16_t index = 0;              ///< a0.x is added to it
    uint16_t count = 0;              ///< of the file
    uint8_t components = 0;          ///< bits: those that are moved
    uint64_t exists = ~uint64_t{0};  ///< bit n % 64 for register n of the file
    [[nodiscard]] uint64_t pack() const { return index | uint64_t{count} << 12 | uint64_t{components} << 28; }
    [[nodiscard]] static Reach unpack(uint64_t bits, uint64_t exists) {
        return {static_cast<uint16_t>(bits & 0xFFF), static_cast<uint16_t>(bits >> 12),
                static_cast<uint8_t>(bits >> 28 & 0xF), exists};
    }
};
static_assert(isa::kMaxTemps < 1 << 12 && isa::kMaxConstants < 1 << 12);  // what an index names

/// Each lane's register to four rows, one for each component; zero where there is none. `address`: a row, a0.x.
using Gather = void (*)(const float* file, const int32_t* address, uint64_t reach, float* rows, uint64_t exists);
[[nodiscard]] Gather gatherFrom(SimdLevel level, isa::File file);
/// From four rows to the register of each of the `lanes` that has one. `file`: of temporaries or outputs.
using Scatter = void (*)(float* file, const int32_t* address, uint64_t reach, const float* rows, uint32_t lanes,
                         uint64_t exists);
[[nodiscard]] Scatter scatterTo(SimdLevel level);

// Each SIMD level has its own copy of these.
#define TESSERA_JIT_STEPS(level, ...)        \
    namespace level {                        \
    Step stepAt(isa::Op op, isa::Type type); \
    Step litStepAt(int component);           \
    Gather gatherAt(isa::File file);         \
    Scatter scatterAt();                     \
    }
TESSERA_EACH_SIMD_LEVEL(TESSERA_JIT_STEPS)
#undef TESSERA_JIT_STEPS

}  // namespace tessera::jit
