#include "tests/determinism/es3_things.h"

#include <cstring>

namespace determinism {

Es3Things::~Es3Things() {
    for (const GLuint program : programs) glDeleteProgram(program);
    const auto count = [](const std::vector<GLuint>& names) { return static_cast<GLsizei>(names.size()); };
    glDeleteTextures(count(textures), textures.data());
    glDeleteSamplers(count(samplers), samplers.data());
    glDeleteRenderbuffers(count(renderbuffers), renderbuffers.data());
    glDeleteFramebuffers(count(framebuffers), framebuffers.data());
    glDeleteVertexArrays(count(arrays), arrays.data());
    glDeleteBuffers(count(buffers), buffers.data());
}

std::vector<uint8_t> Es3Things::randomBytes(size_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(choose.next() >> 20);
    return bytes;
}

std::vector<float> Es3Things::randomFloats(size_t count, float low, float high) {
    std::vector<float> values(count);
    for (float& value : values) value = choose.real(low, high);
    return values;
}

GLuint Es3Things::makeBuffer(GLenum target, std::span<const uint8_t> bytes) {
    static constexpr GLenum kUsages[] = {GL_STATIC_DRAW, GL_DYNAMIC_COPY, GL_STREAM_READ};
    const GLuint buffer = made(glGenBuffers, buffers);
    glBindBuffer(target, buffer);
    const auto size = static_cast<GLsizeiptr>(bytes.size());
    if (choose.oneIn(2)) {
        glBufferData(target, size, bytes.data(), choose.of(kUsages));
        return buffer;
    }
    glBufferData(target, size, nullptr, choose.of(kUsages));
    const bool isFlushed = choose.oneIn(2);
    const GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT;
    void* const mapped = glMapBufferRange(target, 0, size, isFlushed ? access | GL_MAP_FLUSH_EXPLICIT_BIT : access);
    if (mapped == nullptr) return buffer;
    std::memcpy(mapped, bytes.data(), bytes.size());
    if (isFlushed) glFlushMappedBufferRange(target, 0, size);
    glUnmapBuffer(target);
    return buffer;
}

}  // namespace determinism
