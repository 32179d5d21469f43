// What the cycle model says of the machines that a trimming proposes: a prediction by throughput knows nothing of
// memory that makes a unit wait, nor of programs that have no work for a second core.
#pragma once

#include <string>
#include <vector>

#include "tools/trim/trim_report.h"

namespace tessera::tools {

/// What is run on the machines.
struct WorkChoice {
    std::string what;  ///< a workload (.tsw), a recording or a kernel of the suite; empty: what the subject is made of
    std::string size;  ///< of a kernel; empty: the paper's where that takes seconds, else small
};

/// Runs the work on the machine before trimming, on the trimmed one and on those whose free area is filled, and keeps
/// in `trimming` what that took. Where no work is known that has no result, and Trimming::notModelled says why. False,
/// with messages printed and `status` set, when work that was asked for cannot be read or run.
[[nodiscard]] bool modelTrimming(Trimming& trimming, const WorkChoice& choice, int& status);

/// A line for each machine of which prediction and model differ by more than a quarter.
[[nodiscard]] std::vector<std::string> differencesOf(const Trimming& trimming);

}  // namespace tessera::tools
