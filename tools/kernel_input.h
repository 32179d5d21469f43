// `tessera run` for compute programs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shader-core/isa/program.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct KernelOptions {
    std::vector<uint32_t> grid, block;
    std::vector<std::string> in, out, buffers;
    std::string tier = "jit";
    uint64_t budget = uint64_t{1} << 28;
    bool counters = false;
};

void addKernelOptions(CLI::App& verb, KernelOptions& options);
/// A paragraph for the verb's help.
[[nodiscard]] const char* kernelOptionsHelp();

/// Runs the program on a grid and writes the buffers that are wanted. `uniforms` are NAME=VALUE texts, `name` is the
/// file the program came from. The exit status; messages are printed.
[[nodiscard]] int runKernel(const std::shared_ptr<const isa::Program>& program, const std::string& name,
                            const std::vector<std::string>& uniforms, const KernelOptions& options);

}  // namespace tessera::tools
