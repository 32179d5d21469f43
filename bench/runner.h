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
    [[nodiscard]] double median() const;
    [[nodiscard]] double min() const;
    [[nodiscard]] double max() const;
};

[[nodiscard]] Result runRow(const RowInfo& info, const Settings& settings);

}  // namespace bench
