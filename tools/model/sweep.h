// `tessera model --sweep`: a workload on a grid of machines.
#pragma once

#include <string>

#include "model/chip/preset.h"
#include "model/chip/workload.h"
#include "tools/shard.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct SweepOptions {
    std::string axes;     ///< empty: no sweep
    std::string results;  ///< file of finished points; empty: none is kept
    std::string plot;     ///< SVG file
    Shard shard;          ///< of the grid's points
};
void addSweepOptions(CLI::App& verb, SweepOptions& options);

/// Runs what is not in the results file yet, on all processors, and prints the front, or all as JSON; of a shard only
/// the points that are its own, which are left in its file. An exit status; messages are printed.
[[nodiscard]] int sweep(const SweepOptions& options, const model::Workload& workload, const model::Preset& preset,
                        bool json);

/// Prints the same of a results file that has all points.
[[nodiscard]] int finishedSweep(const SweepOptions& options, bool json);

}  // namespace tessera::tools
