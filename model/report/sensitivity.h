// What a machine's invented numbers matter: each value that is ours is halved and doubled, the others as they are, and
// the workload goes through both machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/chip/result.h"

namespace tessera::model {

/// A value with less or more of it.
struct OtherValue {
    uint32_t value = 0;
    Cycle cycles = 0;
};
/// One parameter.
struct Influence {
    const Parameter* parameter = nullptr;
    uint32_t value = 0;
    std::optional<OtherValue> half, twice;  ///< none: out of range, no machine, or one that cannot run the workload
    /// Cycles between the fastest and the slowest of the three.
    [[nodiscard]] Cycle spread(Cycle cycles) const;
};
struct Sensitivity {
    std::string workload, preset;
    Cycle cycles = 0;
    std::vector<Influence> ours;  ///< the largest spread first; of equal ones in the order of parameters()
};

/// The numbers of the preset whose source begins with "ours:". The machine runs the workload; `threads` of the host.
[[nodiscard]] Sensitivity sensitivityOf(const Workload& workload, const Preset& preset, int threads);

/// For a person; what changes nothing is counted alone.
[[nodiscard]] std::string sensitivityText(const Sensitivity& sensitivity);
[[nodiscard]] std::string sensitivityJson(const Sensitivity& sensitivity);
/// A tornado, SVG: a bar for each parameter from the cycles of one value to those of the other, the widest on top.
[[nodiscard]] std::string sensitivityPlot(const Sensitivity& sensitivity);

}  // namespace tessera::model
