// Entry points that set and read uniforms of the current program.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <type_traits>

#include "api/gles/context/entry.h"
#include "api/gles/programs/validation.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;
namespace isa = tessera::isa;

namespace {

/// A location of the active program, or of one by name.
struct Place {
    Place(GLint l) : location(l) {}
    Place(GLuint p, GLint l) : program(p), location(l) {}
    std::optional<GLuint> program;
    GLint location;
};

template <class T>
constexpr isa::Scalar kScalar = std::is_same_v<T, GLfloat> ? isa::Scalar::Float
                                : std::is_same_v<T, GLint> ? isa::Scalar::Int
                                                           : isa::Scalar::UInt;

/// Unsigned numbers came with OpenGL ES 3.0.
template <class T>
bool hasNumbers(Context& c) {
    return !std::is_same_v<T, GLuint> || c.isEs3() || c.error(GL_INVALID_OPERATION);
}

/// Sets `count` elements, column by column, unless the call is wrong.
template <class T>
void write(Context& c, Place place, GLsizei count, int components, int columns, const T* values) {
    if (!hasNumbers<T>(c)) return;
    const GLint* units = nullptr;
    if constexpr (std::is_same_v<T, GLint>) units = values;
    const validate::UniformTarget target =
        validate::uniform(c, {place.program, place.location, count, components, columns, kScalar<T>, units});
    if (!target.executable || !values) return;
    if constexpr (std::is_same_v<T, GLint>)  // texture image units are what draws share, other values are not
        if (target.element.uniform->isSampler()) c.changeDrawState();
    target.executable->set(target.element, count, values);
}

/// The same of matrices that the application has row by row.
void writeTransposed(Context& c, Place place, GLsizei count, int columns, int rows, const GLfloat* values) {
    const validate::UniformTarget target =
        validate::uniform(c, {place.program, place.location, count, rows, columns, isa::Scalar::Float, nullptr});
    if (!target.executable || !values) return;
    Executable::Element element = target.element;
    for (; count > 0 && element.index < element.uniform->elements(); --count, ++element.index) {
        std::array<GLfloat, 16> matrix;
        for (int column = 0; column < columns; ++column)
            for (int row = 0; row < rows; ++row)
                matrix[static_cast<size_t>(column * rows + row)] = values[row * columns + column];
        target.executable->set(element, 1, matrix.data());
        values += columns * rows;
    }
}

/// Components of one vector.
template <class T>
void set(Place place, std::initializer_list<T> values, const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState([&](Context& c) { write(c, place, 1, static_cast<int>(values.size()), 1, values.begin()); },
                          call);
}

/// Vectors from the application's memory.
template <class T>
void set(Place place, GLsizei count, int components, const T* values, const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState(
        [&](Context& c) {
            const MayBeLeft left(c.group().mutex);
            write(c, place, count, components, 1, values);
        },
        call);
}

/// Matrices from there. Those that are not square, and rows, came with OpenGL ES 3.0.
void setMatrices(Place place, GLsizei count, GLboolean transpose, int columns, int rows, const GLfloat* values,
                 const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState(
        [&](Context& c) {
            if (columns != rows && !c.isEs3()) return void(c.error(GL_INVALID_OPERATION));
            if (transpose != GL_FALSE && !c.isEs3()) return void(c.error(GL_INVALID_VALUE));
            const MayBeLeft left(c.group().mutex);
            if (transpose == GL_FALSE)
                write(c, place, count, rows, columns, values);
            else
                writeTransposed(c, place, count, columns, rows, values);
        },
        call);
}

/// A signed number keeps its bits; what is no number gives 0.
GLuint toUint(double value) {
    return value > 0 ? static_cast<GLuint>(std::min(std::floor(value + 0.5), static_cast<double>(UINT32_MAX)))
                     : static_cast<GLuint>(roundToInt(value));
}

constexpr GLsizei kAnySize = INT32_MAX;  ///< the calls without a buffer size

template <class T>
void getUniform(GLuint program, GLint location, GLsizei bufSize, T* params, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            if (!hasNumbers<T>(c)) return;
            std::shared_ptr<Program> object = validate::linkedProgram(c, program);
            if (!object) return;
            Executable::Element element = object->executable->at(location);
            if (!element.uniform) return void(c.error(GL_INVALID_OPERATION));
            tessera::isa::VarType type = element.uniform->variable.type;
            const int n = tessera::isa::columnCount(type) * tessera::isa::componentCount(type);
            if (bufSize < n * static_cast<GLsizei>(sizeof(T))) return void(c.error(GL_INVALID_OPERATION));
            std::array<double, 16> values{};
            object->executable->get(element, values);
            for (int i = 0; i < n && params; ++i) {
                double value = values[static_cast<size_t>(i)];
                if constexpr (std::is_same_v<T, GLint>) params[i] = roundToInt(value);
                if constexpr (std::is_same_v<T, GLuint>) params[i] = toUint(value);
                if constexpr (std::is_same_v<T, GLfloat>) params[i] = static_cast<GLfloat>(value);
            }
        },
        call);
}

}  // namespace

extern "C" {

void GL_APIENTRY glUniform1f(GLint location, GLfloat v0) { set(location, {v0}); }
void GL_APIENTRY glUniform2f(GLint location, GLfloat v0, GLfloat v1) { set(location, {v0, v1}); }
void GL_APIENTRY glUniform3f(GLint location, GLfloat v0, GLfloat v1, GLfloat v2) { set(location, {v0, v1, v2}); }
void GL_APIENTRY glUniform4f(GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3) {
    set(location, {v0, v1, v2, v3});
}
void GL_APIENTRY glUniform1i(GLint location, GLint v0) { set(location, {v0}); }
void GL_APIENTRY glUniform2i(GLint location, GLint v0, GLint v1) { set(location, {v0, v1}); }
void GL_APIENTRY glUniform3i(GLint location, GLint v0, GLint v1, GLint v2) { set(location, {v0, v1, v2}); }
void GL_APIENTRY glUniform4i(GLint location, GLint v0, GLint v1, GLint v2, GLint v3) {
    set(location, {v0, v1, v2, v3});
}

void GL_APIENTRY glUniform1fv(GLint location, GLsizei count, const GLfloat* value) { set(location, count, 1, value); }
void GL_APIENTRY glUniform2fv(GLint location, GLsizei count, const GLfloat* value) { set(location, count, 2, value); }
void GL_APIENTRY glUniform3fv(GLint location, GLsizei count, const GLfloat* value) { set(location, count, 3, value); }
void GL_APIENTRY glUniform4fv(GLint location, GLsizei count, const GLfloat* value) { set(location, count, 4, value); }
void GL_APIENTRY glUniform1iv(GLint location, GLsizei count, const GLint* value) { set(location, count, 1, value); }
void GL_APIENTRY glUniform2iv(GLint location, GLsizei count, const GLint* value) { set(location, count, 2, value); }
void GL_APIENTRY glUniform3iv(GLint location, GLsizei count, const GLint* value) { set(location, count, 3, value); }
void GL_APIENTRY glUniform4iv(GLint location, GLsizei count, const GLint* value) { set(location, count, 4, value); }

void GL_APIENTRY glUniformMatrix2fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 2, 2, value);
}
void GL_APIENTRY glUniformMatrix3fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 3, 3, value);
}
void GL_APIENTRY glUniformMatrix4fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 4, 4, value);
}

void GL_APIENTRY glGetUniformfv(GLuint program, GLint location, GLfloat* params) {
    getUniform(program, location, kAnySize, params);
}
void GL_APIENTRY glGetUniformiv(GLuint program, GLint location, GLint* params) {
    getUniform(program, location, kAnySize, params);
}

// OpenGL ES 3.0

void GL_APIENTRY glUniform1ui(GLint location, GLuint v0) { set(location, {v0}); }
void GL_APIENTRY glUniform2ui(GLint location, GLuint v0, GLuint v1) { set(location, {v0, v1}); }
void GL_APIENTRY glUniform3ui(GLint location, GLuint v0, GLuint v1, GLuint v2) { set(location, {v0, v1, v2}); }
void GL_APIENTRY glUniform4ui(GLint location, GLuint v0, GLuint v1, GLuint v2, GLuint v3) {
    set(location, {v0, v1, v2, v3});
}
void GL_APIENTRY glUniform1uiv(GLint location, GLsizei count, const GLuint* value) { set(location, count, 1, value); }
void GL_APIENTRY glUniform2uiv(GLint location, GLsizei count, const GLuint* value) { set(location, count, 2, value); }
void GL_APIENTRY glUniform3uiv(GLint location, GLsizei count, const GLuint* value) { set(location, count, 3, value); }
void GL_APIENTRY glUniform4uiv(GLint location, GLsizei count, const GLuint* value) { set(location, count, 4, value); }
void GL_APIENTRY glUniformMatrix2x3fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 2, 3, value);
}
void GL_APIENTRY glUniformMatrix3x2fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 3, 2, value);
}
void GL_APIENTRY glUniformMatrix2x4fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 2, 4, value);
}
void GL_APIENTRY glUniformMatrix4x2fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 4, 2, value);
}
void GL_APIENTRY glUniformMatrix3x4fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 3, 4, value);
}
void GL_APIENTRY glUniformMatrix4x3fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setMatrices(location, count, transpose, 4, 3, value);
}
void GL_APIENTRY glGetUniformuiv(GLuint program, GLint location, GLuint* params) {
    getUniform(program, location, kAnySize, params);
}

// EXT_separate_shader_objects

void GL_APIENTRY glProgramUniform1fEXT(GLuint program, GLint location, GLfloat v0) { set({program, location}, {v0}); }
void GL_APIENTRY glProgramUniform2fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1) {
    set({program, location}, {v0, v1});
}
void GL_APIENTRY glProgramUniform3fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2) {
    set({program, location}, {v0, v1, v2});
}
void GL_APIENTRY glProgramUniform4fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3) {
    set({program, location}, {v0, v1, v2, v3});
}
void GL_APIENTRY glProgramUniform1iEXT(GLuint program, GLint location, GLint v0) { set({program, location}, {v0}); }
void GL_APIENTRY glProgramUniform2iEXT(GLuint program, GLint location, GLint v0, GLint v1) {
    set({program, location}, {v0, v1});
}
void GL_APIENTRY glProgramUniform3iEXT(GLuint program, GLint location, GLint v0, GLint v1, GLint v2) {
    set({program, location}, {v0, v1, v2});
}
void GL_APIENTRY glProgramUniform4iEXT(GLuint program, GLint location, GLint v0, GLint v1, GLint v2, GLint v3) {
    set({program, location}, {v0, v1, v2, v3});
}

void GL_APIENTRY glProgramUniform1fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    set({program, location}, count, 1, value);
}
void GL_APIENTRY glProgramUniform2fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    set({program, location}, count, 2, value);
}
void GL_APIENTRY glProgramUniform3fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    set({program, location}, count, 3, value);
}
void GL_APIENTRY glProgramUniform4fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    set({program, location}, count, 4, value);
}
void GL_APIENTRY glProgramUniform1ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    set({program, location}, count, 1, value);
}
void GL_APIENTRY glProgramUniform2ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    set({program, location}, count, 2, value);
}
void GL_APIENTRY glProgramUniform3ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    set({program, location}, count, 3, value);
}
void GL_APIENTRY glProgramUniform4ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    set({program, location}, count, 4, value);
}

void GL_APIENTRY glProgramUniformMatrix2fvEXT(GLuint program, GLint location, GLsizei count, GLboolean transpose,
                                              const GLfloat* value) {
    setMatrices({program, location}, count, transpose, 2, 2, value);
}
void GL_APIENTRY glProgramUniformMatrix3fvEXT(GLuint program, GLint location, GLsizei count, GLboolean transpose,
                                              const GLfloat* value) {
    setMatrices({program, location}, count, transpose, 3, 3, value);
}
void GL_APIENTRY glProgramUniformMatrix4fvEXT(GLuint program, GLint location, GLsizei count, GLboolean transpose,
                                              const GLfloat* value) {
    setMatrices({program, location}, count, transpose, 4, 4, value);
}

// EXT_robustness, KHR_robustness

void GL_APIENTRY glGetnUniformfvEXT(GLuint program, GLint location, GLsizei bufSize, GLfloat* params) {
    getUniform(program, location, bufSize, params);
}
void GL_APIENTRY glGetnUniformfvKHR(GLuint program, GLint location, GLsizei bufSize, GLfloat* params) {
    getUniform(program, location, bufSize, params);
}
void GL_APIENTRY glGetnUniformivEXT(GLuint program, GLint location, GLsizei bufSize, GLint* params) {
    getUniform(program, location, bufSize, params);
}
void GL_APIENTRY glGetnUniformivKHR(GLuint program, GLint location, GLsizei bufSize, GLint* params) {
    getUniform(program, location, bufSize, params);
}

}  // extern "C"
