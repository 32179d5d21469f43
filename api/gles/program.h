// Shader and program objects.
#pragma once

#include <map>
#include <string>

#include "api/gles/executable.h"
#include "api/gles/gles.h"
#include "api/gles/limits.h"
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
                                             .drawBuffers = kMaxDrawBuffers,
                                             .drawInstanced = true,
                                             .imageExternal = true,
                                             .texture3D = true,
                                             .shadowSamplers = true};

struct Shader {
    Shader(GLuint n, GLenum t) : name(n), type(t) {}
    GLuint name;
    std::string label;  ///< KHR_debug
    GLenum type;
    std::string source;
    bool compiled = false;
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
    bool linked = false;
    bool validated = false;
    std::string infoLog;
    /// Of the last successful link: stays in use by contexts that have the program current when a relink fails.
    std::shared_ptr<Executable> executable;
    bool deleteFlag = false;  ///< glDeleteProgram while current
    int users = 0;            ///< contexts that have it current

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

/// Compiles the source; sets compiled, glsl and infoLog.
void compile(Shader& shader);
/// Links what is attached; sets linked, infoLog and, on success, executable.
void link(Program& program, isa::Executor& executor);

}  // namespace tessera::gles
