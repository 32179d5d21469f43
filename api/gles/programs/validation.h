// Errors of shaders, programs, uniforms and program pipelines. See context/validation.h.
#pragma once

#include <optional>

#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

// The finders record GL_INVALID_VALUE for unknown names, GL_INVALID_OPERATION for the other kind.
[[nodiscard]] std::shared_ptr<Shader> shader(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> program(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> linkedProgram(Context& c, GLuint name);
[[nodiscard]] bool attachShader(Context& c, Program& program, const Shader& shader);
[[nodiscard]] bool bindAttribLocation(Context& c, GLuint index, const GLchar* name);
[[nodiscard]] bool precisionFormat(Context& c, GLenum shaderType, GLenum precisionType);
[[nodiscard]] bool shaderBinary(Context& c, GLsizei n, const GLuint* shaders, GLenum format, GLsizei length);

/// One glUniform* or glProgramUniform* call: `components` values of `columns` columns for each of `count` elements.
struct UniformCall {
    std::optional<GLuint> program;  ///< by name; none: the active one
    GLint location;
    GLsizei count;
    int components, columns;  ///< columns: 1 for vectors, 2..4 for matrices
    bool integers;
    const GLint* ints;  ///< to check texture image units; null for floats
};
struct UniformTarget {
    std::shared_ptr<Program> program;
    Executable::Element element;  ///< null uniform when nothing is to be done: an error, or location -1
};
[[nodiscard]] UniformTarget uniform(Context& c, const UniformCall& call);

// Program pipelines
/// Null and GL_INVALID_OPERATION for a name that is not from glGenProgramPipelinesEXT; made when it is new.
[[nodiscard]] std::shared_ptr<ProgramPipeline> pipeline(Context& c, GLuint name);
[[nodiscard]] bool useProgramStages(Context& c, GLbitfield stages, GLuint program);
[[nodiscard]] bool programParameter(Context& c, GLenum pname, GLint value);

}  // namespace tessera::gles::validate
