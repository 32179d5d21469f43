// Entry points of command execution: errors, lost contexts (EXT_robustness, KHR_robustness), glFlush and glFinish. A
// context is lost when one of its shaders exceeded the budget and it was made with reset notification; see
// Context::isLost().
#include "api/gles/context/entry.h"

using namespace tessera::gles;

namespace {

GLenum resetStatus() {
    return enterFor(
        GLenum{GL_NO_ERROR}, [](Context& c) { return c.takeResetStatus(); }, __builtin_FUNCTION(), WhenLost::Enter);
}

}  // namespace

extern "C" {

GLenum GL_APIENTRY glGetError() {
    return enterFor(
        GLenum{GL_NO_ERROR}, [](Context& c) { return c.takeError(); }, __builtin_FUNCTION(), WhenLost::Enter);
}

GLenum GL_APIENTRY glGetGraphicsResetStatusEXT() { return resetStatus(); }
GLenum GL_APIENTRY glGetGraphicsResetStatusKHR() { return resetStatus(); }

void GL_APIENTRY glFlush() {
    enter([&](Context& c) { c.recorder.flush(SamplesResolved(c)); });
    if (Context* c = current()) c->showDrawn();
}

void GL_APIENTRY glFinish() {
    waitFor(enterFor(uint64_t{0}, [&](Context& c) { return c.recorder.flush(SamplesResolved(c), c.whenAwaited()); }));
    if (Context* c = current()) c->showDrawn();
}

}  // extern "C"
