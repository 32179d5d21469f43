// Random shaders of GLSL ES 1.00, always valid: typed expressions over all built-in functions, statements of every
// form, derivatives, texture lookups, discard. What they compute means nothing; every executor must compute the same.
#pragma once

#include <string>

#include "tests/determinism/chooser.h"

namespace determinism {

struct ShaderPair {
    std::string vertex, fragment;
};

/// Attributes a_position (vec4), a_first (vec4), a_second (vec2); varyings v_first (vec4), v_second (vec3), v_third
/// (vec2); uniforms u_vector[4] (vec4), u_matrix (mat4), u_count (int, 0 to 6), u_image (2D), u_cube (cube).
/// `nearBudget`: with loops that take about 65,536 instructions in some pixels or vertices, more or less.
[[nodiscard]] ShaderPair writeShaders(Chooser& choose, bool nearBudget = false);

}  // namespace determinism
