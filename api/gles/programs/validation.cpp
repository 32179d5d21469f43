// Errors of shaders, programs, uniforms and program pipelines.
#include "api/gles/programs/validation.h"

#include <string_view>

#include "api/gles/buffers/validation.h"

namespace tessera::gles::validate {

std::shared_ptr<Shader> shader(Context& c, GLuint name) {
    std::shared_ptr<Shader> found = c.group().shader(name);
    if (!found) c.error(c.group().program(name) ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    return found;
}

std::shared_ptr<Program> program(Context& c, GLuint name) {
    std::shared_ptr<Program> found = c.group().program(name);
    if (!found) c.error(c.group().shader(name) ? GL_INVALID_OPERATION : GL_INVALID_VALUE);
    return found;
}

std::shared_ptr<Program> linkedProgram(Context& c, GLuint name) {
    std::shared_ptr<Program> found = program(c, name);
    if (!found || found->linked) return found;
    c.error(GL_INVALID_OPERATION);
    return nullptr;
}

bool attachShader(Context& c, Program& program, const Shader& shader) {
    return program.slot(shader.type) == nullptr || c.error(GL_INVALID_OPERATION);
}

bool bindAttribLocation(Context& c, GLuint index, const GLchar* name) {
    if (!attribIndex(c, index)) return false;
    if (!name) return c.error(GL_INVALID_VALUE);
    return !std::string_view(name).starts_with("gl_") || c.error(GL_INVALID_OPERATION);
}

bool bindFragDataLocation(Context& c, GLuint color, GLuint index, const GLchar* name) {
    const int limit = index == 0 ? kMaxDrawBuffers : kMaxDualSourceDrawBuffers;
    if (index > 1 || color >= static_cast<GLuint>(limit) || !name) return c.error(GL_INVALID_VALUE);
    return !std::string_view(name).starts_with("gl_") || c.error(GL_INVALID_OPERATION);
}

bool precisionFormat(Context& c, GLenum shaderType, GLenum precisionType) {
    bool valid = (shaderType == GL_VERTEX_SHADER || shaderType == GL_FRAGMENT_SHADER) &&
                 precisionType >= GL_LOW_FLOAT && precisionType <= GL_HIGH_INT;
    return valid || c.error(GL_INVALID_ENUM);
}

bool shaderBinary(Context& c, GLsizei n, const GLuint* shaders, GLenum format, GLsizei length) {
    if (format != GL_SHADER_BINARY_TESSERA) return c.error(GL_INVALID_ENUM);
    if (n < 0 || length < 0 || (n > 0 && !shaders)) return c.error(GL_INVALID_VALUE);
    for (GLsizei i = 0; i < n; ++i)
        if (!shader(c, shaders[i])) return false;
    // A .tsb file holds one program, so it cannot serve two shader objects.
    return n <= 1 || c.error(GL_INVALID_OPERATION);
}

bool textureUnits(Context& c, const UniformCall& call) {
    for (GLsizei i = 0; call.ints && i < call.count; ++i)
        if (call.ints[i] < 0 || call.ints[i] >= kMaxCombinedTextureUnits) return c.error(GL_INVALID_VALUE);
    return true;
}

bool linkedAnew(Context& c, const Program& program) { return program.capturing == 0 || c.error(GL_INVALID_OPERATION); }

bool programChange(Context& c) { return !c.transformFeedback->captures() || c.error(GL_INVALID_OPERATION); }

bool feedbackVaryings(Context& c, GLsizei n, GLenum bufferMode) {
    if (bufferMode != GL_INTERLEAVED_ATTRIBS && bufferMode != GL_SEPARATE_ATTRIBS) return c.error(GL_INVALID_ENUM);
    return (n >= 0 && (bufferMode != GL_SEPARATE_ATTRIBS || n <= kMaxFeedbackBuffers)) || c.error(GL_INVALID_VALUE);
}

bool deleteFeedbacks(Context& c, GLsizei n, const GLuint* names) {
    if (!count(c, n)) return false;
    for (GLsizei i = 0; i < n && names; ++i)
        if (const auto object = c.transformFeedbacks.find(names[i]); object && object->isActive)
            return c.error(GL_INVALID_OPERATION);
    return true;
}

bool bindFeedback(Context& c, GLenum target, GLuint name) {
    if (target != GL_TRANSFORM_FEEDBACK) return c.error(GL_INVALID_ENUM);
    if (!programChange(c)) return false;
    return name == 0 || c.transformFeedbacks.contains(name) || c.error(GL_INVALID_OPERATION);
}

bool beginFeedback(Context& c, GLenum primitiveMode) {
    if (primitiveMode != GL_POINTS && primitiveMode != GL_LINES && primitiveMode != GL_TRIANGLES)
        return c.error(GL_INVALID_ENUM);
    const TransformFeedback& feedback = *c.transformFeedback;
    if (feedback.isActive || !c.program || c.program->executable->captured.varyings.empty())
        return c.error(GL_INVALID_OPERATION);
    const auto& strides = c.program->executable->captured.layout.stride;
    for (size_t i = 0; i < feedback.buffers.size(); ++i)
        if (strides[i] != 0 && !feedback.buffers[i].buffer) return c.error(GL_INVALID_OPERATION);
    return true;
}

bool pipeline(Context& c, GLuint name) { return c.pipelines.contains(name) || c.error(GL_INVALID_OPERATION); }

bool useProgramStages(Context& c, GLbitfield stages, GLuint name) {
    constexpr GLbitfield kStages = GL_VERTEX_SHADER_BIT_EXT | GL_FRAGMENT_SHADER_BIT_EXT;
    if (stages != GL_ALL_SHADER_BITS_EXT && (stages & ~kStages) != 0) return c.error(GL_INVALID_VALUE);
    if (name == 0) return true;
    const std::shared_ptr<Program> found = linkedProgram(c, name);
    return found && (found->executable->separable || c.error(GL_INVALID_OPERATION));
}

bool programParameter(Context& c, GLenum pname, GLint value) {
    if (pname != GL_PROGRAM_SEPARABLE_EXT && !(c.isEs3() && pname == GL_PROGRAM_BINARY_RETRIEVABLE_HINT))
        return c.error(GL_INVALID_ENUM);
    return value == GL_TRUE || value == GL_FALSE || c.error(GL_INVALID_VALUE);
}

}  // namespace tessera::gles::validate
