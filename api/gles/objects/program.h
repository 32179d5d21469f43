// Shader and program objects.
#pragma once

#include <map>
#include <string>

#include "api/gles/gles.h"
#include "api/gles/limits.h"
#include "api/gles/objects/executable.h"
#include "shader-core/glsl/glsl.h"

namespace tessera::gles {

/// What shaders are compiled and linked with.
inline constexpr glsl::Limits kGlslLimits = {.vertexAttribs = kMaxVertexAttribs,
                                             .vertexUniformVectors = kMaxVertexUniformVectors,
                                             .fragmentUniformVectors = kMaxFragmentUniformVectors,
                                             .varyingVectors = kMaxVaryingVectors,
                                             .vertexTextureUnits = kMaxVertexTextureUnits,
                                             .fragmentTextureUnits = kMaxTextureUnits,
                                             .combinedTextureUnits = kMaxCombinedTextureUnits,
                                             .drawBuffers = kMaxDrawBuffersEs2,
                                             .drawInstanced = true,
                                             .imageExternal = true,
                                             .texture3D = true,
                                             .shadowSamplers = true,
                                             .separateObjects = true};
/// The same in a context of OpenGL ES 3.0, where "#version 300 es" is one more language.
inline constexpr glsl::Limits kGlslLimitsEs3 = [] {
    glsl::Limits limits = kGlslLimits;
    limits.version = 300;
    limits.drawBuffers = kMaxDrawBuffers;
    return limits;
}();

struct Shader {
    Shader(GLuint n, GLenum t) : name(n), type(t) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum type;
    std::string source;
    bool compiled = false;
    uint64_t changes = 0;  ///< of what it is compiled to, finished or begun
    std::string infoLog;
    std::shared_ptr<const glsl::Shader> glsl;    ///< compiled from source
    std::shared_ptr<const isa::Program> binary;  ///< or loaded by glShaderBinary
    bool deleteFlag = false;                     ///< glDeleteShader while attached
    int attachments = 0;                         ///< program objects it is attached to

    [[nodiscard]] isa::Stage stage() const {
        return type == GL_VERTEX_SHADER ? isa::Stage::Vertex : isa::Stage::Fragment;
    }
};

struct Program {
    explicit Program(GLuint n) : name(n) {}
    GLuint name;
    std::string label;                             ///< KHR_debug
    std::shared_ptr<Shader> vertex, fragment;      ///< attached
    std::map<std::string, int> attributeBindings;  ///< glBindAttribLocation, effective at the next link
    glsl::OutputBindings outputBindings;           ///< glBindFragDataLocationIndexedEXT, likewise
    FeedbackNames feedback;                        ///< glTransformFeedbackVaryings, likewise
    bool separable = false;                        ///< GL_PROGRAM_SEPARABLE_EXT, likewise
    bool binaryHint = false;                       ///< GL_PROGRAM_BINARY_RETRIEVABLE_HINT, without effect
    bool linked = false;
    bool validated = false;
    uint64_t changes = 0;  ///< of what it is linked to, finished or begun
    std::string infoLog;
    /// Of the last successful link: stays in use by contexts that have the program current when a relink fails.
    std::shared_ptr<Executable> executable;
    bool deleteFlag = false;  ///< glDeleteProgram while in use
    int users = 0;            ///< contexts that have it current, places of program pipelines, active feedbacks
    int capturing = 0;        ///< active transform feedback objects that it is in use by

    [[nodiscard]] std::shared_ptr<Shader>& slot(GLenum type) { return type == GL_VERTEX_SHADER ? vertex : fragment; }
};

/// Shaders and programs share one name space; exactly one member is set.
struct ShaderOrProgram {
    std::shared_ptr<Shader> shader;
    std::shared_ptr<Program> program;
};

/// Every varying that the fragment program declares is written by the vertex program to the same register; else why
/// not, as a line of an info log.
[[nodiscard]] std::string matchVaryings(const isa::Program& vertex, const isa::Program& fragment);

// Compiling and linking take as long as the application's shaders want, and the share group's lock is not for that:
// a task takes what it needs from an object while the lock is held, runs without it, and is given back under it. A task
// whose object has been compiled or linked anew in the meantime changes nothing.

class CompileTask {
public:
    CompileTask(std::shared_ptr<Shader> shader, const glsl::Limits& limits);  ///< those live longer
    void run();
    /// Sets compiled, glsl and infoLog.
    void finish();

private:
    std::shared_ptr<Shader> shader_;
    uint64_t change_;
    isa::Stage stage_;
    std::string source_;
    const glsl::Limits& limits_;
    glsl::CompileResult result_;
};

class LinkTask {
public:
    LinkTask(std::shared_ptr<Program> program, isa::Executor& executor, const glsl::Limits& limits);  ///< likewise
    void run();
    /// Sets linked, infoLog and, on success, executable.
    void finish();

private:
    /// GLSL shaders through the compiler's linker, or assembled programs by what they declare; one stays null when the
    /// program has one shader.
    [[nodiscard]] bool matchStages(std::shared_ptr<const isa::Program>& vertex,
                                   std::shared_ptr<const isa::Program>& fragment);

    std::shared_ptr<Program> program_;
    uint64_t change_;
    isa::Executor& executor_;
    const glsl::Limits& limits_;
    GLuint name_;
    bool separable_;
    std::shared_ptr<const glsl::Shader> vertex_, fragment_;
    std::shared_ptr<const isa::Program> vertexBinary_, fragmentBinary_;
    std::map<std::string, int> attributeBindings_;
    glsl::OutputBindings outputBindings_;
    FeedbackNames feedback_;
    std::string infoLog_;
    uint32_t blendSupport_ = 0;
    int views_ = 1;
    std::shared_ptr<Executable> executable_;
};

/// Both for objects that nobody else has.
void compile(const std::shared_ptr<Shader>& shader);
void link(const std::shared_ptr<Program>& program, isa::Executor& executor);

}  // namespace tessera::gles
