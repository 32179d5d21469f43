// Pictures of a result, as SVG.
#pragma once

#include <string>

#include "model/chip/result.h"

namespace tessera::model {

/// What the units did over time: a strip for each kind, areas of causes on each other.
[[nodiscard]] std::string usePlot(const Result& result);
/// A bar for each draw and launch, as long as the cycles that it adds, with the unit that bounds it; the dearest ones.
[[nodiscard]] std::string drawsPlot(const Result& result, const Workload& workload);
/// A bar for each line of a program: cycles of block processors in which it issued, and those that it was waited for;
/// the dearest ones.
[[nodiscard]] std::string linesPlot(const Result& result, const Workload& workload);

}  // namespace tessera::model
