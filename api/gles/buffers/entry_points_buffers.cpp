// Entry points of buffers.
#include <new>
#include <span>

#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;

namespace {

constexpr Parameter<Buffer> kParameters[] = {
    {GL_BUFFER_SIZE,
     [](const Buffer& buffer) -> int64_t { return roundToInt(static_cast<double>(buffer.data->size())); }},
    {GL_BUFFER_USAGE, [](const Buffer& buffer) -> int64_t { return buffer.usage; }},
    {GL_BUFFER_ACCESS_OES, [](const Buffer&) -> int64_t { return GL_WRITE_ONLY_OES; }},
    {GL_BUFFER_MAPPED_OES, [](const Buffer& buffer) -> int64_t { return buffer.mapping.has_value(); }},
};

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

void GL_APIENTRY glGetBufferParameteriv(GLenum target, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        const auto* parameter = findParameter(kParameters, pname);
        if (validate::getBufferParameter(c, target, parameter != nullptr) && params)
            *params = static_cast<GLint>(parameter->read(**c.bufferBinding(target)));
    });
}

}  // extern "C"
