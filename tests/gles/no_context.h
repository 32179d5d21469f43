// One call of every entry point with arguments that would do something in a context.
#pragma once

#include <span>

namespace tessera::gles_test {

struct NoContextCall {
    const char* name;
    void (*call)();
};
extern const std::span<const NoContextCall> kNoContextCalls;

}  // namespace tessera::gles_test
