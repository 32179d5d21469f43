// Errors of debug output. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool debugMessageControl(Context& c, GLenum source, GLenum type, GLenum severity, GLsizei n);
[[nodiscard]] bool debugMessageInsert(Context& c, GLenum source, GLenum type, GLenum severity, size_t length);
[[nodiscard]] bool pushDebugGroup(Context& c, GLenum source, size_t length);
[[nodiscard]] bool labelIdentifier(Context& c, GLenum identifier);

}  // namespace tessera::gles::validate
