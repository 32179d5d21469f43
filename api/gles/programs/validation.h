// Errors of shaders, programs, uniforms and program pipelines. See context/validation.h.
#pragma once

#include <optional>

#include "api/gles/context/context.h"
#include "api/gles/context/validation.h"

namespace tessera::gles::validate {

// The finders record GL_INVALID_VALUE for unknown names, GL_INVALID_OPERATION for the other kind.
[[nodiscard]] std::shared_ptr<Shader> shader(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> program(Context& c, GLuint name);
[[nodiscard]] std::shared_ptr<Program> linkedProgram(Context& c, GLuint name);
[[nodiscard]] bool attachShader(Context& c, Program& program, const Shader& shader);
[[nodiscard]] bool bindAttribLocation(Context& c, GLuint index, const GLchar* name);
[[nodiscard]] bool bindFragDataLocation(Context& c, GLuint color, GLuint index, const GLchar* name);
[[nodiscard]] bool precisionFormat(Context& c, GLenum shaderType, GLenum precisionType);
[[nodiscard]] bool shaderBinary(Context& c, GLsizei n, const GLuint* shaders, GLenum format, GLsizei length);

/// One glUniform* or glProgramUniform* call: `components` values of `columns` columns for each of `count` elements.
struct UniformCall {
    std::optional<GLuint> program;  ///< by name; none: the active one
    GLint location;
    GLsizei count;
    int components, columns;  ///< columns: 1 for vectors, 2..4 for matrices
    isa::Scalar scalar;       ///< what the values are: Float, Int or UInt
    const GLint* ints;        ///< to check texture image units; null for others
};
struct UniformTarget {
    Executable* executable = nullptr;  ///< null: nothing is to be done, as there is an error, or location -1
    Executable::Element element;
};
/// Of a sampler.
[[nodiscard]] bool textureUnits(Context& c, const UniformCall& call);

[[nodiscard]] inline bool acceptsType(const UniformCall& call, const Uniform& uniform) {
    if (uniform.columns != call.columns || uniform.components != call.components) return false;
    const isa::Scalar scalar = isa::scalarOf(uniform.variable.type);
    return uniform.isSampler() ? call.scalar == isa::Scalar::Int : scalar == call.scalar || scalar == isa::Scalar::Bool;
}

/// Here, so that what a call leaves open is all that it asks: programs set thousands of uniforms in a frame.
[[nodiscard]] inline UniformTarget uniform(Context& c, const UniformCall& call) {
    const auto refuse = [&](GLenum error) {
        c.error(error);
        return UniformTarget{};
    };
    if (call.count < 0) return refuse(GL_INVALID_VALUE);
    const Program* program = call.program ? linkedProgram(c, *call.program).get() : c.activeProgram().get();
    if (!program || !program->linked) return call.program ? UniformTarget{} : refuse(GL_INVALID_OPERATION);
    if (call.location == -1) return {};
    const Executable::Element element = program->executable->at(call.location);
    if (!element.uniform || !acceptsType(call, *element.uniform) || (call.count > 1 && !element.uniform->isArray()))
        return refuse(GL_INVALID_OPERATION);
    if (element.uniform->isSampler() && !textureUnits(c, call)) return {};
    return {program->executable.get(), element};
}

// Transform feedback
/// No active transform feedback object is in the way of another program's being linked into the object.
[[nodiscard]] bool linkedAnew(Context& c, const Program& program);
/// Nor of another program's being used.
[[nodiscard]] bool programChange(Context& c);
[[nodiscard]] bool feedbackVaryings(Context& c, GLsizei n, GLenum bufferMode);
[[nodiscard]] bool deleteFeedbacks(Context& c, GLsizei n, const GLuint* names);
[[nodiscard]] bool bindFeedback(Context& c, GLenum target, GLuint name);
[[nodiscard]] bool beginFeedback(Context& c, GLenum primitiveMode);

// Program pipelines
/// A name from glGenProgramPipelinesEXT, else GL_INVALID_OPERATION. A valid call makes the object when it is new.
[[nodiscard]] bool pipeline(Context& c, GLuint name);
[[nodiscard]] bool useProgramStages(Context& c, GLbitfield stages, GLuint program);
[[nodiscard]] bool programParameter(Context& c, GLenum pname, GLint value);

}  // namespace tessera::gles::validate
