// Entry points of shader and program objects.
#include <algorithm>
#include <cstring>
#include <optional>

#include "api/gles/context/entry.h"
#include "api/gles/context/parameter.h"
#include "api/gles/formats.h"
#include "api/gles/programs/program_binary.h"
#include "api/gles/programs/validation.h"
#include "api/gles/state/state_queries.h"
#include "base/process/env.h"

using namespace tessera::gles;
namespace isa = tessera::isa;
namespace glsl = tessera::glsl;

namespace {

void describe(const isa::Variable& variable, GLsizei bufSize, GLsizei* length, GLint* size, GLenum* type,
              GLchar* name) {
    copyString(activeName(variable), bufSize, length, name);
    if (size) *size = std::max<GLint>(variable.arraySize, 1);
    if (type) *type = uniformType(variable.type);
}

/// What the last link has made; null if it failed.
const Executable* linked(const Program& program) { return program.linked ? program.executable.get() : nullptr; }

/// What the last link captures; nothing if it failed.
const CapturedVaryings& captured(const Program& program) {
    static const CapturedVaryings kNothing;
    return linked(program) ? linked(program)->captured : kNothing;
}

/// The length of the longest name that glGetActive* tells.
template <class Range, class NameOf>
GLint longestName(const Range& range, const NameOf& nameOf) {
    GLint longest = 0;
    for (const auto& one : range) longest = std::max(longest, lengthWithTerminator(nameOf(one)));
    return longest;
}

constexpr Parameter<Program> kProgramParameters[] = {
    {GL_DELETE_STATUS, [](const Program& program) -> int64_t { return program.deleteFlag; }},
    {GL_LINK_STATUS, [](const Program& program) -> int64_t { return program.linked; }},
    {GL_COMPLETION_STATUS_KHR,  // glLinkProgram returns when it is linked
     [](const Program&) -> int64_t { return GL_TRUE; }},
    {GL_PROGRAM_SEPARABLE_EXT, [](const Program& program) -> int64_t { return program.separable; }},
    {GL_VALIDATE_STATUS, [](const Program& program) -> int64_t { return program.validated; }},
    {GL_INFO_LOG_LENGTH, [](const Program& program) -> int64_t { return lengthWithTerminator(program.infoLog); }},
    {GL_PROGRAM_BINARY_LENGTH_OES,
     [](const Program& program) -> int64_t {
         return linked(program) ? static_cast<int64_t>(programBinary(*linked(program)).size()) : 0;
     }},
    {GL_ATTACHED_SHADERS,
     [](const Program& program) -> int64_t { return (program.vertex != nullptr) + (program.fragment != nullptr); }},
    {GL_ACTIVE_ATTRIBUTES,
     [](const Program& program) -> int64_t {
         return linked(program) ? static_cast<int64_t>(linked(program)->attributes.size()) : 0;
     }},
    {GL_ACTIVE_UNIFORMS,
     [](const Program& program) -> int64_t {
         return linked(program) ? static_cast<int64_t>(linked(program)->uniforms.size()) : 0;
     }},
    {GL_ACTIVE_ATTRIBUTE_MAX_LENGTH,
     [](const Program& program) -> int64_t {
         return linked(program) ? longestName(linked(program)->attributes, activeName) : 0;
     }},
    {GL_ACTIVE_UNIFORM_MAX_LENGTH,
     [](const Program& program) -> int64_t {
         const auto nameOf = [](const Uniform& uniform) { return activeName(uniform.variable); };
         return linked(program) ? longestName(linked(program)->uniforms, nameOf) : 0;
     }},
};

/// Those that OpenGL ES 3.0 adds.
constexpr Parameter<Program> kEs3ProgramParameters[] = {
    {GL_PROGRAM_BINARY_RETRIEVABLE_HINT, [](const Program& program) -> int64_t { return program.binaryHint; }},
    {GL_ACTIVE_UNIFORM_BLOCKS,
     [](const Program& program) -> int64_t {
         return linked(program) ? static_cast<int64_t>(linked(program)->blocks.size()) : 0;
     }},
    {GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH,
     [](const Program& program) -> int64_t {
         const auto nameOf = [](const UniformBlock& block) { return block.name; };
         return linked(program) ? longestName(linked(program)->blocks, nameOf) : 0;
     }},
    {GL_TRANSFORM_FEEDBACK_BUFFER_MODE, [](const Program& program) -> int64_t { return captured(program).mode; }},
    {GL_TRANSFORM_FEEDBACK_VARYINGS,
     [](const Program& program) { return static_cast<int64_t>(captured(program).varyings.size()); }},
    {GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH,
     [](const Program& program) -> int64_t {
         return longestName(captured(program).varyings, [](const isa::Variable& varying) { return varying.name; });
     }},
};

/// Null when a context of that version has no such parameter.
const Parameter<Program>* findProgramParameter(const Context& c, GLenum pname) {
    const auto* parameter = findParameter(kProgramParameters, pname);
    return parameter || !c.isEs3() ? parameter : findParameter(kEs3ProgramParameters, pname);
}

constexpr Parameter<Shader> kShaderParameters[] = {
    {GL_SHADER_TYPE, [](const Shader& shader) -> int64_t { return shader.type; }},
    {GL_DELETE_STATUS, [](const Shader& shader) -> int64_t { return shader.deleteFlag; }},
    {GL_COMPILE_STATUS, [](const Shader& shader) -> int64_t { return shader.compiled; }},
    {GL_COMPLETION_STATUS_KHR,  // glCompileShader returns when it is compiled
     [](const Shader&) -> int64_t { return GL_TRUE; }},
    {GL_INFO_LOG_LENGTH, [](const Shader& shader) -> int64_t { return lengthWithTerminator(shader.infoLog); }},
    {GL_SHADER_SOURCE_LENGTH, [](const Shader& shader) -> int64_t { return lengthWithTerminator(shader.source); }},
};

/// What the compiler and linker say, for the debug output.
void reportLog(Context& c, bool succeeded, const std::string& log) {
    if (log.empty() || !c.debug.enabled) return;
    c.debug.insert({GL_DEBUG_SOURCE_SHADER_COMPILER_KHR,
                    static_cast<GLenum>(succeeded ? GL_DEBUG_TYPE_OTHER_KHR : GL_DEBUG_TYPE_ERROR_KHR), 0,
                    static_cast<GLenum>(succeeded ? GL_DEBUG_SEVERITY_NOTIFICATION_KHR : GL_DEBUG_SEVERITY_HIGH_KHR),
                    log});
}

/// glShaderSource's strings, without `length` or with a negative one up to their ends.
std::string joined(GLsizei count, const GLchar* const* string, const GLint* length) {
    std::string source;
    for (GLsizei i = 0; i < count && string; ++i) {
        if (!string[i]) continue;
        if (length && length[i] >= 0) {
            source.append(string[i], static_cast<size_t>(length[i]));
        } else {
            source.append(string[i]);
        }
    }
    return source;
}

/// A new program without shaders.
std::shared_ptr<Program> makeProgram(Context& c) {
    const GLuint name = c.group().programs.generate();
    auto object = std::make_shared<ShaderOrProgram>();
    object->program = std::make_shared<Program>(name);
    c.group().programs.insert(name, object);
    return object->program;
}

/// Reads a .tsb file; the reason it is refused, or empty.
std::string loadBinary(Shader& shader, const void* binary, GLsizei length) {
    std::string error;
    std::span<const std::byte> bytes(static_cast<const std::byte*>(binary), static_cast<size_t>(length));
    std::optional<isa::Program> program = isa::deserialize(bytes, &error);
    if (!program) return error.empty() ? "not a .tsb file" : error;
    if (program->stage != shader.stage()) return "the program is of another stage than the shader object";
    error = isa::verify(*program);
    if (!error.empty()) return error;
    shader.binary = std::make_shared<const isa::Program>(*std::move(program));
    return {};
}

}  // namespace

extern "C" {

// Shaders

GLuint GL_APIENTRY glCreateShader(GLenum type) {
    return enterFor(GLuint{0}, [&](Context& c) {
        if (type != GL_VERTEX_SHADER && type != GL_FRAGMENT_SHADER) {
            c.error(GL_INVALID_ENUM);
            return GLuint{0};
        }
        GLuint name = c.group().programs.generate();
        auto object = std::make_shared<ShaderOrProgram>();
        object->shader = std::make_shared<Shader>(name, type);
        c.group().programs.insert(name, std::move(object));
        return name;
    });
}

void GL_APIENTRY glDeleteShader(GLuint shader) {
    enter([&](Context& c) {
        if (shader == 0) return;
        std::shared_ptr<Shader> object = validate::shader(c, shader);
        if (!object) return;
        object->deleteFlag = true;
        if (object->attachments == 0) c.group().programs.erase(shader);
    });
}

GLboolean GL_APIENTRY glIsShader(GLuint shader) {
    return enterFor(GLboolean{GL_FALSE},
                    [&](Context& c) { return static_cast<GLboolean>(c.group().shader(shader) != nullptr); });
}

void GL_APIENTRY glShaderSource(GLuint shader, GLsizei count, const GLchar* const* string, const GLint* length) {
    enter([&](Context& c) {
        std::shared_ptr<Shader> object = validate::shader(c, shader);
        if (!object || !validate::count(c, count)) return;
        object->source = joined(count, string, length);
    });
}

void GL_APIENTRY glCompileShader(GLuint shader) {
    std::shared_ptr<Shader> object;
    std::optional<CompileTask> task;
    enter([&](Context& c) {
        object = validate::shader(c, shader);
        if (object) task.emplace(object, c.glslLimits());
    });
    if (!task || !withoutLock([&] { task->run(); })) return;
    enter([&](Context& c) {
        task->finish();
        reportLog(c, object->compiled, object->infoLog);
    });
}

void GL_APIENTRY glShaderBinary(GLsizei count, const GLuint* shaders, GLenum binaryformat, const void* binary,
                                GLsizei length) {
    enter([&](Context& c) {
        if (!validate::shaderBinary(c, count, shaders, binaryformat, length) || count == 0) return;
        std::shared_ptr<Shader> object = validate::shader(c, shaders[0]);
        std::string error = binary ? loadBinary(*object, binary, length) : "no data";
        ++object->changes;
        object->glsl = nullptr;
        object->compiled = error.empty();
        object->infoLog = error.empty() ? std::string() : "ERROR: " + error + "\n";
        if (error.empty()) return;
        object->binary = nullptr;
        c.error(GL_INVALID_VALUE);
    });
}

void GL_APIENTRY glReleaseShaderCompiler() {
    enter([](Context&) {});  // the compiler keeps nothing between calls
}

// Routines are compiled in the background in any case, and programs draw meanwhile: the hint changes nothing.
void GL_APIENTRY glMaxShaderCompilerThreadsKHR(GLuint count) {
    enter([&](Context& c) { c.state.compilerThreads = count; });
}

void GL_APIENTRY glGetShaderiv(GLuint shader, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        std::shared_ptr<Shader> object = validate::shader(c, shader);
        if (!object) return;
        const auto* parameter = findParameter(kShaderParameters, pname);
        if (!parameter) return void(c.error(GL_INVALID_ENUM));
        if (params) *params = static_cast<GLint>(parameter->read(*object));
    });
}

void GL_APIENTRY glGetShaderInfoLog(GLuint shader, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
    enter([&](Context& c) {
        std::shared_ptr<Shader> object = validate::shader(c, shader);
        if (object && validate::count(c, bufSize)) copyString(object->infoLog, bufSize, length, infoLog);
    });
}

void GL_APIENTRY glGetShaderSource(GLuint shader, GLsizei bufSize, GLsizei* length, GLchar* source) {
    enter([&](Context& c) {
        std::shared_ptr<Shader> object = validate::shader(c, shader);
        if (object && validate::count(c, bufSize)) copyString(object->source, bufSize, length, source);
    });
}

void GL_APIENTRY glGetShaderPrecisionFormat(GLenum shadertype, GLenum precisiontype, GLint* range, GLint* precision) {
    enter([&](Context& c) {
        if (!validate::precisionFormat(c, shadertype, precisiontype)) return;
        // Every precision is computed as IEEE single or 32-bit two's complement.
        bool isFloat = precisiontype <= GL_HIGH_FLOAT;
        if (range) range[0] = isFloat ? 127 : 31;
        if (range) range[1] = isFloat ? 127 : 30;
        if (precision) *precision = isFloat ? 23 : 0;
    });
}

// Programs

GLuint GL_APIENTRY glCreateProgram() {
    return enterFor(GLuint{0}, [](Context& c) { return makeProgram(c)->name; });
}

void GL_APIENTRY glDeleteProgram(GLuint program) {
    enter([&](Context& c) {
        if (program == 0) return;
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object) return;
        object->deleteFlag = true;
        c.group().releaseProgram(*object);
    });
}

GLboolean GL_APIENTRY glIsProgram(GLuint program) {
    return enterFor(GLboolean{GL_FALSE},
                    [&](Context& c) { return static_cast<GLboolean>(c.group().program(program) != nullptr); });
}

void GL_APIENTRY glAttachShader(GLuint program, GLuint shader) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        std::shared_ptr<Shader> attached = object ? validate::shader(c, shader) : nullptr;
        if (!attached || !validate::attachShader(c, *object, *attached)) return;
        ++attached->attachments;
        object->slot(attached->type) = std::move(attached);
    });
}

void GL_APIENTRY glDetachShader(GLuint program, GLuint shader) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        std::shared_ptr<Shader> attached = object ? validate::shader(c, shader) : nullptr;
        if (!attached) return;
        if (object->slot(attached->type) != attached) {
            c.error(GL_INVALID_OPERATION);
            return;
        }
        c.group().detachShader(object->slot(attached->type));
    });
}

void GL_APIENTRY glGetAttachedShaders(GLuint program, GLsizei maxCount, GLsizei* count, GLuint* shaders) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::count(c, maxCount)) return;
        GLsizei n = 0;
        for (const std::shared_ptr<Shader>& shader : {object->vertex, object->fragment})
            if (shader && n < maxCount && shaders) shaders[n++] = shader->name;
        if (count) *count = n;
    });
}

void GL_APIENTRY glBindAttribLocation(GLuint program, GLuint index, const GLchar* name) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (object && validate::bindAttribLocation(c, index, name))
            object->attributeBindings[name] = static_cast<int>(index);
    });
}

void GL_APIENTRY glLinkProgram(GLuint program) {
    std::shared_ptr<Program> object;
    std::optional<LinkTask> task;
    enter([&](Context& c) {
        object = validate::program(c, program);
        if (object && validate::linkedAnew(c, *object))
            task.emplace(object, Driver::instance().gpu().executor(), c.glslLimits());
    });
    if (!task || !withoutLock([&] { task->run(); })) return;
    enter([&](Context& c) {
        task->finish();
        reportLog(c, object->linked, object->infoLog);
    });
}

// Separable programs (EXT_separate_shader_objects; program pipelines: entry_points_pipelines.cpp)

void GL_APIENTRY glProgramParameteri(GLuint program, GLenum pname, GLint value) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::programParameter(c, pname, value)) return;
        (pname == GL_PROGRAM_SEPARABLE_EXT ? object->separable : object->binaryHint) = value == GL_TRUE;
    });
}
void GL_APIENTRY glProgramParameteriEXT(GLuint program, GLenum pname, GLint value) {
    glProgramParameteri(program, pname, value);
}

GLuint GL_APIENTRY glCreateShaderProgramvEXT(GLenum type, GLsizei count, const GLchar** strings) {
    std::shared_ptr<Program> object;
    auto shader = std::make_shared<Shader>(0, type);  // seen by nobody, so it has no name
    std::optional<CompileTask> compiling;
    std::optional<LinkTask> linking;
    enter([&](Context& c) {
        if (type != GL_VERTEX_SHADER && type != GL_FRAGMENT_SHADER) return void(c.error(GL_INVALID_ENUM));
        if (!validate::count(c, count)) return;
        shader->source = joined(count, strings, nullptr);
        compiling.emplace(shader, c.glslLimits());
        object = makeProgram(c);
        object->separable = true;
    });
    if (!object) return 0;
    if (!withoutLock([&] { compiling->run(); })) return object->name;
    enter([&](Context& c) {
        compiling->finish();
        object->infoLog = shader->infoLog;
        reportLog(c, shader->compiled, shader->infoLog);
        if (!shader->compiled) return;
        object->slot(type) = shader;
        linking.emplace(object, Driver::instance().gpu().executor(), c.glslLimits());
        object->slot(type) = nullptr;
    });
    if (!linking || !withoutLock([&] { linking->run(); })) return object->name;
    enter([&](Context& c) {
        linking->finish();
        reportLog(c, object->linked, object->infoLog);
        object->infoLog += shader->infoLog;
    });
    return object->name;
}

// OES_get_program_binary

void GL_APIENTRY glGetProgramBinary(GLuint program, GLsizei bufSize, GLsizei* length, GLenum* binaryFormat,
                                    void* binary) {
    enter([&](Context& c) {
        if (length) *length = 0;
        std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        if (!object || !validate::count(c, bufSize)) return;
        const std::vector<std::byte> bytes = programBinary(*object->executable);
        if (bytes.size() > static_cast<size_t>(bufSize)) return void(c.error(GL_INVALID_OPERATION));
        if (binary) std::memcpy(binary, bytes.data(), bytes.size());
        if (length) *length = static_cast<GLsizei>(bytes.size());
        if (binaryFormat) *binaryFormat = GL_PROGRAM_BINARY_TESSERA;
    });
}
void GL_APIENTRY glGetProgramBinaryOES(GLuint program, GLsizei bufSize, GLsizei* length, GLenum* binaryFormat,
                                       void* binary) {
    glGetProgramBinary(program, bufSize, length, binaryFormat, binary);
}

void GL_APIENTRY glProgramBinary(GLuint program, GLenum binaryFormat, const void* binary, GLint length) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::linkedAnew(c, *object)) return;
        if (binaryFormat != GL_PROGRAM_BINARY_TESSERA) return void(c.error(GL_INVALID_ENUM));
        if (!validate::count(c, length)) return;
        const auto* bytes = static_cast<const std::byte*>(binary);
        loadProgramBinary(*object, {bytes, binary ? static_cast<size_t>(length) : 0},
                          Driver::instance().gpu().executor());
        reportLog(c, object->linked, object->infoLog);
    });
}
void GL_APIENTRY glProgramBinaryOES(GLuint program, GLenum binaryFormat, const void* binary, GLint length) {
    glProgramBinary(program, binaryFormat, binary, length);
}

void GL_APIENTRY glUseProgram(GLuint program) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = program == 0 ? nullptr : validate::linkedProgram(c, program);
        if ((object || program == 0) && validate::programChange(c)) c.useProgram(std::move(object));
    });
}

void GL_APIENTRY glValidateProgram(GLuint program) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object) return;
        bool conflict = object->linked && object->executable->hasSamplerConflict();
        object->validated = object->linked && !conflict;
        object->infoLog = !object->linked ? "ERROR: the program is not linked\n"
                          : conflict      ? kSamplerConflictMessage
                                          : "";
    });
}

void GL_APIENTRY glGetProgramiv(GLuint program, GLenum pname, GLint* params) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object) return;
        const auto* parameter = findProgramParameter(c, pname);
        if (!parameter) return void(c.error(GL_INVALID_ENUM));
        if (params) *params = static_cast<GLint>(parameter->read(*object));
    });
}

void GL_APIENTRY glGetProgramInfoLog(GLuint program, GLsizei bufSize, GLsizei* length, GLchar* infoLog) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (object && validate::count(c, bufSize)) copyString(object->infoLog, bufSize, length, infoLog);
    });
}

// Active variables

void GL_APIENTRY glGetActiveAttrib(GLuint program, GLuint index, GLsizei bufSize, GLsizei* length, GLint* size,
                                   GLenum* type, GLchar* name) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::count(c, bufSize)) return;
        if (!object->linked || index >= object->executable->attributes.size()) {
            c.error(GL_INVALID_VALUE);
            return;
        }
        describe(object->executable->attributes[index], bufSize, length, size, type, name);
    });
}

void GL_APIENTRY glGetActiveUniform(GLuint program, GLuint index, GLsizei bufSize, GLsizei* length, GLint* size,
                                    GLenum* type, GLchar* name) {
    enter([&](Context& c) {
        std::shared_ptr<Program> object = validate::program(c, program);
        if (!object || !validate::count(c, bufSize)) return;
        if (!object->linked || index >= object->executable->uniforms.size()) {
            c.error(GL_INVALID_VALUE);
            return;
        }
        describe(object->executable->uniforms[index].variable, bufSize, length, size, type, name);
    });
}

GLint GL_APIENTRY glGetAttribLocation(GLuint program, const GLchar* name) {
    return enterFor(GLint{-1}, [&](Context& c) {
        std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        return object && name ? object->executable->attributeLocation(name) : -1;
    });
}

GLint GL_APIENTRY glGetUniformLocation(GLuint program, const GLchar* name) {
    return enterFor(GLint{-1}, [&](Context& c) {
        std::shared_ptr<Program> object = validate::linkedProgram(c, program);
        return object && name ? object->executable->uniformLocation(name) : -1;
    });
}

}  // extern "C"
