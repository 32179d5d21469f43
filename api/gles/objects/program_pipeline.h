// Program pipeline objects (EXT_separate_shader_objects): which program each stage is taken from.
#pragma once

#include <algorithm>

#include "api/gles/objects/program.h"

namespace tessera::gles {

/// What a draw runs in each stage; null: nothing. All from one program, or each from a separable one.
struct ProgramStages : pipeline::PerStage<Executable*> {
    [[nodiscard]] bool complete() const { return std::ranges::find(each, nullptr) == each.end(); }
    /// Calls use(executable) for each, once for all stages that one has.
    template <class Use>
    void forEach(const Use& use) const {
        for (auto at = each.begin(); at != each.end(); ++at)
            if (*at != nullptr && std::find(each.begin(), at, *at) == at) use(**at);
    }
    /// Two samplers of different type on one texture image unit: draws are errors.
    [[nodiscard]] bool hasSamplerConflict() const;
};

/// Each context has its own.
struct ProgramPipeline {
    explicit ProgramPipeline(GLuint n) : name(n) {}
    GLuint name;
    std::string label;                          ///< KHR_debug
    std::shared_ptr<Program> vertex, fragment;  ///< current for the stage; null: none
    std::shared_ptr<Program> active;            ///< whose uniforms glUniform* sets; null: none
    bool validated = false;
    std::string infoLog;

    /// Of the last successful links.
    [[nodiscard]] ProgramStages stages() const;
    /// Why draws with it are errors, as a line of an info log; empty: they are none.
    [[nodiscard]] std::string drawError() const;
    /// One of the two programs of complete stages().
    [[nodiscard]] std::shared_ptr<const pipeline::Program> joined();

private:
    struct Joined {
        std::shared_ptr<const pipeline::Program> vertex, fragment, both;
    };
    Joined joined_;  ///< what joined() made last, and of which
};

}  // namespace tessera::gles
