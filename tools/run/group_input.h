// A shader program with its inputs from the command line, as groups of 32 lanes: what `run`, `dbg` and `bisect-tiers`
// execute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shader-core/debug/replay/group.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct GroupOptions {
    std::string program, stage;
    std::vector<std::string> set, uniforms, textures;
    int lanes = 1;
    std::string filter = "linear", wrap = "repeat";
};

/// --set, --uniform, --texture, --lanes and what belongs to them. The verb adds the program itself.
void addGroupOptions(CLI::App& verb, GroupOptions& options);
/// Two paragraphs for a verb's help: how values are written.
[[nodiscard]] const char* groupOptionsHelp();

/// --stage: vertex or fragment, for GLSL in a file that does not say.
void addStageOption(CLI::App& verb, std::string& stage);

/// A program of any kind: .tsb, assembly, or GLSL; by `stage`, its ending, or what it contains; verified. Messages are
/// printed.
[[nodiscard]] std::shared_ptr<const isa::Program> loadProgram(const std::string& path, const std::string& stage,
                                                              int& status);

/// One group for each 32 lanes. Nothing, with messages printed, when a value does not fit the program.
[[nodiscard]] std::optional<std::vector<debug::Group>> makeGroups(std::shared_ptr<const isa::Program> program,
                                                                  const GroupOptions& options, int& status);

}  // namespace tessera::tools
