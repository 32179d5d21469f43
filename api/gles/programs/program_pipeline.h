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
    /// The programs of complete stages() joined.
    [[nodiscard]] std::shared_ptr<const pipeline::ProgramPair> pair();

private:
    struct Joined {
        std::shared_ptr<const pipeline::ProgramPair> vertex, fragment, pair;
    };
    Joined joined_;  ///< what pair() made last, and of which
};

}  // namespace tessera::gles
