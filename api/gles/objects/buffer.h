// Buffer objects and vertex array objects.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "api/gles/gles.h"
#include "api/gles/limits.h"
#include "api/gles/recorder.h"
#include "api/gles/sole_owner.h"
#include "pipeline/buffer.h"

namespace tessera::gles {

struct Buffer {
    explicit Buffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum usage = GL_STATIC_DRAW;
    /// Recorded draws share it: cloned before a write unless soleOwner().
    std::shared_ptr<pipeline::Bytes> data = std::make_shared<pipeline::Bytes>();
    /// Before a write: from now on `data` is the buffer's alone.
    void makeOwn(Recorder& recorder) {
        if (soleOwner(data)) return;
        data = std::make_shared<pipeline::Bytes>(*data);
        recorder.allocated(data->size());
    }

    /// The part that is mapped (OES_mapbuffer, EXT_map_buffer_range). While it is, nothing else may use `data`: no
    /// recorded command refers to it, and no draw may name the buffer.
    struct Mapping {
        GLintptr offset = 0;
        GLsizeiptr length = 0;
        GLbitfield access = 0;
    };
    std::optional<Mapping> mapping;
    [[nodiscard]] void* mapPointer() const { return mapping ? data->data() + mapping->offset : nullptr; }
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
    GLuint divisor = 0;              ///< instances that one element serves; 0: an element for each vertex
};

struct VertexArray {
    explicit VertexArray(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    std::array<AttribArray, kMaxVertexAttribs> attribs;
    std::shared_ptr<Buffer> elementBuffer;
};

}  // namespace tessera::gles
