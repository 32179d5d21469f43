// Buffer objects and vertex array objects.
#pragma once

#include <array>

#include "api/gles/limits.h"
#include "api/gles/names.h"
#include "pipeline/state.h"

namespace tessera::gles {

struct Buffer {
    explicit Buffer(GLuint n) : name(n) {}
    GLuint name;
    GLenum usage = GL_STATIC_DRAW;
    /// Recorded draws share it: cloned before a write unless soleOwner().
    std::shared_ptr<pipeline::Bytes> data = std::make_shared<pipeline::Bytes>();
};

/// One glVertexAttribPointer.
struct AttribArray {
    bool enabled = false;
    GLint size = 4;
    GLenum type = GL_FLOAT;
    bool normalized = false;
    GLsizei stride = 0;
    const void* pointer = nullptr;   ///< offset when `buffer` is set
    std::shared_ptr<Buffer> buffer;  ///< null: client memory
};

struct VertexArray {
    explicit VertexArray(GLuint n) : name(n) {}
    GLuint name;
    std::array<AttribArray, kMaxVertexAttribs> attribs;
    std::shared_ptr<Buffer> elementBuffer;
};

}  // namespace tessera::gles
