#include "pipeline/program.h"

#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

uint32_t Program::varyingsWith(Interpolation one) const {
    uint32_t with = 0;
    int number = 0;
    for (const int varying : isa::varyingMask(fragment())) {
        if (interpolation[static_cast<size_t>(varying)] == one) with |= 1u << number;
        ++number;
    }
    return with;
}

}  // namespace tessera::pipeline
