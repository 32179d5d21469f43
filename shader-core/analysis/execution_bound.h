// Which programs cannot execute more instructions than any budget allows, so that nobody has to wait for them to show
// it.
#pragma once

#include "shader-core/isa/core.h"

namespace tessera::analysis {

/// False: the program's text bounds what it executes below any budget, as its loops count from one constant to another.
[[nodiscard]] bool mayOverrun(const isa::Program& program);

}  // namespace tessera::analysis
