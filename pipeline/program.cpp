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

void Program::interpolateAsDeclared() {
    interpolation = {};
    for (const isa::Variable& varying : fragment().varyings)
        for (int i = 0; i < isa::registerCount(varying); ++i)
            interpolation[static_cast<size_t>(varying.reg + i)] = varying.interpolation;
}

}  // namespace tessera::pipeline
