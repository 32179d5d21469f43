// The transcendental function unit for compiled programs, one copy for each SIMD level.
//
// Twice: as LLVM bitcode (TESSERA_BITCODE), embedded into the JIT and inlined where a program uses a function once or
// twice, and as native code, called where inlining would make the program large. Operands go through memory because the
// calling convention of vectors differs between levels; inlining makes registers of them again. A NaN among the results
// can be any one: who calls makes it canonical where its bits can be seen.
#include "shader-core/isa/tfu.h"

#ifdef TESSERA_BITCODE
#define TESSERA_LANE(name) tessera_inline_##name
#else
#define TESSERA_LANE_AT(level, name) tessera_call_##level##_##name
#define TESSERA_LANE_EXPAND(level, name) TESSERA_LANE_AT(level, name)
#define TESSERA_LANE(name) TESSERA_LANE_EXPAND(TESSERA_SIMD, name)
#endif

namespace tfu = tessera::isa::tfu;
using tessera::F32x16;

extern "C" {

void TESSERA_LANE(rsq)(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::rsq(*x); }
void TESSERA_LANE(ex2)(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::ex2AnyNan(*x); }
void TESSERA_LANE(lg2)(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::lg2(*x); }
void TESSERA_LANE(sin)(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::sinAnyNan(*x); }
void TESSERA_LANE(cos)(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::cosAnyNan(*x); }
void TESSERA_LANE(fma)(const F32x16* __restrict a, const F32x16* __restrict b, const F32x16* __restrict c,
                       F32x16* __restrict result) {
    *result = tessera::fma(*a, *b, *c);
}
}
