// What trimming a machine to its programs saves and gains, in words, as Markdown and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/trim/trim.h"
#include "tools/trim/subjects.h"

namespace tessera::tools {

/// A run of the cycle model (modelled.h).
struct ModelledRun {
    uint64_t cycles = 0;
    std::string bound;  ///< what bounds its dearest command: "relay of memory, 99 % busy"
};
[[nodiscard]] double speedup(const ModelledRun& before, const ModelledRun& now);

/// A machine that the free area is filled with.
struct RefilledMachine {
    model::Preset preset;
    model::MachineEstimate estimate;
    double speedup = 1;   ///< over the machine before trimming, predicted
    bool isMore = false;  ///< something fitted
    ModelledRun run;      ///< where the trimming is modelled
};

/// One subject: the machine before and after, and what fits into the area of the first.
struct Trimming {
    TrimSubject subject;
    const model::ResourceTable* table = nullptr;  ///< that areas are by
    model::Preset full, trimmed;
    model::MachineEstimate before, after;
    RefilledMachine cores, units;
    std::string work;         ///< that was modelled
    std::string notModelled;  ///< or why none was
    struct Runs {
        ModelledRun before, after;
    };
    std::optional<Runs> modelled;
};
/// Prediction and model agree so far that nothing is said of it: a factor.
inline constexpr double kAlike = 1.25;
/// `table` outlives it.
[[nodiscard]] Trimming trim(TrimSubject subject, const model::Preset& full, const model::ResourceTable& table);

/// Of one: what is needed, what each unit costs before and after, what fits then.
[[nodiscard]] std::string describeTrimming(const Trimming& trimming);
/// Of several: a table with a line for each, and what they save on average.
[[nodiscard]] std::string trimmingTable(const std::vector<Trimming>& trimmings);
[[nodiscard]] std::string trimmingJson(const std::vector<Trimming>& trimmings);

}  // namespace tessera::tools
