// How GLSL spells the types of interface variables.
#pragma once

#include <string_view>

#include "shader-core/isa/program.h"

namespace tessera::isa {

[[nodiscard]] std::string_view nameOf(VarType type);  ///< "vec3"

}  // namespace tessera::isa
