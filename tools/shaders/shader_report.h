// The static report of `tessera glslc --report`: what shaders cost, over a corpus, and against an earlier report.
#pragma once

#include <string>
#include <vector>

#include "shader-core/asm/analysis/cost.h"

namespace tessera::tools {

struct ReportRow {
    std::string name;
    assembly::Cost cost;
};

/// Several lines about one program.
[[nodiscard]] std::string describeCost(const std::string& name, const assembly::Cost& cost);

/// One line for each program in the order of `rows`, then their sums.
[[nodiscard]] std::string reportTable(const std::vector<ReportRow>& rows);

/// What changed from the report `before` to `rows`: programs helped and hurt, and the sums. Empty: nothing.
[[nodiscard]] std::string compareReports(const std::string& before, const std::vector<ReportRow>& rows);

}  // namespace tessera::tools
