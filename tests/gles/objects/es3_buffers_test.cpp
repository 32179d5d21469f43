// Buffers of OpenGL ES 3.0 (3.0.6, section 2.9): targets, usages, copies, what is told of mappings.
#include <GLES3/gl3.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

GLuint makeBuffer(GLenum target, const std::vector<uint8_t>& bytes, GLenum usage = GL_STATIC_DRAW) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, static_cast<GLsizeiptr>(bytes.size()), bytes.data(), usage);
    return name;
}

std::vector<uint8_t> contents(GLenum target) {
    GLint size = 0;
    glGetBufferParameteriv(target, GL_BUFFER_SIZE, &size);
    std::vector<uint8_t> bytes(static_cast<size_t>(size));
    const void* from = glMapBufferRange(target, 0, size, GL_MAP_READ_BIT);
    REQUIRE(from != nullptr);
    std::memcpy(bytes.data(), from, bytes.size());
    CHECK(glUnmapBuffer(target) == GL_TRUE);
    return bytes;
}

std::vector<uint8_t> counting(int count) {
    std::vector<uint8_t> bytes(static_cast<size_t>(count));
    std::iota(bytes.begin(), bytes.end(), uint8_t{0});
    return bytes;
}

}  // namespace

TEST_CASE("a buffer is copied from one to another, and within itself") {
    TestContext context(kEs3);
    makeBuffer(GL_COPY_READ_BUFFER, counting(16));
    makeBuffer(GL_COPY_WRITE_BUFFER, std::vector<uint8_t>(8, 0xAA));
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 3, 2, 5);
    CHECK(contents(GL_COPY_WRITE_BUFFER) == std::vector<uint8_t>{0xAA, 0xAA, 3, 4, 5, 6, 7, 0xAA});
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, 8, 8);
    std::vector<uint8_t> twice = counting(8);
    twice.insert(twice.end(), twice.begin(), twice.begin() + 8);
    CHECK(contents(GL_COPY_READ_BUFFER) == twice);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 16, 8, 0);  // nothing, at the ends
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a copy takes its turn among draws and packed pixels") {
    TestContext context(kEs3);
    const GLuint pixels = makeBuffer(GL_PIXEL_PACK_BUFFER, std::vector<uint8_t>(16 * 16 * 4, 0));
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    makeBuffer(GL_COPY_WRITE_BUFFER, std::vector<uint8_t>(8, 9));
    glBindBuffer(GL_COPY_READ_BUFFER, pixels);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 16 * 16 * 4 - 4, 1, 4);
    CHECK(contents(GL_COPY_WRITE_BUFFER) == std::vector<uint8_t>{9, 255, 0, 255, 255, 9, 9, 9});
}

TEST_CASE("errors of copies") {
    TestContext context(kEs3);
    makeBuffer(GL_COPY_READ_BUFFER, counting(16));
    const auto copy = [](GLenum from, GLenum to, GLintptr read, GLintptr write, GLsizeiptr size) {
        glCopyBufferSubData(from, to, read, write, size);
        return glGetError();
    };
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 1) == GL_INVALID_OPERATION);
    makeBuffer(GL_COPY_WRITE_BUFFER, counting(8));
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, -1, 0, 1) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, -1, 1) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 9, 0, 8) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 1, 8) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, 7, 8) == GL_INVALID_VALUE);  // they overlap
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 8, 1, 8) == GL_INVALID_VALUE);  // from either side
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, 8, 8) == GL_NO_ERROR);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 8, 0, 8) == GL_NO_ERROR);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_FRONT, 0, 8, 8) == GL_INVALID_ENUM);
    (void)glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, 1, GL_MAP_WRITE_BIT);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 1) == GL_INVALID_OPERATION);
    CHECK(copy(GL_COPY_WRITE_BUFFER, GL_COPY_READ_BUFFER, 0, 0, 1) == GL_INVALID_OPERATION);
}

TEST_CASE("every usage of OpenGL ES 3.0 is taken, in 2.0 three") {
    const GLenum usages[] = {GL_STREAM_DRAW, GL_STREAM_READ,  GL_STREAM_COPY,  GL_STATIC_DRAW, GL_STATIC_READ,
                             GL_STATIC_COPY, GL_DYNAMIC_DRAW, GL_DYNAMIC_READ, GL_DYNAMIC_COPY};
    for (const bool es3 : {true, false}) {
        TestContext context({.version = es3 ? 3 : 2});
        for (const GLenum usage : usages) {
            makeBuffer(GL_ARRAY_BUFFER, counting(4), usage);
            const bool isDraw = usage == GL_STREAM_DRAW || usage == GL_STATIC_DRAW || usage == GL_DYNAMIC_DRAW;
            CHECK(glGetError() == (es3 || isDraw ? GL_NO_ERROR : GL_INVALID_ENUM));
        }
    }
}

TEST_CASE("a mapping tells where it is and what for") {
    TestContext context(kEs3);
    makeBuffer(GL_ARRAY_BUFFER, counting(16));
    const auto told = [](GLenum name) {
        GLint value = -1;
        GLint64 wide = -2;
        glGetBufferParameteriv(GL_ARRAY_BUFFER, name, &value);
        glGetBufferParameteri64v(GL_ARRAY_BUFFER, name, &wide);
        CHECK(value == wide);
        return value;
    };
    CHECK(told(GL_BUFFER_MAPPED) == GL_FALSE);
    CHECK(told(GL_BUFFER_ACCESS_FLAGS) == 0);
    CHECK(told(GL_BUFFER_MAP_LENGTH) == 0);
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT;
    void* const pointer = glMapBufferRange(GL_ARRAY_BUFFER, 4, 8, flags);
    CHECK(told(GL_BUFFER_MAPPED) == GL_TRUE);
    CHECK(told(GL_BUFFER_ACCESS_FLAGS) == static_cast<GLint>(flags));
    CHECK(told(GL_BUFFER_MAP_OFFSET) == 4);
    CHECK(told(GL_BUFFER_MAP_LENGTH) == 8);
    CHECK(told(GL_BUFFER_SIZE) == 16);
    void* asked = nullptr;
    glGetBufferPointerv(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER, &asked);
    CHECK(asked == pointer);
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 8);
    CHECK(glUnmapBuffer(GL_ARRAY_BUFFER) == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("who invalidates a range keeps what is beside it, also while draws have the buffer") {
    TestContext context(kEs3);
    (void)useProgram(kPassVertex, kColorFragment);
    makeBuffer(GL_ARRAY_BUFFER, counting(16));
    glVertexAttribPointer(0, 4, GL_UNSIGNED_BYTE, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    for (int i = 0; i < 2; ++i) {
        CAPTURE(i);
        auto* const range = static_cast<uint8_t*>(
            glMapBufferRange(GL_ARRAY_BUFFER, 4, 4, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT));
        REQUIRE(range != nullptr);
        std::fill_n(range, 4, uint8_t{99});
        CHECK(glUnmapBuffer(GL_ARRAY_BUFFER) == GL_TRUE);
        CHECK(contents(GL_ARRAY_BUFFER) ==
              std::vector<uint8_t>{0, 1, 2, 3, 99, 99, 99, 99, 8, 9, 10, 11, 12, 13, 14, 15});
        glDrawArrays(GL_POINTS, 0, 4);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("targets for copies are of OpenGL ES 3.0, and a deleted buffer leaves them") {
    {
        TestContext context;
        glBindBuffer(GL_COPY_READ_BUFFER, 1);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    TestContext context(kEs3);
    const GLuint buffer = makeBuffer(GL_COPY_READ_BUFFER, counting(4));
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    CHECK(getInt(GL_COPY_READ_BUFFER_BINDING) == static_cast<GLint>(buffer));
    glDeleteBuffers(1, &buffer);
    CHECK(getInt(GL_COPY_READ_BUFFER_BINDING) == 0);
    CHECK(getInt(GL_COPY_WRITE_BUFFER_BINDING) == 0);
}

TEST_CASE("indexed bindings are told by target and index") {
    TestContext context(kEs3);
    const GLuint first = makeBuffer(GL_UNIFORM_BUFFER, counting(64)),
                 second = makeBuffer(GL_ARRAY_BUFFER, counting(64));
    CHECK(getInt(GL_UNIFORM_BUFFER_BINDING) == static_cast<GLint>(first));
    glBindBufferRange(GL_UNIFORM_BUFFER, 3, second, 16, 20);
    CHECK(getInt(GL_UNIFORM_BUFFER_BINDING) == static_cast<GLint>(second));
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, first);
    struct Told {
        GLenum name;
        GLuint index;
        GLint64 value;
    };
    for (const Told& told : {Told{GL_UNIFORM_BUFFER_BINDING, 3, second},
                             {GL_UNIFORM_BUFFER_START, 3, 16},
                             {GL_UNIFORM_BUFFER_SIZE, 3, 20},
                             {GL_UNIFORM_BUFFER_BINDING, 2, first},
                             {GL_UNIFORM_BUFFER_START, 2, 0},
                             {GL_UNIFORM_BUFFER_SIZE, 2, 0},
                             {GL_UNIFORM_BUFFER_BINDING, 4, 0}}) {
        GLint value = -1;
        GLint64 wide = -1;
        glGetIntegeri_v(told.name, told.index, &value);
        glGetInteger64i_v(told.name, told.index, &wide);
        CHECK(value == told.value);
        CHECK(wide == told.value);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
