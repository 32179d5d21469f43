// Errors of buffers and vertex arrays.
#include "api/gles/buffers/validation.h"

namespace tessera::gles::validate {

bool attribIndex(Context& c, GLuint index) { return index < kMaxVertexAttribs || c.error(GL_INVALID_VALUE); }

bool bufferTarget(Context& c, GLenum target) { return c.bufferBinding(target) != nullptr || c.error(GL_INVALID_ENUM); }

bool indexedBinding(Context& c, GLenum target, GLuint index) {
    if (!isIndexedTarget(target)) return c.error(GL_INVALID_ENUM);
    if (c.indexedBinding(target, index) == nullptr) return c.error(GL_INVALID_VALUE);
    const bool isInUse = target == GL_TRANSFORM_FEEDBACK_BUFFER && c.transformFeedback->isActive;
    return !isInUse || c.error(GL_INVALID_OPERATION);
}

bool bufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr size) {
    const bool isUniform = target == GL_UNIFORM_BUFFER;
    const GLintptr multiple = isUniform ? kUniformBufferOffsetAlignment : 4;
    const bool valid = offset >= 0 && size > 0 && offset % multiple == 0 && (isUniform || size % multiple == 0);
    return valid || c.error(GL_INVALID_VALUE);
}
namespace {

bool isUsage(const Context& c, GLenum usage) {
    switch (usage) {
        case GL_STREAM_DRAW:
        case GL_STATIC_DRAW:
        case GL_DYNAMIC_DRAW:
            return true;
        case GL_STREAM_READ:
        case GL_STREAM_COPY:
        case GL_STATIC_READ:
        case GL_STATIC_COPY:
        case GL_DYNAMIC_READ:
        case GL_DYNAMIC_COPY:
            return c.isEs3();
    }
    return false;
}

}  // namespace

bool bufferData(Context& c, GLenum target, GLsizeiptr size, GLenum usage) {
    if (!bufferTarget(c, target)) return false;
    if (!isUsage(c, usage)) return c.error(GL_INVALID_ENUM);
    if (size < 0) return c.error(GL_INVALID_VALUE);
    return *c.bufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
}

bool bufferSubData(Context& c, GLenum target, GLintptr offset, GLsizeiptr size) {
    if (!bufferTarget(c, target)) return false;
    if (offset < 0 || size < 0) return c.error(GL_INVALID_VALUE);
    const std::shared_ptr<Buffer>& buffer = *c.bufferBinding(target);
    if (!buffer) return c.error(GL_INVALID_OPERATION);
    if (buffer->mapping) return c.error(GL_INVALID_OPERATION);
    auto capacity = static_cast<GLsizeiptr>(buffer->data->size());
    return (offset <= capacity && size <= capacity - offset) || c.error(GL_INVALID_VALUE);
}

bool getBufferParameter(Context& c, GLenum target, bool isKnown) {
    if (!bufferTarget(c, target)) return false;
    if (!isKnown) return c.error(GL_INVALID_ENUM);
    return *c.bufferBinding(target) != nullptr || c.error(GL_INVALID_OPERATION);
}

namespace {

/// A buffer is bound to the target; null otherwise.
Buffer* boundBuffer(Context& c, GLenum target) {
    if (!bufferTarget(c, target)) return nullptr;
    Buffer* buffer = c.bufferBinding(target)->get();
    if (!buffer) c.error(GL_INVALID_OPERATION);
    return buffer;
}

}  // namespace

bool copyBufferSubData(Context& c, GLenum readTarget, GLenum writeTarget, GLintptr readOffset, GLintptr writeOffset,
                       GLsizeiptr size) {
    if (!bufferTarget(c, readTarget) || !bufferTarget(c, writeTarget)) return false;
    if (readOffset < 0 || writeOffset < 0 || size < 0) return c.error(GL_INVALID_VALUE);
    const Buffer *from = boundBuffer(c, readTarget), *to = from ? boundBuffer(c, writeTarget) : nullptr;
    if (!from || !to) return false;
    if (from->mapping || to->mapping) return c.error(GL_INVALID_OPERATION);
    const auto isInside = [&](const Buffer& buffer, GLintptr offset) {
        const auto capacity = static_cast<GLsizeiptr>(buffer.data->size());
        return offset <= capacity && size <= capacity - offset;
    };
    if (!isInside(*from, readOffset) || !isInside(*to, writeOffset)) return c.error(GL_INVALID_VALUE);
    const bool overlaps = from == to && readOffset < writeOffset + size && writeOffset < readOffset + size;
    return !overlaps || c.error(GL_INVALID_VALUE);
}

bool mapBuffer(Context& c, GLenum target, GLenum access) {
    if (!bufferTarget(c, target)) return false;
    if (access != GL_WRITE_ONLY_OES) return c.error(GL_INVALID_ENUM);
    const Buffer* buffer = boundBuffer(c, target);
    return buffer && (!buffer->mapping || c.error(GL_INVALID_OPERATION));
}

bool mapBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) {
    constexpr GLbitfield kKnown = GL_MAP_READ_BIT_EXT | GL_MAP_WRITE_BIT_EXT | GL_MAP_INVALIDATE_RANGE_BIT_EXT |
                                  GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT |
                                  GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    constexpr GLbitfield kNotWithRead =
        GL_MAP_INVALIDATE_RANGE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT;
    const Buffer* buffer = boundBuffer(c, target);
    if (!buffer) return false;
    const auto size = static_cast<GLsizeiptr>(buffer->data->size());
    if (offset < 0 || length < 0 || offset > size || length > size - offset || (access & ~kKnown) != 0)
        return c.error(GL_INVALID_VALUE);
    const bool reads = (access & GL_MAP_READ_BIT_EXT) != 0, writes = (access & GL_MAP_WRITE_BIT_EXT) != 0;
    const bool valid = length > 0 && !buffer->mapping && (reads || writes) &&
                       !(reads && (access & kNotWithRead) != 0) &&
                       !(!writes && (access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT) != 0);
    return valid || c.error(GL_INVALID_OPERATION);
}

bool flushMappedBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length) {
    const Buffer* buffer = boundBuffer(c, target);
    if (!buffer) return false;
    if (offset < 0 || length < 0) return c.error(GL_INVALID_VALUE);
    if (!buffer->mapping || (buffer->mapping->access & GL_MAP_FLUSH_EXPLICIT_BIT_EXT) == 0)
        return c.error(GL_INVALID_OPERATION);
    const GLsizeiptr mapped = buffer->mapping->length;
    return (offset <= mapped && length <= mapped - offset) || c.error(GL_INVALID_VALUE);
}

bool unmapBuffer(Context& c, GLenum target) {
    const Buffer* buffer = boundBuffer(c, target);
    return buffer && (buffer->mapping || c.error(GL_INVALID_OPERATION));
}

bool getBufferPointer(Context& c, GLenum target, GLenum pname) {
    if (!bufferTarget(c, target)) return false;
    if (pname != GL_BUFFER_MAP_POINTER_OES) return c.error(GL_INVALID_ENUM);
    return boundBuffer(c, target) != nullptr;
}

namespace {

/// What glVertexAttribPointer and glVertexAttribIPointer have in common. Client memory is for the default vertex array
/// alone in OpenGL ES 3.0.
bool attribPointer(Context& c, GLuint index, GLint size, GLsizei stride) {
    if (!attribIndex(c, index)) return false;
    return (size >= 1 && size <= 4 && stride >= 0) || c.error(GL_INVALID_VALUE);
}
bool arrayMemory(Context& c, const void* pointer) {
    const bool isClient = !c.arrayBuffer && pointer != nullptr;
    return !(c.isEs3() && isClient && c.vertexArray != c.defaultVertexArray) || c.error(GL_INVALID_OPERATION);
}

}  // namespace

bool vertexAttribPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    if (!attribPointer(c, index, size, stride)) return false;
    switch (type) {
        case GL_BYTE:
        case GL_UNSIGNED_BYTE:
        case GL_SHORT:
        case GL_UNSIGNED_SHORT:
        case GL_FIXED:
        case GL_FLOAT:
        case GL_HALF_FLOAT_OES:
        case GL_HALF_FLOAT:
            return arrayMemory(c, pointer);
        case GL_INT:
        case GL_UNSIGNED_INT:
            return c.isEs3() ? arrayMemory(c, pointer) : c.error(GL_INVALID_ENUM);
        case GL_INT_2_10_10_10_REV:
        case GL_UNSIGNED_INT_2_10_10_10_REV:
            if (!c.isEs3()) return c.error(GL_INVALID_ENUM);
            return size == 4 ? arrayMemory(c, pointer) : c.error(GL_INVALID_OPERATION);
    }
    return c.error(GL_INVALID_ENUM);
}

bool vertexAttribIPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    if (!attribPointer(c, index, size, stride)) return false;
    const bool isInteger = type >= GL_BYTE && type <= GL_UNSIGNED_INT;
    return isInteger ? arrayMemory(c, pointer) : c.error(GL_INVALID_ENUM);
}

// Unlike the other objects, vertex arrays take names from glGen* only.
bool bindVertexArray(Context& c, GLuint name) {
    return name == 0 || c.vertexArrays.contains(name) || c.error(GL_INVALID_OPERATION);
}

bool getVertexAttrib(Context& c, GLuint index, bool isKnown) {
    return attribIndex(c, index) && (isKnown || c.error(GL_INVALID_ENUM));
}

}  // namespace tessera::gles::validate
