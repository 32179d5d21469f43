// Errors of pixel transfers. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool pixelStore(Context& c, GLenum pname, GLint param);
[[nodiscard]] bool readPixels(Context& c, GLsizei width, GLsizei height, GLenum format, GLenum type);

}  // namespace tessera::gles::validate
