// The transcendental function unit as LLVM bitcode: compiled once for each SIMD level by clang, embedded into the JIT,
// and inlined into the programs that use it. Operands go through memory because the calling convention for vectors
// differs between levels; inlining makes registers of them again.
#include "shader-core/isa/tfu.h"

namespace tfu = tessera::isa::tfu;
using tessera::F32x16;

extern "C" {

void tessera_rsq(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::rsq(*x); }
void tessera_ex2(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::ex2(*x); }
void tessera_lg2(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::lg2(*x); }
void tessera_sin(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::sin(*x); }
void tessera_cos(const F32x16* __restrict x, F32x16* __restrict result) { *result = tfu::cos(*x); }
void tessera_pow(const F32x16* __restrict x, const F32x16* __restrict y, F32x16* __restrict result) {
    *result = tfu::pow(*x, *y);
}
void tessera_fma(const F32x16* __restrict a, const F32x16* __restrict b, const F32x16* __restrict c,
                 F32x16* __restrict result) {
    *result = tessera::fma(*a, *b, *c);
}
}
