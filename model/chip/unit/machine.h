// A machine goes through a workload and says what each unit does in which cycle (docs/model.md, Rules). Whole numbers
// only, no clock of the host: the same workload and preset give the same result everywhere, with any number of threads.
#pragma once

#include <string>

#include "model/chip/interval.h"
#include "model/chip/preset.h"
#include "model/chip/result.h"
#include "model/chip/workload.h"

namespace tessera::model {

struct MachineOptions {
    int pieces = 128;           ///< at most so many pieces of time in UnitResult::overTime
    int threads = 1;            ///< of the host; intervals are run side by side (interval.h)
    bool keepStalls = false;    ///< fill Result::stalls
    bool keepIssues = false;    ///< fill Result::issues
    bool keepLevels = false;    ///< fill Result::queues and Result::levels
    bool keepRequests = false;  ///< fill Result::requests
};

/// Why the machine cannot run the workload: "program 3: a group of it needs 700 registers ...". Empty if it can. Of
/// single instructions that a machine has not, refusal() tells (model/trim/trim.h).
[[nodiscard]] std::string cannotRun(const Workload& workload, const Preset& preset);

/// For a valid workload (validate()) that the machine can run (cannotRun()).
[[nodiscard]] Result simulate(const Workload& workload, const Preset& preset, const MachineOptions& options = {});
/// One interval of intervalsOf() by itself, from cycle 0: append() puts it behind others. Without names.
[[nodiscard]] Result simulateInterval(const Workload& workload, const Interval& interval, const Preset& preset,
                                      const MachineOptions& options);

}  // namespace tessera::model
