// Errors of buffers and vertex arrays. See context/validation.h.
#pragma once

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

[[nodiscard]] bool attribIndex(Context& c, GLuint index);
[[nodiscard]] bool bufferTarget(Context& c, GLenum target);
/// An indexed binding point that may be bound now.
[[nodiscard]] bool indexedBinding(Context& c, GLenum target, GLuint index);
[[nodiscard]] bool bufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr size);
[[nodiscard]] bool bufferData(Context& c, GLenum target, GLsizeiptr size, GLenum usage);
[[nodiscard]] bool bufferSubData(Context& c, GLenum target, GLintptr offset, GLsizeiptr size);
[[nodiscard]] bool copyBufferSubData(Context& c, GLenum readTarget, GLenum writeTarget, GLintptr readOffset,
                                     GLintptr writeOffset, GLsizeiptr size);
[[nodiscard]] bool getBufferParameter(Context& c, GLenum target, bool isKnown);
[[nodiscard]] bool mapBuffer(Context& c, GLenum target, GLenum access);
[[nodiscard]] bool mapBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access);
[[nodiscard]] bool flushMappedBufferRange(Context& c, GLenum target, GLintptr offset, GLsizeiptr length);
[[nodiscard]] bool unmapBuffer(Context& c, GLenum target);
[[nodiscard]] bool getBufferPointer(Context& c, GLenum target, GLenum pname);
[[nodiscard]] bool vertexAttribPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride,
                                       const void* pointer);
[[nodiscard]] bool vertexAttribIPointer(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride,
                                        const void* pointer);
[[nodiscard]] bool bindVertexArray(Context& c, GLuint name);
[[nodiscard]] bool getVertexAttrib(Context& c, GLuint index, bool isKnown);

}  // namespace tessera::gles::validate
