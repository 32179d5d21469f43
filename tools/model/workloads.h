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

/// What a workload is made from.
enum class WorkloadKind {
    Saved,    ///< a workload in a file (.tsw)
    Stream,   ///< a recorded command stream (.tsc, .tsc.compute-1)
    Compute,  ///< a compute program (.tsa, .tsb)
    Kernel,   ///< of the suite (demos/kernels/suite.h), by name
    Program,  ///< a GLES program and its arguments
};
/// By the ending or name; a file of another name by what it begins with.
[[nodiscard]] WorkloadKind kindOfWorkload(const std::string& what);

/// What is to be modelled.
struct WorkloadOptions {
    std::vector<std::string> what;     ///< one of WorkloadKind; behind a program its arguments
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
