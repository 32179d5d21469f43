// What a workload holds, in words.
#pragma once

#include <string>

#include "model/chip/workload.h"

namespace tessera::tools {

/// Counts of everything, instructions by unit, and a line for each command; lines that end with \n.
[[nodiscard]] std::string summary(const model::Workload& workload);

}  // namespace tessera::tools
