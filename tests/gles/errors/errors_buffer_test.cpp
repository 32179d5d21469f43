// Errors of buffer objects and vertex arrays (sections 2.7 to 2.9, 6.1.3, 6.1.8).
#include <cstdint>

#include "tests/gles/api_test.h"

namespace {

constexpr GLenum kNoEnum = 0x12345;

GLuint bindBuffer(GLenum target, GLsizeiptr size) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, size, nullptr, GL_STATIC_DRAW);
    return buffer;
}

}  // namespace

ERROR_TEST(glGenBuffers, GL_INVALID_VALUE) {
    GLuint names[2] = {7, 7};
    t.error(GL_INVALID_VALUE, [&] { glGenBuffers(-1, names); });
    CHECK(names[0] == 7);
    t.fine([&] { glGenBuffers(0, nullptr); });
    t.fine([&] { glGenBuffers(2, names); });
    CHECK(names[0] != names[1]);
}

ERROR_TEST(glDeleteBuffers, GL_INVALID_VALUE) {
    GLuint name = bindBuffer(GL_ARRAY_BUFFER, 4);
    t.error(GL_INVALID_VALUE, [&] { glDeleteBuffers(-1, &name); });
    CHECK(glIsBuffer(name) == GL_TRUE);
    const GLuint silent[] = {0, 987654, name, name};
    t.fine([&] { glDeleteBuffers(4, silent); });
    CHECK(glIsBuffer(name) == GL_FALSE);
    t.fine([] { glDeleteBuffers(0, nullptr); });
}

ERROR_TEST(glIsBuffer) {
    t.fine([] { CHECK(glIsBuffer(0) == GL_FALSE); });
    t.fine([] { CHECK(glIsBuffer(987654) == GL_FALSE); });
}

ERROR_TEST(glBindBuffer, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glBindBuffer(kNoEnum, 1); });
    t.error(GL_INVALID_ENUM, [] { glBindBuffer(GL_TEXTURE_2D, 0); });
    CHECK(glIsBuffer(1) == GL_FALSE);
    t.fine([] { glBindBuffer(GL_ARRAY_BUFFER, 77); });
    t.fine([] { glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 77); });
    t.fine([] { glBindBuffer(GL_ARRAY_BUFFER, 0); });
}

ERROR_TEST(glBufferData, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION, GL_OUT_OF_MEMORY) {
    t.error(GL_INVALID_OPERATION, [] { glBufferData(GL_ARRAY_BUFFER, 4, nullptr, GL_STATIC_DRAW); });
    t.error(GL_INVALID_OPERATION, [] { glBufferData(GL_ELEMENT_ARRAY_BUFFER, 4, nullptr, GL_STATIC_DRAW); });
    bindBuffer(GL_ARRAY_BUFFER, 8);
    t.error(GL_INVALID_ENUM, [] { glBufferData(kNoEnum, 4, nullptr, GL_STATIC_DRAW); });
    t.error(GL_INVALID_ENUM, [] { glBufferData(GL_ARRAY_BUFFER, 4, nullptr, kNoEnum); });
    t.error(GL_INVALID_VALUE, [] { glBufferData(GL_ARRAY_BUFFER, -1, nullptr, GL_STATIC_DRAW); });
    t.error(GL_OUT_OF_MEMORY, [] { glBufferData(GL_ARRAY_BUFFER, INTPTR_MAX, nullptr, GL_STATIC_DRAW); });
    for (GLenum usage : {GL_STATIC_DRAW, GL_DYNAMIC_DRAW, GL_STREAM_DRAW})
        t.fine([=] { glBufferData(GL_ARRAY_BUFFER, 4, "abc", usage); });
    t.fine([] { glBufferData(GL_ARRAY_BUFFER, 0, nullptr, GL_STATIC_DRAW); });
}

ERROR_TEST(glBufferSubData, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    const char data[8] = {};
    t.error(GL_INVALID_OPERATION, [&] { glBufferSubData(GL_ARRAY_BUFFER, 0, 4, data); });
    bindBuffer(GL_ARRAY_BUFFER, 8);
    t.error(GL_INVALID_ENUM, [&] { glBufferSubData(kNoEnum, 0, 4, data); });
    t.error(GL_INVALID_VALUE, [&] { glBufferSubData(GL_ARRAY_BUFFER, -1, 4, data); });
    t.error(GL_INVALID_VALUE, [&] { glBufferSubData(GL_ARRAY_BUFFER, 0, -1, data); });
    t.error(GL_INVALID_VALUE, [&] { glBufferSubData(GL_ARRAY_BUFFER, 5, 4, data); });
    t.error(GL_INVALID_VALUE, [&] { glBufferSubData(GL_ARRAY_BUFFER, 9, 0, data); });
    t.error(GL_INVALID_VALUE, [&] { glBufferSubData(GL_ARRAY_BUFFER, INTPTR_MAX, INTPTR_MAX, data); });
    t.fine([&] { glBufferSubData(GL_ARRAY_BUFFER, 4, 4, data); });
    t.fine([&] { glBufferSubData(GL_ARRAY_BUFFER, 8, 0, data); });
}

ERROR_TEST(glGetBufferParameteriv, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    GLint value = 7;
    t.error(GL_INVALID_OPERATION, [&] { glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &value); });
    bindBuffer(GL_ARRAY_BUFFER, 8);
    t.error(GL_INVALID_ENUM, [&] { glGetBufferParameteriv(kNoEnum, GL_BUFFER_SIZE, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetBufferParameteriv(GL_ARRAY_BUFFER, kNoEnum, &value); });
    CHECK(value == 7);
    t.fine([&] { glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &value); });
    CHECK(value == 8);
    t.fine([&] { glGetBufferParameteriv(GL_ARRAY_BUFFER, GL_BUFFER_USAGE, &value); });
    CHECK(value == GL_STATIC_DRAW);
}

ERROR_TEST(glEnableVertexAttribArray, GL_INVALID_VALUE) {
    t.error(GL_INVALID_VALUE, [] { glEnableVertexAttribArray(16); });
    t.error(GL_INVALID_VALUE, [] { glEnableVertexAttribArray(~0u); });
    t.fine([] { glEnableVertexAttribArray(15); });
}

ERROR_TEST(glDisableVertexAttribArray, GL_INVALID_VALUE) {
    t.error(GL_INVALID_VALUE, [] { glDisableVertexAttribArray(16); });
    t.fine([] { glDisableVertexAttribArray(15); });
}

ERROR_TEST(glVertexAttribPointer, GL_INVALID_ENUM, GL_INVALID_VALUE) {
    static const GLfloat data[4] = {};
    t.error(GL_INVALID_VALUE, [] { glVertexAttribPointer(16, 4, GL_FLOAT, GL_FALSE, 0, data); });
    for (GLint size : {0, 5, -1})
        t.error(GL_INVALID_VALUE, [=] { glVertexAttribPointer(0, size, GL_FLOAT, GL_FALSE, 0, data); });
    t.error(GL_INVALID_VALUE, [] { glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, -1, data); });
    // Table 2.4 has neither 32-bit integers nor doubles.
    for (GLenum type : {kNoEnum, GLenum{GL_INT}, GLenum{GL_UNSIGNED_INT}, GLenum{0x140A}})
        t.error(GL_INVALID_ENUM, [=] { glVertexAttribPointer(0, 4, type, GL_FALSE, 0, data); });
    for (GLenum type : {GL_BYTE, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_FIXED, GL_FLOAT})
        t.fine([=] { glVertexAttribPointer(15, 3, type, GL_TRUE, 100, data); });
    t.fine([] { glVertexAttribPointer(0, 1, GL_FLOAT, GL_FALSE, 0, nullptr); });
}

ERROR_TEST(glGetVertexAttribfv, GL_INVALID_ENUM, GL_INVALID_VALUE) {
    GLfloat value[4] = {7, 7, 7, 7};
    t.error(GL_INVALID_VALUE, [&] { glGetVertexAttribfv(16, GL_CURRENT_VERTEX_ATTRIB, value); });
    t.error(GL_INVALID_ENUM, [&] { glGetVertexAttribfv(0, kNoEnum, value); });
    t.error(GL_INVALID_ENUM, [&] { glGetVertexAttribfv(0, GL_VERTEX_ATTRIB_ARRAY_POINTER, value); });
    CHECK(value[0] == 7);
    t.fine([&] { glGetVertexAttribfv(0, GL_CURRENT_VERTEX_ATTRIB, value); });
}

ERROR_TEST(glGetVertexAttribiv, GL_INVALID_ENUM, GL_INVALID_VALUE) {
    GLint value[4] = {7, 7, 7, 7};
    t.error(GL_INVALID_VALUE, [&] { glGetVertexAttribiv(16, GL_CURRENT_VERTEX_ATTRIB, value); });
    t.error(GL_INVALID_ENUM, [&] { glGetVertexAttribiv(0, kNoEnum, value); });
    CHECK(value[0] == 7);
    t.fine([&] { glGetVertexAttribiv(15, GL_VERTEX_ATTRIB_ARRAY_SIZE, value); });
}

ERROR_TEST(glGetVertexAttribPointerv, GL_INVALID_ENUM, GL_INVALID_VALUE) {
    void* pointer = &t;
    t.error(GL_INVALID_VALUE, [&] { glGetVertexAttribPointerv(16, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer); });
    t.error(GL_INVALID_ENUM, [&] { glGetVertexAttribPointerv(0, kNoEnum, &pointer); });
    t.error(GL_INVALID_ENUM, [&] { glGetVertexAttribPointerv(0, GL_VERTEX_ATTRIB_ARRAY_SIZE, &pointer); });
    CHECK(pointer == &t);
    t.fine([&] { glGetVertexAttribPointerv(0, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer); });
    CHECK(pointer == nullptr);
}

namespace {

const GLfloat kValues[4] = {1, 2, 3, 4};

template <class Call>
void currentAttribute(tessera::gles_test::ErrorTest& t, Call call) {
    t.error(GL_INVALID_VALUE, [=] { call(16); });
    t.error(GL_INVALID_VALUE, [=] { call(~0u); });
    t.fine([=] { call(0); });
    t.fine([=] { call(15); });
}

}  // namespace

ERROR_TEST(glVertexAttrib1f, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib1f(i, 1); });
}
ERROR_TEST(glVertexAttrib2f, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib2f(i, 1, 2); });
}
ERROR_TEST(glVertexAttrib3f, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib3f(i, 1, 2, 3); });
}
ERROR_TEST(glVertexAttrib4f, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib4f(i, 1, 2, 3, 4); });
}
ERROR_TEST(glVertexAttrib1fv, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib1fv(i, kValues); });
}
ERROR_TEST(glVertexAttrib2fv, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib2fv(i, kValues); });
}
ERROR_TEST(glVertexAttrib3fv, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib3fv(i, kValues); });
}
ERROR_TEST(glVertexAttrib4fv, GL_INVALID_VALUE) {
    currentAttribute(t, [](GLuint i) { glVertexAttrib4fv(i, kValues); });
}
