// `tessera inspect` of one program by itself: assembly, a .tsb file, or GLSL, with inputs as `run` and `dbg` take them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/run/group_input.h"
#include "tools/run/kernel_input.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct InspectedProgram {
    GroupOptions group;    ///< the file is group.program
    KernelOptions kernel;  ///< of a compute program
    std::string preset, view, page, out, tab;
    std::vector<uint32_t> size;  ///< of the window
    float scale = 0;             ///< as Window::open() takes it
    bool json = false, costs = true, isLight = false;
};

/// Whether what is to be looked at is such a file, by its name or by what it begins with.
[[nodiscard]] bool isProgramFile(const std::vector<std::string>& what);

/// A report, a picture, or the window. The exit status; messages are printed.
[[nodiscard]] int inspectProgram(const CLI::App& verb, const InspectedProgram& options);

/// Options that say how a program is run; what is no program has none of them.
inline constexpr const char* kProgramOptions[] = {"--set",  "--uniform", "--texture", "--lanes", "--filter",
                                                  "--wrap", "--stage",   "--grid",    "--block", "--at",
                                                  "--in",   "--buffer",  "--budget"};

}  // namespace tessera::tools
