// The floating-point control word of a thread: MXCSR on x86-64, FPCR on aarch64. Tessera's arithmetic is defined for
// the default one: round to nearest even, denormals kept, all exceptions masked, a NaN operand makes a NaN.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tessera {

#if defined(__x86_64__)

using FloatControl = uint32_t;
inline constexpr FloatControl kDefaultFloatControl = 0x1F80;
inline constexpr FloatControl kFloatStatusFlags = 0x3F;  ///< of the same word: what has happened, no setting
inline constexpr FloatControl kFlushToZero = 0x8040;     ///< results and operands
inline constexpr FloatControl kRoundUp = 0x4000;

inline FloatControl floatControl() { return _mm_getcsr(); }
inline void setFloatControl(FloatControl control) { _mm_setcsr(control); }

#elif defined(__aarch64__)

using FloatControl = uint64_t;
inline constexpr FloatControl kDefaultFloatControl = 0;
inline constexpr FloatControl kFloatStatusFlags = 0;  // these are in FPSR
inline constexpr FloatControl kFlushToZero = 1 << 24;
inline constexpr FloatControl kRoundUp = 1 << 22;

inline FloatControl floatControl() {
    FloatControl control = 0;
    asm volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
inline void setFloatControl(FloatControl control) { asm volatile("msr fpcr, %0" : : "r"(control) : "memory"); }

#endif

}  // namespace tessera
