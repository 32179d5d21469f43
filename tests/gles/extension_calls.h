// Wrong calls of every entry point of an extension, and calls of all entry points with null pointers.
#pragma once

#include <GLES2/gl2.h>

#include <span>

namespace tessera::gles_test {

struct WrongCall {
    const char* name;  ///< of the entry point
    GLenum error;      ///< what it gives in a new context, in which nothing but the default objects exist
    void (*call)();
};

/// At least one for each entry point of an extension (api/gles/entry_points.inc). Without a current context none of
/// them does anything; on a lost context each gives GL_CONTEXT_LOST, but those that GL_KHR_robustness excepts.
extern const std::span<const WrongCall> kWrongExtensionCalls;

}  // namespace tessera::gles_test
