// Entry points of program pipeline objects (EXT_separate_shader_objects).
#include "api/gles/context/entry.h"
#include "api/gles/context/object_names.h"
#include "api/gles/context/parameter.h"
#include "api/gles/programs/validation.h"
#include "api/gles/state/state_queries.h"

using namespace tessera::gles;
namespace isa = tessera::isa;

namespace {

int64_t nameOf(const std::shared_ptr<Program>& program) { return program ? program->name : 0; }

constexpr Parameter<ProgramPipeline> kParameters[] = {
    {GL_ACTIVE_PROGRAM_EXT, [](const ProgramPipeline& pipeline) { return nameOf(pipeline.active); }},
    {GL_VERTEX_SHADER, [](const ProgramPipeline& pipeline) { return nameOf(pipeline.vertex); }},
    {GL_FRAGMENT_SHADER, [](const ProgramPipeline& pipeline) { return nameOf(pipeline.fragment); }},
    {GL_VALIDATE_STATUS, [](const ProgramPipeline& pipeline) -> int64_t { return pipeline.validated; }},
    {GL_INFO_LOG_LENGTH,
     [](const ProgramPipeline& pipeline) -> int64_t { return lengthWithTerminator(pipeline.infoLog); }},
};

}  // namespace

extern "C" {

void GL_APIENTRY glGenProgramPipelinesEXT(GLsizei n, GLuint* pipelines) {
    enter([&](Context& c) {
        if (!validate::count(c, n)) return;
        for (GLsizei i = 0; i < n && pipelines; ++i) pipelines[i] = c.pipelines.generate();
    });
}

void GL_APIENTRY glDeleteProgramPipelinesEXT(GLsizei n, const GLuint* pipelines) {
    enter([&](Context& c) {
        if (!validate::count(c, n)) return;
        for (GLsizei i = 0; i < n && pipelines; ++i) {
            const std::shared_ptr<ProgramPipeline> object = c.pipelines.erase(pipelines[i]);
            if (!object) continue;
            if (c.pipeline == object) c.pipeline = nullptr;
            c.releasePrograms(*object);
        }
    });
}

GLboolean GL_APIENTRY glIsProgramPipelineEXT(GLuint pipeline) {
    return enterFor(GLboolean{GL_FALSE},
                    [&](Context& c) { return static_cast<GLboolean>(c.pipelines.find(pipeline) != nullptr); });
}

void GL_APIENTRY glBindProgramPipelineEXT(GLuint pipeline) {
    enter([&](Context& c) {
        if (pipeline == 0 || validate::pipeline(c, pipeline)) c.pipeline = named(c.pipelines, pipeline);
    });
}

void GL_APIENTRY glUseProgramStagesEXT(GLuint pipeline, GLbitfield stages, GLuint program) {
    enter([&](Context& c) {
        if (!validate::pipeline(c, pipeline) || !validate::useProgramStages(c, stages, program)) return;
        const std::shared_ptr<ProgramPipeline> object = c.pipelines.findOrMake(pipeline);
        const std::shared_ptr<Program> from = c.group().program(program);
        const auto use = [&](GLbitfield bit, isa::Stage stage, std::shared_ptr<Program>& slot) {
            if ((stages & bit) != 0) c.group().useProgram(slot, from && from->executable->has(stage) ? from : nullptr);
        };
        use(GL_VERTEX_SHADER_BIT_EXT, isa::Stage::Vertex, object->vertex);
        use(GL_FRAGMENT_SHADER_BIT_EXT, isa::Stage::Fragment, object->fragment);
    });
}

void GL_APIENTRY glActiveShaderProgramEXT(GLuint pipeline, GLuint program) {
    enter([&](Context& c) {
        if (!validate::pipeline(c, pipeline)) return;
        std::shared_ptr<Program> active = program == 0 ? nullptr : validate::linkedProgram(c, program);
        if (active || program == 0) c.group().useProgram(c.pipelines.findOrMake(pipeline)->active, std::move(active));
    });
}

void GL_APIENTRY glValidateProgramPipelineEXT(GLuint pipeline) {
    enter([&](Context& c) {
        if (!validate::pipeline(c, pipeline)) return;
        const std::shared_ptr<ProgramPipeline> object = c.pipelines.findOrMake(pipeline);
        object->infoLog = object->drawError();
        if (!object->stages()[isa::Stage::Vertex])
            object->infoLog += "ERROR: no program is used for the vertex stage\n";
        if (!object->stages()[isa::Stage::Fragment])
            object->infoLog += "ERROR: no program is used for the fragment stage\n";
        object->validated = object->infoLog.empty();
    });
}

void GL_APIENTRY glGetProgramPipelineivEXT(GLuint pipeline, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        if (!validate::pipeline(c, pipeline)) return;
        const auto* parameter = findParameter(kParameters, pname);
        if (!parameter) return void(c.error(GL_INVALID_ENUM));
        const std::shared_ptr<ProgramPipeline> object = c.pipelines.findOrMake(pipeline);
        if (params) *params = static_cast<GLint>(parameter->read(*object));
    });
}

void GL_APIENTRY glGetProgramPipelineInfoLogEXT(GLuint pipeline, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
    enter([&](Context& c) {
        if (validate::pipeline(c, pipeline) && validate::count(c, bufSize))
            copyString(c.pipelines.findOrMake(pipeline)->infoLog, bufSize, length, infoLog);
    });
}

}  // extern "C"
