// The versioned functions of one SIMD level.
#pragma once

#include "base/simd_levels.h"
#include "shader-core/interp/decoded.h"

namespace tessera::interp {

struct LevelFunctions {
    Handler (*handlerFor)(const Decoded&);
    Handler (*subsetHandler)();
    void (*execute)(Machine&, Observer*);
    void (*resume)(Machine&, Position&, Observer*);
};
[[nodiscard]] LevelFunctions functionsOf(SimdLevel level);

/// Fills Decoded::handler.
void chooseHandlers(Program& program, const LevelFunctions& functions);

/// s3: the lane number in x, zero elsewhere.
[[nodiscard]] std::byte* laneRegister();

}  // namespace tessera::interp
