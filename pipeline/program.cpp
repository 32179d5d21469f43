#include "pipeline/program.h"

#include <bit>

#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

uint32_t Program::varyingsWith(Interpolation one) const {
    uint32_t with = 0;
    int number = 0;
    for (uint32_t read = isa::varyingMask(fragment()); read != 0; read &= read - 1, ++number)
        if (interpolation[static_cast<size_t>(std::countr_zero(read))] == one) with |= 1u << number;
    return with;
}

}  // namespace tessera::pipeline
