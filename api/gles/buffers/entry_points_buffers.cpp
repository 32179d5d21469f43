// Entry points of buffers.
#include <algorithm>
#include <limits>
#include <new>
#include <span>

#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"

using namespace tessera::gles;

namespace {

struct BufferParameter : Parameter<Buffer> {
    bool es3 = false;  ///< of OpenGL ES 3.0 alone
};
constexpr BufferParameter kParameters[] = {
    {{GL_BUFFER_SIZE, [](const Buffer& buffer) { return static_cast<int64_t>(buffer.data->size()); }}},
    {{GL_BUFFER_USAGE, [](const Buffer& buffer) -> int64_t { return buffer.usage; }}},
    {{GL_BUFFER_ACCESS_OES, [](const Buffer&) -> int64_t { return GL_WRITE_ONLY_OES; }}},
    {{GL_BUFFER_MAPPED, [](const Buffer& buffer) -> int64_t { return buffer.mapping.has_value(); }}},
    {{GL_BUFFER_ACCESS_FLAGS,
      [](const Buffer& buffer) -> int64_t { return buffer.mapping ? buffer.mapping->access : 0; }},
     true},
    {{GL_BUFFER_MAP_OFFSET,
      [](const Buffer& buffer) -> int64_t { return buffer.mapping ? buffer.mapping->offset : 0; }},
     true},
    {{GL_BUFFER_MAP_LENGTH,
      [](const Buffer& buffer) -> int64_t { return buffer.mapping ? buffer.mapping->length : 0; }},
     true},
};

template <class T>
void getParameter(Context& c, GLenum target, GLenum pname, T* params) {
    const BufferParameter* parameter = findParameter(kParameters, pname);
    const bool isKnown = parameter && (!parameter->es3 || c.isEs3());
    if (!validate::getBufferParameter(c, target, isKnown) || !params) return;
    const int64_t value = parameter->read(**c.bufferBinding(target));
    *params = static_cast<T>(std::min<int64_t>(value, std::numeric_limits<T>::max()));
}

}  // namespace

extern "C" {

void GL_APIENTRY glGenBuffers(GLsizei n, GLuint* buffers) {
    enter([&](Context& c) { generate(c, c.group().buffers, n, buffers); });
}

void GL_APIENTRY glDeleteBuffers(GLsizei n, const GLuint* buffers) {
    enter([&](Context& c) { erase(c, c.group().buffers, n, buffers); });
}

GLboolean GL_APIENTRY glIsBuffer(GLuint buffer) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.group().buffers, buffer); });
}

void GL_APIENTRY glBindBuffer(GLenum target, GLuint buffer) {
    enter([&](Context& c) {
        if (validate::bufferTarget(c, target)) *c.bufferBinding(target) = named(c.group().buffers, buffer);
    });
}

void GL_APIENTRY glBufferData(GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
    enter([&](Context& c) {
        if (!validate::bufferData(c, target, size, usage)) return;
        if (size > kMaxBufferSize) throw std::bad_alloc();
        Buffer& buffer = **c.bufferBinding(target);
        const auto* from = static_cast<const std::byte*>(data);
        const auto bytes = static_cast<size_t>(size);
        // A new version always: recorded commands keep the old one.
        buffer.replace(c.recorder, from ? std::make_shared<tessera::pipeline::Buffer>(std::span(from, bytes))
                                        : std::make_shared<tessera::pipeline::Buffer>(bytes));
        buffer.usage = usage;
        buffer.mapping.reset();
    });
}

void GL_APIENTRY glBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
    enter([&](Context& c) {
        if (!validate::bufferSubData(c, target, offset, size) || size == 0 || !data) return;
        const std::span bytes(static_cast<const std::byte*>(data), static_cast<size_t>(size));
        (*c.bufferBinding(target))->write(c.recorder, static_cast<size_t>(offset), bytes);
    });
}

void GL_APIENTRY glCopyBufferSubData(GLenum readTarget, GLenum writeTarget, GLintptr readOffset, GLintptr writeOffset,
                                     GLsizeiptr size) {
    enterEs3([&](Context& c) {
        if (!validate::copyBufferSubData(c, readTarget, writeTarget, readOffset, writeOffset, size) || size == 0)
            return;
        const Buffer& from = **c.bufferBinding(readTarget);
        (*c.bufferBinding(writeTarget))
            ->copy(c.recorder, from, static_cast<size_t>(readOffset), static_cast<size_t>(writeOffset),
                   static_cast<size_t>(size));
    });
}

void GL_APIENTRY glGetBufferParameteriv(GLenum target, GLenum pname, GLint* params) {
    enter([&](Context& c) { getParameter(c, target, pname, params); });
}

void GL_APIENTRY glGetBufferParameteri64v(GLenum target, GLenum pname, GLint64* params) {
    enterEs3([&](Context& c) { getParameter(c, target, pname, params); });
}

}  // extern "C"
