// What each line of a program costs (model/report/lines.h), for the verbs that are no model: of groups and blocks that
// they execute, and of workloads (tools/model/workload_costs.h: of files).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/chip/preset.h"
#include "model/chip/workload.h"
#include "model/report/lines.h"
#include "shader-core/debug/replay/group.h"
#include "shader-core/debug/replay/launch.h"

namespace tessera::tools {

/// What groups of one shader ask of a machine, each executed once more; `groupNumber` gives those from 0 on. Nothing,
/// and why, when one does not end or there is too much.
[[nodiscard]] std::optional<model::Workload> workloadOfGroups(size_t count,
                                                              const std::function<debug::Group(size_t)>& groupNumber,
                                                              std::string& problem);
/// The same for `count` blocks of a launch from `first` on; the launch's buffers are as before them.
[[nodiscard]] std::optional<model::Workload> workloadOfBlocks(const debug::Launch& launch, uint64_t first,
                                                              uint64_t count, std::string& problem);

/// Groups of one shader, executed once more, and put on the machine alone. `name` is the program's file. Nothing, with
/// a message, when the machine cannot run them.
[[nodiscard]] std::optional<model::ProgramCost> costOfGroups(const std::string& name,
                                                             std::span<const debug::Group* const> groups,
                                                             const model::Preset& machine);
/// The same for blocks.
[[nodiscard]] std::optional<model::ProgramCost> costOfBlocks(const std::string& name, const debug::Launch& launch,
                                                             uint64_t first, uint64_t count,
                                                             const model::Preset& machine);
/// Of the programs of a workload, `name` in messages. Nothing, with a message, when the machine cannot run it.
[[nodiscard]] std::optional<std::vector<model::ProgramCost>> costsOnMachine(const std::string& name,
                                                                            const model::Workload& workload,
                                                                            const model::Preset& machine);

}  // namespace tessera::tools
