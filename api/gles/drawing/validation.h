// Errors of draws. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

/// `instances` is 1 for the calls that have none.
[[nodiscard]] bool drawArrays(Context& c, GLenum mode, GLint first, GLsizei count, GLsizei instances);
[[nodiscard]] bool drawElements(Context& c, GLenum mode, GLsizei count, GLenum type, GLsizei instances);
[[nodiscard]] bool drawRangeElements(Context& c, GLenum mode, GLuint start, GLuint end, GLsizei n, GLenum type);
/// What must hold of all of several draws before any: EXT_multi_draw_arrays.
[[nodiscard]] bool multiDraw(Context& c, GLenum mode, GLsizei primcount);
/// ANGLE_instanced_arrays alone wants an array that is not instanced.
[[nodiscard]] bool hasVertexRateArray(Context& c);

}  // namespace tessera::gles::validate
