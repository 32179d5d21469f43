// Entry points of sync objects (APPLE_sync). One GPU executes all command buffers in the order of their submission, and
// a fence submits its context's: so glWaitSyncAPPLE has nothing to do, and a fence is signaled without another flush.
#include "api/gles/context/entry.h"
#include "api/gles/context/parameter.h"
#include "api/gles/state/state_queries.h"
#include "api/gles/sync/validation.h"

using namespace tessera::gles;

namespace {

/// The object of a handle; null, with GL_INVALID_VALUE, when there is none.
std::shared_ptr<Sync> findSync(Context& c, GLsync handle) {
    std::shared_ptr<Sync> sync = c.group().sync(handle);
    if (!sync) c.error(GL_INVALID_VALUE);
    return sync;
}

bool isSignaled(const Sync& sync) { return Driver::instance().gpu().isDone(sync.serial); }

constexpr Parameter<Sync> kParameters[] = {
    {GL_OBJECT_TYPE_APPLE, [](const Sync&) -> int64_t { return GL_SYNC_FENCE_APPLE; }},
    {GL_SYNC_CONDITION_APPLE, [](const Sync&) -> int64_t { return GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE; }},
    {GL_SYNC_STATUS_APPLE,
     [](const Sync& sync) -> int64_t { return isSignaled(sync) ? GL_SIGNALED_APPLE : GL_UNSIGNALED_APPLE; }},
    {GL_SYNC_FLAGS_APPLE, [](const Sync&) -> int64_t { return 0; }},
};

}  // namespace

extern "C" {

GLsync GL_APIENTRY glFenceSync(GLenum condition, GLbitfield flags) {
    return enterFor(static_cast<GLsync>(nullptr), [&](Context& c) -> GLsync {
        if (!validate::fenceSync(c, condition, flags)) return nullptr;
        const GLuint name = c.group().syncs.generate();
        c.group().syncs.findOrMake(name)->serial = c.recorder.flush(SamplesResolved(c));
        return reinterpret_cast<GLsync>(uintptr_t{name});
    });
}
GLsync GL_APIENTRY glFenceSyncAPPLE(GLenum condition, GLbitfield flags) { return glFenceSync(condition, flags); }

GLboolean GL_APIENTRY glIsSync(GLsync sync) {
    return enterFor(GLboolean{GL_FALSE},
                    [&](Context& c) { return c.group().sync(sync) ? GLboolean{GL_TRUE} : GLboolean{GL_FALSE}; });
}
GLboolean GL_APIENTRY glIsSyncAPPLE(GLsync sync) { return glIsSync(sync); }

void GL_APIENTRY glDeleteSync(GLsync sync) {
    enter([&](Context& c) {
        if (sync == nullptr) return;
        if (const std::shared_ptr<Sync> object = findSync(c, sync)) c.group().syncs.erase(object->name);
    });
}
void GL_APIENTRY glDeleteSyncAPPLE(GLsync sync) { glDeleteSync(sync); }

GLenum GL_APIENTRY glClientWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout) {
    std::shared_ptr<Sync> object;
    const GLenum now = enterFor(GLenum{GL_WAIT_FAILED_APPLE}, [&](Context& c) -> GLenum {
        object = findSync(c, sync);
        if (!object || !validate::clientWaitSync(c, flags)) return GL_WAIT_FAILED_APPLE;
        return isSignaled(*object) ? GL_ALREADY_SIGNALED_APPLE : GL_TIMEOUT_EXPIRED_APPLE;
    });
    if (now != GL_TIMEOUT_EXPIRED_APPLE || timeout == 0) return now;
    FloatEnvironment environment;
    return waitFor(object->serial, timeout) ? GL_CONDITION_SATISFIED_APPLE : GL_TIMEOUT_EXPIRED_APPLE;
}
GLenum GL_APIENTRY glClientWaitSyncAPPLE(GLsync sync, GLbitfield flags, GLuint64 timeout) {
    return glClientWaitSync(sync, flags, timeout);
}

void GL_APIENTRY glWaitSync(GLsync sync, GLbitfield flags, GLuint64 timeout) {
    enter([&](Context& c) {
        if (findSync(c, sync)) (void)validate::waitSync(c, flags, timeout);
    });
}
void GL_APIENTRY glWaitSyncAPPLE(GLsync sync, GLbitfield flags, GLuint64 timeout) { glWaitSync(sync, flags, timeout); }

void GL_APIENTRY glGetInteger64vAPPLE(GLenum pname, GLint64* params) { glGetInteger64vEXT(pname, params); }

void GL_APIENTRY glGetSynciv(GLsync sync, GLenum pname, GLsizei bufSize, GLsizei* length, GLint* values) {
    const auto give = [&](GLint value) {
        if (bufSize > 0 && values) *values = value;
        if (length) *length = bufSize > 0 ? 1 : 0;
    };
    enter([&](Context& c) {
        const std::shared_ptr<Sync> object = findSync(c, sync);
        const auto* parameter = findParameter(kParameters, pname);
        if (object && validate::getSync(c, parameter != nullptr, bufSize))
            give(static_cast<GLint>(parameter->read(*object)));
    });
    // A loop that waits for the status must end when the context is lost (KHR_robustness).
    if (pname == GL_SYNC_STATUS_APPLE && current() && isContextLost(*current())) give(GL_SIGNALED_APPLE);
}
void GL_APIENTRY glGetSyncivAPPLE(GLsync sync, GLenum pname, GLsizei bufSize, GLsizei* length, GLint* values) {
    glGetSynciv(sync, pname, bufSize, length, values);
}

}  // extern "C"
