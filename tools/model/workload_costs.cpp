#include "tools/model/workload_costs.h"

#include <fmt/format.h>

#include "tools/files.h"
#include "tools/model/workloads.h"
#include "tools/run/line_costs.h"

namespace tessera::tools {

std::optional<std::vector<model::ProgramCost>> costsOfWorkload(const std::string& file, const model::Preset& machine,
                                                               int& status) {
    const WorkloadKind kind = kindOfWorkload(file);
    if (kind != WorkloadKind::Saved && kind != WorkloadKind::Stream) {
        fmt::print(stderr, "{}: error: it is no workload (.tsw) and no command stream (.tsc); {}\n", file,
                   "tessera model --save FILE.tsw keeps a workload");
        status = kTrouble;
        return std::nullopt;
    }
    WorkloadOptions options;
    options.what = {file};
    const std::optional<model::Workload> workload = makeWorkload(options, status);
    if (!workload) return std::nullopt;
    auto costs = costsOnMachine(file, *workload, machine);
    if (!costs) status = kWrongInput;
    return costs;
}

}  // namespace tessera::tools
