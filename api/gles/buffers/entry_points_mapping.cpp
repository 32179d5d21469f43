// Entry points that map buffers (OES_mapbuffer, EXT_map_buffer_range). The mapping is the version itself: recorded
// draws that still read it keep the old bytes, the buffer goes on with a copy, or with zeros where the application
// invalidates it. Only what commands write is waited for, outside the lock of the share group; so an unsynchronized
// mapping is like any other.
#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/sole_owner.h"

using namespace tessera::gles;

namespace {

/// Waits for what commands write to the buffer that is bound to the target, if one is. What is wrong is said later.
void awaitContents(GLenum target, const char* call = __builtin_FUNCTION()) {
    waitFor(enterFor(
        uint64_t{0},
        [&](Context& c) {
            const std::shared_ptr<Buffer>* buffer = c.bufferBinding(target);
            return buffer && *buffer ? (*buffer)->written : 0;
        },
        call, WhenLost::Enter, DrawStateUse::Keeps));
}

void* map(Context& c, Buffer& buffer, const Buffer::Mapping& mapping) {
    const auto size = static_cast<GLsizeiptr>(buffer.data->size());
    const bool isWhole = mapping.offset == 0 && mapping.length == size;
    const bool isInvalidated = (mapping.access & GL_MAP_INVALIDATE_BUFFER_BIT_EXT) != 0 ||
                               (isWhole && (mapping.access & GL_MAP_INVALIDATE_RANGE_BIT_EXT) != 0);
    if (isInvalidated && !soleOwner(buffer.data))
        buffer.replace(c.recorder, std::make_shared<tessera::pipeline::Buffer>(buffer.data->size()));
    if (!isInvalidated) buffer.setRead();
    buffer.makeOwn(c.recorder);
    buffer.mapping = mapping;
    return buffer.mapPointer();
}

}  // namespace

extern "C" {

void* GL_APIENTRY glMapBufferOES(GLenum target, GLenum access) {
    awaitContents(target);
    return enterFor(static_cast<void*>(nullptr), [&](Context& c) -> void* {
        if (!validate::mapBuffer(c, target, access)) return nullptr;
        Buffer& buffer = **c.bufferBinding(target);
        if (buffer.data->size() == 0) throw std::bad_alloc();  // there is nothing to point at
        return map(c, buffer, {0, static_cast<GLsizeiptr>(buffer.data->size()), GL_MAP_WRITE_BIT_EXT});
    });
}

void* GL_APIENTRY glMapBufferRange(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    if ((access & GL_MAP_INVALIDATE_BUFFER_BIT_EXT) == 0) awaitContents(target);
    return enterFor(static_cast<void*>(nullptr), [&](Context& c) -> void* {
        if (!validate::mapBufferRange(c, target, offset, length, access)) return nullptr;
        return map(c, **c.bufferBinding(target), {offset, length, access});
    });
}
void* GL_APIENTRY glMapBufferRangeEXT(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    return glMapBufferRange(target, offset, length, access);
}

void GL_APIENTRY glFlushMappedBufferRange(GLenum target, GLintptr offset, GLsizeiptr length) {
    // What was written is in the version already.
    enter([&](Context& c) { (void)validate::flushMappedBufferRange(c, target, offset, length); });
}
void GL_APIENTRY glFlushMappedBufferRangeEXT(GLenum target, GLintptr offset, GLsizeiptr length) {
    glFlushMappedBufferRange(target, offset, length);
}

GLboolean GL_APIENTRY glUnmapBuffer(GLenum target) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) {
        if (!validate::unmapBuffer(c, target)) return GLboolean{GL_FALSE};
        (*c.bufferBinding(target))->mapping.reset();
        return GLboolean{GL_TRUE};
    });
}
GLboolean GL_APIENTRY glUnmapBufferOES(GLenum target) { return glUnmapBuffer(target); }

void GL_APIENTRY glGetBufferPointerv(GLenum target, GLenum pname, void** params) {
    enter([&](Context& c) {
        if (validate::getBufferPointer(c, target, pname) && params) *params = (*c.bufferBinding(target))->mapPointer();
    });
}
void GL_APIENTRY glGetBufferPointervOES(GLenum target, GLenum pname, void** params) {
    glGetBufferPointerv(target, pname, params);
}

}  // extern "C"
