// What `tessera trim` trims a machine to: programs from files of every kind, by name out of the repository, or all of
// its kernels and demos.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/trim/needs.h"

namespace tessera::tools {

/// One machine is trimmed to one subject: an application with all its programs.
struct TrimSubject {
    std::string name;
    std::string group;  ///< heading in a report over many: "kernels of seed 002", "demos"
    struct Member {
        std::string file;
        std::shared_ptr<const isa::Program> program;
    };
    std::string
        work;  ///< what its programs do, as makeWorkload() takes it: a recording, a kernel of the suite; or none
    std::vector<Member> members;
    model::Needs needs;
    model::InstructionCounts code;                     ///< of the programs
    std::optional<model::InstructionCounts> executed;  ///< of a run, where one was counted

    void add(Member member);
    /// Executed where that is known, else of the code.
    [[nodiscard]] const model::InstructionCounts& counts() const { return executed ? *executed : code; }
};

struct SubjectOptions {
    std::vector<std::string> programs;
    std::string root = ".";  ///< of the repository, for names
    std::string profile;     ///< file that `kernels --profile` wrote
    bool all = false;        ///< every kernel and demo
};

/// A subject for each of the programs. Nothing, with messages printed, when one cannot be read; `status` says why.
[[nodiscard]] std::optional<std::vector<TrimSubject>> readSubjects(const SubjectOptions& options, int& status);

}  // namespace tessera::tools
