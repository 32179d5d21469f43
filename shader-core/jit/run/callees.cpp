#include "shader-core/jit/run/callees.h"

#include <cstring>

// Only addresses are taken here; the vector types differ between levels.
#define TESSERA_LANE_NATIVE(level, name) extern "C" void tessera_call_##level##_##name();
#define TESSERA_LANE_LEVELS(name) TESSERA_EACH_SIMD_LEVEL(TESSERA_LANE_NATIVE, name) static_assert(true)
TESSERA_LANE_LEVELS(rsq);
TESSERA_LANE_LEVELS(ex2);
TESSERA_LANE_LEVELS(lg2);
TESSERA_LANE_LEVELS(sin);
TESSERA_LANE_LEVELS(cos);
TESSERA_LANE_LEVELS(fma);
#undef TESSERA_LANE_LEVELS
#undef TESSERA_LANE_NATIVE

namespace tessera::jit {

const void* calleeAddress(uint32_t number, SimdLevel level) {
#define TESSERA_LANE_ADDRESS(level, name) reinterpret_cast<const void*>(tessera_call_##level##_##name),
#define TESSERA_LANE_ROW(name) {TESSERA_EACH_SIMD_LEVEL(TESSERA_LANE_ADDRESS, name)}
    // In the order of kLaneFunctions.
    static const void* const lane[][kSimdLevelCount] = {TESSERA_LANE_ROW(rsq), TESSERA_LANE_ROW(ex2),
                                                        TESSERA_LANE_ROW(lg2), TESSERA_LANE_ROW(sin),
                                                        TESSERA_LANE_ROW(cos), TESSERA_LANE_ROW(fma)};
#undef TESSERA_LANE_ROW
#undef TESSERA_LANE_ADDRESS
    static_assert(std::size(lane) == std::size(kLaneFunctions));
    if (number < std::size(lane)) return lane[number][static_cast<size_t>(level)];
    return number == std::size(lane) ? reinterpret_cast<const void*>(&std::memset)
                                     : reinterpret_cast<const void*>(&std::memcpy);
}

}  // namespace tessera::jit
