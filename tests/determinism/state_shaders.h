// The programs of scenes rich in state (state_scene.cpp).
#pragma once

#include <GLES2/gl2.h>

#include <string>

namespace determinism {

enum class StateProgram { Flat, Varying, Image, Tinted, Cutout, Checker, Facing, Smooth, Slopes, Counted, Depth };
constexpr int kStatePrograms = 11, kExactStatePrograms = 7;  ///< those of exact scenes are the first

/// A program whose attributes 0, 1 and 2 are `a_position`, `a_color` and `a_place`; its uniforms are `u_color`,
/// `u_image` and `u_count`, how many times a loop runs. The fragment shader is added to `texts`, and to `errors` what
/// is wrong.
[[nodiscard]] GLuint linkStateProgram(StateProgram kind, bool isEs3, std::string& texts, std::string& errors);

}  // namespace determinism
