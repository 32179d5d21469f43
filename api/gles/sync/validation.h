// Errors of sync objects. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool fenceSync(Context& c, GLenum condition, GLbitfield flags);
[[nodiscard]] bool clientWaitSync(Context& c, GLbitfield flags);
[[nodiscard]] bool waitSync(Context& c, GLbitfield flags, GLuint64 timeout);
[[nodiscard]] bool getSync(Context& c, bool isKnown, GLsizei bufSize);

}  // namespace tessera::gles::validate
