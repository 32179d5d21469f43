// Register access of the handlers: fetch with modifiers, gathering of relative operands, write-back under a mask.
// Part of the versioned code: included by files that are compiled once for each SIMD level.
#pragma once

#include "base/simd.h"
#include "shader-core/interp/decoded.h"

namespace tessera::interp::TESSERA_SIMD {

/// One component of a group: lanes 0..15 and 16..31.
struct Lanes {
    F32x16 half[2];
};

/// What is known about an operand when its handler is chosen.
enum class Access { Vector, Uniform, Any };
enum class Modifiers { None, Any };

inline const float* address(const Machine& machine, const Operand& operand, int component) {
    return reinterpret_cast<const float*>(machine.base[operand.base] + operand.offset[component]);
}

template <bool kInteger>
inline F32x16 modify(F32x16 x, bool negate, bool absolute) {
    if constexpr (kInteger) {
        I32x16 bits = asInt(x);
        if (absolute) bits = select(bits < 0, asInt(0u - asUint(bits)), bits);
        if (negate) bits = asInt(0u - asUint(bits));
        return asFloat(bits);
    } else {
        uint32_t keep = absolute ? 0x7fffffffu : 0xffffffffu, flip = negate ? 0x80000000u : 0u;
        return asFloat((asUint(x) & keep) ^ flip);
    }
}

template <Access kAccess, bool kInteger = false, Modifiers kModifiers = Modifiers::Any>
inline Lanes fetch(const Machine& machine, const Operand& operand, int component) {
    const float* p = address(machine, operand, component);
    Lanes x;
    if (kAccess == Access::Uniform || (kAccess == Access::Any && operand.uniform)) {
        x.half[0] = x.half[1] = splat(*p);
    } else {
        x.half[0] = load<F32x16>(p);
        x.half[1] = load<F32x16>(p + 16);
    }
    if (kModifiers == Modifiers::Any && (operand.negate || operand.absolute)) {
        x.half[0] = modify<kInteger>(x.half[0], operand.negate, operand.absolute);
        x.half[1] = modify<kInteger>(x.half[1], operand.negate, operand.absolute);
    }
    return x;
}

/// Replaces the relative and predicate operands of an instruction by registers they were gathered into.
void gather(Machine& machine, const Decoded& instruction, Operand (&resolved)[3]);

/// Writes with a partial mask, to a predicate, or through a relative destination.
void writeSlowly(Machine& machine, const Decoded& instruction, const Lanes (&result)[4], uint32_t mask);

inline F32x16 saturate(F32x16 x) { return clamp(x, 0.0f, 1.0f); }

/// Writes the components of the write mask. Under Machine::whole lanes outside the launch are overwritten too, in
/// temporaries and outputs; execute() clears the latter at the end. Inlined by order: a call puts the result into
/// memory and reads it back, which is a tenth of an interpreted frame, and with this many callers the compiler would
/// choose a call.
[[gnu::always_inline]] inline void writeBack(Machine& machine, const Decoded& d, Lanes (&result)[4], uint32_t mask) {
    if (d.saturate) {
        for (int c = 0; c < 4; ++c) {
            if (!(d.writeMask >> c & 1)) continue;
            result[c].half[0] = saturate(result[c].half[0]);
            result[c].half[1] = saturate(result[c].half[1]);
        }
    }
    if (mask == machine.whole && !d.dstRelative && d.dstBase != kBasePredicate) [[likely]] {
        float* p = reinterpret_cast<float*>(machine.base[d.dstBase] + d.dstOffset);
        for (int c = 0; c < 4; ++c) {
            if (!(d.writeMask >> c & 1)) continue;
            store(p + c * isa::kGroupSize, result[c].half[0]);
            store(p + c * isa::kGroupSize + 16, result[c].half[1]);
        }
        return;
    }
    Lanes copy[4];  // keeps `result` in registers on the path above
    for (int c = 0; c < 4; ++c)
        if (d.writeMask >> c & 1) copy[c] = result[c];
    writeSlowly(machine, d, copy, mask);
}

/// Operands with gathered ones replaced.
#define TESSERA_RESOLVE(d)            \
    const Operand* src = (d).src;     \
    Operand resolved[3];              \
    if ((d).gathers) [[unlikely]] {   \
        gather(machine, d, resolved); \
        src = resolved;               \
    }

Handler textureHandler(const Decoded& instruction);
Handler memoryHandler(const Decoded& instruction);
Handler laneHandler(const Decoded& instruction);

}  // namespace tessera::interp::TESSERA_SIMD
