// `tessera run` for compute programs: one launch, buffers to files.
#pragma once

#include <string>
#include <vector>

#include "tools/run/kernel_input.h"

namespace tessera::tools {

struct LaunchOptions {
    std::vector<std::string> out;
    std::string tier = "jit";
    bool counters = false;
};

void addLaunchOptions(CLI::App& verb, LaunchOptions& options);

/// Runs the program on its grid and writes the buffers that are wanted. The exit status; messages are printed.
[[nodiscard]] int launchKernel(const KernelInput& input, const LaunchOptions& options);

}  // namespace tessera::tools
