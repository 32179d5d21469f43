// Register allocation: temps to components of r registers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

/// Where a temp lives. Component c of the temp is component `component[c]` of register `reg`.
struct Placement {
    uint16_t reg = 0;
    std::array<uint8_t, 4> component{0, 1, 2, 3};
};

struct Allocation {
    std::vector<Placement> temps;
    uint32_t registers = 0;  ///< r registers used
    std::string error;       ///< "too many temporaries (530, limit 512)"
};

[[nodiscard]] Allocation allocateRegisters(const Module& module);

}  // namespace tessera::glsl::ir
