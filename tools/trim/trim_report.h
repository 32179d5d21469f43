// What trimming a machine to its programs saves and gains, in words, as Markdown and as JSON.
#pragma once

#include <string>
#include <vector>

#include "model/trim/trim.h"
#include "tools/trim/subjects.h"

namespace tessera::tools {

/// A machine that the free area is filled with.
struct RefilledMachine {
    model::Preset preset;
    model::MachineEstimate estimate;
    double speedup = 1;  ///< over the machine before trimming, predicted
};

/// One subject: the machine before and after, and what fits into the area of the first.
struct Trimming {
    TrimSubject subject;
    model::Preset full, trimmed;
    model::MachineEstimate before, after;
    RefilledMachine cores, units;
};
[[nodiscard]] Trimming trim(TrimSubject subject, const model::Preset& full);

/// Of one: what is needed, what each unit costs before and after, what fits then.
[[nodiscard]] std::string describeTrimming(const Trimming& trimming);
/// Of several: a table with a line for each, and what they save on average.
[[nodiscard]] std::string trimmingTable(const std::vector<Trimming>& trimmings);
[[nodiscard]] std::string trimmingJson(const std::vector<Trimming>& trimmings);

}  // namespace tessera::tools
