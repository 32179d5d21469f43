#include "shader-core/jit/run/memory_call.h"

// memory_call_*.S
#define TESSERA_MEMORY_OF(level, ...) \
    extern "C" void tessera_memory_##level(tessera::jit::KernelFrame*, tessera::jit::MemoryCall*, uint64_t, uint32_t);
TESSERA_EACH_SIMD_LEVEL(TESSERA_MEMORY_OF)
#undef TESSERA_MEMORY_OF

namespace tessera::jit {

MemoryFunction keepingMemory(SimdLevel level) {
#define TESSERA_MEMORY_OF(level, ...) tessera_memory_##level,
    static constexpr MemoryFunction kFunctions[kSimdLevelCount] = {TESSERA_EACH_SIMD_LEVEL(TESSERA_MEMORY_OF)};
#undef TESSERA_MEMORY_OF
    return kFunctions[static_cast<size_t>(level)];
}

}  // namespace tessera::jit
