#include "shader-core/jit/baseline/steps.h"

namespace tessera::jit {

Step stepOf(SimdLevel level, isa::Op op, isa::Type type) { return TESSERA_SIMD_COPY(level, stepAt)(op, type); }
Gather gatherFrom(SimdLevel level, isa::File file) { return TESSERA_SIMD_COPY(level, gatherAt)(file); }
Scatter scatterTo(SimdLevel level) { return TESSERA_SIMD_COPY(level, scatterAt)(); }
Step litStep(SimdLevel level, int component) { return TESSERA_SIMD_COPY(level, litStepAt)(component); }

}  // namespace tessera::jit
