// glCompileShader and glLinkProgram.
#include <fmt/format.h>

#include <algorithm>

#include "api/gles/limits.h"
#include "api/gles/objects/program.h"
#include "base/process/env.h"

namespace tessera::gles {

static_assert(kMaxViews == glsl::kMaxViews && kMaxClipDistances == glsl::kMaxDistances &&
              kMaxDualSourceDrawBuffers == glsl::kMaxSecondColors && kMaxSamples == glsl::kMaxSamples);

namespace {

/// Why the attached shaders cannot be linked at all; empty when they can.
std::string attachmentError(const Program& program) {
    if (!program.vertex && !program.fragment) return "ERROR: no shader is attached\n";
    if (!program.vertex && !program.separable) return "ERROR: no vertex shader is attached\n";
    if (!program.fragment && !program.separable) return "ERROR: no fragment shader is attached\n";
    if (program.vertex && !program.vertex->compiled) return "ERROR: the vertex shader is not compiled\n";
    if (program.fragment && !program.fragment->compiled) return "ERROR: the fragment shader is not compiled\n";
    if (program.vertex && program.fragment &&
        (program.vertex->binary != nullptr) != (program.fragment->binary != nullptr))
        return "ERROR: a shader from GLSL and a shader binary cannot be linked together; use two of a kind\n";
    return {};
}

}  // namespace

CompileTask::CompileTask(std::shared_ptr<Shader> shader, const glsl::Limits& limits)
    : shader_(std::move(shader)),
      change_(++shader_->changes),
      stage_(shader_->stage()),
      source_(shader_->source),
      limits_(limits) {}

void CompileTask::run() {
    // Groups that a probe takes out of the program go to the debugger, and so do those of recorded frames.
    const auto isSet = [](const char* name) { return !envString(name, "").empty(); };
    const bool debugInfo = isSet("TESSERA_PROBE") || isSet("TESSERA_COMMANDS");
    result_ = glsl::compile(stage_, source_, limits_, debugInfo);
}

void CompileTask::finish() {
    if (shader_->changes != change_) return;
    shader_->compiled = result_.shader != nullptr;
    shader_->glsl = std::move(result_.shader);
    shader_->binary = nullptr;
    shader_->infoLog = std::move(result_.infoLog);
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

LinkTask::LinkTask(std::shared_ptr<Program> program, isa::Executor& executor, const glsl::Limits& limits)
    : program_(std::move(program)),
      change_(++program_->changes),
      executor_(executor),
      limits_(limits),
      name_(program_->name),
      separable_(program_->separable),
      attributeBindings_(program_->attributeBindings),
      outputBindings_(program_->outputBindings),
      feedback_(program_->feedback),
      infoLog_(attachmentError(*program_)) {
    if (!infoLog_.empty()) return;
    if (program_->vertex) {
        vertex_ = program_->vertex->glsl;
        vertexBinary_ = program_->vertex->binary;
    }
    if (program_->fragment) {
        fragment_ = program_->fragment->glsl;
        fragmentBinary_ = program_->fragment->binary;
    }
}

bool LinkTask::matchStages(std::shared_ptr<const isa::Program>& vertex, std::shared_ptr<const isa::Program>& fragment) {
    if (vertexBinary_ || fragmentBinary_) {
        vertex = vertexBinary_;
        fragment = fragmentBinary_;
        if (vertex && fragment) infoLog_ = matchVaryings(*vertex, *fragment);
        blendSupport_ = glsl::kAllBlendEquations;  // programs of the instruction set say nothing of it
        return infoLog_.empty();
    }
    glsl::LinkResult result =
        vertex_ && fragment_
            ? glsl::link(*vertex_, *fragment_, attributeBindings_, limits_, feedback_.names, outputBindings_)
            : glsl::linkSingle(vertex_ ? *vertex_ : *fragment_, limits_, attributeBindings_, outputBindings_);
    infoLog_ = std::move(result.infoLog);
    blendSupport_ = result.blendSupport;
    views_ = result.views;
    if (!result.ok && infoLog_.empty()) infoLog_ = "ERROR: the shaders do not link\n";
    vertex = std::move(result.vertex);
    fragment = std::move(result.fragment);
    return result.ok;
}

void LinkTask::run() {
    std::shared_ptr<const isa::Program> vertex, fragment;
    if (!infoLog_.empty() || !matchStages(vertex, fragment)) return;
    std::string error;
    std::optional<CapturedVaryings> captured = captureVaryings(vertex.get(), feedback_, &error);
    if (captured) executable_ = Executable::make(std::move(vertex), std::move(fragment), executor_, name_, &error);
    if (!executable_) {
        infoLog_ += "ERROR: " + error + "\n";
        return;
    }
    executable_->separable = separable_;
    executable_->blendSupport = blendSupport_;
    executable_->views = views_;
    executable_->captured = *std::move(captured);
}

void LinkTask::finish() {
    if (program_->changes != change_) return;
    program_->linked = executable_ != nullptr;
    program_->validated = false;
    program_->infoLog = std::move(infoLog_);
    if (executable_) program_->executable = std::move(executable_);
}

void compile(const std::shared_ptr<Shader>& shader) {
    CompileTask task(shader, kGlslLimits);
    task.run();
    task.finish();
}

void link(const std::shared_ptr<Program>& program, isa::Executor& executor) {
    LinkTask task(program, executor, kGlslLimits);
    task.run();
    task.finish();
}

}  // namespace tessera::gles
