// What each line of a program costs (model/report/lines.h), for the verbs that are no model: of groups and blocks that
// they execute, and of a workload that `tessera model --save` kept.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/chip/preset.h"
#include "model/report/lines.h"
#include "shader-core/debug/group.h"
#include "shader-core/debug/replay/launch.h"

namespace tessera::tools {

/// Groups of one shader, executed once more, and put on the machine alone. `name` is the program's file. Nothing, with
/// a message, when the machine cannot run them.
[[nodiscard]] std::optional<model::ProgramCost> costOfGroups(const std::string& name,
                                                             std::span<const debug::Group* const> groups,
                                                             const model::Preset& machine);
/// The same for `count` blocks of a launch from `first` on; the launch's buffers are as before them.
[[nodiscard]] std::optional<model::ProgramCost> costOfBlocks(const std::string& name, const debug::Launch& launch,
                                                             uint64_t first, uint64_t count,
                                                             const model::Preset& machine);
/// Of the programs of a workload (.tsw) or a recorded command stream (.tsc).
[[nodiscard]] std::optional<std::vector<model::ProgramCost>> costsOfWorkload(const std::string& file,
                                                                             const model::Preset& machine, int& status);

}  // namespace tessera::tools
