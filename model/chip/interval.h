// Where a machine is empty between two commands (docs/model.md, Intervals): what comes after depends on nothing before.
#pragma once

#include <vector>

#include "model/chip/result.h"
#include "model/chip/workload.h"

namespace tessera::model {

/// Commands that a machine begins as in cycle 0: up to a launch or the end of a frame.
struct Interval {
    Range commands;            ///< in Workload::commands
    uint32_t framesEnded = 0;  ///< before it
    bool isLast = true;        ///< nothing comes after it
};
/// One at least, in order; together they are all commands.
[[nodiscard]] std::vector<Interval> intervalsOf(const Workload& workload);

/// The interval, which was run by itself, comes behind what the result holds of the same workload and preset.
void append(Result& result, const Result& next, const Interval& interval, const Workload& workload);
/// So that there are not more pieces of time.
void limitPieces(Result& result, size_t pieces);

}  // namespace tessera::model
