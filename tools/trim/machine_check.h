// --preset of the verbs that execute a program: a machine that cannot execute it refuses.
#pragma once

#include <string>

#include "shader-core/isa/program.h"

namespace tessera::tools {

/// Whether the machine of a preset (a name or a file; empty: any) can execute the program. If not, one message is
/// printed, located in `file`, which the program came from.
[[nodiscard]] bool machineTakes(const std::string& preset, const isa::Program& program, const std::string& file);

}  // namespace tessera::tools
