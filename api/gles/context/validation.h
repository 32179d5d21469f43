// Validation: what the specification says must hold before a command acts. Every function of a chapter's validation.h
// returns true when the call may go on; otherwise it has recorded the error and nothing else. They are named after the
// entry points. Here: what every chapter asks for.
#pragma once

#include "api/gles/context/context.h"

namespace tessera::gles::validate {

/// Not negative, else GL_INVALID_VALUE.
[[nodiscard]] inline bool count(Context& c, GLsizei n) { return n >= 0 || c.error(GL_INVALID_VALUE); }
[[nodiscard]] inline bool size(Context& c, GLsizei width, GLsizei height) {
    return (width >= 0 && height >= 0) || c.error(GL_INVALID_VALUE);
}

}  // namespace tessera::gles::validate
