// A compute program with its buffers, uniforms and grid from the command line: what `run`, `dbg` and `bisect-tiers`
// launch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/compute/device.h"
#include "shader-core/debug/replay/launch.h"
#include "tools/run/group_input.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct KernelOptions {
    std::vector<uint32_t> grid, block, at;
    std::vector<std::string> in, buffers;
    uint64_t budget = uint64_t{1} << 28;
};

/// --grid, --block, --in, --buffer and --budget; with `looksAtBlock` also --at.
void addKernelOptions(CLI::App& verb, KernelOptions& options, bool looksAtBlock);
/// A paragraph for a verb's help.
[[nodiscard]] const char* kernelOptionsHelp();

/// A buffer with the element type (as NumPy spells it) and shape that its file has.
struct KernelArray {
    std::string descr = "|u1";
    std::vector<size_t> shape;
    std::shared_ptr<compute::Buffer> buffer;
};
/// To a .npy file, or as plain bytes by any other name.
[[nodiscard]] bool writeArray(const std::string& path, const KernelArray& array);

/// Uniforms are set and buffers bound.
struct KernelInput {
    std::string name;  ///< file of the program
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<compute::Kernel> kernel;
    std::map<std::string, KernelArray> arrays;
    compute::LaunchSize size;
};

/// `uniforms` are NAME=VALUE texts, `name` is the file the program came from. Nothing, with messages printed, when a
/// value does not fit the program.
[[nodiscard]] std::optional<KernelInput> makeKernelInput(std::shared_ptr<const isa::Program> program,
                                                         const std::string& name,
                                                         const std::vector<std::string>& uniforms,
                                                         const KernelOptions& options, int& status);

/// The launch with copies of the buffers.
[[nodiscard]] std::shared_ptr<debug::Launch> launchOf(const KernelInput& input);

/// The groups of the block that --at names (block 0,0,0 unless it does), the blocks before it having been run by the
/// interpreter. Nothing, with messages printed, when there is no such block or one before it fails.
[[nodiscard]] std::optional<std::vector<debug::Group>> makeBlockGroups(const KernelInput& input,
                                                                       const KernelOptions& options, int& status);

/// Whether the options suit the program: those of the other kind of program would do nothing. That is told.
[[nodiscard]] bool optionsSuit(const isa::Program& program, const std::string& name, const GroupOptions& group,
                               const KernelOptions& kernel);

/// "error: there is no buffer 'x'; there are: a b", and the status of wrong input.
int complainAboutBuffer(const KernelInput& input, const std::string& name);

}  // namespace tessera::tools
