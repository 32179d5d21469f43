// Wrong calls of every entry point that OpenGL ES 3.0 adds.
#pragma once

#include <GLES3/gl3.h>

#include <span>

namespace tessera::gles_test {

struct Es3Call {
    const char* name;  ///< of the entry point
    GLenum error;      ///< what it gives in a new context of 3.0, in which nothing but the default objects exist
    void (*call)();
};

/// At least one for each such entry point (api/gles/entry_points.inc), by name. Without a current context none of them
/// does anything; on a lost context each gives GL_CONTEXT_LOST.
extern const std::span<const Es3Call> kEs3Calls;

}  // namespace tessera::gles_test
