// Random shaders of GLSL ES 3.00, always valid: integers of both kinds, all lookups, blocks, arrays, switches.
#pragma once

#include <string>
#include <vector>

#include "tests/determinism/chooser.h"

namespace determinism {

/// What a colour target holds, and so what writes it: vec4, ivec4, uvec4.
enum class TargetKind { Float, Int, Uint };

struct Es3Shaders {
    std::string vertex, fragment;
};

/// One output of the right type for each target. Attributes are at the locations 0 to 4: a_position, a_color,
/// a_instance, a_ints, a_uints; es3_scene.cpp knows the uniforms' names.
[[nodiscard]] Es3Shaders writeEs3Shaders(Chooser& choose, const std::vector<TargetKind>& targets);

}  // namespace determinism
