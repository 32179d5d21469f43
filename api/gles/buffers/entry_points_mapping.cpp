// Entry points that map buffers (OES_mapbuffer, EXT_map_buffer_range). The mapping is the store itself: recorded draws
// that still read it keep the old bytes, the buffer goes on with a copy.
#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"

using namespace tessera::gles;

namespace {

void* map(Context& c, Buffer& buffer, const Buffer::Mapping& mapping) {
    buffer.makeOwn(c.recorder);
    buffer.mapping = mapping;
    return buffer.mapPointer();
}

}  // namespace

extern "C" {

void* GL_APIENTRY glMapBufferOES(GLenum target, GLenum access) {
    return enterFor(static_cast<void*>(nullptr), [&](Context& c) -> void* {
        if (!validate::mapBuffer(c, target, access)) return nullptr;
        Buffer& buffer = **c.bufferBinding(target);
        if (buffer.data->empty()) throw std::bad_alloc();  // there is nothing to point at
        return map(c, buffer, {0, static_cast<GLsizeiptr>(buffer.data->size()), GL_MAP_WRITE_BIT_EXT});
    });
}

void* GL_APIENTRY glMapBufferRangeEXT(GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    return enterFor(static_cast<void*>(nullptr), [&](Context& c) -> void* {
        if (!validate::mapBufferRange(c, target, offset, length, access)) return nullptr;
        return map(c, **c.bufferBinding(target), {offset, length, access});
    });
}

void GL_APIENTRY glFlushMappedBufferRangeEXT(GLenum target, GLintptr offset, GLsizeiptr length) {
    // What was written is in the store already.
    enter([&](Context& c) { (void)validate::flushMappedBufferRange(c, target, offset, length); });
}

GLboolean GL_APIENTRY glUnmapBufferOES(GLenum target) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) {
        if (!validate::unmapBuffer(c, target)) return GLboolean{GL_FALSE};
        (*c.bufferBinding(target))->mapping.reset();
        return GLboolean{GL_TRUE};
    });
}

void GL_APIENTRY glGetBufferPointervOES(GLenum target, GLenum pname, void** params) {
    enter([&](Context& c) {
        if (validate::getBufferPointer(c, target, pname) && params) *params = (*c.bufferBinding(target))->mapPointer();
    });
}

}  // extern "C"
