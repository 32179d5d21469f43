// `tessera model --sweep`: a workload on a grid of machines.
#pragma once

#include <string>

#include "model/chip/preset.h"
#include "model/chip/workload.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct SweepOptions {
    std::string axes;     ///< empty: no sweep
    std::string results;  ///< file of finished points; empty: none is kept
    std::string plot;     ///< SVG file
};
void addSweepOptions(CLI::App& verb, SweepOptions& options);

/// Runs what is not in the results file yet, on all processors, and prints the front, or all as JSON. An exit
/// status; messages are printed.
[[nodiscard]] int sweep(const SweepOptions& options, const model::Workload& workload, const model::Preset& preset,
                        bool json);

}  // namespace tessera::tools
