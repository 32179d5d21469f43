// --preset of the verbs that execute a program: a machine that cannot execute it refuses.
#pragma once

#include <optional>
#include <string>

#include "model/chip/preset.h"
#include "shader-core/isa/core.h"

namespace tessera::tools {

/// The machine of a preset: a name or a file. Nothing, with a message, when there is none.
[[nodiscard]] std::optional<model::Preset> loadMachine(const std::string& preset);

/// Whether the machine can execute the program. If not, one message is printed, located in `file`, which the program
/// came from.
[[nodiscard]] bool machineTakes(const model::Preset& machine, const isa::Program& program, const std::string& file);

/// The same for the machine of a preset: a name or a file; empty: any machine.
[[nodiscard]] bool machineTakes(const std::string& preset, const isa::Program& program, const std::string& file);

}  // namespace tessera::tools
