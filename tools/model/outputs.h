// What `tessera model` answers and writes besides its report.
#pragma once

#include <string>

#include "model/chip/unit/machine.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct OutputOptions {
    std::string why;                                  ///< a question; empty: the report is printed
    std::string timeline, waves, pipeline, requests;  ///< files; empty: not wanted
    std::string plots;                                ///< what the names of SVG files begin with
};
void addOutputOptions(CLI::App& verb, OutputOptions& options);

/// What the machine has to keep for them.
[[nodiscard]] model::MachineOptions machineOptions(const OutputOptions& options);

/// Writes the files, and prints the answer if one is wanted. An exit status; messages are printed.
[[nodiscard]] int writeOutputs(const OutputOptions& options, const model::Result& result,
                               const model::Workload& workload, const model::Preset& preset);

}  // namespace tessera::tools
