// Entry points of transform feedback: what a program captures, and the objects that capture.
#include <utility>

#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/formats.h"
#include "api/gles/programs/validation.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;

extern "C" {

// What a program captures

void GL_APIENTRY glTransformFeedbackVaryings(GLuint program, GLsizei count, const GLchar* const* varyings,
                                             GLenum bufferMode) {
    enterEs3([&](Context& c) {
        const std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::feedbackVaryings(c, count, bufferMode)) return;
        FeedbackNames wanted{{}, bufferMode};
        for (GLsizei i = 0; i < count && varyings; ++i) wanted.names.emplace_back(varyings[i] ? varyings[i] : "");
        object->feedback = std::move(wanted);
    });
}

void GL_APIENTRY glGetTransformFeedbackVarying(GLuint program, GLuint index, GLsizei bufSize, GLsizei* length,
                                               GLsizei* size, GLenum* type, GLchar* name) {
    enterEs3([&](Context& c) {
        const std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        if (!object || !validate::count(c, bufSize)) return;
        const std::vector<tessera::isa::Variable>& captured = object->executable->captured.varyings;
        if (index >= captured.size()) return void(c.error(GL_INVALID_VALUE));
        const tessera::isa::Variable& varying = captured[index];
        copyString(varying.name, bufSize, length, name);
        if (size) *size = std::max<GLsizei>(varying.arraySize, 1);
        if (type) *type = uniformType(varying.type);
    });
}

// Transform feedback objects

void GL_APIENTRY glGenTransformFeedbacks(GLsizei n, GLuint* ids) {
    enterEs3([&](Context& c) { generate(c, c.transformFeedbacks, n, ids); });
}

void GL_APIENTRY glDeleteTransformFeedbacks(GLsizei n, const GLuint* ids) {
    enterEs3([&](Context& c) {
        if (validate::deleteFeedbacks(c, n, ids)) erase(c, c.transformFeedbacks, n, ids);
    });
}

GLboolean GL_APIENTRY glIsTransformFeedback(GLuint id) {
    return enterEs3For(GLboolean{GL_FALSE}, [&](Context& c) { return exists(c.transformFeedbacks, id); });
}

void GL_APIENTRY glBindTransformFeedback(GLenum target, GLuint id) {
    enterEs3([&](Context& c) {
        if (!validate::bindFeedback(c, target, id)) return;
        c.transformFeedback = id == 0 ? c.defaultTransformFeedback : c.transformFeedbacks.findOrMake(id);
    });
}

// Capturing

void GL_APIENTRY glBeginTransformFeedback(GLenum primitiveMode) {
    enterEs3([&](Context& c) {
        if (validate::beginFeedback(c, primitiveMode)) c.beginFeedback(primitiveMode);
    });
}

void GL_APIENTRY glEndTransformFeedback() {
    enterEs3([&](Context& c) {
        if (!c.transformFeedback->isActive) return void(c.error(GL_INVALID_OPERATION));
        c.endFeedback(*c.transformFeedback);
    });
}

void GL_APIENTRY glPauseTransformFeedback() {
    enterEs3([&](Context& c) {
        if (!c.transformFeedback->captures()) return void(c.error(GL_INVALID_OPERATION));
        c.transformFeedback->isPaused = true;
    });
}

void GL_APIENTRY glResumeTransformFeedback() {
    enterEs3([&](Context& c) {
        TransformFeedback& feedback = *c.transformFeedback;
        if (!feedback.isActive || !feedback.isPaused || feedback.program != c.program)
            return void(c.error(GL_INVALID_OPERATION));
        feedback.isPaused = false;
    });
}

}  // extern "C"
