// What each line of a workload's programs costs, of a file that `tessera model --save` kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/chip/preset.h"
#include "model/report/lines.h"

namespace tessera::tools {

/// Of the programs of a workload (.tsw) or a recorded command stream (.tsc). Nothing, with a message and the tool's
/// `status`, when the file is neither or the machine cannot run it.
[[nodiscard]] std::optional<std::vector<model::ProgramCost>> costsOfWorkload(const std::string& file,
                                                                             const model::Preset& machine, int& status);

}  // namespace tessera::tools
