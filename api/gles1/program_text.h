// The fixed function as shaders: the programs of a key, written in GLSL ES 1.00 for the compiler (shader-core/glsl).
// Every formula names its section of OpenGL ES 1.1.12. Uniforms are named after the state they hold (uniforms.h).
#pragma once

#include <string>

#include "api/gles1/program_key.h"

namespace tessera::gles1 {

[[nodiscard]] std::string vertexText(const ProgramKey& key);
[[nodiscard]] std::string fragmentText(const ProgramKey& key);

/// Varyings that glShadeModel(GL_FLAT) takes from the last vertex of a primitive.
inline constexpr const char* kColorVaryings[] = {"frontColor", "backColor"};

}  // namespace tessera::gles1
