// Entry points of buffers.
#include <cstring>
#include <new>

#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;
using tessera::pipeline::Bytes;

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
        // A new store always: recorded draws keep the old one.
        buffer.data =
            from ? std::make_shared<Bytes>(from, from + size) : std::make_shared<Bytes>(static_cast<size_t>(size));
        c.recorder.allocated(buffer.data->size());
        buffer.usage = usage;
        buffer.mapping.reset();
    });
}

void GL_APIENTRY glBufferSubData(GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
    enter([&](Context& c) {
        if (!validate::bufferSubData(c, target, offset, size) || size == 0 || !data) return;
        Buffer& buffer = **c.bufferBinding(target);
        buffer.makeOwn(c.recorder);
        std::memcpy(buffer.data->data() + offset, data, static_cast<size_t>(size));
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
