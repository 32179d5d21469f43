// The versioned functions of one SIMD level.
#pragma once

#include <array>
#include <memory>

#include "base/simd_levels.h"
#include "shader-core/interp/decoded.h"
#include "shader-core/isa/compute.h"

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

/// A compute program for blocks of a size.
[[nodiscard]] std::shared_ptr<const isa::Kernel> makeKernel(Program program, std::array<uint32_t, 3> block,
                                                            const LevelFunctions& functions);

/// s3: the lane number in x, zero elsewhere.
[[nodiscard]] std::byte* laneRegister();

}  // namespace tessera::interp
