#include "shader-core/jit/lower/lane_functions.h"

#include "base/check.h"

// Only addresses are taken here; the vector types differ between levels.
#define TESSERA_LANE_NATIVE(level, name) extern "C" void tessera_call_##level##_##name();
#define TESSERA_LANE_LEVELS(name) TESSERA_EACH_SIMD_LEVEL(TESSERA_LANE_NATIVE, name) static_assert(true)
TESSERA_LANE_LEVELS(rsq);
TESSERA_LANE_LEVELS(ex2);
TESSERA_LANE_LEVELS(lg2);
TESSERA_LANE_LEVELS(sin);
TESSERA_LANE_LEVELS(cos);
TESSERA_LANE_LEVELS(pow);
TESSERA_LANE_LEVELS(powWithin);
TESSERA_LANE_LEVELS(fma);
#undef TESSERA_LANE_LEVELS
#undef TESSERA_LANE_NATIVE

namespace tessera::jit {

const std::array<LaneFunction, kLaneFunctionCount>& laneFunctions() {
#define TESSERA_LANE_NATIVE(level, name) reinterpret_cast<void*>(tessera_call_##level##_##name),
#define TESSERA_LANE_ROW(name, size)                                        \
    LaneFunction {                                                          \
        #name, size, { TESSERA_EACH_SIMD_LEVEL(TESSERA_LANE_NATIVE, name) } \
    }
    static const std::array<LaneFunction, kLaneFunctionCount> table = {
        TESSERA_LANE_ROW(rsq, 12),       TESSERA_LANE_ROW(ex2, 25), TESSERA_LANE_ROW(lg2, 30),
        TESSERA_LANE_ROW(sin, 45),       TESSERA_LANE_ROW(cos, 45), TESSERA_LANE_ROW(pow, 100),
        TESSERA_LANE_ROW(powWithin, 80), TESSERA_LANE_ROW(fma, 25)};
#undef TESSERA_LANE_ROW
#undef TESSERA_LANE_NATIVE
    return table;
}

const LaneFunction& laneFunction(std::string_view name) {
    for (const LaneFunction& f : laneFunctions())
        if (f.name == name) return f;
    UNREACHABLE("lane function");
}

}  // namespace tessera::jit
