// A recorded command stream as a workload for machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/frame_range.h"
#include "model/chip/record.h"
#include "model/chip/workload.h"
#include "pipeline/recording/decode.h"

namespace tessera::tools {

/// Executes the stream, whose images hold nothing yet, with a recorder listening. Nothing, and why, when it cannot be
/// executed as it was or is more than a workload holds.
[[nodiscard]] std::optional<model::Workload> workloadOfStream(pipeline::CommandStream& stream, const std::string& name,
                                                              FrameRange frames,
                                                              const model::Recorder::Progress& progress,
                                                              std::vector<std::string>& problems);

}  // namespace tessera::tools
