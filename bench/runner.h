// Runs rows: calibrates, takes samples, checks the picture.
#pragma once

#include <string>
#include <vector>

#include "bench/row.h"

namespace bench {

struct Settings {
    Size size;
    double seconds = 1;  ///< for each row
    int samples = 5;
};

struct Result {
    enum class Status { good, skipped, wrong } status = Status::good;
    std::string reason;           ///< why skipped, or what is wrong
    std::vector<double> samples;  ///< in the row's unit, in the order they were taken
    /// The same work divided by the processor time that all threads took together; empty for rows with processes of
    /// their own. On a machine that others use too it says more than the clock.
    std::vector<double> processorSamples;
    [[nodiscard]] double median() const;
    [[nodiscard]] double min() const;
    [[nodiscard]] double max() const;
};

[[nodiscard]] Result runRow(const RowInfo& info, const Settings& settings);

}  // namespace bench
