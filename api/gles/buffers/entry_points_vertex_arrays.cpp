// Entry points of vertex attributes and vertex arrays.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "api/gles/buffers/validation.h"
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;

namespace {

template <class T>
constexpr GLenum kCurrentType = std::is_same_v<T, GLfloat> ? GL_FLOAT
                                : std::is_same_v<T, GLint> ? GL_INT
                                                           : GL_UNSIGNED_INT;

template <class T>
void setCurrent(Context& c, GLuint index, const std::array<T, 4>& value) {
    if (!validate::attribIndex(c, index)) return;
    std::ranges::transform(value, c.currentAttrib[index].begin(), [](T x) { return std::bit_cast<GLfloat>(x); });
    c.currentAttribType[index] = kCurrentType<T>;
}

void setCurrentAttrib(GLuint index, const std::array<GLfloat, 4>& value, const char* call = __builtin_FUNCTION()) {
    enter([&](Context& c) { setCurrent(c, index, value); }, call);
}

/// Integers, which OpenGL ES 3.0 alone has.
template <class T>
void setCurrentIntegers(GLuint index, const std::array<T, 4>& value, const char* call = __builtin_FUNCTION()) {
    enterEs3([&](Context& c) { setCurrent(c, index, value); }, call);
}

/// The n given components; the others 0, 0, 0, 1.
void setCurrentAttribv(GLuint index, int n, const GLfloat* v, const char* call = __builtin_FUNCTION()) {
    if (!v) return;
    std::array<GLfloat, 4> value{0, 0, 0, 1};
    std::copy_n(v, n, value.begin());
    setCurrentAttrib(index, value, call);
}

void setArrayEnabled(GLuint index, bool enabled, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (validate::attribIndex(c, index)) c.vertexArray->attribs[index].enabled = enabled;
        },
        call);
}

constexpr Parameter<AttribArray> kParameters[] = {
    {GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING,
     [](const AttribArray& array) -> int64_t { return array.buffer ? array.buffer->name : 0; }},
    {GL_VERTEX_ATTRIB_ARRAY_ENABLED, [](const AttribArray& array) -> int64_t { return array.enabled; }},
    {GL_VERTEX_ATTRIB_ARRAY_SIZE, [](const AttribArray& array) -> int64_t { return array.size; }},
    {GL_VERTEX_ATTRIB_ARRAY_STRIDE, [](const AttribArray& array) -> int64_t { return array.stride; }},
    {GL_VERTEX_ATTRIB_ARRAY_TYPE, [](const AttribArray& array) -> int64_t { return array.type; }},
    {GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, [](const AttribArray& array) -> int64_t { return array.normalized; }},
    {GL_VERTEX_ATTRIB_ARRAY_DIVISOR, [](const AttribArray& array) -> int64_t { return array.divisor; }},
    {GL_VERTEX_ATTRIB_ARRAY_INTEGER, [](const AttribArray& array) -> int64_t { return array.isInteger; }},
};

/// A component of a current value. What it is as another type than it was set is undefined but for floats as integers.
template <class T>
T currentComponent(const Context& c, GLuint index, size_t i) {
    const GLfloat value = c.currentAttrib[index][i];
    if (c.currentAttribType[index] == kCurrentType<T>) return std::bit_cast<T>(value);
    if (c.currentAttribType[index] == GL_INT) return static_cast<T>(std::bit_cast<GLint>(value));
    if (c.currentAttribType[index] == GL_UNSIGNED_INT) return static_cast<T>(std::bit_cast<GLuint>(value));
    return static_cast<T>(roundToInt(static_cast<double>(value)));
}

template <class T>
void getVertexAttrib(Context& c, GLuint index, GLenum pname, T* params) {
    const auto* parameter = findParameter(kParameters, pname);
    if (pname == GL_VERTEX_ATTRIB_ARRAY_INTEGER && !c.isEs3()) parameter = nullptr;
    const bool isCurrent = pname == GL_CURRENT_VERTEX_ATTRIB;
    if (!validate::getVertexAttrib(c, index, parameter || isCurrent) || !params) return;
    if (!isCurrent) {
        *params = static_cast<T>(parameter->read(c.vertexArray->attribs[index]));
        return;
    }
    for (size_t i = 0; i < 4; ++i) params[i] = currentComponent<T>(c, index, i);
}

/// All of an array but its normalisation and whether it is of integers.
AttribArray& setArray(Context& c, GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    AttribArray& array = c.vertexArray->attribs[index];
    array.size = size;
    array.type = type;
    array.stride = stride;
    array.pointer = pointer;
    array.buffer = c.arrayBuffer;
    return array;
}

}  // namespace

extern "C" {

void GL_APIENTRY glVertexAttrib1f(GLuint index, GLfloat x) { setCurrentAttrib(index, {x, 0, 0, 1}); }
void GL_APIENTRY glVertexAttrib2f(GLuint index, GLfloat x, GLfloat y) { setCurrentAttrib(index, {x, y, 0, 1}); }
void GL_APIENTRY glVertexAttrib3f(GLuint index, GLfloat x, GLfloat y, GLfloat z) {
    setCurrentAttrib(index, {x, y, z, 1});
}
void GL_APIENTRY glVertexAttrib4f(GLuint index, GLfloat x, GLfloat y, GLfloat z, GLfloat w) {
    setCurrentAttrib(index, {x, y, z, w});
}
void GL_APIENTRY glVertexAttrib1fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 1, v); }
void GL_APIENTRY glVertexAttrib2fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 2, v); }
void GL_APIENTRY glVertexAttrib3fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 3, v); }
void GL_APIENTRY glVertexAttrib4fv(GLuint index, const GLfloat* v) { setCurrentAttribv(index, 4, v); }

void GL_APIENTRY glEnableVertexAttribArray(GLuint index) { setArrayEnabled(index, true); }
void GL_APIENTRY glDisableVertexAttribArray(GLuint index) { setArrayEnabled(index, false); }

void GL_APIENTRY glVertexAttribPointer(GLuint index, GLint size, GLenum type, GLboolean normalized, GLsizei stride,
                                       const void* pointer) {
    enter([&](Context& c) {
        if (!validate::vertexAttribPointer(c, index, size, type, stride, pointer)) return;
        AttribArray& array = setArray(c, index, size, type, stride, pointer);
        array.normalized = normalized != GL_FALSE;
        array.isInteger = false;
    });
}

void GL_APIENTRY glGetVertexAttribfv(GLuint index, GLenum pname, GLfloat* params) {
    enter([&](Context& c) { getVertexAttrib(c, index, pname, params); });
}
void GL_APIENTRY glGetVertexAttribiv(GLuint index, GLenum pname, GLint* params) {
    enter([&](Context& c) { getVertexAttrib(c, index, pname, params); });
}

void GL_APIENTRY glGetVertexAttribPointerv(GLuint index, GLenum pname, void** pointer) {
    enter([&](Context& c) {
        if (!validate::attribIndex(c, index)) return;
        if (pname != GL_VERTEX_ATTRIB_ARRAY_POINTER) {
            c.error(GL_INVALID_ENUM);
            return;
        }
        if (pointer) *pointer = const_cast<void*>(c.vertexArray->attribs[index].pointer);
    });
}

// Attributes that are integers

void GL_APIENTRY glVertexAttribI4i(GLuint index, GLint x, GLint y, GLint z, GLint w) {
    setCurrentIntegers<GLint>(index, {x, y, z, w});
}
void GL_APIENTRY glVertexAttribI4ui(GLuint index, GLuint x, GLuint y, GLuint z, GLuint w) {
    setCurrentIntegers<GLuint>(index, {x, y, z, w});
}
void GL_APIENTRY glVertexAttribI4iv(GLuint index, const GLint* v) {
    if (v) setCurrentIntegers<GLint>(index, {v[0], v[1], v[2], v[3]});
}
void GL_APIENTRY glVertexAttribI4uiv(GLuint index, const GLuint* v) {
    if (v) setCurrentIntegers<GLuint>(index, {v[0], v[1], v[2], v[3]});
}

void GL_APIENTRY glVertexAttribIPointer(GLuint index, GLint size, GLenum type, GLsizei stride, const void* pointer) {
    enterEs3([&](Context& c) {
        if (!validate::vertexAttribIPointer(c, index, size, type, stride, pointer)) return;
        AttribArray& array = setArray(c, index, size, type, stride, pointer);
        array.normalized = false;
        array.isInteger = true;
    });
}

void GL_APIENTRY glGetVertexAttribIiv(GLuint index, GLenum pname, GLint* params) {
    enterEs3([&](Context& c) { getVertexAttrib(c, index, pname, params); });
}
void GL_APIENTRY glGetVertexAttribIuiv(GLuint index, GLenum pname, GLuint* params) {
    enterEs3([&](Context& c) { getVertexAttrib(c, index, pname, params); });
}

// Instances (EXT_instanced_arrays, ANGLE_instanced_arrays)

void GL_APIENTRY glVertexAttribDivisor(GLuint index, GLuint divisor) {
    enter([&](Context& c) {
        if (validate::attribIndex(c, index)) c.vertexArray->attribs[index].divisor = divisor;
    });
}
void GL_APIENTRY glVertexAttribDivisorEXT(GLuint index, GLuint divisor) { glVertexAttribDivisor(index, divisor); }

void GL_APIENTRY glVertexAttribDivisorANGLE(GLuint index, GLuint divisor) { glVertexAttribDivisor(index, divisor); }

// Vertex arrays (OES_vertex_array_object)

void GL_APIENTRY glGenVertexArrays(GLsizei n, GLuint* arrays) {
    enter([&](Context& c) { generate(c, c.vertexArrays, n, arrays); });
}
void GL_APIENTRY glGenVertexArraysOES(GLsizei n, GLuint* arrays) { glGenVertexArrays(n, arrays); }

void GL_APIENTRY glDeleteVertexArrays(GLsizei n, const GLuint* arrays) {
    enter([&](Context& c) { erase(c, c.vertexArrays, n, arrays); });
}
void GL_APIENTRY glDeleteVertexArraysOES(GLsizei n, const GLuint* arrays) { glDeleteVertexArrays(n, arrays); }

GLboolean GL_APIENTRY glIsVertexArray(GLuint array) {
    return enterFor(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.vertexArrays, array); });
}
GLboolean GL_APIENTRY glIsVertexArrayOES(GLuint array) { return glIsVertexArray(array); }

void GL_APIENTRY glBindVertexArray(GLuint array) {
    enter([&](Context& c) {
        if (!validate::bindVertexArray(c, array)) return;
        c.vertexArray = array == 0 ? c.defaultVertexArray : c.vertexArrays.findOrMake(array);
    });
}
void GL_APIENTRY glBindVertexArrayOES(GLuint array) { glBindVertexArray(array); }

}  // extern "C"
