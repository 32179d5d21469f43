// Errors of queries and of conditional rendering. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool beginQuery(Context& c, GLenum target, GLuint id);
[[nodiscard]] bool endQuery(Context& c, GLenum target);
[[nodiscard]] bool queryCounter(Context& c, GLuint id, GLenum target);
[[nodiscard]] bool getQuery(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool getQueryObject(Context& c, GLuint id, GLenum pname);
[[nodiscard]] bool beginConditionalRender(Context& c, GLuint id, GLenum mode);

}  // namespace tessera::gles::validate
