// Buffer objects and vertex array objects.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "api/gles/gles.h"
#include "api/gles/limits.h"
#include "api/gles/recorder.h"
#include "pipeline/buffer.h"

namespace tessera::gles {

struct Buffer {
    explicit Buffer(GLuint n) : name(n) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum usage = GL_STATIC_DRAW;
    /// The version that commands recorded from now on refer to (pipeline/buffer.h). Commands write it in place, in
    /// their order; the application's thread only while no command refers to it, and else takes another version.
    pipeline::BufferPtr data = std::make_shared<pipeline::Buffer>(0);
    /// Serial number of the last command buffer that writes to `data`; 0: none. It is submitted.
    uint64_t written = 0;
    /// Names what `data` holds as far as the application's thread has written it: no other contents have the number.
    /// While the buffer is mapped they change without notice.
    uint64_t contents = nextContents();

    /// From now on the buffer is that version.
    void replace(Recorder& recorder, pipeline::BufferPtr version);
    /// Before the application's thread writes: from now on `data` is the buffer's alone, with what it held.
    void makeOwn(Recorder& recorder);
    /// Before the application's thread reads: what commands write to `data` is there.
    void awaitContents();
    /// Whether commands that write to `data` are still to be executed.
    [[nodiscard]] bool isBeingWritten() const;
    /// Overwrites a part, which is inside, without waiting for anything. A small part of a large version that commands
    /// refer to is written by a command, unless the application's thread reads the buffer and would wait for that.
    void write(Recorder& recorder, size_t offset, std::span<const std::byte> bytes);

    /// The same with a part of a buffer, which may be this one.
    void copy(Recorder& recorder, const Buffer& from, size_t fromOffset, size_t offset, size_t size);

    /// The part that is mapped (OES_mapbuffer, EXT_map_buffer_range). While it is, nothing else may use `data`: no
    /// recorded command refers to it, and no draw may name the buffer.
    struct Mapping {
        GLintptr offset = 0;
        GLsizeiptr length = 0;
        GLbitfield access = 0;
    };
    std::optional<Mapping> mapping;
    /// The application's thread is about to see what it holds.
    void setRead() { isRead_ = true; }
    [[nodiscard]] void* mapPointer() { return mapping ? data->data() + mapping->offset : nullptr; }

private:
    /// From such a size on, a copy of a version costs more than to hand a command over.
    static constexpr size_t kLarge = size_t{64} << 10;

    static uint64_t nextContents();
    void awaitCommands();

    bool isRead_ = false;  ///< by the application's thread: indices, uniform blocks, pixels, what is mapped
};

/// One glBindBufferBase or glBindBufferRange.
struct IndexedBinding {
    std::shared_ptr<Buffer> buffer;  ///< null: none
    GLintptr offset = 0;
    GLsizeiptr size = 0;  ///< 0: up to the buffer's end, wherever that is

    /// What there is of the range: less than `size` where the buffer ends before.
    [[nodiscard]] std::span<std::byte> bytes() const {
        if (!buffer) return {};
        const std::span<std::byte> all = buffer->data->bytes();
        const std::span<std::byte> from = all.subspan(std::min(static_cast<size_t>(offset), all.size()));
        return size == 0 ? from : from.first(std::min(static_cast<size_t>(size), from.size()));
    }
};
using UniformBuffers = std::array<IndexedBinding, kMaxUniformBufferBindings>;

/// One glVertexAttribPointer or glVertexAttribIPointer.
struct AttribArray {
    bool enabled = false;
    GLint size = 4;
    GLenum type = GL_FLOAT;
    bool normalized = false;
    bool isInteger = false;  ///< its values stay integers
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
