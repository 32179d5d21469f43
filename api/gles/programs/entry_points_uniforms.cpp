// Entry points that set and read uniforms of the current program.
#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>

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

void writeFloats(Context& c, Place place, GLsizei count, int components, int columns, const GLfloat* values) {
    const validate::UniformTarget target =
        validate::uniform(c, {place.program, place.location, count, components, columns, isa::Scalar::Float, nullptr});
    if (target.executable && values) target.executable->setFloats(target.element, count, values);
}

/// Components of one element.
void setFloats(Place place, std::initializer_list<GLfloat> values, const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState(
        [&](Context& c) { writeFloats(c, place, 1, static_cast<int>(values.size()), 1, values.begin()); }, call);
}

/// From the application's memory.
void setFloats(Place place, GLsizei count, int components, int columns, const GLfloat* values,
               const char* call = __builtin_FUNCTION()) {
    enterKeepingDrawState(
        [&](Context& c) {
            const MayBeLeft left(c.group().mutex);
            writeFloats(c, place, count, components, columns, values);
        },
        call);
}

void setInts(Place place, GLsizei count, int components, const GLint* values, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
            const validate::UniformTarget target =
                validate::uniform(c, {place.program, place.location, count, components, 1, isa::Scalar::Int, values});
            if (target.executable && values) target.executable->setInts(target.element, count, values);
        },
        call);
}

void setUints(Place place, GLsizei count, int components, const GLuint* values,
              const char* call = __builtin_FUNCTION()) {
    enterEs3(
        [&](Context& c) {
            const validate::UniformTarget target =
                validate::uniform(c, {place.program, place.location, count, components, 1, isa::Scalar::UInt, nullptr});
            if (target.executable && values) target.executable->setUints(target.element, count, values);
        },
        call);
}

/// Matrices that the application has row by row.
void setTransposed(Place place, GLsizei count, int columns, int rows, const GLfloat* values, const char* call) {
    enter(
        [&](Context& c) {
            if (!c.isEs3()) return void(c.error(GL_INVALID_VALUE));
            const validate::UniformTarget target = validate::uniform(
                c, {place.program, place.location, count, rows, columns, isa::Scalar::Float, nullptr});
            if (!target.executable || !values) return;
            Executable::Element element = target.element;
            for (; count > 0 && element.index < element.uniform->elements(); --count, ++element.index) {
                std::array<GLfloat, 16> matrix;
                for (int column = 0; column < columns; ++column)
                    for (int row = 0; row < rows; ++row)
                        matrix[static_cast<size_t>(column * rows + row)] = values[row * columns + column];
                target.executable->setFloats(element, 1, matrix.data());
                values += columns * rows;
            }
        },
        call);
}

void setMatrices(Place place, GLsizei count, GLboolean transpose, int columns, int rows, const GLfloat* values,
                 const char* call = __builtin_FUNCTION()) {
    if (transpose == GL_FALSE)
        setFloats(place, count, rows, columns, values, call);
    else
        setTransposed(place, count, columns, rows, values, call);
}

/// In another context than one of OpenGL ES 3.0 GL_INVALID_OPERATION, and false.
bool requireEs3(const char* call = __builtin_FUNCTION()) {
    bool isEs3 = false;
    enterKeepingDrawState([&](Context& c) { isEs3 = c.isEs3() || c.error(GL_INVALID_OPERATION); }, call);
    return isEs3;
}

/// Matrices that are not square.
void setEs3Matrices(Place place, GLsizei count, GLboolean transpose, int columns, int rows, const GLfloat* values,
                    const char* call = __builtin_FUNCTION()) {
    if (requireEs3(call)) setMatrices(place, count, transpose, columns, rows, values, call);
}

/// A signed number keeps its bits.
GLuint toUint(double value) {
    return value < 0 ? static_cast<GLuint>(roundToInt(value))
                     : static_cast<GLuint>(std::min(std::floor(value + 0.5), static_cast<double>(UINT32_MAX)));
}

constexpr GLsizei kAnySize = INT32_MAX;  ///< the calls without a buffer size

template <class T>
void getUniform(GLuint program, GLint location, GLsizei bufSize, T* params, const char* call = __builtin_FUNCTION()) {
    enter(
        [&](Context& c) {
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

void GL_APIENTRY glUniform1f(GLint location, GLfloat v0) { setFloats(location, {v0}); }
void GL_APIENTRY glUniform2f(GLint location, GLfloat v0, GLfloat v1) { setFloats(location, {v0, v1}); }
void GL_APIENTRY glUniform3f(GLint location, GLfloat v0, GLfloat v1, GLfloat v2) { setFloats(location, {v0, v1, v2}); }
void GL_APIENTRY glUniform4f(GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3) {
    setFloats(location, {v0, v1, v2, v3});
}
void GL_APIENTRY glUniform1i(GLint location, GLint v0) { setInts(location, 1, 1, &v0); }
void GL_APIENTRY glUniform2i(GLint location, GLint v0, GLint v1) {
    const GLint v[] = {v0, v1};
    setInts(location, 1, 2, v);
}
void GL_APIENTRY glUniform3i(GLint location, GLint v0, GLint v1, GLint v2) {
    const GLint v[] = {v0, v1, v2};
    setInts(location, 1, 3, v);
}
void GL_APIENTRY glUniform4i(GLint location, GLint v0, GLint v1, GLint v2, GLint v3) {
    const GLint v[] = {v0, v1, v2, v3};
    setInts(location, 1, 4, v);
}

void GL_APIENTRY glUniform1fv(GLint location, GLsizei count, const GLfloat* value) {
    setFloats(location, count, 1, 1, value);
}
void GL_APIENTRY glUniform2fv(GLint location, GLsizei count, const GLfloat* value) {
    setFloats(location, count, 2, 1, value);
}
void GL_APIENTRY glUniform3fv(GLint location, GLsizei count, const GLfloat* value) {
    setFloats(location, count, 3, 1, value);
}
void GL_APIENTRY glUniform4fv(GLint location, GLsizei count, const GLfloat* value) {
    setFloats(location, count, 4, 1, value);
}
void GL_APIENTRY glUniform1iv(GLint location, GLsizei count, const GLint* value) { setInts(location, count, 1, value); }
void GL_APIENTRY glUniform2iv(GLint location, GLsizei count, const GLint* value) { setInts(location, count, 2, value); }
void GL_APIENTRY glUniform3iv(GLint location, GLsizei count, const GLint* value) { setInts(location, count, 3, value); }
void GL_APIENTRY glUniform4iv(GLint location, GLsizei count, const GLint* value) { setInts(location, count, 4, value); }

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

void GL_APIENTRY glUniform1ui(GLint location, GLuint v0) { setUints(location, 1, 1, &v0); }
void GL_APIENTRY glUniform2ui(GLint location, GLuint v0, GLuint v1) {
    const GLuint v[] = {v0, v1};
    setUints(location, 1, 2, v);
}
void GL_APIENTRY glUniform3ui(GLint location, GLuint v0, GLuint v1, GLuint v2) {
    const GLuint v[] = {v0, v1, v2};
    setUints(location, 1, 3, v);
}
void GL_APIENTRY glUniform4ui(GLint location, GLuint v0, GLuint v1, GLuint v2, GLuint v3) {
    const GLuint v[] = {v0, v1, v2, v3};
    setUints(location, 1, 4, v);
}
void GL_APIENTRY glUniform1uiv(GLint location, GLsizei count, const GLuint* value) {
    setUints(location, count, 1, value);
}
void GL_APIENTRY glUniform2uiv(GLint location, GLsizei count, const GLuint* value) {
    setUints(location, count, 2, value);
}
void GL_APIENTRY glUniform3uiv(GLint location, GLsizei count, const GLuint* value) {
    setUints(location, count, 3, value);
}
void GL_APIENTRY glUniform4uiv(GLint location, GLsizei count, const GLuint* value) {
    setUints(location, count, 4, value);
}
void GL_APIENTRY glUniformMatrix2x3fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 2, 3, value);
}
void GL_APIENTRY glUniformMatrix3x2fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 3, 2, value);
}
void GL_APIENTRY glUniformMatrix2x4fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 2, 4, value);
}
void GL_APIENTRY glUniformMatrix4x2fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 4, 2, value);
}
void GL_APIENTRY glUniformMatrix3x4fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 3, 4, value);
}
void GL_APIENTRY glUniformMatrix4x3fv(GLint location, GLsizei count, GLboolean transpose, const GLfloat* value) {
    setEs3Matrices(location, count, transpose, 4, 3, value);
}
void GL_APIENTRY glGetUniformuiv(GLuint program, GLint location, GLuint* params) {
    if (requireEs3()) getUniform(program, location, kAnySize, params);
}

// EXT_separate_shader_objects

void GL_APIENTRY glProgramUniform1fEXT(GLuint program, GLint location, GLfloat v0) {
    setFloats({program, location}, {v0});
}
void GL_APIENTRY glProgramUniform2fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1) {
    setFloats({program, location}, {v0, v1});
}
void GL_APIENTRY glProgramUniform3fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2) {
    setFloats({program, location}, {v0, v1, v2});
}
void GL_APIENTRY glProgramUniform4fEXT(GLuint program, GLint location, GLfloat v0, GLfloat v1, GLfloat v2, GLfloat v3) {
    setFloats({program, location}, {v0, v1, v2, v3});
}
void GL_APIENTRY glProgramUniform1iEXT(GLuint program, GLint location, GLint v0) {
    const GLint v[] = {v0};
    setInts({program, location}, 1, 1, v);
}
void GL_APIENTRY glProgramUniform2iEXT(GLuint program, GLint location, GLint v0, GLint v1) {
    const GLint v[] = {v0, v1};
    setInts({program, location}, 1, 2, v);
}
void GL_APIENTRY glProgramUniform3iEXT(GLuint program, GLint location, GLint v0, GLint v1, GLint v2) {
    const GLint v[] = {v0, v1, v2};
    setInts({program, location}, 1, 3, v);
}
void GL_APIENTRY glProgramUniform4iEXT(GLuint program, GLint location, GLint v0, GLint v1, GLint v2, GLint v3) {
    const GLint v[] = {v0, v1, v2, v3};
    setInts({program, location}, 1, 4, v);
}

void GL_APIENTRY glProgramUniform1fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    setFloats({program, location}, count, 1, 1, value);
}
void GL_APIENTRY glProgramUniform2fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    setFloats({program, location}, count, 2, 1, value);
}
void GL_APIENTRY glProgramUniform3fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    setFloats({program, location}, count, 3, 1, value);
}
void GL_APIENTRY glProgramUniform4fvEXT(GLuint program, GLint location, GLsizei count, const GLfloat* value) {
    setFloats({program, location}, count, 4, 1, value);
}
void GL_APIENTRY glProgramUniform1ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    setInts({program, location}, count, 1, value);
}
void GL_APIENTRY glProgramUniform2ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    setInts({program, location}, count, 2, value);
}
void GL_APIENTRY glProgramUniform3ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    setInts({program, location}, count, 3, value);
}
void GL_APIENTRY glProgramUniform4ivEXT(GLuint program, GLint location, GLsizei count, const GLint* value) {
    setInts({program, location}, count, 4, value);
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
