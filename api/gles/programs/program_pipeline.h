// Program pipeline objects (EXT_separate_shader_objects): which program each stage is taken from.
#pragma once

#include "api/gles/programs/program.h"

namespace tessera::gles {

/// What a draw runs in each stage; null: nothing. Both from one program, or each from a separable one.
struct ProgramStages {
    Executable* vertex = nullptr;
    Executable* fragment = nullptr;

    [[nodiscard]] bool complete() const { return vertex != nullptr && fragment != nullptr; }
    /// Calls use(executable) for each, once for both when they are one.
    template <class Use>
    void forEach(const Use& use) const {
        if (vertex) use(*vertex);
        if (fragment && fragment != vertex) use(*fragment);
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
