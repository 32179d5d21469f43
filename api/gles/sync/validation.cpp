// Errors of sync objects.
#include "api/gles/sync/validation.h"

namespace tessera::gles::validate {

bool fenceSync(Context& c, GLenum condition, GLbitfield flags) {
    if (condition != GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE) return c.error(GL_INVALID_ENUM);
    return flags == 0 || c.error(GL_INVALID_VALUE);
}

bool clientWaitSync(Context& c, GLbitfield flags) {
    return (flags & ~GLbitfield{GL_SYNC_FLUSH_COMMANDS_BIT_APPLE}) == 0 || c.error(GL_INVALID_VALUE);
}

bool waitSync(Context& c, GLbitfield flags, GLuint64 timeout) {
    return (flags == 0 && timeout == GL_TIMEOUT_IGNORED_APPLE) || c.error(GL_INVALID_VALUE);
}

bool getSync(Context& c, bool isKnown, GLsizei bufSize) {
    if (!isKnown) return c.error(GL_INVALID_ENUM);
    return count(c, bufSize);
}

}  // namespace tessera::gles::validate
