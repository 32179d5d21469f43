// Where the workloads of `tessera model` come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/frame_range.h"
#include "model/chip/workload.h"
#include "tools/run/kernel_input.h"

namespace tessera::tools {

/// What is to be modelled.
struct WorkloadOptions {
    /// A file, by its ending: a workload (.tsw), a recorded command stream (.tsc), a compute program (.tsa, .tsb). Or a
    /// kernel of the suite (demos/kernels/suite.h), by name. Or a GLES program and its arguments.
    std::vector<std::string> what;
    std::optional<FrameRange> frames;  ///< none: of a program its second, of a stream all
    int timeout = 30;                  ///< seconds until the program must have loaded Tessera
    std::string size = "small";        ///< of a kernel of the suite: small, paper or large
    // A compute program's, as `tessera run` takes them.
    std::vector<std::string> uniforms;
    KernelOptions kernel;
};

/// The kernels of the suite: a line for each, with its seed.
[[nodiscard]] std::string kernelList();

/// Reads or records it. Nothing, with messages printed and `status` set, when that fails. Progress goes to a terminal's
/// standard error.
[[nodiscard]] std::optional<model::Workload> makeWorkload(const WorkloadOptions& options, int& status);

}  // namespace tessera::tools
