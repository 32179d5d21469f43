// glCompileShader and glLinkProgram: two GLSL shaders through the compiler's linker, or two assembled ISA programs by
// what they declare.
#include <fmt/format.h>

#include <algorithm>

#include "api/gles/limits.h"
#include "api/gles/program.h"
#include "base/env.h"

namespace tessera::gles {

namespace {

/// Why the attached shaders cannot be linked at all; empty when they can.
std::string attachmentError(const Program& program) {
    if (!program.vertex) return "ERROR: no vertex shader is attached\n";
    if (!program.fragment) return "ERROR: no fragment shader is attached\n";
    if (!program.vertex->compiled) return "ERROR: the vertex shader is not compiled\n";
    if (!program.fragment->compiled) return "ERROR: the fragment shader is not compiled\n";
    if ((program.vertex->binary != nullptr) != (program.fragment->binary != nullptr))
        return "ERROR: a shader from GLSL and a shader binary cannot be linked together; use two of a kind\n";
    return {};
}

}  // namespace

void compile(Shader& shader) {
    // Groups that a probe takes out of the program go to the debugger.
    const bool debugInfo = !envString("TESSERA_PROBE", "").empty();
    glsl::CompileResult result = glsl::compile(shader.stage(), shader.source, kGlslLimits, debugInfo);
    shader.compiled = result.shader != nullptr;
    shader.glsl = std::move(result.shader);
    shader.binary = nullptr;
    shader.infoLog = std::move(result.infoLog);
}

std::string matchVaryings(const isa::Program& vertex, const isa::Program& fragment) {
    for (const isa::Variable& in : fragment.varyings) {
        auto out = std::find_if(vertex.varyings.begin(), vertex.varyings.end(),
                                [&](const isa::Variable& v) { return v.name == in.name; });
        if (out == vertex.varyings.end())
            return fmt::format(
                "ERROR: varying '{}' is read by the fragment program but not declared by the vertex "
                "program\n",
                in.name);
        if (out->type != in.type || out->arraySize != in.arraySize || out->reg != in.reg)
            return fmt::format("ERROR: varying '{}' differs in type or register between the two programs\n", in.name);
    }
    return {};
}

void link(Program& program, isa::Executor& executor) {
    program.linked = false;
    program.validated = false;
    program.infoLog = attachmentError(program);
    if (!program.infoLog.empty()) return;

    std::shared_ptr<const isa::Program> vertex, fragment;
    if (program.vertex->binary) {
        vertex = program.vertex->binary;
        fragment = program.fragment->binary;
        program.infoLog = matchVaryings(*vertex, *fragment);
        if (!program.infoLog.empty()) return;
    } else {
        glsl::LinkResult result =
            glsl::link(*program.vertex->glsl, *program.fragment->glsl, program.attributeBindings, kGlslLimits);
        program.infoLog = std::move(result.infoLog);
        if (!result.ok) {
            if (program.infoLog.empty()) program.infoLog = "ERROR: the shaders do not link\n";
            return;
        }
        vertex = std::move(result.vertex);
        fragment = std::move(result.fragment);
    }

    std::string error;
    std::shared_ptr<Executable> executable =
        Executable::make(std::move(vertex), std::move(fragment), executor, program.name, &error);
    if (!executable) {
        program.infoLog += "ERROR: " + error + "\n";
        return;
    }
    program.executable = std::move(executable);
    program.linked = true;
}

}  // namespace tessera::gles
