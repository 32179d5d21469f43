// Extensions of vertex data: mapped buffers, instances, half floats; and draws that are too large.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <future>
#include <utility>
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"
#include "tests/gles/held_up.h"

using namespace tessera::gles_test;

namespace {

GLuint bindBuffer(GLenum target, GLsizeiptr size, const void* data) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, size, data, GL_DYNAMIC_DRAW);
    return name;
}

GLuint usePlainProgram() {
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, 1);
    return program;
}

const uint32_t* mapped(GLenum target, GLsizeiptr size) {
    return static_cast<const uint32_t*>(glMapBufferRangeEXT(target, 0, size, GL_MAP_READ_BIT_EXT));
}

GLint bufferParameter(GLenum pname) {
    GLint value = -1;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, pname, &value);
    return value;
}

}  // namespace

TEST_CASE("OES_mapbuffer: writes reach later draws, not earlier ones") {
    TestContext context(kLarge);
    usePlainProgram();
    bindBuffer(GL_ARRAY_BUFFER, sizeof kQuad, kQuad);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, 16, 32);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);

    auto* values = static_cast<GLfloat*>(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES));
    REQUIRE(values);
    CHECK(std::equal(std::begin(kQuad), std::end(kQuad), values));
    CHECK(bufferParameter(GL_BUFFER_MAPPED_OES) == GL_TRUE);
    CHECK(bufferParameter(GL_BUFFER_ACCESS_OES) == GL_WRITE_ONLY_OES);
    void* pointer = nullptr;
    glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, &pointer);
    CHECK(pointer == values);
    std::fill_n(values, 8, 0.0f);  // nothing to see
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 4, kQuad);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_TRUE);
    CHECK(bufferParameter(GL_BUFFER_MAPPED_OES) == GL_FALSE);
    glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, &pointer);
    CHECK(pointer == nullptr);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_FALSE);
    CHECK(glGetError() == GL_INVALID_OPERATION);

    glViewport(16, 0, 16, 32);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(8, 16) == 0xFFFFFFFFu);
    CHECK(packedPixelAt(24, 16) == 0u);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("OES_mapbuffer: errors, and what ends a mapping") {
    TestContext context(kLarge);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint name = bindBuffer(GL_ARRAY_BUFFER, 16, nullptr);
    CHECK(glMapBufferOES(GL_TEXTURE_2D, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, 0x88B8) == nullptr);  // GL_READ_ONLY
    CHECK(glGetError() == GL_INVALID_ENUM);
    void* pointer = nullptr;
    glGetBufferPointervOES(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &pointer);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) != nullptr);
    glBufferData(GL_ARRAY_BUFFER, 8, nullptr, GL_STATIC_DRAW);
    CHECK(bufferParameter(GL_BUFFER_MAPPED_OES) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
    glBufferData(GL_ARRAY_BUFFER, 0, nullptr, GL_STATIC_DRAW);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    glBufferData(GL_ARRAY_BUFFER, 8, nullptr, GL_STATIC_DRAW);
    CHECK(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) != nullptr);
    glDeleteBuffers(1, &name);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_FALSE);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("EXT_map_buffer_range: the range, flushes, errors") {
    TestContext context(kLarge);
    const uint8_t bytes[] = {0, 1, 2, 3, 4, 5, 6, 7};
    bindBuffer(GL_ARRAY_BUFFER, sizeof bytes, bytes);
    auto* range = static_cast<uint8_t*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 2, 4, GL_MAP_READ_BIT_EXT));
    REQUIRE(range);
    CHECK(range[0] == 2);
    CHECK(range[3] == 5);
    glFlushMappedBufferRangeEXT(GL_ARRAY_BUFFER, 0, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_TRUE);

    constexpr GLbitfield kFlush = GL_MAP_WRITE_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT;
    range = static_cast<uint8_t*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 4, 4, kFlush));
    REQUIRE(range);
    range[1] = 99;
    glFlushMappedBufferRangeEXT(GL_ARRAY_BUFFER, 1, 3);
    CHECK(glGetError() == GL_NO_ERROR);
    glFlushMappedBufferRangeEXT(GL_ARRAY_BUFFER, 1, 4);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glFlushMappedBufferRangeEXT(GL_ARRAY_BUFFER, -1, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 0, 1, GL_MAP_READ_BIT_EXT) == nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_TRUE);
    range = static_cast<uint8_t*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 5, 1, GL_MAP_READ_BIT_EXT));
    REQUIRE(range);
    CHECK(*range == 99);
    glUnmapBufferOES(GL_ARRAY_BUFFER);

    const struct {
        GLintptr offset;
        GLsizeiptr length;
        GLbitfield access;
        GLenum error;
    } kWrong[] = {
        {-1, 1, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {0, -1, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {7, 2, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {INTPTR_MAX, INTPTR_MAX, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {0, 1, GL_MAP_READ_BIT_EXT | 0x40, GL_INVALID_VALUE},
        {0, 0, GL_MAP_READ_BIT_EXT, GL_INVALID_OPERATION},
        {0, 1, 0, GL_INVALID_OPERATION},
        {0, 1, GL_MAP_READ_BIT_EXT | GL_MAP_INVALIDATE_RANGE_BIT_EXT, GL_INVALID_OPERATION},
        {0, 1, GL_MAP_READ_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT, GL_INVALID_OPERATION},
        {0, 1, GL_MAP_READ_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT, GL_INVALID_OPERATION},
        {0, 1, GL_MAP_READ_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT, GL_INVALID_OPERATION},
    };
    for (const auto& one : kWrong) {
        CHECK(glMapBufferRangeEXT(GL_ARRAY_BUFFER, one.offset, one.length, one.access) == nullptr);
        CHECK(glGetError() == one.error);
    }
}

TEST_CASE("instanced arrays: attributes step by instance, from buffers and from client memory") {
    TestContext context(kLarge);
    GLuint program = makeProgram(R"(
attribute vec2 position;
attribute float column;
attribute vec4 tint;
varying vec4 color;
void main() {
    color = tint;
    gl_Position = vec4((position.x * 0.5 + 0.5 + column) * 0.5 - 1.0, position.y, 0.0, 1.0);
}
)",
                                 R"(
precision mediump float;
varying vec4 color;
void main() { gl_FragColor = color; }
)");
    glUseProgram(program);
    auto location = [&](const char* name) { return static_cast<GLuint>(glGetAttribLocation(program, name)); };
    const GLuint position = location("position"), column = location("column"), tint = location("tint");
    const GLfloat columns[] = {0, 1, 2, 3};
    const GLubyte tints[] = {255, 0, 0, 255, 0, 255, 0, 255};
    glVertexAttribPointer(position, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glVertexAttribPointer(column, 1, GL_FLOAT, GL_FALSE, 0, columns);
    GLuint buffer = bindBuffer(GL_ARRAY_BUFFER, sizeof tints, tints);
    glVertexAttribPointer(tint, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    for (GLuint one : {position, column, tint}) glEnableVertexAttribArray(one);
    glVertexAttribDivisorEXT(column, 1);
    glVertexAttribDivisorANGLE(tint, 2);
    GLint divisor = 0;
    glGetVertexAttribiv(tint, GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT, &divisor);
    CHECK(divisor == 2);

    auto check = [&] {
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(packedPixelAt(4, 4) == 0xFF0000FFu);
        CHECK(packedPixelAt(12, 4) == 0xFF0000FFu);
        CHECK(packedPixelAt(20, 4) == 0xFF00FF00u);
        CHECK(packedPixelAt(28, 4) == 0xFF00FF00u);
        glClear(GL_COLOR_BUFFER_BIT);
    };
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, 4);
    check();
    glDrawArraysInstancedANGLE(GL_TRIANGLE_STRIP, 0, 4, 4);
    check();
    const GLubyte indices[] = {0, 1, 2, 2, 1, 3};
    glDrawElementsInstancedEXT(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, indices, 4);
    check();
    glDrawElementsInstancedANGLE(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, indices, 4);
    check();
    // Without instances there is one, of number 0.
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(4, 4) == 0xFF0000FFu);
    CHECK(packedPixelAt(12, 4) == 0u);
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, 0);
    CHECK(glGetError() == GL_NO_ERROR);

    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDrawArraysInstancedANGLE(7, 0, 4, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glDrawElementsInstancedEXT(GL_TRIANGLES, -1, GL_UNSIGNED_BYTE, indices, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDrawElementsInstancedANGLE(GL_TRIANGLES, 3, GL_FLOAT, indices, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glVertexAttribDivisorEXT(16, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // ANGLE wants one array that is not instanced; EXT does not.
    glVertexAttribDivisorEXT(position, 1);
    glDrawArraysInstancedANGLE(GL_TRIANGLE_STRIP, 0, 4, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, 1);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteBuffers(1, &buffer);
}

// ANGLE_instanced_arrays, changes to section 2.8: of an array with a divisor, instance i has element floor(i /
// divisor). The last element that is read begins before all its instances have been drawn.
TEST_CASE("client arrays with a divisor are read to the last instance's element") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(
        "attribute vec4 position; attribute float column, shade; varying float v;\n"
        "void main() { v = shade; gl_Position = vec4((position.x * 0.5 + 0.5 + column) * 0.25 - 1.0, position.y, 0, "
        "1); }",
        "precision mediump float; varying float v; void main() { gl_FragColor = vec4(v, 0, 0, 1); }");
    glUseProgram(program);
    const auto location = [&](const char* name) { return static_cast<GLuint>(glGetAttribLocation(program, name)); };
    const GLfloat columns[] = {0, 1, 2, 3, 4, 5, 6, 7};
    const GLubyte shades[] = {10, 20, 30, 40, 50, 60, 70, 80};
    glVertexAttribPointer(location("position"), 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glVertexAttribPointer(location("column"), 1, GL_FLOAT, GL_FALSE, 0, columns);
    glVertexAttribPointer(location("shade"), 1, GL_UNSIGNED_BYTE, GL_TRUE, 0, shades);
    for (const char* name : {"position", "column", "shade"}) glEnableVertexAttribArray(location(name));
    glVertexAttribDivisorEXT(location("column"), 1);
    for (GLuint divisor = 1; divisor <= 4; ++divisor) {
        glVertexAttribDivisorEXT(location("shade"), divisor);
        for (GLsizei instances = 1; instances <= 8; ++instances) {
            CAPTURE(divisor);
            CAPTURE(instances);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, instances);
            for (GLsizei i = 0; i < instances; ++i)
                CHECK(pixelAt(i * 4 + 2, 4)[0] == shades[static_cast<GLuint>(i) / divisor]);
        }
    }
}

TEST_CASE("OES_vertex_half_float") {
    TestContext context(kLarge);
    usePlainProgram();
    // -1, -1, 1, -1, -1, 0.5 and 1, 0.5: the lower three quarters.
    const uint16_t halves[] = {0xBC00, 0xBC00, 0x3C00, 0xBC00, 0xBC00, 0x3800, 0x3C00, 0x3800};
    glVertexAttribPointer(0, 2, GL_HALF_FLOAT_OES, GL_FALSE, 0, halves);
    CHECK(glGetError() == GL_NO_ERROR);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(31, 23) == 0xFFFFFFFFu);
    CHECK(packedPixelAt(31, 24) == 0u);
}

TEST_CASE("absurd counts end soon: equal vertices are left out, the rest is out of memory") {
    TestContext context(kLarge);
    usePlainProgram();
    const auto start = std::chrono::steady_clock::now();
    glDisableVertexAttribArray(0);
    for (GLenum mode = GL_LINES; mode <= GL_TRIANGLE_FAN; ++mode) {
        glDrawArrays(mode, 0, INT32_MAX);
        glDrawArrays(mode, INT32_MAX, INT32_MAX);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    glDrawArrays(GL_POINTS, 0, INT32_MAX);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    glDrawArraysInstancedEXT(GL_TRIANGLES, 0, 3, INT32_MAX);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);

    // An array of instances has no vertices, wherever it is.
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    glVertexAttribDivisorEXT(0, 1);
    glDrawArraysInstancedEXT(GL_TRIANGLES, 0, INT32_MAX, 2);
    CHECK(glGetError() == GL_NO_ERROR);
    glVertexAttribDivisorEXT(0, 0);

    // What lies inside the buffer is drawn, as if the count ended there.
    bindBuffer(GL_ARRAY_BUFFER, sizeof kQuad, kQuad);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, INT32_MAX);
    CHECK(packedPixelAt(1, 1) == 0xFFFFFFFFu);
    CHECK(packedPixelAt(30, 30) == 0xFFFFFFFFu);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLushort indices[] = {0, 1, 2, 2, 1, 3};
    bindBuffer(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices);
    glDrawElements(GL_TRIANGLES, INT32_MAX, GL_UNSIGNED_SHORT, nullptr);
    CHECK(packedPixelAt(30, 30) == 0xFFFFFFFFu);
    CHECK(glGetError() == GL_NO_ERROR);
    glDrawElements(GL_POINTS, INT32_MAX, GL_UNSIGNED_SHORT, nullptr);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
}

TEST_CASE("cutting the count leaves every primitive that has an area") {
    // A line loop and a fan whose last vertices lie beyond the buffer, at (0, 0): drawn as with a buffer of zeros.
    TestContext context(kLarge);
    usePlainProgram();
    GLfloat padded[2 * 64] = {-0.9f, -0.9f, 0.9f, -0.9f, 0.9f, 0.9f};
    glEnableVertexAttribArray(0);
    for (GLenum mode : {GL_LINE_LOOP, GL_LINE_STRIP, GL_TRIANGLE_FAN, GL_TRIANGLE_STRIP, GL_TRIANGLES, GL_LINES}) {
        CAPTURE(mode);
        uint32_t pixels[2][kLarge.width * kLarge.width];
        for (int isShort = 0; isShort < 2; ++isShort) {
            bindBuffer(GL_ARRAY_BUFFER, isShort ? 6 * 4 : sizeof padded, padded);
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawArrays(mode, 0, 60);
            glReadPixels(0, 0, kLarge.width, kLarge.width, GL_RGBA, GL_UNSIGNED_BYTE, pixels[isShort]);
        }
        CHECK(std::memcmp(pixels[0], pixels[1], sizeof pixels[0]) == 0);
    }
}

TEST_CASE("half float attributes are given by either name of the type") {
    TestContext context(kLarge);
    usePlainProgram();
    constexpr GLushort kOne = 0x3C00, kMinusOne = 0xBC00;
    const GLushort quad[] = {kMinusOne, kMinusOne, kOne, kMinusOne, kMinusOne, kOne, kOne, kOne};
    for (GLenum type : {GLenum{GL_HALF_FLOAT_OES}, GLenum{GL_HALF_FLOAT}}) {
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexAttribPointer(0, 2, type, GL_FALSE, 0, quad);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        CHECK(packedPixelAt(31, 31) == 0xFFFFFFFFu);
        GLint given = 0;
        glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_TYPE, &given);
        CHECK(given == static_cast<GLint>(type));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("NV_pixel_buffer_object: pixels come out of a buffer and go into one") {
    TestContext context(kLarge);
    std::array<uint32_t, 20> pixels{};
    for (uint32_t i = 0; i < 20; ++i) pixels[i] = 0xFF000000u | i * 10;
    const GLuint unpack = bindBuffer(GL_PIXEL_UNPACK_BUFFER_NV, sizeof pixels, pixels.data());
    CHECK(getInt(GL_PIXEL_UNPACK_BUFFER_BINDING_NV) == static_cast<GLint>(unpack));
    CHECK(getInt(GL_PIXEL_PACK_BUFFER_BINDING_NV) == 0);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const auto offset = [](uintptr_t bytes) { return reinterpret_cast<void*>(bytes); };
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, offset(4 * 4));
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(packedPixelAt(0, 0) == pixels[4]);
    CHECK(packedPixelAt(3, 3) == pixels[19]);
    // A null pointer is the beginning of the buffer. What is written to the buffer later changes nothing.
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 2, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const uint32_t other = 0x12345678;
    glBufferSubData(GL_PIXEL_UNPACK_BUFFER_NV, 0, 4, &other);
    CHECK(packedPixelAt(1, 1) == pixels[0]);
    CHECK(packedPixelAt(2, 1) == pixels[1]);
    CHECK(glGetError() == GL_NO_ERROR);

    const GLuint pack = bindBuffer(GL_PIXEL_PACK_BUFFER_NV, 80, nullptr);
    CHECK(getInt(GL_PIXEL_PACK_BUFFER_BINDING_NV) == static_cast<GLint>(pack));
    glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, offset(16));
    const auto* read =
        static_cast<const uint32_t*>(glMapBufferRangeEXT(GL_PIXEL_PACK_BUFFER_NV, 0, 80, GL_MAP_READ_BIT_EXT));
    REQUIRE(read);
    CHECK(read[3] == 0u);
    CHECK(read[4] == pixels[4]);
    CHECK(read[4 + 5] == pixels[0]);
    CHECK(read[19] == pixels[19]);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // mapped
    glUnmapBufferOES(GL_PIXEL_PACK_BUFFER_NV);
    glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, offset(17));
    CHECK(glGetError() == GL_INVALID_OPERATION);  // one byte too many
    glReadnPixelsEXT(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, 63, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, offset(~uintptr_t{3}));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindBuffer(GL_ARRAY_BUFFER, pack);  // one buffer, any binding
    GLint size = 0;
    glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 80);
    glDeleteBuffers(1, &pack);
    CHECK(getInt(GL_PIXEL_PACK_BUFFER_BINDING_NV) == 0);

    // Unpacking: too far, too little, not aligned to the type, mapped.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, offset(17));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, offset(3));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, offset(1000));
    CHECK(glGetError() == GL_NO_ERROR);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 0x7FFFFFFF);
    glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 0x7FFFFFFF);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_FLOAT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 0);
    glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, 2, 2, 6, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_RGBA, 2, 2, 5, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_NO_ERROR);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, 8, offset(73));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 4, 4, 0, 8, offset(71));
    CHECK(glGetError() == GL_NO_ERROR);
    REQUIRE(glMapBufferOES(GL_PIXEL_UNPACK_BUFFER_NV, GL_WRITE_ONLY_OES));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("a block of packed pixels has what the GPU is still to write") {
    TestContext context(kEs3);
    const GLuint program = useProgram(
        "#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
        "#version 300 es\nprecision highp float; layout(std140) uniform Words { highp uvec4 word; }; out vec4 color;"
        " void main() { color = word.x == 0xFF00FF00u ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); }");
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Words"), 0);
    const GLuint buffer = bindBuffer(GL_UNIFORM_BUFFER, 16, nullptr);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    HeldUp gpu(context);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glReadPixels(0, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    [[maybe_unused]] const auto release = std::async(std::launch::async, [&gpu] { gpu.release(); });
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("packed pixels are waited for by who maps or unpacks them, and by nobody else") {
    TestContext context(kLarge);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLuint pack = bindBuffer(GL_PIXEL_PACK_BUFFER_NV, 64, nullptr);
    for (const bool isMapped : {true, false}) {
        HeldUp gpu(context);
        glReadPixels(0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        // Later bytes are in order with the pixels, whatever part of them it is.
        const uint32_t part[2] = {1, 2}, again = 3;
        glBufferSubData(GL_PIXEL_PACK_BUFFER_NV, 4, 8, part);
        glBufferSubData(GL_PIXEL_PACK_BUFFER_NV, 8, 4, &again);
        CHECK(glGetError() == GL_NO_ERROR);
        [[maybe_unused]] const auto release = std::async(std::launch::async, [&gpu] { gpu.release(); });
        if (isMapped) {
            const uint32_t* read = mapped(GL_PIXEL_PACK_BUFFER_NV, 64);
            REQUIRE(read);
            CHECK(read[0] == 0xFF0000FFu);
            CHECK(read[1] == 1u);
            CHECK(read[2] == 3u);
            CHECK(read[15] == 0xFF0000FFu);
            glUnmapBufferOES(GL_PIXEL_PACK_BUFFER_NV);
            continue;
        }
        GLuint texture = 0, framebuffer = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER_NV, pack);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindBuffer(GL_PIXEL_PACK_BUFFER_NV, 0);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        CHECK(packedPixelAt(0, 0) == 0xFF0000FFu);
        CHECK(packedPixelAt(2, 0) == 3u);
        CHECK(packedPixelAt(3, 3) == 0xFF0000FFu);
    }
}

TEST_CASE("pixels are packed into a buffer between the draws that read it, and data that is new is another version") {
    TestContext context(kLarge);
    glDisable(GL_DITHER);
    const GLuint program = makeProgram(
        "attribute vec4 position; attribute vec4 tint; varying vec4 color;"
        "void main() { gl_Position = position; color = tint; }",
        "precision mediump float; varying vec4 color;"
        "void main() { gl_FragColor = color; }");
    glUseProgram(program);
    bindBuffer(GL_ARRAY_BUFFER, sizeof kQuad, kQuad);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    const std::array<uint32_t, 8> green = {0xFF00FF00u, 0xFF00FF00u, 0xFF00FF00u, 0xFF00FF00u};
    const GLuint colors = bindBuffer(GL_ARRAY_BUFFER, sizeof green, green.data());
    const auto tint = static_cast<GLuint>(glGetAttribLocation(program, "tint"));
    glVertexAttribPointer(tint, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
    glEnableVertexAttribArray(tint);
    glEnable(GL_SCISSOR_TEST);
    const auto strip = [](int number) {
        glScissor(4 * number, 0, 4, 32);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    };
    glClearColor(0, 0, 1, 1);
    glScissor(28, 0, 4, 32);
    glClear(GL_COLOR_BUFFER_BIT);
    strip(0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER_NV, colors);
    glReadPixels(28, 0, 4, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    strip(1);
    // A part of the buffer, while recorded draws read it; then all of it.
    const uint32_t red[4] = {0xFF0000FFu, 0xFF0000FFu, 0xFF0000FFu, 0xFF0000FFu};
    glBufferSubData(GL_ARRAY_BUFFER, 0, 16, red);
    strip(2);
    std::array<uint32_t, 8> white{};
    white.fill(0xFFFFFFFFu);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 32, white.data());
    strip(3);
    // What nobody wants any more is not shown to whoever maps the buffer next.
    for (const GLbitfield invalidate : {GL_MAP_INVALIDATE_BUFFER_BIT_EXT, GL_MAP_INVALIDATE_RANGE_BIT_EXT}) {
        auto* const bytes =
            static_cast<uint32_t*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 0, 32, GL_MAP_WRITE_BIT_EXT | invalidate));
        REQUIRE(bytes);
        for (int i = 0; i < 8; ++i) CHECK((bytes[i] == 0u || bytes[i] == 0xFF00FFFFu));
        std::fill_n(bytes, 4, 0xFF00FFFFu);
        glUnmapBufferOES(GL_ARRAY_BUFFER);
        strip(invalidate == GL_MAP_INVALIDATE_BUFFER_BIT_EXT ? 4 : 5);
    }
    const uint32_t expected[] = {0xFF00FF00u, 0xFFFF0000u, 0xFF0000FFu, 0xFFFFFFFFu, 0xFF00FFFFu, 0xFF00FFFFu};
    glBindBuffer(GL_PIXEL_PACK_BUFFER_NV, 0);
    for (int i = 0; i < 6; ++i) {
        CAPTURE(i);
        CHECK(packedPixelAt(4 * i + 1, 5) == expected[i]);
        CHECK(packedPixelAt(4 * i + 2, 30) == expected[i]);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("parts of a large buffer are written between draws without a copy of it, unless it was read") {
    constexpr size_t kBytes = size_t{256} << 10;
    TestContext context(kLarge);
    tessera::gles::Context& c = *context.context();
    usePlainProgram();
    const std::vector<std::byte> zeros(kBytes);
    bindBuffer(GL_ARRAY_BUFFER, kBytes, zeros.data());
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    const auto writeSquare = [](float left) {
        const GLfloat square[] = {left, -1, left + 0.5f, -1, left, 1, left + 0.5f, 1};
        glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof square, square);
    };
    HeldUp held(context);
    writeSquare(-1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    const auto* const vertices = c.arrayBuffer->data.get();
    writeSquare(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    writeSquare(0.5f);
    CHECK(c.arrayBuffer->data.get() == vertices);

    // Who reads a buffer would have to wait for a command that writes it.
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER_NV, bindBuffer(GL_ELEMENT_ARRAY_BUFFER, kBytes, zeros.data()));
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER_NV, 0);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
    const auto* const indices = c.vertexArray->elementBuffer->data.get();
    const GLushort corners[] = {0, 1, 2, 2, 1, 3};
    glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof corners, corners);
    CHECK(c.vertexArray->elementBuffer->data.get() != indices);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr);
    held.release();

    CHECK(packedPixelAt(4, 16) == 0xFFFFFFFFu);  // each draw has what was there
    CHECK(packedPixelAt(12, 16) == 0u);
    CHECK(packedPixelAt(20, 16) == 0xFFFFFFFFu);
    CHECK(packedPixelAt(28, 16) == 0xFFFFFFFFu);
    const auto* const values =
        static_cast<const GLfloat*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 0, 8 * sizeof(GLfloat), GL_MAP_READ_BIT_EXT));
    REQUIRE(values);
    CHECK(values[0] == 0.5f);
    glUnmapBufferOES(GL_ARRAY_BUFFER);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_multi_draw_arrays: several draws in one call") {
    TestContext context(kLarge);
    usePlainProgram();
    GLfloat corners[24];  // four pixels in the corners, as strips around them
    for (int i = 0; i < 4; ++i) {
        const GLfloat x = i % 2 == 0 ? -1.0f : 0.75f, y = i < 2 ? -1.0f : 0.75f;
        const GLfloat triangle[] = {x, y, x + 0.5f, y, x, y + 0.5f};
        std::copy_n(triangle, 6, &corners[static_cast<size_t>(i) * 6]);
    }
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    const auto drawn = [] {
        const uint32_t white = 0xFFFFFFFFu;
        const int lit[] = {packedPixelAt(0, 0) == white, packedPixelAt(28, 0) == white, packedPixelAt(0, 28) == white,
                           packedPixelAt(28, 28) == white};
        glClear(GL_COLOR_BUFFER_BIT);
        return lit[0] | lit[1] << 1 | lit[2] << 2 | lit[3] << 3;
    };
    const GLint first[] = {0, 3, -1, 9};
    const GLsizei count[] = {3, 0, -5, 3};  // what has nothing to draw is passed over
    glMultiDrawArraysEXT(GL_TRIANGLES, first, count, 4);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(drawn() == 0b1001);
    const GLubyte low[] = {3, 4, 5}, high[] = {6, 7, 8};
    const void* const indices[] = {low, high};
    const GLsizei three[] = {3, 3};
    glMultiDrawElementsEXT(GL_TRIANGLES, three, GL_UNSIGNED_BYTE, indices, 2);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(drawn() == 0b0110);
    glMultiDrawArraysEXT(GL_TRIANGLES, first, three, 0);
    CHECK(drawn() == 0);
}
